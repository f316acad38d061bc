package stackelberg.objective.omega;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/**
 * The proof of a search over an interval of gammas: the sums behind its bounds, computed from the rows instead of from
 * the pseudo-rows, with what rounding may change in them.
 */
final class RangeProof {
    /** Bounds nothing. */
    private static final RangeBound.Face NOTHING = new RangeBound.Face(Double.NEGATIVE_INFINITY, 0, 0, 0, 0, 0, 0);

    private final RangeSolution.Problem problem;
    private final MixedReduction rows;
    private final Condensed condensed;
    private final RangeSearch search;
    /** The reduction of z - y. */
    private final Reduction gaps;

    RangeProof(RangeSolution.Problem problem, MixedReduction rows, Condensed condensed, RangeSearch search) {
        this.problem = problem;
        this.rows = rows;
        this.condensed = condensed;
        this.search = search;
        this.gaps = rows.reduce(gap(), rows.rows().weight());
    }

    /**
     * Returns a lower bound of the loss of every rule. It covers the axis from left to right, each slice as long a part
     * as it bounds as well as the search did, because a slice costs two passes.
     */
    double least(RangeSearch.Result found) {
        List<OmegaBranch.Interval<RangeSearch.Slice>> sorted = new ArrayList<>(found.pieces());
        sorted.sort(Comparator.<OmegaBranch.Interval<RangeSearch.Slice>>comparingInt(OmegaBranch.Interval::side)
                .thenComparingDouble(OmegaBranch.Interval::from));
        double least = Double.POSITIVE_INFINITY;
        RangeSearch.Slice by = null;
        RangeBound.Face face = NOTHING;
        for (OmegaBranch.Interval<RangeSearch.Slice> piece : sorted) {
            if (by == null
                    || by.side() != piece.side()
                    || !(search.least(search.face(by), by, piece.from(), piece.to()) >= found.lowerBound())) {
                by = Objects.requireNonNull(piece.by());
                face = face(by);
            }
            least = Math.min(least, search.least(face, by, piece.from(), piece.to()));
        }
        return least;
    }

    /**
     * Returns the sums that remain from the ridge regressions of y and of z - y at kappa, minus their errors.
     */
    private RangeBound.Face face(RangeSearch.Slice slice) {
        return slice.side() == 0 ? relaxed(slice.kappa()) : signed(slice.side());
    }

    private RangeBound.Face relaxed(double kappa) {
        double curvature = kappa + condensed.smallest();
        if (!(curvature > 0)) {
            return NOTHING;
        }
        Part ofY = part(problem.ordinary(), search.ridge(kappa, false), kappa, y());
        Part ofGap = part(gaps, search.ridge(kappa, true), kappa, gap());
        // e'e + kappa w'w = w'(X'e + kappa w) - y'e, and so for every pair
        double v0 = Vectors.dot(ofY.w, ofY.gradient) - dot(y(), ofY.e);
        double v1 = Vectors.dot(ofY.w, ofGap.gradient) - dot(y(), ofGap.e);
        double v2 = Vectors.dot(ofGap.w, ofGap.gradient) - dot(gap(), ofGap.e);
        v0 -= Vectors.dot(ofY.gradient, ofY.gradient) / curvature + ofY.off(ofY);
        v1 += -Vectors.dot(ofY.gradient, ofGap.gradient) / curvature + ofY.off(ofGap);
        v2 -= Vectors.dot(ofGap.gradient, ofGap.gradient) / curvature + ofGap.off(ofGap);
        return face(v0, v1, v2, 0, -kappa, 0);
    }

    /** With one feature nothing is relaxed: uses the residuals without the rule, and the feature's own part. */
    private RangeBound.Face signed(int sign) {
        double[] none = new double[1];
        Part ofY = part(problem.ordinary(), none, 0, y());
        Part ofGap = part(gaps, none, 0, gap());
        double[] x = problem.ordinary().residuals(new double[] {1}).orElseThrow();
        Vectors.axpy(-1, ofY.e, x);
        // e = -Py and -P(z - y)
        return face(
                dot(ofY.e, ofY.e) - ofY.off(ofY),
                dot(ofY.e, ofGap.e) + ofY.off(ofGap),
                dot(ofGap.e, ofGap.e) - ofGap.off(ofGap),
                2 * sign * dot(x, ofY.e),
                dot(x, x),
                -2 * sign * dot(x, ofGap.e));
    }

    private RangeBound.Face face(double v0, double v1, double v2, double a1, double a2, double b1) {
        double noise = problem.game().wishNoiseVariance();
        return RangeBound.Face.of(v0, v1, v2, dot(gap(), gap()), noise, a1, a2, b1);
    }

    private Part part(Reduction reduction, double[] few, double kappa, double[] of) {
        double[] w = few.length == rows.features() && few.length == 1 ? few : condensed.coefficients(few);
        double[] e = reduction.residuals(w).orElseThrow();
        double[] weighted = e.clone();
        for (int i = 0; i < e.length; i++) {
            weighted[i] *= rows.rows().weight()[i];
        }
        double[] gradient = rows.transposeTimes(weighted);
        Vectors.axpy(kappa, w, gradient);
        SphereFamily family = reduction.family();
        double parts =
                Math.sqrt(family.squaredNorm()) * Vectors.norm(w) + Math.sqrt(dot(of, of)) + family.removedNorm();
        return new Part(w, e, gradient, Math.sqrt(dot(e, e)), 4 * 0x1p-52 * family.projectionGrowth() * parts);
    }

    private double[] y() {
        return rows.rows().y();
    }

    private double[] gap() {
        return rows.rows().gap();
    }

    private double dot(double[] a, double[] b) {
        return Vectors.dot(a, b, rows.rows().weight());
    }

    /**
     * A ridge regression on the rows.
     *
     * @param e its residuals
     * @param gradient X'We + kappa w, which is 0 up to rounding
     * @param rounding the rounding error of ||e||
     */
    private record Part(double[] w, double[] e, double[] gradient, double norm, double rounding) {
        /** Returns a bound of the error of the product of two residuals. */
        double off(Part other) {
            return norm * other.rounding + other.norm * rounding + rounding * other.rounding;
        }
    }
}
