package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.RealData;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.linalg.Workers;

/** The Java example of the README is the code between the two markers. */
class ReadmeExampleTest {
    @Test
    void theExampleOfTheReadmeRuns(@TempDir Path folder) {
        Path wineCsv = RealData.file("wine.csv");
        Path modelJson = folder.resolve("model.json");

        // begin example
        Table wine = DataFile.read(wineCsv, Workers.available());
        StackelbergModel model = StackelbergRegression.builder()
                .target("quality")
                .wish("max(y,6)") // everyone wants at least a 6
                .gamma(0.5) // how hard it is to change a wine
                .immutable(java.util.Set.of("density"))
                .cost("alcohol", 4) // alcohol is four times as costly to change as the rest
                .build()
                .fit(wine);
        double share = model.pullThrough(); // how far people get towards the score they want
        boolean proven = model.certified(); // globally optimal, proven from the data
        double[] plain = model.predict(wine);
        double[] moved = model.afterResponse(plain, model.wishes(wine, plain).orElseThrow());
        ModelFile.save(model, modelJson);
        // end example

        assertThat(proven).isTrue();
        assertThat(share).isStrictlyBetween(0.0, 1.0);
        assertThat(moved).hasSize(1599);
        assertThat(Files.exists(modelJson)).isTrue();
    }

    @Test
    void theReadmeShowsExactlyThisCode() throws java.io.IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        String source = Files.readString(root.resolve("core/src/test/java/stackelberg/model/ReadmeExampleTest.java"));
        String example = source.substring(
                        source.indexOf("// begin example\n") + 17, source.indexOf("        // end example\n"))
                .stripTrailing()
                .stripIndent();

        assertThat(Files.readString(root.resolve("README.md"))).contains(example);
    }
}
