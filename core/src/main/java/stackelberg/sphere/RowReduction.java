package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntConsumer;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** The {@link Reduction} of a game whose rows are at hand. */
final class RowReduction extends Reduction {
    /** Rows that are worth a second thread. */
    private static final int WORTHWHILE = 1 << 16;

    private final DataFamily family;
    private final RowProjection fixed;
    /** What was taken from the columns nobody can change, the intercept's among them. */
    private final double[] levels;

    private final double[] y;
    private final double[] yCoordinates;
    private final double[] zCoordinates;

    private RowReduction(
            double[] rootCosts,
            boolean intercept,
            double ridge,
            double[] effects,
            DataFamily family,
            RowProjection fixed,
            double[] levels,
            double[] y,
            double[] yCoordinates,
            double[] zCoordinates) {
        super(rootCosts, intercept, ridge, effects);
        this.family = family;
        this.fixed = fixed;
        this.levels = levels;
        this.y = y;
        this.yCoordinates = yCoordinates;
        this.zCoordinates = zCoordinates;
    }

    static RowReduction read(PredictionGame game, ColumnStatistics.Ranges ranges, Workers workers) {
        if (game.x().cols() == 0) {
            // alphaTilde = 1 is the limit of ever larger w; without w it is not, and the sphere would promise too much
            throw new IllegalArgumentException(
                    "The game has no feature that anybody can change: nobody will move."
                            + "\nMaybe declare fewer columns immutable, or use ordinary least squares, which is the answer here.");
        }
        double[] costs = game.costs();
        double[] rootCosts = rootsOf(costs);
        boolean equal = Arrays.stream(costs).allMatch(c -> c == 1);
        Matrix x = equal ? game.x() : new AffineMatrix(game.x(), null, rootCosts, false);
        // one number of those who all count the same: a vector of it is 8 MB of a million people
        double[] weights = game.isUnweighted() ? new double[] {1} : game.weights();
        double[] levels = levels(game);
        RowProjection fixed = RowProjection.of(game.x().rows(), fixedColumns(game, levels), weights);
        double[] y = game.lent().y();
        double[] z = game.lent().z();
        double[][] coordinates = new double[2][];
        double[][] projected = new double[2][];
        IntConsumer project = k -> {
            double[] v = k == 0 ? y : z;
            coordinates[k] = fixed.coordinates(v);
            projected[k] = fixed.remove(v, coordinates[k]);
        };
        if (y.length >= WORTHWHILE) {
            workers.run(2, project);
        } else {
            project.accept(0);
            project.accept(1);
        }
        DataFamily family = new DataFamily(
                x,
                weights,
                fixed,
                projected[0],
                projected[1],
                Vectors.norm(coordinates[0]) + Vectors.norm(coordinates[1]),
                game.wishNoiseVariance(),
                ranges,
                workers);
        return new RowReduction(
                rootCosts,
                game.hasIntercept(),
                game.ridge(),
                game.effects().orElse(null),
                family,
                fixed,
                levels,
                y,
                coordinates[0],
                coordinates[1]);
    }

    private static double[] levels(PredictionGame game) {
        double[] levels = game.immutableLevels();
        if (!game.hasIntercept()) {
            return levels;
        }
        double[] withOnes = new double[levels.length + 1];
        System.arraycopy(levels, 0, withOnes, 1, levels.length);
        return withOnes;
    }

    /** The columns nobody can change less their levels, the intercept's ones first, as one number where all count the same. */
    private static double[][] fixedColumns(PredictionGame game, double[] levels) {
        double[][] columns = game.immutableLess(Arrays.copyOfRange(levels, game.hasIntercept() ? 1 : 0, levels.length));
        if (!game.hasIntercept()) {
            return columns;
        }
        double[][] withOnes = new double[columns.length + 1][];
        withOnes[0] = new double[game.isUnweighted() ? 1 : game.x().rows()];
        Arrays.fill(withOnes[0], 1);
        System.arraycopy(columns, 0, withOnes, 1, columns.length);
        return withOnes;
    }

    @Override
    SphereFamily data() {
        return family;
    }

    @Override
    public Optional<double[]> residuals(double[] w) {
        double[] rest = family.times(w);
        Vectors.axpy(-1, y, rest);
        return Optional.of(fixed.remove(rest, fixed.coordinates(rest)));
    }

    /** R^{-1} of -E'S(X v + wish z - y). */
    @Override
    double[] immutablePart(double[] v, double wish) {
        double[] c = family.fixedCoordinates(v);
        for (int k = 0; k < c.length; k++) {
            c[k] += yCoordinates[k] - wish * zCoordinates[k];
        }
        double[] q = fixed.coefficients(c);
        for (int j = 1; j < q.length; j++) {
            q[0] -= levels[j] == 0 ? 0 : levels[j] * q[j];
        }
        return q;
    }

    @Override
    Projection projection() {
        return fixed;
    }
}
