package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.GameSpec;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.linalg.DenseMatrix;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;

/** gamma and costs are what people show: exactly where they move exactly, and within the interval where they do not. */
class GammaEstimateTest {
    private static final double GAMMA = 0.8;
    private static final double[] COSTS = {3, 0.5, 1};
    private static final int PEOPLE = 120;

    private final Table table = People.table(PEOPLE, 12);
    private final StackelbergModel model = People.regression()
            .immutable(Set.of("region", "job", "year"))
            .gamma(1)
            .build()
            .fit(table);
    private final PublishedRule rule = model.rule();

    /** The published rule's world, in which the truth about people is another: other costs, another gamma. */
    private final World declared = model.world();

    private final World truth = withCosts(COSTS);
    private final DenseMatrix before = model.encoding().apply(table);
    private final double[] predictions = model.predict(table);
    private final double[] wishes = model.wishes(table, predictions).orElseThrow();

    @Test
    void movesWithoutNoiseIdentifyGammaAndCostsExactly() {
        GammaEstimate estimate = estimate(truth, moved(truth, 0, new Random(1)), wishes);

        assertThat(estimate.identified()).isTrue();
        assertThat(estimate.gamma().value()).isCloseTo(GAMMA, within(1e-9));
        assertThat(estimate.pullThrough().value()).isCloseTo(truth.pullThrough(rule), within(1e-12));
        assertThat(estimate.explained()).isCloseTo(1, within(1e-12));
        assertThat(estimate.warnings()).isEmpty();
        assertThat(estimate.costs().get("income").value()).isCloseTo(COSTS[0], within(1e-9));
        assertThat(estimate.costs().get("debt").value()).isCloseTo(COSTS[1], within(1e-9));
        assertThat(estimate.costs().get("rate").value()).isCloseTo(COSTS[2], within(1e-9));
    }

    private World unseen() {
        GameSpec spec = truth.spec().toBuilder()
                .intercept(GameSpec.Intercept.MANIPULABLE)
                .gamma(GAMMA)
                .build();
        return new World(spec, truth.encoding(), truth.costs());
    }

    /** A constant term that people can move is part of their answer, but no column shows it. */
    @Test
    void gammaIsExactWithAManipulableIntercept() {
        World unseen = unseen();

        GammaEstimate estimate = estimate(unseen, moved(unseen, 0, new Random(1)), wishes);

        assertThat(unseen.pullThrough(rule)).isGreaterThan(truth.pullThrough(rule) + 0.01);
        assertThat(estimate.gamma().value()).isCloseTo(GAMMA, within(1e-9));
        assertThat(estimate.pullThrough().value()).isCloseTo(unseen.pullThrough(rule), within(1e-12));
        assertThat(estimate.explained()).isCloseTo(1, within(1e-12));
        assertThat(estimate.identified()).isTrue();
    }

    @Test
    void aRuleWithoutManipulableColumnsIdentifiesNothingEvenIfItsInterceptMoves() {
        PublishedRule constant = new PublishedRule("constant", 5, Map.of("year", 0.1));
        World unseen = unseen();

        GammaEstimate estimate = GammaEstimate.of(
                unseen, constant, before, noise(0.1, new Random(1)), wishes, new Bootstrap(20, 0.95, 1));

        assertThat(estimate.gamma().value()).isNaN();
        assertThat(estimate.identified()).isFalse();
        assertThat(estimate.warnings())
                .anyMatch(w -> w.text().contains("has no coefficient on anything that people can move"));
    }

    @Test
    void estimatedCostsHaveTheScaleOfTheWorldsCosts() {
        DenseMatrix after = moved(truth, 0, new Random(1));
        double[] doubled = {2 * COSTS[0], 2 * COSTS[1], 2 * COSTS[2]};
        double[] wrong = {1, 1, 5};

        assertThat(estimate(withCosts(doubled), after, wishes).gamma().value()).isCloseTo(GAMMA / 2, within(1e-9));
        GammaEstimate estimate = estimate(withCosts(wrong), after, wishes);
        assertThat(estimate.gamma().value() * estimate.costs().get("income").value())
                .isCloseTo(GAMMA * COSTS[0], within(1e-9));
        assertThat(estimate.gamma().value() * estimate.costs().get("rate").value())
                .isCloseTo(GAMMA * COSTS[2], within(1e-9));
    }

