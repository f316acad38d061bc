package stackelberg.objective.omega;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * minimise ||P(X w - y)||^2 subject to ||w||^2 = omega, as a sphere problem in w/sqrt(omega): H = omega X'PX, g = -sqrt(omega) X'Py, p = y'Py.
 */
final class FixedNormProblem implements SphereProblem {
    private static final Workers ONE = Workers.of(1);

    private final SphereFamily family;
    private final double omega;
    private final DenseMatrix h;
    private final double[] g;

    /**
     * The problem at one omega > 0.
     *
     * @param family of a game whose wishes are all 0
     * @param gram X'PX, which this problem scales in place and keeps
     */
    FixedNormProblem(SphereFamily family, double omega, DenseMatrix gram) {
        this.family = family;
        this.omega = omega;
        this.h = gram;
        MixedReduction.scale(h, omega);
        this.g = family.xy();
        Vectors.scale(-Math.sqrt(omega), g);
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
        return family.yy();
    }

    @Override
    public boolean isGram() {
        return true;
    }

    @Override
    public Workers workers() {
        return family.workers();
    }

    @Override
    public int structuralNullity() {
        return Math.max(0, family.features() - family.rankBound());
    }

    /** By the rows, so that a small residual does not cancel: the family at gamma = 4 omega has sqrt(gamma)/2 X = sqrt(omega) X. */
    @Override
    public Evaluation evaluate(double[] r) {
        double[] point = Arrays.copyOf(r, r.length + 1);
        Evaluation at = family.evaluate(new double[] {4 * omega}, new double[][] {point})[0];
        return new Evaluation(at.objective(), Arrays.copyOf(at.halfGradient(), r.length));
    }

    @Override
    public double roundingScale() {
        double l = Math.sqrt(hessianNorm());
        double sums = family.roundingGrowth() * (l + Math.sqrt(family.yy()));
        // a P that is off takes away a part of what it should not have seen at all
        return (l + family.removedNorm()) * (sums + (family.projectionGrowth() - 1) * parts(1));
    }

    @Override
    public double objectiveRounding(double[] r, double objective) {
        double residual = 4 * 0x1p-52 * family.projectionGrowth() * parts(Vectors.norm(r));
        return residual * (2 * Math.sqrt(objective) + residual);
    }

    @Override
    public double hessianRounding() {
        return SphereProblem.super.hessianRounding() + 4 * 0x1p-52 * (family.projectionGrowth() - 1) * hessianNorm();
    }

    private double parts(double norm) {
        return Math.sqrt(hessianNorm()) * norm + Math.sqrt(family.yy()) + family.removedNorm();
    }

    @Override
    public double hessianNorm() {
        return omega * family.squaredNorm();
    }
}
