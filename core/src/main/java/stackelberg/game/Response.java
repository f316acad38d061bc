package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec.Side;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;

/**
 * The best response of a follower to a rule, in closed form (docs/theory.md, section 1).
 *
 * <p>A follower with score p and wish z minimises (score - z)^2 + gamma sum_j c_j delta_j^2 over its moves delta. It
 * moves by (z - p)/(gamma + omega) along C^{-1}w, which closes the share t = omega/(gamma + omega) of the gap, the
 * pull-through, and costs t (1 - t)(z - p)^2. omega = w'C^{-1}w belongs to the rule, gamma to the follower.
 *
 * <p>A follower with infinite gamma never moves, whatever the rule. An infinite omega is the limit point: pull-through
 * 1 for every follower with a finite gamma. t and 1 - t are computed separately: near the limit point 1 - t is tiny and
 * multiplies huge predictions, so it must not come from a subtraction.
 */
public final class Response {
    /** Values copied at a time, 64 kB: they stay in the cache. */
    private static final int BLOCK = 1 << 13;

    /** Tasks per thread: several, so that a thread that finishes early takes over work of the others. */
    private static final int TASKS = 8;

    private final double omega;
    private final double gamma;
    private final double pullThrough;
    private final double remainder;
    /** beta'C^{-1}w, the real change of the target for a move along C^{-1}w. */
    private final double earned;

    private Response(double omega, double earned, double gamma) {
        this.omega = omega;
        this.gamma = gamma;
        this.earned = earned;
        this.pullThrough = pullThrough(omega, gamma);
        this.remainder = remainder(omega, gamma);
    }

    /**
     * The response to a rule.
     *
     * @param omega w'C^{-1}w of the rule, 0 or more; infinite at the limit point
     * @param gamma the cost of moving, positive; infinite for a follower that never moves
     */
    public static Response of(double omega, double gamma) {
        return new Response(omega, 0, gamma);
    }

    /**
     * The response to a rule if moves really change the target: the target moves by the share u = beta'C^{-1}w/(gamma +
     * omega) of the gap, and only tau = t - u is gaming.
     *
     * @param earned beta'C^{-1}w, by how much a move along C^{-1}w changes the target
     */
    public static Response of(double omega, double earned, double gamma) {
        return new Response(omega, earned, gamma);
    }

    /**
     * The pull-through t = omega/(gamma + omega): the share of the gap between prediction and wish that a follower
     * closes, from 0 to 1.
     */
    public static double pullThrough(double omega, double gamma) {
        return Double.isInfinite(gamma) ? 0 : 1 / (1 + gamma / omega);
    }

    /**
     * 1 - t = gamma/(gamma + omega): the weight of the prediction in the score after the move. Computed directly,
     * because subtracting t from 1 loses digits near t = 1.
     */
    public static double remainder(double omega, double gamma) {
        return Double.isInfinite(gamma) ? 1 : 1 / (1 + omega / gamma);
    }

    /**
     * (1 - t)(1 + alpha) with alpha = omega/modelGamma and t for another gamma than the model's: the weight of a
     * prediction that was divided by 1 + alpha.
     *
     * <p>Near the limit point predictions of the model are huge and are kept divided by 1 + alpha; this factor stays
     * finite for every omega and tends to gamma/modelGamma.
     *
     * @param gamma the followers' gamma
     * @param modelGamma the gamma that the rule was fitted with
     * @param modelPullThrough omega/(modelGamma + omega)
     * @param modelRemainder modelGamma/(modelGamma + omega)
     */
    public static double scaledRemainder(
            double gamma, double modelGamma, double modelPullThrough, double modelRemainder) {
        return gamma / (gamma * modelRemainder + modelGamma * modelPullThrough);
    }

    /**
     * The gamma at which followers close the share t of the gap: omega (1 - t)/t; infinite for t = 0 and 0 for t = 1.
     */
    public static double gamma(double omega, double pullThrough) {
        return pullThrough <= 0
                ? Double.POSITIVE_INFINITY
                : pullThrough >= 1 ? 0 : omega * (1 - pullThrough) / pullThrough;
    }

