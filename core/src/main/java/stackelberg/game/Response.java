package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;

/**
 * What a move does: who is predicted p and wishes for z moves by (z - p)/(gamma + omega) along C^{-1}w, which closes t = omega/(gamma + omega) of
 * the gap and costs t (1 - t)(z - p)^2; omega = w'C^{-1}w is the rule's, gamma the person's.
 *
 * <p>An infinite gamma is a person who never moves, whatever the rule; an infinite omega is the rule that believes everybody else. t and 1 - t
 * are computed apart, because 1 - t multiplies predictions that are as large as it is small.
 */
public final class Response {
    /** Values of a block of rows, 64 kB: it stays in the cache. */
    private static final int BLOCK = 1 << 13;

    /** Parts of the people for each thread, so that none waits long for another. */
    private static final int TASKS = 8;

    private final double omega;
    private final double gamma;
    private final double pullThrough;
    private final double remainder;
    /** beta'C^{-1}w. */
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
     * @param omega how far one unit of effort moves the prediction, squared; infinite for "believe everybody"
     * @param gamma what moving costs; infinite for a person who never moves
     */
    public static Response of(double omega, double gamma) {
        return new Response(omega, 0, gamma);
    }

    /**
     * The response to a rule where moves really change the target: the truth closes u = beta'C^{-1}w/(gamma + omega) of the gap too, and tau = t - u is gamed.
     *
     * @param earned beta'C^{-1}w, what a move along C^{-1}w does to the target
     */
    public static Response of(double omega, double earned, double gamma) {
        return new Response(omega, earned, gamma);
    }

    /** t = omega/(gamma + omega), the pull-through: the share of the gap between prediction and wish that is closed. */
    public static double pullThrough(double omega, double gamma) {
        return Double.isInfinite(gamma) ? 0 : 1 / (1 + gamma / omega);
    }

    /** 1 - t = gamma/(gamma + omega), what is left of the rule's own prediction: not from t, which near 1 has lost it to rounding. */
    public static double remainder(double omega, double gamma) {
        return Double.isInfinite(gamma) ? 1 : 1 / (1 + omega / gamma);
    }

    /**
     * (1 - t)(1 + alpha) with alpha = omega/modelGamma, in a world where moving costs gamma: what is left of a prediction that was divided by 1 +
     * alpha, finite for every omega; gamma/modelGamma where it is infinite.
     *
     * @param modelPullThrough omega/(modelGamma + omega)
     * @param modelRemainder modelGamma/(modelGamma + omega)
     */
    public static double scaledRemainder(
            double gamma, double modelGamma, double modelPullThrough, double modelRemainder) {
        return gamma / (gamma * modelRemainder + modelGamma * modelPullThrough);
    }

    /** The gamma at which people close the share t: omega (1 - t)/t; infinite if they close nothing, 0 if all. */
    public static double gamma(double omega, double pullThrough) {
        return pullThrough <= 0
                ? Double.POSITIVE_INFINITY
                : pullThrough >= 1 ? 0 : omega * (1 - pullThrough) / pullThrough;
    }

    /** (1 - t) p + t z for a share that is known by itself, as an average over people is. */
    public static double after(double pullThrough, double prediction, double wish) {
        return (1 - pullThrough) * prediction + pullThrough * wish;
    }

    /**
     * sum_i s_i (k u_i + t d_i)^2 from sums over people.
     *
     * @param remainder k, what is left of u: 1 - t, or the scaled remainder of a scaled u
     * @param uu sum_i s_i u_i^2 with u = p - y, scaled like the remainder
     * @param ud sum_i s_i u_i d_i with d = z - y
     * @param dd sum_i s_i (d_i^2 + sigma_i^2), the noise of the wishes included
     */
    public static double loss(double remainder, double pullThrough, double uu, double ud, double dd) {
        return remainder * remainder * uu + 2 * remainder * pullThrough * ud + pullThrough * pullThrough * dd;
    }

    /** t. */
    public double pullThrough() {
        return pullThrough;
    }

    /** 1 - t. */
    public double remainder() {
        return remainder;
    }

    /** u = beta'C^{-1}w/(gamma + omega), the share of the gap that the truth closes, negative where moves make it worse; 0 where they do nothing to it. */
    public double earned() {
        return earned == 0 || Double.isInfinite(gamma) ? 0 : earned / resistance();
    }

    /** tau = t - u, the share of the gap that is closed by the score alone. */
    public double gamed() {
        return earned == 0 || Double.isInfinite(gamma) ? pullThrough : (omega - earned) / resistance();
    }

