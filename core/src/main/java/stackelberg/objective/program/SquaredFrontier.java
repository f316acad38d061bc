package stackelberg.objective.program;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.objective.program.SquaredDual.Reach;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;

/**
 * The frontier for squared loss: one sphere problem for each eta, all in the coordinates of one {@link Space}.
 *
 * <p>With u = (1 - tau) w and qHat = (1 - tau) q, and after eliminating qHat, the objective on the sphere is
 *
 * <pre>||P(X u + tau z - y)||^2 + N tau^2 + mu (beta'u + gamma tau) + eta ||P(X u - (1 - tau) y)||^2
 * + eta/(1 + eta) tau^2 ||(I - P)(z - y)||^2 - eta B (1 - tau)^2</pre>
 *
 * because the hedge H &lt;= B is ||X u + V qHat - (1 - tau) y||^2 &lt;= B (1 - tau)^2 (docs/theory.md, "The program").
 * Its Hessian is (1 + eta) X'PX on u with a border, an arrow matrix in these coordinates; it may be indefinite.
 */
final class SquaredFrontier implements Frontier<SquaredFrontier.Place> {
    private final Space space;
    private final double yy;
    private final double yz;
    /** z'Pz plus the noise N of the wishes. */
    private final double zz;
    /** ||(I - P)(z - y)||^2. */
    private final double explained;

    private final double mu;
    private final double gamma;
    /** The sphere in the coordinates of the space. */
    private final SphereGeometry geometry;
    /** beta/2. */
    private final double[] centre;
    /** R, and R/sqrt(gamma). */
    private final double radius;

    private final double share;
    /** The relative error of sums over coordinates. */
    private static final double SLACK = 1e-10;

    /** The coefficients of least squares. */
    private final double[] leastSquares;

    /** Computes the sums and the least-squares rule in the coordinates of the space. */
    SquaredFrontier(Space space, SphereFamily family, double gamma, double explained) {
        SphereFamily plain = family.plain();
        this.space = space;
        this.yy = plain.yy();
        this.yz = plain.yz();
        this.zz = plain.zz();
        this.explained = explained;
        this.mu = family.ridge();
        this.gamma = gamma;
        this.geometry = SphereGeometry.of(gamma, space.effects());
        this.radius = geometry.stretch() * Math.sqrt(gamma) / 2;
        this.share = geometry.stretch() / 2;
        double @Nullable [] effects = space.effects();
        this.centre = effects == null ? new double[space.values().length] : effects.clone();
        Vectors.scale(0.5, centre);
        this.leastSquares = ridge(0);
    }

    /**
     * A rule on the frontier, in coordinates.
     *
     * @param r the point of the sphere
     * @param u (1 - tau) w
     * @param kept 1 - tau
     * @param above H minus the loss of least squares
     * @param moved M
     * @param residual the residual of the minimiser of M + eta (H - B) outside the space, in the units of the sphere
     * @param smallest the smallest eigenvalue of the Hessian of M + eta (H - B) on the sphere, within the space
     */
    record Place(
            double eta,
            double[] r,
            double[] u,
            double tau,
            double kept,
            double above,
            double moved,
            double multiplier,
            double residual,
            double smallest)
            implements Frontier.Place {
        @Override
        public double weight() {
            return eta == 0 ? 0 : eta * kept * kept;
        }
    }

    @Override
    public Place at(double eta, double bound) {
        return at(eta, bound, null);
    }

    /**
     * The function sum kappa_i (r_i - low_i)(r_i - high_i), which is at most 0 for points between low and high. Added
     * to the objective, it bounds the loss of rules there from below.
     *
     * @param weight kappa, of the coordinates followed by the border
     */
    record Cut(double[] weight, double[] low, double[] high) {
        /** Returns the cut that is 0: the whole sphere. */
        static Cut none(int order) {
            double[] low = new double[order + 1];
            double[] high = new double[order + 1];
            Arrays.fill(low, -1);
            Arrays.fill(high, 1);
            return new Cut(new double[order + 1], low, high);
        }

        Cut {
            weight = weight.clone();
            low = low.clone();
            high = high.clone();
        }

        /** Returns a copy with other sides of one coordinate. */
        Cut within(int i, double from, double to) {
            Cut changed = new Cut(weight, low, high);
            changed.low[i] = from;
            changed.high[i] = to;
            return changed;
        }

        /** Returns a copy with another weight of one coordinate. */
        Cut with(int i, double other) {
            Cut changed = new Cut(weight, low, high);
            changed.weight[i] = other;
            return changed;
        }

        double at(double[] r) {
            double sum = 0;
            for (int i = 0; i < r.length; i++) {
                sum += weight[i] == 0 ? 0 : weight[i] * (r[i] - low[i]) * (r[i] - high[i]);
            }
            return sum;
        }

