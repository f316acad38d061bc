package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * A family whose moves are real: a unit of each feature changes the target by beta. The residual is X u + V q + tau z - y on the sphere ||u - beta/2||^2 + gamma (tau -
 * 1/2)^2 = (gamma + beta'beta)/4, so that the sums are those of the target y - X beta/2 and H and g those of a larger sphere ({@link FamilyProblem}).
 *
 * <p>What the data say about a point is asked of the family without effects, which knows residuals at any (u, tau).
 */
final class EffectsFamily implements SphereFamily {
    /** The gamma at which u = wTilde and tau = (1 + alphaTilde)/2. */
    private static final double PLAIN = 4;

    private final SphereFamily plain;
    private final double[] effects;
    private final Sums sums;
    private final Rounding rounding;

    /**
     * Reads the data once, at the centre of the sphere: u = beta/2, tau = 1/2.
     *
     * @param plain a family without a ridge
     * @param effects beta on cost-scaled features
     */
    EffectsFamily(SphereFamily plain, double[] effects) {
        this.plain = plain;
        this.effects = effects.clone();
        int n = plain.features();
        double[] centre = Arrays.copyOf(effects, n + 1);
        Vectors.scale(0.5, centre);
        Evaluation at = plain.evaluate(new double[] {PLAIN}, new double[][] {centre})[0];
        double[] xz = plain.xz();
        double[] xy = xz.clone();
        Vectors.scale(0.5, xy);
        Vectors.axpy(-1, Arrays.copyOf(at.halfGradient(), n), xy);
        double zz = plain.zz();
        double yz = zz / 2 - 2 * at.halfGradient()[n];
        double p = at.objective();
        double yy = Math.max(0, p + yz - zz / 4);
        this.sums = new Sums(xy, xz, yy, yz, zz, p, Math.max(0, yy - 2 * yz + zz));
        Rounding own = plain.rounding();
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

    /** w = 0 moves nobody, whatever moves would do. */
    @Override
    public double ungameableLoss() {
        return plain.ungameableLoss();
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

    /** Its y is that of the family without effects. */
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
            points[c] = Arrays.copyOf(geometry.scaled(r[c]), n + 1);
            points[c][n] = 2 * geometry.gamed(r[c]) - 1;
        }
        double[] plainly = new double[gammas.length];
        Arrays.fill(plainly, PLAIN);
        Evaluation[] evaluations = plain.evaluate(plainly, points);
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