    /** (1 - t) p + t z for a share t that is given directly, for example an average over rows. */
    public static double after(double pullThrough, double prediction, double wish) {
        return (1 - pullThrough) * prediction + pullThrough * wish;
    }

    /**
     * The squared loss after the response, sum_i s_i (k u_i + t d_i)^2, from sums over the rows.
     *
     * @param remainder k, the weight of u: 1 - t, or the scaled remainder for a scaled u
     * @param uu sum_i s_i u_i^2 with u = p - y, scaled like the remainder
     * @param ud sum_i s_i u_i d_i with d = z - y
     * @param dd sum_i s_i (d_i^2 + sigma_i^2), the noise of the wishes included
     */
    public static double loss(double remainder, double pullThrough, double uu, double ud, double dd) {
        return remainder * remainder * uu + 2 * remainder * pullThrough * ud + pullThrough * pullThrough * dd;
    }

    /** The pull-through t. */
    public double pullThrough() {
        return pullThrough;
    }

    /** 1 - t, the weight of the prediction in the score after the move. */
    public double remainder() {
        return remainder;
    }

    /**
     * u = beta'C^{-1}w/(gamma + omega): the share of the gap by which the target really moves towards the wish;
     * negative if moves make it worse, 0 without effects.
     */
    public double earned() {
        return earned == 0 || Double.isInfinite(gamma) ? 0 : earned / resistance();
    }

    /** tau = t - u: the share of the gap that is closed in the score but not in the target. */
    public double gamed() {
        return earned == 0 || Double.isInfinite(gamma) ? pullThrough : (omega - earned) / resistance();
    }

    /**
     * 1 - tau: the share of the rule's error that remains after the move. Computed directly, because 1 - {@link #gamed}
     * loses digits near tau = 1.
     */
    public double remainingError() {
        return earned == 0 || Double.isInfinite(gamma) ? remainder : (gamma + earned) / resistance();
    }

    /**
     * (1 - tau) p + tau z: the prediction after the move less the real change of the target, to be compared with the
     * target before the move.
     */
    public double net(double prediction, double wish) {
        return earned == 0 ? after(prediction, wish) : remainingError() * prediction + gamed() * wish;
    }

    /** u (z - p): the real change of the follower's target. */
    public double improvement(double prediction, double wish) {
        return earned() * (wish - prediction);
    }

    /** gamma + omega, the denominator of a move: the follower moves by (z - p)/(gamma + omega) along C^{-1}w. */
    public double resistance() {
        return gamma + omega;
    }

    /** (z - p)/(gamma + omega): the length of the move along C^{-1}w. */
    public double step(double prediction, double wish) {
        return (wish - prediction) / resistance();
    }

    /** (1 - t) p + t z, the prediction after the move. */
    public double after(double prediction, double wish) {
        return remainder * prediction + pullThrough * wish;
    }

    /** The cost of the move, t (1 - t)(z - p)^2 = gamma sum_j c_j delta_j^2. */
    public double cost(double prediction, double wish) {
        double gap = wish - prediction;
        return pullThrough * remainder * gap * gap;
    }

    /**
     * The expected squared error after the move, ((1 - t) p + t z - y)^2 + t^2 sigma^2, with tau in place of t if moves
     * change the target.
     *
     * @param wishNoise sigma, the standard deviation with which the wish is known; 0 if it is known exactly
     */
    public double loss(double prediction, double wish, double truth, double wishNoise) {
        if (earned != 0) {
            double gamed = gamed();
            double left = remainingError() * prediction + gamed * wish - truth;
            return left * left + gamed * gamed * wishNoise * wishNoise;
        }
        double residual = after(prediction, wish) - truth;
        double unknown = pullThrough * wishNoise;
        return residual * residual + unknown * unknown;
    }

