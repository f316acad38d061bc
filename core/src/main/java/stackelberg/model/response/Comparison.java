package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Hedge;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.Training;

/**
 * Compares least squares, ridge regression, the Stackelberg rule and a hedged rule: all are learned from one table and
 * evaluated on another, before and after the move.
 *
 * <p>For another loss than the squared one, least squares and ridge become regression by that loss without and with a
 * ridge (logistic regression for a yes or no), and there is no hedged rule.
 *
 * <p>Every rule is evaluated on followers as the game declares them, with truthful rows or individual gammas, whatever
 * population the rule was fitted to.
 *
 * <p>The intervals are bootstrap intervals over the evaluated rows with the rules held fixed. They show how much the
 * figures depend on the choice of evaluation rows, not on the choice of training rows.
 */
public final class Comparison {
    /** The number of folds in which the penalty of ridge is chosen. */
    static final int FOLDS = 5;

    /** The ridge penalties that are tried, in factors of the fourth root of 10. */
    static final double[] LAMBDAS = IntStream.rangeClosed(0, 32)
            .mapToDouble(k -> Math.pow(10, -6 + k / 4.0))
            .toArray();

    /**
     * The ridge penalties that are tried for other losses than the squared one. Each takes a search of its own, so
     * there are few.
     */
    private static final double[] LAMBDAS_BY_LOSS = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100};

    private final Fitted fitted;
    private final List<Entry> entries;
    private final Saving saving;
    private final Table judged;
    private final int droppedRows;

    private Comparison(Fitted fitted, List<Entry> entries, Saving saving, Missing.RowsInUse judged) {
        this.fitted = fitted;
        this.entries = List.copyOf(entries);
        this.saving = saving;
        this.judged = judged.table();
        this.droppedRows = judged.dropped();
    }

    /**
     * One rule of the comparison.
     *
     * @param lambda the penalty of ridge; null for the others
     * @param hedge the hedge of the hedged rule; null for the others
     * @param honest the interval of the root mean squared error before any move; for other losses than the squared one,
     *     of the mean loss
     * @param moved the same after the move
     * @param answers how well the rule separates yes from no; null if the loss is not logistic
     */
    public record Entry(
            RuleEvaluation evaluation,
            Double lambda,
            Hedge hedge,
            Resampling.Interval honest,
            Resampling.Interval moved,
            Answers answers) {}

    /** How well a rule separates yes from no, before and after the move. */
    public record Answers(Measured honest, Measured moved) {}

    /** Measures of a classification with the intervals of the area under the curve and of the accuracy. */
    public record Measured(YesOrNo measures, Resampling.Interval auc, Resampling.Interval accuracy) {}

    /**
     * The share of the loss that anticipating the move saves: 1 - (mean loss of the Stackelberg rule after the
     * move)/(that of least squares, or of regression by the game's loss).
     */
    public record Saving(double share, Resampling.Interval interval) {}

    /** A table split at random into training rows and held-out rows; rows with zero weight are training rows. */
    public record Split(Table training, Table heldOut) {
        /** Returns the fraction if it lies between 0 and 1, both excluded; throws otherwise. */
        public static double requireFraction(double fraction) {
            if (!(fraction > 0 && fraction < 1)) {
                throw new IllegalArgumentException(
                        "The test fraction is " + fraction + "; it must lie between 0 and 1.");
            }
            return fraction;
        }

        /**
         * Holds out a fraction of the rows with weight.
         *
         * @param weight the column of weights; null where every row counts
         */
        public static Split of(Table table, String weight, double fraction, long seed) {
            requireFraction(fraction);
            // a column that is no weight is refused when the rules are learned
            boolean weighted = weight != null && table.has(weight) && table.column(weight) instanceof NumericColumn;
            Resampling rows =
                    weighted ? Resampling.of(table.numeric(weight).values(), seed) : Resampling.of(table.rows(), seed);
            Resampling.Split split = rows.split(fraction);
            int held = split.heldOut().length;
            if (held < 2 || rows.size() - held < 2) {
                throw DataException.of(
                        "too-few-rows-to-judge",
                        "Holding out {} of {} rows leaves {} to learn from and {} to judge by; both need at least 2.\n"
                                + "Maybe choose another fraction.",
                        fraction,
                        rows.size(),
                        rows.size() - held,
                        held);
            }
            return new Split(table.select(split.training()), table.select(split.heldOut()));
        }
    }

    /** Learns the rules from one table and evaluates them on the other. */
    public static Comparison of(
            StackelbergRegression regression,
            Table training,
            Table judged,
            Encoding.UnknownLevel unknown,
            Bootstrap bootstrap,
            Workers workers) {
        return of(regression, training, judged, unknown, bootstrap, YesOrNo.CUTOFF, workers);
    }

    /**
     * Learns the rules from one table and evaluates them on the other.
     *
     * @param cutoff for logistic loss, the smallest probability that is predicted as yes
     */
    public static Comparison of(
            StackelbergRegression regression,
            Table training,
            Table judged,
            Encoding.UnknownLevel unknown,
            Bootstrap bootstrap,
            double cutoff,
            Workers workers) {
        Training declared = regression.training(training);
        Training learning = declared.withHedge(Hedge.NONE);
        StackelbergModel model = learning.path(learning.gamma()).get(0);
        World world = model.world();
        Missing.RowsInUse used = rows(world, judged);
        Rivals rivals = Rivals.of(learning, bootstrap.seed(), workers);
        List<RuleEvaluation> evaluations = new ArrayList<>();
        Judges judges = new Judges(used.table(), unknown, workers);
        evaluations.add(judges.ofToday(model.world(), rivals.regression()));
        evaluations.add(judges.of(world, rivals.ridge()));
        if (model.optimality().finite()) {
            PublishedRule rule = model.rule();
            evaluations.add(judges.of(world, new PublishedRule("Stackelberg", rule.intercept(), rule.coefficients())));
        }
        Optional<StackelbergModel> hedged = declared.sample().spec().isHedged()
                ? Optional.of(declared.path(declared.gamma()).get(0))
                : Optional.empty();
        hedged.ifPresent(one ->
                evaluations.add(judges.of(world, new PublishedRule("hedged", one.intercept(), one.coefficients()))));
        Fitted fitted = new Fitted(learning, model, hedged.orElse(null));
        return judged(fitted, evaluations, rivals.lambda(), bootstrap, cutoff, used);
    }

    /** The fitted model and the hedged one, which may be null. */
    private record Fitted(Training training, StackelbergModel model, StackelbergModel hedged) {}

    /** The two rules that are fitted as if there were no move, and the penalty of the second. */
    private record Rivals(PublishedRule regression, PublishedRule ridge, double lambda) {
        static Rivals of(Training learning, long seed, Workers workers) {
            Sample sample = learning.sample();
            Resampling.Folds folds = Resampling.of(sample.weights(), seed).foldsAtMost(FOLDS);
            int[][] parts =
                    IntStream.range(0, folds.count()).mapToObj(folds::heldOut).toArray(int[][]::new);
            if (sample.spec().loss().isSquared()) {
                double lambda = sample.bestRidge(parts, LAMBDAS, workers);
                List<PublishedRule> rules = sample.ridge(workers, 0, lambda);
                return new Rivals(rules.get(0), rules.get(1), lambda);
            }
            Today today = learning.today().orElseGet(() -> sample.today(workers));
            double lambda = sample.bestRidge(parts, LAMBDAS_BY_LOSS, workers);
            // today's rule learned with a ridge is not plain regression
            boolean plain = !today.source().contains(" with ridge ");
            PublishedRule regression = new PublishedRule(
                    plain ? today.source() : Today.NAME,
                    today.rule().intercept(),
                    today.rule().coefficients());
            return new Rivals(regression, sample.ridge(workers, lambda).get(0), lambda);
        }
    }

    /** Evaluates the rules on the evaluation rows, with bootstrap intervals. */
    private static Comparison judged(
            Fitted fitted,
            List<RuleEvaluation> evaluations,
            double lambda,
            Bootstrap bootstrap,
            double cutoff,
            Missing.RowsInUse used) {
        List<Figures> figures =
                evaluations.stream().map(e -> Figures.of(fitted, e, cutoff)).toList();
        int rules = figures.size();
        int each = figures.get(0).size();
        boolean squared = fitted.model.game().loss().isSquared();
        boolean saves = fitted.model.optimality().finite();
        Resampling.Interval[] intervals =
                bootstrap.intervals(fitted.model.world().weights(used.table()), counts -> {
                    double[] values = new double[each * rules + 1];
                    for (int k = 0; k < rules; k++) {
                        System.arraycopy(figures.get(k).drawn(counts), 0, values, each * k, each);
                    }
                    double ratio = saves ? values[2 * each + 1] / values[1] : Double.NaN;
                    values[each * rules] = 1 - (squared ? ratio * ratio : ratio);
                    return values;
                });
        List<Entry> entries = new ArrayList<>();
        for (int k = 0; k < rules; k++) {
            boolean last = k == rules - 1 && fitted.hedged != null;
            Resampling.Interval[] own = Arrays.copyOfRange(intervals, each * k, each * (k + 1));
            entries.add(new Entry(
                    evaluations.get(k),
                    k == 1 ? lambda : null,
                    last ? fitted.hedged.game().hedge() : null,
                    own[0],
                    own[1],
                    figures.get(k).answers(own)));
        }
        Saving saving = !saves
                ? null
                : new Saving(
                        1
                                - evaluations.get(2).moved().loss()
                                        / evaluations.get(0).moved().loss(),
                        intervals[each * rules]);
        return new Comparison(fitted, entries, saving, used);
    }

    /**
     * The figures of a rule that get intervals: its error before and after the move, and for logistic loss the areas
     * under the curve and the accuracies.
     *
     * @param honest the measures before any move; null if the loss is not logistic, as is the next
     */
    private record Figures(RuleEvaluation evaluation, boolean squared, YesOrNo honest, YesOrNo moved) {
        static Figures of(Fitted fitted, RuleEvaluation evaluation, double cutoff) {
            boolean answers = fitted.model.game().loss().isLogistic();
            return new Figures(
                    evaluation,
                    fitted.model.game().loss().isSquared(),
                    answers ? evaluation.honest(cutoff) : null,
                    answers ? evaluation.moved(cutoff) : null);
        }

        int size() {
            return honest == null ? 2 : 6;
        }

        double[] drawn(int[] counts) {
            if (honest != null) {
                double[] before = honest.drawn(counts);
                double[] after = moved.drawn(counts);
                return new double[] {before[0], after[0], before[1], after[1], before[2], after[2]};
            }
            double before = evaluation.honestLoss(counts);
            double after = evaluation.movedLoss(counts);
            return squared ? new double[] {Math.sqrt(before), Math.sqrt(after)} : new double[] {before, after};
        }

        Answers answers(Resampling.Interval[] own) {
            return honest == null
                    ? null
                    : new Answers(new Measured(honest, own[2], own[4]), new Measured(moved, own[3], own[5]));
        }
    }

    /** The rows on which the rules are evaluated. */
    private record Judges(Table rows, Encoding.UnknownLevel unknown, Workers workers) {
        /**
         * Returns the evaluation of today's rule, which may use columns that are not features. If today's rule is
         * unknown, or is least squares (or regression by the game's loss), that of the given rule is returned.
         */
        RuleEvaluation ofToday(World world, PublishedRule leastSquares) {
            Today today = world.spec().today();
            boolean same = today.known() && today.source().equals(leastSquares.name());
            return today.known() && (!same || today.kind() == Today.Kind.GIVEN)
                    ? of(world, same ? leastSquares : today.rule(), world.scores(today, rows))
                    : of(world, leastSquares);
        }

        RuleEvaluation of(World world, PublishedRule rule) {
            return of(world, rule, rule.predict(world.encoding(), rows, unknown));
        }

        private RuleEvaluation of(World world, PublishedRule rule, double[] p) {
            Wish wish = world.wishRule(rows)
                    .orElseThrow(() -> DataException.of(
                            "wish-column-missing",
                            "The rows to evaluate on have no wishes: the wish {} needs a column that is missing there.\n"
                                    + "Maybe add the column.",
                            world.wish()));
            double[] y = truth(world, rows);
            Followers people = Followers.of(world.population(rows), p, world.wishes(wish, rows, y, p))
                    .with(world.features(rows), workers);
            return RuleEvaluation.of(world, rule, people.withTruth(y, world.weights(rows)));
        }
    }

    private static Missing.RowsInUse rows(World world, Table table) {
        List<String> required = new ArrayList<>(world.required(table));
        GameSpec spec = world.spec();
        if (spec.rowGamma() != null && table.has(spec.rowGamma())) {
            required.add(spec.rowGamma());
        }
        if (spec.today().kind() == Today.Kind.GIVEN) {
            List<String> features = world.encoding().features().stream()
                    .map(Encoding.Feature::column)
                    .toList();
            spec.today().rule().columnsIn(table).stream()
                    .filter(column -> !features.contains(column))
                    .forEach(required::add);
        }
        return world.rowsInUse(table, required);
    }

    private static double[] truth(World world, Table rows) {
        return world.truths(rows);
    }

    /** Returns the model of the Stackelberg rule, fitted without a hedge. */
    public StackelbergModel model() {
        return fitted.model;
    }

    /** Returns the model of the hedged rule; empty if it was not computed. */
    public Optional<StackelbergModel> hedged() {
        return Optional.ofNullable(fitted.hedged);
    }

    /** Returns the rows from which the rules were learned. */
    public Training training() {
        return fitted.training;
    }

    public World world() {
        return fitted.model.world();
    }

    /**
     * Returns least squares and ridge (or regression by the game's loss without and with a ridge), the Stackelberg rule
     * if it is finite, and the hedged rule if it was computed.
     */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns the saving by anticipation; empty if there is no finite Stackelberg rule. */
    public Optional<Saving> saving() {
        return Optional.ofNullable(saving);
    }

    /** Returns the rows on which the rules were evaluated. */
    public Table judged() {
        return judged;
    }

    /** Returns how many evaluation rows were dropped because of a missing value. */
    public int droppedRows() {
        return droppedRows;
    }
}
