package stackelberg.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.certificate.Certificate;
import stackelberg.data.Table;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

class RealGameTest {
    private static final Workers WORKERS = Workers.of(2);

    /** The estimator's own way to the paper's protocol leads to the same optimum. */
    @Test
    void theWholeDataGivesTheGameOfTheEstimator() {
        for (RealGame game : RealGame.all()) {
            if (game.data().equals("blog")) {
                continue;
            }
            Table table = game.source().read(folder(game), WORKERS);
            Reduction reduction = Reduction.of(game.sample(table, table.rows(), 0.1, 1), WORKERS);
            var problem = reduction.family().at(0.1);
            double here = Certificate.of(
                            problem,
                            new DirectSolver(WORKERS)
                                    .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                                    .r())
                    .objective();
            var estimator = stackelberg.RealGame.named(game.name());
            double there = estimator
                    .regression()
                    .gamma(0.1)
                    .build()
                    .fit(estimator.table())
                    .optimality()
                    .objective();
            assertThat(here).as(game.name()).isCloseTo(there, within(1e-8 * there));
        }
    }

    @Test
    void aSubsampleHasDistinctRowsAndIsScaledByItself() {
        RealGame wine = RealGame.all().get(0);
        Table table = wine.source().read(folder(wine), WORKERS);
        PredictionGame game = wine.sample(table, 150, 0.1, 4);
        DenseMatrix x = (DenseMatrix) game.x();
        assertThat(x.rows()).isEqualTo(150);
        for (int j = 0; j < 11; j++) {
            assertThat(Arrays.stream(x.column(j)).max().orElseThrow()).isEqualTo(1);
            assertThat(Arrays.stream(x.column(j)).min().orElseThrow()).isZero();
        }
        assertThat(wine.sample(table, 150, 0.1, 4).y()).isEqualTo(game.y());
        assertThat(wine.sample(table, 150, 0.1, 5).y()).isNotEqualTo(game.y());
    }

    @Test
    void everyGameHasThePapersSizes() {
        assertThat(RealGame.all().stream().map(game -> game.source().sizes.size()))
                .containsExactly(16, 16, 25, 25, 21, 21, 10, 10);
    }

    @Test
    void aMissingFileIsReportedWithItsSource(@TempDir Path empty) {
        assertThatThrownBy(() -> RealGame.Source.WINE.read(empty, WORKERS))
                .isInstanceOf(stackelberg.data.DataException.class)
                .hasMessageContaining("wine.csv")
                .hasMessageContaining("UCI")
                .hasMessageContaining("eed1f222")
                .hasMessageContaining("--data");
    }

    private static Path folder(RealGame game) {
        return stackelberg.RealData.file(game.source().file).getParent();
    }
}
