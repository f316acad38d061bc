package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Who responds how: person i moves at its own gamma_i, or, with probability truthfulShare, not at all.
 *
 * <p>Person i closes t_i = omega / (gamma_i + omega) of the gap to its wish; an infinite gamma_i is a person who never moves.
 */
public final class Population {
    private final int size;
    /** Everybody's, where gammas is null. */
    private final double gamma;

    private final double[] gammas;
    private final double truthfulShare;

    private Population(int size, double gamma, double[] gammas, double truthfulShare) {
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
     * People who differ.
     *
     * @param gammas one per person, positive, possibly infinite
     * @param truthfulShare the probability, for everybody, of not moving whatever gamma says
     */
    public Population(double[] gammas, double truthfulShare) {
        this(gammas.length, Double.NaN, gammas.clone(), truthfulShare);
        for (int i = 0; i < gammas.length; i++) {
            requirePositive("The gamma of row " + (i + 1), gammas[i]);
        }
    }

    /** People who all move at one gamma, unless they are truthful. */
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

    /** One per person. */
    public double[] gammas() {
        if (gammas != null) {
            return gammas.clone();
        }
        double[] filled = new double[size];
        Arrays.fill(filled, gamma);
        return filled;
    }

    /** Whether everybody is declared to move, and at the same gamma: then one response is everybody's. */
    public boolean uniform() {
        return gammas == null && truthfulShare == 0;
    }

    /** Whether one gamma was declared for all. */
    public boolean isOneGamma() {
        return gammas == null;
    }

    /** Whether all have the same gamma. */
    public boolean alike() {
        return gammas == null || Arrays.stream(gammas).allMatch(g -> g == gammas[0]);
    }

    /** The median gamma of those who move, 1 if nobody does. */
    public double typicalGamma() {
        if (gammas == null) {
            return Double.isFinite(gamma) ? gamma : 1;
        }
        double[] finite =
                Arrays.stream(gammas).filter(Double::isFinite).sorted().toArray();
        return finite.length == 0 ? 1 : finite[finite.length / 2];
    }

    /** Some of the people. */
    public Population of(int[] people) {
        return gammas == null
                ? new Population(people.length, gamma, null, truthfulShare)
                : new Population(Arrays.stream(people).mapToDouble(this::gamma).toArray(), truthfulShare);
    }

    public Population withTruthfulShare(double share) {
        return new Population(size, gamma, gammas, share);
    }

    /** The same people, if moving were that many times as hard for everybody. */
    public Population times(double factor) {
        return gammas == null
                ? ofOneGamma(size, gamma * factor, truthfulShare)
                : new Population(Arrays.stream(gammas).map(g -> g * factor).toArray(), truthfulShare);
    }

    /** What each of them does about a rule if it moves; one value for all who share a gamma. */
    public IntFunction<Response> responses(double omega) {
        return responses(omega, 0);
    }

    /**
     * The same where moves really change the target.
     *
     * @param earned beta'C^{-1}w, what a move along C^{-1}w does to the target
     */
    public IntFunction<Response> responses(double omega, double earned) {
        if (gammas == null) {
            Response everybodys = Response.of(omega, earned, gamma);
            return i -> everybodys;
        }
        return i -> Response.of(omega, earned, gammas[i]);
    }

    /** (1 - truthfulShare) t_i: the fraction of the gap that person i closes on average over being truthful or not. */
    public double expectedPullThrough(int i, double omega) {
        return (1 - truthfulShare) * Response.pullThrough(omega, gamma(i));
    }

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
    public record Group(boolean truthful, double from, double to, double share, int[] people) {
        /** Parts into which gammas are cut that are too many to stand alone. */
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

        /** Whether all of this group have the same gamma. */
        public boolean oneGamma() {
            return !truthful && from == to;
        }

        /**
         * The groups of a population: the truthful first, then by gamma, those who never move last.
         *
         * @param most how many different gammas are a group each; if there are more, the quarters of those who move are
         */
        public static List<Group> of(Population population, int most) {
            double share = population.truthfulShare();
            int[] everybody = IntStream.range(0, population.size()).toArray();
            List<Group> groups = new ArrayList<>();
            if (share > 0) {
                groups.add(new Group(true, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, share, everybody));
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
                double to = Arrays.stream(people)
                        .mapToDouble(population::gamma)
                        .max()
                        .orElseThrow();
                groups.add(new Group(false, from, to, 1 - share, people));
            }
            int[] never = Arrays.stream(everybody)
                    .filter(i -> Double.isInfinite(population.gamma(i)))
                    .toArray();
            if (never.length > 0) {
                groups.add(new Group(false, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 1 - share, never));
            }
            return groups;
        }
    }
}
