package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Solution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.SphereProblem;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A model file is believed in nothing: whatever is edited in it is noticed and named, and what was fitted is borne out. */
class VerificationTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Workers WORKERS = Workers.of(2);
    private static final int ROWS = 80;

    /** What no data can tell: how long it took and by which way, and what the file was called. */
    private static final Set<String> NOT_IN_THE_DATA = Set.of(
            "provenance.version",
            "provenance.seed",
            "provenance.data.name",
            "provenance.data.sha256",
            "limited.starts");

    private static Table people(double offset) {
        Random random = new Random(5);
        double[] income = random.doubles(ROWS, 10, 90).toArray();
        double[] debt = random.doubles(ROWS, 0, 30).toArray();
        double[] age = random.ints(ROWS, 20, 70).asDoubleStream().toArray();
        double[] same = new double[ROWS];
        String[] region = new String[ROWS];
        double[] score = new double[ROWS];
        double[] gamma = random.doubles(ROWS, 10, 90).toArray();
        for (int i = 0; i < ROWS; i++) {
            region[i] = List.of("north", "south", "west").get(random.nextInt(3));
            score[i] = offset + 4 * income[i] - 6 * debt[i] + age[i] + 25 * random.nextGaussian();
            same[i] = 7;
        }
        debt[3] = Double.NaN;
        return Table.of(
                NumericColumn.of("income", income),
                NumericColumn.of("debt", debt),
                NumericColumn.of("age", age),
                NumericColumn.of("same", same),
                CategoricalColumn.of("region", region),
                NumericColumn.of("score", score),
                NumericColumn.of("gamma", gamma),
                NumericColumn.of("weight", random.doubles(ROWS, 0.5, 2).toArray()));
    }

    private static StackelbergRegression.Builder regression() {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("score")
                .wish("max(y,quantile(0.6))")
                .weight("weight")
                .ignore(Set.of("gamma"))
                .immutable(Set.of("age", "region"))
                .cost("debt", 2)
                // named, so that it is kept, with a warning
                .cost("same", 1)
                .missing(Missing.MEAN)
                .wishNoise(12)
                .gamma(50);
    }

    private static Verification verify(String json, Table table) {
        return Verification.of(ModelFile.fromJson(json, "test"), table, WORKERS);
    }

    /** Every leaf of the file, as the way to it. */
    private static void leaves(JsonNode node, List<Object> way, List<List<Object>> all) {
        if (node.isObject()) {
            node.properties().forEach(part -> leaves(part.getValue(), with(way, part.getKey()), all));
        } else if (node.isArray() && !node.isEmpty()) {
            for (int k = 0; k < node.size(); k++) {
                leaves(node.get(k), with(way, k), all);
            }
        } else {
            all.add(way);
        }
    }

    private static List<Object> with(List<Object> way, Object step) {
        List<Object> longer = new ArrayList<>(way);
        longer.add(step);
        return longer;
    }

    private static String edited(String json, List<Object> way, UnaryOperator<JsonNode> edit) {
        JsonNode root = JSON.readTree(json);
        JsonNode parent = root;
        for (Object step : way.subList(0, way.size() - 1)) {
            parent = step instanceof Integer k ? parent.get(k) : parent.get((String) step);
        }
        Object last = way.get(way.size() - 1);
        if (last instanceof Integer k) {
            ArrayNode array = (ArrayNode) parent;
            array.set(k, edit.apply(array.get(k)));
        } else {
            ObjectNode object = (ObjectNode) parent;
            object.set((String) last, edit.apply(object.get((String) last)));
        }
        return JSON.writeValueAsString(root);
    }

    /** Something else of the same kind; a bound becomes a better one. */
    private static JsonNode other(List<Object> way, JsonNode value) {
        Object key = way.get(way.size() - 1);
        if (value.isBoolean()) {
            return JSON.getNodeFactory().booleanNode(!value.asBoolean());
        }
        if (value.isIntegralNumber()) {
            return JSON.getNodeFactory().numberNode(value.asLong() + 1);
        }
        if (value.isNumber()) {
            double number = value.asDouble();
            if (key.equals("gap")) {
                // of a gap next to 0 a search fixes no digit
                return JSON.getNodeFactory().numberNode(number + 1);
            }
            // a share of the frontier fixes its rule by a loss that is flat there
            double factor =
                    Set.of("residual", "gapBound").contains(key) ? 1e-4 : 1 + (way.contains("frontier") ? 1e-3 : 1e-6);
            return JSON.getNodeFactory().numberNode(number == 0 ? 1e-3 : number * factor);
        }
        if (value.isString()) {
            String text = value.asString();
            Map<String, String> words = Map.of(
                    "IMMUTABLE",
                    "MANIPULABLE",
                    "SCALED",
                    "RAW",
                    "STANDARD",
                    "RANGE",
                    "MEAN",
                    "DROP",
                    "PROVEN",
                    "ESTIMATED");
            return JSON.getNodeFactory().stringNode(words.getOrDefault(text, text + "x"));
        }
        if (value.isArray()) {
            return JSON.createArrayNode().add("income");
        }
        if (value.isNull()) {
            return key.equals("range") ? null : JSON.getNodeFactory().stringNode("age");
        }
        return JSON.createObjectNode().put("income", 3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void editingAnyPartOfTheFileIsNoticed(boolean manipulable) {
        Table table = people(300);
        StackelbergModel model = regression()
                .intercept(manipulable ? GameSpec.Intercept.MANIPULABLE : GameSpec.Intercept.IMMUTABLE)
                .build()
                .fit(table);
        assertEditsAreNoticed(model, table);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void editingAnyPartOfAFileWithARangeOfGammasIsNoticed(boolean regret) {
        Table table = people(300);
        StackelbergModel model =
                regression().gammaSharesBetween(0.2, 0.6).regret(regret).build().fit(table);
        assertEditsAreNoticed(model, table);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.4})
    @Tag("slow")
    void editingAnyPartOfAFileWithAHedgeIsNoticed(double hedge) {
        Table table = people(300);
        StackelbergModel model = regression().gamma(20_000).hedge(hedge).build().fit(table);
        assertEditsAreNoticed(model, table);
        // other threads and another tolerance of the search round otherwise and end elsewhere
        for (double tolerance : new double[] {1e-9, 1e-7}) {
            assertThat(Verification.of(model, table, tolerance, Workers.of(3)).refuted())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3})
    @Tag("slow")
    void editingAnyPartOfAFileOfABalancedRuleIsNoticed(double ridge) {
        Table table = people(300);
        StackelbergModel model = regression()
                .gamma(20_000)
                .hedge(Hedge.BALANCED)
                .ridge(ridge)
                .build()
                .fit(table);
        assertEditsAreNoticed(model, table);
        for (double tolerance : new double[] {1e-9, 1e-7}) {
            assertThat(Verification.of(model, table, tolerance, Workers.of(3)).refuted())
                    .isEmpty();
        }
    }

    @Test
    void aWrongRegretIsNoticed() {
        Table table = people(300);
        StackelbergModel model =
                regression().gamma(20_000).hedge(Hedge.BALANCED).build().fit(table);
        String json = ModelFile.toJson(model);
        Solution.Hedged.Balance balance = model.hedged().orElseThrow().balance();

        assertThat(verify(json, table).refuted()).isEmpty();
        assertThat(names(verify(set(json, balance.regret() / 2, "hedge", "balance", "regret"), table)))
                .contains("hedge.balance.regret");
        assertThat(names(verify(set(json, 1.001 * balance.honestBest(), "hedge", "balance", "honestBest"), table)))
                .containsExactly("hedge.balance.honestBest");
        assertThat(names(verify(set(json, 0.999 * balance.movedBest(), "hedge", "balance", "movedBest"), table)))
                .containsExactly("hedge.balance.movedBest");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void editingAnyPartOfAFileOfAMixedPopulationIsNoticed(boolean own) {
        Table table = people(300);
        StackelbergRegression.Builder mixed = own
                ? regression().rowGamma("gamma").ignore(Set.of())
                : regression().truthfulShare(0.3);
        assertEditsAreNoticed(mixed.build().fit(table), table);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3})
    void editingAnyPartOfAFileWithLimitsIsNoticed(double truthful) {
        Table table = people(300);
        StackelbergModel model =
                regression().truthfulShare(truthful).limit("debt>=0").build().fit(table);
        assertEditsAreNoticed(model, table);
    }

    @Test
    void aWrongGapOnTheFrontierIsNoticed() {
        Table table = people(300);
        String json =
                ModelFile.toJson(regression().gamma(20_000).hedge(0.1).build().fit(table));

        for (double gap : new double[] {-1, 1e-3 * 1e5, 1e300}) {
            assertThat(names(verify(set(json, gap, "hedge", "frontier", 2, "gap"), table)))
                    .containsExactly("hedge.frontier.3.gap");
        }
    }

    private static void assertEditsAreNoticed(StackelbergModel model, Table table) {
        String json = ModelFile.toJson(model);
        // a rule under limits is not proven to be the best
        boolean limited = model.limited().isPresent();
        assertThat(verify(json, table).refuted()).isEmpty();
        assertThat(verify(json, table).certified())
                .as("%s", verify(json, table))
                .isEqualTo(!limited);
        List<List<Object>> ways = new ArrayList<>();
        leaves(JSON.readTree(json), List.of(), ways);
        assertThat(ways).hasSizeGreaterThan(100);

        List<String> unnoticed = new ArrayList<>();
        for (List<Object> way : ways) {
            String path = String.join(".", way.stream().map(Object::toString).toList());
            JsonNode before = JSON.readTree(json);
            for (Object step : way) {
                before = step instanceof Integer k ? before.get(k) : before.get((String) step);
            }
            JsonNode after = other(way, before);
            if (path.startsWith("solver") || NOT_IN_THE_DATA.contains(path) || after == null) {
                continue;
            }
            try {
                Verification again = verify(edited(json, way, value -> after), table);
                if (limited ? again.refuted().isEmpty() : again.certified()) {
                    unnoticed.add(path + ": " + before + " -> " + after);
                }
            } catch (DataException e) {
                // a file that makes no sense is refused before
            }
        }

        assertThat(unnoticed).isEmpty();
    }

    private static List<String> names(Verification verification) {
        return verification.refuted().stream().map(Verification.Claim::name).toList();
    }

    private static String set(String json, Object value, Object... way) {
        JsonNode node = JSON.valueToTree(value);
        return edited(json, List.of(way), before -> node);
    }

    @Test
    void anEditedValueIsNamedTogetherWithTheValueFound() {
        Table table = people(300);
        StackelbergModel model = regression().build().fit(table);
        String json = ModelFile.toJson(model);

        assertThat(names(verify(set(json, model.intercept() + 1, "intercept"), table)))
                .containsExactly("intercept");
        assertThat(names(verify(set(json, 1.0, "losses", "naive"), table))).containsExactly("losses.naive");
        assertThat(names(verify(set(json, false, "optimality", "certified"), table)))
                .containsExactly("optimality.certified");
        assertThat(names(verify(set(json, 0.9, "optimality", "tolerance"), table)))
                .containsExactly("optimality.tolerance");
        assertThat(names(verify(set(json, 1.0, "optimality", "multiplier"), table)))
                .containsExactly("optimality.multiplier");
        assertThat(names(verify(set(json, model.gamma() * (1 + 1e-6), "gamma"), table)))
                .contains("optimality.objective", "terms.income.coefficient");
        Verification removed = verify(set(json, List.of(), "warnings"), table);
        assertThat(names(removed)).containsOnly("warnings").hasSameSizeAs(model.warnings());
        assertThat(removed.refuted().get(0).found()).isEqualTo(model.warnings().get(0));
        assertThat(removed.refuted().get(0).claimed()).isNull();
    }

    /** Ends where a relative gap of 1e-6 or so is left. */
    private static final class Rough implements SphereSolver {
        @Override
        public String name() {
            return "rough";
        }

        @Override
        public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
            SphereResult best = Solvers.named("direct", WORKERS).solve(problem, options, listener);
            double[] r = best.r();
            r[0] += 1e-3;
            Vectors.scale(1 / Vectors.norm(r), r);
            return new SphereResult(r, best.status(), best.effort(), best.note());
        }
    }

    @Test
    void theVerifiersToleranceDecidesNotThatOfTheFile() {
        Table table = people(300);
        StackelbergModel rough = regression()
                .solver(new Rough())
                .options(new SolverOptions(1e-3, 10_000))
                .build()
                .fit(table);
        double gap = rough.optimality().relativeGap();
        assertThat(rough.certified()).isTrue();
        assertThat(gap).isGreaterThan(1e-9);

        Verification strict = Verification.of(rough, table, WORKERS);
        Verification asked = Verification.of(rough, table, 1e-3, WORKERS);

        assertThat(strict.refuted()).isEmpty();
        assertThat(strict.certified()).isFalse();
        assertThat(asked.certified()).isTrue();
    }

    static List<SphereSolver> solvers() {
        return Solvers.names().stream()
                .map(name -> Solvers.named(name, WORKERS))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("solvers")
    void modelsOfEverySolverAreVerifiedWithAnotherNumberOfThreads(SphereSolver solver) {
        for (GameSpec.Intercept intercept : GameSpec.Intercept.values()) {
            for (Scaling scaling : Scaling.values()) {
                Table table = people(scaling == Scaling.NONE ? 0 : 300);
                StackelbergModel model = regression()
                        .intercept(intercept)
                        .scaling(scaling)
                        .solver(solver)
                        .build()
                        .fit(table);
                String json = ModelFile.toJson(model);
                for (int threads : new int[] {1, 3}) {
                    Verification again = Verification.of(ModelFile.fromJson(json, "test"), table, Workers.of(threads));
                    assertThat(again.refuted())
                            .as("%s, %s, %s", solver.name(), intercept, scaling)
                            .isEmpty();
                    assertThat(again.certificate().certified(1e-9)).isEqualTo(model.certified());
                }
            }
        }
    }

    @Test
    void modelsOfMixedPopulationsAreVerified() {
        Table table = people(300);
        for (StackelbergRegression.Builder one : List.of(
                regression().truthfulShare(0.3),
                regression().rowGamma("gamma").ignore(Set.of()),
                regression().rowGamma("gamma").ignore(Set.of()).ridge(0.2),
                regression().rowGamma("gamma").ignore(Set.of()).truthfulShare(0.2))) {
            StackelbergModel model = one.build().fit(table);
            String json = ModelFile.toJson(model);
            for (int threads : new int[] {1, 3}) {
                Verification again = Verification.of(ModelFile.fromJson(json, "test"), table, Workers.of(threads));
                assertThat(again.refuted()).isEmpty();
                assertThat(again.certified()).isTrue();
            }
            assertThat(names(verify(set(json, model.gamma() * (1 + 1e-6), "gamma"), table)))
                    .isNotEmpty();
            assertThat(names(verify(set(json, 3.0, "losses", "honest"), table))).containsExactly("losses.honest");
        }
    }

    /** Two immutable columns that differ in the tenth digit, and a wish nearly all of which is believed: few digits of some numbers are left. */
    @Test
    void digitsLostInRoundingAreNotRefuted() {
        Random random = new Random(8);
        int rows = 50;
        double[] a = random.doubles(rows, -1, 1).toArray();
        double[] v = random.doubles(rows, -1, 1).toArray();
        double[] u = new double[rows];
        double[] y = new double[rows];
        double[] z = new double[rows];
        for (int i = 0; i < rows; i++) {
            u[i] = v[i] + 1e-10 * random.nextGaussian();
            y[i] = a[i] + v[i] + 0.5 * random.nextGaussian();
            z[i] = y[i] + 1 + 1e-3 * random.nextGaussian();
        }
        Table table = Table.of(
                NumericColumn.of("a", a),
                NumericColumn.of(
                        "b",
                        java.util.Arrays.stream(a)
                                .map(x -> 2 * x + 1e-9 * random.nextGaussian())
                                .toArray()),
                NumericColumn.of("u", u),
                NumericColumn.of("v", v),
                NumericColumn.of("y", y),
                NumericColumn.of("z", z));
        for (double gamma : new double[] {1e-4, 1, 1e4}) {
            StackelbergModel model = StackelbergRegression.builder()
                    .hedge(Hedge.NONE)
                    .target("y")
                    .wish("z")
                    .immutable(Set.of("u", "v"))
                    .gamma(gamma)
                    .threads(1)
                    .build()
                    .fit(table);
            for (int threads : new int[] {1, 2, 3}) {
                assertThat(Verification.of(model, table, Workers.of(threads)).refuted())
                        .isEmpty();
            }
        }
    }

    @Test
    void theAbsenceOfAFiniteEquilibriumIsConfirmedButNotCertified() {
        Table table = people(300);
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("score")
                .wish("y+5")
                .missing(Missing.MEAN)
                .build()
                .fit(table);
        assertThat(model.optimality().finite()).isFalse();

        Verification again = verify(ModelFile.toJson(model), table);

        assertThat(again.refuted()).isEmpty();
        assertThat(again.certified()).isFalse();
    }
}
