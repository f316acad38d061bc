package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The way from a game to the sphere and back: r = (wTilde, alphaTilde) with wTilde = 2w / (sqrt(gamma)(1 + alpha)), alphaTilde = (alpha -
 * 1)/(alpha + 1), alpha = w'w/gamma. The only type that knows both sides.
 */
public final class SphereReduction implements Reduction {
    private final DataFamily family;
    private final ProjectedColumns fixed;
    private final double[] rootCosts;
    private final double[] yCoordinates;
    private final double[] zCoordinates;
    private final boolean intercept;

    private SphereReduction(
            DataFamily family,
            ProjectedColumns fixed,
            double[] rootCosts,
            double[] yCoordinates,
            double[] zCoordinates,
            boolean intercept) {
        this.family = family;
        this.fixed = fixed;
        this.rootCosts = rootCosts;
        this.yCoordinates = yCoordinates;
        this.zCoordinates = zCoordinates;
        this.intercept = intercept;
    }

    /** Reads the game's data once; its gamma plays no part. */
    public static SphereReduction of(PredictionGame game, Workers workers) {
        if (game.x().cols() == 0) {
            // alphaTilde = 1 is the limit of ever larger w; without w it is not, and the sphere would promise too much
            throw new IllegalArgumentException(
                    "The game has no feature that anybody can change: nobody will move."
                            + "\nMaybe declare fewer columns immutable, or use ordinary least squares, which is the answer here.");
        }
        double[] costs = game.costs();
        double[] rootCosts = Arrays.stream(costs).map(Math::sqrt).toArray();
        boolean equal = Arrays.stream(costs).allMatch(c -> c == 1);
        Matrix x = equal ? game.x() : new AffineMatrix(game.x(), null, rootCosts, false);
        double[] weights = game.weights();
        double[][] columns = fixedColumns(game);
        ProjectedColumns fixed = ProjectedColumns.of(columns, weights);
        double[] y = game.y();
        double[] z = game.z();
        double[] yCoordinates = fixed.coordinates(y);
        double[] zCoordinates = fixed.coordinates(z);
        DataFamily family = new DataFamily(
                x,
                weights,
                fixed,
                fixed.remove(y, yCoordinates),
                fixed.remove(z, zCoordinates),
                Vectors.norm(yCoordinates) + Vectors.norm(zCoordinates),
                game.wishNoiseVariance(),
                workers);
        return new SphereReduction(family, fixed, rootCosts, yCoordinates, zCoordinates, game.hasIntercept());
    }

    /** The columns nobody can change, the intercept's ones first. */
    static double[][] fixedColumns(PredictionGame game) {
        double[][] columns = game.immutable();
        if (!game.hasIntercept()) {
            return columns;
        }
        double[][] withOnes = new double[columns.length + 1][];
        withOnes[0] = new double[game.x().rows()];
        Arrays.fill(withOnes[0], 1);
        System.arraycopy(columns, 0, withOnes, 1, columns.length);
        return withOnes;
    }

    @Override
    public SphereFamily family() {
        return family;
    }

    /** The rule of a point r on the sphere at one gamma; not finite where r = (0, ..., 0, 1). */
    @Override
    public LinearRule recover(double[] r, double gamma) {
        return recover(r, gamma, rootCosts, fixed.originalCoefficients(fixedPart(r, gamma)), intercept);
    }

    /**
     * The rule of a point r.
     *
     * @param scaledFixed q/(1 + alpha) on the immutable columns, the intercept first if there is one
     */
    static LinearRule recover(double[] r, double gamma, double[] rootCosts, double[] scaledFixed, boolean intercept) {
        int n = rootCosts.length;
        double[] w = recoverRule(Arrays.copyOf(r, n), r[n], gamma);
        double alpha = 0;
        for (double value : w) {
            alpha += value * value / gamma;
        }
        for (int j = 0; j < n; j++) {
            w[j] *= rootCosts[j];
        }
        double[] q = scaledFixed.clone();
        for (int k = 0; k < q.length; k++) {
            q[k] *= 1 + alpha;
        }
        return ruleOf(w, q, intercept);
    }

