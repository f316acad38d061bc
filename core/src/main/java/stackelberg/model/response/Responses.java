package stackelberg.model.response;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Table;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.World;

/**
 * The best responses to a rule, in the units of the data: person i moves column j by (z_i - p_i)/(gamma_i + omega) d_j,
 * with the same direction d for all.
 *
 * <p>With a truthful share it is unknown who is truthful. Moves and costs are then those of a person who moves, and the
 * methods named "expected" average over being truthful or not.
 *
 * <p>With limits, moves end at them: {@link #stops} counts a person's stopped features, and {@link #isStuck} returns
 * whether the person cannot move at all. {@link #features} also counts moves that end outside the range seen in
 * training, or below zero.
 */
public final class Responses {
    private final World world;
    private final PublishedRule rule;
    private final List<EncodedColumn> columns;
    private final Table rows;
    private final Followers people;
    private final double[] direction;
    private final double omega;
    private final IntFunction<Response> each;
    private final boolean limits;
    /** Null if no limit stops anyone, so that the closed form holds. */
    private final Limited limited;
    /** The row that was last read, with its values. */
    private Row last = new Row(-1, null);

    private record Row(int person, double[] values) {}

    /**
     * The responses of the people for whom limits change anything.
     *
     * @param low the smallest allowed value of every encoded column, in the units of the data
     * @param high the largest allowed value of every encoded column
     * @param places the index of every encoded column among the manipulable ones
     * @param width the number of manipulable columns, the ones column included if it is manipulable
     * @param who whether limits change anything for the person
     * @param steps how far the person would move along the direction without limits; 0 for those who do not move
     * @param after the person's score after the move
     * @param cost what the move costs
     * @param improvement the change of the true target
     * @param stops the number of limits that stop the person
     * @param stuck whether the person would move but cannot
     */
    private record Limited(
            double[] low,
            double[] high,
            int[] places,
            int width,
            boolean[] who,
            double[] steps,
            double[] after,
            double[] cost,
            double[] improvement,
            int[] stops,
            boolean[] stuck) {
        /** Returns the move of column j from a given value if it would be "free" without limits. */
        double move(double free, double from, int j) {
            return free > 0
                    ? Math.min(free, Math.max(0, high[j] - from))
                    : free < 0 ? Math.max(free, Math.min(0, low[j] - from)) : 0;
        }
    }
    /** The effect on the target of moving each encoded column by one unit of the data; null if moves have no effect. */
    private final double[] effects;

    /** Computes the direction of moves, omega and, under limits, the response of every row. */
    private Responses(World world, PublishedRule rule, Table rows, Followers people) {
        this.world = world;
        this.rule = rule;
        this.columns = world.encoding().columns();
        this.rows = world.encoding().complete(rows);
        this.people = people;
        this.direction = world.direction(rule);
        this.omega = world.omega(rule);
        this.each = people.population().responses(omega, world.earned(rule));
        this.effects = world.spec().hasEffects() ? world.effects() : null;
        for (int j = 0; effects != null && j < effects.length; j++) {
            effects[j] /= columns.get(j).scale();
        }
        Optional<Supplier<Response.Bounded>> bounded = world.bounded(rule);
        this.limits = bounded.isPresent();
        this.limited = bounded.map(this::limited).orElse(null);
    }

    /** Computes the response of every row under limits. */
    private Limited limited(Supplier<Response.Bounded> bounded) {
        int n = size();
        Response.Bounds bounds = world.rawBounds().orElseThrow();
        int[] movable = world.movable();
        int[] places = new int[direction.length];
        for (int k = 0; k < movable.length; k++) {
            places[movable[k]] = k;
        }
        int width = bounded.get().features().length;
        Limited all = new Limited(
                bounds.low(),
                bounds.high(),
                places,
                width,
                new boolean[n],
                new double[n],
                new double[n],
                new double[n],
                new double[n],
                new int[n],
                new boolean[n]);
        people.each(bounded, (i, person) -> {
            double gamma = population().gamma(i);
            person.answer(prediction(i), wish(i), gamma);
            all.who[i] = person.isLimited();
            all.steps[i] = person.isMoving() ? person.open() / gamma : 0;
            all.after[i] = person.after();
            all.cost[i] = person.cost();
            all.improvement[i] = person.earned();
            all.stops[i] = person.stops();
            all.stuck[i] = person.isStuck();
        });
        boolean anybody = false;
        for (boolean one : all.who) {
            anybody |= one;
        }
        return anybody ? all : null;
    }

