package stackelberg.solver.krylov;

import java.util.Arrays;
import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * One data at several gammas and ridges: A = X'PX with start vectors X'Py and X'Pz, whatever they are, and therefore one Krylov space.
 *
 * <p>In Ritz coordinates the problem at gamma is the arrow H_k = [[gamma/4 Theta, sqrt(gamma)/4 t_z], [., z'Pz/4]], g_k = -[sqrt(gamma)/2 (t_y -
 * t_z/2), (z'Py - z'Pz/2)/2 - mu gamma/4]. Effects beta make H k^2 and g k times as large, k^2 = 1 + beta'beta/gamma, with y - X beta/2 for y; where there is a ridge too, beta joins
 * the start vectors.
 */
final class ProblemSet {
    private final List<SphereProblem> problems;
    /** What they share. */
    private final SphereFamily family;

    private final double[] gammas;
    private final double[] roundingScales;
    private final double[] xy;
    private final double[] xz;
    /** sqrt(1 + beta'beta/gamma), by which effects make each sphere larger; 1 without. */
    private final double[] stretches;
    /** beta, where g has a part along it: with effects and a ridge; else null. */
    private final double[] effects;

    ProblemSet(List<SphereProblem> problems) {
        this.problems = List.copyOf(problems);
        this.family = problems.get(0).family().data();
        this.gammas = problems.stream().mapToDouble(SphereProblem::gamma).toArray();
        this.roundingScales =
                this.problems.stream().mapToDouble(SphereProblem::roundingScale).toArray();
        this.xy = family.xy();
        this.xz = family.xz();
        this.stretches = this.problems.stream()
                .mapToDouble(problem -> problem.geometry().stretch())
                .toArray();
        boolean ridged = this.problems.stream().anyMatch(problem -> problem.tilt() != 0);
        this.effects = ridged ? family.effects() : null;
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
        return effects == null ? new double[][] {xy, xz} : new double[][] {xy, xz, effects};
    }

    /** For each start vector the size that its rounding is relative to. */
    double[] startNorms() {
        double[] sizes = family.startSizes();
        if (effects == null) {
            return sizes;
        }
        double[] three = Arrays.copyOf(sizes, 3);
        three[2] = Vectors.norm(effects);
        return three;
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
        double k1 = stretches[index];
        double gamma = k1 * k1 * gammas[index];
        double cross = k1 * k1 * Math.sqrt(gammas[index]);
        double root = k1 * Math.sqrt(gammas[index]);
        int k = ritz.order();
        double[] y = ritz.starts()[0];
        double[] z = ritz.starts()[1];
        double[] d = new double[k];
        double[] c = new double[k];
        double[] g = new double[k];
        for (int i = 0; i < k; i++) {
            d[i] = gamma / 4 * ritz.theta()[i];
            c[i] = cross / 4 * z[i];
            g[i] = -root / 2 * (y[i] - z[i] / 2) + shift[i];
        }
        double s = k1 * k1 * family.zz() / 4;
        double free = k1 * family.gBorder() + shift[k];
        double tilt = problems.get(index).tilt();
        double gBorder = free + k1 * tilt / 4;
        double[] tilted = tilted(g, index, ritz);
        ArrowSphere.Solution solution = ArrowSphere.solve(d, c, s, tilted, gBorder, false);
        double[] top = Arrays.copyOf(solution.r(), k);
        double border = solution.r()[k];
        // the ridge apart, whose terms cancel at large gamma
        double objective = family.p() + border * (s * border + 2 * free) + penalty(index, ritz, solution.r());
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

    /** g with what a ridge adds to its top where moves are real. */
    private double[] tilted(double[] g, int index, Ritz ritz) {
        double mu = problems.get(index).family().ridge();
        if (effects == null || mu == 0) {
            return g;
        }
        double[] tilted = g.clone();
        Vectors.axpy(mu * stretches[index] * Math.sqrt(gammas[index]) / 4, ritz.starts()[2], tilted);
        return tilted;
    }

    /** What the ridge adds to f at a point in Ritz coordinates; that beta lies in the space is what it started from. */
    private double penalty(int index, Ritz ritz, double[] r) {
        double tilt = problems.get(index).tilt();
        if (effects == null || tilt == 0) {
            return tilt * SphereGeometry.above(r) / 2;
        }
        SphereGeometry within = SphereGeometry.of(gammas[index], ritz.starts()[2]);
        double[] u = within.scaled(r);
        double tau = within.gamed(r);
        return tilt * (Vectors.dot(u, u) / gammas[index] + tau * tau);
    }

    /** f and its half gradient from the data, in one pass with as many vectors as there are points. */
    Evaluation[] evaluate(int[] indices, double[][] r) {
        return family.evaluate(Arrays.stream(indices).mapToObj(problems::get).toList(), r);
    }

    /**
     * The same from A times the part of r in the space: no pass, but f only to a rounding of p.
     *
     * @param image A r, without the border
     */
    Evaluation evaluateFromImage(int index, double[] r, double[] image) {
        int n = image.length;
        double k = stretches[index];
        double gamma = k * k * gammas[index];
        double cross = k * k * Math.sqrt(gammas[index]);
        double root = k * Math.sqrt(gammas[index]);
        double border = r[n];
        double[] gradient = new double[n + 1];
        double linear = 0;
        double coupling = 0;
        for (int j = 0; j < n; j++) {
            double g = -root / 2 * (xy[j] - xz[j] / 2);
            gradient[j] = gamma / 4 * image[j] + cross / 4 * xz[j] * border + g;
            linear += g * r[j];
            coupling += xz[j] * r[j];
        }
        double gBorder = k * family.gBorder();
        gradient[n] = cross / 4 * coupling + k * k * family.zz() / 4 * border + gBorder;
        linear += gBorder * border;
        return problems.get(index).tilted(new Evaluation(Vectors.dot(r, gradient) + linear + family.p(), gradient), r);
    }

    /** p0. */
    double ungameableLoss() {
        return family.ungameableLoss();
    }

    double roundingScale(int index) {
        return roundingScales[index];
    }

    /** The same at a point of the space. */
    double roundingScale(int index, Projected at) {
        return problems.get(index).roundingScale(Vectors.norm(at.top()));
    }

    /** How far the half gradient at r may lie from the true one, by rounding. */
    double gradientRounding(int index, double[] r) {
        return problems.get(index).gradientRounding(r);
    }

    /** How far the true f(r) may lie above the computed one. */
    double objectiveRounding(int index, double[] r, double objective) {
        return problems.get(index).objectiveRounding(r, objective);
    }
}
