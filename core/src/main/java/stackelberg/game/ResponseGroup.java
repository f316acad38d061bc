package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A part of a mixed population that responds alike: the truthful, those who never move, or those whose gamma lies in [from, to].
 *
 * <p>The groups of a population share it out: over all groups, every person's shares add up to 1.
 *
 * @param truthful whether these are the truthful, who have any gamma and do not move
 * @param from the least gamma; infinite for people who never move
 * @param to the largest gamma
 * @param share the probability with which each of the people is of this group
 * @param people who may be of this group, as far as the data tell
 */
public record ResponseGroup(boolean truthful, double from, double to, double share, int[] people) {
    /** Parts into which gammas are cut that are too many to stand alone. */
    private static final int PARTS = 4;

    public ResponseGroup {
        people = people.clone();
    }

    @Override
    public int[] people() {
        return people.clone();
    }

    public boolean neverMoves() {
        return Double.isInfinite(from);
    }

    /** Whether all of this group have the same gamma. */
    public boolean oneGamma() {
        return !truthful && from == to;
    }

    /**
     * The groups of a population: the truthful first, then by gamma, those who never move last.
     *
     * @param most how many different gammas are a group each; if there are more, the quarters of those who move are
     */
    public static List<ResponseGroup> of(Population population, int most) {
        double share = population.truthfulShare();
        int[] everybody = IntStream.range(0, population.size()).toArray();
        List<ResponseGroup> groups = new ArrayList<>();
        if (share > 0) {
            groups.add(new ResponseGroup(true, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, share, everybody));
        }
        if (share == 1) {
            return groups;
        }
        double[] moving = Arrays.stream(population.gammas())
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        double[] starts = Arrays.stream(moving).distinct().limit(most + 1L).toArray();
        if (starts.length > most) {
            starts = IntStream.range(0, PARTS)
                    .mapToDouble(k -> moving[(int) ((long) k * moving.length / PARTS)])
                    .distinct()
                    .toArray();
        }
        for (int k = 0; k < starts.length; k++) {
            double from = starts[k];
            double next = k + 1 < starts.length ? starts[k + 1] : Double.POSITIVE_INFINITY;
            int[] people = Arrays.stream(everybody)
                    .filter(i -> population.gamma(i) >= from && population.gamma(i) < next)
                    .toArray();
            double to =
                    Arrays.stream(people).mapToDouble(population::gamma).max().orElseThrow();
            groups.add(new ResponseGroup(false, from, to, 1 - share, people));
        }
        int[] never = Arrays.stream(everybody)
                .filter(i -> Double.isInfinite(population.gamma(i)))
                .toArray();
        if (never.length > 0) {
            groups.add(new ResponseGroup(false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 1 - share, never));
        }
        return groups;
    }
}
