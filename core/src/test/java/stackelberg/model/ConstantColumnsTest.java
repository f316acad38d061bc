package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.Tuning;
import stackelberg.solver.auto.Solvers;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A column that is the same for everybody changes nothing of a rule, whatever format it came in, unless the best rule makes a lever of it: then that is said. */
class ConstantColumnsTest {
    private static final int ROWS = 60;
    private static final Workers TWO = Workers.of(2);

    private static double[][] features(double... constants) {
        Random random = new Random(8);
        double[][] x = new double[ROWS][];
        for (int i = 0; i < ROWS; i++) {
            List<Double> row = new ArrayList<>(List.of(3 + random.nextGaussian(), 100 * random.nextGaussian()));
            for (double constant : constants) {
                row.add(1, constant);
            }
            x[i] = row.stream().mapToDouble(Double::doubleValue).toArray();
        }
        return x;
    }

    private static double[] truths() {
        Random random = new Random(9);
        return Arrays.stream(features())
                .mapToDouble(row -> 1 + row[0] - 0.01 * row[1] + random.nextGaussian())
                .toArray();
    }

    private static double[] wishes() {
        Random random = new Random(10);
        return Arrays.stream(truths())
                .map(y -> Math.max(y, 4) + 0.5 * random.nextGaussian())
                .toArray();
    }

    private static StackelbergRegression.Builder game() {
        return StackelbergRegression.builder().hedge(Hedge.NONE).gammaShare(0.9);
    }

    private static Table block(Matrix x) {
        List<String> names = new ArrayList<>();
        for (int j = 0; j < x.cols(); j++) {
            names.add(String.valueOf(j + 1));
        }
        return Table.ofBlock(x, names, NumericColumn.of("y", truths()), NumericColumn.of("z", wishes()));
    }

