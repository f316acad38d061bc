package stackelberg.spark;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * {@code krylov} on rows that the executors' memory cannot hold: a real master, two workers and their executors on the loopback address.
 *
 * <p>Arguments: {@code ROWS FEATURES HEAP CORES PARTITIONS FOLDER}, heap (such as 1g) and cores for each of the two executors. A program, not a
 * test: its numbers are for people, and docs/benchmarks.md says how it is run. Where an executor is lost it ends with status 1.
 */
public final class SpillBench {
    private SpillBench() {}

    /** See the class. */
    public static void main(String[] arguments) throws Exception {
        int rows = Integer.parseInt(arguments[0]);
        int features = Integer.parseInt(arguments[1]);
        String heap = arguments[2];
        int cores = Integer.parseInt(arguments[3]);
        int partitions = Integer.parseInt(arguments[4]);
        Path folder = Files.createDirectories(Path.of(arguments[5]));
        ExecutorWatch watch = new ExecutorWatch();
        try (StandaloneCluster cluster = StandaloneCluster.start(folder, heap, cores)) {
            SparkSession spark = cluster.session();
            spark.sparkContext().addSparkListener(watch);
            var frame = spark.createDataFrame(SparkBench.data(spark, rows, features, partitions), TestGame.SCHEMA);
            long start = System.nanoTime();
            StackelbergSummary summary =
                    new StackelbergRegression().setSolver("krylov").fit(frame).summary();
            double seconds = (System.nanoTime() - start) * 1e-9;
            watch.catchUp(spark);
            SparkBench.print(
                    "heap",
                    "cores",
                    "MB of numbers",
                    "MB in memory",
                    "MB on disk",
                    "peak heap MB",
                    "lost",
                    "failed",
                    "passes",
                    "certified",
                    "seconds");
            SparkBench.print(
                    heap,
                    cores,
                    8L * rows * features >> 20,
                    watch.memory >> 20,
                    watch.disk >> 20,
                    watch.peakHeap >> 20,
                    watch.lost,
                    watch.failed,
                    summary.passes(),
                    summary.certified(),
                    seconds);
        }
        System.exit(watch.lost == 0 ? 0 : 1);
    }
}