    /**
     * Limits on the values that features can be moved to, one pair per column of a rule.
     *
     * @param low the smallest value; positive infinity for a column that can only grow
     * @param high the largest value; negative infinity for a column that can only shrink
     * @param side the only direction in which followers want to move their score; absent if they want both
     */
    public record Bounds(
            double[] low, double[] high, @Nullable Side side) {
        public Bounds {
            low = low.clone();
            high = high.clone();
            if (low.length != high.length) {
                throw new IllegalArgumentException(
                        "There are " + low.length + " least values and " + high.length + " largest.");
            }
        }

        @Override
        public double[] low() {
            return low.clone();
        }

        @Override
        public double[] high() {
            return high.clone();
        }

        /** Infinite limits for the given number of columns, with a restriction on the direction only. */
        public static Bounds none(int columns, @Nullable Side side) {
            double[] low = new double[columns];
            Arrays.fill(low, Double.NEGATIVE_INFINITY);
            double[] high = new double[columns];
            Arrays.fill(high, Double.POSITIVE_INFINITY);
            return new Bounds(low, high, side);
        }

        /** The limits of the first {@code columns} columns; columns beyond those declared have none. */
        public Bounds first(int columns) {
            Bounds first = none(columns, side);
            System.arraycopy(low, 0, first.low, 0, Math.min(columns, low.length));
            System.arraycopy(high, 0, first.high, 0, Math.min(columns, high.length));
            return first;
        }
    }

    /**
     * The best response of followers whose features have limits. Of a gap g between prediction and wish, v > 0 stays
     * open with
     *
     * <pre>v + sum_j min(v w_j^2/(gamma c_j), |w_j| room_j) = g</pre>
     *
     * where room_j is how far feature j can move in the helpful direction. The left side is increasing and concave in
     * v, so Newton's steps from the closed form stay below the root, and reach it exactly once the set of features that
     * stop at a limit is right: a small multiple of n operations.
     *
     * <p>If no limit stops a follower, all values equal those of the closed form to the last bit. An instance is used
     * by one thread: load a row into {@link #features}, call {@link #answer}, then ask for moves, scores and costs.
     */
    public static final class Bounded {
        /**
         * Number of Gauss-Hermite nodes for wishes that are known up to normal noise; exact for polynomials up to
         * degree 29.
         */
        private static final int NODES = 15;

        private static final double[] NODE = new double[NODES];
        private static final double[] PROBABILITY = new double[NODES];

        static {
            // Golub and Welsch (1969): the nodes are the eigenvalues of the Jacobi matrix of the recurrence He_(k+1) =
            // x He_k - k He_(k-1), the weights the squared first components of its eigenvectors
            DenseMatrix jacobi = DenseMatrix.zeros(NODES, NODES);
            for (int k = 1; k < NODES; k++) {
                jacobi.set(k, k - 1, Math.sqrt(k));
                jacobi.set(k - 1, k, Math.sqrt(k));
            }
            SymmetricEigen eigen = SymmetricEigen.of(jacobi, Workers.of(1));
            for (int k = 0; k < NODES; k++) {
                NODE[k] = eigen.values()[k];
                double first = eigen.vectors().get(0, k);
                PROBABILITY[k] = first * first;
            }
        }

        /** The quadrature nodes: possible wishes, in standard deviations of the noise around the known wish. */
        public static double[] wishNodes() {
            return NODE.clone();
        }

        /** The quadrature weights, which add up to 1. */
        public static double[] wishProbabilities() {
            return PROBABILITY.clone();
        }

        private final double[] w;
        private final double[] costs;
        private final Bounds bounds;
        private final double @Nullable [] effects;
        private final double omega;
        /** w_j^2/c_j, the contribution of feature j to omega. */
        private final double[] own;

        /** |w_j|/c_j, how far feature j moves per unit of the step along C^{-1}w. */
        private final double[] pace;

        /** The sign of w_j; a feature with weight 0 does not move. */
        private final double[] sign;

        /** |w_j|. */
        private final double[] size;
        /** The limit that feature j moves towards if the score is to rise. */
        private final double[] upEnd;

        /** The limit that feature j moves towards if the score is to fall. */
        private final double[] downEnd;

        private final double[] x;
        /** How far feature j can move in the direction that brings the score nearer to the wish. */
        private final double[] room;

        /** The room that the current step leaves; negative for a feature that its limit stops. */
        private final double[] spare;

        private double gamma;
        private double prediction;
        private double wish;
        /** The signed step along C^{-1}w of all features that no limit stops. */
        private double step;
        /** The signed part of the gap that stays open, wish less score after the move. */
        private double open;
        /** The sum of w_j^2/c_j over the features that no limit stops. */
        private double free;
        /** The part of the gap that the stopped features close. */
        private double taken;

