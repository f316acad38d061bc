package stackelberg.solver.krylov;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * The sphere problems of one data set at several gammas and ridges. They share A = X'PX and the start vectors X'Py and X'Pz, and therefore one Krylov space.
 *
 * <p>In Ritz coordinates the problem at gamma has the arrow matrix H_k = [[gamma/4 Theta, sqrt(gamma)/4 t_z], [., z'Pz/4]] and g_k = -[sqrt(gamma)/2 (t_y -
 * t_z/2), (z'Py - z'Pz/2)/2 - mu gamma/4], with t_y and t_z the start vectors. Effects beta multiply H by k^2 = 1 + beta'beta/gamma and g by k, with y - X
 * beta/2 in place of y; with a ridge as well, g has a part along beta, which then is a third start vector.
 */
final class ProblemSet {
    private final List<SphereProblem> problems;
    /** The data that the problems share, without ridges. */
    private final SphereFamily family;

    private final double[] gammas;
    private final double[] roundingScales;
    private final double[] xy;
    private final double[] xz;
    /** sqrt(1 + beta'beta/gamma) of each problem, by which effects enlarge its sphere; 1 without effects. */
    private final double[] stretches;
    /** beta, if there are both effects and a ridge, so that g has a part along it; else null. */
    private final double @Nullable [] effects;

    /** @param problems at least one, all of the same data */
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

    /** Returns the number of problems. */
    int count() {
        return gammas.length;
    }

    /** Returns n, the order of A. */
    int order() {
        return family.features();
    }

    /** Returns the data that the problems share, without ridges. */
    SphereFamily family() {
        return family;
    }

    /** Returns the start vectors, not copied. */
    double[][] starts() {
        return effects == null ? new double[][] {xy, xz} : new double[][] {xy, xz, effects};
    }

    /** Returns for each start vector the size that its rounding error is relative to. */
    double[] startNorms() {
        double[] sizes = family.startSizes();
        if (effects == null) {
            return sizes;
        }
        double[] three = Arrays.copyOf(sizes, 3);
        three[2] = Vectors.norm(effects);
        return three;
    }

    /** Returns whether H >= 0 and f >= 0 for every problem. */
    boolean isGram() {
        return family.isGram();
    }

    /**
     * Returns the global minimiser of one problem within the space.
     *
     * @param index the problem
     * @param ritz the space
     * @param shift a correction that is added to g: Ritz coordinates, then the border's; all 0 for none
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
        // the ridge is added separately: its parts of p and g cancel at large gamma
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

    /** Returns g with the part along beta that a ridge adds if there are effects; g itself otherwise. */
    private double[] tilted(double[] g, int index, Ritz ritz) {
        double mu = problems.get(index).family().ridge();
        if (effects == null || mu == 0) {
            return g;
        }
        double[] tilted = g.clone();
        Vectors.axpy(mu * stretches[index] * Math.sqrt(gammas[index]) / 4, ritz.starts()[2], tilted);
        return tilted;
    }

    /** Returns what the ridge adds to f at a point in Ritz coordinates. Beta is a start vector, so it lies in the space and has Ritz coordinates. */
    private double penalty(int index, Ritz ritz, double[] r) {
        double tilt = problems.get(index).tilt();
        if (effects == null || tilt == 0) {
            return tilt * SphereGeometry.onePlusAlphaTilde(r) / 2;
        }
        SphereGeometry within = SphereGeometry.of(gammas[index], ritz.starts()[2]);
        double[] u = within.scaledCoefficients(r);
        double tau = within.tau(r);
        return tilt * (Vectors.dot(u, u) / gammas[index] + tau * tau);
    }

    /** Returns f and its half gradient at one point for each of the given problems, in one pass over the data. */
    Evaluation[] evaluate(int[] indices, double[][] r) {
        return family.evaluate(Arrays.stream(indices).mapToObj(problems::get).toList(), r);
    }

    /**
     * Returns f and its half gradient of one problem from a product that has been computed: no pass, but f has an error of a few eps p.
     *
     * @param image A wTilde, n entries
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

    /** Returns p0, the loss of the rule w = 0. */
    double zeroRuleLoss() {
        return family.zeroRuleLoss();
    }

    /** Returns {@link SphereProblem#roundingScale()} of a problem. */
    double roundingScale(int index) {
        return roundingScales[index];
    }

    /** Returns {@link SphereProblem#roundingScale(double)} of a problem at a point of the space; it is smaller where wTilde is small. */
    double roundingScale(int index, Projected at) {
        return problems.get(index).roundingScale(Vectors.norm(at.top()));
    }

    /** Returns a bound on the rounding error of a problem's half gradient at r. */
    double gradientRounding(int index, double[] r) {
        return problems.get(index).gradientRounding(r);
    }

    /** Returns a bound on how far a problem's true f(r) may be above the computed objective. */
    double objectiveRounding(int index, double[] r, double objective) {
        return problems.get(index).objectiveRounding(r, objective);
    }
}
