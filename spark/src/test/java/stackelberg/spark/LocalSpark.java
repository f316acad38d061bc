package stackelberg.spark;

import org.apache.spark.sql.SparkSession;

/** Spark inside the test's own process, on two threads. */
final class LocalSpark {
    private LocalSpark() {}

    static SparkSession start() {
        return builder().getOrCreate();
    }

    static SparkSession.Builder builder() {
        return SparkSession.builder()
                .master("local[2]")
                .appName("stackelberg tests")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 2);
    }
}