    @Test
    void theIntervalCoversTheTruthInAboutNineteenOfTwentySimulations() {
        int simulations = 200;
        int gammaCovered = 0;
        int costCovered = 0;
        for (int s = 0; s < simulations; s++) {
            Random random = new Random(1000 + s);
            GammaEstimate estimate = GammaEstimate.of(
                    truth, rule, before, moved(truth, 0.3, random), wishes, new Bootstrap(400, 0.95, s));
            gammaCovered += covers(estimate.gamma().interval(), GAMMA) ? 1 : 0;
            costCovered += covers(estimate.costs().get("income").interval(), COSTS[0]) ? 1 : 0;
        }
        assertThat(gammaCovered / (double) simulations).isBetween(0.88, 0.99);
        assertThat(costCovered / (double) simulations).isBetween(0.88, 0.99);
    }

    @Test
    void ifNobodyMovesGammaHasNoUpperBound() {
        GammaEstimate still = estimate(truth, noise(1e-3, new Random(4)), wishes);
        GammaEstimate none = estimate(truth, before, wishes);

        assertThat(still.identified()).isFalse();
        assertThat(still.warnings())
                .anyMatch(w -> w.text().contains("too small for an estimate")
                        || w.text().contains("away from"));
        assertThat(none.gamma().value()).isInfinite();
        assertThat(none.warnings()).anyMatch(w -> w.text().contains("no upper bound"));
        assertThat(none.identified()).isFalse();
    }

    @Test
    void movesAwayFromTheWishesIdentifyNothing() {
        double[] opposite = new double[PEOPLE];
        for (int i = 0; i < PEOPLE; i++) {
            opposite[i] = 2 * predictions[i] - wishes[i];
        }
        GammaEstimate estimate = estimate(truth, moved(truth, 0, new Random(1)), opposite);

        assertThat(estimate.pullThrough().value()).isNegative();
        assertThat(estimate.identified()).isFalse();
        assertThat(estimate.warnings()).anyMatch(w -> w.text().contains("away from their wishes"));
    }

    @Test
    void withoutAGapGammaIsNotIdentified() {
        GammaEstimate estimate = estimate(truth, noise(0.1, new Random(4)), predictions);

        assertThat(estimate.identified()).isFalse();
        assertThat(estimate.warnings()).anyMatch(w -> w.text().contains("no one has a reason to move"));
    }

    @Test
    void immutableColumnsThatChangedAreNamed() {
        DenseMatrix after = moved(truth, 0, new Random(1));
        int year = model.encoding().names().indexOf("year");
        after.set(3, year, after.get(3, year) + 1);

        GammaEstimate estimate = estimate(truth, after, wishes);

        assertThat(estimate.immovable()).containsExactly("year");
        assertThat(estimate.warnings()).anyMatch(w -> w.text().contains("year"));
    }

    private GammaEstimate estimate(World world, DenseMatrix after, double[] z) {
        return GammaEstimate.of(world, rule, before, after, z, new Bootstrap(200, 0.95, 1));
    }

    private static boolean covers(Resampling.Interval interval, double value) {
        return interval.low() <= value && value <= interval.high();
    }

    private World withCosts(double[] movable) {
        double[] costs = declared.costs();
        List<String> names = declared.encoding().names();
        costs[names.indexOf("income")] = movable[0];
        costs[names.indexOf("debt")] = movable[1];
        costs[names.indexOf("rate")] = movable[2];
        GameSpec spec = declared.spec().toBuilder().gamma(GAMMA).wishNoise(0).build();
        return new World(spec, declared.encoding(), costs);
    }

    /** Everybody's best answer, and besides it changes of its own of the given standard deviation, in scaled units. */
    private DenseMatrix moved(World world, double sd, Random random) {
        DenseMatrix after = noise(sd, random);
        Responses responses = Responses.of(world, rule, table, Followers.of(world.gamma(), predictions, wishes));
        for (int j : responses.movable()) {
            double scale = world.encoding().columns().get(j).scale();
            for (int i = 0; i < PEOPLE; i++) {
                after.set(i, j, after.get(i, j) + responses.move(i, j) / scale);
            }
        }
        return after;
    }

    private DenseMatrix noise(double sd, Random random) {
        DenseMatrix after = DenseMatrix.zeros(before.rows(), before.cols());
        after.setAll(before);
        for (int j = 0; j < before.cols(); j++) {
            if (declared.manipulable(j)) {
                for (int i = 0; i < PEOPLE; i++) {
                    after.set(i, j, after.get(i, j) + sd * random.nextGaussian());
                }
            }
        }
        return after;
    }
}