    /** The rule of a point r, divided by 1 + alpha: finite for every r, "believe everybody" included. */
    @Override
    public LinearRule recoverScaled(double[] r, double gamma) {
        return recoverScaled(r, gamma, rootCosts, fixed.originalCoefficients(fixedPart(r, gamma)), intercept);
    }

    /** The rule of a point r, divided by 1 + alpha; the last arguments as for {@link #recover(double[], double, double[], double[], boolean)}. */
    static LinearRule recoverScaled(
            double[] r, double gamma, double[] rootCosts, double[] scaledFixed, boolean intercept) {
        double[] w = Arrays.copyOf(r, rootCosts.length);
        for (int j = 0; j < w.length; j++) {
            w[j] *= Math.sqrt(gamma) / 2 * rootCosts[j];
        }
        return ruleOf(w, scaledFixed, intercept);
    }

    /** qTilde = -E'S(L r - b), which minimises ||L r + V qTilde - b||; L r - b = X v + (1 + alphaTilde)/2 z - y. */
    private double[] fixedPart(double[] r, double gamma) {
        int n = family.features();
        double[] v = Arrays.copyOf(r, n);
        for (int j = 0; j < n; j++) {
            v[j] *= Math.sqrt(gamma) / 2;
        }
        double[] qTilde = family.fixedCoordinates(v);
        for (int k = 0; k < qTilde.length; k++) {
            qTilde[k] += yCoordinates[k] - (1 + r[n]) / 2 * zCoordinates[k];
        }
        return qTilde;
    }

    /** The rule whose coefficients on the cost-scaled features are w, with the best immutable part if nobody moves: least squares given w. */
    public LinearRule naiveRule(double[] w) {
        double[] q = family.fixedCoordinates(w);
        for (int k = 0; k < q.length; k++) {
            q[k] += yCoordinates[k];
        }
        double[] scaled = w.clone();
        for (int j = 0; j < scaled.length; j++) {
            scaled[j] *= rootCosts[j];
        }
        return ruleOf(scaled, q);
    }

    private LinearRule ruleOf(double[] w, double[] fixedCoordinates) {
        return ruleOf(w, fixed.originalCoefficients(fixedCoordinates), intercept);
    }

    private static LinearRule ruleOf(double[] w, double[] q, boolean intercept) {
        return intercept ? new LinearRule(w, Arrays.copyOfRange(q, 1, q.length), q[0]) : new LinearRule(w, q, 0);
    }

    /**
     * w from (wTilde, alphaTilde): the inverse of the reduction, paper eq. (map_backward), in the form that does not cancel on either side
     * of alphaTilde = 0.
     */
    static double[] recoverRule(double[] wTilde, double alphaTilde, double gamma) {
        // wTilde in units of its largest entry, so that wTilde'wTilde cannot underflow where t is next to 1
        double unit =
                alphaTilde <= 0 ? 1 : Arrays.stream(wTilde).map(Math::abs).max().orElse(0);
        double[] w = Arrays.stream(wTilde).map(value -> value / unit).toArray();
        double factor = alphaTilde <= 0
                ? Math.sqrt(gamma) / (1 - alphaTilde)
                : Math.sqrt(gamma) * (1 + alphaTilde) / Vectors.dot(w, w) / unit;
        Vectors.scale(factor, w);
        return w;
    }

    /** The point of the sphere of a rule on cost-scaled features: the forward map, paper eq. (map_forward). */
    static double[] pointOf(double[] w, double gamma) {
        double alpha = 0;
        for (double value : w) {
            alpha += value * value / gamma;
        }
        double[] r = Arrays.copyOf(w, w.length + 1);
        for (int j = 0; j < w.length; j++) {
            r[j] *= 2 / (Math.sqrt(gamma) * (1 + alpha));
        }
        r[w.length] = (alpha - 1) / (alpha + 1);
        return r;
    }
}
