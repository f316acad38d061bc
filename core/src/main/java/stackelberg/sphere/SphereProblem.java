package stackelberg.sphere;

import java.util.OptionalDouble;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * The problem minimise f(r) = r'H r + 2 g'r + p subject to ||r|| = 1 (paper eq. scls_compact), which every solver solves and every certificate judges.
 *
 * <p>H is seen as an operator, so that dense, sparse and remote data can be solved alike; it is formed only by solvers and certificates that factorise it.
 */
public interface SphereProblem {
    /**
     * Returns the problem of a given matrix: f(r) = r'H r + 2 g'r + p for a symmetric H that may be indefinite. Entries H_ij and H_ji may differ by rounding,
     * at most 1e-12 ||H||; their mean is used.
     *
     * @throws IllegalArgumentException if H is not symmetric
     */
    static SphereProblem of(DenseMatrix h, double[] g, double p) {
        return new DenseSphereProblem(h, g, p, false);
    }

    /** Returns the problem of a given H that is known to be positive semidefinite, with f >= 0 on the sphere; neither is checked. */
    static SphereProblem ofGram(DenseMatrix h, double[] g, double p) {
        return new DenseSphereProblem(h, g, p, true);
    }

    /** Returns the family that this problem is a member of; a problem without a game is the only member of its family. */
    default SphereFamily family() {
        return new SingleProblemFamily(this);
    }

    /** Returns the gamma at which this problem is a member of its family. */
    default double gamma() {
        return SingleProblemFamily.GAMMA;
    }

    /** Returns f at the limit point (0, ..., 0, 1), which rules approach but do not attain; infinity if this problem has no limit point, or a sphere of them. */
    default double limitPointLoss() {
        return Double.POSITIVE_INFINITY;
    }

    /** Returns mu gamma, the slope that the ridge mu adds to f in t = (1 + alphaTilde)/2. g and p include it. */
    default double tilt() {
        return 0;
    }

    /** Returns the maps between points of this sphere and rules. */
    default SphereGeometry geometry() {
        return SphereGeometry.of(gamma(), null);
    }

    /** Returns what the ridge adds to f at r. */
    default double penalty(double[] r) {
        return tilt() * SphereGeometry.onePlusAlphaTilde(r) / 2;
    }

    /** Returns an evaluation of this problem, made from one of the same problem without its ridge. */
    default Evaluation tilted(Evaluation at, double[] r) {
        return at.tilted(tilt(), r);
    }

    /** Returns d, the number of coordinates of r: n + 1 in a game. */
    int dimension();

    /** Returns g, a copy. */
    double[] g();

    /** Returns p. */
    double p();

    /**
     * Returns p0, the scale that relative gaps use when f(r) is nearly 0: they divide by max(f(r), 1e-9 p0).
     *
     * <p>In a game it is the loss of the rule w = 0; for a Gram matrix without a game, p, unless p is 0. For other matrices p says nothing about how much f
     * varies, so p0 is at least 3e4 (||H|| + ||g||): with the tolerance 1e-9 a gap of 3e-14 (||H|| + ||g||), what rounding hides up to order 400, is then
     * accepted for every f*.
     */
    default double zeroRuleLoss() {
        return Math.abs(p());
    }

    /** Returns whether H = L'PL is a Gram matrix and f a sum of squares ||P(L r - b)||^2, so that H >= 0 and f >= 0 need no proof. */
    boolean isGram();

    /** Returns a proven lower bound on the smallest eigenvalue of H, as good as a decomposition would give; empty if H has not been decomposed. */
    default OptionalDouble smallestEigenvalue() {
        return OptionalDouble.empty();
    }

    /** Writes H V to out, for any number of columns of V. */
    void hessianTimes(DenseMatrix v, DenseMatrix out);

    /** Returns H, newly formed, of order d. */
    DenseMatrix hessian();

    /** Returns the threads of this problem; a factorisation of H must use these and no others. */
    Workers workers();

    /** Returns a lower bound on the dimension of H's null space that follows from the shape of the data: d less the number of rows, or 0. */
    int structuralNullity();

    /** Returns f(r) and its half gradient H r + g, from residuals where the problem has them. */
    Evaluation evaluate(double[] r);

    /**
     * Returns the size S such that the error of a computed H r + g is a few eps S, at any point of the sphere: ||L||_F^2 + ||L||_F ||b||, with the part of y
     * and z that P removes included; without an L, ||H|| + ||g||.
     */
    double roundingScale();

    /**
     * Returns {@link #roundingScale()} for points whose first d - 1 coordinates have the given norm. Where that norm is small, as at large gamma, so are the terms that are
     * rounded.
     */
    default double roundingScale(double norm) {
        return roundingScale();
    }

