package stackelberg.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

class SyntheticGameTest {
    @Test
    void denseColumnsFillTheUnitIntervalAndTheLastIsOnes() {
        PredictionGame game = SyntheticGame.dense(100, 20, 0.1, 7, Workers.of(2));
        DenseMatrix x = (DenseMatrix) game.x();
        for (int j = 0; j < 20; j++) {
            double[] column = x.column(j);
            assertThat(Arrays.stream(column).min().orElseThrow()).isZero();
            assertThat(Arrays.stream(column).max().orElseThrow()).isEqualTo(1);
        }
        assertThat(x.column(20)).containsOnly(1);
    }

    @Test
    void denseGamesDoNotDependOnTheNumberOfThreads() {
        PredictionGame one = SyntheticGame.dense(130, 15, 0.1, 3, Workers.of(1));
        PredictionGame two = SyntheticGame.dense(130, 15, 0.1, 3, Workers.of(2));
        assertThat(two.y()).isEqualTo(one.y());
        for (int i = 0; i < 130; i++) {
            assertThat(((DenseMatrix) two.x()).row(i)).isEqualTo(((DenseMatrix) one.x()).row(i));
        }
    }

    @Test
    void aQuarterOfTheRowsWishesForTheQuartile() {
        PredictionGame game = SyntheticGame.dense(401, 5, 0.1, 3, Workers.of(1));
        double quartile = Arrays.stream(game.z()).min().orElseThrow();
        assertThat(Arrays.stream(game.y()).filter(y -> y < quartile).count()).isEqualTo(100);
        for (int i = 0; i < 401; i++) {
            assertThat(game.z()[i]).isEqualTo(Math.max(game.y()[i], quartile));
        }
    }

    @Test
    void sparseGamesHaveTheRequestedDensityAndAColumnOfOnes() {
        PredictionGame game = SyntheticGame.sparse(2000, 500, 0.02, 0.1, 5);
        CsrMatrix inner = (CsrMatrix) ((AffineMatrix) game.x()).inner();
        double expected = 2000 * 500 * 0.02;
        assertThat((double) inner.nonzeros())
                .isBetween(expected - 4 * Math.sqrt(expected), expected + 4 * Math.sqrt(expected));
        assertThat(game.x().cols()).isEqualTo(501);
    }

    @Test
    void otherSeedsGiveOtherGames() {
        assertThat(SyntheticGame.sparse(50, 20, 0.1, 0.1, 1).y())
                .isNotEqualTo(SyntheticGame.sparse(50, 20, 0.1, 0.1, 2).y());
    }
}
