package stackelberg.solver.krylov;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.Evaluation;
import stackelberg.sphere.SphereFamily;

/**
 * One family at several gammas: A = X'PX with start vectors X'Py and X'Pz, whatever gamma is, and therefore one Krylov space.
 *
 * <p>In Ritz coordinates the problem at gamma is the arrow H_k = [[gamma/4 Theta, sqrt(gamma)/4 t_z], [., z'Pz/4]], g_k = -[sqrt(gamma)/2 (t_y -
 * t_z/2), (z'Py - z'Pz/2)/2].
 */
final class ProblemSet {
    private final SphereFamily family;
    private final double[] gammas;
    private final double[] roundingScales;
    private final double[] xy;
    private final double[] xz;

    ProblemSet(SphereFamily family, double[] gammas) {
        this.family = family;
        this.gammas = gammas.clone();
        this.roundingScales = Arrays.stream(gammas)
                .map(gamma -> family.at(gamma).roundingScale())
                .toArray();
        this.xy = family.xy();
        this.xz = family.xz();
    }

    int count() {
        return gammas.length;
    }

    /** The order n of A. */
    int order() {
        return family.features();
    }

    /** out = A V: one pass over the data. */
    void times(DenseMatrix v, DenseMatrix out) {
        family.gramTimes(v, out);
    }

    /** An upper bound of ||A||, for rounding. */
    double operatorNorm() {
        return family.squaredNorm();
    }

    double[][] starts() {
        return new double[][] {xy, xz};
    }

    /** For each start vector the size that its rounding is relative to. */
    double[] startNorms() {
        return family.startSizes();
    }

    /** Whether H >= 0 and f >= 0 for every problem. */
    boolean isGram() {
        return family.isGram();
    }

    /**
     * The global minimiser of problem {@code index} within the space.
     *
     * @param shift what to add to g, in Ritz coordinates and then the border's
     */
    Projected project(int index, Ritz ritz, double[] shift) {
        double gamma = gammas[index];
        double root = Math.sqrt(gamma);
        int k = ritz.order();
        double[] y = ritz.starts()[0];
        double[] z = ritz.starts()[1];
        double[] d = new double[k];
        double[] c = new double[k];
        double[] g = new double[k];
        for (int i = 0; i < k; i++) {
            d[i] = gamma / 4 * ritz.theta()[i];
            c[i] = root / 4 * z[i];
            g[i] = -root / 2 * (y[i] - z[i] / 2) + shift[i];
        }
        double s = family.zz() / 4;
        double gBorder = -(family.yz() - family.zz() / 2) / 2 + shift[k];
        ArrowSphere.Solution solution = ArrowSphere.solve(d, c, s, g, gBorder, false);
        double[] top = Arrays.copyOf(solution.r(), k);
        double border = solution.r()[k];
        double objective = family.p() + border * (s * border + 2 * gBorder);
        for (int i = 0; i < k; i++) {
            objective += top[i] * (d[i] * top[i] + 2 * c[i] * border + 2 * g[i]);
        }
        return new Projected(
                top,
                border,
                objective,
                solution.lambda(),
                gamma / 4 * ritz.outside(top),
                solution.smallestEigenvalue(),
                gamma / 4 * ritz.outside(Arrays.copyOf(solution.smallestEigenvector(), k)));
    }

    /** The unit vector of the sphere for a point of the space. */
    double[] point(double[] top, double border) {
        double[] r = Arrays.copyOf(top, top.length + 1);
        r[top.length] = border;
        Vectors.scale(1 / Vectors.norm(r), r);
        return r;
    }

    /** f and its half gradient from the data, in one pass with as many vectors as there are points. */
    Evaluation[] evaluate(int[] indices, double[][] r) {
        return family.evaluate(
                Arrays.stream(indices).mapToDouble(i -> gammas[i]).toArray(), r);
    }

    /**
     * The same from A times the part of r in the space: no pass, but f only to a rounding of p.
     *
     * @param image A r, without the border
     */
    Evaluation evaluateFromImage(int index, double[] r, double[] image) {
        int n = image.length;
        double root = Math.sqrt(gammas[index]);
        double border = r[n];
        double[] gradient = new double[n + 1];
        double linear = 0;
        double coupling = 0;
        for (int j = 0; j < n; j++) {
            double g = -root / 2 * (xy[j] - xz[j] / 2);
            gradient[j] = gammas[index] / 4 * image[j] + root / 4 * xz[j] * border + g;
            linear += g * r[j];
            coupling += xz[j] * r[j];
        }
        double gBorder = -(family.yz() - family.zz() / 2) / 2;
        gradient[n] = root / 4 * coupling + family.zz() / 4 * border + gBorder;
        linear += gBorder * border;
        return new Evaluation(Vectors.dot(r, gradient) + linear + family.p(), gradient);
    }

    /** p0. */
    double ungameableLoss() {
        return family.ungameableLoss();
    }

    double roundingScale(int index) {
        return roundingScales[index];
    }

    /** How far the true f(r) may lie above the computed one. */
    double objectiveRounding(int index, double[] r, double objective) {
        return family.at(gammas[index]).objectiveRounding(r, objective);
    }
}
