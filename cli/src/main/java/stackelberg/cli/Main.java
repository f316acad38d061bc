package stackelberg.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
import stackelberg.cli.terminal.Commands;
import stackelberg.cli.terminal.Conversation;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.Signals;
import stackelberg.cli.terminal.StandardOutput;
import stackelberg.cli.terminal.StartUp;
import stackelberg.data.io.AtomicFile;
import stackelberg.model.StackelbergModel;

/** The command {@code stackelberg}: one class per subcommand, data on standard output, everything else on standard error. */
@Command(
        name = "stackelberg",
        description =
                "Linear regression for data that fights back: the rule that is best after people have changed their"
                        + " features to get the score they want, proven to be the best.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.VersionLine.class,
        scope = ScopeType.INHERIT,
        usageHelpWidth = 100,
        abbreviateSynopsis = true,
        synopsisSubcommandLabel = "COMMAND",
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
public final class Main implements Runnable, Commands, Conversation.Commands {
    private static final String COMPLETION = "generate-completion";

    private static final String HELP = "help";

    /** All commands, in the order of the help. The names repeat those in the annotations, so that a command is found without loading its class. */
    static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("demo", DemoCommand.class);
        COMMANDS.put("describe", DescribeCommand.class);
        COMMANDS.put("fit", FitCommand.class);
        COMMANDS.put("predict", PredictCommand.class);
        COMMANDS.put("verify", VerifyCommand.class);
        COMMANDS.put("respond", RespondCommand.class);
        COMMANDS.put("evaluate", EvaluateCommand.class);
        COMMANDS.put("compare", CompareCommand.class);
        COMMANDS.put("gamma", GammaCommand.class);
        COMMANDS.put("effect", EffectCommand.class);
        COMMANDS.put("summary", SummaryCommand.class);
        COMMANDS.put("path", PathCommand.class);
        COMMANDS.put("simulate", SimulateCommand.class);
        COMMANDS.put("export", ExportCommand.class);
        COMMANDS.put("tune", TuneCommand.class);
        COMMANDS.put("bench", BenchCommand.class);
        COMMANDS.put("serve", ServeCommand.class);
        COMMANDS.put(COMPLETION, AutoComplete.GenerateCompletion.class);
        COMMANDS.put(HELP, HelpCommand.class);
    }

    @Spec
    private CommandSpec spec;

    private @Nullable Map<String, CommandLine> all;

    /** The commands by name, the first word of a command line. */
    private final Map<String, CommandLine> again = new HashMap<>();

    public static void main(String[] args) {
        StartUp.begin();
        StandardOutput out = new StandardOutput();
        PrintWriter writer = writer(out);
        PrintWriter errors = writer(new FileOutputStream(FileDescriptor.err));
        int code = ExitCode.CERTIFIED;
        if (asksForVersion(args)) {
            writer.println(VersionLine.text());
        } else {
            Signals.endAtOnce(AtomicFile::abandon);
            code = execute(commandLineFor(args).setOut(writer).setErr(errors), args);
        }
        writer.flush();
        boolean answered = code == ExitCode.CERTIFIED || code == ExitCode.NOT_CERTIFIED;
        if (answered && out.lost() != null) {
            errors.println("Error: Not everything could be written to standard output: " + out.lost()
                    + ".\nMaybe the disk is full.");
            code = ExitCode.BAD_DATA;
        }
        errors.flush();
        System.exit(code);
    }

    /** Whether only the version is requested. That is answered without a parser: building even the smallest one takes longer than starting the virtual machine. */
    private static boolean asksForVersion(String... args) {
        return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    }

    /** The parser of all commands. Its streams can be set, and it never exits the virtual machine. */
    static CommandLine commandLine() {
        return commandLine(COMMANDS.keySet());
    }

    /**
     * A parser with only the command that these words need: building one command by reflection takes as long as a small fit, and building all takes ten times as long.
     */
    static CommandLine commandLineFor(String... args) {
        String first = args.length == 0 ? "" : args[0];
        boolean one = COMMANDS.containsKey(first) && !first.equals(COMPLETION) && !first.equals(HELP);
        return commandLine(one ? List.of(first) : COMMANDS.keySet());
    }

    private static CommandLine commandLine(Collection<String> names) {
        CommandLine some = new CommandLine(new Main());
        for (String name : names) {
            some.addSubcommand(name, COMMANDS.get(name));
        }
        hide(some, "effect", EffectCommand.REFUSED);
        hide(some, "gamma", GammaCommand.REFUSED);
        // evaluate fits no rule, so it takes no ridge
        hide(some, "evaluate", List.of("--ridge"));
        return some.setExecutionStrategy(Main::runUnlessContradicted)
                // @name is no file of arguments but a word like any other
                .setExpandAtFiles(false)
                // if a value is forgotten, the next option must not be taken for it
                .setAllowOptionsAsOptionParameters(false)
                .setParameterExceptionHandler(Failures::onWrongUsage)
                .setExecutionExceptionHandler(Failures::onException);
    }

    @Override
    public Map<String, CommandLine> all() {
        if (all == null) {
            all = commandLine().getSubcommands();
        }
        return all;
    }

    /** Hides, in a command's help, the shared options that this command refuses by name. */
    private static void hide(CommandLine some, String command, List<String> options) {
        if (!some.getSubcommands().containsKey(command)) {
            return;
        }
        CommandSpec spec = some.getSubcommands().get(command).getCommandSpec();
        for (String name : options) {
            OptionSpec option = spec.findOption(name);
            spec.remove(option);
            spec.addOption(OptionSpec.builder(option).hidden(true).build());
        }
    }

    /** Refuses two values for one column in an option that is given once per column: it is unclear which is meant. */
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

    /** Runs the command and returns its exit code, even if it fails unexpectedly. */
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

    /** Creates one list of completions per class and shares it among all options, because creating one takes longer than a small fit. */
    @Override
    public int run(PrintWriter out, PrintWriter err, String... words) {
        CommandLine one = again.computeIfAbsent(words.length == 0 ? "" : words[0], first -> commandLineFor(words));
        int code = execute(one.setOut(out).setErr(err), words);
        out.flush();
        err.flush();
        return code;
    }

    /** A writer in UTF-8 in every locale, because column names come from UTF-8 files and are written to them. */
    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(stream, false, StandardCharsets.UTF_8);
    }

    /** "stackelberg 0.1.0". */
    static final class VersionLine implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {text()};
        }

        static String text() {
            return "stackelberg " + StackelbergModel.libraryVersion();
        }
    }
}
