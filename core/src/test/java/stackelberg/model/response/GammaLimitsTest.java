package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.data.Column;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.GameSpec;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.World;
import stackelberg.linalg.DenseMatrix;

/** Insured people who want to pay less: half of them end with no visits at all, and cannot have fewer. */
class GammaLimitsTest {
    private static final double GAMMA = 25_000;
    private static final double COVERED = 0.95;

    private static final PublishedRule RULE = rule();

    private static PublishedRule rule() {
        Map<String, Double> coefficients = new LinkedHashMap<>();
        coefficients.put("bmi", 10.0);
        coefficients.put("visits", 150.0);
        coefficients.put("age", 15.0);
        return new PublishedRule("tariff", 3000, coefficients);
    }

    /** How the noise of people's own moves and a floor go together. */
    private enum Noise {
        /** Moves are exact. */
        NONE,
        /** What is seen differs from what people did, on both sides of a floor. */
        MEASURED,
        /** People did something else, but never below a floor. */
        DONE
    }

    private static final class Simulation {
        private final Table table;
        private final double[] wishes;
        private final Random random;

        Simulation(int people, long seed) {
            random = new Random(seed);
            double[] bmi = random.doubles(people, 20, 40).toArray();
            double[] visits =
                    random.doubles(people).map(u -> -2 * Math.log(1 - u)).toArray();
            double[] age = random.doubles(people, 18, 64).toArray();
            List<Column> columns = new ArrayList<>();
            columns.add(NumericColumn.of("bmi", bmi));
            columns.add(NumericColumn.of("visits", visits));
            columns.add(NumericColumn.of("age", age));
            table = Table.of(columns);
            wishes = new double[people];
            for (int i = 0; i < people; i++) {
                double p = 3000 + 10 * bmi[i] + 150 * visits[i] + 15 * age[i];
                wishes[i] = p - 150 - 400 * random.nextDouble();
            }
        }

        World world(UnaryOperator<GameSpec.Builder> choices) {
            GameSpec spec = choices.apply(
                            GameSpec.builder().immutable(Set.of("age")).gamma(GAMMA))
                    .build();
            return World.declared(table, RULE, spec);
        }

        /** Everybody's answer in a world, and what they do besides, in standard deviations. */
        DenseMatrix after(World world, Noise noise, double sd) {
            DenseMatrix before = world.encoding().apply(table);
            DenseMatrix after = DenseMatrix.zeros(before.rows(), before.cols());
            after.setAll(before);
            double[] w = RULE.encodedCoefficients(world.encoding().columns());
            double[] p = RULE.predict(world.encoding(), before);
            Response.Bounds bounds = world.bounds().orElseGet(() -> Response.Bounds.none(w.length, null));
            var person = new Response.Bounded(w, world.omega(RULE), world.costs(), bounds, null);
            for (int i = 0; i < before.rows(); i++) {
                for (int j = 0; j < w.length; j++) {
                    person.features()[j] = before.get(i, j);
                }
                person.answer(p[i], wishes[i], GAMMA);
                for (int j = 0; j < w.length; j++) {
                    double own = noise == Noise.NONE || !world.manipulable(j) ? 0 : sd * random.nextGaussian();
                    double end = before.get(i, j) + person.move(j) + own;
                    double least = Math.min(bounds.low()[j], before.get(i, j));
                    after.set(i, j, noise == Noise.DONE ? Math.max(least, end) : end);
                }
            }
            return after;
        }

        GammaEstimate estimate(World world, DenseMatrix after, Bootstrap bootstrap) {
            return GammaEstimate.of(world, RULE, world.encoding().apply(table), after, wishes, bootstrap);
        }
    }

    private static GameSpec.Builder floored(GameSpec.Builder choices) {
        return choices.limit("visits>=0");
    }

    private static Bootstrap bootstrap(int replicates, long seed) {
        return new Bootstrap(replicates, COVERED, seed);
    }

    private static boolean covers(Resampling.Interval interval, double value) {
        return interval.low() <= value && value <= interval.high();
    }

