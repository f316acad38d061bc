package stackelberg.objective.limited;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * The loss under limits, sum_i s_i [S (p_i - y_i)^2 + (1 - S) E (after_i - y_i)^2] + mu omega (S + (1 - S) gamma/(gamma +
 * omega)), and its gradient in theta = (w, q, intercept); with effects, y_i is the truth after the move.
 *
 * <p>The ridge is that of the game without limits. The rows are read in one pass, in blocks whose sums are added in a
 * fixed order, so that no result depends on the number of threads.
 */
final class LimitedLoss {
    /** The number of values in a block of rows, 128 kB. */
    private static final int BLOCK = 1 << 14;

    private final Matrix x;
    private final double[] y;
    private final double[] z;
    private final double[] weights;
    private final double[] noise;
    private final double[] costs;
    private final double[][] immutable;
    private final boolean intercept;
    private final Population population;
    private final double ridge;
    private final double gamma;
    private final Response.Bounds bounds;
    /** Null without effects. */
    private final double @Nullable [] effects;

    private final Workers workers;
    /** The share of the weights with each gamma, infinite for followers that do not move. */
    private final Map<Double, Double> shares;

    private final int height;
    private final int blocks;

    LimitedLoss(PredictionGame game, Workers workers) {
        this.x = game.x();
        this.y = game.y();
        this.z = game.z();
        this.weights = game.weights();
        this.noise = game.wishNoise();
        this.costs = game.costs();
        this.immutable = game.immutable();
        this.intercept = game.hasIntercept();
        this.population = game.population();
        this.shares = population.shares(game::weight);
        this.ridge = game.ridge();
        this.gamma = game.gamma();
        this.bounds = game.bounds().orElseGet(() -> Response.Bounds.none(x.cols(), null));
        this.effects = game.effects().orElse(null);
        this.workers = workers;
        this.height = Math.max(1, BLOCK / Math.max(1, x.cols()));
        this.blocks = (x.rows() + height - 1) / height;
    }

    /** Returns the number of coefficients of a rule, with the intercept. */
    int size() {
        return x.cols() + immutable.length + (intercept ? 1 : 0);
    }

    int features() {
        return x.cols();
    }

    double[] thetaOf(LinearRule rule) {
        double[] theta = Arrays.copyOf(rule.w(), size());
        System.arraycopy(rule.q(), 0, theta, x.cols(), immutable.length);
        if (intercept) {
            theta[theta.length - 1] = rule.intercept();
        }
        return theta;
    }

    LinearRule ruleOf(double[] theta) {
        int n = x.cols();
        return new LinearRule(
                Arrays.copyOf(theta, n),
                Arrays.copyOfRange(theta, n, n + immutable.length),
                intercept ? theta[theta.length - 1] : 0);
    }

    /** Returns the loss. */
    double at(double[] theta) {
        return at(theta, null);
    }

    /**
     * Returns the loss.
     *
     * @param gradient receives the gradient, unless it is null
     */
    double at(double[] theta, double @Nullable [] gradient) {
        int n = x.cols();
        double[] w = Arrays.copyOf(theta, n);
        double omega = 0;
        for (int j = 0; j < n; j++) {
            omega += w[j] * w[j] / costs[j];
        }
        double norm = omega;
        double[][] sums = new double[blocks][];
        workers.run(blocks, block -> sums[block] = block(block, theta, w, norm, gradient != null));
        double[] total = new double[theta.length + 1];
        for (double[] sum : sums) {
            for (int k = 0; k < sum.length; k++) {
                total[k] += sum[k];
            }
        }
        if (gradient != null) {
            System.arraycopy(total, 0, gradient, 0, theta.length);
        }
        return total[theta.length] + penalty(w, omega, gradient);
    }

    /** Returns the gradient of a block's loss, followed by that loss. */
    private double[] block(int block, double[] theta, double[] w, double omega, boolean sloped) {
        int n = w.length;
        int first = block * height;
        int count = Math.min(height, x.rows() - first);
        double[] rows = new double[count * n];
        x.tile(first, count, 0, n, DoubleBuffer.wrap(rows));
        double share = population.truthfulShare();
        Response.Bounded person = new Response.Bounded(w, omega, costs, bounds, effects);
        double[] features = person.features();
        double[] sums = new double[theta.length + 1];
        for (int r = 0; r < count; r++) {
            int i = first + r;
            if (weights[i] == 0) {
                continue;
            }
            System.arraycopy(rows, r * n, features, 0, n);
            double p = intercept ? theta[theta.length - 1] : 0;
            for (int k = 0; k < immutable.length; k++) {
                p += theta[n + k] * immutable[k][i];
            }
            for (int j = 0; j < n; j++) {
                p += w[j] * features[j];
            }
            double moving = weights[i] * (1 - share);
            double fixed = 0;
            if (share < 1) {
                sums[theta.length] += moving
                        * (sloped
                                ? person.loss(p, z[i], population.gamma(i), y[i], noise[i], moving, sums)
                                : person.loss(p, z[i], population.gamma(i), y[i], noise[i]));
                fixed = sloped ? person.fixedSlope() : 0;
            }
            if (share > 0) {
                double plain = p - y[i];
                sums[theta.length] += weights[i] * share * plain * plain;
                double push = 2 * weights[i] * share * plain;
                fixed += push;
                for (int j = 0; j < n && sloped; j++) {
                    sums[j] += push * features[j];
                }
            }
            for (int k = 0; k < immutable.length && sloped; k++) {
                sums[n + k] += fixed * immutable[k][i];
            }
            if (intercept) {
                sums[theta.length - 1] += fixed;
            }
        }
        return sums;
    }

    /** Returns {@link PredictionGame#penalty} and adds its gradient. */
    private double penalty(double[] w, double omega, double @Nullable [] gradient) {
        if (ridge == 0) {
            return 0;
        }
        if (effects != null) {
            return realPenalty(w, omega, effects, gradient);
        }
        double paying = 0;
        double slope = 0;
        for (var part : shares.entrySet()) {
            double left = Response.remainder(omega, part.getKey());
            paying += part.getValue() * left;
            slope += part.getValue() * left * left;
        }
        for (int j = 0; gradient != null && j < w.length; j++) {
            gradient[j] += ridge * 2 * w[j] / costs[j] * slope;
        }
        return ridge * omega * paying;
    }

    /**
     * Returns the penalty with effects, mu ((1 - tau)^2 omega + gamma tau^2) = mu (gamma omega + b^2)/(gamma + omega) with
     * b = beta'C^{-1}w.
     */
    private double realPenalty(double[] w, double omega, double[] beta, double @Nullable [] gradient) {
        double earned = 0;
        for (int j = 0; j < w.length; j++) {
            earned += beta[j] * w[j] / costs[j];
        }
        double resistance = gamma + omega;
        double byOmega = (gamma - earned) * (gamma + earned) / (resistance * resistance);
        for (int j = 0; gradient != null && j < w.length; j++) {
            gradient[j] += ridge * 2 * (byOmega * w[j] + earned / resistance * beta[j]) / costs[j];
        }
        return ridge * (gamma * omega + earned * earned) / resistance;
    }

    /** Returns the metric of descents: half the Hessian of the loss before any move. */
    Metric metric() {
        return Metric.of(x, costs, immutable, intercept, weights, workers);
    }
}