    /** 1 - tau, what is left of the rule's own error: not from tau, which near 1 has lost it to rounding. */
    public double kept() {
        return earned == 0 || Double.isInfinite(gamma) ? remainder : (gamma + earned) / resistance();
    }

    /** (1 - tau) p + tau z, the prediction after the move less what the truth has gained: what the truth before the move is compared with. */
    public double net(double prediction, double wish) {
        return earned == 0 ? after(prediction, wish) : kept() * prediction + gamed() * wish;
    }

    /** u (z - p): by how much the target of the person really rises. */
    public double improvement(double prediction, double wish) {
        return earned() * (wish - prediction);
    }

    /** gamma + omega: a person moves by the gap divided by it along C^{-1}w. */
    public double resistance() {
        return gamma + omega;
    }

    /** (z - p)/(gamma + omega): how far the person moves along C^{-1}w. */
    public double step(double prediction, double wish) {
        return (wish - prediction) / resistance();
    }

    /** (1 - t) p + t z, the prediction after the move. */
    public double after(double prediction, double wish) {
        return remainder * prediction + pullThrough * wish;
    }

    /** t (1 - t)(z - p)^2 = gamma sum_j c_j delta_j^2: what the move costs. */
    public double cost(double prediction, double wish) {
        double gap = wish - prediction;
        return pullThrough * remainder * gap * gap;
    }

    /**
     * ((1 - t) p + t z - y)^2 + t^2 sigma^2, the expected squared error after the move if the wish is known up to sigma; tau instead of t where the truth moves
     * along.
     */
    public double loss(double prediction, double wish, double truth, double wishNoise) {
        if (earned != 0) {
            double gamed = gamed();
            double left = kept() * prediction + gamed * wish - truth;
            return left * left + gamed * gamed * wishNoise * wishNoise;
        }
        double residual = after(prediction, wish) - truth;
        double unknown = pullThrough * wishNoise;
        return residual * residual + unknown * unknown;
    }

    /**
     * How far features can be moved, per column that a rule is about.
     *
     * @param low the least value; infinite for a column that can only grow
     * @param high the largest value; minus infinite for a column that can only shrink
     * @param side the only direction in which anybody wants to move the score, null for both
     */
    public record Bounds(double[] low, double[] high, GameSpec.Side side) {
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

        /** No bounds but on the side. */
        public static Bounds none(int columns, GameSpec.Side side) {
            double[] low = new double[columns];
            Arrays.fill(low, Double.NEGATIVE_INFINITY);
            double[] high = new double[columns];
            Arrays.fill(high, Double.POSITIVE_INFINITY);
            return new Bounds(low, high, side);
        }

        /** Of the first so many columns, those beyond these without bounds. */
        public Bounds first(int columns) {
            Bounds first = none(columns, side);
            System.arraycopy(low, 0, first.low, 0, Math.min(columns, low.length));
            System.arraycopy(high, 0, first.high, 0, Math.min(columns, high.length));
            return first;
        }
    }

    /**
     * The response of people who can go only so far. Of a gap g between prediction and wish v stays open,
     *
     * <pre>v + sum_j min(v w_j^2/(gamma c_j), |w_j| room_j) = g</pre>
     *
     * where room_j is how far feature j can go in the direction that helps. The left side is increasing and concave in v, so Newton's steps from the closed
     * form stay below the root and reach it as soon as they know which features stop: a few times n operations.
     *
     * <p>Where nothing stops, all values are those of the closed form to the last bit. One instance serves one thread; it is loaded with a person's
     * features and then asked, as often as one likes, what that person does.
     */
    public static final class Bounded {
        /** Standard normal, for wishes that are known up to noise: exact for everybody whom no limit stops. */
        private static final int NODES = 15;

        private static final double[] NODE = new double[NODES];
        private static final double[] PROBABILITY = new double[NODES];

