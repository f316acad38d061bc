package stackelberg.objective.program;

import java.util.Arrays;
import stackelberg.linalg.Vectors;
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
    /** The relative error of sums over coordinates. */
    private static final double SLACK = 1e-10;

    private final Space space;
    private final SphereFamily family;
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
    /** The coefficients of least squares. */
    private final double[] leastSquares;

    private final Cut cut;

    /** Computes the sums and the least-squares rule in the coordinates of the space. */
    SquaredFrontier(Space space, SphereFamily family, double gamma, double explained) {
        this(space, family, gamma, explained, Cut.NONE);
    }

    private SquaredFrontier(Space space, SphereFamily family, double gamma, double explained, Cut cut) {
        SphereFamily plain = family.plain();
        this.space = space;
        this.family = family;
        this.yy = plain.yy();
        this.yz = plain.yz();
        this.zz = plain.zz();
        this.explained = explained;
        this.mu = family.ridge();
        this.gamma = gamma;
        this.geometry = SphereGeometry.of(gamma, space.effects());
        this.radius = geometry.stretch() * Math.sqrt(gamma) / 2;
        this.share = geometry.stretch() / 2;
        this.centre =
                space.effects() == null ? new double[order()] : space.effects().clone();
        Vectors.scale(0.5, centre);
        this.leastSquares = ridge(0);
        this.cut = cut;
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

        /** Returns r_last = (2 tau - 1)/stretch. */
        double border() {
            return r[r.length - 1];
        }
    }

    /**
     * The function kappa (r_last - low)(r_last - high), which is at most 0 for points between low and high. Added to
     * the objective, it bounds the loss of rules there from below.
     *
     * @param weight kappa
     */
    record Cut(double weight, double low, double high) {
        /** The cut that is 0: the whole sphere. */
        static final Cut NONE = new Cut(0, -1, 1);

        double at(double border) {
            return weight * (border - low) * (border - high);
        }

        /** Returns half the derivative. */
        double slope(double border) {
            return weight * (border - (low + high) / 2);
        }
    }

    /** Returns the frontier with a cut added to M. */
    SquaredFrontier with(Cut other) {
        return new SquaredFrontier(space, family, gamma, explained, other);
    }

    @Override
    public Place at(double eta, double bound) {
        double whole = 1 + eta;
        double[] values = space.values();
        int n = values.length;
        double[] c = new double[n];
        double[] d = new double[n];
        double[] g = new double[n];
        // the coefficients of tau^2 and 2 tau, all divided by 1 + eta
        double square = (zz + eta * yy + eta / whole * explained - eta * bound) / whole;
        double linear = (-yz - eta * yy + eta * bound + mu * gamma / 2) / whole;
        double border = share * (square / 2 + linear) + cut.slope(0) / whole;
        for (int i = 0; i < n; i++) {
            double wish = (space.z()[i] + eta * space.y()[i]) / whole;
            d[i] = radius * radius * values[i];
            c[i] = radius * share * wish;
            g[i] = radius * (values[i] * centre[i] + wish / 2 - space.y()[i] + mu * centre[i] / whole);
            border += share * centre[i] * wish;
        }
        double corner = share * share * square + cut.weight / whole;
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
        double residual = (1 + eta) * radius * space.outside().applyAsDouble(u);
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
        double[] w = space.y().clone();
        for (int i = 0; i < w.length; i++) {
            double value = space.values()[i] + penalty;
            w[i] = value > 0 ? w[i] / value : 0;
        }
        return w;
    }

    /**
     * Returns the loss of w before any move minus that of least squares, ||P X (w - least squares)||^2, without
     * cancellation.
     */
    private double distance(double[] w) {
        double sum = 0;
        for (int i = 0; i < w.length; i++) {
            double off = w[i] - leastSquares[i];
            sum += space.values()[i] == 0 ? 0 : space.values()[i] * off * off;
        }
        return sum;
    }

    /** Returns the loss of least squares as a difference of sums. */
    double least() {
        return Math.max(0, yy - Vectors.dot(space.y(), leastSquares));
    }

    /** Returns the penalty of a ridge in M. */
    double penalty(double[] u, double tau) {
        return mu * (2 * Vectors.dot(centre, u) + gamma * tau);
    }

    /** Returns M of (u, tau) without the part that the immutable columns explain. */
    private double moved(double[] u, double tau) {
        double sum = yy - 2 * tau * yz + tau * tau * zz + penalty(u, tau);
        for (int i = 0; i < u.length; i++) {
            sum += u[i] * (space.values()[i] * u[i] + 2 * tau * space.z()[i] - 2 * space.y()[i]);
        }
        return Math.max(0, sum);
    }

    /**
     * Returns the part of the sphere, as an interval of r_last, with all rules whose loss before any move keeps a
     * bound: with v the rule of least squares and d = w - v, H(w) = H(v) + 2 d'X'P(X v - y) + d'X'PX d. If possible it
     * excludes the pole, which keeps every bound but is not a rule.
     *
     * @param room the bound minus H(v), from the data
     * @param slope a bound of ||X'P(X v - y)||, from the data
     * @param rounding a bound of the error of X'PX in these coordinates
     */
    Cut reach(double room, double slope, double rounding) {
        double smallest = Arrays.stream(space.values()).min().orElse(0);
        if (!(smallest > 2 * rounding)) {
            return Cut.NONE;
        }
        // the largest root of (1 - rounding/smallest) x^2 - 2 slope x/sqrt(smallest) - room, where x^2 = d'X'PX d in
        // these coordinates
        double part = 1 - rounding / smallest;
        double push = slope / Math.sqrt(smallest);
        double far = (push + Math.sqrt(push * push + part * Math.max(0, room))) / part * (1 + SLACK);
        double size = Vectors.norm(leastSquares) + far / Math.sqrt(smallest);
        double spread = 0;
        for (int i = 0; i < centre.length; i++) {
            spread += 4 * centre[i] * centre[i] / space.values()[i];
        }
        // 1 - tau = (gamma + beta'w)/(gamma + omega)
        double around = far * Math.sqrt(spread) + SLACK * 2 * Vectors.norm(centre) * size;
        double earned = gamma + 2 * Vectors.dot(centre, leastSquares);
        double most = (gamma + size * size * (1 + SLACK)) / (1 - SLACK);
        double pole = 0.5 / share;
        // 1 - tau is at least (gamma + beta'w)/most if that is positive for all of these rules, else below it
        return earned > around
                ? new Cut(0, -1, pole - (earned - around) / most / share)
                : earned < -around ? new Cut(0, pole - (earned + around) / most / share, 1) : Cut.NONE;
    }

    /**
     * Returns a bound of the error of the Hessian's border in these coordinates, from the parts of X'Py and X'Pz
     * outside the space.
     */
    double lost(double eta) {
        double[] y = Vectors.minus(family.plain().xy(), lift(space.y()));
        double[] z = Vectors.minus(family.plain().xz(), lift(space.z()));
        return radius * share * (Vectors.norm(z) + eta * Vectors.norm(y));
    }

    int order() {
        return space.values().length;
    }

    /** Returns the point of the family's sphere. */
    double[] point(Place place) {
        return SphereGeometry.of(gamma, family.effects()).point(lift(place.u), place.tau);
    }

    double[] lift(double[] coordinates) {
        return space.lift().apply(coordinates);
    }

    boolean isWhole() {
        return space.whole();
    }

    private double leastPositive() {
        return Arrays.stream(space.values()).filter(v -> v > 0).min().orElse(1);
    }

    /**
     * Returns a lower bound of the eigenvalues of X'PX that are above rounding: the smallest one if the space is the
     * whole space; otherwise the size up to which a decomposition would count an eigenvalue as 0.
     */
    double smallest() {
        return space.whole()
                ? leastPositive()
                : family.features()
                        * 0x1p-52
                        * Arrays.stream(space.values()).max().orElse(1);
    }

    /**
     * Returns an estimate of how much the loss of the best rule before any move could still decrease outside the space.
     */
    double missing() {
        return missing(leastPositive());
    }

    /**
     * Returns how much that loss could still decrease if no eigenvalue of X'PX that is above rounding is below this one.
     */
    double missing(double smallest) {
        double outside = space.outside().applyAsDouble(ridge(mu));
        return outside * outside / (smallest + mu);
    }
}
