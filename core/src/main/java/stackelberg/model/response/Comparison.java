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
import stackelberg.solver.SphereSolver;

/**
 * Least squares, ridge, the Stackelberg rule and a hedged one side by side, learned from some people and judged on others, honest and under attack.
 *
 * <p>By another loss than the squared one the rivals are regression by that loss, which is logistic regression where the target is yes or no, and the same with a
 * ridge; nothing is hedged then.
 *
 * <p>Whatever a rule supposes, it is judged among people as the game has them: some truthful, or everybody at a gamma of their own.
 *
 * <p>The intervals draw the judged people again and keep the rules: they say how far these numbers are luck of the people, not of the
 * training.
 */
public final class Comparison {
    /** Beyond this the n x n matrix that least squares and ridge need is no longer a small matter. */
    private static final int MOST_COLUMNS = 5000;

    /** Up to here its decompositions are. */
    private static final int FEW_COLUMNS = 1000;

    /** Values that passes read for a cross-validation, beside what the decompositions of n^3 take, in units of one. */
    private static final double PASSES = 400;

    /** The hedge that is compared where none is declared. */
    private static final Hedge HEDGE = Hedge.atMost(0.05);

    /** The penalties of a regression by another loss than the squared one; each is a search of its own, so there are few. */
    private static final double[] LAMBDAS = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100};

    /** So many columns a hedged rule is found for unasked, where there are at least twice as many people: with more a search takes long. */
    private static final int MOST_HEDGED = 400;

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
     * One rule.
     *
     * @param lambda what ridge was penalised with; null for the others
     * @param hedge of the hedged rule; null for the others
     * @param honest the interval of the root mean squared error, or of the mean of another loss, if nobody moves
     * @param moved the same after everybody has moved
     * @param answers how well it tells a yes from a no; null where the loss is not logistic
     */
    public record Entry(
            RuleEvaluation evaluation,
            Double lambda,
            Hedge hedge,
            Resampling.Interval honest,
            Resampling.Interval moved,
            Answers answers) {}

    /** How well a rule tells a yes from a no, if nobody moves and after everybody has moved. */
    public record Answers(Told honest, Told moved) {}

    /** The measures, and where two of them lie. */
    public record Told(YesOrNo measures, Resampling.Interval auc, Resampling.Interval accuracy) {}

    /** What anticipating saves of the mean loss that least squares, or regression by the game's loss, has after the move: 1 - Stackelberg / that. */
    public record Saving(double share, Resampling.Interval interval) {}

    /** Rows split at random into those to learn from and those to judge by; rows with zero weight are among the first. */
    public record Split(Table training, Table heldOut) {
        /** Refuses a share of the people that is none. */
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

    /** Learns the rules from one table and judges them on the other; the hedged one with a hedge of 5% where none is declared. */
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
     * The same.
     *
     * @param cutoff the least probability that is taken for a yes, where the loss is logistic
     */
    public static Comparison of(
            StackelbergRegression regression,
            Table training,
            Table judged,
            Encoding.UnknownLevel unknown,
            Bootstrap bootstrap,
            double cutoff,
            Workers workers) {
        Training learning = regression.training(training).hedging(Hedge.NONE);
        StackelbergModel model = learning.path(learning.gamma()).get(0);
        World world = model.world();
        Missing.RowsInUse used = rows(world, judged);
        Rivals rivals = world.spec().loss().isSquared()
                ? Rivals.of(world, rows(world, training).table(), bootstrap.seed(), workers)
                : Rivals.of(learning, bootstrap.seed(), workers);
        List<RuleEvaluation> evaluations = new ArrayList<>();
        Judges judges = new Judges(used.table(), unknown, workers);
        evaluations.add(judges.ofToday(model.world(), rivals.leastSquares()));
        evaluations.add(judges.of(world, rivals.ridge().rule()));
        if (model.optimality().finite()) {
            PublishedRule rule = model.rule();
            evaluations.add(judges.of(world, new PublishedRule("Stackelberg", rule.intercept(), rule.coefficients())));
        }
        Optional<StackelbergModel> hedged = hedged(learning, regression.spec().hedge(), model);
        hedged.ifPresent(one ->
                evaluations.add(judges.of(world, new PublishedRule("hedged", one.intercept(), one.coefficients()))));
        Fitted fitted = new Fitted(learning, model, hedged.orElse(null));
        return judged(fitted, evaluations, rivals.ridge().lambda(), bootstrap, cutoff, used);
    }

    /** What was learned by the pipeline; hedged may be null. */
    private record Fitted(Training training, StackelbergModel model, StackelbergModel hedged) {}

    /** The hedged rule: as declared, or where it is no great matter. */
    private static Optional<StackelbergModel> hedged(Training learning, Hedge asked, StackelbergModel model) {
        if (model.game().mixed()) {
            // a hedge counts on a truthful share of its own choosing
            return Optional.empty();
        }
        boolean unasked = model.game().loss().isSquared()
                && model.game().limits().none()
                && model.losses().naive() != null
                && model.losses().naive() > 0
                && model.terms().size() <= Math.min(MOST_HEDGED, model.rows() / 2)
                && !publishedSolver(learning);
        if (asked.isNone() && !unasked) {
            return Optional.empty();
        }
        Training hedging = learning.hedging(asked.isNone() ? HEDGE : asked);
        return Optional.of(hedging.path(model.gamma()).get(0));
    }

    /** Whether a published algorithm runs as it stands in its paper, where there is no hedge. */
    private static boolean publishedSolver(Training learning) {
        SphereSolver solver = learning.options().solver();
        return solver != null && solver.isPlain();
    }

    /** The rules that are fitted as if nobody moved. */
    private record Rivals(PublishedRule leastSquares, Ridge.Chosen ridge) {
        static Rivals of(World world, Table rows, long seed, Workers workers) {
            Encoding encoding = world.encoding();
            double[] y = truth(world, rows);
            boolean intercept = world.intercept() != GameSpec.Intercept.NONE;
            if (passesPay(encoding, rows)) {
                WideRidge wide = new WideRidge(encoding, rows, y, world.weights(rows), intercept, workers);
                double lambda = wide.crossValidated(seed);
                List<PublishedRule> rules = wide.rules(0, lambda);
                return new Rivals(rules.get(0), new Ridge.Chosen(rules.get(1), lambda));
            }
            Ridge ridge = new Ridge(encoding, encoding.apply(rows), y, world.weights(rows), intercept, workers);
            return new Rivals(ridge.leastSquares(), ridge.crossValidated(seed));
        }

        /** Where columns do not outnumber people least squares is not left to passes. */
        private static boolean passesPay(Encoding encoding, Table rows) {
            double columns = encoding.columns().size();
            double read = WideRidge.sparse(encoding, rows)
                    .map(matrix -> (double) matrix.nonzeros())
                    .orElse(columns * rows.rows());
            boolean wide = columns > FEW_COLUMNS && columns > rows.rows();
            return columns > MOST_COLUMNS || wide && columns * columns * columns > PASSES * read;
        }

        /** By another loss than the squared one. */
        static Rivals of(Training learning, long seed, Workers workers) {
            Sample sample = learning.sample();
            Today today = learning.today().orElseGet(() -> sample.today(workers));
            Resampling.Folds folds = Resampling.of(sample.weights(), seed).foldsAtMost(Ridge.FOLDS);
            int[][] parts =
                    IntStream.range(0, folds.count()).mapToObj(folds::heldOut).toArray(int[][]::new);
            Sample.Penalised ridge = sample.penalised(parts, LAMBDAS, workers);
            // what has a ridge of its own is no plain regression
            boolean plain = !today.source().contains(" with ridge ");
            PublishedRule regression = new PublishedRule(
                    plain ? today.source() : Today.NAME,
                    today.rule().intercept(),
                    today.rule().coefficients());
            return new Rivals(regression, new Ridge.Chosen(ridge.rule(), ridge.lambda()));
        }
    }

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
     * What is told of a rule with intervals: its error before and after the move, then, where the loss is logistic, areas under the curve and accuracies.
     *
     * @param honest null where the loss is not logistic, as the next
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
                    : new Answers(new Told(honest, own[2], own[4]), new Told(moved, own[3], own[5]));
        }
    }

    /** The people that rules are judged by. */
    private record Judges(Table rows, Encoding.UnknownLevel unknown, Workers workers) {
        /** Today's rule, which may look at columns that are no features; least squares, or regression by the game's loss, where nobody knows it, or where it is just that. */
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
                            "The people to judge by have no wishes: the wish {} needs a column they lack.\n"
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

    /** The Stackelberg rule's, without a hedge. */
    public StackelbergModel model() {
        return fitted.model;
    }

    /** The hedged rule's; empty where it was not computed. */
    public Optional<StackelbergModel> hedged() {
        return Optional.ofNullable(fitted.hedged);
    }

    /** The people that the rules were learned from. */
    public Training training() {
        return fitted.training;
    }

    public World world() {
        return fitted.model.world();
    }

    /** Least squares and ridge, or regression by the game's loss and the same with a ridge, the Stackelberg rule if it is finite, and the hedged rule if it was computed. */
    public List<Entry> entries() {
        return entries;
    }

    /** Empty if there is no finite Stackelberg rule. */
    public Optional<Saving> saving() {
        return Optional.ofNullable(saving);
    }

    /** The people the rules were judged by. */
    public Table judged() {
        return judged;
    }

    /** How many of them were left out because a value is missing. */
    public int droppedRows() {
        return droppedRows;
    }
}