        /** Returns half the gradient. */
        double[] slope(double[] r) {
            double[] slope = new double[r.length];
            Arrays.setAll(slope, i -> weight[i] * (r[i] - (low[i] + high[i]) / 2));
            return slope;
        }

        double size() {
            return Arrays.stream(weight).sum();
        }

        /** Returns the weight divided by the given value, and half the slope at 0. */
        double bend(int i, double whole) {
            return weight[i] / whole;
        }

        double push(int i, double whole) {
            return -weight[i] * (low[i] + high[i]) / 2 / whole;
        }
    }

    /** Returns the frontier with a cut. */
    Frontier<Place> within(Cut cut) {
        return new Frontier<>() {
            @Override
            public SquaredFrontier.Place at(double eta, double bound) {
                return SquaredFrontier.this.at(eta, bound, cut);
            }

            @Override
            public SquaredFrontier.Place between(SquaredFrontier.Place from, SquaredFrontier.Place to, double part) {
                return SquaredFrontier.this.between(from, to, part);
            }
        };
    }

    /** Returns the minimiser with a cut. */
    Place at(double eta, double bound, @Nullable Cut cut) {
        double whole = 1 + eta;
        double[] values = space.values();
        int n = values.length;
        double[] y = space.y();
        double[] z = space.z();
        double[] c = new double[n];
        double[] d = new double[n];
        double[] g = new double[n];
        // the coefficients of tau^2 and 2 tau, all divided by 1 + eta
        double square = (zz + eta * yy + eta / whole * explained - eta * bound) / whole;
        double linear = (-yz - eta * yy + eta * bound + mu * gamma / 2) / whole;
        double border = share * (square / 2 + linear);
        for (int i = 0; i < n; i++) {
            double wish = (z[i] + eta * y[i]) / whole;
            d[i] = radius * radius * values[i];
            c[i] = radius * share * wish;
            g[i] = radius * (values[i] * centre[i] + wish / 2 - y[i] + mu * centre[i] / whole);
            border += share * centre[i] * wish;
        }
        double corner = share * share * square;
        for (int i = 0; i < n && cut != null; i++) {
            d[i] += cut.bend(i, whole);
            g[i] += cut.push(i, whole);
        }
        if (cut != null) {
            corner += cut.bend(n, whole);
            border += cut.push(n, whole);
        }
        ArrowSphere.Solution solution = ArrowSphere.solve(d, c, corner, g, border, false);
        return place(eta, solution.r(), whole * solution.lambda(), whole * solution.smallestEigenvalue());
    }

    /** Makes the place of a point of the sphere. */
    private Place place(double eta, double[] point, double multiplier, double smallest) {
        double[] r = point.clone();
        Vectors.scale(1 / Vectors.norm(r), r);
        double[] u = geometry.scaledCoefficients(r);
        double tau = geometry.tau(r);
        double kept = geometry.oneMinusTau(r);
        double part = tau / (1 + eta);
        double above = explained * (part / kept) * (part / kept) + distance(geometry.coefficients(r));
        double moved = moved(u, tau) + explained * (eta * part) * (eta * part);
        double residual = (1 + eta) * radius * space.outside(u);
        return new Place(
                eta,
                r,
                u,
                tau,
                kept,
                Double.isNaN(above) ? Double.POSITIVE_INFINITY : above,
                moved,
                multiplier,
                residual,
                smallest);
    }

    /** {@inheritDoc} The rule is on the sphere and has the weight of the first. */
    @Override
    public Place between(Place from, Place to, double part) {
        double[] r = from.r.clone();
        Vectors.scale(1 - part, r);
        Vectors.axpy(part, to.r, r);
        return place(from.eta, r, Double.NaN, Double.NaN);
    }

    /** Returns the best rule before any move, with the ridge mu ||w||^2: the end of the frontier. */
    Place honest() {
        return place(HedgeSearch.MOST, geometry.point(ridge(mu)), Double.NaN, Double.NaN);
    }

    /** Returns (X'PX + mu I)^+ X'Py. */
    double[] ridge(double penalty) {
        double[] values = space.values();
        double[] w = space.y().clone();
        for (int i = 0; i < w.length; i++) {
            w[i] = values[i] + penalty > 0 ? w[i] / (values[i] + penalty) : 0;
        }
        return w;
    }

    /**
     * Returns the loss of w before any move minus that of least squares, ||P X (w - least squares)||^2, without
     * cancellation.
     */
    double distance(double[] w) {
        double[] values = space.values();
        double sum = 0;
        for (int i = 0; i < w.length; i++) {
            double off = w[i] - leastSquares[i];
            sum += values[i] == 0 ? 0 : values[i] * off * off;
        }
        return sum;
    }

