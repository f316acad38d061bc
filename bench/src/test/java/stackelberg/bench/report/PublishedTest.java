package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import stackelberg.bench.Row;

class PublishedTest {
    private final Published paper = Published.paper();

    /** 36 dense lines (3 multiples, 6 sizes, 2 gammas) and 120 sparse ones (3 densities, 4 multiples, 5 sizes, 2 gammas). */
    @Test
    void everyPublishedLineIsThere() {
        assertThat(paper.times()).hasSize(156);
        assertThat(paper.times().stream().filter(line -> line.game().family().equals("dense")))
                .hasSize(36);
        assertThat(paper.errors()).hasSize(36);
    }

    @Test
    void multiplesAgreeWithSizes() {
        assertThat(paper.times())
                .allSatisfy(line -> assertThat(line.game().multiple()).isEqualTo(line.multiple()));
    }

    @Test
    void aLineIsFoundByItsGame() {
        var line = paper.times(new Row.Game("sparse", "", 15_000, 30_000, 1e-4, 0.1))
                .orElseThrow();
        assertThat(line.socp()).isEqualTo(342.463);
        assertThat(line.eig()).isEqualTo(293.426);
        assertThat(line.of("cd-admm")).isEqualTo(0.684);
        assertThat(line.of("krylov")).isNaN();
        assertThat(paper.times(new Row.Game("sparse", "", 15_000, 30_000, 1e-4, 1)))
                .isEmpty();
    }

    @Test
    void errorsOfRealGamesHaveTheirName() {
        var wine = paper.errors().get(0);
        assertThat(wine.name()).isEqualTo("wine modest");
        assertThat(wine.of("ltrsr").average()).isEqualTo(7.10e-10);
        assertThat(wine.of("cd-admm")).isEqualTo(wine.of("admm"));
        assertThat(wine.multiple()).isNaN();
    }
}
