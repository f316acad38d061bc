package stackelberg.model;

import java.util.List;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSetters;
import stackelberg.game.GameSpec;
import stackelberg.game.Sample;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.Tuning;
import stackelberg.objective.Pipeline;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;

/**
 * Linear regression for data that fights back: the rule that is best after people have changed their features to get the score they wish.
 *
 * <p>An immutable estimator: what is declared of the game in the {@link #builder} or a {@link GameSpec}, data in {@link #fit}, everything learned
 * in the {@link StackelbergModel}.
 */
public final class StackelbergRegression {
    private final GameSpec spec;
    private final FitOptions options;

    public StackelbergRegression(GameSpec spec, FitOptions options) {
        this.spec = spec;
        this.options = options;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from these choices. */
    public Builder toBuilder() {
        Builder builder = new Builder().from(spec);
        builder.options = options;
        return builder;
    }

    /** What is declared of the game. */
    public GameSpec spec() {
        return spec;
    }

    public FitOptions options() {
        return options;
    }

    /** Encodes the data and keeps what is made of them, for one fit or many. */
    public Training training(Table table) {
        long start = System.nanoTime();
        Sample sample = Sample.of(spec, table, options.workers());
        return new Training(declared(sample), options, sample, (System.nanoTime() - start) * 1e-9);
    }

    /** What was declared, with numbers for what today's rule decides; the wish in its own words. */
    private GameSpec declared(Sample sample) {
        return sample.spec().toBuilder().wish(spec.wish()).build();
    }

    /** Fits the table: encodes it, solves the game, certifies the answer. */
    public StackelbergModel fit(Table table) {
        return training(table).fit();
    }

    /** One model per gamma from one encoding of the data, and from one basis or decomposition where the solver can. */
    public List<StackelbergModel> fitPath(Table table, double... gammas) {
        return training(table).path(gammas);
    }

    /**
     * Fits features that are numbers already, columns named 1, 2, 3, ...; nothing of the size of x is copied.
     *
     * @param y the truth; 1 for a yes and 0 for a no, or any two numbers, where the loss is logistic
     * @param z the wishes, in units of y; probabilities of a yes where the loss is logistic, unless {@code wishUnits(LOGODDS)} says otherwise
     */
    public StackelbergModel fit(Matrix x, double[] y, double[] z) {
        return training(x, y, z).fit();
    }

    /** The same for arrays: a row of x for each of the people. */
    public StackelbergModel fit(double[][] x, double[] y, double[] z) {
        return fit(Table.matrix(x), y, z);
    }

    /** {@link #fitPath(Table, double...)} for features that are numbers already. */
    public List<StackelbergModel> fitPath(Matrix x, double[] y, double[] z, double... gammas) {
        return training(x, y, z).path(gammas);
    }

    /** {@link #training(Table)} for features that are numbers already; the game is kept as declared, the wishes are those given. */
    public Training training(Matrix x, double[] y, double[] z) {
        long start = System.nanoTime();
        Arrays arrays = new Arrays(spec, x, y, z);
        Sample sample = Sample.of(arrays.spec, arrays.table, options.workers());
        // the wishes stay as they were declared, in words or not at all
        GameSpec declared = declared(sample);
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new Training(declared, sample.spec(), options, sample.declaredAs(declared), seconds);
    }

    /**
     * How cautious the rule should be: cross-validates every gamma of the plan in one go; the gamma of these choices plays no part.
     *
     * <p>Scaling, fill-in values and wish rules are those of each fold's training rows; the levels of categorical columns are those of all rows.
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

    /** Numbers as a table, the truth and the wishes beside the block of features under names that no feature has. */
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

    /** The choices of a {@link StackelbergRegression}, each with a sensible default but the target and the wish. */
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
         * Watches the solver and may stop it, as {@link Thread#interrupt} of the fitting thread does: the model is then the last point, its status
         * {@code STOPPED_BY_LISTENER}. An interrupt before the solver has begun is a {@link java.util.concurrent.CancellationException}.
         */
        public Builder listener(ProgressListener value) {
            options = options.withListener(value);
            return this;
        }

        public Builder threads(int value) {
            options = options.withThreads(value);
            return this;
        }

        /** Kept in the model's provenance, for whatever is random around the fit, as the draws of a bootstrap are; the fit itself is not. */
        public Builder seed(long value) {
            options = options.withSeed(value);
            return this;
        }

        /** How standard errors are found: {@code hc1}, {@code hc0}, {@code bootstrap:200} or {@code none}; by default hc1 where that takes a moment. */
        public Builder standardErrors(String words) {
            options = options.withStandardErrors(StandardErrors.Method.of(words));
            return this;
        }

        public StackelbergRegression build() {
            return new StackelbergRegression(spec(), options);
        }
    }

    /**
     * How a rule is to be found, which the game does not depend on.
     *
     * @param solver who finds it; null for the default, {@code auto}
     * @param limits the tolerance and the iterations a solver is given
     * @param listener watches the solver and may stop it
     * @param threads how many work; the answer depends on it in its last digits at most
     * @param seed kept in the model's provenance, for whatever is random around the fit; the fit itself is not
     * @param standardErrors how they are found; null for the default, HC1 where that takes a moment
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

        /** {@code auto} on all processors, tolerance 1e-9. */
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

        /** An interrupt of the thread stops the solver too, unless the listener is {@link ProgressListener#NONE}. */
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

        /** Reduce, solve, certify, recover by these options. */
        Pipeline pipeline() {
            return pipeline(new DirectSolver(workers()));
        }

        /** The same, with a decomposition that others may use too. */
        Pipeline pipeline(DirectSolver direct) {
            return new Pipeline(solver == null ? Solvers.byDefault(direct, workers()) : solver, limits, listener);
        }

        /** The same for a mixed population, with the solver of the sphere problem at each omega. */
        Pipeline mixedPipeline() {
            return new Pipeline(solver == null ? new DirectSolver(workers()) : solver, limits, listener);
        }
    }
}
