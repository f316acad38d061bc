package stackelberg.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.model.ModelFile;

/** The Java of docs/how-to/spark.md is the code between the markers, and its table names every param with its default. */
class SparkPageTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static void writeLoans(SparkSession spark, String path) {
        spark.range(400)
                .selectExpr(
                        "sin(id) * 20 + 50 AS income",
                        "cos(3 * id) * 5 + 10 AS debt",
                        "sin(7 * id) / 3 AS utilisation",
                        "CAST(id % 50 + 20 AS DOUBLE) AS age",
                        "600 + sin(id) * 30 - cos(3 * id) * 20 + sin(5 * id) * 9 AS score")
                .write()
                .parquet(path);
    }

    @Test
    void theExampleOfThePageRuns(@TempDir Path folder) {
        SparkSession spark = LocalSpark.start();
        String loans = folder.resolve("loans").toString();
        String scored = folder.resolve("scored").toString();
        Path file = folder.resolve("loans.json");
        writeLoans(spark, loans);

        // begin example
        Dataset<Row> people = spark.read()
                .parquet(loans)
                .withColumn("wish", greatest(col("score"), lit(620.0))); // everyone wants at least 620

        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
            new VectorAssembler()
                    .setInputCols(new String[] {"income", "debt", "utilisation", "age"})
                    .setOutputCol("raw"),
            new StandardScaler().setInputCol("raw").setOutputCol("features"), // moves cost per standard deviation
            new StackelbergRegression()
                    .setLabelCol("score")
                    .setWishCol("wish")
                    .setGamma(0.5)
                    .setHedge("balanced") // good whether people stay or move
                    .setImmutableFeatures(3) // age
        });
        PipelineModel model = pipeline.fit(people);
        StackelbergRegressionModel rule = (StackelbergRegressionModel) model.stages()[2];
        double share = rule.pullThrough(); // how far people get towards the score they want
        boolean proven = rule.summary().certified();
        model.transform(people)
                .select("score", "prediction", "response")
                .write()
                .parquet(scored);
        // end example

        // begin model
        ModelFile.save(rule.model(), file);
        // end model

        assertThat(proven).isTrue();
        assertThat(share).isStrictlyBetween(0.0, 1.0);
        assertThat(spark.read().parquet(scored).columns()).containsExactly("score", "prediction", "response");
        assertThat(ModelFile.load(file).game().features()).containsExactly("1", "2", "3", "4");
        spark.stop();
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/how-to/spark.md"));
    }

    @Test
    void thePageShowsThisVeryCode() throws IOException {
        String source = Files.readString(ROOT.resolve("spark/src/test/java/stackelberg/spark/SparkPageTest.java"));
        List<String> shown = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(page())
                .results()
                .map(block -> block.group(1))
                .toList();
        Matcher marked = Pattern.compile("        // begin (\\w+)\n(.*?) {8}// end \\1\n", Pattern.DOTALL)
                .matcher(source);
        assertThat(marked.results()
                        .map(part -> part.group(2).stripTrailing().stripIndent() + "\n")
                        .toList())
                .isEqualTo(shown);
    }

    @Test
    void theTableOfThePageNamesEveryParam() throws IOException {
        String page = page();
        List<String> missing = Arrays.stream(new StackelbergRegression().params())
                .map(Param::name)
                .filter(name -> !page.contains("`" + name + "`"))
                .toList();
        assertThat(missing).isEmpty();
    }
}
