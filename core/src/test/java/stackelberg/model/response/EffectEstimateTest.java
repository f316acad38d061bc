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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.data.Column;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.GameSpec;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.linalg.DenseMatrix;

/** Savings make people better risks, labels do not, and a missed payment makes them worse: outcomes tell, if people met rules that differ. */
class EffectEstimateTest {
    private static final List<String> FEATURES = List.of("savings", "label", "missed");
    private static final double[] SCALE = {10, 1, 0.2};
    /** In the units of the data. */
    private static final double[] EFFECTS = {0.1, 0, -3};

    private static final double GAMMA = 2;

    private static PublishedRule rule(double... perScale) {
        Map<String, Double> coefficients = new LinkedHashMap<>();
        for (int j = 0; j < FEATURES.size(); j++) {
            coefficients.put(FEATURES.get(j), perScale[j] / SCALE[j]);
        }
        coefficients.put("age", 0.1);
        return new PublishedRule("rule", 5, coefficients);
    }

    private static final PublishedRule FIRST = rule(1, 0.5, -0.5);
    private static final PublishedRule SECOND = rule(0.3, 1, -0.4);
    private static final PublishedRule THIRD = rule(0.4, 0.2, -1.2);

    /** People who are assigned to rules at random; both measurements of everybody's features have noise. */
    private static final class Simulation {
        private final World world;
        private final List<EffectEstimate.Trial> trials = new ArrayList<>();

        Simulation(long seed, int people, double measured, double luck, PublishedRule... rules) {
            this(seed, people, measured, luck, new double[] {1, 1, 1}, rules);
        }

        Simulation(long seed, int people, double measured, double luck, double[] costs, PublishedRule... rules) {
            Random random = new Random(seed);
            double[][] features = new double[4][people];
            double[] hope = new double[people];
            for (int i = 0; i < people; i++) {
                for (int j = 0; j < 3; j++) {
                    features[j][i] = SCALE[j] * random.nextGaussian();
                }
                features[3][i] = 40 + 10 * random.nextGaussian();
                hope[i] = 4 * random.nextDouble();
            }
            Table table = table(features, measured, random);
            GameSpec spec = GameSpec.builder()
                    .immutable(Set.of("age"))
                    .gamma(GAMMA)
                    .cost("savings", costs[0])
                    .cost("label", costs[1])
                    .cost("missed", costs[2])
                    .build();
            world = World.declared(table, rules[0], spec);
            int each = people / rules.length;
            for (int r = 0; r < rules.length; r++) {
                int[] who = IntStream.range(r * each, (r + 1) * each).toArray();
                double[] step = world.direction(rules[r]);
                double resistance = GAMMA + world.omega(rules[r]);
                double[] gained = new double[each];
                double[][] later = new double[4][];
                for (int j = 0; j < 4; j++) {
                    later[j] = features[j].clone();
                }
                for (int i = 0; i < each; i++) {
                    double by = hope[who[i]] / resistance;
                    for (int j = 0; j < 3; j++) {
                        double move = step[world.encoding().names().indexOf(FEATURES.get(j))] * by;
                        later[j][who[i]] += move;
                        gained[i] += EFFECTS[j] * move;
                    }
                    // times were good for everybody
                    gained[i] += 0.7 + luck * random.nextGaussian();
                }
                DenseMatrix before = world.encoding().apply(table.select(who));
                DenseMatrix after =
                        world.encoding().apply(table(later, measured, random).select(who));
                double[] p = rules[r].predict(world.encoding(), before);
                double[] wishes = new double[each];
                Arrays.setAll(wishes, i -> p[i] + hope[who[i]]);
                trials.add(new EffectEstimate.Trial("rule " + (r + 1), rules[r], before, after, wishes, gained, who));
            }
        }

        private static Table table(double[][] features, double measured, Random random) {
            List<Column> columns = new ArrayList<>();
            for (int j = 0; j < 3; j++) {
                double[] seen = features[j].clone();
                for (int i = 0; i < seen.length; i++) {
                    seen[i] += measured * SCALE[j] * random.nextGaussian();
                }
                columns.add(NumericColumn.of(FEATURES.get(j), seen));
            }
            columns.add(NumericColumn.of("age", features[3]));
            return Table.of(columns);
        }

        EffectEstimate estimate(int replicates, long seed) {
            return EffectEstimate.of(world, trials, false, new Bootstrap(replicates, 0.95, seed));
        }
    }

    @Test
    void threeRulesTellThreeEffectsExactlyWhereNothingElseHappens() {
        EffectEstimate estimate = new Simulation(1, 300, 0, 0, FIRST, SECOND, THIRD).estimate(20, 1);

        assertThat(estimate.identified()).isTrue();
        for (int j = 0; j < 3; j++) {
            assertThat(estimate.effects().get(FEATURES.get(j)).value()).isCloseTo(EFFECTS[j], within(1e-8));
        }
        assertThat(estimate.people()).isEqualTo(300);
        assertThat(estimate.warnings()).isEmpty();
    }

