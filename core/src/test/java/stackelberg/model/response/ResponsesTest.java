package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import stackelberg.data.Column;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;

/** Moves in the units of the data are the followers' best answers: no other move has a lower (p* - z)^2 + gamma sum c_j (delta_j/scale_j)^2. */
class ResponsesTest {
    private final Table table = People.table(80, 5);
    private StackelbergModel model;
    private World world;
    private Responses responses;

    @BeforeEach
    void respond() {
        model = People.regression()
                .immutable(Set.of("region", "job", "year"))
                .cost("income", 3)
                .cost("debt", 0.2)
                .gamma(0.7)
                .wishNoise(0.4)
                .build()
                .fit(table);
        world = model.world();
        double[] p = model.predict(table);
        double[] z = model.wishes(table, p).orElseThrow();
        responses = Responses.of(world, model.rule(), table, Followers.of(world.gamma(), p, z));
    }

    @Test
    void noOtherMoveIsBetterForAnyFollower() {
        Random random = new Random(1);
        for (int i = 0; i < table.rows(); i++) {
            double[] best = moves(i);
            double least = disutility(i, best);
            for (int trial = 0; trial < 40; trial++) {
                double[] other = best.clone();
                for (int j : responses.movable()) {
                    other[j] += Math.pow(10, -3 * random.nextDouble())
                            * random.nextGaussian()
                            * world.encoding().columns().get(j).scale();
                }
                assertThat(disutility(i, other)).isGreaterThanOrEqualTo(least);
            }
        }
    }

    @Test
    void movedRowsHaveTheStatedScoresAndCosts() {
        Table moved = movedTable();
        double[] after = model.predict(moved);
        for (int i = 0; i < table.rows(); i++) {
            double paid = disutility(i, moves(i)) - Math.pow(after[i] - responses.wish(i), 2);
            assertThat(responses.after(i)).isCloseTo(after[i], within(1e-10));
            assertThat(responses.cost(i)).isCloseTo(paid, within(1e-10));
        }
        assertThat(responses.pullThrough()).isCloseTo(model.pullThrough(), within(1e-12));
    }

    @Test
    void immutableColumnsDoNotMove() {
        assertThat(java.util.Arrays.stream(responses.movable()).mapToObj(responses::name))
                .containsExactly("income", "debt", "rate");
        int j = 0;
        for (EncodedColumn column : world.encoding().columns()) {
            assertThat(responses.move(0, j++) == 0)
                    .isEqualTo(!List.of("income", "debt", "rate").contains(column.name()));
        }
    }

    @Test
    void movesOutOfTheTrainingRangeAndBelowZeroAreCounted() {
        for (Responses.FeatureMoves moves : responses.features()) {
            Encoding.Feature feature = world.encoding().features().stream()
                    .filter(f -> f.column().equals(moves.name()))
                    .findFirst()
                    .orElseThrow();
            double[] before = table.numeric(moves.name()).values();
            double[] after = movedTable().numeric(moves.name()).values();
            double min = java.util.Arrays.stream(before).min().orElseThrow();
            double max = java.util.Arrays.stream(before).max().orElseThrow();
            assertThat(feature.range()).isEqualTo(new Encoding.Feature.Range(min, max));
            int leave = 0;
            int negative = 0;
            for (int i = 0; i < after.length; i++) {
                leave += after[i] < min || after[i] > max ? 1 : 0;
                negative += after[i] < 0 ? 1 : 0;
            }
            assertThat(moves.leaveRange()).isEqualTo(leave);
            assertThat(moves.turnNegative()).isEqualTo(negative);
        }
        // debt is a lognormal close to zero, so some of this must happen
        assertThat(responses.features()).anyMatch(f -> f.leaveRange() > 0);
        assertThat(java.util.Arrays.stream(responses.movesOutOfRange()).sum())
                .isEqualTo(responses.features().stream()
                        .mapToInt(Responses.FeatureMoves::leaveRange)
                        .sum());
    }

    @Test
    void aRuleWithAnotherBaseLevelIsTheSameRule() {
        PublishedRule rule = model.rule();
        java.util.Map<String, Double> terms = new java.util.LinkedHashMap<>(rule.coefficients());
        for (String level : List.of("r0", "r1", "r2", "r3")) {
            terms.merge("region=" + level, -2.0, Double::sum);
        }
        PublishedRule shifted = new PublishedRule("scorecard", rule.intercept() + 2, terms);
        World whole = world.withAllLevels();
        shifted.requireTermsOf(whole.encoding());

        double[] p = shifted.predict(whole.encoding(), table, Encoding.UnknownLevel.ERROR);
        for (int i = 0; i < p.length; i++) {
            assertThat(p[i]).isCloseTo(responses.prediction(i), within(1e-10));
        }
        assertThat(whole.omega(shifted)).isCloseTo(model.omega(), within(1e-12 * model.omega()));
    }

    @Test
    void aWorldFromADeclarationEqualsThatOfTheModel() {
        PublishedRule rule = model.rule();
        World declared = World.declared(
                table,
                rule,
                People.regression()
                        .immutable(Set.of("region", "job", "year"))
                        .cost("income", 3)
                        .cost("debt", 0.2)
                        .gamma(0.7)
                        .build()
                        .spec());

        assertThat(declared.pullThrough(rule)).isCloseTo(model.pullThrough(), within(1e-12));
        assertThat(declared.moveCosts()).isEqualTo(world.moveCosts());
    }

    private double[] moves(int i) {
        double[] moves = new double[world.costs().length];
        for (int j = 0; j < moves.length; j++) {
            moves[j] = responses.move(i, j);
        }
        return moves;
    }

    private double disutility(int i, double[] moves) {
        double p = responses.prediction(i);
        double paid = 0;
        List<EncodedColumn> columns = world.encoding().columns();
        for (int j = 0; j < moves.length; j++) {
            if (world.manipulable(j)) {
                p += moves[j] * model.terms().get(j).coefficient();
                paid += world.gamma()
                        * world.costs()[j]
                        * Math.pow(moves[j] / columns.get(j).scale(), 2);
            }
        }
        return Math.pow(p - responses.wish(i), 2) + paid;
    }

    private Table movedTable() {
        List<Column> columns = new ArrayList<>();
        List<String> names = world.encoding().names();
        for (Column column : table.columns()) {
            int j = names.indexOf(column.name());
            if (j >= 0 && world.manipulable(j)) {
                double[] values = ((NumericColumn) column).values();
                for (int i = 0; i < values.length; i++) {
                    values[i] += responses.move(i, j);
                }
                columns.add(NumericColumn.of(column.name(), values));
            } else {
                columns.add(column);
            }
        }
        return Table.of(columns);
    }
}
