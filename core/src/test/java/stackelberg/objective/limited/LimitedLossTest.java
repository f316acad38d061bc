package stackelberg.objective.limited;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.LinearRule;
import stackelberg.linalg.Workers;

class LimitedLossTest {
    private static final Workers ONE = Workers.of(1);

    @Test
    void theGradientIsThatOfTheLossInEveryGame() {
        Random random = new Random(1);
        int off = 0;
        for (int k = 0; k < 300; k++) {
            LimitedGame drawn = LimitedGame.any(random, 12, 1 + random.nextInt(4), random.nextInt(3));
            LimitedLoss loss = new LimitedLoss(drawn.game(), ONE);
            double[] theta = random.doubles(loss.size(), -1, 1).toArray();
            double[] gradient = new double[theta.length];
            double value = loss.at(theta, gradient);
            assertThat(loss.at(theta)).isCloseTo(value, within(1e-13 * value));
            for (int j = 0; j < theta.length; j++) {
                double h = 1e-6;
                double here = theta[j];
                theta[j] = here + h;
                double above = loss.at(theta);
                theta[j] = here - h;
                double below = loss.at(theta);
                theta[j] = here;
                double difference = (above - below) / (2 * h);
                off += Math.abs(gradient[j] - difference) <= 1e-6 * (1 + Math.abs(value)) ? 0 : 1;
            }
        }
        // between two points of a difference somebody may stop, with one node of 15 in one of 12 people
        assertThat(off).isLessThan(4);
    }

    @Test
    void theLossIsThatOfTheGameAndItsRidge() {
        Random random = new Random(2);
        for (int k = 0; k < 50; k++) {
            LimitedGame drawn = LimitedGame.any(random, 30, 3, 2);
            LimitedLoss loss = new LimitedLoss(drawn.game(), ONE);
            LinearRule rule = loss.ruleOf(random.doubles(loss.size(), -1, 1).toArray());
            double known = drawn.game().leaderLoss(rule, ONE) + drawn.game().penalty(rule);

            assertThat(loss.at(loss.thetaOf(rule))).isCloseTo(known, within(1e-12 * known));
        }
    }

    @Test
    void theLossAndItsGradientDoNotDependOnTheThreads() {
        LimitedGame drawn = LimitedGame.any(new Random(3), 20_000, 7, 2);
        LimitedLoss alone = new LimitedLoss(drawn.game(), ONE);
        LimitedLoss together = new LimitedLoss(drawn.game(), Workers.of(3));
        double[] theta = new Random(4).doubles(alone.size(), -1, 1).toArray();
        double[] one = new double[theta.length];
        double[] three = new double[theta.length];

        assertThat(alone.at(theta, one)).isEqualTo(together.at(theta, three));
        assertThat(one).isEqualTo(three);
    }
}