        private int stopped;
        private boolean moves;
        /** The derivative of the loss that was computed last by the immutable part of the score, times its factor. */
        private double fixedSlope;

        /**
         * The responses to one rule.
         *
         * @param w the coefficients of the manipulable features
         * @param omega w'C^{-1}w as the closed form has it, so that results without stops agree to the last bit
         * @param costs c_j
         * @param bounds the limits of these features, in the same units
         * @param effects beta_j, the real change of the target for a move of feature j by one unit; null for no effects
         */
        public Bounded(double[] w, double omega, double[] costs, Bounds bounds, double @Nullable [] effects) {
            this.w = w.clone();
            this.omega = omega;
            this.costs = costs.clone();
            this.bounds = bounds;
            this.effects = effects;
            this.own = new double[w.length];
            this.pace = new double[w.length];
            this.sign = new double[w.length];
            this.size = new double[w.length];
            this.upEnd = new double[w.length];
            this.downEnd = new double[w.length];
            for (int j = 0; j < w.length; j++) {
                own[j] = w[j] * w[j] / costs[j];
                sign[j] = Math.signum(w[j]);
                size[j] = Math.abs(w[j]);
                pace[j] = size[j] / costs[j];
                upEnd[j] = w[j] > 0 ? bounds.high[j] : w[j] < 0 ? bounds.low[j] : 0;
                downEnd[j] = w[j] > 0 ? bounds.low[j] : w[j] < 0 ? bounds.high[j] : 0;
            }
            this.x = new double[w.length];
            this.room = new double[w.length];
            this.spare = new double[w.length];
        }

        /** The array to be filled with the features of the follower whose response is computed next. */
        public double[] features() {
            return x;
        }

        /**
         * Computes the response of the follower whose features are loaded, with this score, wish and gamma. Returns
         * this instance.
         */
        public Bounded answer(double prediction, double wish, double gamma) {
            this.prediction = prediction;
            this.wish = wish;
            this.gamma = gamma;
            double gap = Math.abs(wish - prediction);
            boolean up = wish > prediction;
            moves = gap > 0 && !Double.isInfinite(gamma) && (bounds.side == null || (bounds.side == Side.UP) == up);
            stopped = 0;
            taken = 0;
            free = omega;
            step = 0;
            open = wish - prediction;
            if (!moves) {
                return this;
            }
            double far = gap / (gamma + free);
            makeRoom(up, far);
            while (countStops() > stopped) {
                addStopped();
                // exact steps only grow; the maximum keeps rounding from releasing a stopped feature
                far = Math.max(far, (gap - taken) / (gamma + free));
                go(far);
            }
            step = up ? far : -far;
            open = Math.copySign((gap - taken) * remainder(free, gamma), open);
            return this;
        }

        /** Computes the room of all features and what the first step leaves of it. */
        private void makeRoom(boolean up, double far) {
            double way = up ? 1 : -1;
            double[] signs = sign;
            double[] to = up ? upEnd : downEnd;
            double[] from = x;
            double[] paces = pace;
            double[] rooms = room;
            double[] spares = spare;
            // without branches, so that the compiler can handle several features per instruction
            for (int j = 0; j < rooms.length; j++) {
                double most = Math.max(0, way * signs[j] * (to[j] - from[j]));
                rooms[j] = most;
                spares[j] = most - far * paces[j];
            }
        }

        /** Takes another step in the same room. */
        private void go(double far) {
            double[] paces = pace;
            double[] rooms = room;
            double[] spares = spare;
            for (int j = 0; j < rooms.length; j++) {
                spares[j] = rooms[j] - far * paces[j];
            }
        }

        /**
         * The number of features that stop on this step. A longer step stops the same features and possibly more, so
         * comparing numbers finds new ones.
         */
        private int countStops() {
            double[] spares = spare;
            long count = 0;
            for (int j = 0; j < spares.length; j++) {
                count += Double.doubleToRawLongBits(spares[j]) >>> 63;
            }
            return (int) count;
        }