    private static CsrMatrix sparse(double[][] x) {
        int entries = 0;
        int[] starts = new int[x.length + 1];
        int[] columns = new int[x.length * x[0].length];
        double[] values = new double[columns.length];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < x[i].length; j++) {
                if (x[i][j] != 0) {
                    columns[entries] = j;
                    values[entries++] = x[i][j];
                }
            }
            starts[i + 1] = entries;
        }
        return CsrMatrix.over(
                x.length, x[0].length, starts, Arrays.copyOf(columns, entries), Arrays.copyOf(values, entries));
    }

    /** With and without: the coefficients of the others, the constant, the loss, the standard errors but for a degree of freedom, and what is warned of. */
    private static void assertSame(StackelbergModel with, StackelbergModel without, int constants) {
        assertSame(with, without, constants, 1e-9);
    }

    private static void assertSame(StackelbergModel with, StackelbergModel without, int constants, double digits) {
        int first = 0;
        int others = without.terms().size();
        for (StackelbergModel.Term term : with.terms()) {
            boolean constant = first > 0 && first <= constants;
            if (constant) {
                assertThat(term.coefficient()).as(term.name()).isZero();
            } else {
                StackelbergModel.Term same = without.terms().get(first == 0 ? 0 : first - constants);
                assertThat(term.coefficient()).isCloseTo(same.coefficient(), within(digits * size(without)));
            }
            first++;
        }
        assertThat(first).isEqualTo(others + constants);
        assertThat(with.intercept()).isCloseTo(without.intercept(), within(100 * digits));
        assertThat(with.losses().anticipated()).isCloseTo(without.losses().anticipated(), within(1e-8 * ROWS));
        assertThat(with.certified()).isTrue();
        assertThat(with.warnings().stream().filter(w -> !w.text().contains("no information")))
                .containsExactlyElementsOf(without.warnings());
        assertThat(with.warnings()).anyMatch(w -> w.text().contains("no information"));
        StandardErrors errors = with.standardErrors().orElseThrow();
        StandardErrors fewer = without.standardErrors().orElseThrow();
        assertThat(fewer.found()).isPresent();
        assertThat(errors.found()).as(errors.reason()).isPresent();
        double factor = Math.sqrt((double) fewer.degreesOfFreedom() / errors.degreesOfFreedom());
        for (int j = 0; j < others; j++) {
            double expected = fewer.found().get().coefficients().get(j).error();
            int at = j == 0 ? 0 : j + constants;
            assertThat(errors.found().get().coefficients().get(at).error())
                    .isCloseTo(factor * expected, within(100 * digits * expected));
        }
        for (int j = 1; j <= constants; j++) {
            assertThat(errors.found().get().coefficients().get(j).error()).isZero();
        }
    }

    private static double size(StackelbergModel model) {
        return model.terms().stream()
                .mapToDouble(t -> Math.abs(t.coefficient()))
                .max()
                .orElseThrow();
    }

    private static List<Object[]> games() {
        List<Object[]> games = new ArrayList<>();
        for (Scaling scaling : Scaling.values()) {
            for (GameSpec.Intercept intercept : GameSpec.Intercept.values()) {
                if (scaling == Scaling.NONE
                        ? intercept == GameSpec.Intercept.IMMUTABLE
                        : intercept != GameSpec.Intercept.NONE) {
                    games.add(new Object[] {scaling, intercept});
                }
            }
        }
        return games;
    }

    @ParameterizedTest
    @MethodSource("games")
    void constantColumnsOfArraysHaveCoefficientZero(Scaling scaling, GameSpec.Intercept intercept) {
        StackelbergRegression.Builder game = game().scaling(scaling).intercept(intercept);
        Table table = block(DenseMatrix.of(features(1, 1000.1)));
        game.target("y").wish("z");
        StackelbergModel with = game.build().fit(table);

        assertSame(with, game.build().fit(block(DenseMatrix.of(features()))), 2);
        Table fewer = block(DenseMatrix.of(features()));
        assertThat(with.predict(table)).containsExactly(game.build().fit(fewer).predict(fewer), within(1e-8));
        assertThat(Verification.of(with, table, TWO).certified()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("games")
    void constantColumnsOfSparseDataHaveCoefficientZero(Scaling scaling, GameSpec.Intercept intercept) {
        StackelbergRegression.Builder game =
                game().scaling(scaling).intercept(intercept).target("y").wish("z");
        Table table = block(sparse(features(0, 7)));
        StackelbergModel with = game.build().fit(table);

        assertSame(with, game.build().fit(block(sparse(features()))), 2);
        assertThat(Verification.of(with, table, TWO).certified()).isTrue();
    }

    private static List<String> solvers() {
        return Solvers.names();
    }

    /** Solvers that begin anywhere leave something of it on columns that nothing pulls back. */
    @ParameterizedTest
    @MethodSource("solvers")
    void everySolverGivesConstantColumnsCoefficientZero(String solver) {
        StackelbergRegression.Builder game = game().target("y").wish("z").solver(Solvers.named(solver, TWO));

        assertSame(
                game.build().fit(block(DenseMatrix.of(features(1)))),
                game.build().fit(block(DenseMatrix.of(features()))),
                1,
                1e-4);
    }

    private static Table table(String... constants) {
        double[][] x = features();
        List<stackelberg.data.Column> columns = new ArrayList<>();
        columns.add(NumericColumn.of("a", column(x, 0)));
        for (String name : constants) {
            double[] ones = new double[ROWS];
            Arrays.fill(ones, 5.3);
            columns.add(NumericColumn.of(name, ones));
        }
        columns.add(NumericColumn.of("b", column(x, 1)));
        columns.add(NumericColumn.of("y", truths()));
        columns.add(NumericColumn.of("z", wishes()));
        return Table.of(columns);
    }

    private static double[] column(double[][] x, int j) {
        return Arrays.stream(x).mapToDouble(row -> row[j]).toArray();
    }

    @ParameterizedTest
    @MethodSource("games")
    void constantColumnsNamedAsFeaturesHaveCoefficientZero(Scaling scaling, GameSpec.Intercept intercept) {
        StackelbergRegression.Builder game =
                game().scaling(scaling).intercept(intercept).target("y").wish("z");
        StackelbergModel without = game.build().fit(table());
        Table table = table("c");
        StackelbergModel with = game.features(List.of("a", "c", "b")).build().fit(table);

        assertSame(with, without, 1);
        assertThat(Verification.of(with, table, TWO).certified()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Scaling.class)
    void immutableConstantColumnsHaveCoefficientZero(Scaling scaling) {
        StackelbergRegression.Builder game = game().scaling(scaling).target("y").wish("z");
        StackelbergModel without = game.build().fit(table());
        StackelbergModel with = game.immutable(Set.of("c")).build().fit(table("c"));

        assertThat(with.terms().get(2).name()).isEqualTo("c");
        assertThat(with.terms().get(2).coefficient()).isZero();
        StandardErrors errors = with.standardErrors().orElseThrow();
        assertThat(errors.found()).as(errors.reason()).isPresent();
        StandardErrors fewer = without.standardErrors().orElseThrow();
        double factor = Math.sqrt((double) fewer.degreesOfFreedom() / errors.degreesOfFreedom());
        for (int j = 0; j < 2; j++) {
            double expected = fewer.found().orElseThrow().coefficients().get(j).error();
            assertThat(errors.found().get().coefficients().get(j).error())
                    .isCloseTo(factor * expected, within(1e-7 * expected));
        }
        assertThat(errors.found().get().coefficients().get(2).error()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Scaling.class)
    void logisticLossGivesConstantColumnsCoefficientZero(Scaling scaling) {
        double[] yes = Arrays.stream(truths()).map(y -> y > 4 ? 1 : 0).toArray();
        StackelbergRegression.Builder game =
                game().target("y").wish("0.9").loss(Loss.LOGISTIC).scaling(scaling);
        StackelbergModel without = game.build().fit(answers(features(), yes));
        StackelbergModel with = game.build().fit(answers(features(1), yes));

        assertThat(with.terms().get(1).coefficient()).isZero();
        assertThat(with.terms().get(0).coefficient())
                .isCloseTo(without.terms().get(0).coefficient(), within(1e-6));
        assertThat(with.standardErrors().orElseThrow().found().isPresent())
                .isEqualTo(without.standardErrors().orElseThrow().found().isPresent());
        assertThat(with.warnings().stream().filter(w -> !w.text().contains("no information")))
                .containsExactlyElementsOf(without.warnings());
    }

    private static Table answers(double[][] x, double[] yes) {
        List<String> names = x[0].length == 2 ? List.of("1", "2") : List.of("1", "2", "3");
        return Table.ofBlock(DenseMatrix.of(x), names, NumericColumn.of("y", yes));
    }

    /** Where moving is so dear that people move less than the rule would like them to, a column of no information is as good as any to make them. */
    @Test
    void aConstantColumnWithACoefficientIsReported() {
        StackelbergRegression.Builder game = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gamma(100)
                .target("y")
                .wish("z");
        Table table = block(DenseMatrix.of(features(1)));
        StackelbergModel model = game.build().fit(table);

        assertThat(model.certified()).isTrue();
        assertThat(Math.abs(model.terms().get(1).coefficient())).isPositive();
        assertThat(model.warnings()).anyMatch(w -> w.text()
                .startsWith("The best rule has a coefficient on a column that is the same for everyone, 2:"));
        assertThat(model.losses().anticipated())
                .isLessThan(game.build()
                        .fit(block(DenseMatrix.of(features())))
                        .losses()
                        .anticipated());
        assertThat(Verification.of(model, table, TWO).certified()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Scaling.class)
    void nearlyConstantColumnsAreNamed(Scaling scaling) {
        double[][] x = features(1e6);
        x[7][1] += 1e-9;
        StackelbergRegression.Builder game = game().scaling(scaling).target("y").wish("z");

        assertThat(game.build().fit(block(DenseMatrix.of(x))).warnings())
                .anyMatch(w -> w.text().startsWith("The same value in all rows up to the last digits")
                        && w.text().contains(": 2. "));
    }

    /** Files of before have rounding there, and so no standard errors; with coefficients that move people they are not borne out. */
    @Test
    void roundingErrorsInOldFilesAreAcceptedAndLargerCoefficientsAreNot() {
        Table table = block(DenseMatrix.of(features(1)));
        StackelbergModel model =
                game().scaling(Scaling.NONE).target("y").wish("z").build().fit(table);
        String file = ModelFile.toJson(model);

        assertThat(Verification.of(with(file, 3e-16, true), table, TWO).certified())
                .isTrue();
        assertThat(Verification.of(with(file, 3e-3, false), table, TWO).refuted())
                .anyMatch(claim -> claim.name().equals("terms.2.coefficient"));
    }

    private static StackelbergModel with(String file, double coefficient, boolean without) {
        JsonMapper mapper = JsonMapper.shared();
        ObjectNode root = (ObjectNode) mapper.readTree(file);
        ((ObjectNode) root.at("/terms/1")).put("coefficient", coefficient);
        ((ArrayNode) root.at("/encoding/constantColumns")).removeAll();
        if (without) {
            ObjectNode errors = (ObjectNode) root.get("standardErrors");
            errors.putNull("intervals");
            errors.put(
                    "reason", "the rule is not close enough to the best one for its standard errors to be computed.");
        }
        return ModelFile.fromJson(mapper.writeValueAsString(root), "test");
    }

    /** Beside limits that keep them where they are nobody moves along them, and nothing of a search stays on them. */
    @Test
    void constantColumnsUnderLimitsHaveCoefficientZero() {
        StackelbergModel model =
                game().target("y").wish("z").limit("data").build().fit(block(DenseMatrix.of(features(1))));

        assertThat(model.terms().get(1).coefficient()).isZero();
        assertThat(model.warnings()).noneMatch(w -> w.text().contains("lever"));
    }

    /** A rule has no other constant there, which today's rule, scales and folds have to know. */
    @Test
    void withoutAnInterceptTuneKeepsTheConstantColumnsThatFitKeeps() {
        StackelbergRegression.Builder game = game().scaling(Scaling.NONE)
                .intercept(GameSpec.Intercept.NONE)
                .target("y")
                .wish("z");
        Tuning tuning =
                game.build().tune(table("one"), Tuning.Plan.ofShares(new double[] {0.2, 0.4}), Tuning.Listener.NONE);

        assertThat(tuning.warnings()).noneMatch(w -> w.text().contains("left out"));
        assertThat(game.build().fit(table("one")).terms()).hasSize(3);
    }

    /** A block and a table are one game, also in the rule that is in force where nobody gave one. */
    @ParameterizedTest
    @EnumSource(GameSpec.Intercept.class)
    void todaysRuleLearnedFromArraysEqualsTheOneFromTables(GameSpec.Intercept intercept) {
        StackelbergRegression.Builder game =
                game().intercept(intercept).target("y").wish("z");
        StackelbergModel one = game.build().fit(block(DenseMatrix.of(features())));
        StackelbergModel other = game.build().fit(table());

        assertThat(one.gamma()).isCloseTo(other.gamma(), within(1e-9 * other.gamma()));
        assertThat(one.losses().naive()).isCloseTo(other.losses().naive(), within(1e-8));
        assertThat(one.losses().anticipated()).isCloseTo(other.losses().anticipated(), within(1e-7));
    }

    /** Where no other constant is, it is the constant, and nothing is said against it. */
    @Test
    void withoutAnInterceptASingleConstantColumnServesAsTheConstant() {
        StackelbergRegression.Builder game = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gammaShare(0.4)
                .scaling(Scaling.NONE)
                .intercept(GameSpec.Intercept.NONE)
                .target("y")
                .wish("z");
        StackelbergModel model = game.build().fit(block(DenseMatrix.of(features(1, 0))));

        assertThat(model.terms().get(2).coefficient()).isNotZero();
        assertThat(model.warnings()).anyMatch(w -> w.text().endsWith("no information: 2."));
    }
}
