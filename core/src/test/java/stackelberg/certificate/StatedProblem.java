package stackelberg.certificate;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;

/**
 * A sphere problem with round numbers: a small matrix or a diagonal, and every allowance for rounding as large as the test states. With allowances
 * of 1/4 instead of 1e-16 a bound that forgets one is visibly wrong.
 */
final class StatedProblem implements SphereProblem {
    private final double[] diagonal;
    /** Null where H is diagonal. */
    private final double[][] full;

    private final double[] g;
    private final double p;

    boolean gram;
    double gamma = 4;
    double limitPointLoss = Double.POSITIVE_INFINITY;
    SphereGeometry geometry = SphereGeometry.of(4, null);
    int nullity;
    OptionalDouble smallest = OptionalDouble.empty();
    double hessianRounding;
    double gradientRounding;
    double objectiveRounding;
    double neglected;
    double overstated;

    /** How often H was formed and how often it was multiplied with. */
    int formed;

    int multiplied;

    private StatedProblem(double[] diagonal, double[][] full, double[] g, double p) {
        this.diagonal = diagonal;
        this.full = full;
        this.g = g;
        this.p = p;
    }

    static StatedProblem diagonal(double[] h, double[] g, double p) {
        return new StatedProblem(h, null, g, p);
    }

    static StatedProblem full(double[][] h, double[] g, double p) {
        return new StatedProblem(null, h, g, p);
    }

    /** Order d: one smallest eigenvalue in the middle, all others equal to the largest, and g = 0. */
    static StatedProblem twoEigenvalues(int d, double smallest, double largest) {
        double[] h = new double[d];
        Arrays.fill(h, largest);
        h[d / 2] = smallest;
        return diagonal(h, new double[d], 0);
    }

    double objective(double[] r) {
        double[] hr = times(r);
        return Vectors.dot(r, hr) + 2 * Vectors.dot(g, r) + p;
    }

    private double[] times(double[] v) {
        double[] out = new double[v.length];
        for (int i = 0; i < v.length; i++) {
            if (full == null) {
                out[i] = diagonal[i] * v[i];
                continue;
            }
            for (int j = 0; j < v.length; j++) {
                out[i] += full[i][j] * v[j];
            }
        }
        return out;
    }

    @Override
    public SphereFamily family() {
        return (SphereFamily) Proxy.newProxyInstance(
                SphereFamily.class.getClassLoader(),
                new Class<?>[] {SphereFamily.class},
                (proxy, method, arguments) -> {
                    if (!(method.getName().equals("evaluate") && arguments[0] instanceof List<?> problems)) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    double[][] r = (double[][]) arguments[1];
                    Evaluation[] all = new Evaluation[r.length];
                    for (int i = 0; i < r.length; i++) {
                        all[i] = ((SphereProblem) problems.get(i)).evaluate(r[i]);
                    }
                    return all;
                });
    }

    @Override
    public double gamma() {
        return gamma;
    }

    @Override
    public double limitPointLoss() {
        return limitPointLoss;
    }

    @Override
    public SphereGeometry geometry() {
        return geometry;
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
    public double p() {
        return p;
    }

    @Override
    public boolean isGram() {
        return gram;
    }

    @Override
    public OptionalDouble smallestEigenvalue() {
        return smallest;
    }

    @Override
    public void hessianTimes(DenseMatrix v, DenseMatrix out) {
        multiplied++;
        for (int j = 0; j < v.cols(); j++) {
            out.setColumn(j, times(v.column(j)));
        }
    }

    @Override
    public DenseMatrix hessian() {
        formed++;
        if (g.length > 1_500) {
            throw new OutOfMemoryError("H of order " + g.length + " was formed.");
        }
        DenseMatrix h = DenseMatrix.zeros(g.length, g.length);
        for (int i = 0; i < g.length; i++) {
            if (full == null) {
                h.set(i, i, diagonal[i]);
            } else {
                h.setRow(i, full[i]);
            }
        }
        return h;
    }

    @Override
    public Workers workers() {
        return Workers.of(1);
    }

    @Override
    public int structuralNullity() {
        return nullity;
    }

    @Override
    public Evaluation evaluate(double[] r) {
        double[] halfGradient = times(r);
        Vectors.axpy(1, g, halfGradient);
        return new Evaluation(objective(r), halfGradient, neglected, overstated);
    }

    @Override
    public double roundingScale() {
        return 1;
    }

    @Override
    public double gradientRounding(double[] r) {
        return gradientRounding;
    }

    @Override
    public double objectiveRounding(double[] r, double objective) {
        return objectiveRounding;
    }

    @Override
    public double hessianNorm() {
        return 1;
    }

    @Override
    public double hessianRounding() {
        return hessianRounding;
    }
}
