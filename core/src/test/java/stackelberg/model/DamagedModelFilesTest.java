package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;
import stackelberg.model.export.RuleAsPmml;
import stackelberg.model.export.RuleAsSql;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a model file holds, it is used or refused with a reason. */
class DamagedModelFilesTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Workers WORKERS = Workers.of(1);

    private static Table people() {
        Random random = new Random(3);
        int rows = 30;
        String[] region = new String[rows];
        double[] score = new double[rows];
        double[] income = random.doubles(rows, 10, 90).toArray();
        for (int i = 0; i < rows; i++) {
            region[i] = List.of("north", "south", "west").get(i % 3);
            score[i] = 4 * income[i] + 25 * random.nextGaussian();
        }
        return Table.of(
                NumericColumn.of("income", income),
                CategoricalColumn.of("region", region),
                NumericColumn.of("score", score));
    }

    private static String fitted(Table table) {
        return ModelFile.toJson(StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("score")
                .wish("max(y,quantile(0.6))")
                .cost("income", 2)
                .gamma(50)
                .build()
                .fit(table));
    }

    /** Every part of the file, as the way to it. */
    private static void parts(JsonNode node, List<Object> way, List<List<Object>> all) {
        if (!way.isEmpty()) {
            all.add(way);
        }
        node.properties().forEach(part -> parts(part.getValue(), with(way, part.getKey()), all));
        for (int k = 0; node.isArray() && k < node.size(); k++) {
            parts(node.get(k), with(way, k), all);
        }
    }

    private static List<Object> with(List<Object> way, Object step) {
        List<Object> longer = new ArrayList<>(way);
        longer.add(step);
        return longer;
    }

    /** @param value empty to take the part out */
    private static String with(String json, List<Object> way, Optional<JsonNode> value) {
        JsonNode root = JSON.readTree(json);
        JsonNode parent = root;
        for (Object step : way.subList(0, way.size() - 1)) {
            parent = step instanceof Integer k ? parent.get(k) : parent.get((String) step);
        }
        Object last = way.get(way.size() - 1);
        if (last instanceof Integer k) {
            ArrayNode array = (ArrayNode) parent;
            value.ifPresentOrElse(node -> array.set(k, node), () -> array.remove(k));
        } else {
            ObjectNode object = (ObjectNode) parent;
            value.ifPresentOrElse(node -> object.set((String) last, node), () -> object.remove((String) last));
        }
        return JSON.writeValueAsString(root);
    }

    @Test
    void aFileWithAnyPartNullAbsentOrOfAnotherTypeIsRefusedClearly() {
        Table table = people();
        String json = fitted(table);
        List<List<Object>> ways = new ArrayList<>();
        parts(JSON.readTree(json), List.of(), ways);
        List<Optional<JsonNode>> others = new ArrayList<>(List.of(Optional.empty()));
        for (Object value :
                new Object[] {"x", "", -1, 0, 1e308, true, List.of(), List.of("x"), Map.of(), Map.of("x", 1)}) {
            others.add(Optional.of(JSON.valueToTree(value)));
        }
        others.add(Optional.of(JSON.getNodeFactory().nullNode()));

        List<String> unexpected = new ArrayList<>();
        int refused = 0;
        for (List<Object> way : ways) {
            for (Optional<JsonNode> other : others) {
                try {
                    use(ModelFile.fromJson(with(json, way, other), "model.json"), table);
                } catch (DataException e) {
                    refused++;
                } catch (RuntimeException | StackOverflowError e) {
                    unexpected.add(way + " = " + other + ": " + e);
                }
            }
        }

        assertThat(unexpected).isEmpty();
        assertThat(refused).isGreaterThan(ways.size());
    }

    private static void use(StackelbergModel model, Table table) {
        model.toString();
        double[] predictions = model.predict(table);
        model.wishes(table, predictions).ifPresent(z -> model.afterResponse(predictions, z));
        RuleAsSql.expression(model, stackelberg.data.Encoding.UnknownLevel.ZERO);
        RuleAsPmml.document(model, stackelberg.data.Encoding.UnknownLevel.ZERO);
        Verification.of(model, table, WORKERS).certified();
    }

    @Test
    void aCategoryWithoutItsMostFrequentLevelIsRefused() {
        String json = fitted(people());

        assertThatThrownBy(() -> ModelFile.fromJson(
                        json.replaceFirst("\"mostFrequentLevel\" : \"[a-z]+\"", "\"mostFrequentLevel\" : null"),
                        "m.json"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("feature 'region' has the most frequent level null");
    }

    /** By the logistic loss its verification never ended. */
    @Test
    void aFiniteModelWithoutAFiniteInterceptIsRefused() {
        String json = fitted(people());
        String damaged = with(json, List.of("intercept"), Optional.of(JSON.readTree("\"NaN\"")));

        assertThatThrownBy(() -> ModelFile.fromJson(damaged, "model.json"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("not finite");
    }

    @Test
    void deepNestingIsReportedAsSuch() {
        String deep = "{\"format\":".repeat(100_000) + "1" + "}".repeat(100_000);

        assertThatThrownBy(() -> ModelFile.fromJson(deep, "deep.json"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("nested too deeply")
                .hasMessageNotContaining("cut off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"terms", "parentheses", "signs", "powers", "functions"})
    void aModelWithAnOverlongWishIsRefused(String kind) {
        Table table = people();
        String wish =
                switch (kind) {
                    case "terms" -> "y" + "+y".repeat(60_000);
                    case "parentheses" -> "(".repeat(60_000) + "y" + ")".repeat(60_000);
                    case "signs" -> "-".repeat(60_000) + "y";
                    case "powers" -> "y" + "^y".repeat(60_000);
                    default -> "abs(".repeat(60_000) + "y" + ")".repeat(60_000);
                };
        String json = with(fitted(table), List.of("game", "wish"), Optional.of(JSON.valueToTree(wish)));

        assertThatThrownBy(() -> use(ModelFile.fromJson(json, "model.json"), table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("more than 300 operators")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }
}
