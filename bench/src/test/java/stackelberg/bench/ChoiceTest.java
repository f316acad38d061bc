package stackelberg.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChoiceTest {
    private final Contender admm = Contender.list("cd-admm:rho").get(0);

    @Test
    void allVariantsAreRunOnTheFirstGame() {
        assertThat(new Choice().variants(unit(100, 1), admm))
                .containsExactlyInAnyOrderElementsOf(admm.variants().keySet())
                .startsWith("rho=50000")
                .endsWith("rho=0.5");
    }

    @Test
    void otherTrialsUseTheFastestCertifiedVariant() {
        Choice choice = new Choice();
        choice.learn(
                unit(100, 1),
                admm,
                List.of(
                        Rows.uncertified("dense", "cd-admm", "rho=5", 1, 0.1, 1e-3),
                        Rows.certified("dense", "cd-admm", "rho=50", 1, 3),
                        Rows.certified("dense", "cd-admm", "rho=500", 1, 2)));
        assertThat(choice.variants(unit(100, 2), admm)).containsExactly("rho=500");
    }

    @Test
    void onLargerGamesItsNeighboursAreRunToo() {
        Choice choice = new Choice();
        choice.learn(unit(100, 1), admm, List.of(Rows.certified("dense", "cd-admm", "rho=0.5", 1, 3)));
        assertThat(choice.variants(unit(200, 1), admm)).containsExactly("rho=0.5", "rho=5");
    }

    @Test
    void beyondTwentySecondsOnlyTheBestVariantIsRun() {
        Choice choice = new Choice();
        choice.learn(unit(100, 1), admm, List.of(Rows.certified("dense", "cd-admm", "rho=50", 1, 21)));
        assertThat(choice.variants(unit(200, 1), admm)).containsExactly("rho=50");
    }

    @Test
    void withoutACertifiedOneTheSmallestGapWins() {
        Choice choice = new Choice();
        choice.learn(
                unit(100, 1),
                admm,
                List.of(
                        Rows.uncertified("dense", "cd-admm", "rho=5", 1, 0.1, 1e-3),
                        Rows.uncertified("dense", "cd-admm", "rho=50", 1, 9, 1e-6)));
        assertThat(choice.variants(unit(100, 2), admm)).containsExactly("rho=50");
    }

    private static Unit unit(int n, int trial) {
        return new Unit("dense", Row.Game.dense(2 * n, n, 0.1), trial, trial, 10, () -> null, List.of());
    }
}