    @Test
    void gammaIsNotOverestimatedIfHalfOfTheMovesEndAtAFloor() {
        Simulation people = new Simulation(1000, 1);
        World world = people.world(GammaLimitsTest::floored);
        DenseMatrix after = people.after(world, Noise.DONE, 0.1);

        GammaEstimate blind = people.estimate(people.world(b -> b), after, bootstrap(200, 1));
        GammaEstimate estimate = people.estimate(world, after, bootstrap(1000, 1));

        LongRun.print("without the limit " + blind.gamma() + ", with it " + estimate.gamma());
        assertThat(blind.gamma().interval().low()).isGreaterThan(2 * GAMMA);
        assertThat(covers(estimate.gamma().interval(), GAMMA)).isTrue();
        assertThat(estimate.gamma().interval().high()
                        - estimate.gamma().interval().low())
                .isLessThan(0.1 * GAMMA);
        assertThat(estimate.explained()).isGreaterThan(blind.explained());
        assertThat(estimate.warnings()).isEmpty();
    }

    @Test
    void movesWithoutNoiseIdentifyGammaExactlyUnderLimits() {
        Simulation people = new Simulation(1000, 2);
        World world = people.world(GammaLimitsTest::floored);

        GammaEstimate estimate = people.estimate(world, people.after(world, Noise.NONE, 0), bootstrap(50, 1));

        assertThat(estimate.gamma().value()).isCloseTo(GAMMA, within(1e-6));
        assertThat(estimate.pullThrough().value()).isCloseTo(world.pullThrough(RULE), within(1e-10));
        assertThat(estimate.costs().get("visits").value()).isCloseTo(1, within(1e-9));
        assertThat(estimate.costs().get("bmi").value()).isCloseTo(1, within(1e-9));
        assertThat(estimate.explained()).isCloseTo(1, within(1e-12));
        GammaEstimate.Limited visits = estimate.behaviour().limits().get(0);
        assertThat(visits.feature()).isEqualTo("visits");
        assertThat(visits.atFloor()).isBetween(450, 600);
        assertThat(visits.atCeiling()).isZero();
        assertThat(visits.free()).isEqualTo(1000 - visits.atFloor());
        assertThat(estimate.warnings()).isEmpty();
    }

    /** 400 simulations in a long run, -Dstackelberg.long=400. */
    @Test
    void theIntervalCoversTheTruthForEveryCombinationOfNoiseAndFloor() {
        int simulations = (int) LongRun.tries(100);
        for (Noise noise : List.of(Noise.MEASURED, Noise.DONE)) {
            int gammaCovered = 0;
            int costCovered = 0;
            double mean = 0;
            for (int s = 0; s < simulations; s++) {
                Simulation people = new Simulation(400, 100 + s);
                World world = people.world(GammaLimitsTest::floored);
                GammaEstimate estimate = people.estimate(world, people.after(world, noise, 0.2), bootstrap(200, s));
                gammaCovered += covers(estimate.gamma().interval(), GAMMA) ? 1 : 0;
                costCovered += covers(estimate.costs().get("visits").interval(), 1) ? 1 : 0;
                mean += estimate.gamma().value() / simulations;
            }
            LongRun.print(noise + ": gamma covered " + gammaCovered + ", cost " + costCovered + " of " + simulations
                    + ", mean gamma " + mean);
            assertThat(gammaCovered / (double) simulations)
                    .as("gamma, " + noise)
                    .isBetween(0.88, 0.99);
            assertThat(costCovered / (double) simulations).as("cost, " + noise).isBetween(0.88, 0.99);
            // an estimate has a standard deviation of a tenth of gamma, so that their mean has one of a hundredth
            assertThat(mean).isCloseTo(GAMMA, within(0.03 * GAMMA));
        }
    }

    @Test
    void limitsThatStopNobodyChangeNothing() {
        Simulation people = new Simulation(300, 3);
        World plain = people.world(b -> b);
        World world =
                people.world(b -> b.limit("visits>=-100").limit("bmi<=1000").oneSided(GameSpec.Side.DOWN));
        DenseMatrix after = people.after(plain, Noise.MEASURED, 0.3);

        GammaEstimate expected = people.estimate(plain, after, bootstrap(100, 1));
        GammaEstimate estimate = people.estimate(world, after, bootstrap(100, 1));

        assertThat(estimate.gamma()).isEqualTo(expected.gamma());
        assertThat(estimate.pullThrough()).isEqualTo(expected.pullThrough());
        assertThat(estimate.costs()).isEqualTo(expected.costs());
        assertThat(estimate.explained()).isEqualTo(expected.explained());
        assertThat(estimate.behaviour().limits())
                .extracting(GammaEstimate.Limited::free)
                .containsOnly(300);
    }

