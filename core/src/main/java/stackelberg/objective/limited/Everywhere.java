package stackelberg.objective.limited;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * A grid over all rules of one or two features: all directions, and all sizes omega with omega/(scale + omega) between 0
 * and 1, for the scales gamma, omega of least squares and the size of the effects.
 *
 * <p>Without limits the best immutable coefficients are known for every w and pull-through t. Under limits rows close
 * smaller fractions of their gaps, so that several values of t are tried.
 */
final class Everywhere {
    /** The fractions of log(1 + omega/gamma) = -log(1 - t) for which the immutable coefficients are computed. */
    private static final double[] PULLED = {0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};

    private static final double[] NOT_FIXED = {0};

    /** The numbers of directions of two features, and of sizes for each scale with two features and with one. */
    private static final int DIRECTIONS = 64;

    private static final int SIZES = 32;
    private static final int LONE_SIZES = 300;

    /** The largest number of responses that are computed, about a second. */
    private static final double MOST_RESPONSES = 1e7;

    private final LimitedLoss loss;
    private final double[] rootCosts;
    private final double gamma;
    /** The effects on cost-scaled features; null without effects. */
    private final double @Nullable [] effects;
    /** The best immutable part before any move at w = 0. */
    private final double[] none;

    /** What a unit of each cost-scaled feature adds to it. */
    private final double[][] perFeature;

    /** What the wishes add to it. */
    private final double[] perWish;

    /**
     * @param reduction the reduction of the same rows with one gamma, without limits and without effects
     */
    Everywhere(LimitedLoss loss, PredictionGame game, Reduction reduction) {
        this.loss = loss;
        this.rootCosts = Arrays.stream(game.costs()).map(Math::sqrt).toArray();
        this.gamma = game.gamma();
        this.effects = game.effects()
                .map(beta -> {
                    Arrays.setAll(beta, j -> beta[j] / rootCosts[j]);
                    return beta;
                })
                .orElse(null);
        int n = loss.features();
        this.none = fixed(reduction.naiveRule(new double[n]));
        this.perFeature = new double[n][];
        for (int j = 0; j < n; j++) {
            double[] unit = new double[n];
            unit[j] = 1;
            double[] with = fixed(reduction.naiveRule(unit));
            perFeature[j] = new double[none.length];
            Arrays.setAll(perFeature[j], k -> with[k] - none[k]);
        }
        // at gamma = omega = 1 half of the gap is closed: none + perFeature/2 + perWish/2
        double[] unit = new double[n];
        unit[0] = 1;
        double[] half = fixed(reduction.recoverScaled(SphereGeometry.pointOf(unit, 1), 1));
        this.perWish = new double[none.length];
        Arrays.setAll(perWish, k -> 2 * (half[k] - none[k]) - perFeature[0][k]);
    }

    private double[] fixed(LinearRule rule) {
        double[] theta = loss.thetaOf(rule);
        return Arrays.copyOfRange(theta, loss.features(), theta.length);
    }

