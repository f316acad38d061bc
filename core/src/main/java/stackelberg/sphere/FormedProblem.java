package stackelberg.sphere;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** A sphere problem whose H is held as a matrix. */
abstract class FormedProblem implements SphereProblem {
    static final Workers ONE = Workers.of(1);

    private final DenseMatrix h;
    private final double[] g;

    /** Keeps both as they are, without a copy. */
    FormedProblem(DenseMatrix h, double[] g) {
        this.h = h;
        this.g = g;
    }

    @Override
    public final SphereFamily family() {
        return new LoneFamily(this);
    }

    @Override
    public final double gamma() {
        return LoneFamily.GAMMA;
    }

    @Override
    public final double limitLoss() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public final int dimension() {
        return g.length;
    }

    @Override
    public final double[] g() {
        return g.clone();
    }

    @Override
    public final void hessianTimes(DenseMatrix v, DenseMatrix out) {
        h.times(v, out, ONE);
    }

    @Override
    public final DenseMatrix hessian() {
        DenseMatrix copy = DenseMatrix.zeros(g.length, g.length);
        copy.setAll(h);
        return copy;
    }
}
