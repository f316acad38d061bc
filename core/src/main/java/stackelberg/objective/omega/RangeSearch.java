package stackelberg.objective.omega;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import stackelberg.game.Response;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;

/**
 * minimise max(F_low - less_low, F_high - less_high), the losses of a rule at two gammas: branch and bound over omega, among the few who stand for all.
 *
 * <p><b>Problem.</b> psi(omega) = max over theta of the least theta (F_low - less_low) + (1 - theta) (F_high - less_high) of all rules with that omega bounds it from below, and is nearly always
 * reached by a rule with F_low - less_low = F_high - less_high. With one feature there are two rules at each omega, which are looked at one by one.
 *
 * <p><b>Method.</b> With a = 1 - t, F = a^2 R + 2 a t S + t^2 T, R the loss if nobody moves, S the sum of its residuals times the gaps and T that of all squared gaps: the best rule of a mixture is that of
 * y - s (z - y) on a sphere, s = B/A. So an omega costs a few roots of a secular equation in O(n), and its theta and multiplier kappa bound every interval around it ({@link RangeBound}) by the three
 * sums v(kappa) that ridge regression of y and of z - y leaves.
 *
 * <p><b>When it fails.</b> Where the two losses of the best rule jump past one another as theta grows, a gap is left, which is told.
 */
final class RangeSearch extends OmegaBranch<RangeSearch.Slice> {
    private static final int MOST_STEPS = 200;

    private static final int MOST_SLICES = 3000;

    private static final double GOLDEN = 0.618;

    /** Parts of the interval of gammas in which regrets are bounded. */
    private static final int MOST_STRETCHES = 2000;

    /** Two losses that differ by less, relative, are equal. */
    private static final double EQUAL = 1e-15;

    /** The curvature of relaxed problems, relative to the largest eigenvalue. */
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
     * @param lowLess what is taken off the loss at it
     * @param ridge mu
     */
    record Ends(double low, double high, double lowLess, double highLess, double ridge) {
        RangeBound.Mixture mixture(double theta) {
            return new RangeBound.Mixture(low, high, theta, ridge, theta * lowLess + (1 - theta) * highLess);
        }
    }

    /**
     * A rule with its two losses.
     *
     * @param w on the features of the few
     * @param s its immutable part is best for y - s (z - y)
     * @param low F_low - less_low
     */
    record Point(double[] w, double s, double low, double high) {
        double worst() {
            return Math.max(low, high);
        }
    }

    /**
     * What is known of all rules of one omega.
     *
     * @param side the sign of the one coefficient; 0 where there are more
     * @param kappa the multiplier of w'w over A
     * @param point the best rule found
     * @param derivative of psi
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

    /** What was found, and what is proven by which slices. */
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

    /** Where rules jump psi says nothing of the best one: the least of those found at any omega near it, by golden sections. */
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
    Interval<Slice> bounded(Slice lo, Slice hi, double from, double to, int side, Interval<Slice> parent) {
        Slice by = null;
        double bound = Double.NEGATIVE_INFINITY;
        for (Slice end : new Slice[] {lo, hi, parent == null ? null : parent.by()}) {
            if (end != null) {
                double at = least(face(end), end, from, to);
                if (by == null || at > bound) {
                    bound = at;
                    by = end;
                }
            }
        }
        return new Interval<>(lo, hi, from, to, side, by, bound);
    }

    /** The rule at a theta, with what is needed of it. */
    private record At(double theta, double kappa, Point point) {
        double excess() {
            return point.low - point.high;
        }
    }

