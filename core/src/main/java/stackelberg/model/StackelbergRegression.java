package stackelberg.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSetters;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.Sample;
import stackelberg.game.Settings;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.Tuning;
import stackelberg.objective.Pipeline;
import stackelberg.objective.program.Program;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;

/**
 * Linear regression for strategic data: finds the rule that is best after people have changed their features to get the
 * score they want.
 *
 * <p>It is an immutable estimator. The game is declared in the {@link #builder} or a {@link GameSpec}, data are given
 * to {@link #fit}, and everything learned is in the {@link StackelbergModel}.
 */
public final class StackelbergRegression {
    /** The code of the note that the default hedge cannot be used. */
    static final String NO_HEDGE = "no-hedge-by-default";

    /** The game as it was declared, and as it is played with the chosen solver. */
    private final GameSpec declared;

    private final GameSpec spec;
    private final FitOptions options;

    /** Says why no hedge is used; null if there is one, or if the game declares none itself. */
    private final @Nullable Message unhedged;

    /** A game that declares no hedge has none if a solver other than the default one is chosen. */
    public StackelbergRegression(GameSpec spec, FitOptions options) {
        SphereSolver solver = options.solver();
        boolean chosen = solver != null && !solver.name().equals(Solvers.DEFAULT);
        this.declared = spec;
        this.spec = chosen ? spec.withoutDefaultHedge() : spec;
        this.options = options;
        this.unhedged = !spec.isHedgeDefault()
                ? null
                : chosen
                        ? unhedged(Message.part("{} ({})", solver.name(), Message.Choice.any("solver")))
                        : spec.excludesHedge()
                                .map(StackelbergRegression::unhedged)
                                .orElse(null);
    }