    @Test
    void aPileAtOneEndOfAColumnIsReportedAsAPossibleLimit() {
        Simulation people = new Simulation(1000, 4);
        World floored = people.world(GammaLimitsTest::floored);
        World plain = people.world(b -> b);

        GammaEstimate blind = people.estimate(plain, people.after(floored, Noise.NONE, 0), bootstrap(20, 1));
        GammaEstimate free = people.estimate(plain, people.after(plain, Noise.NONE, 0), bootstrap(20, 1));

        assertThat(blind.warnings())
                .singleElement()
                .asString()
                .contains("Of 1,000 people whom the rule pushes down in 'visits'")
                .contains("ended at exactly 0,")
                .contains("looks like a floor")
                .contains("limit(\"visits>=0\")");
        assertThat(free.warnings()).isEmpty();
    }

    @Test
    void aPileOfUpwardMovesIsReportedAsACeiling() {
        Simulation people = new Simulation(1000, 5);
        Arrays.setAll(people.wishes, i -> people.wishes[i] + 700);
        World limited = people.world(b -> b.limit("bmi<=32").limit("visits<=3"));
        DenseMatrix after = people.after(limited, Noise.NONE, 0);

        GammaEstimate estimate = people.estimate(limited, after, bootstrap(20, 1));

        assertThat(estimate.gamma().value()).isCloseTo(GAMMA, within(1e-6));
        assertThat(estimate.behaviour().limits())
                .allMatch(l -> l.atFloor() == 0 && l.atCeiling() > 50)
                .extracting(GammaEstimate.Limited::feature)
                .containsExactlyInAnyOrder("bmi", "visits");
        assertThat(people.estimate(people.world(b -> b.limit("bmi<=32")), after, bootstrap(20, 1))
                        .warnings())
                // who was beyond the ceiling already is the last, and none of those who are stopped at it
                .noneMatch(w -> w.text().contains("bmi"));
    }

    @Test
    void aFeatureThatAlwaysStopsAtItsLimitLeavesGammaToTheOthers() {
        Simulation people = new Simulation(500, 6);
        World world = people.world(b -> b.limit("visits up"));

        GammaEstimate estimate = people.estimate(world, people.after(world, Noise.DONE, 0.05), bootstrap(200, 1));

        assertThat(covers(estimate.gamma().interval(), GAMMA)).isTrue();
        assertThat(estimate.costs().get("visits").value()).isNaN();
        assertThat(estimate.warnings())
                .anyMatch(w -> w.text().contains("too few people free to show what moving costs in visits"));
    }

    @Test
    void ifLimitsStopEverybodyGammaIsNotIdentified() {
        Simulation people = new Simulation(200, 7);
        World world = people.world(b -> b.limit("visits up").limit("bmi up"));

        GammaEstimate estimate = people.estimate(world, people.after(world, Noise.DONE, 0.1), bootstrap(50, 1));

        assertThat(estimate.identified()).isFalse();
        assertThat(estimate.warnings()).anyMatch(w -> w.text().contains("limits leave too few people free"));
    }

    @Test
    void satisfiedPeopleAreLeftOut() {
        Simulation people = new Simulation(600, 8);
        Arrays.setAll(people.wishes, i -> people.wishes[i] + 350);
        World world = people.world(b -> floored(b).oneSided(GameSpec.Side.DOWN));
        DenseMatrix after = people.after(world, Noise.NONE, 0);

        GammaEstimate estimate = people.estimate(world, after, bootstrap(50, 1));
        GammaEstimate both = people.estimate(people.world(GammaLimitsTest::floored), after, bootstrap(50, 1));

        assertThat(estimate.gamma().value()).isCloseTo(GAMMA, within(1e-6));
        assertThat(estimate.behaviour().satisfied()).isBetween(200, 400);
        assertThat(estimate.behaviour().moved())
                .isEqualTo(600 - estimate.behaviour().satisfied());
        assertThat(estimate.warnings()).isEmpty();
        assertThat(both.gamma().value()).isGreaterThan(1.2 * GAMMA);
        // moved although they had what they wished
        World everybody = people.world(GammaLimitsTest::floored);
        assertThat(people.estimate(world, people.after(everybody, Noise.NONE, 0), bootstrap(50, 1))
                        .warnings())
                .anyMatch(w -> w.text().contains("whose score is as good as they wish"));
    }