    /**
     * Returns the responses of the people in a table. Their gammas are those of their population; the world's gamma is
     * not used.
     */
    public static Responses of(World world, PublishedRule rule, Table rows, Followers people) {
        return new Responses(world, rule, rows, people);
    }

    /**
     * The moves of one column.
     *
     * @param name the encoded column
     * @param meanMove the mean absolute move, in the units of the data
     * @param meanScaled the mean absolute move in scaled units, which are comparable between columns
     * @param largest the move of largest size, with its sign
     * @param leaveRange how many people leave the range seen in training (for an indicator, 0 to 1) by this move
     * @param turnNegative how many people it takes from 0 or more to below 0, if no training value was negative
     * @param stopped how many people are stopped by a limit of this column
     */
    public record FeatureMoves(
            String name,
            double meanMove,
            double meanScaled,
            double largest,
            int leaveRange,
            int turnNegative,
            int stopped) {}

    /** Returns the rule that people respond to. */
    public PublishedRule rule() {
        return rule;
    }

    public int size() {
        return people.size();
    }

    public Population population() {
        return people.population();
    }

    /** Returns the weighted mean of the fraction of the gap that people are expected to close. */
    public double pullThrough() {
        return mean(this::pullThrough);
    }

    private double mean(IntToDoubleFunction of) {
        double first = size() == 0 ? Double.NaN : of.applyAsDouble(0);
        double sum = 0;
        for (int i = 0; i < size(); i++) {
            // summed as differences from the first value, so that the mean of equal values is exactly that value
            sum += of.applyAsDouble(i) - first;
        }
        return first + sum / size();
    }

    /**
     * Returns the fraction of the gap that person i is expected to close: (1 - truthfulShare) omega/(gamma_i + omega)
     * without limits.
     */
    public double pullThrough(int i) {
        return isLimited(i)
                ? (1 - population().truthfulShare()) * (limited.after[i] - prediction(i)) / (wish(i) - prediction(i))
                : people.population().expectedPullThrough(i, omega);
    }

    /** Returns whether limits are declared. */
    public boolean hasLimits() {
        return limits;
    }

    /** Returns whether limits change the response of anyone; if not, the closed form holds. */
    public boolean isLimited() {
        return limited != null;
    }

    private boolean isLimited(int i) {
        return limited != null && limited.who[i];
    }

    /** Returns how many features of person i are stopped by a limit if the person moves. */
    public int stops(int i) {
        return limited == null ? 0 : limited.stops[i];
    }

    /**
     * Returns whether person i would move but stays: no feature can move any further, or the score is already at least
     * as good as wished.
     */
    public boolean isStuck(int i) {
        return limited != null && limited.stuck[i];
    }

    /** Returns whether a limit stops person i in encoded column j if the person moves. */
    public boolean isStopped(int i, int j) {
        return isLimited(i) && isStopped(i, j, value(i, j));
    }

    private boolean isStopped(int i, int j, double from) {
        double free = isLimited(i) ? limited.steps[i] * direction[j] : 0;
        return free != 0 && limited.move(free, from, j) != free;
    }

    /** Returns the value of person i in a manipulable encoded column. */
    private double value(int i, int j) {
        Row row = last;
        if (row.person != i) {
            row = new Row(i, people.features(i, limited.width));
            last = row;
        }
        return row.values[limited.places[j]];
    }

    /**
     * Returns the fraction of the gap that the true target of person i closes by a move; 0 if moves have no effect on
     * it.
     */
    public double earned(int i) {
        return isLimited(i)
                ? limited.improvement[i] / (wish(i) - prediction(i))
                : each.apply(i).earned();
    }

    /** Returns the weighted mean of {@link #earned(int)}. */
    public double earned() {
        return mean(this::earned);
    }

    /** Returns the fraction of the gap of person i that a move closes in the score but not in the true target. */
    public double gamed(int i) {
        return isLimited(i)
                ? (limited.after[i] - prediction(i) - limited.improvement[i]) / (wish(i) - prediction(i))
                : each.apply(i).gamed();
    }

    /** Returns the weighted mean of {@link #gamed(int)}. */
    public double gamed() {
        return mean(this::gamed);
    }

    /** Returns the change of the true target of person i by a move. */
    public double improvement(int i) {
        return isLimited(i) ? limited.improvement[i] : each.apply(i).improvement(prediction(i), wish(i));
    }

    /** Returns the part of that change which comes from moving encoded column j. */
    public double improvement(int i, int j) {
        return effects == null ? 0 : effects[j] * move(i, j) + 0.0;
    }

    public double prediction(int i) {
        return people.prediction(i);
    }

    public double wish(int i) {
        return people.wish(i);
    }

