package stackelberg.game;

import java.util.Arrays;

/**
 * Who responds how: person i moves at its own gamma_i, or, with probability truthfulShare, not at all.
 *
 * <p>Person i closes t_i = omega / (gamma_i + omega) of the gap to its wish; an infinite gamma_i is a person who never moves.
 *
 * @param gammas one per person, positive, possibly infinite
 * @param truthfulShare the probability, for everybody, of not moving whatever gamma says
 */
public record Population(double[] gammas, double truthfulShare) {
    public Population {
        for (int i = 0; i < gammas.length; i++) {
            if (!(gammas[i] > 0)) {
                throw new IllegalArgumentException("The gamma of row " + (i + 1) + " is " + gammas[i]
                        + "; it must be positive.\nMaybe write infinity for people who never move.");
            }
        }
        if (!(truthfulShare >= 0 && truthfulShare <= 1)) {
            throw new IllegalArgumentException(
                    "The truthful share is " + truthfulShare + "; it must lie between 0 and 1.");
        }
        gammas = gammas.clone();
    }

    /** People who all move at one gamma, unless they are truthful. */
    public static Population ofOneGamma(int people, double gamma, double truthfulShare) {
        double[] gammas = new double[people];
        Arrays.fill(gammas, gamma);
        return new Population(gammas, truthfulShare);
    }

    @Override
    public double[] gammas() {
        return gammas.clone();
    }

    public double gamma(int i) {
        return gammas[i];
    }

    /** Some of the people. */
    public Population of(int[] people) {
        return new Population(Arrays.stream(people).mapToDouble(i -> gammas[i]).toArray(), truthfulShare);
    }

    public Population withTruthfulShare(double share) {
        return new Population(gammas, share);
    }

    /** The same people, if moving were that many times as hard for everybody. */
    public Population times(double factor) {
        return new Population(Arrays.stream(gammas).map(g -> g * factor).toArray(), truthfulShare);
    }

    /** Whether all have the same gamma. */
    public boolean alike() {
        return Arrays.stream(gammas).allMatch(g -> g == gammas[0]);
    }

    public int size() {
        return gammas.length;
    }

    /** The median gamma of those who move, 1 if nobody does. */
    public double typicalGamma() {
        double[] finite =
                Arrays.stream(gammas).filter(Double::isFinite).sorted().toArray();
        return finite.length == 0 ? 1 : finite[finite.length / 2];
    }

    /** t_i, if person i moves. */
    public double pullThrough(int i, double omega) {
        return omega == 0 || Double.isInfinite(gammas[i]) ? 0 : PullThrough.of(omega, gammas[i]);
    }

    /** 1 - t_i, not from t_i. */
    public double remainder(int i, double omega) {
        return PullThrough.remainder(omega, gammas[i]);
    }

    /** (1 - truthfulShare) t_i: the fraction of the gap that person i closes on average over being truthful or not. */
    public double expectedPullThrough(int i, double omega) {
        return (1 - truthfulShare) * pullThrough(i, omega);
    }
}