        /**
         * Sums the contributions of the features that stop on this step ({@link #taken}) and of those that do not
         * ({@link #free}).
         */
        private void addStopped() {
            double[] ways = own;
            double[] sizes = size;
            double[] rooms = room;
            double[] spares = spare;
            // two partial sums each, so that one addition does not wait for the previous one
            double moving = 0;
            double also = 0;
            double used = 0;
            double more = 0;
            int count = 0;
            int pairs = spares.length & ~1;
            for (int j = 0; j < pairs; j += 2) {
                // the sign bit as a mask instead of a branch: which features stop is unpredictable, and mispredicted
                // branches are slow
                long stops = Double.doubleToRawLongBits(spares[j]) >> 63;
                long next = Double.doubleToRawLongBits(spares[j + 1]) >> 63;
                moving += masked(ways[j], ~stops);
                also += masked(ways[j + 1], ~next);
                used += sizes[j] * masked(rooms[j], stops);
                more += sizes[j + 1] * masked(rooms[j + 1], next);
                count -= (int) (stops + next);
            }
            if (pairs < spares.length) {
                long stops = Double.doubleToRawLongBits(spares[pairs]) >> 63;
                moving += masked(ways[pairs], ~stops);
                used += sizes[pairs] * masked(rooms[pairs], stops);
                count -= (int) stops;
            }
            moving += also;
            used += more;
            free = moving;
            taken = used;
            stopped = count;
        }

        private static double masked(double value, long mask) {
            return Double.longBitsToDouble(Double.doubleToRawLongBits(value) & mask);
        }

        /** Whether limits change the response of this follower; if not, the closed form holds. */
        public boolean isLimited() {
            return stopped > 0 || !moves && wish != prediction && !Double.isInfinite(gamma);
        }

        /**
         * For noisy wishes: whether limits change the response at any quadrature node. The two outermost nodes are
         * enough, since moves between them are shorter.
         */
        public boolean isLimited(double prediction, double wish, double gamma, double noise) {
            double spread = NODE[NODES - 1] * noise;
            return answer(prediction, wish + spread, gamma).isLimited()
                    || answer(prediction, wish - spread, gamma).isLimited();
        }

        /** Whether a limit stops any feature of this follower. */
        public boolean isStopped() {
            return stopped > 0;
        }

        /**
         * Whether this follower wants to move: its wish differs from its score, on the declared side, and its gamma is
         * finite.
         */
        public boolean isMoving() {
            return moves;
        }

        /** The number of features of this follower that a limit stops. */
        public int stops() {
            return stopped;
        }

        /** The share of the gap that this follower closes, from 0 to 1. */
        public double closed() {
            return isLimited() ? (after() - prediction) / (wish - prediction) : pullThrough(omega, gamma);
        }

        /**
         * Whether this follower would move without limits but stays: every feature is at its limit, or its score is
         * already beyond its wish on the declared side.
         */
        public boolean isStuck() {
            return wish != prediction && !Double.isInfinite(gamma) && omega > 0 && (!moves || taken == 0 && free == 0);
        }

        /** Whether a limit stops feature j of this follower. */
        public boolean isStopped(int j) {
            return stopped > 0 && spare[j] < 0;
        }

        /** The gap that stays open: wish less score after the move. */
        public double open() {
            return open;
        }

        /** The score after the move. */
        public double after() {
            if (!moves) {
                return prediction;
            }
            if (stopped == 0) {
                return remainder(omega, gamma) * prediction + pullThrough(omega, gamma) * wish;
            }
            return free == 0 ? prediction + Math.copySign(taken, wish - prediction) : wish - open;
        }

        /** The change of the score by the move. */
        public double gain() {
            return after() - prediction;
        }

        /** The signed move of feature j, cut off at its limit; 0 for a value that is already beyond the limit. */
        public double move(int j) {
            return 0.0 + Math.signum(step) * sign[j] * Math.min(Math.abs(step) * pace[j], room[j]);
        }

        /** Writes the moves of all features. */
        public void moves(double[] all) {
            double way = Math.signum(step);
            double far = Math.abs(step);
            double[] signs = sign;
            double[] paces = pace;
            double[] rooms = room;
            for (int j = 0; j < all.length; j++) {
                all[j] = 0.0 + way * signs[j] * Math.min(far * paces[j], rooms[j]);
            }
        }

