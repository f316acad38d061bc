package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import stackelberg.bench.Row;

class PublishedTest {
    /** 36 dense lines (3 multiples, 6 sizes, 2 gammas) and 120 sparse ones (3 densities, 4 multiples, 5 sizes, 2 gammas). */
    @Test
    void everyPublishedLineIsThere() {
        assertThat(Published.TIMES).hasSize(156);
        assertThat(Published.TIMES.stream().filter(line -> line.game().family().equals("dense")))
                .hasSize(36);
        assertThat(Published.ERRORS).hasSize(36);
    }

    @Test
    void multiplesAgreeWithSizes() {
        assertThat(Published.TIMES)
                .allSatisfy(line -> assertThat(line.game().multiple()).isEqualTo(line.number("multiple")));
    }

    @Test
    void aLineIsFoundByItsGame() {
        var line = Published.times(new Row.Game("sparse", "", 15_000, 30_000, 1e-4, 0.1))
                .orElseThrow();
        assertThat(line.seconds("socp")).isEqualTo(342.463);
        assertThat(line.seconds("socp-eig")).isEqualTo(293.426);
        assertThat(line.seconds("cd-admm")).isEqualTo(0.684);
        assertThat(line.seconds("krylov")).isNaN();
        assertThat(Published.times(new Row.Game("sparse", "", 15_000, 30_000, 1e-4, 1)))
                .isEmpty();
    }

    @Test
    void errorsOfRealGamesHaveTheirName() {
        var wine = Published.ERRORS.get(0);
        assertThat(wine.text("case")).isEqualTo("wine_modest");
        assertThat(wine.error("ltrsr", "avg")).isEqualTo(7.10e-10);
        assertThat(wine.error("cd-admm", "max")).isEqualTo(wine.error("admm", "max"));
        assertThat(wine.number("multiple")).isNaN();
    }
}
