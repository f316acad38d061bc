package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** A cache that does not hold the rows puts them on disk, whatever writes them there, and the answer keeps its bits. */
class SpillTest {
    /** The rules of a dense and a sparse game, and how many bytes were on disk for them. */
    private record Fits(double[] dense, double[] sparse, long disk) {}

    private static Fits fit(String serializer, double memoryFraction) {
        SparkSession spark = LocalSpark.builder()
                .config("spark.serializer", "org.apache.spark.serializer." + serializer)
                .config("spark.memory.fraction", memoryFraction)
                .getOrCreate();
        try {
            ExecutorWatch watch = new ExecutorWatch();
            spark.sparkContext().addSparkListener(watch);
            double[] dense = rule(spark, 1);
            double[] sparse = rule(spark, 0.2);
            watch.catchUp(spark);
            assertThat(watch.failed).isZero();
            return new Fits(dense, sparse, watch.disk);
        } finally {
            spark.stop();
        }
    }

    private static double[] rule(SparkSession spark, double density) {
        TestGame game = new TestGame(2000, 200, density, 12);
        return TestGame.rule(game.estimator().setSolver("krylov").fit(game.dataset(spark, 3, density < 1)));
    }

    @Test
    void rowsOnDiskGiveTheBitsOfRowsInMemory() {
        Fits inMemory = fit("JavaSerializer", 0.6);
        assertThat(inMemory.disk).isZero();
        for (String serializer : List.of("JavaSerializer", "KryoSerializer")) {
            Fits onDisk = fit(serializer, 0.0001);
            assertThat(onDisk.disk).isGreaterThan(3_000_000);
            assertThat(onDisk.dense).isEqualTo(inMemory.dense);
            assertThat(onDisk.sparse).isEqualTo(inMemory.sparse);
        }
    }
}
