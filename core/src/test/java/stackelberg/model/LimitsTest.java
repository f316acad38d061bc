package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import stackelberg.RealData;
import stackelberg.data.Table;
import stackelberg.data.io.CsvOptions;
import stackelberg.data.io.CsvReader;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;

class LimitsTest {
    private static final Workers TWO = Workers.of(2);

    private static Table wine() {
        return CsvReader.read(RealData.file("wine.csv"), CsvOptions.DEFAULT, TWO);
    }

    private static GameSpec.Builder floors(Table wine) {
        GameSpec.Builder game = GameSpec.builder()
                .target("quality")
                .wish("max(y,6)")
                .gamma(0.02)
                .wishNoise(0.5);
        wine.names().stream().filter(name -> !name.equals("quality")).forEach(name -> game.limit(name + ">=0"));
        return game;
    }

    private static StackelbergModel fit(GameSpec spec, Table table) {
        return new StackelbergRegression(spec, FitOptions.defaults().withThreads(2))
                .training(table)
                .fit();
    }

    @Test
    void wineWithFloorsPromisesLessThanItLosesAndIsRefitted() {
        Table wine = wine();
        StackelbergModel model = fit(floors(wine).build(), wine);
        StackelbergModel.Limited limited = model.limited().orElseThrow();
        System.err.println(limited + " " + model.losses() + " " + model.pullThrough() + " " + model.solver());
        assertThat(limited.promised()).isCloseTo(744.5, within(0.1));
    }
}
