package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the followers respond: follower i moves at its own gamma_i, or, with probability truthfulShare, not at all.
 *
 * <p>Follower i closes the share t_i = omega/(gamma_i + omega) of the gap to its wish; a follower with an infinite
 * gamma_i never moves.
 */
public final class Population {
    private final int size;
    /** The common gamma where there is no array of gammas, otherwise NaN. */
    private final double gamma;

    private final double @Nullable [] gammas;
    private final double truthfulShare;

    private Population(int size, double gamma, double @Nullable [] gammas, double truthfulShare) {
        if (!(truthfulShare >= 0 && truthfulShare <= 1)) {
            throw new IllegalArgumentException(
                    "The truthful share is " + truthfulShare + "; it must lie between 0 and 1.");
        }
        this.size = size;
        this.gamma = gamma;
        this.gammas = gammas;
        this.truthfulShare = truthfulShare;
    }

    /**
     * A population with a gamma for each follower.
     *
     * @param gammas one per follower, positive, possibly infinite
     * @param truthfulShare the probability, the same for each follower, of not moving at all; between 0 and 1
     */
    public Population(double[] gammas, double truthfulShare) {
        this(gammas.length, Double.NaN, gammas.clone(), truthfulShare);
        for (int i = 0; i < gammas.length; i++) {
            requirePositive("The gamma of row " + (i + 1), gammas[i]);
        }
    }

    /** A population whose followers all have the same gamma. */
    public static Population ofOneGamma(int people, double gamma, double truthfulShare) {
        requirePositive("gamma", gamma);
        return new Population(people, gamma, null, truthfulShare);
    }

    private static void requirePositive(String what, double gamma) {
        if (!(gamma > 0)) {
            throw new IllegalArgumentException(
                    what + " is " + gamma + "; it must be positive.\nMaybe write infinity for people who never move.");
        }
    }

    public int size() {
        return size;
    }

    public double truthfulShare() {
        return truthfulShare;
    }

    public double gamma(int i) {
        return gammas == null ? gamma : gammas[i];
    }

    /** The gammas, one per follower. */
    public double[] gammas() {
        if (gammas != null) {
            return gammas.clone();
        }
        double[] filled = new double[size];
        Arrays.fill(filled, gamma);
        return filled;
    }

    /** Whether one gamma was declared for all and no truthful share: then one response holds for all followers. */
    public boolean uniform() {
        return gammas == null && truthfulShare == 0;
    }

    /** Whether one gamma was declared for all followers, rather than a column of gammas. */
    public boolean isOneGamma() {
        return gammas == null;
    }

    /** Whether all followers have the same gamma, declared as one number or row by row. */
    public boolean hasEqualGammas() {
        return gammas == null || Arrays.stream(gammas).allMatch(g -> g == gammas[0]);
    }

    /**
     * The gammas, each with the share of the total weight that responds with it; infinity stands for followers that do
     * not move, by their gamma or by chance.
     *
     * @param weight the sample weight of follower i
     */
    public Map<Double, Double> shares(IntToDoubleFunction weight) {
        Map<Double, Double> shares = new TreeMap<>();
        shares.put(Double.POSITIVE_INFINITY, truthfulShare);
        if (gammas == null) {
            shares.merge(gamma, 1 - truthfulShare, Double::sum);
            return shares;
        }
        double total = IntStream.range(0, size).mapToDouble(weight).sum();
        for (int i = 0; i < size; i++) {
            shares.merge(gammas[i], (1 - truthfulShare) * weight.applyAsDouble(i) / total, Double::sum);
        }
        return shares;
    }

    /** The median of the finite gammas; 1 if no follower has a finite one. */
    public double typicalGamma() {
        if (gammas == null) {
            return Double.isFinite(gamma) ? gamma : 1;
        }
        double[] finite =
                Arrays.stream(gammas).filter(Double::isFinite).sorted().toArray();
        return finite.length == 0 ? 1 : finite[finite.length / 2];
    }

    /** The population of some of the rows, by their indices. */
    public Population subset(int[] rows) {
        return gammas == null
                ? new Population(rows.length, gamma, null, truthfulShare)
                : new Population(Arrays.stream(rows).mapToDouble(this::gamma).toArray(), truthfulShare);
    }

    public Population withTruthfulShare(double share) {
        return new Population(size, gamma, gammas, share);
    }

    /** A copy with every gamma multiplied by a factor. */
    public Population times(double factor) {
        return gammas == null
                ? ofOneGamma(size, gamma * factor, truthfulShare)
                : new Population(Arrays.stream(gammas).map(g -> g * factor).toArray(), truthfulShare);
    }

    /**
     * The response of follower i to a rule, if it moves, as a function of i; a common gamma gives one response for all.
     */
    public IntFunction<Response> responses(double omega) {
        return responses(omega, 0);
    }

    /**
     * The responses to a rule with effects, where moves really change the target.
     *
     * @param omega w'C^{-1}w of the rule
     * @param earned beta'C^{-1}w, by how much a move along C^{-1}w changes the target
     */
    public IntFunction<Response> responses(double omega, double earned) {
        if (gammas == null) {
            Response common = Response.of(omega, earned, gamma);
            return i -> common;
        }
        return i -> Response.of(omega, earned, gammas[i]);
    }

    /** (1 - truthfulShare) t_i: the share of the gap that follower i is expected to close. */
    public double expectedPullThrough(int i, double omega) {
        return (1 - truthfulShare) * Response.pullThrough(omega, gamma(i));
    }

    /**
     * A group of a mixed population for tables and figures: the truthful followers, those that never move, or those
     * whose gamma lies in [from, to].
     *
     * <p>A follower can belong to two groups, each with a probability: over all groups its probabilities add up to 1.
     *
     * @param truthful whether this is the group of truthful followers, which do not move whatever their gamma is
     * @param from the smallest gamma; infinite for followers that never move
     * @param to the largest gamma
     * @param share the probability with which each of the rows belongs to this group
     * @param people the indices of the rows that may belong to this group
     */
    public record Group(boolean truthful, double from, double to, double share, int[] people) {
        /** Number of groups, by quantiles of gamma, if there are too many different gammas for a group each. */
        private static final int PARTS = 4;

        public Group {
            people = people.clone();
        }

        @Override
        public int[] people() {
            return people.clone();
        }

        public boolean neverMoves() {
            return Double.isInfinite(from);
        }

        /** Whether all followers of this group have the same gamma. */
        public boolean oneGamma() {
            return !truthful && from == to;
        }

        /**
         * The groups of a population: the truthful followers first, then by ascending gamma, those that never move
         * last.
         *
         * @param most up to this many different gammas make a group each; if there are more, the followers that move
         *     are divided into quarters
         */
        public static List<Group> of(Population population, int most) {
            double share = population.truthfulShare();
            int[] all = IntStream.range(0, population.size()).toArray();
            List<Group> groups = new ArrayList<>();
            if (share > 0) {
                groups.add(new Group(true, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, share, all));
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
                int[] people = Arrays.stream(all)
                        .filter(i -> population.gamma(i) >= from && population.gamma(i) < next)
                        .toArray();
                double to = Arrays.stream(people)
                        .mapToDouble(population::gamma)
                        .max()
                        .orElseThrow();
                groups.add(new Group(false, from, to, 1 - share, people));
            }
            int[] never = Arrays.stream(all)
                    .filter(i -> Double.isInfinite(population.gamma(i)))
                    .toArray();
            if (never.length > 0) {
                groups.add(new Group(false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 1 - share, never));
            }
            return groups;
        }
    }
}
