package stackelberg.sphere;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/** A sphere problem given by its matrix H, any symmetric matrix, indefinite ones included. There is no game behind it. */
final class DenseSphereProblem implements SphereProblem {
    /** Products with a given matrix are small: one thread. */
    private static final Workers ONE = Workers.of(1);

    /** The largest |H_ij - H_ji|, relative to ||H||, that is taken for rounding: some thousand units in the last place. */
    private static final double SYMMETRY_TOLERANCE = 1e-12;

    /**
     * The smallest p0 relative to ||H|| + ||g||. Gaps are relative to at least 1e-9 p0, hence to 3e-5 (||H|| + ||g||), and the tolerance 1e-9 asks for
     * 3e-14 (||H|| + ||g||), which is what rounding leaves up to order 400. A smaller scale could not be certified.
     */
    private static final double LEAST_SCALE = 3e4;

    private final DenseMatrix h;
    private final double[] g;
    private final double p;
    private final boolean gram;
    private final double hessianNorm;

    /**
     * Checks and copies the data of the problem.
     *
     * @param gram whether H is known to be positive semidefinite and f >= 0; not checked
     * @throws IllegalArgumentException if the sizes disagree, H is not symmetric, or a value is not finite or too large to square
     */
    DenseSphereProblem(DenseMatrix h, double[] g, double p, boolean gram) {
        if (h.rows() != h.cols() || h.rows() != g.length || g.length == 0) {
            throw new IllegalArgumentException(
                    "H is " + h.rows() + " x " + h.cols() + " and g has " + g.length + " entries; they must agree.");
        }
        this.g = g.clone();
        this.p = p;
        this.gram = gram;
        double squares = 0;
        double trace = 0;
        for (int i = 0; i < g.length; i++) {
            trace += h.get(i, i);
            for (int j = 0; j < g.length; j++) {
                squares += h.get(i, j) * h.get(i, j);
            }
        }
        this.hessianNorm = gram ? trace : Math.sqrt(squares);
        Magnitude.require("H, g and p", squares + Vectors.dot(g, g) + p * p, false);
        this.h = symmetric(h, SYMMETRY_TOLERANCE * Math.sqrt(squares));
    }

    /** Returns H itself if it is symmetric to the last bit, else a copy (H + H')/2, which has the same quadratic form. */
    private static DenseMatrix symmetric(DenseMatrix h, double allowed) {
        DenseMatrix mean = h;
        for (int i = 0; i < h.rows(); i++) {
            for (int j = 0; j < i; j++) {
                double below = h.get(i, j);
                double above = h.get(j, i);
                if (Math.abs(below - above) > allowed) {
                    throw new IllegalArgumentException("H is not symmetric: H[" + j + "][" + i + "] is " + above
                            + ", but H[" + i + "][" + j + "] is " + below + "; they may differ by rounding only, here "
                            + allowed + ".\nMaybe use (H + H')/2, which gives the same r'Hr.");
                }
                if (below != above) {
                    mean = mean == h ? h.copy() : mean;
                    mean.set(i, j, (below + above) / 2);
                    mean.set(j, i, (below + above) / 2);
                }
            }
        }
        return mean;
    }

    @Override
    public int dimension() {
        return g.length;
    }

    @Override
    public double[] g() {
        return g.clone();
    }

    @Override
    public void hessianTimes(DenseMatrix v, DenseMatrix out) {
        h.times(v, out, ONE);
    }

    @Override
    public DenseMatrix hessian() {
        return h.copy();
    }

    @Override
    public double p() {
        return p;
    }

    @Override
    public double zeroRuleLoss() {
        return gram && p > 0 ? p : Math.max(Math.abs(p), LEAST_SCALE * roundingScale());
    }

    @Override
    public boolean isGram() {
        return gram;
    }

    @Override
    public Workers workers() {
        return ONE;
    }

    /** 0: nothing is known of the rank of a given matrix. */
    @Override
    public int structuralNullity() {
        return 0;
    }

    @Override
    public Evaluation evaluate(double[] r) {
        DenseMatrix hr = DenseMatrix.zeros(g.length, 1);
        hessianTimes(DenseMatrix.column(r), hr);
        double[] halfGradient = hr.column(0);
        Vectors.axpy(1, g, halfGradient);
        return new Evaluation(Vectors.dot(r, halfGradient) + Vectors.dot(g, r) + p, halfGradient);
    }

    @Override
    public double roundingScale() {
        return hessianNorm + Vectors.norm(g);
    }

    @Override
    public double objectiveRounding(double[] r, double objective) {
        // the three terms r'H r, 2g'r and p may cancel, so the error is relative to their sizes, not to f
        return 4 * 0x1p-52 * (2 * roundingScale() + Math.abs(p));
    }

    @Override
    public double hessianNorm() {
        return hessianNorm;
    }
}
