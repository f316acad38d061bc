package stackelberg.model.export;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.game.Settings;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/**
 * A yes-or-no rule as whole points: with S the log-odds of yes, points = offset + factor S, where factor = pdo / log 2
 * and offset = base - factor log odds. So a total of base points means the given odds of yes to no, and pdo additional
 * points double the odds.
 *
 * <p>A numeric column counts points per step, which is 1, 2 or 5 times a power of ten near its standard deviation; a
 * level of a category counts points once. The card is again a linear rule, so its loss in the game is computed as for
 * any rule.
 *
 * @param scale the meaning of the points
 * @param start the points that everyone starts with
 * @param lines the points of each column or level
 */
public record Scorecard(Scale scale, long start, List<Line> lines) {
    /** The largest number of points; beyond it, doubles do not represent all whole numbers after further sums. */
    private static final double MOST = 1e12;

    public Scorecard {
        lines = List.copyOf(lines);
    }

    /**
     * The meaning of points.
     *
     * @param base the points at the given odds
     * @param odds the odds of yes to no at the base points
     * @param pdo the points that double the odds
     */
    public record Scale(double base, double odds, double pdo) {
        /** 600 points at odds of 50 to 1, and 20 points double the odds. */
        public static final Scale USUAL = new Scale(600, 50, 20);

        public Scale {
            if (!Double.isFinite(base)) {
                throw new IllegalArgumentException("The base is " + base + " points; it must be finite.");
            }
            requirePositive("The odds are", odds);
            requirePositive("The points that double the odds are", pdo);
        }

        private static void requirePositive(String what, double value) {
            if (!(value > 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(what + " " + value + "; they must be positive and finite.");
            }
        }

        /** Returns the points per unit of log-odds. */
        public double factor() {
            return pdo / Math.log(2);
        }

        /** Returns the points at even odds. */
        public double offset() {
            return base - factor() * Math.log(odds);
        }
    }

    /**
     * The points of one column or of one of its levels.
     *
     * @param name the encoded column
     * @param column the column
     * @param level its level; absent for a number
     * @param step the change of the number that counts these points; 1 for a level
     * @param points the rounded points, a whole number
     * @param exact the points before rounding
     * @param baseline the points at the column's mean; 0 for a level
     */
    public record Line(
            String name,
            String column,
            @Nullable String level,
            double step,
            long points,
            double exact,
            double baseline) {}

    /** Returns the card of a model with logistic loss. */
    public static Scorecard of(StackelbergModel model, Scale scale) {
        if (!model.game().loss().isLogistic()) {
            throw new DataException(Message.of(
                    "points-without-logistic-loss",
                    "A scorecard is for a yes or no, but the model's loss is {}.\n" + "Maybe fit it with {}.",
                    model.game().loss(),
                    Settings.LOSS.word("LOGISTIC")));
        }
        if (!model.optimality().finite()) {
            throw DataException.of(
                    "no-finite-rule",
                    "The model has no finite equilibrium, so there is no rule to make a scorecard of.");
        }
        double factor = scale.factor();
        List<Line> lines = new ArrayList<>();
        double start = scale.offset() + factor * model.intercept();
        int term = 0;
        for (Encoding.Feature feature : model.encoding().features()) {
            for (EncodedColumn column : feature.columns()) {
                double coefficient = factor * model.terms().get(term++).coefficient();
                double step = feature.categorical() ? 1 : step(feature, column);
                double exact = coefficient * step;
                long points = whole(exact, column.name());
                double mean = feature.categorical() ? 0 : feature.mean();
                // the rounding error at the mean is added to the points that everyone starts with
                start += (coefficient - points / step) * mean;
                lines.add(new Line(
                        column.name(), feature.column(), column.level(), step, points, exact, points / step * mean));
            }
        }
        return new Scorecard(scale, whole(start, "the start"), lines);
    }

    private static long whole(double points, String what) {
        if (!(Math.abs(points) <= MOST)) {
            throw DataException.of(
                    "points-too-large",
                    "'{}' would count {} points, too many for a card.\n"
                            + "Maybe choose fewer points that double the odds.",
                    what,
                    points);
        }
        return Math.round(points);
    }

    /** Returns 1, 2 or 5 times a power of ten, the nearest in ratio to the standard deviation of a column. */
    private static double step(Encoding.Feature feature, EncodedColumn column) {
        Encoding.Feature.Range range = feature.range();
        double spread = column.scale() != 1 || range == null || !(range.max() > range.min())
                ? column.scale()
                : (range.max() - range.min()) / 4;
        double best = 1;
        int power = (int) Math.floor(Math.log10(spread));
        double distance = Double.POSITIVE_INFINITY;
        for (int k = power - 1; k <= power + 1; k++) {
            for (int digit : new int[] {1, 2, 5}) {
                // parsed from text, so that it is the double nearest to 0.2 and not 2 times a rounded 0.1
                double candidate = Double.parseDouble(digit + "e" + k);
                double off = Math.abs(Math.log(candidate / spread));
                if (candidate > 0 && off < distance) {
                    distance = off;
                    best = candidate;
                }
            }
        }
        return best;
    }

    /** Returns the card as a rule for the log-odds, to which people respond. */
    public PublishedRule rule() {
        Map<String, Double> coefficients = new LinkedHashMap<>();
        lines.forEach(line -> coefficients.put(line.name(), line.points() / (line.step() * scale.factor())));
        return new PublishedRule("the card", (start - scale.offset()) / scale.factor(), coefficients);
    }

    /**
     * The cost of rounding in the game: the losses after the move, ridge included, of the card and of the model's rule
     * on the same rows.
     *
     * @param card the loss of the card
     * @param rule the loss of the model's rule
     * @param gapBound how far the rule may be above the best one, within the model's hedge if it has one; NaN if that is
     *     not known for these rows
     * @param weight the sum of the sample weights
     */
    public record Cost(double card, double rule, double gapBound, double weight) {
        /**
         * Returns a bound on how much better than the card any such rule can be; NaN if the gap is not known. The card
         * itself need not keep the hedge, and may then be better than all rules that do.
         */
        public double most() {
            return Math.max(0, card - rule + gapBound);
        }
    }

    /** Returns the cost of rounding on these rows; the model's gap applies only to the rows that it was fitted to. */
    public Cost cost(StackelbergModel model, Table table, Workers workers) {
        World world = model.world();
        Sample sample = Sample.ofModel(world, table, workers);
        PredictionGame game = sample.game();
        boolean same = model.provenance().data() != null
                && sample.source()
                        .filter(source ->
                                source.sha256().equals(model.provenance().data().sha256()))
                        .isPresent();
        double own = loss(model.rule(), world, sample, game, workers);
        double total = 0;
        for (double weight : game.weights()) {
            total += weight;
        }
        return new Cost(
                loss(rule(), world, sample, game, workers),
                own,
                same && model.certified() ? model.optimality().gapBound() : Double.NaN,
                total);
    }

    private static double loss(PublishedRule rule, World world, Sample sample, PredictionGame game, Workers workers) {
        double[] scores = sample.predictions(rule, workers);
        LinearRule moved = new LinearRule(world.movedBy(rule), new double[game.immutable().length], 0);
        return game.leaderLoss(world.omega(rule), scores) + game.penalty(moved);
    }
}
