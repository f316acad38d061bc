package stackelberg.objective.omega;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.secular.ArrowSphere;

/**
 * Minimises max(F_low - less_low, F_high - less_high), where F_low and F_high are the losses of a rule at two gammas,
 * by branch and bound over omega, on pseudo-rows with the same losses as all rows.
 *
 * <p><b>Problem.</b> Let psi(omega) be the maximum over theta of the least theta (F_low - less_low) + (1 - theta)
 * (F_high - less_high) of all rules with that omega. It is a lower bound, and almost always attained by a rule with
 * F_low - less_low = F_high - less_high. With one feature there are only two rules at each omega, which are examined
 * one by one.
 *
 * <p><b>Method.</b> With a = 1 - t, F = a^2 R + 2 a t S + t^2 T, where R is the loss before any move, S the sum of its
 * residuals times the gaps, and T the sum of the squared gaps. The best rule of a mixture is that of y - s (z - y) on a
 * sphere, s = B/A. So each omega takes a few roots of a secular equation in O(n). Its theta and multiplier kappa bound
 * every interval around it ({@link RangeBound}) by the three sums v(kappa) that remain from the ridge regressions of y
 * and of z - y.
 *
 * <p><b>When it fails.</b> If the two losses of the best rule jump past each other as theta grows, a gap remains, which
 * is reported.
 */
final class RangeSearch extends OmegaBranch<RangeSearch.Slice> {
    private static final int MOST_STEPS = 200;

    private static final int MOST_SLICES = 3000;

    private static final double GOLDEN = 0.618;

    /** Two losses that differ by less than this, relative, count as equal. */
    private static final double EQUAL = 1e-15;

    /** The smallest curvature of relaxed problems, relative to the largest eigenvalue. */
    private static final double CURVED = 1e-10;

    private final Condensed.Few few;
    private final int known;
    private final boolean lone;
    private final double least;
    private final double most;
    private final Ends ends;
    private final double scale;

    RangeSearch(Condensed.Few few, Ends ends, double scale, SolverOptions options, ProgressListener listener) {
        super(options, MOST_SLICES, listener);
        this.few = few;
        this.known = few.y().length - 3;
        this.lone = few.squares().length == 1;
        this.least = Arrays.stream(few.squares()).min().orElse(0);
        this.most = Arrays.stream(few.squares()).max().orElse(0);
        this.ends = ends;
        this.scale = scale;
    }

    /**
     * The two gammas.
     *
     * @param low the smaller one
     * @param lowLess what is subtracted from the loss at it
     * @param ridge mu
     */
    record Ends(double low, double high, double lowLess, double highLess, double ridge) {
        RangeBound.Mixture mixture(double theta) {
            return new RangeBound.Mixture(low, high, theta, ridge, theta * lowLess + (1 - theta) * highLess);
        }
    }

    /**
     * The three sums that determine a rule's loss at every gamma.
     *
     * @param r the loss before any move
     * @param s the sum of its residuals times the gaps
     * @param t the sum of the squared gaps, noise included
     */
    record Sums(double r, double s, double t) {
        /** Returns F at one gamma, with the ridge. */
        double loss(double omega, double gamma, double ridge) {
            double a = Response.remainder(omega, gamma);
            double pulled = Response.pullThrough(omega, gamma);
            return a * a * r + 2 * a * pulled * s + pulled * pulled * t + ridge * omega * a;
        }
    }

    /**
     * A rule with its two losses.
     *
     * @param w the coefficients on the pseudo-rows' features
     * @param target its immutable part is best for y - target (z - y)
     * @param low F_low - less_low
     */
    record Point(double[] w, double target, Sums sums, double low, double high) {
        double worst() {
            return Math.max(low, high);
        }
    }