    /** Returns a bound on the distance between the computed half gradient at r and the true one. */
    default double gradientRounding(double[] r) {
        return Stationarity.ROUNDINGS * roundingScale();
    }

    /** Returns a bound on how far the true f(r) may be above the computed objective. */
    double objectiveRounding(double[] r, double objective);

    /** Returns an upper bound on the trace of H if H is a Gram matrix, else on its Frobenius norm. */
    double hessianNorm();

    /** Returns a bound on the error of an eigenvalue of the formed H, and on the error of the shift at which H + shift I stops having a Cholesky factor. */
    default double hessianRounding() {
        // the error of a backward stable decomposition grows like sqrt(d) eps ||H||_2; hessianNorm() is the trace or
        // ||H||_F, which are larger
        return (Math.sqrt(dimension()) + 10) * 0x1p-52 * hessianNorm();
    }

    /**
     * f and its half gradient at one point r, with bounds on their errors other than rounding.
     *
     * @param objective f(r)
     * @param halfGradient H r + g
     * @param neglected a bound on the norm of what was deliberately left out of the half gradient
     * @param overstated a bound on what was deliberately added to the objective, so that it is not below f(r)
     */
    record Evaluation(double objective, double[] halfGradient, double neglected, double overstated) {
        public Evaluation(double objective, double[] halfGradient) {
            this(objective, halfGradient, 0, 0);
        }

        /** Returns the evaluation of f + tilt t, t = (1 + alphaTilde)/2 at r: what a ridge adds. */
        public Evaluation tilted(double tilt, double[] r) {
            if (tilt == 0) {
                return this;
            }
            double[] tilted = halfGradient.clone();
            tilted[tilted.length - 1] += tilt / 4;
            return new Evaluation(
                    objective + tilt * SphereGeometry.onePlusAlphaTilde(r) / 2, tilted, neglected, overstated);
        }
    }

    /**
     * The residual of the optimality condition at a unit vector r, e = (H + lambda I) r + g with lambda = -r'(H r + g), and the bounds on f(r) - f* that follow
     * from it (docs/theory.md, "Certificate").
     *
     * @param objective f(r)
     * @param multiplier lambda
     * @param e as above; the array is shared, not copied
     * @param residual ||e||
     */
    record Stationarity(double objective, double multiplier, double[] e, double residual) {
        /** The error of a half gradient relative to {@link SphereProblem#roundingScale()}, if the problem has no better bound. */
        static final double ROUNDINGS = 4 * 0x1p-52;

        /** Returns the residual at a point that has been evaluated. */
        public static Stationarity of(double[] r, Evaluation at) {
            double lambda = -Vectors.dot(r, at.halfGradient());
            return of(r, at.objective(), lambda, at.halfGradient().clone());
        }

        /** Evaluates the problem at r and returns the residual. */
        public static Stationarity of(SphereProblem problem, double[] r) {
            return of(r, problem.evaluate(r));
        }

        /**
         * Returns the residual with a given multiplier.
         *
         * @param halfGradient H r + g; overwritten with e
         */
        public static Stationarity of(double[] r, double objective, double lambda, double[] halfGradient) {
            Vectors.axpy(lambda, r, halfGradient);
            return new Stationarity(objective, lambda, halfGradient, Vectors.norm(halfGradient));
        }

        /**
         * Returns a bound on f(r) - f*: ||e||^2/kappa if H + lambda I >= kappa I with kappa > 0, and 4||e|| + 4 max(0, -kappa) in any case.
         *
         * @param residual ||e||
         * @param curvature kappa, a lower bound on the smallest eigenvalue of H + lambda I
         */
        public static double gap(double residual, double curvature) {
            double gap = 4 * residual + 4 * Math.max(0, -curvature);
            return curvature > 0 ? Math.min(gap, residual * residual / curvature) : gap;
        }

        /**
         * Returns the bound on f(r) - f* with ||e|| raised by the residual that rounding may hide. Solvers use it to decide when to stop; it proves nothing,
         * because their ||e|| may come from a recurrence and not from the data.
         *
         * @param roundingScale {@link SphereProblem#roundingScale()}
         */
        public static double gap(double residual, double curvature, double roundingScale) {
            return gap(residual + ROUNDINGS * roundingScale, curvature);
        }

        /**
         * Returns max(|f|, 1e-9 p0), the divisor of relative gaps (docs/theory.md, "Relative gap").
         *
         * @param objective f(r)
         * @param zeroRuleLoss p0
         */
        public static double scale(double objective, double zeroRuleLoss) {
            return Math.max(Math.abs(objective), 1e-9 * zeroRuleLoss);
        }
    }
}