    /** 400 simulations in a long run, -Dstackelberg.long=400. */
    @Test
    void intervalsCoverPlantedEffectsOfFeaturesThatAreMeasuredWithNoise() {
        int simulations = (int) LongRun.tries(40);
        int[] covered = new int[3];
        double[] mean = new double[3];
        for (int s = 0; s < simulations; s++) {
            EffectEstimate estimate = new Simulation(1000 + s, 2400, 0.3, 0.5, FIRST, SECOND, THIRD).estimate(300, s);
            assertThat(estimate.unidentified()).isEmpty();
            for (int j = 0; j < 3; j++) {
                Resampling.Estimate effect = estimate.effects().get(FEATURES.get(j));
                covered[j] += effect.interval().low() <= EFFECTS[j]
                                && EFFECTS[j] <= effect.interval().high()
                        ? 1
                        : 0;
                mean[j] += effect.value() / simulations;
            }
        }
        LongRun.print(
                "covered " + Arrays.toString(covered) + " of " + simulations + ", means " + Arrays.toString(mean));
        for (int j = 0; j < 3; j++) {
            // of 40, three standard deviations below 95%
            assertThat(covered[j] / (double) simulations)
                    .as(FEATURES.get(j))
                    .isBetween(LongRun.wanted() ? 0.93 : 0.85, LongRun.wanted() ? 0.97 : 1);
        }
    }

    @Test
    void leastSquaresOnMovesAsSeenWouldMakeEffectsTooSmall() {
        Simulation simulation = new Simulation(5, 3000, 0.3, 0.1, rule(1, 0, 0));
        EffectEstimate.Trial trial = simulation.trials.get(0);
        int savings = simulation.world.encoding().names().indexOf("savings");
        double scale = simulation.world.encoding().columns().get(savings).scale();
        double meanGain = Arrays.stream(trial.gained()).average().orElseThrow();
        double slope = 0;
        double squares = 0;
        double meanMove = IntStream.range(0, 3000)
                .mapToDouble(i -> trial.after().get(i, savings) - trial.before().get(i, savings))
                .average()
                .orElseThrow();
        for (int i = 0; i < 3000; i++) {
            double move = trial.after().get(i, savings) - trial.before().get(i, savings) - meanMove;
            slope += move * (trial.gained()[i] - meanGain);
            squares += move * move;
        }

        EffectEstimate estimate = simulation.estimate(200, 1);

        assertThat(slope / squares / scale).isLessThan(0.7 * EFFECTS[0]);
        assertThat(estimate.effects().get("savings").value()).isCloseTo(EFFECTS[0], within(0.1 * EFFECTS[0]));
        assertThat(estimate.identified()).isTrue();
        assertThat(estimate.unmoved()).containsExactly("label", "missed");
    }

    @Test
    void oneRuleTellsOneCombinationAndNoSingleEffect() {
        Simulation simulation = new Simulation(2, 2000, 0.3, 0.5, FIRST);

        EffectEstimate estimate = simulation.estimate(300, 1);

        assertThat(estimate.identified()).isFalse();
        assertThat(estimate.effects()).isEmpty();
        assertThat(estimate.unidentified()).containsExactlyInAnyOrderElementsOf(FEATURES);
        assertThat(estimate.warnings())
                .anyMatch(w -> w.text().contains("cannot be told apart")
                        && w.text().contains("One rule tells no more than one"));
        EffectEstimate.UnderRule rule = estimate.rules().get(0);
        double[] direction = simulation.world.direction(FIRST);
        double combination = 0;
        for (int j = 0; j < 3; j++) {
            combination +=
                    EFFECTS[j] * direction[simulation.world.encoding().names().indexOf(FEATURES.get(j))];
        }
        double omega = simulation.world.omega(FIRST);
        assertThat(rule.combination().interval().low()).isLessThan(combination);
        assertThat(rule.combination().interval().high()).isGreaterThan(combination);
        assertThat(rule.closed().value()).isCloseTo(omega / (GAMMA + omega), within(0.05));
        assertThat(rule.earned().value()).isCloseTo(combination / (GAMMA + omega), within(0.05));
        assertThat(rule.real().value()).isCloseTo(combination / omega, within(0.1));
        assertThat(rule.notAllGaming()).isTrue();
    }

    @Test
    void aRuleThatRewardsLabelsAloneIsAllGaming() {
        Simulation simulation = new Simulation(3, 2000, 0.3, 0.5, rule(0, 1, 0));

        EffectEstimate estimate = simulation.estimate(300, 1);

        assertThat(estimate.rules().get(0).notAllGaming()).isFalse();
        assertThat(estimate.effects().keySet()).containsExactly("label");
        assertThat(estimate.effects().get("label").value()).isCloseTo(0, within(0.1));
    }