    /**
     * What is known of all rules with one omega.
     *
     * @param side the sign of the only coefficient; 0 if there are several
     * @param kappa the multiplier of w'w divided by A
     * @param point the best rule found
     * @param derivative the derivative of psi
     */
    record Slice(double omega, int side, double theta, double kappa, Point point, double derivative)
            implements OmegaBranch.Slice {
        @Override
        public double objective() {
            return point.worst();
        }

        @Override
        public double lambda() {
            return kappa;
        }
    }

    /** The result of the search, with the slices that prove it. */
    record Result(
            Slice best,
            double lowerBound,
            double limit,
            List<Interval<Slice>> pieces,
            int evaluations,
            boolean stopped) {}

    Result run() {
        double typical = Math.sqrt(ends.low) * Math.sqrt(ends.high);
        int[] sides = lone ? new int[] {1, -1} : new int[] {0};
        double limit = Double.POSITIVE_INFINITY;
        for (int side : sides) {
            limit = Math.min(limit, slice(EXTREME * ends.high, side).objective());
            offer(slice(0, side));
        }
        Found<Slice> found = search(typical, sides);
        if (found.bound() < found.best().objective() - wanted() && best().omega > 0) {
            refine();
        }
        boolean stopped = found.status() == SphereResult.Status.STOPPED_BY_LISTENER;
        double bound = Math.min(found.bound(), best().objective());
        return new Result(best(), bound, limit, found.intervals(), evaluations(), stopped);
    }

    /**
     * Improves the best rule if a gap remains because the best rule of a mixture jumps: minimises the loss over omega near it by
     * golden sections.
     */
    private void refine() {
        double width = 0.5;
        double centre = Math.log(best().omega);
        for (int k = 0; k < 80; k++) {
            for (double omega : new double[] {Math.exp(centre - width), Math.exp(centre + width)}) {
                offer(slice(omega, best().side));
            }
            boolean still = Math.log(best().omega) == centre;
            centre = Math.log(best().omega);
            width *= still ? GOLDEN : 1;
        }
    }

    @Override
    double wanted() {
        return options().tolerance() / 4 * size();
    }

    private double size() {
        Point point = best().point;
        return Math.max(Math.max(point.low + ends.lowLess, point.high + ends.highLess), 1e-9 * scale);
    }

    @Override
    Interval<Slice> bounded(
            @Nullable Slice lo,
            @Nullable Slice hi,
            double from,
            double to,
            int side,
            @Nullable Interval<Slice> parent) {
        Slice by = null;
        double bound = Double.NEGATIVE_INFINITY;
        for (Slice end : new @Nullable Slice[] {lo, hi, parent == null ? null : parent.by()}) {
            double at = end == null ? Double.NEGATIVE_INFINITY : least(face(end), end, from, to);
            if (by == null || at > bound) {
                by = end;
                bound = at;
            }
        }
        return new Interval<>(lo, hi, from, to, side, by, bound);
    }

    /** The best rule at one theta, with its multiplier. */
    private record At(double theta, double kappa, Point point) {
        double excess() {
            return point.low - point.high;
        }
    }

    /** Maximises over theta, at the zero of F_low - F_high, which decreases in theta. */
    @Override
    Slice slice(double omega, int sign) {
        At one = at(omega, 1, sign);
        if (one.excess() >= 0) {
            return slice(omega, sign, one, one.point);
        }
        At none = at(omega, 0, sign);
        if (none.excess() <= 0) {
            return slice(omega, sign, none, none.point);
        }
        double equal = EQUAL * Math.max(Math.abs(one.point.worst()), scale * 1e-3);
        At nearest = Math.abs(none.excess()) < Math.abs(one.excess()) ? none : one;
        var bracket = new Bracket<>(none, 0, none.excess(), one, 1, one.excess());
        for (int k = 0; k < MOST_STEPS && Math.abs(nearest.excess()) > equal; k++) {
            double theta = bracket.next();
            if (Double.isNaN(theta)) {
                break;
            }
            At middle = at(omega, theta, sign);
            bracket.take(middle, theta, middle.excess());
            nearest = Math.abs(middle.excess()) < Math.abs(nearest.excess()) ? middle : nearest;
        }
        Point point = nearest.point;
        if (Math.abs(nearest.excess()) > 1e-9 * Math.abs(one.point.worst())) {
            // the best rule jumps: a rule between the two sides has equal losses
            Point other = between(bracket.low(), bracket.high(), omega);
            point = other.worst() < point.worst() ? other : point;
        }
        return slice(omega, sign, nearest, point);
    }