        /** The cost of the move, gamma sum_j c_j delta_j^2. */
        public double cost() {
            if (!moves) {
                return 0;
            }
            if (stopped == 0) {
                double gap = wish - prediction;
                return pullThrough(omega, gamma) * remainder(omega, gamma) * gap * gap;
            }
            double sum = 0;
            for (int j = 0; j < w.length; j++) {
                double move = move(j);
                sum += costs[j] * move * move;
            }
            return gamma * sum;
        }

        /** The real change of the target by the move, sum_j beta_j delta_j. */
        public double earned() {
            double sum = 0;
            for (int j = 0; effects != null && j < effects.length; j++) {
                sum += effects[j] * move(j);
            }
            return sum;
        }

        /**
         * The expected squared error after the move, E (after - truth)^2, over wishes that are normally distributed
         * around the known one. If no limit stops the follower at any node, the closed form is used; otherwise
         * Gauss-Hermite quadrature with 15 nodes.
         *
         * @param noise the standard deviation with which the wish is known; 0 if it is known exactly
         */
        public double loss(double prediction, double wish, double gamma, double truth, double noise) {
            if (noise == 0) {
                double residual = answer(prediction, wish, gamma).after() - truth - earned();
                return residual * residual;
            }
            if (!everStopped(prediction, wish, gamma, noise)) {
                double unknown = (pullThrough(omega, gamma) - earnedShare()) * noise;
                double residual = answer(prediction, wish, gamma).after() - truth - earned();
                return residual * residual + unknown * unknown;
            }
            double sum = 0;
            for (int k = 0; k < NODES; k++) {
                double residual =
                        answer(prediction, wish + NODE[k] * noise, gamma).after() - truth - earned();
                sum += PROBABILITY[k] * residual * residual;
            }
            return sum;
        }

        /**
         * The expected error E (after - truth), with the target as it is after the move: the mean error, in which
         * errors of both signs cancel.
         */
        public double residual(double prediction, double wish, double gamma, double truth, double noise) {
            if (noise == 0 || !everStopped(prediction, wish, gamma, noise)) {
                return answer(prediction, wish, gamma).after() - truth - earned();
            }
            double sum = 0;
            for (int k = 0; k < NODES; k++) {
                sum += PROBABILITY[k]
                        * (answer(prediction, wish + NODE[k] * noise, gamma).after() - truth - earned());
            }
            return sum;
        }

        /**
         * The expected squared error after the move, as {@link #loss(double, double, double, double, double)}, together
         * with its gradient by the coefficients.
         *
         * <p>With Omega = the sum of w_j^2/(gamma c_j) over the features that no limit stops, d after/dw_j is (x_j + 2
         * delta_j)/(1 + Omega) for such a feature and (x_j + delta_j)/(1 + Omega) for a stopped one.
         *
         * @param factor the weight of this loss in a sum
         * @param slope factor times d loss/dw_j is added to it; {@link #fixedSlope} has the derivative by the immutable
         *     part of the score
         */
        public double loss(
                double prediction,
                double wish,
                double gamma,
                double truth,
                double noise,
                double factor,
                double[] slope) {
            fixedSlope = 0;
            if (noise == 0) {
                return answer(prediction, wish, gamma).squared(truth, factor, slope);
            }
            if (!everStopped(prediction, wish, gamma, noise)) {
                double tau = pullThrough(omega, gamma) - earnedShare();
                double perUnit = 2 * factor * tau * noise * noise / (gamma + omega);
                for (int j = 0; j < w.length; j++) {
                    double effect = effects == null ? 0 : effects[j];
                    slope[j] += perUnit * (2 * (1 - tau) * w[j] - effect) / costs[j];
                }
                return answer(prediction, wish, gamma).squared(truth, factor, slope) + tau * tau * noise * noise;
            }
            double sum = 0;
            for (int k = 0; k < NODES; k++) {
                double residual = answer(prediction, wish + NODE[k] * noise, gamma)
                        .squared(truth, PROBABILITY[k] * factor, slope);
                sum += PROBABILITY[k] * residual;
            }
            return sum;
        }

        /**
         * The derivative of the last loss with a gradient by the immutable part of the score (intercept and immutable
         * features), times its factor.
         */
        public double fixedSlope() {
            return fixedSlope;
        }

