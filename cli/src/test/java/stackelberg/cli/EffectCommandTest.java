package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** Saved money is real, a label is not. */
class EffectCommandTest {
    private static final double SAVED = 0.5;
    private static final double GAMMA = 2;
    private static final int PEOPLE = 120;

    @TempDir
    Path folder;

    private Path before;
    private Path first;
    private Path second;
    private final List<double[]> people = new ArrayList<>();

    @BeforeEach
    void write() {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder("who,saved,label,hope,paid,city\n");
        for (int i = 0; i < PEOPLE; i++) {
            double[] one = {random.nextGaussian(), random.nextGaussian(), 3 * random.nextDouble(), random.nextGaussian()
            };
            people.add(one);
            text.append(line(i, one, one[3]));
        }
        before = Samples.file(folder, "before.csv", text.toString());
        first = Samples.file(folder, "first.csv", "term,coefficient\nintercept,1\nsaved,2\nlabel,1\n");
        second = Samples.file(folder, "second.csv", "term,coefficient\nintercept,1\nsaved,1\nlabel,3\n");
    }

    private static String line(int i, double[] one, double paid) {
        return "p" + i + "," + one[0] + "," + one[1] + "," + one[2] + "," + paid + "," + city(i) + "\n";
    }

    private static String city(int i) {
        return i % 4 < 2 ? "north" : "south";
    }

