package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.Result;
import stackelberg.cli.answer.Trace;
import stackelberg.cli.report.ReportBuilder;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.ProgressLine;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

/** DATA and the options of every command that fits rules with a chosen solver, and the steps of such a command in order. */
public final class FittingOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private @Nullable String data;

    @Mixin
    private LearningOptions learning;

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            converter = Words.OfSolver.class,
            completionCandidates = Words.OfSolver.class,
            description = "One of ${COMPLETION-CANDIDATES} (default: the first).")
    private @Nullable String solver;

    @Option(
            names = "--tolerance",
            paramLabel = "GAP",
            description =
                    "The relative gap to the optimum to reach; 1e-6 and less counts as certified (default: ${DEFAULT-VALUE}).")
    private double tolerance = SolverOptions.DEFAULT.tolerance();

    @Option(
            names = "--max-iterations",
            paramLabel = "N",
            description = "The number of iterations after which a solver stops (default: ${DEFAULT-VALUE}).")
    private int maxIterations = SolverOptions.DEFAULT.maxIterations();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "The seed of everything random: people that are held out, and bootstrap samples. The fit itself is not random. The seed is stored "
                            + "in the model (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--trace", paramLabel = "FILE", description = "Write one CSV row per iteration.")
    private @Nullable Path traceFile;

    @Mixin
    private AsPublished published;

    @Mixin
    private ReportOptions report;

    @Mixin
    private OutputOptions output;

    @SuppressWarnings("NullAway") // set by begin(), which a command calls first
    private LearningRun run;

    @SuppressWarnings("NullAway") // likewise
    private Workers workers;

    @SuppressWarnings("NullAway") // set by read(), which a command calls before it solves
    private FitOptions options;

    @SuppressWarnings("NullAway") // likewise
    private Trace trace;

    public CommandLine command() {
        return spec.commandLine();
    }

    public long seed() {
        return seed;
    }

    /** The column by whose values results are reported, if there is one. */
    public @Nullable String group() {
        return learning.group();
    }

    /** The iterations of the solver so far. */
    public List<ProgressListener.Progress> iterations() {
        return trace.iterations();
    }

    /**
     * Refuses outputs that would overwrite an input or one another, before anything is computed.
     *
     * @param file the output of the command itself, if one is written
     * @param alsoRead the files that the command reads besides the data
     * @return the threads to use from here on
     */
    public Workers begin(@Nullable Path file, @Nullable String... alsoRead) {
        run = new LearningRun(command(), data, learning, report, output);
        Map<String, @Nullable Path> files = new LinkedHashMap<>();
        files.put("-o", file);
        files.put("--trace", traceFile);
        workers = run.begin(files, alsoRead);
        return workers;
    }

    /**
     * Reads the data and declares the game on them, from the command and these options. Refusals of the library are reported as wrong usage.
     */
    public Study read(Consumer<GameSpec.Builder> special) {
        GameSpec game = learning.game(command(), special);
        options = Failures.asUsage(command(), () -> options(game));
        return run.read(game, workers);
    }

    /** @param game only squared loss without a hedge allows a choice of solver */
    private FitOptions options(GameSpec game) {
        Loss loss = game.loss();
        // the options may be used for another command line
        trace = new Trace();
        SphereSolver asked = published
                .solver(solver, workers)
                .or(() -> Optional.ofNullable(solver).map(named -> Solvers.named(named, workers)))
                .orElse(null);
        if (!loss.isSquared() && asked != null) {
            if (!Solvers.DEFAULT.equals(solver)) {
                throw Message.Refused.of(
                        "solver-of-squared-loss",
                        "The solver {} minimises squared loss, not the loss {}.\nMaybe leave out {}.",
                        solver,
                        loss,
                        Message.Choice.any("solver"));
            }
            asked = null;
        }
        if (game.isHedged() && asked != null && !game.isHedgeDefault()) {
            if (!Solvers.DEFAULT.equals(solver)) {
                throw Message.Refused.of(
                        "solver-without-hedge",
                        "{} and {} are both given, but a hedged rule is found by a separate search, without a choice of solver.\nMaybe leave out "
                                + "one of the two.",
                        Message.Choice.any("solver"),
                        Message.Choice.any("hedge"));
            }
            asked = null;
        }
        return FitOptions.defaults()
                .withSolver(asked == null ? null : new AskedSolver(asked, command()))
                .withLimits(new SolverOptions(tolerance, maxIterations))
                .withThreads(workers.threads())
                .withSeed(seed);
    }

    /** The given gammas, or the default ones. */
    public GammaRange gammas(@Nullable GammaRange given) {
        GammaRange gammas = given == null ? learning.usualGammas() : given;
        learning.refuseShares(gammas.shares(), command());
        return gammas;
    }

    /** Reads another file with the columns and format of the first. */
    public Table readMore(String file, Study before) {
        DataOptions input = learning.input();
        DataFile.Options options = input.csv(
                        learning.columns.categorical,
                        learning.columns.id(),
                        before.table().notations(),
                        command())
                .withColumns(DataOptions.used(before.game(), command()));
        return output.during("reading", command(), () -> input.readMore(file, options, workers, command()));
    }

    /** Runs the solver, showing and recording its iterations. */
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

    public void print(Supplier<? extends Result> result) {
        run.print(result);
    }

    /**
     * Writes a report page if {@code --report} is given. Rules fitted for the page are not part of the trace; the solver for them is the one that shares work
     * between gammas.
     */
    public void report(String what, Function<FitOptions, ReportBuilder> page) {
        run.report(() ->
                watch(what, progress -> page.apply(options.withSolver(null).withListener(progress))
                        .build(workers)));
    }

    /**
     * Writes a page of another kind if {@code --report} is given.
     *
     * @param page writes the page to the given file
     */
    public void page(Consumer<Path> page) {
        run.page(page);
    }

    /** Runs work other than the solver, with a progress line. */
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
