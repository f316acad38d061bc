package stackelberg.sphere;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** The {@link Reduction} of a game whose rows are in memory or in a mapped file. */
final class RowReduction extends Reduction {
    /** The number of rows from which y and z are projected by two threads; below it starting them takes longer than it saves. */
    private static final int MIN_ROWS_FOR_THREADS = 1 << 16;

    private final DataFamily family;
    private final RowProjection fixed;
    /** The constant that was subtracted from each immutable column, 0 for the intercept: centred columns are better conditioned. */
    private final double[] levels;

    private final double[] y;
    private final double[] yCoordinates;
    private final double[] zCoordinates;

    private RowReduction(
            double[] rootCosts,
            boolean intercept,
            double ridge,
            double @Nullable [] effects,
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

    /**
     * Reads the data of a game once.
     *
     * @param ranges if not null, receives the smallest and largest value of each column
     * @throws IllegalArgumentException if the game has no manipulable feature
     */
    static RowReduction read(PredictionGame game, ColumnStatistics.@Nullable Ranges ranges, Workers workers) {
        if (game.x().cols() == 0) {
            // the sphere would be the two points alphaTilde = -1 and 1, and the second is the limit of ever larger w
            // only if there is a w
            throw new IllegalArgumentException(
                    "The game has no manipulable feature, so no one can move."
                            + "\nMaybe declare fewer columns immutable, or use ordinary least squares, which is the answer here.");
        }
        double[] costs = game.costs();
        double[] rootCosts = rootsOf(costs);
        boolean equal = Arrays.stream(costs).allMatch(c -> c == 1);
        Matrix x = equal ? game.x() : new AffineMatrix(game.x(), null, rootCosts, false);
        // equal weights are stored as one number: a vector of them would take 8 MB per million rows
        double[] weights = game.isUnweighted() ? new double[] {1} : game.weights();
        double[] levels = levels(game);
        RowProjection fixed = RowProjection.of(game.x().rows(), fixedColumns(game, levels), weights);
        double[] y = Objects.requireNonNull(game.shared().y());
        double[] z = game.shared().z();
        double[][] coordinates = new double[2][];
        double[][] projected = new double[2][];
        IntConsumer project = k -> {
            double[] v = k == 0 ? y : z;
            coordinates[k] = fixed.coordinates(v);
            projected[k] = fixed.remove(v, coordinates[k]);
        };
        if (y.length >= MIN_ROWS_FOR_THREADS) {
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

    /** Returns the levels of the immutable columns, preceded by 0 for the intercept if there is one. */
    private static double[] levels(PredictionGame game) {
        double[] levels = game.immutableLevels();
        if (!game.hasIntercept()) {
            return levels;
        }
        double[] withOnes = new double[levels.length + 1];
        System.arraycopy(levels, 0, withOnes, 1, levels.length);
        return withOnes;
    }

    /** Returns the immutable columns less their levels, preceded by the intercept's ones, which are a single number if all weights are equal. */
    private static double[][] fixedColumns(PredictionGame game, double[] levels) {
        double[][] columns =
                game.immutableMinus(Arrays.copyOfRange(levels, game.hasIntercept() ? 1 : 0, levels.length));
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

    /** {@inheritDoc} R^{-1} times -E'S(X v + wish z - y); the levels that were subtracted from the columns go into the intercept. */
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
    public double explainedGap() {
        double square = 0;
        for (int k = 0; k < yCoordinates.length; k++) {
            double gap = zCoordinates[k] - yCoordinates[k];
            square += gap * gap;
        }
        return square;
    }

    @Override
    Projection projection() {
        return fixed;
    }
}