    private static Message unhedged(Message because) {
        return Message.of(
                NO_HEDGE,
                "The rule is the best one after the move, not a balanced one ({}): that cannot be combined with {}.",
                Settings.HEDGE.any(),
                because);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts with these settings. */
    public Builder toBuilder() {
        Builder builder = new Builder().from(declared);
        builder.options = options;
        return builder;
    }

    /** Returns the declared game, with the hedge that is used. */
    public GameSpec spec() {
        return spec;
    }

    public FitOptions options() {
        return options;
    }

    /** Encodes the data and returns them ready for one fit or many. */
    public Training training(Table table) {
        long start = System.nanoTime();
        Sample sample = Sample.of(spec, table, options.workers());
        GameSpec declared = declared(sample);
        return training(declared, declared, sample, start);
    }

    /**
     * @param declared the declared game in which everything that depends on today's rule is a number
     * @param asked the declared game in the form from which a sample can be made of other rows
     */
    private Training training(GameSpec declared, GameSpec asked, Sample sample, long start) {
        int columns = sample.columns().cols();
        boolean tooWide = declared.isHedgeDefault() && declared.isHedged() && !Program.takes(declared.loss(), columns);
        Message note = tooWide
                ? unhedged(Message.part("the loss {} ({}) and {} columns", spec.loss(), Settings.LOSS.any(), columns))
                : unhedged;
        List<Message> notes = note == null ? List.of() : List.of(note);
        Training training = new Training(declared, asked, options, sample, notes, (System.nanoTime() - start) * 1e-9);
        return tooWide ? training.withHedge(Hedge.NONE) : training;
    }

    /** Returns the sample's game with the declared wish, possibly absent, in its own words. */
    private GameSpec declared(Sample sample) {
        return sample.spec().toBuilder().wish(spec.wish()).build();
    }

    /** Fits the table: encodes it, solves the game and certifies the answer. */
    public StackelbergModel fit(Table table) {
        return training(table).fit();
    }

    /**
     * Returns one model per gamma, from one encoding of the data and, with solvers that can share it, one basis or
     * decomposition.
     */
    public List<StackelbergModel> fitPath(Table table, double... gammas) {
        return training(table).path(gammas);
    }

    /**
     * Fits features that are numbers already, with columns named 1, 2, 3, ...; x is not copied.
     *
     * @param y the truth; for logistic loss, 1 for yes and 0 for no, or any two numbers
     * @param z the wishes, in units of y; for logistic loss, probabilities of yes, unless {@code wishUnits(LOGODDS)} is
     *     set
     */
    public StackelbergModel fit(Matrix x, double[] y, double[] z) {
        return training(x, y, z).fit();
    }

    /** Fits features that are numbers already, given as one array per person. */
    public StackelbergModel fit(double[][] x, double[] y, double[] z) {
        return fit(Table.matrix(x), y, z);
    }

    /** {@link #fitPath(Table, double...)} for features that are numbers already. */
    public List<StackelbergModel> fitPath(Matrix x, double[] y, double[] z, double... gammas) {
        return training(x, y, z).path(gammas);
    }

    /**
     * {@link #training(Table)} for features that are numbers already and given wishes; the declared game is stored
     * unchanged.
     */
    public Training training(Matrix x, double[] y, double[] z) {
        long start = System.nanoTime();
        Arrays arrays = new Arrays(spec, x, y, z);
        Sample sample = Sample.of(arrays.spec, arrays.table, options.workers());
        GameSpec declared = declared(sample);
        return training(declared, sample.spec(), sample.declaredAs(declared), start);
    }

    /**
     * Cross-validates every gamma of the plan, to choose how cautious the rule should be; the gamma of these settings
     * is not used.
     *
     * <p>Scales, fill-in values and wish rules are those of each fold's training rows; the levels of categorical
     * columns are those of all rows.
     */
    public Tuning tune(Table table, Tuning.Plan plan, Tuning.Listener listener) {
        return Tuning.of(spec, table, plan, options.pipeline(), options.workers(), listener);
    }

    /** {@link #tune(Table, Tuning.Plan, Tuning.Listener)} for features that are numbers already, and wishes too. */
    public Tuning tune(Matrix x, double[] y, double[] z, Tuning.Plan plan, Tuning.Listener listener) {
        Arrays arrays = new Arrays(spec, x, y, z);
        return new StackelbergRegression(arrays.spec, options).tune(arrays.table, plan, listener);
    }

    @Override
    public String toString() {
        return "Stackelberg regression: " + spec;
    }

    /**
     * Arrays as a table: the truth and the wishes become columns beside the block of features, under names that no
     * feature has.
     */
    private static final class Arrays {
        private final Table table;
        private final GameSpec spec;

        private Arrays(GameSpec declared, Matrix x, double[] y, double[] z) {
            String target = declared.target() == null ? "y" : declared.target();
            String wish = target.equals("z") ? "wish" : "z";
            requireLength("y", y, x.rows());
            requireLength("z", z, x.rows());
            table = Table.ofBlock(x, Table.positions(x.cols()), NumericColumn.of(target, y), NumericColumn.of(wish, z));
            spec = declared.toBuilder().target(target).wish(wish).build();
        }

        private static void requireLength(String what, double[] values, int rows) {
            if (values == null) {
                throw DataException.of(
                        "array-missing",
                        "{} is null; the game needs {} values.\n"
                                + "Maybe use a Table, whose wishes can be a rule in words: Table.of(x, Table.positions(n), "
                                + "NumericColumn.of(\"y\", y)).",
                        what,
                        rows);
            }
            if (values.length != rows) {
                throw DataException.of(
                        "array-of-other-length", "{} has {} values; the game needs {}.", what, values.length, rows);
            }
        }
    }

    /** The settings of a {@link StackelbergRegression}; all but the target and the wish have defaults. */
    public static final class Builder extends GameSetters<Builder> {
        private FitOptions options = FitOptions.defaults();

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        public Builder solver(SphereSolver value) {
            options = options.withSolver(value);
            return this;
        }

        public Builder options(SolverOptions value) {
            options = options.withLimits(value);
            return this;
        }

        /**
         * Sets the listener that receives the solver's progress and may stop it. {@link Thread#interrupt} of the
         * fitting thread stops it too: the model is then the last point, with status {@code STOPPED_BY_LISTENER}. An
         * interrupt before the solver starts throws a {@link java.util.concurrent.CancellationException}.
         */
        public Builder listener(ProgressListener value) {
            options = options.withListener(value);
            return this;
        }

        public Builder threads(int value) {
            options = options.withThreads(value);
            return this;
        }

        /**
         * Sets the seed of random procedures around the fit, such as the bootstrap; it is stored in the model's
         * provenance. The fit itself is not random.
         */
        public Builder seed(long value) {
            options = options.withSeed(value);
            return this;
        }

        /**
         * Sets how standard errors are computed: {@code hc1}, {@code hc0}, {@code bootstrap:200} or {@code none}; the
         * default is hc1 if that takes only a moment.
         */
        public Builder standardErrors(String words) {
            options = options.withStandardErrors(StandardErrors.Method.of(words));
            return this;
        }

        public StackelbergRegression build() {
            return new StackelbergRegression(spec(), options);
        }
    }

    /**
     * How a rule is found; the game does not depend on these options.
     *
     * @param solver the solver; null for the default, {@code auto}
     * @param limits the tolerance and the iteration limit of the solver
     * @param listener receives the progress and may stop the solver
     * @param threads the number of threads; it can change only the last digits of the answer
     * @param seed the seed of random procedures around the fit, stored in the model's provenance; the fit itself is not
     *     random
     * @param standardErrors how they are computed; null for the default, HC1 if that takes only a moment
     */
    public record FitOptions(
            SphereSolver solver,
            SolverOptions limits,
            ProgressListener listener,
            int threads,
            long seed,
            StandardErrors.Method standardErrors) {
        public FitOptions {
            if (threads < 1) {
                throw new IllegalArgumentException("The number of threads is " + threads + "; it must be at least 1.");
            }
        }

        /** Returns the default: {@code auto} on all processors with tolerance 1e-9. */
        public static FitOptions defaults() {
            return new FitOptions(
                    null,
                    SolverOptions.DEFAULT,
                    ProgressListener.NONE.orInterrupt(),
                    Runtime.getRuntime().availableProcessors(),
                    0,
                    null);
        }

        public FitOptions withSolver(SphereSolver other) {
            return new FitOptions(other, limits, listener, threads, seed, standardErrors);
        }

        public FitOptions withLimits(SolverOptions other) {
            return new FitOptions(solver, other, listener, threads, seed, standardErrors);
        }

        /**
         * Returns a copy with another listener. Unless it is {@link ProgressListener#NONE}, an interrupt of the thread
         * stops the solver too.
         */
        public FitOptions withListener(ProgressListener other) {
            ProgressListener either = other == ProgressListener.NONE ? other : other.orInterrupt();
            return new FitOptions(solver, limits, either, threads, seed, standardErrors);
        }

        public FitOptions withThreads(int other) {
            return new FitOptions(solver, limits, listener, other, seed, standardErrors);
        }

        public FitOptions withSeed(long other) {
            return new FitOptions(solver, limits, listener, threads, other, standardErrors);
        }

        public FitOptions withStandardErrors(StandardErrors.Method other) {
            return new FitOptions(solver, limits, listener, threads, seed, other);
        }

        public double tolerance() {
            return limits.tolerance();
        }

        public Workers workers() {
            return Workers.of(threads);
        }

        /** Returns the pipeline (reduce, solve, certify, recover) with these options. */
        Pipeline pipeline() {
            return pipeline(new DirectSolver(workers()));
        }

        /** Returns the pipeline with a decomposition that others may share. */
        Pipeline pipeline(DirectSolver direct) {
            return new Pipeline(solver == null ? Solvers.byDefault(direct, workers()) : solver, limits, listener);
        }

        /** Returns the pipeline for mixed populations, with the solver of the sphere problem at each omega. */
        Pipeline mixedPipeline() {
            return new Pipeline(solver == null ? new DirectSolver(workers()) : solver, limits, listener);
        }
    }
}
