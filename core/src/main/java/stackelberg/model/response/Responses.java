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
 * What everybody does about a rule, in the units of the data: person i moves column j by (z_i - p_i)/(gamma_i + omega) d_j, where d is the
 * same direction for all.
 *
 * <p>Nobody knows who the truthful are: moves and costs are those of a person who moves, and what is expected of it averages over both.
 *
 * <p>Where limits are declared, nobody goes further than they allow: {@link #stops} and {@link #isStuck} tell whom they stop. {@link #features} counts
 * the moves that end where nobody was seen in training, or below zero.
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
    /** Null where no limit stops anybody: then the closed form holds. */
    private final Limited limited;
    /** The person that was last asked about, and what it has. */
    private Row last = new Row(-1, null);

    private record Row(int person, double[] values) {}

    /**
     * Those for whom limits change anything.
     *
     * @param low the least value of every encoded column, in the units of the data
     * @param places of every encoded column among those that people can change
     * @param who for whom
     * @param steps how far they would go along the direction if nothing stopped them on this way; 0 for those who do not move
     * @param stops how many limits stop them
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
        /** How far somebody goes who would go that far if nothing stopped it. */
        double move(double free, double from, int j) {
            return free > 0
                    ? Math.min(free, Math.max(0, high[j] - from))
                    : free < 0 ? Math.max(free, Math.min(0, low[j] - from)) : 0;
        }
    }
    /** What a move by one unit of the data does to the target, per encoded column; null where moves do nothing to it. */
    private final double[] effects;

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

    /** Of the people in the rows of a table; who moves how is their business, and the world's gamma plays no part. */
    public static Responses of(World world, PublishedRule rule, Table rows, Followers people) {
        return new Responses(world, rule, rows, people);
    }

    /**
     * How people move one column.
     *
     * @param name the encoded column
     * @param meanMove mean size of the move, in the units of the data
     * @param meanScaled the same in scaled units, which columns share
     * @param largest the largest move in size, with its sign
     * @param leaveRange how many people leave the range seen in training by it; of an indicator, 0 to 1
     * @param turnNegative how many people it takes from 0 or more to below 0, where nobody was in training
     * @param stopped how many people a limit stops with it
     */
    public record FeatureMoves(
            String name,
            double meanMove,
            double meanScaled,
            double largest,
            int leaveRange,
            int turnNegative,
            int stopped) {}

    /** What they respond to. */
    public PublishedRule rule() {
        return rule;
    }

    public int size() {
        return people.size();
    }

    public Population population() {
        return people.population();
    }

    /** The average over the people of the fraction of the gap that they are expected to close. */
    public double pullThrough() {
        return mean(this::pullThrough);
    }

    private double mean(IntToDoubleFunction of) {
        double first = size() == 0 ? Double.NaN : of.applyAsDouble(0);
        double sum = 0;
        for (int i = 0; i < size(); i++) {
            // from the first, so that equal ones have exactly their own value as their mean
            sum += of.applyAsDouble(i) - first;
        }
        return first + sum / size();
    }

    /** The fraction of the gap that person i is expected to close: (1 - truthfulShare) omega/(gamma_i + omega). */
    public double pullThrough(int i) {
        return isLimited(i)
                ? (1 - population().truthfulShare()) * (limited.after[i] - prediction(i)) / (wish(i) - prediction(i))
                : people.population().expectedPullThrough(i, omega);
    }

    /** Whether limits are declared. */
    public boolean hasLimits() {
        return limits;
    }

    /** Whether limits change anything for anybody; if not, the closed form holds. */
    public boolean isLimited() {
        return limited != null;
    }

    private boolean isLimited(int i) {
        return limited != null && limited.who[i];
    }

    /** How many features of person i a limit stops if it moves. */
    public int stops(int i) {
        return limited == null ? 0 : limited.stops[i];
    }

    /** Whether person i would move and stays where it is: no feature can go any further, or its score is good enough already. */
    public boolean isStuck(int i) {
        return limited != null && limited.stuck[i];
    }

    /** Whether a limit stops person i with encoded column j if it moves. */
    public boolean isStopped(int i, int j) {
        return isLimited(i) && isStopped(i, j, value(i, j));
    }

    private boolean isStopped(int i, int j, double from) {
        double free = isLimited(i) ? limited.steps[i] * direction[j] : 0;
        return free != 0 && limited.move(free, from, j) != free;
    }

    /** What person i has of an encoded column that it can change. */
    private double value(int i, int j) {
        Row row = last;
        if (row.person != i) {
            row = new Row(i, people.features(i, limited.width));
            last = row;
        }
        return row.values[limited.places[j]];
    }

    /** The fraction of the gap that the truth of person i closes if it moves; 0 where moves do nothing to it. */
    public double earned(int i) {
        return isLimited(i)
                ? limited.improvement[i] / (wish(i) - prediction(i))
                : each.apply(i).earned();
    }

    /** The average of it over the people. */
    public double earned() {
        return mean(this::earned);
    }

    /** The fraction of the gap of person i that is closed by the score alone if it moves. */
    public double gamed(int i) {
        return isLimited(i)
                ? (limited.after[i] - prediction(i) - limited.improvement[i]) / (wish(i) - prediction(i))
                : each.apply(i).gamed();
    }

    /** The average of it over the people. */
    public double gamed() {
        return mean(this::gamed);
    }

    /** By how much the target of person i really rises if it moves. */
    public double improvement(int i) {
        return isLimited(i) ? limited.improvement[i] : each.apply(i).improvement(prediction(i), wish(i));
    }

    /** The part of that which comes from moves of encoded column j. */
    public double improvement(int i, int j) {
        return effects == null ? 0 : effects[j] * move(i, j) + 0.0;
    }

    public double prediction(int i) {
        return people.prediction(i);
    }

    public double wish(int i) {
        return people.wish(i);
    }

    /** What person i is predicted if it moves: (1 - t_i) p_i + t_i z_i. */
    public double after(int i) {
        return isLimited(i) ? limited.after[i] : each.apply(i).after(prediction(i), wish(i));
    }

    /** What person i is predicted on average over being truthful or not. */
    public double expectedAfter(int i) {
        double share = population().truthfulShare();
        return share == 0 ? after(i) : share * prediction(i) + (1 - share) * after(i);
    }

    /** What the move costs person i if it moves: gamma_i sum_j c_j delta_j^2 = t_i (1 - t_i) (z_i - p_i)^2. */
    public double cost(int i) {
        return isLimited(i) ? limited.cost[i] : each.apply(i).cost(prediction(i), wish(i));
    }

    /** What moving costs person i on average over being truthful or not. */
    public double expectedCost(int i) {
        return (1 - population().truthfulShare()) * cost(i);
    }

    /** How far person i moves encoded column j if it moves, in the units of the data. */
    public double move(int i, int j) {
        return !isLimited(i) ? freeMove(i, j) : world.manipulable(j) ? move(i, j, value(i, j)) : 0;
    }

    private double freeMove(int i, int j) {
        // + 0, because nobody is to move by -0
        return each.apply(i).step(prediction(i), wish(i)) * direction[j] + 0.0;
    }

    /** The same from a value that is known. */
    private double move(int i, int j, double from) {
        return isLimited(i) ? limited.move(limited.steps[i] * direction[j], from, j) + 0.0 : freeMove(i, j);
    }

    /** The same in scaled units, which columns share. */
    public double scaledMove(int i, int j) {
        return move(i, j) / columns.get(j).scale();
    }

    /** The encoded columns people can move, by their index. */
    public int[] movable() {
        return world.movable();
    }

    public String name(int j) {
        return columns.get(j).name();
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
            Encoding.Feature.Range range = range(feature);
            IntToDoubleFunction raw = World.values(rows, feature, column);
            for (int i = 0; i < counts.length; i++) {
                double before = raw.applyAsDouble(i);
                counts[i] += leaves(range, before, before + move(i, j, before)) ? 1 : 0;
            }
        });
        return counts;
    }

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