    /** max over theta, by the zero of F_low - F_high, which falls as theta grows. */
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
            // the best rule jumps: one between the two sides has equal losses
            At above = bracket.low();
            At below = bracket.high();
            for (Point other :
                    List.of(between(above, below, omega), beyond(above, omega, 1), beyond(below, omega, 0))) {
                point = other.worst() < point.worst() ? other : point;
            }
        }
        return slice(omega, sign, nearest, point);
    }

    private Slice slice(double omega, int sign, At at, Point point) {
        return new Slice(omega, sign, at.theta, at.kappa, point, derivative(omega, at));
    }

    private Point between(At one, At other, double omega) {
        double from = 0;
        double to = 1;
        Point found = one.point;
        for (int k = 0; k < 100; k++) {
            double part = (from + to) / 2;
            double[] w = one.point.w.clone();
            double square = 0;
            for (int j = 0; j < w.length; j++) {
                w[j] = (1 - part) * one.point.w[j] + part * other.point.w[j];
                square += w[j] * w[j];
            }
            if (square == 0) {
                return found;
            }
            for (int j = 0; j < w.length; j++) {
                w[j] *= Math.sqrt(omega / square);
            }
            Point at = point(w, omega, one.point.s);
            found = at.worst() < found.worst() ? at : found;
            if (at.low > at.high) {
                from = part;
            } else {
                to = part;
            }
        }
        return found;
    }

    /** kappa of the best rule of a mixture at one omega. */
    double multiplier(double omega, double theta) {
        // of the two rules with one coefficient both have the same
        return at(omega, theta, lone ? 1 : 0).kappa;
    }

    /** s = B/A of a mixture. */
    double target(double omega, double theta) {
        double aLow = Response.remainder(omega, ends.low);
        double aHigh = Response.remainder(omega, ends.high);
        double above = theta * aLow * Response.pullThrough(omega, ends.low)
                + (1 - theta) * aHigh * Response.pullThrough(omega, ends.high);
        return above / weight(omega, theta);
    }

    /** A of a mixture. */
    private double weight(double omega, double theta) {
        double aLow = Response.remainder(omega, ends.low);
        double aHigh = Response.remainder(omega, ends.high);
        return theta * aLow * aLow + (1 - theta) * aHigh * aHigh;
    }

    /** The best rule of a mixture at one omega: w_k = s_k c_k/(s_k^2 + kappa), c = U'P(y - s (z - y)), with w'w = omega. */
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
        double[] c = new double[known];
        for (int k = 0; k < known; k++) {
            c[k] = few.y()[k] - s * few.gap()[k];
        }
        double shift = shift(c, Math.sqrt(omega));
        double square = 0;
        int last = -1;
        for (int k = 0; k < w.length; k++) {
            double h = few.squares()[k];
            double over = h - least + shift;
            w[k] = k < known && c[k] != 0 ? Math.sqrt(h) * c[k] / over : 0;
            square += w[k] * w[k];
            last = h == least ? k : last;
        }
        if (square < omega * (1 - 1e-12) && last >= 0) {
            // what is missing lies along the smallest eigenvalue, on either side
            double rest = omega - square + w[last] * w[last];
            w[last] = Math.copySign(Math.sqrt(rest), w[last]);
        } else {
            for (int k = 0; k < w.length; k++) {
                w[k] *= Math.sqrt(omega / square);
            }
        }
        // a proof needs some curvature
        double curved = shift >= CURVED * most ? shift : Math.sqrt(CURVED) * most;
        return new At(theta, curved - least, point(w, omega, s));
    }

    /**
     * The best rule of a mixture next to another on the same side of the smallest eigenvalue, where the best of all has jumped to the other side: kappa below minus that eigenvalue and above the
     * next. Null where there is none.
     */
    private At beside(double omega, double theta, int side) {
        double s = target(omega, theta);
        int first = weakest();
        double[] c = new double[known];
        double gap = Double.POSITIVE_INFINITY;
        for (int k = 0; k < known; k++) {
            c[k] = few.y()[k] - s * few.gap()[k];
            gap = k == first ? gap : Math.min(gap, few.squares()[k] - least);
        }
        if (c[first] * side > 0) {
            return at(omega, theta, 0);
        }
        double shift = -Math.sqrt(least) * Math.abs(c[first]) / Math.sqrt(omega);
        for (int k = 0; k < MOST_STEPS; k++) {
            double square = -omega;
            double slope = 0;
            for (int j = 0; j < known; j++) {
                double over = few.squares()[j] - least + shift;
                double w = Math.sqrt(few.squares()[j]) * c[j] / over;
                square += w * w;
                slope -= 2 * w * w / over;
            }
            // the norm is convex between two eigenvalues: from the right Newton's method goes to the root next to it,
            // if there is one
            if (!(slope > 0) || !(shift > -gap)) {
                return null;
            }
            double next = shift - square / slope;
            if (!(next < shift)) {
                break;
            }
            shift = next;
        }
        double[] w = new double[few.squares().length];
        double square = 0;
        for (int k = 0; k < known; k++) {
            w[k] = Math.sqrt(few.squares()[k]) * c[k] / (few.squares()[k] - least + shift);
            square += w[k] * w[k];
        }
        for (int k = 0; k < w.length; k++) {
            w[k] *= Math.sqrt(omega / square);
        }
        return new At(theta, shift - least, point(w, omega, s));
    }

    /** The feature of the few with the smallest eigenvalue. */
    private int weakest() {
        for (int k = 0; k < known; k++) {
            if (few.squares()[k] == least) {
                return k;
            }
        }
        return -1;
    }

    /** From a side of a jump on, with theta moving towards the other side: the rule with equal losses, or the last one before. */
    private Point beyond(At from, double omega, double end) {
        int first = weakest();
        if (first < 0 || known < few.squares().length) {
            return from.point;
        }
        int side = from.point.w[first] > 0 ? 1 : -1;
        Point found = from.point;
        double near = from.theta;
        double far = end;
        for (int k = 0; k < 60; k++) {
            double theta = (near + far) / 2;
            At at = beside(omega, theta, side);
            boolean before = at != null && (at.excess() > 0) == (from.excess() > 0);
            if (at != null && at.point.worst() < found.worst()) {
                found = at.point;
            }
            near = before ? theta : near;
            far = before ? far : theta;
        }
        return found;
    }

    /** kappa + the smallest eigenvalue, at which the rule has this norm: Newton's method for 1/||w||, from the left, where it is nearly linear. */
    private double shift(double[] c, double norm) {
        double from = 0;
        double sum = 0;
        for (int k = 0; k < c.length; k++) {
            double h = few.squares()[k];
            double size = Math.sqrt(h) * Math.abs(c[k]);
            from = Math.max(from, size / norm - (h - least));
            sum += size * size;
        }
        double to = Math.sqrt(sum) / norm;
        if (from == 0 && !(norm(c, Double.MIN_NORMAL)[0] > norm)) {
            return 0;
        }
        double shift = Math.max(from, 1e-300);
        for (int k = 0; k < MOST_STEPS; k++) {
            double[] at = norm(c, shift);
            double next = shift + at[0] * at[0] / at[1] * (at[0] - norm) / norm;
            if (!(next < to)) {
                next = shift + (to - shift) / 2;
            }
            if (!(next > shift * (1 + 1e-16)) || at[0] <= norm) {
                break;
            }
            shift = next;
        }
        return shift;
    }

    /** ||w|| and sum w_k^2/(s_k^2 + kappa). */
    private double[] norm(double[] c, double shift) {
        double square = 0;
        double slope = 0;
        for (int k = 0; k < c.length; k++) {
            double h = few.squares()[k];
            double w = Math.sqrt(h) * c[k] / (h - least + shift);
            square += w * w;
            slope += w * w / (h - least + shift);
        }
        return new double[] {Math.sqrt(square), slope};
    }

    private Point point(double[] w, double omega, double s) {
        return new Point(
                w, s, loss(w, omega, s, ends.low) - ends.lowLess, loss(w, omega, s, ends.high) - ends.highLess);
    }

    /** F at one gamma, as the sum of squares that it is, and the ridge. */
    private double loss(double[] w, double omega, double s, double gamma) {
        double a = Response.remainder(omega, gamma);
        double t = Response.pullThrough(omega, gamma);
        double sum = 0;
        for (int k = 0; k <= known; k++) {
            double score = k < known && k < w.length ? Math.sqrt(few.squares()[k]) * w[k] : 0;
            double moved = a * (score - few.y()[k]) + t * few.gap()[k];
            sum += moved * moved;
        }
        double rest = t * few.gap()[known + 1];
        double taken = (t - a * s) * few.gap()[known + 2];
        return sum + rest * rest + taken * taken + t * t * few.noise() + ends.ridge * omega * a;
    }

    /** Of the mixture by omega, the rule's scores being kept, less the multiplier. */
    private double derivative(double omega, At at) {
        if (omega == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        double[] sums = sums(at.point);
        double change = at.theta * change(sums, omega, ends.low) + (1 - at.theta) * change(sums, omega, ends.high);
        if (lone) {
            double w = at.point.w[0];
            double root = Math.sqrt(few.squares()[0]);
            double e = root * w - few.y()[0];
            double byScore = 2 * weight(omega, at.theta) * (e + at.point.s * few.gap()[0]);
            return change + byScore * root * w / (2 * omega);
        }
        return change - weight(omega, at.theta) * at.kappa;
    }

    /** (2 a t/omega)[-a R + (a - t) S + t T] + mu a^2. */
    private double change(double[] sums, double omega, double gamma) {
        double a = Response.remainder(omega, gamma);
        double t = Response.pullThrough(omega, gamma);
        return 2 * a / (gamma + omega) * (-a * sums[0] + (a - t) * sums[1] + t * sums[2]) + ends.ridge * a * a;
    }

    /** R, S and T. */
    private double[] sums(Point point) {
        double[] sums = new double[3];
        for (int k = 0; k < known + 3; k++) {
            double score = k < known && k < point.w.length ? Math.sqrt(few.squares()[k]) * point.w[k] : 0;
            double e = k < known + 2 ? score - few.y()[k] : -point.s * few.gap()[k];
            sums[0] += e * e;
            sums[1] += e * few.gap()[k];
            sums[2] += few.gap()[k] * few.gap()[k];
        }
        sums[2] += few.noise();
        return sums;
    }

    /** The coefficients, among the few, of the ridge regression of y or of z - y at kappa. */
    double[] ridge(double kappa, boolean gap) {
        double[] w = new double[few.squares().length];
        for (int k = 0; k < known; k++) {
            double h = few.squares()[k];
            w[k] = Math.sqrt(h) * (gap ? few.gap() : few.y())[k] / (h + kappa);
        }
        return w;
    }

    /** Part of the interval of gammas: its ends, a rule's losses there, and the multipliers that prove most at them. */
    private record Stretch(
            double from, double to, double lossFrom, double lossTo, double kFrom, double kTo, double most) {}

    /**
     * The largest of F - f* over all gammas between the two, f* the least loss at that gamma.
     *
     * <p>F is convex in t, so that no value inside is above both ends. f* is at least the least value of a quadratic in t for every multiplier kappa, which is linear in gamma; as a minimum of
     * linear functions it is concave, so that no value inside is below both ends.
     *
     * @param sums R, S and T of a rule
     * @param low the regret at the smallest gamma, at most
     * @param high the same at the largest
     * @param slack to which it is wanted
     */
    RangeSolution.Regret largestRegret(double[] sums, double omega, double low, double high, double slack) {
        double met = Math.max(low, high);
        double where = low >= high ? ends.low : ends.high;
        PriorityQueue<Stretch> open = new PriorityQueue<>(Comparator.comparingDouble(stretch -> -stretch.most));
        open.add(stretch(
                ends.low,
                ends.high,
                loss(sums, omega, ends.low),
                loss(sums, omega, ends.high),
                bestMultiplier(ends.low),
                bestMultiplier(ends.high)));
        for (int k = 0; k < MOST_STRETCHES && open.peek().most > met + slack; k++) {
            Stretch stretch = open.poll();
            double middle = Math.sqrt(stretch.from) * Math.sqrt(stretch.to);
            if (!(middle > stretch.from && middle < stretch.to)) {
                open.add(stretch);
                break;
            }
            double kappa = bestMultiplier(middle);
            double loss = loss(sums, omega, middle);
            double regret = loss - leastLoss(middle, kappa);
            if (regret > met) {
                met = regret;
                where = middle;
            }
            open.add(stretch(stretch.from, middle, stretch.lossFrom, loss, stretch.kFrom, kappa));
            open.add(stretch(middle, stretch.to, loss, stretch.lossTo, kappa, stretch.kTo));
        }
        return new RangeSolution.Regret(where, met, Math.max(met, open.peek().most));
    }

    private Stretch stretch(double from, double to, double lossFrom, double lossTo, double kFrom, double kTo) {
        double least = Math.max(
                Math.min(leastLoss(from, kFrom), leastLoss(to, kFrom)),
                Math.min(leastLoss(from, kTo), leastLoss(to, kTo)));
        return new Stretch(from, to, lossFrom, lossTo, kFrom, kTo, Math.max(lossFrom, lossTo) - least);
    }

    /** F from R, S and T. */
    private double loss(double[] sums, double omega, double gamma) {
        double a = Response.remainder(omega, gamma);
        double t = Response.pullThrough(omega, gamma);
        return a * a * sums[0] + 2 * a * t * sums[1] + t * t * sums[2] + ends.ridge * omega * a;
    }

    /** No rule loses less at this gamma: the minimum over t of (1 - t)^2 v0 - 2 t (1 - t) v1 + t^2 (T - c) + gamma t (mu - kappa (1 - t)). */
    private double leastLoss(double gamma, double kappa) {
        return quadratic(gamma, kappa)[0];
    }

    /** The minimum and where it is. */
    private double[] quadratic(double gamma, double kappa) {
        RangeBound.Face face = face(new Slice(Double.NaN, 0, Double.NaN, kappa, null, Double.NaN));
        double constant = face.a0();
        double linear = -2 * face.a0() + face.b0() + gamma * (ends.ridge - kappa);
        double square = face.a0() - face.b0() + face.d() - face.c() + gamma * kappa;
        double t = square > 0 ? Math.min(1, Math.max(0, -linear / (2 * square))) : linear + square < 0 ? 1 : 0;
        return new double[] {constant + t * (linear + t * square), t};
    }

    /** kappa at which the least loss that is proven at a gamma is largest: concave in kappa, with the slope ||(1 - t) w||^2 - gamma t (1 - t). */
    private double bestMultiplier(double gamma) {
        double from = Math.log(1e-12 * Math.max(most, Double.MIN_NORMAL));
        double to = from + Math.log(1e40);
        for (int k = 0; k < 100; k++) {
            double middle = (from + to) / 2;
            double kappa = Math.exp(middle) - least;
            double t = quadratic(gamma, kappa)[1];
            double norm = 0;
            for (int i = 0; i < known; i++) {
                double h = few.squares()[i];
                double w = Math.sqrt(h) * ((1 - t) * few.y()[i] - t * few.gap()[i]) / (h + kappa);
                norm += w * w;
            }
            if (norm > gamma * t * (1 - t)) {
                from = middle;
            } else {
                to = middle;
            }
        }
        return Math.exp(from) - least;
    }

    /** What is proven of all rules of an interval by a slice and these sums. */
    double least(RangeBound.Face face, Slice by, double from, double to) {
        return RangeBound.least(ends.mixture(by.theta), face, from, to);
    }

    /** What a slice says of all rules, by the few. */
    RangeBound.Face face(Slice slice) {
        double[] y = few.y();
        double[] gap = few.gap();
        double v0 = y[known] * y[known];
        double v1 = y[known] * gap[known];
        double taken = gap[known + 2] * gap[known + 2];
        double c = taken;
        double d = taken + few.noise() + gap[known + 1] * gap[known + 1] + gap[known] * gap[known];
        double a1 = 0;
        double b1 = 0;
        for (int k = 0; k < known; k++) {
            double h = few.squares()[k];
            double part = slice.side != 0 ? 1 : Double.isInfinite(slice.kappa) ? 1 : slice.kappa / (h + slice.kappa);
            if (slice.kappa == 0 && slice.side == 0) {
                part = 0;
            }
            v0 += part * y[k] * y[k];
            v1 += part * y[k] * gap[k];
            c += (1 - part) * gap[k] * gap[k];
            d += gap[k] * gap[k];
            if (slice.side != 0) {
                a1 = -2 * slice.side * Math.sqrt(h) * y[k];
                b1 = 2 * slice.side * Math.sqrt(h) * gap[k];
            }
        }
        double a2 = slice.side != 0 ? few.squares()[0] : -slice.kappa;
        return new RangeBound.Face(v0, a1, a2, -2 * v1, b1, c, d);
    }
}
