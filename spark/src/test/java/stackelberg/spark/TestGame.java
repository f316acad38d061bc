package stackelberg.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** A random game that both Spark and the core can play: the last of its features is immutable. */
final class TestGame {
    static final StructType SCHEMA = new StructType()
            .add("features", SQLDataTypes.VectorType())
            .add("label", DataTypes.DoubleType)
            .add("wish", DataTypes.DoubleType)
            .add("weight", DataTypes.DoubleType);
    static final double NOISE = 0.3;

    final double[][] features;
    final double[] y;
    final double[] z;
    final double[] weights;
    final double[] costs;

    /**
     * A game with weights, costs, an immutable feature and features that are not centred.
     *
     * @param density share of the features that are not 0
     */
    TestGame(int rows, int size, double density, long seed) {
        Random random = new Random(seed);
        features = new double[rows][size];
        y = new double[rows];
        z = new double[rows];
        weights = new double[rows];
        costs = new double[size];
        double[] truth = random.doubles(size, -1, 1).toArray();
        for (int j = 0; j < size; j++) {
            costs[j] = 0.5 + random.nextDouble();
        }
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < size; j++) {
                features[i][j] = random.nextDouble() < density ? 1 + random.nextGaussian() : 0;
                y[i] += truth[j] * features[i][j];
            }
            y[i] += 3 + 0.5 * random.nextGaussian();
            z[i] = Math.max(y[i], 3) + random.nextDouble();
            weights[i] = random.nextInt(4);
        }
    }

    Dataset<Row> dataset(SparkSession spark, int partitions, boolean sparse) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < y.length; i++) {
            Vector vector = Vectors.dense(features[i]);
            rows.add(RowFactory.create(sparse ? vector.toSparse() : vector, y[i], z[i], weights[i]));
        }
        var context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        return spark.createDataFrame(context.parallelize(rows, partitions), SCHEMA);
    }

    StackelbergRegression estimator() {
        return new StackelbergRegression()
                .setWeightCol("weight")
                .setCosts(costs)
                .setImmutableFeatures(costs.length - 1)
                .setWishNoise(NOISE)
                .setHedge("none");
    }

    /** What moves really do, of both signs and some 0; the last feature is immutable. */
    static double[] effects(int size) {
        double[] effects = new double[size];
        for (int j = 0; j < size - 1; j++) {
            effects[j] = j % 3 == 2 ? 0 : Math.sin(1 + j);
        }
        return effects;
    }

    PredictionGame core(double gamma) {
        int n = costs.length - 1;
        DenseMatrix x = DenseMatrix.zeros(y.length, n);
        double[] fixed = new double[y.length];
        for (int i = 0; i < y.length; i++) {
            x.setRow(i, java.util.Arrays.copyOf(features[i], n));
            fixed[i] = features[i][n];
        }
        return PredictionGame.of(x, y, z, gamma)
                .withCosts(java.util.Arrays.copyOf(costs, n))
                .withImmutable(fixed)
                .withIntercept()
                .withWeights(weights)
                .withWishNoise(NOISE);
    }

    /** The core's answer: coefficients in the order of the features, then the intercept. */
    record Answer(double[] rule, double objective, int passes) {}

    Answer answer(double gamma, SphereSolver solver, double tolerance) {
        return answer(core(gamma), solver, tolerance);
    }

    Answer answer(PredictionGame game, SphereSolver solver, double tolerance) {
        Workers workers = Workers.of(1);
        double gamma = game.gamma();
        Reduction reduction = Reduction.of(game, workers);
        SphereProblem problem = reduction.family().at(gamma);
        SphereResult result =
                solver.solve(problem, SolverOptions.DEFAULT.withTolerance(tolerance), ProgressListener.NONE);
        LinearRule rule = reduction.recover(result.r(), gamma);
        double[] all = java.util.Arrays.copyOf(rule.w(), costs.length + 1);
        all[costs.length - 1] = rule.q()[0];
        all[costs.length] = rule.intercept();
        return new Answer(
                all, problem.evaluate(result.r()).objective(), result.effort().passes());
    }

    /** The largest difference between a model and an answer, against the largest coefficient. */
    static double difference(StackelbergRegressionModel model, Answer answer) {
        return difference(rule(model), answer.rule());
    }

    static double difference(double[] a, double[] b) {
        double worst = 0;
        double size = 0;
        for (int j = 0; j < b.length; j++) {
            worst = Math.max(worst, Math.abs(a[j] - b[j]));
            size = Math.max(size, Math.abs(b[j]));
        }
        return worst / size;
    }

    static double[] rule(StackelbergRegressionModel model) {
        double[] rule = java.util.Arrays.copyOf(model.coefficients().toArray(), model.numFeatures() + 1);
        rule[model.numFeatures()] = model.intercept();
        return rule;
    }
}