    /**
     * Returns the points of the grid that are lower than all their neighbours, the lowest first.
     *
     * @param honest omega of least squares
     * @param answers the number of responses that one loss takes
     * @param most the largest number of points
     */
    List<double[]> valleys(double honest, double answers, int most) {
        double[] pulled = none.length == 0 ? NOT_FIXED : PULLED;
        boolean lone = loss.features() == 1;
        double points = (lone ? 2.0 * 2 * LONE_SIZES : DIRECTIONS * 2.0 * SIZES) * pulled.length;
        double share = Math.min(1, MOST_RESPONSES / (points * answers));
        int directions = lone ? 2 : (int) Math.max(12, DIRECTIONS * Math.sqrt(share));
        int sizes = lone ? (int) Math.max(20, LONE_SIZES * share) : (int) Math.max(8, SIZES * Math.sqrt(share));
        double real = effects == null ? 0 : Vectors.dot(effects, effects);
        double[] omegas = DoubleStream.of(gamma, honest, real)
                .filter(scale -> scale > 0 && Double.isFinite(scale))
                .flatMap(scale ->
                        DoubleStream.iterate(0.5, k -> k < sizes, k -> k + 1).map(k -> scale * k / (sizes - k)))
                .sorted()
                .toArray();
        double[][][] losses = new double[directions][omegas.length][pulled.length];
        for (int d = 0; d < directions; d++) {
            for (int k = 0; k < omegas.length; k++) {
                for (int q = 0; q < pulled.length; q++) {
                    losses[d][k][q] = loss.at(theta(d, directions, omegas[k], pulled[q]));
                }
            }
        }
        record Place(double[] theta, double loss) {}
        List<Place> places = new ArrayList<>();
        for (int d = 0; d < directions; d++) {
            for (int k = 0; k < omegas.length; k++) {
                for (int q = 0; q < pulled.length; q++) {
                    if (isValley(losses, d, k, q)) {
                        places.add(new Place(theta(d, directions, omegas[k], pulled[q]), losses[d][k][q]));
                    }
                }
            }
        }
        return places.stream()
                .sorted(Comparator.comparingDouble(Place::loss))
                .limit(most)
                .map(Place::theta)
                .toList();
    }

    /** Returns whether no neighbour is lower; the two directions of one feature are not neighbours. */
    private static boolean isValley(double[][][] losses, int d, int k, int q) {
        int around = losses.length == 2 ? 0 : 1;
        for (int a = -around; a <= around; a++) {
            double[][] beside = losses[(d + a + losses.length) % losses.length];
            for (int size = Math.max(0, k - 1); size <= Math.min(k + 1, beside.length - 1); size++) {
                for (int part = Math.max(0, q - 1); part <= Math.min(q + 1, beside[size].length - 1); part++) {
                    if (beside[size][part] < losses[d][k][q]) {
                        return false;
                    }
                }
            }
        }
        return Double.isFinite(losses[d][k][q]);
    }

    /**
     * Returns t/(1 - t) at a part of the way, on a logarithmic scale, from no moves to moves without limits. With
     * effects it is tau/(1 - tau), from the smallest to the largest value of rows that limits leave some features.
     */
    private double odds(double omega, double[] direction, double part) {
        if (effects == null) {
            return Math.expm1(part * Math.log1p(omega / gamma));
        }
        double least = 0;
        double most = 0;
        for (int left = 1; left < 1 << effects.length; left++) {
            double free = 0;
            double earned = 0;
            for (int j = 0; j < effects.length; j++) {
                boolean moves = (left >> j & 1) == 1;
                free += moves ? omega * direction[j] * direction[j] : 0;
                earned += moves ? Math.sqrt(omega) * direction[j] * effects[j] : 0;
            }
            if (gamma + earned > 0) {
                double one = Math.log1p((free - earned) / (gamma + earned));
                least = Math.min(least, one);
                most = Math.max(most, one);
            }
        }
        return Math.expm1(least + part * (most - least));
    }

    /**
     * Returns the rule of a direction and size, with the best immutable part if every row closes the same fraction of its
     * gap.
     */
    private double[] theta(int d, int directions, double omega, double part) {
        double angle = 2 * Math.PI * d / directions;
        double[] direction = {Math.cos(angle), Math.sin(angle)};
        int n = loss.features();
        double odds = odds(omega, direction, part);
        double[] theta = new double[loss.size()];
        for (int j = 0; j < n; j++) {
            double scaled = Math.sqrt(omega) * direction[j];
            theta[j] = scaled * rootCosts[j];
            for (int k = 0; k < none.length; k++) {
                theta[n + k] += scaled * perFeature[j][k];
            }
        }
        for (int k = 0; k < none.length; k++) {
            theta[n + k] += none[k] + odds * (none[k] + perWish[k]);
        }
        return theta;
    }
}
