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
 * A yes-or-no rule as whole points: base points at odds of so many yes to one no, and pdo points more whenever the odds double. points = offset + factor
 * S, S the log-odds, factor = pdo / log 2, offset = base - factor log odds.
 *
 * <p>A number counts points per step, 1, 2 or 5 times a power of ten near the spread of its column; a level of a category counts points. The card is still a
 * linear rule: what it loses in the game is computed as for any rule.
 *
 * @param scale what points mean
 * @param start the points that everybody starts with
 * @param lines what counts how many
 */
public record Scorecard(Scale scale, long start, List<Line> lines) {
    /** More points than any card has: beyond, doubles are not whole numbers. */
    private static final double MOST = 1e12;

    public Scorecard {
        lines = List.copyOf(lines);
    }

    /**
     * What points mean.
     *
     * @param base the points at these odds
     * @param odds so many yes to one no
     * @param pdo points that double the odds
     */
    public record Scale(double base, double odds, double pdo) {
        /** 600 points at 50 to 1, 20 of them double the odds. */
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

        /** Points per log-odds. */
        public double factor() {
            return pdo / Math.log(2);
        }

        /** Points at even odds. */
        public double offset() {
            return base - factor() * Math.log(odds);
        }
    }

    /**
     * What one column, or one level of it, counts.
     *
     * @param name the encoded column
     * @param column the column
     * @param level its level; absent for a number
     * @param step so many units of a number count the points; 1 for a level
     * @param points a whole number
     * @param exact the same before rounding
     * @param baseline the points that people of the column's mean have; 0 for a level
     */
    public record Line(
            String name,
            String column,
            @Nullable String level,
            double step,
            long points,
            double exact,
            double baseline) {}

    /** The card of a model whose loss is logistic. */
    public static Scorecard of(StackelbergModel model, Scale scale) {
        if (!model.game().loss().isLogistic()) {
            throw new DataException(Message.of(
                    "points-without-logistic-loss",
                    "Points are for a yes or no, but the model's loss is {}.\n" + "Maybe fit it with {}.",
                    model.game().loss(),
                    Settings.LOSS.word("LOGISTIC")));
        }
        if (!model.optimality().finite()) {
            throw DataException.of(
                    "no-finite-rule", "The model has no finite equilibrium, and so no rule to make points of.");
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
                // what rounding takes from people of the mean, everybody starts with
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
                    "'{}' would count {} points, which no card can say.\n"
                            + "Maybe choose fewer points that double the odds.",
                    what,
                    points);
        }
        return Math.round(points);
    }

    /** 1, 2 or 5 times a power of ten, the one nearest to the spread of a column by ratio. */
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
                // as it is read: 0.2 and not 2 times a rounded 0.1
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

    /** The card as a rule for the log-odds: what people respond to. */
    public PublishedRule rule() {
        Map<String, Double> coefficients = new LinkedHashMap<>();
        lines.forEach(line -> coefficients.put(line.name(), line.points() / (line.step() * scale.factor())));
        return new PublishedRule("the card", (start - scale.offset()) / scale.factor(), coefficients);
    }

    /**
     * What rounding costs in the game: the loss after everybody has moved, with the ridge, of the card and of the model's own rule on the same people.
     *
     * @param card what the card loses
     * @param rule what the model's rule loses
     * @param gapBound how far the rule can be above the best of all; not a number where that is not known of these people
     * @param weight what they count together
     */
    public record Cost(double card, double rule, double gapBound, double weight) {
        /** No rule is better than the card by more, where the gap is known. */
        public double most() {
            return card - rule + gapBound;
        }
    }

    /** The cost on these people; what is proven of the model is proven of them only if they are those it was fitted to. */
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
