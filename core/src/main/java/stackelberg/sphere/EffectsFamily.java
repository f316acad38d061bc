package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * A family with effects: a follower who raises feature j by one unit changes the target by beta_j (docs/theory.md, "Effects").
 *
 * <p>With u = (1 - tau) w the residual after the move is X u + V q + tau z - y, on the sphere ||u - beta/2||^2 + gamma (tau - 1/2)^2 = (gamma + beta'beta)/4.
 * Shifting the centre of that sphere to 0 replaces the target y by y - X beta/2: the sums held here are those of the shifted target, and H and g are
 * those of a sphere larger by the factor sqrt(1 + beta'beta/gamma) ({@link FamilyProblem}).
 *
 * <p>Evaluations are delegated to the family without effects: it can evaluate the residual at any (u, tau), on its own sphere or not.
 */
final class EffectsFamily implements SphereFamily {
    /** The gamma at which the family without effects has u = wTilde, so that a pair (u, tau) can be handed to it as (u, 2 tau - 1). */
    private static final double IDENTITY_GAMMA = 4;

    private final SphereFamily plain;
    private final double[] effects;
    private final Sums sums;
    private final Rounding rounding;

    /**
     * Reads the data once, at the centre of the sphere: u = beta/2, tau = 1/2. There the residual is X beta/2 + z/2 - y, the negative of the new b, so
     * that its square is p and its products with X and z give X'P(y - X beta/2) and z'P(y - X beta/2).
     *
     * @param plain a family without a ridge and without effects
     * @param effects beta on cost-scaled features
     */
    EffectsFamily(SphereFamily plain, double[] effects) {
        this.plain = plain;
        this.effects = effects.clone();
        int n = plain.features();
        double[] centre = Arrays.copyOf(effects, n + 1);
        Vectors.scale(0.5, centre);
        Evaluation at = plain.evaluate(new double[] {IDENTITY_GAMMA}, new double[][] {centre})[0];
        double[] xz = plain.xz();
        double[] xy = xz.clone();
        Vectors.scale(0.5, xy);
        Vectors.axpy(-1, Arrays.copyOf(at.halfGradient(), n), xy);
        double zz = plain.zz();
        double yz = zz / 2 - 2 * at.halfGradient()[n];
        double p = at.objective();
        // p = ||P(y - z/2)||^2 with the shifted y, solved for y'Py; rounding may make it negative
        double yy = Math.max(0, p + yz - zz / 4);
        this.sums = new Sums(xy, xz, yy, yz, zz, p, Math.max(0, yy - 2 * yz + zz));
        Rounding own = plain.rounding();
        // the size of X beta/2, which is subtracted from y: a further term whose rounding counts
        double moved = Math.sqrt(own.squaredNorm() * Vectors.dot(effects, effects)) / 2;
        Magnitude.require("the effects times the features", moved * moved, false);
        this.rounding = new Rounding(own.squaredNorm(), own.removedNorm() + moved, own.projectionGrowth(), own.rows());
    }

    @Override
    public SphereFamily plain() {
        return plain;
    }

    @Override
    public double[] effects() {
        return effects.clone();
    }

    @Override
    public SphereFamily withEffects(double[] beta) {
        return plain.withEffects(beta);
    }

    @Override
    public Sums sums() {
        return sums;
    }

    @Override
    public Rounding rounding() {
        return rounding;
    }

    /** The loss of w = 0 does not depend on effects: that rule makes no follower move. */
    @Override
    public double zeroRuleLoss() {
        return plain.zeroRuleLoss();
    }

    @Override
    public boolean isGram() {
        return plain.isGram();
    }

    @Override
    public Workers workers() {
        return plain.workers();
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        plain.gramTimes(v, out);
    }

    @Override
    public DenseMatrix gram() {
        return plain.gram();
    }

    @Override
    public void gram(DenseMatrix out) {
        plain.gram(out);
    }

    /** The rows' side of the family without effects: its y is the target itself, not y - X beta/2. */
    @Override
    public Optional<Dual> dual() {
        return plain.dual();
    }

    @Override
    public Optional<Sparse> sparse() {
        return plain.sparse();
    }

    @Override
    public int rankBound() {
        return plain.rankBound();
    }

    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        sums.requirePoints(r);
        int n = features();
        double[][] points = new double[r.length][];
        for (int c = 0; c < r.length; c++) {
            SphereGeometry geometry = SphereGeometry.of(gammas[c], effects);
            points[c] = Arrays.copyOf(geometry.scaledCoefficients(r[c]), n + 1);
            points[c][n] = 2 * geometry.tau(r[c]) - 1;
        }
        double[] identity = new double[gammas.length];
        Arrays.fill(identity, IDENTITY_GAMMA);
        Evaluation[] evaluations = plain.evaluate(identity, points);
        // chain rule: u = R rTop + beta/2 and 2 tau - 1 = stretch rLast
        for (int c = 0; c < r.length; c++) {
            double stretch = SphereGeometry.of(gammas[c], effects).stretch();
            double radius = stretch * Math.sqrt(gammas[c]) / 2;
            Evaluation at = evaluations[c];
            double[] gradient = at.halfGradient().clone();
            for (int j = 0; j < n; j++) {
                gradient[j] *= radius;
            }
            gradient[n] *= stretch;
            double neglected = Math.max(radius, stretch) * at.neglected();
            evaluations[c] = new Evaluation(at.objective(), gradient, neglected, at.overstated());
        }
        return evaluations;
    }
}