    /** Those of the given remainder after the rule, in any order; moving the label costs the south more. */
    private Path after(String name, double saved, double label, double south, int... of) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < PEOPLE; i++) {
            int rest = i % 2;
            if (Arrays.stream(of).noneMatch(r -> r == rest)) {
                continue;
            }
            double cost = city(i).equals("south") ? south : 1;
            double step = people.get(i)[2] / (GAMMA + saved * saved + label * label / cost);
            double[] moved = people.get(i).clone();
            moved[0] += saved * step;
            moved[1] += label / cost * step;
            lines.add(line(i, moved, moved[3] + 1 + SAVED * saved * step));
        }
        Collections.shuffle(lines, new Random(2));
        return Samples.file(folder, name, "who,saved,label,hope,paid,city\n" + String.join("", lines));
    }

    private Run effect(Object... more) {
        List<Object> words = new ArrayList<>(List.of("effect", "--before", before, "--id", "who", "--bootstrap", "50"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }

    private static final Object[] NONE = {};

    private Object[] declared(Object... more) {
        List<Object> words =
                new ArrayList<>(List.of("--rule", first, "--target", "paid", "--wish", "p+hope", "--scale", "none"));
        words.addAll(List.of(more.length == 0 ? NONE : more));
        return words.toArray();
    }

    @Test
    void twoRulesIdentifyTwoEffects() {
        Path one = after("one.csv", 2, 1, 1, 0);
        Path two = after("two.csv", 1, 3, 1, 1);

        Run run = effect(declared("--other-rule", second, "--after", one, "--after", two, "--json"));

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode json = run.json();
        assertThat(json.propertyNames())
                .containsExactly(
                        "people",
                        "identified",
                        "rules",
                        "effects",
                        "notIdentified",
                        "notRewarded",
                        "warnings",
                        "warningCodes");
        assertThat(json.get("people").asInt()).isEqualTo(PEOPLE);
        assertThat(json.get("effects").get(0).get("feature").asString()).isEqualTo("saved");
        assertThat(json.get("effects").get(0).get("effect").asDouble()).isCloseTo(SAVED, within(1e-6));
        assertThat(json.get("effects").get(1).get("effect").asDouble()).isCloseTo(0, within(1e-6));
        JsonNode rule = json.get("rules").get(0);
        assertThat(rule.propertyNames())
                .containsExactly(
                        "rule",
                        "people",
                        "closed",
                        "closedInterval",
                        "earned",
                        "earnedInterval",
                        "real",
                        "realInterval",
                        "combination",
                        "combinationInterval",
                        "notAllGaming");
        assertThat(rule.get("closed").asDouble()).isCloseTo(5 / (GAMMA + 5), within(1e-9));
        assertThat(rule.get("combination").asDouble()).isCloseTo(2 * SAVED, within(1e-9));
        assertThat(rule.get("notAllGaming").asBoolean()).isTrue();
    }

    @Test
    void effectsOfSeveralColumnsCannotBeEstimatedFromOneRule() {
        Path one = after("one.csv", 2, 1, 1, 0, 1);

        Run run = effect(declared("--after", one));

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out())
                .contains("the moves were not all gaming")
                .contains("Effects that cannot be separated with these rules: saved, label.")
                .doesNotContain("effect of one unit");
        assertThat(run.err()).contains("One rule identifies no more than one combination");
    }

    @Test
    void populationsWithOtherCostsIdentifyEffectsUnderOneRule() {
        Path one = after("one.csv", 2, 1, 6, 0, 1);

        Run run = effect(declared("--after", one, "--population", "city", "--effect", "saved=0.4"));

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("north")
                .contains("south")
                .contains("effect of one unit")
                .contains("0.40000");
    }

    @Test
    void aModelMayHaveBeenOneOfTheRules() {
        Path file = folder.resolve("model.json");
        Run fit = Run.stackelberg(
                "fit",
                before,
                "--target",
                "paid",
                "--wish",
                "y+hope",
                "--features",
                "saved,label",
                "--gamma",
                "1",
                "-o",
                file,
                "-q");
        assertThat(fit.code()).as(fit.err()).isZero();

        Run run = effect(
                file,
                "--other-rule",
                second,
                "--after",
                after("one.csv", 2, 1, 1, 0),
                "--after",
                after("two.csv", 1, 3, 1, 1),
                "--json");

        assertThat(run.json().get("rules").get(0).get("rule").asString()).isEqualTo("model.json");
        assertThat(run.json().get("warnings").toString()).contains("regression to the mean");
    }

    @Test
    void optionsThatExcludeEachOtherAreRefused() {
        Path one = after("one.csv", 2, 1, 1, 0);

        Run rules = effect(declared("--other-rule", second, "--after", one));
        assertThat(rules.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(rules.err()).contains("2 rules but 1 --after tables");
        assertThat(effect(declared("--after", one, "--gamma", "3")).err())
                .contains("--gamma: effects are estimated from");
        assertThat(effect(declared("--after", one, "--limit", "saved>=0")).code())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(effect(declared("--after", one, "--before", one, "--before", one))
                        .err())
                .contains("3 --before tables but 1 --after tables");
        Run target = effect("--rule", first, "--wish", "p+hope", "--after", one);
        assertThat(target.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(target.err()).contains("Which outcomes?").contains("--target");
        Path without = Samples.file(folder, "without.csv", "who,saved,label\np0,1,2\np1,2,1\n");
        Run outcomes = effect(declared("--after", without));
        assertThat(outcomes.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(outcomes.err()).contains("paid");
    }

    @Test
    void outcomesThatAreMissingLaterAreLeftOutOrRefused() {
        Path one = after("one.csv", 2, 1, 1, 0, 1);
        String text = Samples.read(one);
        int at = text.indexOf('\n') + 1;
        String[] cells = text.substring(at, text.indexOf('\n', at)).split(",");
        Path gaps = Samples.file(
                folder,
                "gaps.csv",
                text.replace(
                        String.join(",", cells),
                        String.join(",", cells[0], cells[1], cells[2], cells[3], "", cells[5])));

        assertThat(effect(declared("--after", gaps)).code()).isEqualTo(ExitCode.BAD_DATA);
        Run dropped = effect(declared("--after", gaps, "--missing", "drop", "--json"));
        assertThat(dropped.json().get("people").asInt()).isEqualTo(PEOPLE - 1);
    }
}
