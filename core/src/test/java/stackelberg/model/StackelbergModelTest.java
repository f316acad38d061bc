package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a fitted model promises: raw units, columns by name, the same game again from its file. */
class StackelbergModelTest {
    private static final int ROWS = 60;

    /** income and debt can be polished, region cannot; the wish differs from person to person. */
    private static Table applicants(long seed) {
        Random random = new Random(seed);
        double[] income = random.doubles(ROWS, 10, 90).toArray();
        double[] debt = random.doubles(ROWS, 0, 30).toArray();
        String[] region = new String[ROWS];
        double[] score = new double[ROWS];
        double[] hope = new double[ROWS];
        double[] weight = random.doubles(ROWS, 0.5, 2).toArray();
        for (int i = 0; i < ROWS; i++) {
            region[i] = List.of("north", "south", "west").get(random.nextInt(3));
            score[i] = 300
                    + 4 * income[i]
                    - 6 * debt[i]
                    + (region[i].equals("west") ? 40 : 0)
                    + 25 * random.nextGaussian();
            hope[i] = score[i] + 80 * random.nextDouble();
        }
        return Table.of(
                NumericColumn.of("income", income),
                NumericColumn.of("debt", debt),
                CategoricalColumn.of("region", region),
                NumericColumn.of("score", score),
                NumericColumn.of("hope", hope),
                NumericColumn.of("weight", weight));
    }

    private static StackelbergRegression.Builder regression() {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("score")
                .wish("hope")
                .weight("weight")
                .gamma(50);
    }

    /** The normal equations: weighted residuals are orthogonal to every column, and to the constant. */
    @ParameterizedTest
    @EnumSource(names = {"IMMUTABLE", "MANIPULABLE"})
    void residualsOfLeastSquaresAreOrthogonalToEveryColumn(GameSpec.Intercept intercept) {
        Table table = applicants(2);
        StackelbergRegression regression =
                regression().intercept(intercept).cost("debt", 3).build();
        PublishedRule rule = regression.training(table).today().orElseThrow().rule();
        StackelbergModel model = regression.fit(table);
        double[] p = rule.predict(model.encoding(), table, Encoding.UnknownLevel.ERROR);
        double[] weights = table.numeric("weight").values();
        double[] y = table.numeric("score").values();

        double loss = 0;
        double[] explained = new double[3];
        for (int i = 0; i < ROWS; i++) {
            double residual = weights[i] * (p[i] - y[i]);
            loss += residual * (p[i] - y[i]);
            explained[0] += residual;
            explained[1] += residual * table.numeric("income").value(i);
            explained[2] += residual * table.numeric("debt").value(i);
        }
        assertThat(explained).containsExactly(new double[3], within(1e-7));
        assertThat(loss).isCloseTo(model.losses().naive(), within(1e-9 * loss));
    }

    @ParameterizedTest
    @EnumSource
    void predictionsAreTheRawCoefficientsTimesTheRawData(Scaling scaling) {
        Table table = applicants(1);
        StackelbergModel model =
                regression().scaling(scaling).gamma(0.05).build().fit(table);
        double[] predictions = model.predict(table);

        var c = model.coefficients();
        for (int i = 0; i < ROWS; i++) {
            String region = ((CategoricalColumn) table.column("region")).level(i);
            double expected = model.intercept()
                    + c.get("income") * table.numeric("income").value(i)
                    + c.get("debt") * table.numeric("debt").value(i)
                    + c.getOrDefault("region=" + region, 0.0);
            assertThat(predictions[i]).isCloseTo(expected, within(1e-8));
        }
    }

