package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.bench.Experiment;
import stackelberg.bench.Experiments;
import stackelberg.bench.Profile;
import stackelberg.bench.RealData;
import stackelberg.bench.Results;
import stackelberg.bench.Row;
import stackelberg.bench.RunLimits;
import stackelberg.bench.Runner;
import stackelberg.cli.answer.Answer;
import stackelberg.cli.option.Words;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.cli.terminal.StatusLine;
import stackelberg.cli.terminal.Visible;
import stackelberg.data.DataException;
import stackelberg.linalg.Workers;

/** {@code stackelberg bench}: reruns the tables and figures of the paper and prints them beside the published numbers. */
@Command(
        name = "bench",
        description = "Rerun the paper's tables and figures on this machine, beside the published numbers.",
        synopsisSubcommandLabel = "list|run|report",
        subcommands = BenchCommand.Run.class,
        footer = {
            "  stackelberg bench list",
            "  stackelberg bench run --quick",
            "  stackelberg bench run table2 table3 --budget 60 --results results",
            "  stackelberg bench report --results results"
        })
public final class BenchCommand implements Runnable {
    private static final String FOLDER = "bench-results";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Nothing to do.\nMaybe say list, run or report, as in stackelberg bench run --quick.");
    }

    @Command(name = "list", description = "List the experiments by name.")
    int list() {
        Answer.TableBuilder table = Answer.table().text(1);
        Experiments.all().forEach(e -> table.row(e.name(), e.title(), e.real() ? "real data" : ""));
        spec.commandLine()
                .getOut()
                .print(Answer.builder().block(table.build()).build().text());
        return ExitCode.CERTIFIED;
    }

    @Command(
            name = "report",
            description = "Write tables and figures from the rows of a results folder: report.md and figures.")
    int report(
            @Option(
                            names = "--results",
                            paramLabel = "FOLDER",
                            defaultValue = FOLDER,
                            description = "The folder with the rows (default: ${DEFAULT-VALUE}).")
                    Path folder) {
        Results results = Results.in(folder);
        if (results.rows().isEmpty()) {
            throw DataException.of(
                    "results-missing",
                    "There are no results in {}.\n" + "Maybe run stackelberg bench run --quick first.",
                    folder);
        }
        OutputFile.refuseFolder(folder);
        write(results, folder, spec.commandLine());
        return ExitCode.CERTIFIED;
    }

    private static void write(Results results, Path folder, CommandLine command) {
        stackelberg.bench.report.BenchReport.write(results.rows(), results.traces(), folder);
        command.getOut().println(Visible.text("Wrote " + folder.resolve("report.md") + " and its figures."));
        command.getOut().flush();
    }

    /** Reads the protocol that selects runs. */
    static final class OfProtocol extends Words<Row.Protocol> {
        OfProtocol() {
            addAll(Row.Protocol.values());
        }
    }

    /** {@code stackelberg bench run}. */
    @Command(
            name = "run",
            description = "Make the missing runs; an interrupted bench continues where it stopped.",
            sortOptions = false,
            footer = {
                "  stackelberg bench run --quick",
                "  stackelberg bench run table2 --max-n 2000 --budget 30",
                "  stackelberg bench run figure-wine --data data --results wine-results"
            })
    static final class Run implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(
                paramLabel = "NAME",
                arity = "0..*",
                description = "Experiments, as bench list names them (default: all).")
        private List<String> names = new ArrayList<>();

        @Option(names = "--quick", description = "Everything at small size, in a few minutes.")
        private boolean quick;

        @Option(
                names = "--budget",
                paramLabel = "MINUTES",
                description = "Leave out runs that are not expected to end within this time.")
        private double budget = Double.POSITIVE_INFINITY;

        @Option(
                names = "--per-run",
                paramLabel = "MINUTES",
                description = "Skip single runs that are expected to take longer (default: ${DEFAULT-VALUE}).")
        private double perRun = 5;

        @Option(
                names = "--solvers",
                paramLabel = "NAMES",
                split = ",",
                description = "Only these solvers (default: all).")
        private Set<String> solvers = new LinkedHashSet<>();

        @Option(names = "--max-n", paramLabel = "N", description = "Only games with at most N features.")
        private int maxN = Integer.MAX_VALUE;

        @Option(
                names = "--trials",
                paramLabel = "N",
                description = "At most N trials of each game (default: the paper's).")
        private int trials = Integer.MAX_VALUE;

        @Option(
                names = "--protocol",
                paramLabel = "paper|fair|both",
                converter = OfProtocol.class,
                completionCandidates = OfProtocol.class,
                description =
                        "Only runs as in the paper, or only those to the same certified accuracy (default: both).")
        private Row.Protocol protocol = Row.Protocol.BOTH;

        @Option(
                names = "--results",
                paramLabel = "FOLDER",
                defaultValue = FOLDER,
                description = "The folder for rows, tables and figures (default: ${DEFAULT-VALUE}).")
        private Path folder;

        @Option(
                names = "--data",
                paramLabel = "FOLDER",
                description =
                        "The folder of the real data (default: STACKELBERG_DATA, or shared/data beside the project).")
        private @Nullable Path data;

        @Option(
                names = "--threads",
                paramLabel = "N",
                description = "The number of threads (default: one per processor).")
        private int threads = Runtime.getRuntime().availableProcessors();

        @Option(
                names = {"-q", "--quiet"},
                description = "Show no progress.")
        private boolean quiet;

        @Override
        public Integer call() {
            CommandLine command = spec.commandLine();
            OutputFile.refuseFolder(folder);
            RealData real = data == null ? RealData.find().orElse(null) : RealData.in(data);
            List<Experiment> experiments = experiments(command, real);
            RunLimits limits = Failures.asUsage(
                    command, () -> new RunLimits(60 * budget, 60 * perRun, solvers, maxN, trials, protocol));
            Workers workers = Failures.asUsage(command, () -> Workers.of(threads));
            Results results = Results.in(folder);
            if (!quiet) {
                command.getErr()
                        .println(Visible.text("Results go to " + folder
                                + " after each run; the same command continues after an interruption."));
            }
            Runner.Tally tally;
            try (StatusLine line =
                    StatusLine.ticking(quiet ? null : command.getErr(), Boolean.getBoolean("stackelberg.terminal"))) {
                Runner runner = new Runner(results, limits, watch(line), workers);
                tally = runner.run(experiments, quick ? Profile.QUICK : Profile.FULL, real);
            }
            command.getOut()
                    .printf(
                            Locale.ROOT,
                            "%d runs made, %d that do not fit this machine or the limit per run, %d left for another time.%n",
                            tally.made(),
                            tally.skipped(),
                            tally.left());
            if (results.rows().isEmpty()) {
                throw new ParameterException(
                        command, "These limits leave no run to make.\nMaybe raise --max-n or --budget.");
            }
            write(results, folder, command);
            return ExitCode.CERTIFIED;
        }

        private List<Experiment> experiments(CommandLine command, @Nullable RealData real) {
            List<Experiment> all = Experiments.all();
            if (names.isEmpty()) {
                if (real == null && !quiet) {
                    command.getErr()
                            .println(
                                    "The real data were not found, so experiments that need them are left out. Maybe name their folder with --data.");
                }
                return all.stream().filter(e -> real != null || !e.real()).toList();
            }
            List<Experiment> chosen = new ArrayList<>();
            for (String name : names) {
                Experiment experiment = all.stream()
                        .filter(e -> e.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new ParameterException(
                                command, "There is no \"" + name + "\" to run.\nMaybe see stackelberg bench list."));
                if (experiment.real() && real == null) {
                    throw DataException.of(
                            "real-data-needed",
                            "\"{}\" needs the paper's real data.\n"
                                    + "Maybe name their folder with --data or in STACKELBERG_DATA.",
                            name);
                }
                chosen.add(experiment);
            }
            return chosen;
        }

        private static Consumer<Runner.Now> watch(StatusLine line) {
            return now -> {
                String text = String.format(
                        Locale.ROOT,
                        "%s %s %d x %d, trial %d: %s %s",
                        now.task().experiment(),
                        now.task().game().name(),
                        now.task().game().m(),
                        now.task().game().n(),
                        now.task().trial(),
                        now.player().solver(),
                        now.player().options());
                double all = now.elapsed() + now.ahead();
                line.doing(text.strip().replaceAll(" +", " "), all > 0 ? now.elapsed() / all : 0, now.ahead());
            };
        }
    }
}
