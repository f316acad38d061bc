package stackelberg.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Feature;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.PullThrough;

/**
 * What everybody does about a rule, in the units of the data: person i moves column j by (z_i - p_i) d_j, where d is the same direction
 * for all.
 *
 * <p>The closed form knows no bounds: {@link #features} counts the moves that end where nobody was seen in training, or below zero.
 */
public final class Responses {
    private final World world;
    private final Table rows;
    private final double[] predictions;
    private final double[] wishes;
    private final double[] after;
    private final double[] direction;
    private final double effort;
    private final double pullThrough;

    private Responses(World world, PublishedRule rule, Table rows, double[] predictions, double[] wishes) {
        this.world = world;
        this.rows = rows;
        this.predictions = predictions.clone();
        this.wishes = wishes.clone();
        this.after = world.afterResponse(rule, predictions, wishes);
        this.direction = world.direction(rule);
        double omega = world.omega(rule);
        this.pullThrough = PullThrough.of(omega, world.gamma());
        this.effort = pullThrough * PullThrough.remainder(omega, world.gamma());
    }

    public static Responses of(World world, PublishedRule rule, Table rows, double[] predictions, double[] wishes) {
        return new Responses(world, rule, rows, predictions, wishes);
    }

    /**
     * How people move one column.
     *
     * @param name the encoded column
     * @param meanMove mean size of the move, in the units of the data
     * @param meanScaled the same in scaled units, which columns share
     * @param largest the largest move in size, with its sign
     * @param leaveRange how many people leave the range seen in training by it; of an indicator, 0 to 1
     * @param turnNegative how many people it takes from 0 or more to below 0
     */
    public record FeatureMoves(
            String name, double meanMove, double meanScaled, double largest, int leaveRange, int turnNegative) {}

    public int size() {
        return predictions.length;
    }

    public double pullThrough() {
        return pullThrough;
    }

    public double prediction(int i) {
        return predictions[i];
    }

    public double wish(int i) {
        return wishes[i];
    }

    public double after(int i) {
        return after[i];
    }

    /** What the move costs person i: gamma sum_j c_j delta_j^2 = t (1 - t) (z_i - p_i)^2. */
    public double cost(int i) {
        double gap = wishes[i] - predictions[i];
        return effort * gap * gap;
    }

    /** How far person i moves encoded column j, in the units of the data. */
    public double move(int i, int j) {
        return (wishes[i] - predictions[i]) * direction[j];
    }

    /** The encoded columns people can move, by their index. */
    public int[] movable() {
        return java.util.stream.IntStream.range(0, direction.length)
                .filter(world::manipulable)
                .toArray();
    }

    public String name(int j) {
        return world.encoding().columns().get(j).name();
    }

    /** Per column people can move, how far they do, in the order of the encoding. */
    public List<FeatureMoves> features() {
        List<FeatureMoves> list = new ArrayList<>();
        walk((j, feature, column) -> list.add(featureMoves(j, feature, column)));
        return list;
    }

    /** For every person, how many of its moves end outside the range seen in training. */
    public int[] movesOutOfRange() {
        int[] counts = new int[size()];
        walk((j, feature, column) -> {
            Feature.Range range = range(feature);
            IntToDoubleFunction raw = raw(feature, column);
            for (int i = 0; i < counts.length; i++) {
                double before = raw.applyAsDouble(i);
                counts[i] += leaves(range, before, before + move(i, j)) ? 1 : 0;
            }
        });
        return counts;
    }

    private FeatureMoves featureMoves(int j, Feature feature, EncodedColumn column) {
        double sum = 0;
        double largest = 0;
        int leave = 0;
        int negative = 0;
        Feature.Range range = range(feature);
        IntToDoubleFunction raw = raw(feature, column);
        for (int i = 0; i < size(); i++) {
            double move = move(i, j);
            double before = raw.applyAsDouble(i);
            sum += Math.abs(move);
            largest = Math.abs(move) > Math.abs(largest) ? move : largest;
            leave += leaves(range, before, before + move) ? 1 : 0;
            negative += before >= 0 && before + move < 0 ? 1 : 0;
        }
        double mean = size() == 0 ? 0 : sum / size();
        return new FeatureMoves(column.name(), mean, mean / column.scale(), largest, leave, negative);
    }

    /** Whoever was outside before does not leave. */
    static boolean leaves(Feature.Range range, double before, double after) {
        return range != null && !range.excludes(before) && range.excludes(after);
    }

    private static Feature.Range range(Feature feature) {
        return feature.categorical() ? new Feature.Range(0, 1) : feature.range();
    }

    /** Everybody's value of an encoded column as it is, in the units of the data; the column is looked up once. */
    private IntToDoubleFunction raw(Feature feature, EncodedColumn column) {
        if (feature.categorical()) {
            return rows.column(feature.column()) instanceof stackelberg.data.CategoricalColumn text
                    ? i -> column.level().equals(text.level(i)) ? 1 : 0
                    : i -> 0;
        }
        NumericColumn numbers = rows.numeric(feature.column());
        return i -> numbers.isMissing(i) ? feature.mean() : numbers.value(i);
    }

    @FunctionalInterface
    private interface Visitor {
        void visit(int j, Feature feature, EncodedColumn column);
    }

    private void walk(Visitor visitor) {
        int j = 0;
        for (Feature feature : world.encoding().features()) {
            for (EncodedColumn column : feature.columns()) {
                if (world.manipulable(j)) {
                    visitor.visit(j, feature, column);
                }
                j++;
            }
        }
    }
}
