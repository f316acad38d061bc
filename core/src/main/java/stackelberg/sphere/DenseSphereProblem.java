package stackelberg.sphere;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/** A sphere problem given by its matrix: any symmetric H, indefinite ones included. */
final class DenseSphereProblem implements SphereProblem {
    private static final Workers ONE = Workers.of(1);

    /** How far H_ij and H_ji may be apart by rounding, over ||H||. */
    private static final double SYMMETRIC = 1e-12;

    /** p0 over ||H|| + ||g||, where p is no scale for gaps. */
    private static final double SCALE = 3e4;

    private final DenseMatrix h;
    private final double[] g;
    private final double p;
    private final boolean gram;
    private final double hessianNorm;

    /** @param gram whether H is known to be positive semidefinite and f >= 0 */
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
        this.h = symmetric(h, SYMMETRIC * Math.sqrt(squares));
    }

    /** H itself, or (H + H')/2, which has the same f, where rounding makes a difference. */
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
    public double ungameableLoss() {
        return gram && p > 0 ? p : Math.max(Math.abs(p), SCALE * roundingScale());
    }

    @Override
    public boolean isGram() {
        return gram;
    }

    @Override
    public Workers workers() {
        return ONE;
    }

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
        // r'H r, 2g'r and p are added up and may cancel
        return 4 * 0x1p-52 * (2 * roundingScale() + Math.abs(p));
    }

    @Override
    public double hessianNorm() {
        return hessianNorm;
    }
}