    /** Returns the score of person i after a move: (1 - t_i) p_i + t_i z_i. */
    public double after(int i) {
        return isLimited(i) ? limited.after[i] : each.apply(i).after(prediction(i), wish(i));
    }

    /** Returns the expected score of person i, averaged over being truthful or not. */
    public double expectedAfter(int i) {
        double share = population().truthfulShare();
        return share == 0 ? after(i) : share * prediction(i) + (1 - share) * after(i);
    }

    /**
     * Returns the cost of the move of person i: gamma_i sum_j c_j delta_j^2, which is t_i (1 - t_i) (z_i - p_i)^2
     * without limits.
     */
    public double cost(int i) {
        return isLimited(i) ? limited.cost[i] : each.apply(i).cost(prediction(i), wish(i));
    }

    /** Returns the expected cost of person i, averaged over being truthful or not. */
    public double expectedCost(int i) {
        return (1 - population().truthfulShare()) * cost(i);
    }

    /** Returns the move of person i in encoded column j, in the units of the data. */
    public double move(int i, int j) {
        return !isLimited(i) ? freeMove(i, j) : world.manipulable(j) ? move(i, j, value(i, j)) : 0;
    }

    private double freeMove(int i, int j) {
        // + 0.0 turns -0 into 0
        return each.apply(i).step(prediction(i), wish(i)) * direction[j] + 0.0;
    }

    /** Returns the same move from a known value of the column. */
    private double move(int i, int j, double from) {
        return isLimited(i) ? limited.move(limited.steps[i] * direction[j], from, j) + 0.0 : freeMove(i, j);
    }

    /** Returns the move of person i in encoded column j in scaled units, which are comparable between columns. */
    public double scaledMove(int i, int j) {
        return move(i, j) / columns.get(j).scale();
    }

    /** Returns the indices of the manipulable encoded columns. */
    public int[] movable() {
        return world.movable();
    }

    public String name(int j) {
        return columns.get(j).name();
    }

    /** Returns the moves of each manipulable column, in the order of the encoding. */
    public List<FeatureMoves> features() {
        List<FeatureMoves> list = new ArrayList<>();
        walk((j, feature, column) -> list.add(featureMoves(j, feature, column)));
        return list;
    }

    /** Returns, for every person, the number of columns whose move ends outside the range seen in training. */
    public int[] movesOutOfRange() {
        int[] counts = new int[size()];
        walk((j, feature, column) -> {
            Encoding.Feature.Range range = range(feature);
            IntToDoubleFunction raw = World.values(rows, feature, column);
            for (int i = 0; i < counts.length; i++) {
                double before = raw.applyAsDouble(i);
                counts[i] += leaves(range, before, before + move(i, j, before)) ? 1 : 0;
            }
        });
        return counts;
    }

    /** Sums up the moves of one column over the people. */
    private FeatureMoves featureMoves(int j, Encoding.Feature feature, EncodedColumn column) {
        double sum = 0;
        double largest = 0;
        int leave = 0;
        int negative = 0;
        int stopped = 0;
        Encoding.Feature.Range range = range(feature);
        boolean nonnegative = range == null || range.min() >= 0;
        IntToDoubleFunction raw = World.values(rows, feature, column);
        for (int i = 0; i < size(); i++) {
            double before = raw.applyAsDouble(i);
            double move = move(i, j, before);
            sum += Math.abs(move);
            largest = Math.abs(move) > Math.abs(largest) ? move : largest;
            leave += leaves(range, before, before + move) ? 1 : 0;
            negative += nonnegative && before >= 0 && before + move < 0 ? 1 : 0;
            stopped += isStopped(i, j, before) ? 1 : 0;
        }
        double mean = size() == 0 ? 0 : sum / size();
        return new FeatureMoves(column.name(), mean, mean / column.scale(), largest, leave, negative, stopped);
    }

    private static boolean leaves(Encoding.Feature.Range range, double before, double after) {
        return range != null && range.isLeft(before, after);
    }

    private static Encoding.Feature.Range range(Encoding.Feature feature) {
        return feature.categorical() ? new Encoding.Feature.Range(0, 1) : feature.range();
    }

    /** Receives an encoded column that people can change. */
    @FunctionalInterface
    private interface Visitor {
        void visit(int j, Encoding.Feature feature, EncodedColumn column);
    }

    private void walk(Visitor visitor) {
        int j = 0;
        for (Encoding.Feature feature : world.encoding().features()) {
            for (EncodedColumn column : feature.columns()) {
                if (world.manipulable(j)) {
                    visitor.visit(j, feature, column);
                }
                j++;
            }
        }
    }
}