        static {
            // Golub and Welsch: the recurrence of the Hermite polynomials is He_(k+1) = x He_k - k He_(k-1)
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

        /** The wishes that are thought possible, in standard deviations of the noise about the one that is known. */
        public static double[] wishNodes() {
            return NODE.clone();
        }

        /** How probable each of them is. */
        public static double[] wishProbabilities() {
            return PROBABILITY.clone();
        }

        private final double[] w;
        private final double[] costs;
        private final Bounds bounds;
        private final double[] effects;
        private final double omega;
        /** w_j^2/c_j, what feature j adds to omega. */
        private final double[] own;

        /** |w_j|/c_j, how far feature j is moved by a step. */
        private final double[] pace;

        /** The sign of w_j and its size: a feature without weight goes nowhere, however much room it has. */
        private final double[] sign;

        private final double[] size;
        /** The ends that raise the score and those that lower it. */
        private final double[] upEnd;

        private final double[] downEnd;
        private final double[] x;
        /** How far feature j can go in the direction that brings the score nearer to the wish. */
        private final double[] room;

        /** The room that the step leaves, negative for a feature that stops. */
        private final double[] spare;

        private double gamma;
        private double prediction;
        private double wish;
        /** How far this person goes along C^{-1}w with every feature that nothing stops, with its sign. */
        private double step;
        /** What stays open of the gap, with its sign. */
        private double open;
        /** What the features that still move add to omega. */
        private double free;
        /** How much of the gap those features close that are stopped. */
        private double taken;

        private int stopped;
        private boolean moves;
        /** What one more point of score that nobody moves does to the loss that was asked for last. */
        private double fixedSlope;

        /**
         * Of those who face a rule.
         *
         * @param w the coefficients of the features people can change
         * @param omega w'C^{-1}w, as it is known elsewhere
         * @param costs c_j
         * @param bounds of these features, in the same units
         * @param effects what a move by one of each feature really does to the target; null for nothing
         */
        public Bounded(double[] w, double omega, double[] costs, Bounds bounds, double[] effects) {
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

        /** The features of the person that is asked next: to be filled in. */
        public double[] features() {
            return x;
        }

        /** What the person does who is predicted so with these features, wishes that, and pays gamma for moving. */
        public Bounded answer(double prediction, double wish, double gamma) {
            this.prediction = prediction;
            this.wish = wish;
            this.gamma = gamma;
            double gap = Math.abs(wish - prediction);
            boolean up = wish > prediction;
            moves = gap > 0
                    && !Double.isInfinite(gamma)
                    && (bounds.side == null || (bounds.side == GameSpec.Side.UP) == up);
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
                // steps grow, and rounding sets nobody free again
                far = Math.max(far, (gap - taken) / (gamma + free));
                go(far);
            }
            step = up ? far : -far;
            open = Math.copySign((gap - taken) * remainder(free, gamma), open);
            return this;
        }

        /** The first step and the room for it. */
        private void makeRoom(boolean up, double far) {
            double way = up ? 1 : -1;
            double[] signs = sign;
            double[] to = up ? upEnd : downEnd;
            double[] from = x;
            double[] paces = pace;
            double[] rooms = room;
            double[] spares = spare;
            // no signs are looked at here: such a loop does several features at once
            for (int j = 0; j < rooms.length; j++) {
                double most = Math.max(0, way * signs[j] * (to[j] - from[j]));
                rooms[j] = most;
                spares[j] = most - far * paces[j];
            }
        }

        /** Another step in the same room. */
        private void go(double far) {
            double[] paces = pace;
            double[] rooms = room;
            double[] spares = spare;
            for (int j = 0; j < rooms.length; j++) {
                spares[j] = rooms[j] - far * paces[j];
            }
        }

        /** How many features stop on this step: those of a longer one are the same and more, so that counting tells whether any is new. */
        private int countStops() {
            double[] spares = spare;
            long count = 0;
            for (int j = 0; j < spares.length; j++) {
                count += Double.doubleToRawLongBits(spares[j]) >>> 63;
            }
            return (int) count;
        }

        /** Adds up those that stop on this step, and those that do not. */
        private void addStopped() {
            double[] ways = own;
            double[] sizes = size;
            double[] rooms = room;
            double[] spares = spare;
            // two sums side by side: one addition need not wait for the one before
            double moving = 0;
            double also = 0;
            double used = 0;
            double more = 0;
            int count = 0;
            int pairs = spares.length & ~1;
            for (int j = 0; j < pairs; j += 2) {
                // the sign as a mask: who stops is as good as random, and branches that nobody foresees take longest
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

        /** Whether limits change anything for this person; if not, the closed form holds. */
        public boolean isLimited() {
            return stopped > 0 || !moves && wish != prediction && !Double.isInfinite(gamma);
        }

        /** The same for any of the wishes that are thought possible: who is free to follow the outermost ones is free to follow all. */
        public boolean isLimited(double prediction, double wish, double gamma, double noise) {
            double spread = NODE[NODES - 1] * noise;
            return answer(prediction, wish + spread, gamma).isLimited()
                    || answer(prediction, wish - spread, gamma).isLimited();
        }

        /** Whether a limit stops this person with any feature. */
        public boolean isStopped() {
            return stopped > 0;
        }

        /** Whether this person moves anything at all, as far as it can. */
        public boolean isMoving() {
            return moves;
        }

        /** How many features of this person a limit stops. */
        public int stops() {
            return stopped;
        }

        /** The part of the gap that is closed. */
        public double closed() {
            return isLimited() ? (after() - prediction) / (wish - prediction) : pullThrough(omega, gamma);
        }

        /** Whether somebody whom its wish would move stays where it is: it cannot move, or will not because its score is good enough. */
        public boolean isStuck() {
            return wish != prediction && !Double.isInfinite(gamma) && omega > 0 && (!moves || taken == 0 && free == 0);
        }

        /** Whether the limit of feature j stops this person. */
        public boolean isStopped(int j) {
            return stopped > 0 && spare[j] < 0;
        }

        /** wish less score after the move. */
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

        /** By how much the score rises. */
        public double gain() {
            return after() - prediction;
        }

        /** How far feature j is moved: as far as the step goes and there is room; whoever is outside already stays. */
        public double move(int j) {
            return 0.0 + Math.signum(step) * sign[j] * Math.min(Math.abs(step) * pace[j], room[j]);
        }

        /** The same of every feature. */
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

        /** gamma sum_j c_j delta_j^2: what the move costs. */
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

        /** sum_j beta_j delta_j: what the move really does to the target. */
        public double earned() {
            double sum = 0;
            for (int j = 0; effects != null && j < effects.length; j++) {
                sum += effects[j] * move(j);
            }
            return sum;
        }

        /**
         * E (after - truth)^2 over wishes that are normal about this one, by a quadrature of 15 nodes; exact where no limit stops anybody of them.
         *
         * @param noise the standard deviation with which the wish is known
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

        /** E (after - truth), the truth as it is after the move, over the same wishes: what is left of the error where errors may balance. */
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
         * The same as {@link #loss(double, double, double, double, double)}, and what the rule's coefficients do to it: a feature that moves freely has d after/dw_j = (x_j + 2 delta_j)/(1 + Omega), one that is
         * stopped (x_j + delta_j)/(1 + Omega), where Omega = sum of w_j^2/(gamma c_j) over those that are free.
         *
         * @param factor how much the loss counts
         * @param slope gets factor times d loss/dw_j added; {@link #fixedSlope} tells the rest
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

        /** Of the last loss with a slope, times its factor: the derivative by the part of the score that nobody moves. */
        public double fixedSlope() {
            return fixedSlope;
        }

        /** (after - truth - earned)^2, with what the coefficients do to it. */
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
                // who is not stopped goes further as well
                long goes = ~(Double.doubleToRawLongBits(spare[j]) >> 63);
                slope[j] += scaled * (x[j] + move + masked(move, goes));
            }
            for (int j = 0; effects != null && j < w.length; j++) {
                slope[j] -= isStopped(j) ? 0 : push * step * effects[j] / costs[j];
            }
            fixedSlope += scaled;
            return residual * residual;
        }

        /** Whether a limit or the side stops this person at any node of the quadrature: whoever is not stopped at either end is never. */
        private boolean everStopped(double prediction, double wish, double gamma, double noise) {
            double spread = NODE[NODES - 1] * noise;
            return bounds.side != null
                    || answer(prediction, wish + spread, gamma).isStopped()
                    || answer(prediction, wish - spread, gamma).isStopped();
        }

        /** beta'C^{-1}w/(gamma + omega), the share of the gap that the truth closes where nothing stops. */
        private double earnedShare() {
            double sum = 0;
            for (int j = 0; effects != null && j < w.length; j++) {
                sum += effects[j] * w[j] / costs[j];
            }
            return sum / (gamma + omega);
        }

        /** Whom a walk over people comes to. */
        @FunctionalInterface
        public interface Visitor {
            /** Person i, whose features are loaded; several threads come at once, each with an instance of its own, to everybody exactly once. */
            void visit(int i, Bounded person);
        }

        /** What people have of the features that they can change. */
        @FunctionalInterface
        public interface Features {
            /** Writes those of so many people, a row each, from index 0 on; several threads may ask at once. */
            void read(int first, int count, double[] rows);

            /** Those of some of the people. */
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
         * Walks over people, some rows at a time.
         *
         * @param x the features people can change, a row per person
         */
        public static void each(Matrix x, Supplier<Bounded> start, Workers workers, Visitor visitor) {
            Features features = (first, count, rows) -> x.tile(first, count, 0, x.cols(), DoubleBuffer.wrap(rows));
            each(x.rows(), features, start, workers, visitor);
        }

        /** The same for so many people, whose features are looked up. */
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
