package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.RealData;
import stackelberg.RealGame;
import stackelberg.data.Message;
import stackelberg.data.io.DataFile;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;

/** The eight real games of the paper's protocol, from gamma 0.001 to 10. */
class RealGamesTest {
    static Stream<RealGame> games() {
        return RealGame.all().stream();
    }

    @ParameterizedTest
    @MethodSource("games")
    void everyRealGameIsCertified(RealGame real) {
        var models = real.regression().build().fitPath(real.table(), 0.001, 0.01, 0.1, 1, 10);

        for (StackelbergModel model : models) {
            assertThat(model.optimality().relativeGap())
                    .as(real + " " + model.gamma())
                    .isLessThan(1e-9);
            assertThat(model.certified()).as(real + " " + model.optimality()).isTrue();
        }
    }

    @Test
    void wineModestHasTheKnownOptimum() {
        var real = RealGame.named("wine modest");
        var model = real.regression().gamma(0.1).build().fit(real.table());

        assertThat(model.optimality().objective()).isCloseTo(571.168302720, within(5e-9));
        assertThat(model.optimality().multiplier()).isCloseTo(25.8533372, within(5e-7));
    }

    /** At large gamma wTilde is tiny: what is rounded shrinks with it, and so must the allowance for it. */
    @Test
    void wineIsCertifiedAtHugeGamma() {
        var real = RealGame.named("wine modest");
        for (double gamma : new double[] {1e6, 1e9, 1e12}) {
            var model = real.regression().gamma(gamma).build().fit(real.table());
            assertThat(model.certified()).as(model.optimality().toString()).isTrue();
            assertThat(model.optimality().objective()).isLessThan(model.losses().naive() * (1 + 1e-9));
        }
    }

    @Test
    @Tag("slow")
    void blogSevereHasTheKnownOptimum() {
        var real = RealGame.named("blog severe");
        var model = real.regression().gamma(1).build().fit(real.table());

        assertThat(model.optimality().objective()).isCloseTo(3737305.62546, within(5e-5));
        assertThat(model.optimality().multiplier()).isCloseTo(807688.683, within(5e-3));
    }

    @Test
    void aSavedModelIsTheSameModelAndVerifiesFromScratch(@org.junit.jupiter.api.io.TempDir Path folder) {
        var table = DataFile.read(RealData.file("insurance.csv"), Workers.of(2));
        var model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("charges")
                .wish("max(y-100,0)")
                .wishNoise(3000)
                .gamma(10)
                .build()
                .fit(table);
        Path file = folder.resolve("model.json");
        ModelFile.save(model, file);
        StackelbergModel loaded = ModelFile.load(file);

        // a file keeps the text of a warning and its settings, not its code
        assertThat(loaded)
                .usingRecursiveComparison()
                .withEqualsForType(Message::equals, Message.class)
                .isEqualTo(model);
        assertThat(loaded.predict(table)).containsExactly(model.predict(table));
        Verification verification = Verification.of(loaded, table, Workers.of(2));
        assertThat(verification.certified()).as(verification.toString()).isTrue();
        assertThat(verification.sameData()).isTrue();
    }
}
