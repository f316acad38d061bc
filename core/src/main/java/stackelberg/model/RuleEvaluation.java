package stackelberg.model;

import java.util.Arrays;
import stackelberg.game.PullThrough;

/**
 * What a rule loses in a world: if nobody moves, after everybody has moved, and if the world is not quite as it was thought to be.
 *
 * <p>After the move the mean loss is a convex quadratic of the pull-through t: mean ((1 - t) p_i + t z_i - y_i)^2 + t^2 sigma^2. t falls as
 * gamma grows, so over an interval of gamma, or of costs, the worst case is at an end of it.
 */
public final class RuleEvaluation {
    private final PublishedRule rule;
    private final World world;
    private final double omega;
    private final double[] p;
    private final double[] z;
    private final double[] y;
    private final double[] weights;

    private RuleEvaluation(
            World world, PublishedRule rule, double[] p, double[] z, double[] y, double[] weights, double omega) {
        this.rule = rule;
        this.world = world;
        this.p = p;
        this.z = z;
        this.y = y;
        this.weights = weights;
        this.omega = omega;
    }

    /**
     * Of a rule whose predictions are known.
     *
     * @param p predictions for people as they are
     * @param z their wishes
     * @param y the truth
     * @param weights how much each of them counts
     */
    public static RuleEvaluation of(
            World world, PublishedRule rule, double[] p, double[] z, double[] y, double[] weights) {
        return new RuleEvaluation(world, rule, p.clone(), z.clone(), y.clone(), weights.clone(), world.omega(rule));
    }

    /** The same for some of the people. */
    public RuleEvaluation of(int[] people) {
        return new RuleEvaluation(
                world, rule, pick(p, people), pick(z, people), pick(y, people), pick(weights, people), omega);
    }

    public PublishedRule rule() {
        return rule;
    }

    public int size() {
        return y.length;
    }

    public double pullThrough() {
        return PullThrough.of(omega, world.gamma());
    }

    /** If nobody moves. */
    public Score honest() {
        return Score.of(p, y, weights, 0);
    }

    /** After everybody has moved; the expected one, where wishes are known up to noise. */
    public Score moved() {
        return movedAt(world.gamma(), 0);
    }

    /** After everybody has moved in a world where moving costs gamma and wishes are off by a further standard deviation. */
    public Score movedAt(double gamma, double wishError) {
        double t = PullThrough.of(omega, gamma);
        double remainder = PullThrough.remainder(omega, gamma);
        double[] after = new double[p.length];
        for (int i = 0; i < after.length; i++) {
            after[i] = remainder * p[i] + t * z[i];
        }
        double sd = world.wishNoise();
        return Score.of(after, y, weights, t * t * (sd * sd + wishError * wishError));
    }

    /** Mean squared error if nobody moves, of people counted several times or not at all. */
    double honestLoss(int[] counts) {
        return Score.of(p, y, counted(counts), 0).mse();
    }

    /** Mean squared error after everybody has moved, of people counted several times or not at all. */
    double movedLoss(int[] counts) {
        return new RuleEvaluation(world, rule, p, z, y, counted(counts), omega)
                .moved()
                .mse();
    }

    private double[] counted(int[] counts) {
        double[] counted = weights.clone();
        for (int i = 0; i < counted.length; i++) {
            counted[i] *= counts[i];
        }
        return counted;
    }

    /**
     * The loss over an interval.
     *
     * @param low the score at its lower end
     * @param high the score at its upper end
     * @param worstAtLow whether the lower end is the worse one
     */
    public record Interval(double from, double to, Score low, Score high, boolean worstAtLow) {
        public Score worst() {
            return worstAtLow ? low : high;
        }
    }

    /** After the move, for every gamma of an interval: the worst is at an end. */
    public Interval overGamma(double from, double to) {
        if (!(from > 0) || !(to >= from) || Double.isInfinite(to)) {
            throw new IllegalArgumentException("The range of gamma is " + from + " to " + to
                    + "; it must be positive and ascending.\nMaybe swap the ends.");
        }
        return interval(from, to, from, to);
    }

    /**
     * After the move, if every cost may be wrong by a factor either way: omega then lies between omega/factor and factor omega, and both ends
     * are reached, so it is as if gamma were wrong by the factor.
     */
    public Interval overCosts(double factor) {
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException(
                    "The cost error is " + factor + "; it is a factor and must be at least 1.");
        }
        return interval(1 / factor, factor, world.gamma() / factor, world.gamma() * factor);
    }

    private Interval interval(double from, double to, double lowGamma, double highGamma) {
        Score low = movedAt(lowGamma, 0);
        Score high = movedAt(highGamma, 0);
        return new Interval(from, to, low, high, low.mse() >= high.mse());
    }

    private static double[] pick(double[] values, int[] people) {
        return Arrays.stream(people).mapToDouble(i -> values[i]).toArray();
    }
}