    /** Returns the loss of least squares as a difference of sums. */
    double least() {
        return Math.max(0, yy - Vectors.dot(space.y(), leastSquares));
    }

    /** Returns the penalty of a ridge in M. */
    double penalty(Place place) {
        return mu * (2 * Vectors.dot(centre, place.u) + gamma * place.tau);
    }

    /** Returns M of (u, tau) without the part that the immutable columns explain. */
    private double moved(double[] u, double tau) {
        double[] values = space.values();
        double sum = yy - 2 * tau * yz + tau * tau * zz + mu * (2 * Vectors.dot(centre, u) + gamma * tau);
        for (int i = 0; i < u.length; i++) {
            sum += u[i] * (values[i] * u[i] + 2 * tau * space.z()[i] - 2 * space.y()[i]);
        }
        return Math.max(0, sum);
    }

    /**
     * Returns bounds that hold for all rules whose loss before any move keeps a bound: with d = w - w_LS, H(w) =
     * H(w_LS) + 2 d'X'P(X w_LS - y) + d'X'PX d.
     *
     * @param room the bound minus the loss of least squares, from the data
     * @param slope a bound of ||X'P(X w_LS - y)||, from the data
     * @param rounding a bound of the error of X'PX in these coordinates
     */
    Reach reach(double room, double slope, double rounding) {
        double[] values = space.values();
        double smallest = Arrays.stream(values).min().orElse(0);
        double @Nullable [] beta = space.effects();
        if (!space.whole() || !(smallest > 2 * rounding)) {
            return Reach.unknown(gamma, beta != null);
        }
        // the largest root of (1 - rounding/smallest) x^2 - 2 slope x/sqrt(smallest) - room, where x^2 = d'X'PX d in
        // these coordinates
        double share = 1 - rounding / smallest;
        double push = slope / Math.sqrt(smallest);
        double far = (push + Math.sqrt(push * push + share * Math.max(0, room))) / share * (1 + SLACK);
        double size = Vectors.norm(leastSquares) + far / Math.sqrt(smallest);
        double earned = 0;
        double spread = 0;
        for (int i = 0; beta != null && i < beta.length; i++) {
            earned += beta[i] * leastSquares[i];
            spread += beta[i] * beta[i] / values[i];
        }
        double around = far * Math.sqrt(spread) + SLACK * Math.sqrt(4 * Vectors.dot(centre, centre)) * size;
        return new Reach(gamma + earned - around, gamma + earned + around, size * size * (1 + SLACK));
    }

    /**
     * Returns the part of the sphere that contains the rules with this reach. If possible it excludes the pole, which
     * keeps every bound but is not a rule.
     */
    Cut box(Reach reach) {
        int n = space.values().length;
        double from = (0.5 - (1 - SLACK) * reach.mostKept(gamma)) / share;
        double to = (0.5 - (1 - SLACK) * reach.leastKept(gamma)) / share;
        return Cut.none(n).within(n, Math.max(-1, from), Math.min(1, to));
    }

    /**
     * Returns a bound of the error of the Hessian's border in these coordinates, from the parts of X'Py and X'Pz
     * outside the space.
     */
    double lost(double eta, SphereFamily family) {
        double[] y = family.plain().xy();
        double[] z = family.plain().xz();
        Vectors.axpy(-1, space.lift(space.y()), y);
        Vectors.axpy(-1, space.lift(space.z()), z);
        return radius * share * (Vectors.norm(z) + eta * Vectors.norm(y));
    }

    /** Returns whether one coordinate represents the whole null space of X. */
    boolean hasNull() {
        return Arrays.stream(space.values()).anyMatch(value -> value == 0);
    }

    int order() {
        return space.values().length;
    }

    double[] lift(double[] coordinates) {
        return space.lift(coordinates);
    }

    boolean isWhole() {
        return space.whole();
    }

    /**
     * Returns a lower bound of the eigenvalues of X'PX that are above rounding: the smallest one if the space is the
     * whole space; otherwise the size up to which a decomposition would count an eigenvalue as 0.
     *
     * @param features the order of X'PX
     */
    double smallest(int features) {
        double[] values = space.values();
        return space.whole()
                ? Arrays.stream(values).filter(v -> v > 0).min().orElse(1)
                : features * 0x1p-52 * Arrays.stream(values).max().orElse(1);
    }

    /**
     * Returns an estimate of how much the loss of the best rule before any move could still decrease outside the space.
     */
    double missing() {
        return missing(Arrays.stream(space.values()).filter(v -> v > 0).min().orElse(1));
    }

    /**
     * Returns how much that loss could still decrease if no eigenvalue of X'PX that is above rounding is below this one.
     */
    double missing(double smallest) {
        double outside = space.outside(ridge(mu));
        return outside * outside / (smallest + mu);
    }
}
