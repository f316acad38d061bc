package stackelberg.model;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.CostUnits;
import stackelberg.game.Intercept;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.CrossValidation;
import stackelberg.model.tuning.Folds;
import stackelberg.model.tuning.Tuning;
import stackelberg.model.tuning.TuningListener;
import stackelberg.model.tuning.TuningPlan;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.SphereProblem;

/**
 * Linear regression for data that fights back: the rule that is best after people have changed their features to get the score they wish.
 *
 * <p>An immutable estimator: choices in the {@link #builder}, data in {@link #fit}, everything learned in the {@link StackelbergModel}.
 */
public final class StackelbergRegression {
    private final Builder choices;

    private StackelbergRegression(Builder choices) {
        this.choices = choices;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from these choices. */
    public Builder toBuilder() {
        return new Builder(choices);
    }

    /** Fits the table: encodes it, solves the game, certifies the answer. */
    public StackelbergModel fit(Table table) {
        return fitPath(table, choices.gamma).get(0);
    }

    /** One model per gamma from one assembly of the data, and from one basis or decomposition where the solver can. */
    public List<StackelbergModel> fitPath(Table table, double... gammas) {
        long start = System.nanoTime();
        Workers workers = choices.workers();
        Assembly assembly = Assembly.ofTable(table, choices, workers);
        return new Fit(choices, assembly, workers).models(gammas, start);
    }

    /** Fits features that are numbers already, columns named 1, 2, 3, ...; nothing of the size of x is copied. */
    public StackelbergModel fit(Matrix x, double[] y, double[] z) {
        return fitPath(x, y, z, choices.gamma).get(0);
    }

    /** {@link #fitPath(Table, double...)} for features that are numbers already. */
    public List<StackelbergModel> fitPath(Matrix x, double[] y, double[] z, double... gammas) {
        long start = System.nanoTime();
        Workers workers = choices.workers();
        Assembly assembly = Assembly.ofMatrix(x, y, z, choices, workers);
        return new Fit(choices, assembly, workers).models(gammas, start);
    }

    /** The rule that is best if nobody moves, the naive rival of {@link #fit(Table)}; empty where the data are too large to compute it beside. */
    public Optional<PublishedRule> leastSquares(Table table) {
        Workers workers = choices.workers();
        return new Fit(choices, Assembly.ofTable(table, choices, workers), workers).leastSquares();
    }

    /** {@link #leastSquares(Table)} for features that are numbers already. */
    public Optional<PublishedRule> leastSquares(Matrix x, double[] y, double[] z) {
        Workers workers = choices.workers();
        return new Fit(choices, Assembly.ofMatrix(x, y, z, choices, workers), workers).leastSquares();
    }

    /** The optimisation problem that {@link #fit(Table)} solves, for those who want to solve it elsewhere. */
    public SphereProblem sphereProblem(Table table) {
        return sphereProblem(Assembly.ofTable(table, choices, choices.workers()));
    }

    /** {@link #sphereProblem(Table)} for features that are numbers already. */
    public SphereProblem sphereProblem(Matrix x, double[] y, double[] z) {
        return sphereProblem(Assembly.ofMatrix(x, y, z, choices, choices.workers()));
    }

    private SphereProblem sphereProblem(Assembly assembly) {
        if (assembly.mixed(choices.truthfulShare, choices.gamma).isPresent()) {
            throw new IllegalArgumentException(
                    "A game with a mixed population is not one problem on a sphere, but one for"
                            + " every omega.\nMaybe leave out the truthful share and the row gammas.");
        }
        return assembly.reduction(choices.workers(), choices.gamma).family().at(choices.gamma);
    }

    /**
     * How cautious the rule should be: cross-validates every gamma of the plan in one go; the gamma of these choices plays no part.
     *
     * <p>Scaling, fill-in values and wish rules are those of each fold's training rows; the levels of categorical columns are those of all rows.
     */
    public Tuning tune(Table table, TuningPlan plan, TuningListener listener) {
        Workers workers = choices.workers();
        return crossValidation(plan, workers, listener).run(() -> FoldAssembly.ofTable(table, choices, plan, workers));
    }

    /** {@link #tune(Table, TuningPlan, TuningListener)} for features that are numbers already, and wishes too. */
    public Tuning tune(Matrix x, double[] y, double[] z, TuningPlan plan, TuningListener listener) {
        return tune(x, y, folds -> FoldAssembly.sameInEveryFold(z, folds), plan, listener);
    }

    /** The same with wishes by a rule in y alone, whose statistics are those of each fold's training rows. */
    public Tuning tune(Matrix x, double[] y, Wish wish, TuningPlan plan, TuningListener listener) {
        Table truth = Table.of(NumericColumn.of("y", y));
        return tune(x, y, folds -> FoldAssembly.wishes(truth, wish, "y", y, folds), plan, listener);
    }

    private Tuning tune(
            Matrix x, double[] y, Function<Folds, double[][]> wishes, TuningPlan plan, TuningListener listener) {
        Workers workers = choices.workers();
        return crossValidation(plan, workers, listener)
                .run(() -> FoldAssembly.ofMatrix(x, y, wishes, choices, plan, workers));
    }

    private CrossValidation crossValidation(TuningPlan plan, Workers workers, TuningListener listener) {
        return new CrossValidation(plan.gammas(), choices.solverOn(workers), choices.options, workers, listener);
    }

    /** The choices of a {@link StackelbergRegression}, each with a sensible default but the target and the wish. */
    public static final class Builder {
        String target;
        String wish;
        String weight;
        String rowGamma;
        double truthfulShare;
        String group;
        double gamma = 1;
        double wishNoise;
        Intercept intercept = Intercept.IMMUTABLE;
        Scaling scaling = Scaling.STANDARD;
        Missing missing = Missing.ERROR;
        CostUnits costUnits = CostUnits.SCALED;
        boolean fullOneHot;
        List<String> features;
        Set<String> ignore = Set.of();
        Set<String> immutable;
        Map<String, Double> costs = Map.of();
        SolverOptions options = SolverOptions.DEFAULT;
        SphereSolver solver;
        ProgressListener listener = ProgressListener.NONE;
        int threads = Runtime.getRuntime().availableProcessors();
        long seed;

        private Builder() {}

        private Builder(Builder other) {
            target = other.target;
            wish = other.wish;
            weight = other.weight;
            rowGamma = other.rowGamma;
            truthfulShare = other.truthfulShare;
            group = other.group;
            gamma = other.gamma;
            wishNoise = other.wishNoise;
            intercept = other.intercept;
            scaling = other.scaling;
            missing = other.missing;
            costUnits = other.costUnits;
            fullOneHot = other.fullOneHot;
            features = other.features;
            ignore = other.ignore;
            immutable = other.immutable;
            costs = other.costs;
            options = other.options;
            solver = other.solver;
            listener = other.listener;
            threads = other.threads;
            seed = other.seed;
        }

        /** The column that holds the truth y. */
        public Builder target(String column) {
            target = column;
            return this;
        }

        /** What people wish to be scored: a column, or an expression in y and other columns, such as {@code max(y,6)}. */
        public Builder wish(String columnOrExpression) {
            wish = columnOrExpression;
            return this;
        }

        /** A column of sample weights. */
        public Builder weight(String column) {
            weight = column;
            return this;
        }

        /** A column to report by: never a feature, and kept in the model's provenance. */
        public Builder group(String column) {
            group = column;
            return this;
        }

        /** How hard it is to move: a move by delta in feature j costs gamma * cost_j * delta^2. */
        public Builder gamma(double value) {
            if (!(value > 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException("gamma is " + value + "; it must be positive and finite.");
            }
            gamma = value;
            return this;
        }

        /** A column with everybody's own gamma, instead of one for all: 1e30 or more for people who never move. */
        public Builder rowGamma(String column) {
            rowGamma = column;
            return this;
        }

        /** The probability with which anybody stays as they are, whatever they wish. */
        public Builder truthfulShare(double value) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException("The truthful share is " + value + "; it must lie between 0 and 1.");
            }
            truthfulShare = value;
            return this;
        }

        /** The standard deviation with which the wishes are known. */
        public Builder wishNoise(double sd) {
            if (!(sd >= 0) || Double.isInfinite(sd)) {
                throw new IllegalArgumentException("The wish noise is " + sd + "; it must be 0 or more and finite.");
            }
            wishNoise = sd;
            return this;
        }

        public Builder intercept(Intercept value) {
            intercept = value;
            return this;
        }

        public Builder scaling(Scaling value) {
            scaling = value;
            return this;
        }

        public Builder missing(Missing value) {
            missing = value;
            return this;
        }

        public Builder costUnits(CostUnits value) {
            costUnits = value;
            return this;
        }

        /** Only these columns, in this order. */
        public Builder features(List<String> columns) {
            features = List.copyOf(columns);
            return this;
        }

        /** All columns but these. */
        public Builder ignore(Set<String> columns) {
            ignore = new LinkedHashSet<>(columns);
            return this;
        }

        /** Features that nobody can change; by default the categorical ones. */
        public Builder immutable(Set<String> columns) {
            immutable = new LinkedHashSet<>(columns);
            return this;
        }

        /** The cost of moving a feature, by its column or by one of its encoded columns; 1 where nothing is said. */
        public Builder cost(String column, double value) {
            if (!(value > 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException("The cost of '" + column + "' is " + value
                        + "; it must be positive and finite.\nMaybe declare the feature immutable instead.");
            }
            Map<String, Double> copy = new LinkedHashMap<>(costs);
            copy.put(column, value);
            costs = copy;
            return this;
        }

        /** The paper's protocol: range scaling, an intercept people can move, full one-hot encoding, nothing immutable. */
        public Builder paper() {
            scaling = Scaling.RANGE;
            intercept = Intercept.MANIPULABLE;
            immutable = Set.of();
            fullOneHot = true;
            return this;
        }

        public Builder solver(SphereSolver value) {
            solver = value;
            return this;
        }

        public Builder options(SolverOptions value) {
            options = value;
            return this;
        }

        public Builder listener(ProgressListener value) {
            listener = value;
            return this;
        }

        public Builder threads(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("The number of threads is " + value + "; it must be at least 1.");
            }
            threads = value;
            return this;
        }

        /** Kept in the model's provenance, for whatever is random around the fit; the fit itself is not. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        Builder copy() {
            return new Builder(this);
        }

        public StackelbergRegression build() {
            return new StackelbergRegression(new Builder(this));
        }

        Workers workers() {
            return Workers.of(threads);
        }

        /** The solver of the sphere problem at each omega of a mixed population. */
        SphereSolver innerSolver(Workers workers) {
            return solver == null ? new DirectSolver(workers) : solver;
        }

        SphereSolver solverOn(Workers workers) {
            return solver == null ? Solvers.named(Solvers.names().get(0), workers) : solver;
        }
    }
}
