package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;

/** Files of version 1, written before a model held all that was declared: {@code version1.json} is such a file, fitted to {@code version1.csv}. */
class OldModelFilesTest {
    private static final Workers WORKERS = Workers.of(2);

    private static Path resource(String name) {
        try {
            return Path.of(OldModelFilesTest.class.getResource(name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private final StackelbergModel old = ModelFile.load(resource("version1.json"));
    private final Table table = DataFile.read(resource("version1.csv"), WORKERS);

    @Test
    void anOldFileLoadsVerifiesAndPredictsTheSame() {
        assertThat(old.gamma()).isEqualTo(20);
        assertThat(old.intercept()).isEqualTo(31.0527272252995);
        assertThat(old.coefficients()).containsEntry("income", 0.40746286282968874);
        assertThat(old.pullThrough()).isCloseTo(0.5610, within(5e-5));
        assertThat(old.certified()).isTrue();
        Verification again = Verification.of(old, table, WORKERS);
        assertThat(again.certified()).isTrue();
        assertThat(again.sameData()).isTrue();
        // 1531.521521 is what fit printed then
        assertThat(again.certificate().objective()).isCloseTo(1531.521521, within(5e-7));
    }

    /** Without an intercept columns used to be centred all the same: {@code no-intercept.json} says so, and what it says of that game is true. */
    @Test
    void anOldFileWithoutAnInterceptKeepsItsCentredColumns() {
        StackelbergModel centred = ModelFile.load(resource("no-intercept.json"));
        assertThat(centred.intercept()).isCloseTo(-34.570, within(5e-4));

        Verification again = Verification.of(centred, table, WORKERS);

        assertThat(again.refuted()).isEmpty();
        assertThat(again.certified()).isTrue();
        assertThat(centred.predict(table)[0]).isCloseTo(-6.7978, within(1e-3));
    }

    /** In other words than it was declared in, and yet the same game: fitted again it gives the same rule. */
    @Test
    void settingsMissingInAnOldFileAreDerivedFromItsColumnsAndCosts() {
        GameSpec spec = old.game();
        assertThat(spec.immutable()).isEqualTo(Set.of("age", "region"));
        assertThat(spec.costs()).containsOnlyKeys("debt").containsEntry("debt", 2.0);
        assertThat(spec.weight()).isEqualTo("weight");

        StackelbergModel again = new StackelbergRegression(spec, FitOptions.defaults()).fit(table);

        assertThat(again.coefficients()).isEqualTo(old.coefficients());
        assertThat(again.intercept()).isEqualTo(old.intercept());
    }

    @Test
    void anOldFileWithoutItsTermsOrItsEncodingIsRefused(@TempDir Path folder) throws java.io.IOException {
        String whole = Files.readString(resource("version1.json"));
        for (String key : new String[] {"terms", "encoding"}) {
            Path file = folder.resolve(key + ".json");
            Files.writeString(file, whole.replaceFirst("\"" + key + "\" :", "\"something\" :"));

            assertThatThrownBy(() -> ModelFile.load(file))
                    .isInstanceOf(stackelberg.data.DataException.class)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void anOldModelIsWrittenInTheNewVersionWithoutLoss(@TempDir Path folder) throws java.io.IOException {
        Path file = folder.resolve("model.json");
        ModelFile.save(old, file);
        StackelbergModel same = ModelFile.load(file);

        assertThat(Files.readString(file)).contains("\"formatVersion\" : 4");
        assertThat(ModelFile.toJson(same)).isEqualTo(ModelFile.toJson(old));
        assertThat(same.game()).isEqualTo(old.game());
        assertThat(same.predict(table)).containsExactly(old.predict(table));
    }
}
