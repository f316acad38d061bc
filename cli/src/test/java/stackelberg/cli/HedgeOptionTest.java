package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.game.Hedge;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

/** {@code --hedge} in the commands that fit: what it bounds, what it says, and what it does not go with. */
class HedgeOptionTest {
    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void sample() {
        data = Samples.csv(folder);
        model = folder.resolve("model.json");
    }

    private Run run(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, data, "--target", "y", "--wish", "hope"));
        words.addAll(Arrays.asList(more));
        return Run.stackelberg(words.toArray());
    }

    private static double number(JsonNode node, String... way) {
        JsonNode at = node;
        for (String step : way) {
            at = at.get(step);
        }
        return at.asDouble();
    }

    /** Games whose rule of today is least squares, with the loss and the number of sphere problems of version 0.2, which measured the hedge from today's rule. */
    private enum Known {
        WINE(676.4012448019907, 882, "--target", "quality", "--wish", "max(today,6)"),
        INSURANCE(52859923574.64121, 890, "--target", "charges", "--wish", "min(today,10000)"),
        BUILDING(
                31873093.292640924,
                929,
                "--target",
                "V-9",
                "--features",
                "START_YEAR,V-1,V-2,V-3,V-4,V-5,V-6,V-7,V-8",
                "--categorical",
                "V-1",
                "--immutable",
                "START_YEAR,V-1,V-2,V-3",
                "--wish",
                "max(today,quantile(today,0.75))"),
        DEMO(21232.064331566922, 915, "--target", "score", "--wish", "hoped_for", "--immutable", "age,region");

        private final double loss;
        private final int problems;
        private final List<String> options;

        Known(double loss, int problems, String... options) {
            this.loss = loss;
            this.problems = problems;
            this.options = List.of(options);
        }

        private Path data(Path folder) {
            if (this != DEMO) {
                return RealData.file(name().toLowerCase(Locale.ROOT) + ".csv");
            }
            Path loans = folder.resolve("loans.csv");
            Run.stackelberg("demo", "--no-report", "--quiet", "--write-data", loans);
            return loans;
        }
    }

    @ParameterizedTest
    @EnumSource(Known.class)
    void hedgedRulesEqualThoseOfASearchOverSharesInATenthOfItsSphereProblems(Known known) {
        List<Object> words = new ArrayList<>(List.of("fit", known.data(folder)));
        words.addAll(known.options);
        words.addAll(List.of("--gamma", "30%", "--hedge", "5%", "--json"));

        JsonNode json = Run.stackelberg(words.toArray()).json();

        assertThat(number(json, "objective")).isCloseTo(known.loss, within(1e-8 * known.loss));
        assertThat(number(json, "iterations")).isBetween(1.0, known.problems / 10.0);
        assertThat(json.get("certified").asBoolean()).isTrue();
    }

    @Test
    void theRuleKeepsItsBoundAndTheFrontierIsPrinted() {
        JsonNode json = run("fit", "--hedge", "2%", "--json").json();
        JsonNode pure = run("fit", "--hedge", "none", "--json").json();

        assertThat(pure.get("hedge").isNull()).isTrue();
        assertThat(pure.get("frontier").isNull()).isTrue();
        double naive = number(json, "rmse", "naive");
        assertThat(number(pure, "rmse", "honest")).isGreaterThan(1.02 * naive);
        assertThat(number(json, "rmse", "honest")).isCloseTo(1.02 * naive, within(1e-9 * naive));
        assertThat(number(json, "hedge", "worse")).isEqualTo(0.02);
        assertThat(number(json, "hedge", "boundRmse")).isCloseTo(1.02 * naive, within(1e-12 * naive));
        assertThat(number(json, "hedge", "share")).isBetween(1e-6, 1 - 1e-6);
        assertThat(json.get("certified").asBoolean()).isTrue();
        JsonNode frontier = json.get("frontier");
        JsonNode last = frontier.get(frontier.size() - 1);
        assertThat(number(frontier.get(0), "moved"))
                .isCloseTo(number(pure, "objective"), within(1e-10 * number(pure, "objective")));
        assertThat(number(last, "share")).isEqualTo(1);
        assertThat(number(last, "honestRmse")).isCloseTo(naive, within(1e-12 * naive));
        for (int k = 1; k < frontier.size(); k++) {
            assertThat(number(frontier.get(k), "honest")).isLessThan(number(frontier.get(k - 1), "honest"));
            assertThat(number(frontier.get(k), "moved")).isGreaterThan(number(frontier.get(k - 1), "moved"));
        }
        assertThat(run("fit", "--hedge", "0.02", "--json").json().get("objective"))
                .isEqualTo(json.get("objective"));
    }

    @Test
    void theSummaryShowsTheFrontierAndAHedgedModelVerifies() {
        Run told = run("fit", "--hedge", "2%", "-o", model);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out())
                .contains("all rules that are at most 2% worse than the best rule if nobody moves")
                .contains("this rule")
                .contains("no hedge")
                .contains("no rule at most 2% worse than the best if nobody moves can be better by more than");
        StackelbergModel fitted = ModelFile.load(model);
        assertThat(fitted.game().hedge()).isEqualTo(Hedge.atMost(0.02));
        assertThat(Run.stackelberg("summary", model).out())
                .contains("at most 2% worse than the best rule")
                .containsPattern("hedge +0.02");
        Run verified = Run.stackelberg("verify", model, data, "--full");
        assertThat(verified.code()).as(verified.out() + verified.err()).isZero();
        assertThat(verified.out()).contains("hedge.bound").contains("hedge.kept");
        Path edited = Samples.file(
                folder, "edited.json", Samples.read(model).replace("\"hedge\" : 0.02", "\"hedge\" : 0.01"));
        assertThat(Run.stackelberg("verify", edited, data).code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        for (String command : List.of("respond", "evaluate", "predict")) {
            Run answered = Run.stackelberg(command, model, data);
            assertThat(answered.code()).as(answered.err()).isZero();
        }
        Run sdpa = Run.stackelberg("export", data, "--target", "y", "--wish", "hope", "--as", "sdpa", "--hedge", "2%");
        assertThat(sdpa.code()).isEqualTo(2);
    }

    @Test
    void aReportOfAHedgedRuleIsWritten() {
        Path page = folder.resolve("page.html");
        Run told = run("fit", "--hedge", "2%", "--report", page);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(Samples.read(page)).contains("at most 2% worse than the best if nobody moves");
    }

    /** Better rules are on the page's own frontier. */
    @Test
    void theSealOfAHedgedRuleSaysWhatTerminalAndJsonSay() {
        Path page = folder.resolve("page.html");
        String printed = run("fit", "--hedge", "2%").out();
        JsonNode json = run("fit", "--hedge", "2%", "--report", page, "--json").json();
        String claim = json.get("claim").asString();

        assertThat(claim).contains("no rule at most 2% worse than the best if nobody moves can be better by more than");
        assertThat(printed).contains("Certified: globally optimal within the hedge. " + claim);
        assertThat(Samples.read(page))
                .contains("\"exact\":\"" + claim)
                .contains("no linear rule at most 2% worse than the best if nobody moves does better.")
                .doesNotContain("no linear rule does better", "Proven: no better rule exists");
        assertThat(run("fit", "--hedge", "none", "--json").json().get("claim").asString())
                .contains(", and no rule can be better by more than");
    }

    @Test
    void aPathIsHedgedAtEveryGamma() {
        JsonNode path = run("path", "--gammas", "0.3,3", "--hedge", "2%", "--json")
                .json()
                .get("path");
        for (JsonNode at : path) {
            assertThat(number(at, "rmse", "honest"))
                    .isLessThanOrEqualTo(1.02 * number(at, "rmse", "naive") * (1 + 1e-12));
            assertThat(at.get("certified").asBoolean()).isTrue();
        }
    }

    @Test
    void comparedRulesAreTestedOnTheSameRows() {
        JsonNode rules =
                run("compare", "--test", data, "--hedge", "2%", "--json").json().get("rules");
        JsonNode hedged = rules.get(3);
        JsonNode fit = run("fit", "--hedge", "2%", "--json").json();

        assertThat(hedged.get("rule").asString()).isEqualTo("hedged");
        assertThat(number(hedged, "hedge")).isEqualTo(0.02);
        assertThat(number(hedged, "peopleMove", "mse") * Samples.ROWS)
                .isCloseTo(number(fit, "objective"), within(1e-9 * number(fit, "objective")));
        assertThat(run("compare").out()).contains("balanced");
        assertThat(run("compare", "--ridge", "0.1", "--hedge", "5%").out()).contains("hedged 5%");
    }

    @Test
    void aHedgeCanBeCombinedWithARidge() {
        JsonNode fit = run("fit", "--hedge", "2%", "--ridge", "0.3", "--json").json();
        assertThat(fit.get("certified").asBoolean()).isTrue();
        assertThat(number(fit, "rmse", "honest")).isLessThanOrEqualTo(number(fit, "hedge", "boundRmse") * (1 + 1e-11));
        double penalty = 0.3 * number(fit, "totalWeight") * number(fit, "gamma") * number(fit, "pullThrough");
        assertThat(number(fit, "losses", "anticipated") + penalty)
                .isCloseTo(number(fit, "objective"), within(1e-9 * number(fit, "objective")));
        for (JsonNode at : run("path", "--hedge", "2%", "--ridge", "0.3", "--gammas", "1,10", "--json")
                .json()
                .get("path")) {
            assertThat(at.get("certified").asBoolean()).isTrue();
        }
        assertThat(run("fit", "--hedge", "2%", "--ridge", "0.3").out())
                .contains("Hedged: ")
                .contains("the rest to the loss after the move and the ridge's penalty");
    }

    @Test
    void optionsThatExcludeAHedgeAreRefusedByName() {
        record Refused(List<String> words, String name) {}
        for (Refused refused : List.of(
                new Refused(List.of("fit", "--truthful-share", "0.3"), "--truthful-share"),
                new Refused(List.of("fit", "--row-gamma", "a"), "--row-gamma"))) {
            List<Object> more = new ArrayList<>(refused.words.subList(1, refused.words.size()));
            more.addAll(List.of("--hedge", "5%"));
            Run told = run(refused.words.get(0), more.toArray());
            assertThat(told.code()).as(refused + told.err()).isEqualTo(2);
            assertThat(told.err()).contains("--hedge").contains(refused.name);
        }
        for (String hedge : List.of("5", "1", "12.5")) {
            Run told = run("fit", "--hedge", hedge);
            assertThat(told.code()).as(told.err()).isEqualTo(2);
            assertThat(told.err()).contains("Maybe " + hedge + "%?");
        }
        assertThat(run("fit", "--hedge", "500%").code()).isZero();
        for (String hedge : List.of("0", "-5%", "much", "5%%")) {
            Run told = run("fit", "--hedge", hedge);
            assertThat(told.code()).as(told.err()).isEqualTo(2);
            assertThat(told.err()).contains("hedge");
        }
    }

    /** People whose wishes say nothing of their truth: the rule without a hedge leans on the features far too much if nobody moves. */
    @Test
    void aRuleMuchWorseWithoutMovesGetsANoteOnHedging() {
        StringBuilder csv = new StringBuilder("x,y,hope\n");
        for (int i = 0; i < 40; i++) {
            double x = i / 10.0 - 2;
            csv.append(x)
                    .append(',')
                    .append(x + 0.3 * (i % 3 - 1))
                    .append(',')
                    .append(Math.max(x, 0.5))
                    .append('\n');
        }
        Path people = Samples.file(folder, "people.csv", csv.toString());
        Run pure =
                Run.stackelberg("fit", people, "--target", "y", "--wish", "hope", "--gamma", "1.5", "--hedge", "none");
        assertThat(pure.code()).as(pure.err()).isZero();
        assertThat(pure.out())
                .containsPattern("If nobody moves, this rule's error is [0-9.]+% worse than today's: ")
                .contains("Maybe use --hedge balanced, which bounds that.");
        assertThat(Run.stackelberg("fit", people, "--target", "y", "--wish", "hope", "--gamma", "1.5")
                        .out())
                .doesNotContain("If nobody moves, this rule's error is");
        assertThat(run("fit", "--gamma", "1e6", "--hedge", "none").out()).doesNotContain("If nobody moves");
    }
}
