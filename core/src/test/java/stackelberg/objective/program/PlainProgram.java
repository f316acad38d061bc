package stackelberg.objective.program;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;

/** Both losses of a rule written out from the definition, and local searches over (w, q) under a bound on the one: no sphere, no program, nothing of the library's linear algebra. */
final class PlainProgram {
    private final PredictionGame game;
    private final double[][] rows;
    private final double[] y;
    private final double[] z;
    private final double[] weights;
    private final double[] costs;
    private final double[] effects;
    private final double noise;
    private final int n;

    PlainProgram(PredictionGame game) {
        this.game = game;
        this.n = game.x().cols();
        this.y = game.y();
        this.z = game.z();
        this.weights = game.weights();
        this.costs = game.costs();
        this.effects = game.effects().orElse(new double[n]);
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            sum += weights[i] * game.wishNoise(i) * game.wishNoise(i);
        }
        this.noise = sum;
        double[][] fixed = game.immutable();
        int size = n + fixed.length + (game.hasIntercept() ? 1 : 0);
        this.rows = new double[y.length][size];
        for (int i = 0; i < rows.length; i++) {
            game.x().tile(i, 1, 0, n, DoubleBuffer.wrap(rows[i], 0, n));
            for (int j = 0; j < fixed.length; j++) {
                rows[i][n + j] = fixed[j][i];
            }
            if (game.hasIntercept()) {
                rows[i][size - 1] = 1;
            }
        }
    }

    int size() {
        return rows[0].length;
    }

    double[] theta(LinearRule rule) {
        double[] theta = Arrays.copyOf(rule.w(), size());
        double[] q = rule.q();
        System.arraycopy(q, 0, theta, n, q.length);
        if (game.hasIntercept()) {
            theta[n + q.length] = rule.intercept();
        }
        return theta;
    }

    double[] scores(double[] theta) {
        return Arrays.stream(rows).mapToDouble(row -> dot(theta, row)).toArray();
    }

    /** H. */
    double honest(double[] theta, double[] gradient) {
        Arrays.fill(gradient, 0);
        double value = 0;
        for (int i = 0; i < rows.length; i++) {
            double p = dot(theta, rows[i]);
            value += weights[i] * game.loss().value(p, y[i]);
            add(weights[i] * game.loss().slope(p, y[i]), rows[i], gradient);
        }
        return value;
    }

    /** M, with the noise of the wishes and the ridge. */
    double moved(double[] theta, double[] gradient) {
        double gamma = game.gamma();
        double omega = 0;
        double earned = 0;
        for (int j = 0; j < n; j++) {
            omega += theta[j] * theta[j] / costs[j];
            earned += effects[j] * theta[j] / costs[j];
        }
        double tau = (omega - earned) / (gamma + omega);
        double kept = 1 - tau;
        Arrays.fill(gradient, 0);
        double value = tau * tau * noise + game.ridge() * (kept * earned + gamma * tau);
        double byTau = 2 * tau * noise + game.ridge() * (gamma - earned);
        for (int i = 0; i < rows.length; i++) {
            double p = dot(theta, rows[i]);
            double score = kept * p + tau * z[i];
            value += weights[i] * game.loss().value(score, y[i]);
            double push = weights[i] * game.loss().slope(score, y[i]);
            byTau += push * (z[i] - p);
            add(push * kept, rows[i], gradient);
        }
        for (int j = 0; j < n; j++) {
            double slope = (2 * theta[j] - effects[j]) / costs[j] / (gamma + omega)
                    - (omega - earned) * 2 * theta[j] / costs[j] / ((gamma + omega) * (gamma + omega));
            gradient[j] += byTau * slope + game.ridge() * kept * effects[j] / costs[j];
        }
        return value;
    }

    double honest(double[] theta) {
        return honest(theta, new double[theta.length]);
    }

    double moved(double[] theta) {
        return moved(theta, new double[theta.length]);
    }

    /** H with the ridge of a rule that nobody answers, mu ||w||^2. */
    private double penalised(double[] theta, double[] gradient) {
        double value = honest(theta, gradient);
        for (int j = 0; j < n; j++) {
            value += game.ridge() * theta[j] * theta[j] / costs[j];
            gradient[j] += 2 * game.ridge() * theta[j] / costs[j];
        }
        return value;
    }

    /** The best rule if nobody moves. */
    double[] bestHonest() {
        return descend(this::penalised, new double[size()]);
    }

    /** The least M that descents from many starts find among rules with H at most a bound, each ended by going back towards a rule that keeps it. */
    double best(double bound, double[] inside, int starts, Random random) {
        double best = Double.POSITIVE_INFINITY;
        double size = 1e-3 + Math.sqrt(dot(inside, inside));
        for (int start = 0; start < starts; start++) {
            double[] theta = inside.clone();
            double far = start == 0 ? 0 : size * Math.exp(-2 + 3 * random.nextDouble());
            for (int j = 0; j < theta.length; j++) {
                theta[j] += far * random.nextGaussian();
            }
            best = Math.min(best, constrained(theta, bound, inside));
        }
        return best;
    }

    /** Augmented Lagrangian. */
    private double constrained(double[] start, double bound, double[] inside) {
        double[] theta = constrained(this::moved, this::honest, start, bound);
        // H is convex: on the way to a rule that keeps the bound lies one that just does
        double low = 0;
        double high = 1;
        if (honest(theta) <= bound) {
            return moved(theta);
        }
        for (int k = 0; k < 60; k++) {
            double middle = (low + high) / 2;
            if (honest(mix(theta, inside, middle)) <= bound) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return moved(mix(theta, inside, high));
    }

    /** A point where one function is locally least and another nearly at most a bound. */
    static double[] constrained(Smooth f, Smooth bounded, double[] start, double bound) {
        double[] theta = start;
        double multiplier = 0;
        double penalty = 1 / bound;
        double before = Double.POSITIVE_INFINITY;
        for (int round = 0; round < 12; round++) {
            double lambda = multiplier;
            double rho = penalty;
            theta = descend(
                    (at, gradient) -> {
                        double value = f.at(at, gradient);
                        double[] slope = new double[at.length];
                        double over = lambda + rho * (bounded.at(at, slope) - bound);
                        if (over > 0) {
                            add(over, slope, gradient);
                            value += over * over / (2 * rho);
                        }
                        return value;
                    },
                    theta);
            double over = bounded.at(theta, new double[theta.length]) - bound;
            multiplier = Math.max(0, lambda + rho * over);
            if (Math.abs(over) > 0.25 * before) {
                penalty *= 10;
            }
            before = Math.abs(over);
        }
        return theta;
    }

    private static double[] mix(double[] a, double[] b, double part) {
        double[] mixed = new double[a.length];
        Arrays.setAll(mixed, j -> (1 - part) * a[j] + part * b[j]);
        return mixed;
    }

    /** A value and its gradient. */
    interface Smooth {
        double at(double[] theta, double[] gradient);
    }

    /** BFGS with a dense inverse Hessian. */
    static double[] descend(Smooth f, double[] start) {
        int size = start.length;
        double[] theta = start.clone();
        double[] gradient = new double[size];
        double value = f.at(theta, gradient);
        double[][] inverse = new double[size][size];
        boolean fresh = true;
        for (int step = 0; step < 300; step++) {
            for (int j = 0; j < size && fresh; j++) {
                Arrays.fill(inverse[j], 0);
                inverse[j][j] = 1;
            }
            double[] direction = new double[size];
            for (int j = 0; j < size; j++) {
                direction[j] = -dot(inverse[j], gradient);
            }
            double slope = dot(direction, gradient);
            double[] next = new double[size];
            double[] slopes = new double[size];
            double reached = Double.NaN;
            double length = 1;
            for (int k = 0; k < 60; k++, length /= 2) {
                for (int j = 0; j < size; j++) {
                    next[j] = theta[j] + length * direction[j];
                }
                reached = f.at(next, slopes);
                if (reached <= value + 1e-4 * length * slope) {
                    break;
                }
            }
            if (!(slope < 0) || !(reached < value)) {
                if (fresh) {
                    return theta;
                }
                fresh = true;
                continue;
            }
            double[] s = new double[size];
            double[] d = new double[size];
            for (int j = 0; j < size; j++) {
                s[j] = next[j] - theta[j];
                d[j] = slopes[j] - gradient[j];
            }
            double product = dot(s, d);
            if (product > 0) {
                update(inverse, s, d, product, fresh ? product / dot(d, d) : 0);
                fresh = false;
            }
            System.arraycopy(next, 0, theta, 0, size);
            gradient = slopes;
            boolean idle = value - reached <= 1e-15 * Math.abs(value);
            value = reached;
            if (idle && fresh) {
                return theta;
            }
            fresh |= idle;
        }
        return theta;
    }

    private static void update(double[][] inverse, double[] s, double[] d, double product, double first) {
        int size = s.length;
        for (int j = 0; j < size && first > 0; j++) {
            inverse[j][j] = first;
        }
        double[] hd = new double[size];
        double bend = 0;
        for (int j = 0; j < size; j++) {
            hd[j] = dot(inverse[j], d);
            bend += d[j] * hd[j];
        }
        for (int j = 0; j < size; j++) {
            for (int k = 0; k < size; k++) {
                inverse[j][k] += (1 + bend / product) * s[j] * s[k] / product - (hd[j] * s[k] + s[j] * hd[k]) / product;
            }
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    private static void add(double factor, double[] v, double[] to) {
        for (int j = 0; j < v.length; j++) {
            to[j] += factor * v[j];
        }
    }
}