    @Test
    void whatTwoRulesLeaveOpenIsNamedAndTheRestIsTold() {
        // the first two features always in the same proportion
        EffectEstimate estimate = new Simulation(4, 3000, 0.1, 0.3, rule(1, 0.5, 0), rule(0, 0, -1)).estimate(100, 1);

        assertThat(estimate.effects().keySet()).containsExactly("missed");
        assertThat(estimate.effects().get("missed").value()).isCloseTo(EFFECTS[2], within(0.3));
        assertThat(estimate.unidentified()).containsExactlyInAnyOrder("savings", "label");
        assertThat(estimate.warnings()).anyMatch(w -> w.text().contains("2 rules tell no more than 2 combinations"));
    }

    @Test
    void twiceTheSameRuleTellsNoMoreThanOnce() {
        EffectEstimate estimate = new Simulation(6, 3000, 0.3, 0.3, FIRST, FIRST, FIRST).estimate(50, 1);

        assertThat(estimate.effects()).isEmpty();
        assertThat(estimate.warnings()).anyMatch(w -> w.text().contains("too much alike"));
    }

    /** One rule, but populations to whom moving costs differ. */
    @Test
    void populationsWithDifferentCostsTellEffectsUnderOneRule() {
        Simulation one = new Simulation(7, 1000, 0.1, 0.3, new double[] {1, 4, 1}, FIRST);
        Simulation two = new Simulation(8, 1000, 0.1, 0.3, new double[] {4, 1, 1}, FIRST);
        Simulation three = new Simulation(9, 1000, 0.1, 0.3, new double[] {2, 2, 0.3}, FIRST);
        List<EffectEstimate.Trial> trials = new ArrayList<>();
        for (Simulation part : List.of(one, two, three)) {
            EffectEstimate.Trial trial = part.trials.get(0);
            int first = 1000 * trials.size();
            // each has scales of its own, which the rule's names undo
            trials.add(new EffectEstimate.Trial(
                    "population " + (trials.size() + 1),
                    FIRST,
                    one.world.encoding().apply(raw(part, trial.before())),
                    one.world.encoding().apply(raw(part, trial.after())),
                    trial.wishes(),
                    trial.gained(),
                    IntStream.range(first, first + 1000).toArray()));
        }

        EffectEstimate estimate = EffectEstimate.of(one.world, trials, false, new Bootstrap(200, 0.95, 1));

        assertThat(estimate.identified()).as(estimate.toString()).isTrue();
        for (int j = 0; j < 3; j++) {
            Resampling.Interval interval =
                    estimate.effects().get(FEATURES.get(j)).interval();
            assertThat(EFFECTS[j]).isBetween(interval.low(), interval.high());
        }
    }

    private static Table raw(Simulation part, DenseMatrix encoded) {
        List<Column> columns = new ArrayList<>();
        for (int j = 0; j < encoded.cols(); j++) {
            var column = part.world.encoding().columns().get(j);
            columns.add(NumericColumn.of(
                    column.name(),
                    Arrays.stream(encoded.column(j))
                            .map(x -> column.shift() + column.scale() * x)
                            .toArray()));
        }
        return Table.of(columns);
    }

    /** The instrument must not know the errors of measurement before: a wish that does not follow the score does. */
    @Test
    void errorsThatAreInGapAndMovesAlikeAreWarnedAbout() {
        Simulation simulation = new Simulation(11, 3000, 0.5, 0.1, rule(1, 0, 0));
        EffectEstimate.Trial trial = simulation.trials.get(0);
        double[] p = rule(1, 0, 0).predict(simulation.world.encoding(), trial.before());
        double[] one = new double[p.length];
        Arrays.fill(one, 15);
        EffectEstimate fixed = EffectEstimate.of(
                simulation.world,
                List.of(new EffectEstimate.Trial(
                        "one", trial.rule(), trial.before(), trial.after(), one, trial.gained(), trial.people())),
                false,
                new Bootstrap(20, 0.95, 1));

        assertThat(fixed.warnings()).anyMatch(w -> w.text().contains("errors with which features were measured"));
        assertThat(simulation.estimate(20, 1).warnings()).isEmpty();
    }

    @Test
    void aGapThatIsTheSameForEverybodyTellsNothing() {
        Simulation simulation = new Simulation(10, 300, 0.1, 0.3, FIRST);
        EffectEstimate.Trial trial = simulation.trials.get(0);
        double[] p = FIRST.predict(simulation.world.encoding(), trial.before());
        double[] same = Arrays.stream(p).map(x -> x + 1).toArray();

        EffectEstimate estimate = EffectEstimate.of(
                simulation.world,
                List.of(new EffectEstimate.Trial(
                        "same", FIRST, trial.before(), trial.after(), same, trial.gained(), trial.people())),
                true,
                new Bootstrap(20, 0.95, 1));

        assertThat(estimate.identified()).isFalse();
        assertThat(estimate.rules().get(0).closed().value()).isNaN();
        assertThat(estimate.rules().get(0).notAllGaming()).isFalse();
        assertThat(estimate.warnings())
                .anyMatch(w -> w.text().contains("everybody's gap to the wish is the same"))
                .anyMatch(w -> w.text().contains("regression to the mean"));
    }
}
