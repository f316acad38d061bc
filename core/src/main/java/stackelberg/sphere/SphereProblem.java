package stackelberg.sphere;

import java.util.OptionalDouble;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * minimise f(r) = r'H r + 2 g'r + p subject to ||r|| = 1 (paper eq. scls_compact): what every solver solves and every certificate is about.
 */
public interface SphereProblem {
    /**
     * A problem given by its matrix: f(r) = r'H r + 2 g'r + p for a symmetric H that may be indefinite. Entries that should be equal may differ by rounding, 1e-12 ||H||; their mean is used.
     *
     * @throws IllegalArgumentException if H is not symmetric
     */
    static SphereProblem of(DenseMatrix h, double[] g, double p) {
        return new DenseSphereProblem(h, g, p, false);
    }

    /** The same for an H that is known to be positive semidefinite, with f >= 0. */
    static SphereProblem ofGram(DenseMatrix h, double[] g, double p) {
        return new DenseSphereProblem(h, g, p, true);
    }

    /** The family that this problem belongs to: of a game, or of itself alone. */
    default SphereFamily family() {
        return new LoneFamily(this);
    }

    /** Which member of its family this problem is. */
    default double gamma() {
        return LoneFamily.GAMMA;
    }

    /** f(0, ..., 0, 1) where that is the limit of ever larger rules, the loss of believing everybody; infinite where there is no such limit. */
    default double limitLoss() {
        return Double.POSITIVE_INFINITY;
    }

    /** mu gamma, what the ridge mu adds to f for every unit of t = (1 + alphaTilde)/2; in g and p it is included. */
    default double tilt() {
        return 0;
    }

    /** How points of this sphere and rules belong together. */
    default SphereGeometry geometry() {
        return SphereGeometry.of(gamma(), null);
    }

    /** What the ridge adds to f at r. */
    default double penalty(double[] r) {
        return tilt() * SphereGeometry.above(r) / 2;
    }

    /** An evaluation of the same problem without a ridge, with the ridge added. */
    default Evaluation tilted(Evaluation at, double[] r) {
        return at.tilted(tilt(), r);
    }

    /** d, the length of r. */
    int dimension();

    double[] g();

    double p();

    /**
     * p0, which relative gaps fall back on where f(r) is nearly 0: in a game the loss of the best rule that nobody can game (w = 0). For a Gram matrix without a game it is p, where p is not 0. Otherwise 1e-9 p0 is at least
     * 3e-5 (||H|| + ||g||), because p says nothing about how much f changes: with the tolerance 1e-9 a gap of 3e-14 (||H|| + ||g||), what rounding hides up to order 400, is small enough for every f*.
     */
    default double ungameableLoss() {
        return Math.abs(p());
    }

    /** Whether H = L'PL is a Gram matrix and f a residual ||P(L r - b)||^2; then H >= 0 and f >= 0 without further proof. */
    boolean isGram();

    /** A proven lower bound of the smallest eigenvalue of H that no decomposition would make better; empty where H is not decomposed yet. */
    default OptionalDouble smallestEigenvalue() {
        return OptionalDouble.empty();
    }

    /** out = H V for several vectors at once. */
    void hessianTimes(DenseMatrix v, DenseMatrix out);

    /** H itself, newly formed, order d. */
    DenseMatrix hessian();

    /** The threads this problem was given: whoever factors H uses these and no others. */
    Workers workers();

    /** How many vectors have a zero product with H for a structural reason: H has at most m nonzero eigenvalues, and this is d - m or 0. */
    int structuralNullity();

    /** f(r) and its half gradient H r + g, as accurately as the problem can. */
    Evaluation evaluate(double[] r);

    /** The size S such that H r + g is computed with an error of a few eps * S: ||L||_F^2 + ||L||_F ||b||, or the like without an L.
     * What P takes away from y and z counts too. */
    double roundingScale();

    /** The same at points whose coordinates but the last have this norm: where they are small, as at large gamma, so is what is rounded. */
    default double roundingScale(double norm) {
        return roundingScale();
    }

