package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a command prints for a person stands in its JSON too; weighted means are called so; groups are no features without a word. */
class FiguresTest {
    private static final Pattern FIGURE = Pattern.compile("-?[0-9][0-9,]*(\\.([0-9]+))?(e[-+]?([0-9]+))?%?");

    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void people() {
        String[] lines = Samples.read(Samples.csv(folder)).split("\\R");
        StringBuilder csv = new StringBuilder(lines[0] + ",count,family,ease\n");
        for (int i = 1; i < lines.length; i++) {
            csv.append(lines[i] + "," + (1 + i % 4) + "," + (i % 2 == 0 ? "even" : "odd") + "," + (1 + i % 3) + "\n");
        }
        data = Samples.file(folder, "counted.csv", csv.toString());
    }

    @Test
    void everyFigureThatFitPrintsIsInItsJson() {
        for (List<String> options : List.of(
                List.<String>of(),
                List.of("--weight", "count"),
                List.of("--truthful-share", "0.3"),
                List.of("--row-gamma", "ease"),
                List.of("--effect", "a=1.5", "--effect", "b=-0.2"),
                List.of("--wish", "y+1"))) {
            Run text = fit(options);
            Run json = fit(options, "--json");
            int found = figuresKnown(text, json, options.toString());
            assertThat(found).isGreaterThan(options.contains("y+1") ? 5 : 10);
            assertThat(json.json().get("target").asString()).isEqualTo("y");
        }
    }

    /** How many figures a command prints, all of which are in its JSON. */
    static int figuresKnown(Run text, Run json, String as) {
        List<Double> known = new ArrayList<>();
        numbers(json.json(), known);
        Matcher figures = FIGURE.matcher(text.out());
        int found = 0;
        while (figures.find()) {
            String figure = figures.group();
            found++;
            if (!json.out().contains(figure)) {
                boolean bound = text.out().startsWith("at most ", figures.start() - "at most ".length());
                assertThat(known).as(as + " " + figure).anyMatch(value -> isRounded(value, figures, figure, bound));
            }
        }
        return found;
    }

    private static void numbers(JsonNode node, List<Double> known) {
        if (node.isNumber()) {
            known.add(node.asDouble());
        }
        node.forEach(child -> numbers(child, known));
    }

    /** @param bound whether the figure is rounded up */
    private static boolean isRounded(double value, Matcher parts, String figure, boolean bound) {
        double written = Double.parseDouble(figure.replaceAll("[,%]", ""));
        double exponent =
                parts.group(3) == null ? 0 : Double.parseDouble(parts.group(3).substring(1));
        int decimals = parts.group(2) == null ? 0 : parts.group(2).length();
        double unit = Math.pow(10, exponent - decimals);
        double off = written - (figure.endsWith("%") ? 100 * value : value);
        return bound ? off > -1e-4 * unit && off < unit : Math.abs(off) <= 0.5001 * unit;
    }

    @Test
    void weightedErrorsAreShownBesideTheLoss() {
        Path model = folder.resolve("weighted.json");
        Run run = fit(List.of("--weight", "count", "-o", model.toString()));
        JsonNode json = fit(List.of("--weight", "count"), "--json").json();
        double total = 0;
        for (int i = 1; i <= Samples.ROWS; i++) {
            total += 1 + i % 4;
        }

        assertThat(run.out()).contains("weighted RMSE").contains("weighted loss");
        assertThat(json.get("totalWeight").asDouble()).isEqualTo(total);
        assertThat(json.get("rmse").get("anticipated").asDouble())
                .isCloseTo(Math.sqrt(json.get("objective").asDouble() / total), within(1e-12));
        assertThat(Run.stackelberg("summary", model).out())
                .contains("weighted RMSE")
                .contains("weighted loss");
        assertThat(Run.stackelberg("summary", model, "--json").json().get("rmse"))
                .isEqualTo(json.get("rmse"));
        assertThat(Run.stackelberg("evaluate", model, data).out()).contains("weighted by 'count'");
        JsonNode evaluated = Run.stackelberg("evaluate", model, data, "--json").json();
        assertThat(evaluated.get("totalWeight").asDouble()).isEqualTo(total);
        assertThat(evaluated.get("weight").asString()).isEqualTo("count");
        assertThat(evaluated.get("rules").get(0).get("peopleMove").get("rmse").asDouble())
                .isCloseTo(json.get("rmse").get("anticipated").asDouble(), within(1e-9));
        Object[] compare = {
            "compare", data, "--target", "y", "--wish", "hope", "--ignore", "family,ease", "--weight", "count"
        };
        assertThat(Run.stackelberg(compare).out()).contains("weighted by 'count'");
        assertThat(Run.stackelberg(
                                "path", data, "--target", "y", "--wish", "hope", "--weight", "count", "--gammas", "1,2")
                        .out())
                .contains("weighted RMSE");
    }

    /** Files that were written before know their losses, but not the sum of the weights. */
    @Test
    void theLossesOfOlderModelsArePrinted() {
        Path model = folder.resolve("weighted.json");
        fit(List.of("--weight", "count", "-o", model.toString()));
        Path older = Samples.file(
                folder,
                "older.json",
                Samples.read(model).replaceAll("\"totalWeight\" : [0-9.]+,", "").replaceAll("\"id\" : null,", ""));
        assertThat(Samples.read(older)).doesNotContain("totalWeight").doesNotContain("\"id\"");

        Run run = Run.stackelberg("summary", older);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("weighted loss").doesNotContain("RMSE");
        assertThat(Run.stackelberg("summary", older, "--json")
                        .json()
                        .get("rmse")
                        .get("anticipated")
                        .isNull())
                .isTrue();
    }

    @Test
    void aGroupIsNotAFeatureAndANoteSaysSo() {
        Run run = fit(List.of("--group", "family"), "--json");
        assertThat(run.err())
                .contains("'family' is not used as a feature, because --group names it")
                .contains("--features");
        assertThat(run.json().get("coefficients").has("family=odd")).isFalse();
        assertThat(fit(List.of("--group", "family", "-q")).err()).isEmpty();
    }

    @Test
    void aGroupNamedInFeaturesIsAFeature() {
        Run run = fit(List.of("--group", "family", "--features", "a,b,family"), "--json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).doesNotContain("no feature");
        assertThat(run.json().get("coefficients").has("family=odd")).isTrue();
        for (String command : List.of("tune", "compare", "path")) {
            List<Object> words = new ArrayList<>(List.of(command, data, "--target", "y", "--wish", "hope"));
            words.addAll(List.of("--group", "ease", "--features", "a,b,ease"));
            words.addAll(command.equals("tune") ? List.of("--folds", "3") : List.of());
            Run other = Run.stackelberg(words.toArray());
            assertThat(other.code()).as(command + other.err()).isZero();
            assertThat(other.err()).doesNotContain("no feature");
        }
    }

    @Test
    void headlinesAreRounded() {
        Path page = folder.resolve("page.html");
        Run run = fit(List.of("--report", page.toString()));

        assertThat(run.out()).containsPattern("The loss is [0-9]\\.[0-9]{4}, and");
        assertThat(Samples.read(page)).containsPattern("The loss is [0-9]\\.[0-9]{4}, and");
    }

    private Run fit(List<String> options, String... more) {
        List<Object> words = new ArrayList<>(List.of("fit", data, "--target", "y"));
        if (!options.contains("--wish")) {
            words.addAll(List.of("--wish", "hope"));
        }
        words.addAll(options);
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }
}