    private Slice slice(double omega, int sign, At at, Point point) {
        return new Slice(omega, sign, at.theta, at.kappa, point, derivative(omega, at));
    }

    /** Returns a rule with equal losses between two of the same omega. */
    private Point between(At one, At other, double omega) {
        double from = 0;
        double to = 1;
        Point found = one.point;
        for (int k = 0; k < 100; k++) {
            double part = (from + to) / 2;
            double[] w = one.point.w.clone();
            Vectors.scale(1 - part, w);
            Vectors.axpy(part, other.point.w, w);
            double norm = Vectors.norm(w);
            if (norm == 0) {
                return found;
            }
            Vectors.scale(Math.sqrt(omega) / norm, w);
            Point at = point(w, omega, one.point.target);
            found = at.worst() < found.worst() ? at : found;
            if (at.low > at.high) {
                from = part;
            } else {
                to = part;
            }
        }
        return found;
    }

    /** Returns kappa of the best rule of a mixture at one omega. */
    double multiplier(double omega, double theta) {
        // with one coefficient both rules have the same kappa
        return at(omega, theta, lone ? 1 : 0).kappa;
    }

    /** Returns s = B/A of a mixture. */
    double target(double omega, double theta) {
        double aLow = Response.remainder(omega, ends.low);
        double aHigh = Response.remainder(omega, ends.high);
        double above = theta * aLow * Response.pullThrough(omega, ends.low)
                + (1 - theta) * aHigh * Response.pullThrough(omega, ends.high);
        return above / weight(omega, theta);
    }

    /** Returns A of a mixture. */
    private double weight(double omega, double theta) {
        double aLow = Response.remainder(omega, ends.low);
        double aHigh = Response.remainder(omega, ends.high);
        return theta * aLow * aLow + (1 - theta) * aHigh * aHigh;
    }

    /**
     * Returns the best rule of a mixture at one omega: w_k = s_k c_k/(s_k^2 + kappa), c = U'P(y - s (z - y)), with w'w
     * = omega.
     */
    private At at(double omega, double theta, int sign) {
        double s = target(omega, theta);
        double[] w = new double[few.squares().length];
        if (omega == 0 || w.length == 0) {
            return new At(theta, omega == 0 ? Double.POSITIVE_INFINITY : 0, point(w, omega, s));
        }
        if (sign != 0) {
            w[0] = sign * Math.sqrt(omega);
            return new At(theta, 0, point(w, omega, s));
        }
        double root = Math.sqrt(omega);
        double[] g = new double[w.length];
        for (int k = 0; k < known; k++) {
            g[k] = Math.sqrt(few.squares()[k]) * (s * few.gap()[k] - few.y()[k]) / root;
        }
        ArrowSphere.Solution solution = ArrowSphere.solveDiagonal(few.squares(), g);
        double[] unit = solution.r();
        Vectors.scale(root / Vectors.norm(unit), unit);
        // a proof needs some curvature
        double curvature = solution.lambda() + least;
        double kappa = curvature >= CURVED * most ? solution.lambda() : Math.sqrt(CURVED) * most - least;
        return new At(theta, kappa, point(unit, omega, s));
    }