    @Test
    void theObjectiveIsTheLossOfTheModelsOwnPredictions() {
        Table table = applicants(2);
        StackelbergModel model = regression().build().fit(table);
        double[] p = model.predict(table);
        double[] after = model.afterResponse(p, model.wishes(table, p).orElseThrow());

        double loss = 0;
        for (int i = 0; i < ROWS; i++) {
            double residual = after[i] - table.numeric("score").value(i);
            loss += table.numeric("weight").value(i) * residual * residual;
        }
        assertThat(loss).isCloseTo(model.optimality().objective(), within(1e-9 * loss));
        assertThat(model.pullThroughAt(model.gamma())).isCloseTo(model.pullThrough(), within(1e-12));
        assertThat(model.losses().naiveAttacked())
                .isGreaterThanOrEqualTo(model.losses().anticipated());
        assertThat(model.losses().honest())
                .isGreaterThanOrEqualTo(model.losses().naive());
    }

    @Test
    void columnsAreFoundByNameNotByOrder() {
        Table table = applicants(3);
        StackelbergModel model = regression().build().fit(table);
        List<Column> reversed = new java.util.ArrayList<>(table.columns());
        java.util.Collections.reverse(reversed);

        assertThat(model.predict(Table.of(reversed))).containsExactly(model.predict(table));
    }

    @Test
    void aMissingColumnIsNamed() {
        Table table = applicants(4);
        StackelbergModel model = regression().build().fit(table);
        Table without = Table.of(
                table.columns().stream().filter(c -> !c.name().equals("debt")).toList());

        assertThatThrownBy(() -> model.predict(without))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'debt'");
    }

    @Test
    void withRawCostUnitsScalingDoesNotMatter() {
        Table table = applicants(5);
        var raw = regression().costUnits(GameSpec.CostUnits.RAW).gamma(0.5);
        double[] standard = raw.scaling(Scaling.STANDARD).build().fit(table).predict(table);
        double[] none = raw.scaling(Scaling.NONE).build().fit(table).predict(table);

        for (int i = 0; i < ROWS; i++) {
            assertThat(standard[i]).isCloseTo(none[i], within(1e-7));
        }
    }

    @Test
    void aMatrixGivesTheSameModelAsTheTableItCameFrom() {
        Table table = applicants(6);
        double[][] rows = new double[ROWS][2];
        for (int i = 0; i < ROWS; i++) {
            rows[i][0] = table.numeric("income").value(i);
            rows[i][1] = table.numeric("debt").value(i);
        }
        for (Scaling scaling : Scaling.values()) {
            for (GameSpec.Intercept intercept : GameSpec.Intercept.values()) {
                StackelbergRegression choices = StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .gamma(3)
                        .scaling(scaling)
                        .intercept(intercept)
                        .build();
                var fromTable = choices.toBuilder()
                        .target("score")
                        .wish("hope")
                        .features(List.of("income", "debt"))
                        .build()
                        .fit(table);
                var fromMatrix = choices.fit(
                        DenseMatrix.of(rows),
                        table.numeric("score").values(),
                        table.numeric("hope").values());
                String what = scaling + " " + intercept;
                assertThat(fromMatrix.certified()).as(what).isTrue();
                assertThat(fromMatrix.optimality().objective())
                        .as(what)
                        .isCloseTo(
                                fromTable.optimality().objective(),
                                within(1e-9 * fromTable.losses().anticipated()));
                assertThat(fromMatrix.intercept()).as(what).isCloseTo(fromTable.intercept(), within(1e-6));
                assertThat(fromMatrix.coefficients().get("1"))
                        .as(what)
                        .isCloseTo(fromTable.coefficients().get("income"), within(1e-6));
            }
        }
    }

    @Test
    void aConstantShiftWithAnImmutableInterceptHasNoFiniteEquilibriumAndIsNamed() {
        Table table = applicants(7);
        StackelbergModel model = regression().wish("y+20").build().fit(table);

        assertThat(model.optimality().finite()).isFalse();
        assertThat(model.certified()).isFalse();
        assertThat(model.pullThrough()).isEqualTo(1);
        assertThat(model.warnings()).anyMatch(w -> w.text().startsWith("No finite equilibrium"));

        StackelbergModel tamed = regression().wish("y+20").wishNoise(30).build().fit(table);
        assertThat(tamed.certified()).isTrue();
        assertThat(tamed.pullThrough()).isLessThan(0.99);
    }