        /** (after - truth - earned)^2; adds its gradient to the slope. */
        private double squared(double truth, double factor, double[] slope) {
            double residual = after() - truth - earned();
            double push = 2 * factor * residual;
            double earning = 0;
            for (int j = 0; effects != null && moves && j < w.length; j++) {
                earning += isStopped(j) ? 0 : effects[j] * w[j] / costs[j];
            }
            double scaled = moves ? push * (1 + earning / gamma) * remainder(free, gamma) : push;
            for (int j = 0; j < w.length; j++) {
                double move = move(j);
                // a feature that is not stopped also moves further: hence 2 delta_j instead of delta_j
                long goes = ~(Double.doubleToRawLongBits(spare[j]) >> 63);
                slope[j] += scaled * (x[j] + move + masked(move, goes));
            }
            for (int j = 0; effects != null && j < w.length; j++) {
                slope[j] -= isStopped(j) ? 0 : push * step * effects[j] / costs[j];
            }
            fixedSlope += scaled;
            return residual * residual;
        }

        /**
         * Whether the closed form may fail at some quadrature node: a side is declared, or a limit stops the follower
         * at one of the outermost nodes.
         */
        private boolean everStopped(double prediction, double wish, double gamma, double noise) {
            double spread = NODE[NODES - 1] * noise;
            return bounds.side != null
                    || answer(prediction, wish + spread, gamma).isStopped()
                    || answer(prediction, wish - spread, gamma).isStopped();
        }

        /**
         * u = beta'C^{-1}w/(gamma + omega), the real change of the target as a share of the gap where no limit stops
         * the follower.
         */
        private double earnedShare() {
            double sum = 0;
            for (int j = 0; effects != null && j < w.length; j++) {
                sum += effects[j] * w[j] / costs[j];
            }
            return sum / (gamma + omega);
        }

        /** Is called for each row. */
        @FunctionalInterface
        public interface Visitor {
            /**
             * Called exactly once for each row i, with its features loaded; concurrently by several threads, each with
             * its own instance.
             */
            void visit(int i, Bounded person);
        }

        /** The manipulable features of a sample, read in blocks of rows. */
        @FunctionalInterface
        public interface Features {
            /**
             * Writes the features of the rows first, ..., first + count - 1 into the array, row after row from index 0
             * on; must be thread-safe.
             */
            void read(int first, int count, double[] rows);

            /** The features of some of the rows, by their indices. */
            default Features of(int[] people) {
                return (first, count, rows) -> {
                    int cols = rows.length / Math.max(1, count);
                    double[] row = new double[cols];
                    for (int i = 0; i < count; i++) {
                        read(people[first + i], 1, row);
                        System.arraycopy(row, 0, rows, i * cols, cols);
                    }
                };
            }
        }

        /**
         * Calls a visitor for every row of a matrix.
         *
         * @param x the manipulable features
         * @param start makes an instance for each thread
         */
        public static void each(Matrix x, Supplier<Bounded> start, Workers workers, Visitor visitor) {
            Features features = (first, count, rows) -> x.tile(first, count, 0, x.cols(), DoubleBuffer.wrap(rows));
            each(x.rows(), features, start, workers, visitor);
        }

        /** Calls a visitor for each of {@code people} rows, whose features are read in blocks. */
        public static void each(
                int people, Features features, Supplier<Bounded> start, Workers workers, Visitor visitor) {
            int cols = start.get().x.length;
            int height = Math.max(1, BLOCK / Math.max(1, cols));
            int blocks = (people + height - 1) / height;
            int tasks = Math.min(blocks, TASKS * workers.threads());
            workers.run(tasks, task -> {
                Bounded person = start.get();
                double[] whole = new double[Math.min(people, height) * cols];
                for (int block = task; block < blocks; block += tasks) {
                    int first = block * height;
                    int count = Math.min(height, people - first);
                    double[] rows = count * cols == whole.length ? whole : new double[count * cols];
                    features.read(first, count, rows);
                    for (int i = 0; i < count; i++) {
                        System.arraycopy(rows, i * cols, person.x, 0, cols);
                        visitor.visit(first + i, person);
                    }
                }
            });
        }
    }
}