    /** How far the computed half gradient at r may lie from the true one, by rounding. */
    default double gradientRounding(double[] r) {
        return Stationarity.ROUNDINGS * roundingScale();
    }

    /** How far the true f(r) may lie above the computed one. */
    double objectiveRounding(double[] r, double objective);

    /** An upper bound of the trace of H if H is a Gram matrix, else of its Frobenius norm. */
    double hessianNorm();

    /** How far an eigenvalue of H as it is formed, or the shift at which it factorises, may lie from the true one. */
    default double hessianRounding() {
        // errors of a backward stable decomposition grow like sqrt(d) eps ||H||, and ||H|| is already taken large
        return (Math.sqrt(dimension()) + 10) * 0x1p-52 * hessianNorm();
    }

    /**
     * What the data says about a point r of the sphere.
     *
     * @param objective f(r)
     * @param halfGradient H r + g
     * @param neglected a bound of what was knowingly left out of the half gradient, in norm, beside rounding
     * @param overstated by how much the objective may knowingly have been given too large
     */
    record Evaluation(double objective, double[] halfGradient, double neglected, double overstated) {
        public Evaluation(double objective, double[] halfGradient) {
            this(objective, halfGradient, 0, 0);
        }

        /** With tilt t added to f, t = (1 + alphaTilde)/2 at r: what a ridge does. */
        public Evaluation tilted(double tilt, double[] r) {
            if (tilt == 0) {
                return this;
            }
            double[] tilted = halfGradient.clone();
            tilted[tilted.length - 1] += tilt / 4;
            return new Evaluation(objective + tilt * SphereGeometry.above(r) / 2, tilted, neglected, overstated);
        }
    }

    /**
     * How far a unit vector r is from stationary: lambda = -r'(H r + g), e = (H + lambda I) r + g; and what that says about f(r) - f*.
     *
     * @param objective f(r)
     * @param multiplier lambda
     * @param e as above; not copied
     * @param residual ||e||
     */
    record Stationarity(double objective, double multiplier, double[] e, double residual) {
        /** How many roundings of the size of a problem its half gradient may be off, where nothing better is known. */
        static final double ROUNDINGS = 4 * 0x1p-52;

        /** At a point that has been evaluated. */
        public static Stationarity of(double[] r, Evaluation at) {
            double lambda = -Vectors.dot(r, at.halfGradient());
            return of(r, at.objective(), lambda, at.halfGradient().clone());
        }

        /** At a point that the problem evaluates. */
        public static Stationarity of(SphereProblem problem, double[] r) {
            return of(r, problem.evaluate(r));
        }

        /**
         * With a multiplier from elsewhere.
         *
         * @param halfGradient H r + g, which becomes e
         */
        public static Stationarity of(double[] r, double objective, double lambda, double[] halfGradient) {
            Vectors.axpy(lambda, r, halfGradient);
            return new Stationarity(objective, lambda, halfGradient, Vectors.norm(halfGradient));
        }

        /**
         * A bound of f(r) - f*: ||e||^2/kappa where H + lambda I >= kappa I > 0, else 4||e|| + 4 delta with delta = -kappa.
         *
         * @param residual ||e||
         * @param curvature kappa
         */
        public static double gap(double residual, double curvature) {
            double gap = 4 * residual + 4 * Math.max(0, -curvature);
            return curvature > 0 ? Math.min(gap, residual * residual / curvature) : gap;
        }

        /**
         * The same with ||e|| raised by what rounding may hide, as the certificate does; it decides when to stop, and proves nothing.
         *
         * @param roundingScale the size of the problem
         */
        public static double gap(double residual, double curvature, double roundingScale) {
            return gap(residual + ROUNDINGS * roundingScale, curvature);
        }

        /**
         * max(|f|, 1e-9 p0): what gaps are relative to.
         *
         * @param ungameable p0
         */
        public static double scale(double objective, double ungameable) {
            return Math.max(Math.abs(objective), 1e-9 * ungameable);
        }
    }
}