    @Test
    void constantColumnsGetNoCoefficient() {
        Table table = applicants(8);
        List<Column> columns = new java.util.ArrayList<>(table.columns());
        double[] same = new double[ROWS];
        Arrays.fill(same, 7);
        columns.add(NumericColumn.of("planet", same));
        for (double gamma : new double[] {1e-3, 1, 50}) {
            StackelbergModel model = regression().gamma(gamma).build().fit(Table.of(columns));

            assertThat(model.certified()).isTrue();
            assertThat(model.warnings()).anyMatch(w -> w.text().contains("planet"));
            assertThat(model.coefficients())
                    .isEqualTo(regression().gamma(gamma).build().fit(table).coefficients());
        }
    }

    @Test
    void aFileCutInHalfIsRefusedWithAClearMessage(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("model.json");
        ModelFile.save(regression().build().fit(applicants(9)), file);
        String whole = Files.readString(file);
        Files.writeString(file, whole.substring(0, whole.length() / 2));

        assertThatThrownBy(() -> ModelFile.load(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("not a whole JSON file")
                .hasMessageContaining("Maybe");
    }

    @Test
    void messagesAboutDamagedFilesDoNotQuoteTheParser() {
        String whole = ModelFile.toJson(regression().build().fit(applicants(10)));
        Map<String, String> edits = Map.of(
                whole.replace("\"gamma\" : 50.0,", ""),
                "\"gamma\" is missing.",
                whole.replace("\"gamma\" : 50.0", "\"gamma\" : \"x\""),
                "\"gamma\" is \"x\"; it must be a number.",
                whole.replace("\"gamma\" : 50.0", "\"gamma\" : 50.0, \"nix\" : 1"),
                "\"nix\" is no key of a model.",
                whole.replaceFirst("\"honest\" : [0-9.E+-]+,", ""),
                "\"losses.honest\" is missing.",
                whole.replace("\"PROVEN\"", "\"MAYBE\""),
                "\"optimality.proof\" is \"MAYBE\"; it must be one of ",
                whole.replaceFirst("\"manipulable\" : true", "\"manipulable\" : 3.5"),
                "it must be true or false.",
                whole.replaceFirst("(?s)\"r\" : \\[.*?\\]", "\"r\" : \"a\""),
                "\"r\" is \"a\"; it must be a list.",
                whole.substring(0, whole.length() / 2),
                "it breaks off or makes no sense at line ",
                "{\"format\":" + "[".repeat(2000),
                "nested too deeply");
        edits.forEach((text, message) -> assertThatThrownBy(() -> ModelFile.fromJson(text, "m.json"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(message)
                .message()
                .doesNotContain("FAIL_ON", "deserialize", "creator", "JsonToken", "class ", "line -1", "`"));
    }

    @Test
    void contradictoryFilesAreRefusedNamingThePart(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("model.json");
        StackelbergModel model = regression().build().fit(applicants(10));
        String whole = ModelFile.toJson(model);
        refuses(file, whole.replace("\"formatVersion\" : 4", "\"formatVersion\" : 99"), "format version 99");
        refuses(file, whole.replace("stackelberg-model", "something-else"), "not a Stackelberg model");
        refuses(file, whole.replace("\"gamma\" : 50.0", "\"gamma\" : -1.0"), "gamma is -1.0");
        refuses(file, whole.replace("\"gamma\" : 50.0,", ""), "damaged");
        refuses(
                file,
                whole.replaceFirst(
                        "\"name\" : \"income\",(\\s+)\"coefficient\"", "\"name\" : \"salary\",$1\"coefficient\""),
                "'salary'");
        refuses(file, whole.replaceFirst("\"r\" : \\[ ", "\"r\" : [ 0.5, "), "coordinates");
        refuses(file, whole.replaceFirst("\"wishNoise\" : [0-9.E-]+", "\"wishNoise\" : -1.0"), "wish noise is -1.0");
        refuses(file, whole.replaceFirst("\"tolerance\" : [0-9.E-]+", "\"tolerance\" : 0.0"), "tolerance is 0.0");
        refuses(file, whole.replaceFirst("\"naive\" : [0-9.E-]+", "\"naive\" : null"), "one is missing");
        refuses(file, whole.replaceFirst("\"terms\" : \\[ \\{", "\"terms\" : [ null, {"), "is null");
        refuses(file, whole.replaceFirst("\"costs\" : \\{[^}]*\\}", "\"costs\" : { \"income\" : -1.0 }"), "'income'");
        refuses(file, "[1, 2]", "not a Stackelberg model");
        refuses(file, "", "not");
    }

    @ParameterizedTest
    @CsvSource({
        "column, encoding.features.1.column",
        "shift, encoding.features.1.columns.1.shift",
        "missing, encoding.missing",
        "target, game.target",
        "proof, optimality.proof",
        "note, solver.note",
        "version, provenance.version",
        "solver, solver"
    })
    void nullIsRefusedForKeysThatNeedAValue(String key, String path, @TempDir Path folder) throws IOException {
        JsonMapper json = new JsonMapper();
        JsonNode root = json.readTree(ModelFile.toJson(regression().build().fit(applicants(10))));
        ((ObjectNode) root.findParent(key)).putNull(key);

        refuses(folder.resolve("model.json"), json.writeValueAsString(root), "\"" + path + "\" is null");
    }

    private static void refuses(Path file, String content, String message) throws IOException {
        Files.writeString(file, content);
        assertThatThrownBy(() -> ModelFile.load(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(message);
    }

    @Test
    void verifyingOnOtherDataReportsIt() {
        StackelbergModel model = regression().build().fit(applicants(11));

        assertThat(Verification.of(model, applicants(11), Workers.of(1)).certified())
                .isTrue();
        Verification other = Verification.of(model, applicants(12), Workers.of(1));
        assertThat(other.certified()).isFalse();
        assertThat(other.sameData()).isFalse();
    }

    @Test
    void withoutAWishThereIsNothingToVerify() {
        Table table = applicants(13);
        String silent = ModelFile.toJson(regression().build().fit(table))
                .replaceFirst("\"wish\" : \"[^\"]*\"", "\"wish\" : null");
        StackelbergModel model = ModelFile.fromJson(silent, "test");

        assertThatThrownBy(() -> Verification.of(model, table, Workers.of(1)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("does not say what people wish");
    }

    @Test
    void aChangedCoefficientDoesNotVerify() {
        Table table = applicants(13);
        StackelbergModel model = regression().build().fit(table);
        String changed = ModelFile.toJson(model)
                .replaceFirst("(\"name\" : \"income\",\\s+\"coefficient\" : )[-0-9.E]+", "$1 3.3");
        Verification verification = Verification.of(ModelFile.fromJson(changed, "test"), table, Workers.of(1));

        assertThat(verification.certificate().certified(1e-9)).isTrue();
        assertThat(verification.certified()).isFalse();
    }

    @Test
    void invalidOptionsAreRefusedWhenTheyAreSet() {
        assertThatThrownBy(() -> regression().gamma(0)).hasMessageContaining("gamma is 0.0");
        assertThatThrownBy(() -> regression().cost("income", -2)).hasMessageContaining("'income'");
        assertThatThrownBy(
                        () -> regression().immutable(Set.of("nothing")).build().fit(applicants(1)))
                .hasMessageContaining("'nothing'");
        assertThatThrownBy(() -> regression().cost("region", 2).build().fit(applicants(1)))
                .hasMessageContaining("immutable");
        assertThatThrownBy(() -> regression().features(List.of("score")).build().fit(applicants(1)))
                .hasMessageContaining("'score'");
    }

    @Test
    void aWishColumnIsNeverAFeatureHoweverItIsWritten() {
        Table table = applicants(15);
        var plain = regression().build().fit(table);
        var quoted = regression().wish("`hope`").build().fit(table);

        assertThat(quoted.coefficients()).isEqualTo(plain.coefficients());
    }

    @Test
    void fitsInJavaWarnOfMovesOutOfRangeToo() {
        Table table = applicants(3);
        StackelbergRegression eager = regression().gamma(0.01).wishNoise(5).build();

        assertThat(eager.fit(table).warnings()).anyMatch(w -> w.text().contains("outside the range seen in training"));
        assertThat(eager.fitPath(table, 0.01).get(0).warnings())
                .noneMatch(w -> w.text().contains("outside the range seen in training"));
    }

    /** Columns of arrays are named 1, 2, 3, ..., and whatever names them means the same as in a table. */
    @Test
    void columnsOfArraysAreNamedByPosition() {
        Random random = new Random(4);
        double[][] x = new double[60][4];
        double[] y = new double[60];
        double[] z = new double[60];
        for (int i = 0; i < 60; i++) {
            Arrays.setAll(x[i], j -> random.nextGaussian());
            x[i][2] = 1 + random.nextInt(3);
            y[i] = x[i][0] - 2 * x[i][1] + x[i][3] + random.nextGaussian();
            z[i] = y[i] + random.nextDouble();
        }
        Table named = Table.of(x, List.of("1", "2", "3", "4"), NumericColumn.of("y", y), NumericColumn.of("z", z));
        StackelbergRegression.Builder choices = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gamma(0.5)
                .wishNoise(1)
                .weight("3")
                .immutable(Set.of("4"))
                .cost("2", 3);

        StackelbergModel model = choices.build().fit(x, y, z);
        StackelbergModel same = choices.target("y").wish("z").build().fit(named);

        assertThat(model.certified()).isTrue();
        assertThat(model.coefficients()).isEqualTo(same.coefficients());
        assertThat(model.coefficients()).doesNotContainKey("3");
        assertThat(model.terms()).anyMatch(term -> term.name().equals("4") && !term.manipulable());
        assertThatThrownBy(() -> choices.immutable(Set.of("5")).build().fit(x, y, z))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'5'");
    }

    /** Encoded columns have the movable ones first: an array in the table's order would meet the wrong coefficients. */
    @Test
    void anArrayIsRefusedWhereTheOrderOfNamedColumnsIsNotKnown() {
        double[][] x = {{1, 2}, {2, 1}, {3, 5}, {0, 4}, {2, 2}};
        NumericColumn y = NumericColumn.of("y", 1, 2, 3, 1, 2);
        StackelbergRegression.Builder choices = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,2)")
                .wishNoise(1);
        Table named = Table.of(x, List.of("age", "income"), y);

        StackelbergModel movable = choices.build().fit(named);
        StackelbergModel fixed = choices.immutable(Set.of("age")).build().fit(named);

        assertThat(movable.predict(x)).containsExactly(movable.predict(named));
        assertThatThrownBy(() -> fixed.predict(x))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("by name");
    }

    @Test
    void aModelOfSomeColumnsOfAnArrayFindsThemByPosition() {
        double[][] x = {{1, 2, 1}, {2, 1, 2}, {3, 5, 1}, {0, 4, 1}, {2, 2, 3}};
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .wishNoise(1)
                .weight("1")
                .ignore(Set.of())
                .build()
                .fit(
                        new double[][] {{1, 2, 1}, {2, 1, 2}, {3, 5, 1}, {1, 4, 1}, {2, 2, 3}},
                        new double[] {1, 2, 3, 1, 2},
                        new double[] {2, 2, 4, 1, 3});

        double expected = model.intercept()
                + 2 * model.coefficients().get("2")
                + model.coefficients().get("3");
        assertThat(model.predict(x)[0]).isCloseTo(expected, within(1e-12));
    }

    /** Whoever asks a sample for its game gets the people who were declared. */
    @Test
    void theGameOfASampleHasTheDeclaredPopulation() {
        stackelberg.game.Sample sample = stackelberg.game.Sample.of(
                regression().truthfulShare(0.9).build().spec(), applicants(3), stackelberg.linalg.Workers.of(1));

        assertThat(sample.game().population().truthfulShare()).isEqualTo(0.9);
        assertThat(sample.uniformGame().population().truthfulShare()).isZero();
        // it was solved as if everybody moved, without a word
        assertThatThrownBy(() -> stackelberg.sphere.Reduction.of(sample.game(), stackelberg.linalg.Workers.of(1)))
                .hasMessageContaining("mixed population");
    }

    /** What was found of the data by one question serves the next, and changes no answer. */
    @Test
    void cachedResultsDoNotChangeLaterAnswers() {
        StackelbergRegression regression = regression().build();
        Training training = regression.training(applicants(3));
        StackelbergModel first = training.fit();
        StackelbergModel other = training.path(7).get(0);
        StackelbergModel again =
                training.withOptions(regression.options()).path(50).get(0);

        assertThat(again.coefficients()).isEqualTo(first.coefficients());
        assertThat(other.coefficients())
                .isEqualTo(regression.fitPath(applicants(3), 7).get(0).coefficients());
        assertThat(training.today().orElseThrow().rule().coefficients())
                .isEqualTo(regression
                        .training(applicants(3))
                        .today()
                        .orElseThrow()
                        .rule()
                        .coefficients());
        assertThat(again.solver().seconds().assemble())
                .isEqualTo(first.solver().seconds().assemble());
    }

    @Test
    void anInvalidGammaIsRefusedByEveryMethod() {
        Training training = regression().build().training(applicants(3));
        training.today();

        assertThatThrownBy(() -> training.path(1e-200)).isInstanceOf(DataException.class);
    }

    @Test
    void arraysArePredictedInTheOrderOfTheirColumns() {
        double[][] x = {{1, 2}, {2, 1}, {3, 5}, {0, 4}, {2, 2}};
        double[] y = {1, 2, 3, 1, 2};
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .wishNoise(1)
                .immutable(Set.of("1"))
                .build()
                .fit(x, y, new double[] {2, 2, 4, 1, 3});
        double[] p = model.predict(x);

        for (int i = 0; i < p.length; i++) {
            double sum = model.intercept()
                    + model.coefficients().get("1") * x[i][0]
                    + model.coefficients().get("2") * x[i][1];
            assertThat(p[i]).isCloseTo(sum, within(1e-12));
        }
        assertThatThrownBy(() -> model.predict(new double[][] {{1, 2, 3}}))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("3 numbers");
        assertThat(model.toString()).contains("y", "5 rows", "pull-through", "1 ", "(immutable)");
    }

    @Test
    void aNaNInAMatrixIsReported() {
        DenseMatrix x = DenseMatrix.of(new double[][] {{1, 2}, {2, 1}, {3, Double.NaN}});

        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .build()
                        .fit(x, new double[] {1, 2, 3}, new double[] {2, 2, 4}))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Column 2 of the features, row 3");
    }

    @Test
    void categoriesThatBecomeManipulableAreNamed() {
        StackelbergModel model = regression().immutable(Set.of("debt")).build().fit(applicants(16));

        assertThat(model.warnings()).anyMatch(w -> w.text().contains("people can now change region"));
    }

    @Test
    void threadsDoNotChangeTheAnswer() {
        Table table = applicants(14);
        double[] one = regression().threads(1).build().fit(table).r();
        double[] two = regression().threads(2).build().fit(table).r();

        assertThat(two).containsExactly(one);
    }
}
