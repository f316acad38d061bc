package stackelberg.sphere;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** The sphere problem of a family at one gamma: H = [[gamma/4 X'PX, sqrt(gamma)/4 X'Pz], [., z'Pz/4]]. */
final class FamilyProblem implements SphereProblem {
    private final SphereFamily family;
    private final double gamma;
    private final double root;
    private final double[] xz;

    FamilyProblem(SphereFamily family, double gamma) {
        if (!(gamma > 0) || Double.isInfinite(gamma)) {
            throw new IllegalArgumentException("gamma is " + gamma + "; it must be positive and finite.");
        }
        this.family = family;
        this.gamma = gamma;
        this.root = Math.sqrt(gamma);
        this.xz = family.xz();
        Magnitude.require(
                "sqrt(gamma) times the features, at gamma " + gamma,
                gamma * family.squaredNorm(),
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
    public int dimension() {
        return family.features() + 1;
    }

    @Override
    public double limitLoss() {
        return family.believeEverybodyLoss();
    }

    @Override
    public double[] g() {
        double[] xy = family.xy();
        int n = family.features();
        double[] g = new double[n + 1];
        for (int j = 0; j < n; j++) {
            g[j] = -root / 2 * (xy[j] - xz[j] / 2);
        }
        g[n] = -(family.yz() - family.zz() / 2) / 2;
        return g;
    }

    @Override
    public double p() {
        return family.p();
    }

    @Override
    public double ungameableLoss() {
        return family.ungameableLoss();
    }

    @Override
    public boolean isGram() {
        return family.isGram();
    }

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
        for (int c = 0; c < k; c++) {
            double last = v.get(n, c);
            double border = 0;
            for (int j = 0; j < n; j++) {
                out.set(j, c, gamma / 4 * product.get(j, c) + root / 4 * xz[j] * last);
                border += xz[j] * v.get(j, c);
            }
            out.set(n, c, root / 4 * border + family.zz() / 4 * last);
        }
    }

    @Override
    public DenseMatrix hessian() {
        int n = family.features();
        DenseMatrix gram = family.gram();
        DenseMatrix h = DenseMatrix.zeros(n + 1, n + 1);
        double[] row = new double[n + 1];
        for (int i = 0; i < n; i++) {
            double[] values = gram.row(i);
            for (int j = 0; j < n; j++) {
                row[j] = gamma / 4 * values[j];
            }
            row[n] = root / 4 * xz[i];
            h.setRow(i, row);
        }
        for (int j = 0; j < n; j++) {
            row[j] = root / 4 * xz[j];
        }
        row[n] = family.zz() / 4;
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

    @Override
    public double roundingScale() {
        double l = Math.sqrt(hessianNorm());
        double sums = family.roundingGrowth() * (l + Math.sqrt(family.p()));
        return (l + family.removedNorm()) * (sums + projectionRoundings() * parts(1));
    }

    @Override
    public double gradientRounding(double[] r) {
        // L' times the rounding of the residuals; at large gamma wTilde is small, and with it what is rounded
        double l = Math.sqrt(hessianNorm());
        double parts = parts(wTildeNorm(r));
        double sums = family.roundingGrowth() * Math.min(l + Math.sqrt(family.p()), parts);
        return 4 * 0x1p-52 * (l + family.removedNorm()) * (sums + projectionRoundings() * parts);
    }

    @Override
    public double objectiveRounding(double[] r, double objective) {
        if (family.yy() == 0 && r[r.length - 1] == -1) {
            // w = 0 and Py = 0: nothing is added up
            return 0;
        }
        double residual = 4 * 0x1p-52 * family.projectionGrowth() * parts(wTildeNorm(r));
        return residual * (2 * Math.sqrt(objective) + residual);
    }

    @Override
    public double hessianRounding() {
        // Pz keeps the rounding of what P took away
        double l = Math.sqrt(hessianNorm());
        double whole = l + family.removedNorm();
        double projected = l * family.removedNorm() + projectionRoundings() * whole * whole;
        return SphereProblem.super.hessianRounding() + 4 * 0x1p-52 * projected;
    }

    /** A P that is off takes away a part of what it should not have seen at all. */
    private double projectionRoundings() {
        return family.projectionGrowth() - 1;
    }

    private double wTildeNorm(double[] r) {
        double square = 0;
        for (int j = 0; j < family.features(); j++) {
            square += r[j] * r[j];
        }
        return Math.sqrt(square);
    }

    /** Every residual is off by a few eps of what it is the sum of: X wTilde, z, y and what P took away. */
    private double parts(double wTildeNorm) {
        return root / 2 * Math.sqrt(family.squaredNorm()) * wTildeNorm
                + Math.sqrt(family.zz())
                + Math.sqrt(family.yy())
                + family.removedNorm();
    }

    @Override
    public double hessianNorm() {
        return gamma / 4 * family.squaredNorm() + family.zz() / 4;
    }

    @Override
    public String toString() {
        return "sphere problem of dimension " + dimension() + " at gamma " + gamma + ", |g| " + Vectors.norm(g());
    }
}
