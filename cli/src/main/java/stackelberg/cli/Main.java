package stackelberg.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import stackelberg.cli.command.BenchCommand;
import stackelberg.cli.command.CompareCommand;
import stackelberg.cli.command.DemoCommand;
import stackelberg.cli.command.DescribeCommand;
import stackelberg.cli.command.EffectCommand;
import stackelberg.cli.command.EvaluateCommand;
import stackelberg.cli.command.ExportCommand;
import stackelberg.cli.command.FitCommand;
import stackelberg.cli.command.GammaCommand;
import stackelberg.cli.command.PathCommand;
import stackelberg.cli.command.PredictCommand;
import stackelberg.cli.command.RespondCommand;
import stackelberg.cli.command.ServeCommand;
import stackelberg.cli.command.SimulateCommand;
import stackelberg.cli.command.SummaryCommand;
import stackelberg.cli.command.TuneCommand;
import stackelberg.cli.command.VerifyCommand;
import stackelberg.cli.terminal.Conversation;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.Signals;
import stackelberg.cli.terminal.StandardOutput;
import stackelberg.data.io.AtomicFile;
import stackelberg.model.Version;

/** The command {@code stackelberg}: one class per subcommand, data on standard output, everything else on standard error. */
@Command(
        name = "stackelberg",
        description =
                "Linear regression for data that fights back: the rule that is best after people have changed their"
                        + " features to get the score they wish, proven to be the best.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionLine.class,
        scope = ScopeType.INHERIT,
        usageHelpWidth = 100,
        abbreviateSynopsis = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            DescribeCommand.class,
            FitCommand.class,
            PredictCommand.class,
            VerifyCommand.class,
            RespondCommand.class,
            EvaluateCommand.class,
            CompareCommand.class,
            GammaCommand.class,
            EffectCommand.class,
            SummaryCommand.class,
            PathCommand.class,
            SimulateCommand.class,
            ExportCommand.class,
            TuneCommand.class,
            BenchCommand.class,
            ServeCommand.class,
            AutoComplete.GenerateCompletion.class,
            HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the answer is certified",
            "1:internal error",
            "2:wrong usage",
            "3:data that cannot be used",
            "4:answered, but not certified (or there is no finite equilibrium)"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stackelberg demo",
            "  stackelberg describe wine.csv",
            "  stackelberg fit wine.csv --target quality --wish \"max(today,6)\" --hedge 5%% -o wine.json",
            "  stackelberg predict wine.json new.csv",
            "  stackelberg verify wine.json wine.csv",
            "  stackelberg path wine.csv --target quality --wish \"max(today,6)\" --gammas 5%%:80%%:20",
            "  stackelberg tune wine.csv --target quality --wish \"max(today,6)\" --world-gamma 30%%",
            "  source <(stackelberg generate-completion)"
        })
public final class Main implements Runnable, Conversation.Commands {
    @Spec
    private CommandSpec spec;

    private CommandLine again;

    public static void main(String[] args) {
        Signals.endAtOnce(AtomicFile::abandon);
        StandardOutput out = new StandardOutput();
        CommandLine stackelberg =
                commandLine().setOut(writer(out)).setErr(writer(new FileOutputStream(FileDescriptor.err)));
        int code = execute(stackelberg, args);
        stackelberg.getOut().flush();
        boolean answered = code == ExitCode.CERTIFIED || code == ExitCode.NOT_CERTIFIED;
        if (answered && out.lost() != null) {
            stackelberg
                    .getErr()
                    .println("Error: Not everything could be written to standard output: " + out.lost()
                            + ".\nMaybe the disk is full.");
            code = ExitCode.BAD_DATA;
        }
        stackelberg.getErr().flush();
        System.exit(code);
    }

    /** The whole command line; its streams can be set, and it never ends the virtual machine. */
    static CommandLine commandLine() {
        CommandLine all = new CommandLine(new Main());
        hide(all, "effect", EffectCommand.MEANINGLESS);
        hide(all, "gamma", GammaCommand.MEANINGLESS);
        // rules that exist pay no ridge
        hide(all, "evaluate", List.of("--ridge"));
        return all.setExecutionStrategy(Main::runUnlessContradicted)
                // a forgotten value must not become a file that is called --json
                .setAllowOptionsAsOptionParameters(false)
                .setParameterExceptionHandler(Failures::onWrongUsage)
                .setExecutionExceptionHandler(Failures::onException);
    }

    /** A command's help does not list what it shares with others and refuses by name. */
    private static void hide(CommandLine all, String command, List<String> options) {
        CommandSpec spec = all.getSubcommands().get(command).getCommandSpec();
        for (String name : options) {
            OptionSpec option = spec.findOption(name);
            spec.remove(option);
            spec.addOption(OptionSpec.builder(option).hidden(true).build());
        }
    }

    /** Options that are given once per column are not given twice for one: nobody can know which is meant. */
    private static int runUnlessContradicted(ParseResult parsed) {
        for (ParseResult part : parsed.asCommandLineList().stream()
                .map(CommandLine::getParseResult)
                .toList()) {
            for (OptionSpec option : part.matchedOptions()) {
                Set<String> columns = new HashSet<>();
                for (String value : option.isMultiValue() && Map.class.isAssignableFrom(option.type())
                        ? option.originalStringValues()
                        : List.<String>of()) {
                    String column = value.split("=", 2)[0];
                    if (!columns.add(column)) {
                        throw new ParameterException(
                                part.commandSpec().commandLine(),
                                option.longestName() + " is given twice for '" + column
                                        + "'.\nMaybe leave out one of them.");
                    }
                }
            }
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    /** The exit code, whatever happens. */
    static int execute(CommandLine stackelberg, String... args) {
        try {
            return stackelberg.execute(args);
        } catch (Error e) {
            return Failures.onError(e, stackelberg);
        }
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** All on one command line: making one takes longer than a small fit. */
    @Override
    public int run(PrintWriter out, PrintWriter err, String... words) {
        again = again == null ? commandLine() : again;
        int code = execute(again.setOut(out).setErr(err), words);
        out.flush();
        err.flush();
        return code;
    }

    /** UTF-8 whatever the locale, because column names come from UTF-8 files and go back into them. */
    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, false, StandardCharsets.UTF_8);
    }

    /** "stackelberg 0.1.0". */
    static final class VersionLine implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"stackelberg " + Version.current()};
        }
    }
}
