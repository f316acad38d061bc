package example;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import stackelberg.spark.StackelbergRegression;
import stackelberg.spark.StackelbergRegressionModel;

/** A job as somebody else would write it: fits, saves, loads and transforms, and knows nothing of where the estimator comes from. */
public final class OneJarJob {
    private OneJarJob() {}

    /** @param args a LIBSVM file, the number of its features, a folder for the model, and files for responses and for where the classes came from */
    public static void main(String[] args) throws Exception {
        SparkSession spark = SparkSession.builder().appName("one jar").getOrCreate();
        Dataset<Row> people = spark.read()
                .format("libsvm")
                .option("numFeatures", args[1])
                .load(args[0])
                .withColumn("wish", functions.greatest(functions.col("label"), functions.lit(4.0)));

        new StackelbergRegression()
                .setGamma(0.5)
                .setImmutableFeatures(0)
                .fit(people)
                .save(args[2]);
        List<String> responses = StackelbergRegressionModel.load(args[2])
                .transform(people)
                .select(functions.col("response").cast("string"))
                .as(Encoders.STRING())
                .collectAsList();
        Files.write(Path.of(args[3]), responses);

        String there = spark.range(1)
                .map((MapFunction<Long, String>) id -> home().toString(), Encoders.STRING())
                .first();
        Files.write(Path.of(args[4]), List.of(home().toString(), there));
        spark.stop();
    }

    private static URI home() throws Exception {
        return StackelbergRegression.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
    }
}
