package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.model.ModelFile;

/** Columns and targets of which only the last digits differ, among people who differ and rows that do not count. */
class AlmostConstantTest {
    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void people() {
        Random random = new Random(23);
        StringBuilder text = new StringBuilder("a,b,k,w,y,z\n");
        for (int i = 0; i < 80; i++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            double y = a - b + 0.5 * random.nextGaussian();
            boolean uncounted = i == 7;
            text.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%d,%s,%s%n",
                    a,
                    b,
                    uncounted ? 5 : i % 2 == 0 ? 0.3 : 0.30000000000000004,
                    uncounted ? 0 : 1,
                    y,
                    y + random.nextDouble()));
        }
        data = Samples.file(folder, "almost.csv", text.toString());
        model = folder.resolve("model.json");
    }

    private void fitAndVerify(Object... more) {
        Object[] words = new Object[more.length + 8];
        System.arraycopy(new Object[] {"fit", data, "--wish", "z", "--scale", "none", "-o", model}, 0, words, 0, 8);
        System.arraycopy(more, 0, words, 8, more.length);
        Run fit = Run.stackelberg(words);
        assertThat(fit.code()).as(fit.out() + fit.err()).isZero();
        Run verified = Run.stackelberg("verify", model, data);
        assertThat(verified.code()).as(verified.out()).isZero();
    }

    @Test
    void theLastDigitsOfAConstantAreNotAFeatureInAMixedPopulation() {
        fitAndVerify(
                "--target", "y", "--features", "a,b,k", "--immutable", "k", "--truthful-share", "0.3", "--weight", "w");
        assertThat(ModelFile.load(model).coefficients().get("k")).isZero();
    }

    @Test
    void rowsWithZeroWeightDoNotMakeAConstantAFeature() {
        fitAndVerify("--target", "y", "--features", "a,b,k", "--immutable", "k", "--weight", "w");
        assertThat(ModelFile.load(model).coefficients().get("k")).isZero();
    }

    @Test
    void aConstantTargetIsVerifiedInAMixedPopulation() {
        fitAndVerify("--target", "k", "--features", "a,b", "--truthful-share", "0.2", "--weight", "w");
    }
}
