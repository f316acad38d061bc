package stackelberg.spark;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/**
 * What a step costs on Spark: passes, bytes and seconds against the rows, beside the core.
 *
 * <p>Arguments: {@code ROWS FEATURES}, on local[2]. A program, not a test: its numbers are for people, and docs/benchmarks.md says how it is run.
 */
public final class SparkBench {
    private static final int PARTITIONS = 8;
    private static final int REPEATS = 9;
    private static final RowCheck.Names NAMES = new RowCheck.Names("features", "label", "wish", "weight", false);
    private static final PrintStream OUT = System.out;

    private SparkBench() {}

    /** See the class. */
    public static void main(String[] arguments) {
        steps(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    }

    private static void steps(int base, int features) {
        SparkSession spark = LocalSpark.start();
        ResultBytes bytes = new ResultBytes();
        spark.sparkContext().addSparkListener(bytes);
        print(
                "rows",
                "s/step",
                "s/step core",
                "ratio",
                "task CPU s/step",
                "results B/step",
                "broadcast B/step",
                "passes",
                "passes core");
        for (int factor = 1; factor <= 8; factor *= 2) {
            int rows = base * factor;
            SphereFamily core = coreFamily(rows, features);
            DenseMatrix v = DenseMatrix.zeros(features, 2);
            IntStream.range(0, features).forEach(j -> v.setRow(j, new double[] {1, j % 3}));
            DenseMatrix out = DenseMatrix.zeros(features, 2);
            double coreSeconds = median(() -> core.gramTimes(v, out));
            double seconds;
            double cpu;
            long perStep;
            Layout layout = Layout.of(features, new int[0], true);
            try (SparkRows remote = new SparkRows(data(spark, rows, features, PARTITIONS), NAMES, layout, 2).cached()) {
                remote.totals();
                DenseMatrix c = DenseMatrix.zeros(layout.order(), 2);
                IntStream.range(0, features).forEach(j -> c.setRow(1 + j, new double[] {1, j % 3}));
                median(() -> remote.times(c));
                bytes.start(spark);
                seconds = median(() -> remote.times(c));
                perStep = bytes.soFar(spark) / REPEATS;
                cpu = bytes.cpuSeconds() / REPEATS;
            }
            var frame = spark.createDataFrame(data(spark, rows, features, PARTITIONS), TestGame.SCHEMA);
            int passes = new StackelbergRegression()
                    .setSolver("krylov")
                    .fit(frame)
                    .summary()
                    .passes();
            int corePasses = new KrylovSolver(Workers.of(2))
                    .solve(core.at(1), SolverOptions.DEFAULT, ProgressListener.NONE)
                    .effort()
                    .passes();
            print(
                    rows,
                    seconds,
                    coreSeconds,
                    seconds / coreSeconds,
                    cpu,
                    perStep,
                    16L * layout.order(),
                    passes,
                    corePasses);
        }
        spark.stop();
    }

    /** Rows that depend on their number alone, made where they are used. */
    static JavaRDD<Row> data(SparkSession spark, int rows, int features, int partitions) {
        return JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
                .flatMap(part -> part(part, partitions, rows, features));
    }

    private static Iterator<Row> part(int part, int partitions, int rows, int features) {
        int first = (int) ((long) rows * part / partitions);
        int end = (int) ((long) rows * (part + 1) / partitions);
        return IntStream.range(first, end)
                .mapToObj(i -> {
                    double[] x = new double[features];
                    double y = fill(i, x);
                    return RowFactory.create(Vectors.dense(x), y, Math.max(y, 0), 1.0);
                })
                .iterator();
    }

    private static double fill(int row, double[] x) {
        SplittableRandom random = new SplittableRandom(row);
        double y = random.nextDouble();
        for (int j = 0; j < x.length; j++) {
            x[j] = random.nextDouble() - 0.5;
            y += x[j] / (1 + j);
        }
        return y;
    }

    private static SphereFamily coreFamily(int rows, int features) {
        DenseMatrix x = DenseMatrix.zeros(rows, features);
        double[] y = new double[rows];
        double[] z = new double[rows];
        double[] row = new double[features];
        for (int i = 0; i < rows; i++) {
            y[i] = fill(i, row);
            z[i] = Math.max(y[i], 0);
            x.setRow(i, row);
        }
        Workers workers = Workers.of(2);
        return Reduction.of(PredictionGame.of(x, y, z, 1).withIntercept(), workers)
                .family();
    }

    private static double median(Runnable task) {
        double[] seconds = new double[REPEATS];
        for (int i = 0; i < seconds.length; i++) {
            long start = System.nanoTime();
            task.run();
            seconds[i] = (System.nanoTime() - start) * 1e-9;
        }
        Arrays.sort(seconds);
        return seconds[seconds.length / 2];
    }

    static void print(Object... cells) {
        StringBuilder line = new StringBuilder();
        for (Object cell : cells) {
            String text = cell instanceof Double value ? String.format(Locale.ROOT, "%.4g", value) : cell.toString();
            line.append(String.format("%18s", text));
        }
        OUT.println(line);
    }

    /** What the tasks send back, serialised, and the processor time they took. */
    private static final class ResultBytes extends SparkListener {
        private long sum;
        private long cpuNanos;

        @Override
        public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
            sum += end.taskMetrics().resultSize();
            cpuNanos += end.taskMetrics().executorCpuTime();
        }

        synchronized void reset() {
            sum = 0;
            cpuNanos = 0;
        }

        synchronized double cpuSeconds() {
            return cpuNanos * 1e-9;
        }

        void start(SparkSession spark) {
            soFar(spark);
            reset();
        }

        long soFar(SparkSession spark) {
            try {
                spark.sparkContext().listenerBus().waitUntilEmpty(60_000);
            } catch (java.util.concurrent.TimeoutException e) {
                throw new IllegalStateException(e);
            }
            synchronized (this) {
                return sum;
            }
        }
    }
}
