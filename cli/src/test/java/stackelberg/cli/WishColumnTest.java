package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A column that holds the wish is no feature, and new people need not have it. */
class WishColumnTest {
    @TempDir
    private Path folder;

    private Path data;
    private Path fewer;
    private Path model;

    @BeforeEach
    void writeData() {
        Random random = new Random(3);
        StringBuilder all = new StringBuilder("a,b,y,hoped_for,copy\n");
        StringBuilder known = new StringBuilder("a,b\n");
        for (int i = 0; i < 40; i++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            double y = a + 2 * b + random.nextGaussian();
            double z = y + 1 + random.nextInt(5);
            all.append(String.join(",", "" + a, "" + b, "" + y, "" + z, "" + z)).append('\n');
            known.append(a).append(',').append(b).append('\n');
        }
        data = Samples.file(folder, "people.csv", all.toString());
        fewer = Samples.file(folder, "new.csv", known.toString());
        model = folder.resolve("model.json");
    }

    private Run fit(String... more) {
        String[] words = {"fit", data.toString(), "--target", "y", "--wish", "hoped_for", "--json"};
        Object[] all = Arrays.copyOf(words, words.length + more.length, Object[].class);
        System.arraycopy(more, 0, all, words.length, more.length);
        return Run.stackelberg(all);
    }

    @Test
    void theAnswerSaysThatTheColumnIsIgnoredAndTheModelPredictsWithoutIt() {
        Run fitted = fit("-o", model.toString());

        assertThat(fitted.code()).as(fitted.err()).isZero();
        assertThat(fitted.json().get("coefficients").propertyNames()).containsExactlyInAnyOrder("a", "b");
        assertThat(fitted.json().get("warnings").toString())
                .contains("Ignored columns: copy (equal to the wish in every row). To keep such a column, name it in"
                        + " --features.");
        assertThat(fit("--ignore", "copy").json().get("coefficients"))
                .isEqualTo(fitted.json().get("coefficients"));
        assertThat(Run.stackelberg("predict", model.toString(), fewer.toString())
                        .code())
                .isZero();
        assertThat(Run.stackelberg("verify", model.toString(), data.toString()).code())
                .isZero();
    }

    @Test
    void aWishNamedInFeaturesIsAFeature() {
        assertThat(fit("--features", "a,b,copy").json().get("coefficients").has("copy"))
                .isTrue();
        Run itself = fit("--features", "a,b,hoped_for", "-o", model.toString());
        assertThat(itself.json().get("coefficients").has("hoped_for")).isTrue();
        assertThat(Run.stackelberg("verify", model.toString(), data.toString()).code())
                .isZero();
    }
}
