package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.report.ReportBuilder;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.ProgressLine;
import stackelberg.cli.text.Trace;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.GameSpec;
import stackelberg.game.Loss;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

/** DATA and the options of every command that fits rules with a solver of one's choice, and the steps of such a command in their order. */
public final class FittingOptions {
    /** Whichever suits the problem. */
    private static final String AUTO = "auto";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private String data;

    @Mixin
    private LearningOptions learning;

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            converter = Words.OfSolver.class,
            completionCandidates = Words.OfSolver.class,
            description = "One of ${COMPLETION-CANDIDATES} (default: the first).")
    private String solver;

    @Option(
            names = "--tolerance",
            paramLabel = "GAP",
            description =
                    "The relative gap to the optimum to reach; 1e-6 and less counts as certified (default: ${DEFAULT-VALUE}).")
    private double tolerance = SolverOptions.DEFAULT.tolerance();

    @Option(
            names = "--max-iterations",
            paramLabel = "N",
            description = "When an iterative solver gives up (default: ${DEFAULT-VALUE}).")
    private int maxIterations = SolverOptions.DEFAULT.maxIterations();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Of what is random around a fit, which itself is not: compare holds people out and draws them again by"
                            + " it; kept in the model (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--trace", paramLabel = "FILE", description = "Write one CSV row per iteration.")
    private Path traceFile;

    @Mixin
    private AsPublished published;

    @Mixin
    private ReportOptions report;

    @Mixin
    private OutputOptions output;

    private LearningRun run;
    private Workers workers;
    private FitOptions options;
    private Trace trace;

    public CommandLine command() {
        return spec.commandLine();
    }

    public long seed() {
        return seed;
    }

    /** The column to report by, may be null. */
    public String group() {
        return learning.group();
    }

    /** Of the solver, so far. */
    public List<ProgressListener.Progress> iterations() {
        return trace.iterations();
    }

    /**
     * Refuses outputs that would overwrite an input or one another, before anything is computed.
     *
     * @param file what the command writes itself, may be null
     * @param alsoRead what it reads besides the data
     * @return who does the work from here on
     */
    public Workers begin(Path file, String... alsoRead) {
        run = new LearningRun(command(), data, learning, report, output);
        Map<String, Path> files = new LinkedHashMap<>();
        files.put("-o", file);
        files.put("--trace", traceFile);
        workers = run.begin(files, alsoRead);
        return workers;
    }

    /**
     * Reads the data, and the game on them: what the command declares of it and what these options do. What the library refuses in it, or in
     * the choice of the solver, is wrong usage.
     */
    public Study read(Consumer<GameSpec.Builder> special) {
        GameSpec game = learning.game(command(), special);
        options = Failures.asUsage(command(), () -> options(game.loss()));
        return run.read(game);
    }

    /** @param loss another than the squared one has a solver of its own */
    private FitOptions options(Loss loss) {
        // a command line may be used again
        trace = new Trace();
        SphereSolver asked = published
                .solver(solver, workers)
                .or(() -> Optional.ofNullable(solver).map(named -> Solvers.named(named, workers)))
                .orElse(null);
        if (!loss.isSquared() && asked != null) {
            if (!AUTO.equals(solver)) {
                throw new IllegalArgumentException("The solver " + solver + " minimises squared loss, not the loss "
                        + loss + ".\nMaybe leave out solver(...).");
            }
            asked = null;
        }
        return FitOptions.defaults()
                .withSolver(asked == null ? null : new AskedSolver(asked, command()))
                .withLimits(new SolverOptions(tolerance, maxIterations))
                .withThreads(workers.threads())
                .withSeed(seed);
    }

    /** These gammas, or the usual ones where nobody said which. */
    public GammaRange gammas(GammaRange given) {
        GammaRange gammas = given == null ? learning.usualGammas() : given;
        learning.refuseShares(gammas.shares(), command());
        return gammas;
    }

    /** More data of the kind that was read before, from another file. */
    public Table readMore(String file, Study before) {
        DataOptions input = learning.input();
        DataFile.Options options = input.csv(
                        learning.columns.categorical,
                        learning.columns.id,
                        before.table().notations(),
                        command())
                .withColumns(DataOptions.used(before.game(), command()));
        return output.during("reading", command(), () -> input.readMore(file, options, workers, command()));
    }

    /** What the solver finds, with its iterations shown and kept. */
    public <T> T solve(String what, Function<FitOptions, T> work) {
        T found = watch(
                what,
                progress -> work.apply(options.withListener(now -> {
                    trace.onIteration(now);
                    return progress.onIteration(now);
                })));
        if (traceFile != null) {
            trace.save(traceFile);
        }
        return found;
    }

    public void print(Supplier<?> answer, Supplier<String> text, List<String> warnings) {
        run.print(answer, text, warnings);
    }

    /** Writes a page, if one is wanted; what is fitted for it is not part of the trace, and by the solver that shares its work between gammas. */
    public void report(String what, Function<FitOptions, ReportBuilder> page) {
        run.report(() ->
                watch(what, progress -> page.apply(options.withSolver(null).withListener(progress))
                        .build(workers)));
    }

    /** Writes a page of another kind, if one is wanted, by whoever writes it to a file. */
    public void page(Consumer<Path> page) {
        run.page(page);
    }

    /** Work of unknown length that no solver does. */
    public <T> T during(String what, Supplier<T> work) {
        return output.during(what, command(), work);
    }

    private <T> T watch(String what, Function<ProgressLine, T> work) {
        try (ProgressLine progress = output.progressLine(command(), tolerance)) {
            progress.doing(what);
            T found = work.apply(progress);
            Workers.throwIfInterrupted();
            return found;
        }
    }
}
