package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Groups partition a population: the shares of each row add up to 1, and each row is in the group of its gamma. */
class ResponseGroupTest {
    @Test
    void theSharesOfEveryRowAddUpToOne() {
        Random random = new Random(3);
        for (int trial = 0; trial < 200; trial++) {
            double[] gammas = new double[1 + random.nextInt(40)];
            int different = 1 + random.nextInt(30);
            for (int i = 0; i < gammas.length; i++) {
                gammas[i] = random.nextInt(6) == 0 ? Double.POSITIVE_INFINITY : 1 + random.nextInt(different);
            }
            double share = trial % 4 == 0 ? 0 : trial % 4 == 1 ? 1 : random.nextDouble();

            List<Population.Group> groups = Population.Group.of(new Population(gammas, share), 8);

            double[] shares = new double[gammas.length];
            for (Population.Group group : groups) {
                assertThat(group.people()).isNotEmpty();
                for (int i : group.people()) {
                    shares[i] += group.share();
                    assertThat(group.truthful() || gammas[i] >= group.from() && gammas[i] <= group.to())
                            .isTrue();
                }
            }
            assertThat(shares).containsOnly(1);
            assertThat(groups.size()).isLessThanOrEqualTo(10);
        }
    }

    @Test
    void fewGammasAreAGroupEachAndManyAreDividedIntoQuarters() {
        double[] gammas = new double[100];
        for (int i = 0; i < gammas.length; i++) {
            gammas[i] = 1 + i;
        }
        Population population = new Population(gammas, 0);

        assertThat(Population.Group.of(population, 100)).hasSize(100).allMatch(Population.Group::oneGamma);
        assertThat(Population.Group.of(population, 99))
                .extracting(group -> group.from() + "-" + group.to() + ": " + group.people().length)
                .containsExactly("1.0-25.0: 25", "26.0-50.0: 25", "51.0-75.0: 25", "76.0-100.0: 25");
    }
}
