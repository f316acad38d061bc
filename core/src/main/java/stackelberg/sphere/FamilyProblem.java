package stackelberg.sphere;

import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The sphere problem of a family at one gamma: H = [[gamma/4 X'PX, sqrt(gamma)/4 X'Pz], [., (z'Pz + s^2)/4]] (docs/theory.md, "Reduction").
 *
 * <p>A ridge mu adds mu gamma/4 to the last entry of g and mu gamma/2 to p ("Ridge" there).
 *
 * <p>Effects beta make the sphere larger by the factor k = sqrt(1 + beta'beta/gamma): H is multiplied by k^2 and g by k, with y - X beta/2 in place of y
 * ("Effects" there). With both, the ridge is linear in u as well: it adds mu k sqrt(gamma)/4 beta to the first n entries of g, k mu gamma/4 to its last entry
 * and k^2 mu gamma/2 to p.
 */
final class FamilyProblem implements SphereProblem {
    private final SphereFamily family;
    private final double gamma;
    private final SphereGeometry geometry;
    /** k = sqrt(1 + beta'beta/gamma); 1 without effects. */
    private final double stretch;
    /** k sqrt(gamma), twice the radius of the sphere of u. */
    private final double root;
    /** k^2 gamma, four times the factor of X'PX in H. */
    private final double square;
    /** k^2 sqrt(gamma), four times the factor of X'Pz in H. */
    private final double cross;
    /** k^2 (z'Pz + s^2), four times the last entry of H. */
    private final double zz;
    /** mu gamma. */
    private final double tilt;

    /** mu k sqrt(gamma)/4 beta, what the ridge adds to the first n entries of g; null without a ridge or without effects. */
    private final double @Nullable [] tiltTop;

    /** Computes the factors of H, g and p at one gamma. */
    FamilyProblem(SphereFamily family, double gamma) {
        if (!(gamma > 0) || Double.isInfinite(gamma)) {
            throw new IllegalArgumentException("gamma is " + gamma + "; it must be positive and finite.");
        }
        this.family = family;
        this.gamma = gamma;
        double[] effects = family.effects();
        this.geometry = SphereGeometry.of(gamma, effects);
        this.stretch = geometry.stretch();
        this.root = stretch * Math.sqrt(gamma);
        this.square = stretch * stretch * gamma;
        this.cross = stretch * stretch * Math.sqrt(gamma);
        this.zz = stretch * stretch * family.zz();
        this.tilt = family.ridge() * gamma;
        this.tiltTop = tilt == 0 || effects == null ? null : effects.clone();
        if (tiltTop != null) {
            Vectors.scale(family.ridge() * root / 4, tiltTop);
        }
        Magnitude.require(
                "sqrt(gamma) times the features, at gamma " + gamma,
                square * family.squaredNorm(),
                family.squaredNorm() > 0);
    }

    @Override
    public SphereFamily family() {
        return family;
    }

    @Override
    public double gamma() {
        return gamma;
    }

    @Override
    public double tilt() {
        return tilt;
    }

    @Override
    public SphereGeometry geometry() {
        return geometry;
    }

    /** Returns mu (||u||^2 + gamma tau^2). */
    @Override
    public double penalty(double[] r) {
        if (tilt == 0 || !geometry.hasEffects()) {
            return SphereProblem.super.penalty(r);
        }
        double[] u = geometry.scaledCoefficients(r);
        double tau = geometry.tau(r);
        return family.ridge() * (Vectors.dot(u, u) + gamma * tau * tau);
    }

    @Override
    public Evaluation tilted(Evaluation at, double[] r) {
        if (tiltTop == null) {
            return SphereProblem.super.tilted(at, r);
        }
        double[] gradient = at.halfGradient().clone();
        for (int j = 0; j < tiltTop.length; j++) {
            gradient[j] += tiltTop[j];
        }
        gradient[tiltTop.length] += stretch * tilt / 4;
        return new Evaluation(at.objective() + penalty(r), gradient, at.neglected(), at.overstated());
    }

    @Override
    public int dimension() {
        return family.features() + 1;
    }

    @Override
    public double limitPointLoss() {
        // with effects the limit points (tau = 1) form a sphere, not a single point: the certificate minimises over it
        return geometry.hasEffects() ? Double.POSITIVE_INFINITY : family.limitPointLoss() + tilt;
    }

    /** Returns g = -L'Pb with b = y - z/2, the ridge's part included. */
    @Override
    public double[] g() {
        double[] xy = family.xy();
        double[] xz = family.xz();
        int n = family.features();
        double[] g = new double[n + 1];
        for (int j = 0; j < n; j++) {
            g[j] = -root / 2 * (xy[j] - xz[j] / 2);
        }
        if (tiltTop != null) {
            for (int j = 0; j < n; j++) {
                g[j] += tiltTop[j];
            }
        }
        g[n] = stretch * family.gBorder() + stretch * tilt / 4;
        return g;
    }

    @Override
    public double p() {
        return family.p() + stretch * stretch * tilt / 2;
    }

    @Override
    public double zeroRuleLoss() {
        return family.zeroRuleLoss();
    }

    @Override
    public boolean isGram() {
        return family.isGram();
    }

    /** {@inheritDoc} One product with X'PX and the border X'Pz, from the sums that are held. */
    @Override
    public void hessianTimes(DenseMatrix v, DenseMatrix out) {
        int n = family.features();
        int k = v.cols();
        DenseMatrix top = DenseMatrix.zeros(n, k);
        for (int j = 0; j < n; j++) {
            for (int c = 0; c < k; c++) {
                top.set(j, c, v.get(j, c));
            }
        }
        DenseMatrix product = DenseMatrix.zeros(n, k);
        family.gramTimes(top, product);
        double[] xz = family.xz();
        for (int c = 0; c < k; c++) {
            double last = v.get(n, c);
            double border = 0;
            for (int j = 0; j < n; j++) {
                out.set(j, c, square / 4 * product.get(j, c) + cross / 4 * xz[j] * last);
                border += xz[j] * v.get(j, c);
            }
            out.set(n, c, cross / 4 * border + zz / 4 * last);
        }
    }

    @Override
    public DenseMatrix hessian() {
        int n = family.features();
        DenseMatrix h = DenseMatrix.zeros(n + 1, n + 1);
        // X'PX is formed inside H and then scaled row by row: a second matrix of this order may not fit into memory
        DenseMatrix gram = h.firstRows(n).columns(0, n);
        family.gram(gram);
        double[] xz = family.xz();
        double[] row = new double[n + 1];
        for (int i = 0; i < n; i++) {
            double[] values = gram.row(i);
            for (int j = 0; j < n; j++) {
                row[j] = square / 4 * values[j];
            }
            row[n] = cross / 4 * xz[i];
            h.setRow(i, row);
        }
        for (int j = 0; j < n; j++) {
            row[j] = cross / 4 * xz[j];
        }
        row[n] = zz / 4;
        h.setRow(n, row);
        return h;
    }

    @Override
    public Workers workers() {
        return family.workers();
    }

    @Override
    public int structuralNullity() {
        return Math.max(0, family.features() - family.rankBound());
    }

    @Override
    public Evaluation evaluate(double[] r) {
        return family.evaluate(new double[] {gamma}, new double[][] {r})[0];
    }

    /**
     * {@inheritDoc} Two kinds of error: sums over the rows are rounded relative to ||L|| + ||b||, and a projection that is slightly off takes away a part of
     * what is not in the range of V.
     */
    @Override
    public double roundingScale() {
        double l = Math.sqrt(hessianNorm());
        double sums = family.roundingGrowth() * (l + Math.sqrt(family.p()));
        return (l + removedNorm()) * (sums + projectionRoundings() * parts(1)) + tiltSize() / 4;
    }

    /** {@inheritDoc} The bound is ||L|| times the rounding of the residuals, whose part X u is small where wTilde is. */
    @Override
    public double roundingScale(double wTildeNorm) {
        double l = Math.sqrt(hessianNorm());
        double parts = parts(wTildeNorm);
        double sums = family.roundingGrowth() * Math.min(l + Math.sqrt(family.p()), parts);
        return (l + removedNorm()) * (sums + projectionRoundings() * parts) + tiltSize() / 4;
    }

    @Override
    public double gradientRounding(double[] r) {
        return Stationarity.ROUNDINGS * roundingScale(wTildeNorm(r));
    }

    @Override
    public double objectiveRounding(double[] r, double objective) {
        if (family.zeroRuleLoss() == 0 && geometry.isZeroRule(r)) {
            // the rule w = 0 and Py = 0: every residual is exactly 0
            return 0;
        }
        // |(a + d)^2 - a^2| <= d (2a + d) with a = ||residuals|| = sqrt(f) and d = their rounding
        double residual = 4 * 0x1p-52 * family.projectionGrowth() * parts(wTildeNorm(r));
        return residual * (2 * Math.sqrt(objective) + residual) + 4 * 0x1p-52 * penalty(r);
    }

    @Override
    public double hessianRounding() {
        // Pz carries the rounding of the part of z that P removed, which may be much larger than Pz itself
        double l = Math.sqrt(hessianNorm());
        double whole = l + removedNorm();
        double projected = l * removedNorm() + projectionRoundings() * whole * whole;
        return SphereProblem.super.hessianRounding() + 4 * 0x1p-52 * projected;
    }

    /** Returns the additional error of P, in multiples of eps, that comes from nearly dependent immutable columns; 0 if they are well conditioned. */
    private double projectionRoundings() {
        return family.projectionGrowth() - 1;
    }

    /** Returns the norm of the first n entries of r. */
    private double wTildeNorm(double[] r) {
        double square = 0;
        for (int j = 0; j < family.features(); j++) {
            square += r[j] * r[j];
        }
        return Math.sqrt(square);
    }

    /**
     * Returns an upper bound on the summed norms of the terms of the residuals: X u, tau z, y and what P removed. Their rounding error is a few eps times this
     * bound.
     */
    private double parts(double wTildeNorm) {
        return root / 2 * Math.sqrt(family.squaredNorm()) * wTildeNorm
                + largestTau() * Math.sqrt(family.zz())
                + Math.sqrt(family.yy())
                + removedNorm();
    }

    /** Returns the largest |tau| on the sphere: 1 without effects, more with them. */
    private double largestTau() {
        return (1 + stretch) / 2;
    }

    /** Returns a bound on the norm of what P removes from y, X beta/2 and tau z. */
    private double removedNorm() {
        return largestTau() * family.removedNorm();
    }

    /** Returns four times what the ridge adds to g, in size: k^2 mu gamma. */
    private double tiltSize() {
        return stretch * stretch * tilt;
    }

    @Override
    public double hessianNorm() {
        return square / 4 * family.squaredNorm() + zz / 4;
    }

    @Override
    public String toString() {
        return "sphere problem of dimension " + dimension() + " at gamma " + gamma + ", |g| " + Vectors.norm(g());
    }
}