    private Point point(double[] w, double omega, double target) {
        double r = 0;
        double product = 0;
        double t = few.noise();
        for (int k = 0; k < known + 3; k++) {
            double gap = few.gap()[k];
            double score = k < known && k < w.length ? Math.sqrt(few.squares()[k]) * w[k] : 0;
            double e = k < known + 2 ? score - few.y()[k] : -target * gap;
            r += e * e;
            product += e * gap;
            t += gap * gap;
        }
        Sums sums = new Sums(r, product, t);
        return new Point(
                w,
                target,
                sums,
                sums.loss(omega, ends.low, ends.ridge) - ends.lowLess,
                sums.loss(omega, ends.high, ends.ridge) - ends.highLess);
    }

    /** Returns the derivative of the mixture by omega at fixed scores, minus the multiplier. */
    private double derivative(double omega, At at) {
        if (omega == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        Sums sums = at.point.sums;
        double change = at.theta * change(sums, omega, ends.low) + (1 - at.theta) * change(sums, omega, ends.high);
        if (lone) {
            double w = at.point.w[0];
            double root = Math.sqrt(few.squares()[0]);
            double e = root * w - few.y()[0];
            double byScore = 2 * weight(omega, at.theta) * (e + at.point.target * few.gap()[0]);
            return change + byScore * root * w / (2 * omega);
        }
        return change - weight(omega, at.theta) * at.kappa;
    }

    /** Returns (2 a t/omega)[-a R + (a - t) S + t T] + mu a^2. */
    private double change(Sums sums, double omega, double gamma) {
        double a = Response.remainder(omega, gamma);
        double t = Response.pullThrough(omega, gamma);
        return 2 * a / (gamma + omega) * (-a * sums.r + (a - t) * sums.s + t * sums.t) + ends.ridge * a * a;
    }

    /** Returns the coefficients of the ridge regression of y or of z - y at kappa on the pseudo-rows. */
    double[] ridge(double kappa, boolean gap) {
        double[] w = new double[few.squares().length];
        for (int k = 0; k < known; k++) {
            double h = few.squares()[k];
            w[k] = Math.sqrt(h) * (gap ? few.gap() : few.y())[k] / (h + kappa);
        }
        return w;
    }

    /** Returns the lower bound of the rules of an interval from a slice and these sums. */
    double least(RangeBound.Face face, Slice by, double from, double to) {
        return RangeBound.least(ends.mixture(by.theta), face, from, to);
    }

    /** Returns the bound of all rules that a slice gives, from the pseudo-rows. */
    RangeBound.Face face(Slice slice) {
        return slice.side == 0 ? relaxed(slice.kappa) : signed(slice.side);
    }

    /** Returns the bound of all rules that a multiplier gives. */
    RangeBound.Face relaxed(double kappa) {
        double[] left = new double[known];
        Arrays.setAll(left, k -> kappa / (few.squares()[k] + kappa));
        return face(left, 0, -kappa, 0);
    }

    /** Returns the losses of all rules whose only coefficient has this sign. */
    private RangeBound.Face signed(int sign) {
        double[] left = new double[known];
        Arrays.fill(left, 1);
        double root = sign * Math.sqrt(few.squares()[0]);
        double byY = known == 0 ? 0 : root * few.y()[0];
        double byGap = known == 0 ? 0 : root * few.gap()[0];
        return face(left, -2 * byY, few.squares()[0], 2 * byGap);
    }

    /**
     * @param left the part of every square that a ridge regression leaves
     */
    private RangeBound.Face face(double[] left, double a1, double a2, double b1) {
        double[] y = few.y();
        double[] gap = few.gap();
        double v0 = y[known] * y[known];
        double v1 = y[known] * gap[known];
        double v2 = gap[known] * gap[known] + gap[known + 1] * gap[known + 1];
        double square = v2 + gap[known + 2] * gap[known + 2];
        for (int k = 0; k < known; k++) {
            v0 += left[k] * y[k] * y[k];
            v1 += left[k] * y[k] * gap[k];
            v2 += left[k] * gap[k] * gap[k];
            square += gap[k] * gap[k];
        }
        return RangeBound.Face.of(v0, v1, v2, square, few.noise(), a1, a2, b1);
    }
}