    @Test
    void gammaDoesNotDependOnTheDeclaredRelativeCosts() {
        Simulation people = new Simulation(1000, 9);
        World truth = people.world(b -> floored(b).cost("bmi", 0.25));
        World believed = people.world(GammaLimitsTest::floored);

        GammaEstimate estimate = people.estimate(believed, people.after(truth, Noise.NONE, 0), bootstrap(20, 1));

        assertThat(estimate.gamma().value() * estimate.costs().get("bmi").value())
                .isCloseTo(0.25 * GAMMA, within(1e-5));
        assertThat(estimate.gamma().value() * estimate.costs().get("visits").value())
                .isCloseTo(GAMMA, within(1e-5));
    }

    @Test
    void gammaIsExactUnderLimitsWithAManipulableIntercept() {
        Simulation people = new Simulation(500, 10);
        World world = people.world(b -> floored(b).intercept(GameSpec.Intercept.MANIPULABLE));
        int n = world.costs().length;
        DenseMatrix after = world.encoding().apply(people.table);
        double[] w = Arrays.copyOf(RULE.encodedCoefficients(world.encoding().columns()), n + 1);
        w[n] = RULE.encodedConstant(world.encoding().columns());
        double[] costs = Arrays.copyOf(world.costs(), n + 1);
        costs[n] = 1;
        double[] p = RULE.predict(world.encoding(), after);
        double gamma = 1e6;
        Arrays.setAll(people.wishes, i -> p[i] - 100 * (p[i] - people.wishes[i]));
        var person = new Response.Bounded(
                w, world.omega(RULE), costs, world.bounds().orElseThrow().first(n + 1), null);
        for (int i = 0; i < after.rows(); i++) {
            for (int j = 0; j < n; j++) {
                person.features()[j] = after.get(i, j);
            }
            person.answer(p[i], people.wishes[i], gamma);
            for (int j = 0; j < n; j++) {
                after.set(i, j, after.get(i, j) + person.move(j));
            }
        }

        GammaEstimate estimate = people.estimate(world, after, bootstrap(20, 1));

        assertThat(estimate.behaviour().limits().get(0).atFloor()).isBetween(100, 450);
        assertThat(estimate.gamma().value()).isCloseTo(gamma, within(1e-6 * gamma));
        assertThat(estimate.pullThrough().value())
                .isCloseTo(Response.pullThrough(world.omega(RULE), gamma), within(1e-9));
    }

    @Test
    void aValueBeyondALimitCountsAsAtTheLimit() {
        Simulation people = new Simulation(500, 11);
        World world = people.world(b -> b.limit("visits>=1"));

        GammaEstimate estimate = people.estimate(world, people.after(world, Noise.NONE, 0), bootstrap(20, 1));

        double[] visits = people.table.numeric("visits").values();
        long below = Arrays.stream(visits).filter(v -> v <= 1).count();
        assertThat(estimate.behaviour().limits().get(0).atFloor()).isGreaterThan((int) below);
        assertThat(estimate.gamma().value()).isCloseTo(GAMMA, within(1e-6));
    }

    @Test
    void movesThatDoNotLookLikeTheGameAreCounted() {
        Simulation people = new Simulation(400, 12);
        World world = people.world(b -> b);
        DenseMatrix after = people.after(world, Noise.MEASURED, 3);
        int age = world.encoding().names().indexOf("age");
        for (int i = 0; i < 7; i++) {
            after.set(i, age, after.get(i, age) + 0.1);
        }

        GammaEstimate estimate = people.estimate(world, after, bootstrap(50, 1));

        assertThat(estimate.behaviour().immovable()).containsExactly(Map.entry("age", 7));
        assertThat(estimate.immovable()).containsExactly("age");
        int against = estimate.behaviour().against();
        assertThat(against).isBetween(110, 250);
        assertThat(estimate.warnings())
                .anyMatch(w -> w.text().contains("Of 400 people whose prediction changed, " + against + " moved away"))
                .anyMatch(w -> w.text().contains("age (7 people)"));
    }
}
