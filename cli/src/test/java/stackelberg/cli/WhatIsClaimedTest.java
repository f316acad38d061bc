package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** What is printed is true of what is printed: losses of rules, words of proofs, and numbers that are refused where nothing could be said. */
class WhatIsClaimedTest {
    private static final int GAMES = 120;

    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static Run on(String command, Path data, Object... more) {
        List<Object> all = new ArrayList<>(List.of(command, data, "--target", "y", "--wish", "z"));
        all.addAll(List.of(more));
        return Run.stackelberg(all.toArray());
    }

    /** Six rows, one column whose moves are real: next to tau = 1 the loss of the limit used to be printed beside a rule with another loss. */
    @Test
    void printedLossesEqualThoseOfEvaluate() throws IOException {
        int rules = 0;
        for (int k = 0; k < GAMES; k++) {
            Random random = new Random(k);
            StringBuilder text = new StringBuilder("x,y,z\n");
            for (int i = 0; i < 6; i++) {
                double y = Math.round(10 * random.nextGaussian()) / 10.0;
                double more = k % 3 == 0 ? 1 : k % 3 == 1 ? 0 : random.nextGaussian();
                text.append(String.format(Locale.ROOT, "%.1f,%.1f,%.1f%n", random.nextGaussian(), y, y + more));
            }
            Path data = file("game.csv", text.toString());
            Path model = folder.resolve("model.json");
            Run fit = on(
                    "fit",
                    data,
                    "--gamma",
                    "1",
                    "--scale",
                    "none",
                    "--effect",
                    "x=1",
                    "--hedge",
                    "none",
                    "--json",
                    "-o",
                    model);
            JsonNode printed = fit.json();
            Run evaluated = Run.stackelberg("evaluate", model, data, "--json");

            assertThat(fit.err()).doesNotContain("factorise");
            if (printed.get("finite").asBoolean()) {
                rules++;
                double loss = evaluated.json().at("/rules/0/peopleMove/rmse").asDouble();
                assertThat(printed.at("/rmse/moved").asDouble())
                        .as("game %d: %s %s", k, fit.out(), evaluated.out())
                        .isCloseTo(loss, within(1e-9 + 1e-6 * loss));
            } else {
                assertThat(fit.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
            }
        }
        assertThat(rules).isGreaterThanOrEqualTo(GAMES / 2);
    }

    /** A tolerance says what to reach, not what optimal means. */
    @Test
    void aLargeToleranceDoesNotMakeARuleGloballyOptimal() {
        Object[] asked = {
            "fit", Samples.csv(folder), "--target", "y", "--wish", "hope", "--gamma", "0.5..8", "--tolerance", "0.5"
        };
        Run run = Run.stackelberg(asked);
        List<Object> json = new ArrayList<>(List.of(asked));
        json.add("--json");
        JsonNode answer = Run.stackelberg(json.toArray()).json();

        assertThat(answer.get("relativeGap").asDouble()).isBetween(1e-6, 0.5);
        assertThat(answer.get("certified").asBoolean()).isFalse();
        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out()).contains("% of the best").doesNotContain("globally optimal");
    }

    @Test
    void leftOutColumnsAreNotPartOfTheClaim() throws IOException {
        String rows = "%1$s,y,z%n1%2$s,11.2,13%n2%2$s,12.1,13%n3%2$s,12.9,14%n4%2$s,14.2,15%n5%2$s,15.1,17%n";
        Path some = file("some.csv", String.format(rows, "x,year", ",2020"));
        Path all = file("all.csv", String.format(rows, "x", ""));

        assertThat(on("fit", some, "--gamma", "1", "--hedge", "none").out())
                .contains("and no rule of the columns used can be better");
        assertThat(on("fit", all, "--gamma", "1", "--hedge", "none").out())
                .containsPattern("and no rule can be better by more than \\S+ \\(before rounding\\)");
    }

    @Test
    void withoutAnInterceptNoneIsPrinted() throws IOException {
        Path data = file("x.csv", "x,y,z\n1,11.2,13\n2,12.1,13\n3,12.9,14\n4,14.2,15\n5,15.1,17\n");
        Path model = folder.resolve("model.json");
        JsonNode answer = on(
                        "fit", data, "--gamma", "1", "--intercept", "none", "--hedge", "none", "--json", "-o", model)
                .json();

        assertThat(answer.get("intercept").asDouble()).isEqualTo(0);
        assertThat(answer.get("objective").asDouble()).isCloseTo(0.9014, within(5e-5));
        assertThat(Run.stackelberg("verify", model, data).code()).isEqualTo(ExitCode.CERTIFIED);
    }

    @ParameterizedTest
    @CsvSource({
        "fit, --effect, x=1e308, The effect of 'x' is 1.0E308",
        "fit, --effect, x=-1e100, The effect of 'x' is -1.0E100",
        "fit, --effect, x=1e-200, The effect of 'x' is 1.0E-200",
        "fit, --effect, x=NaN, The effect of 'x' is NaN",
        "fit, --cost, x=1e308, The cost of 'x' is 1.0E308",
        "fit, --cost, x=1e-308, The cost of 'x' is 1.0E-308",
        "fit, --cost, x=0, The cost of 'x' is 0",
        "fit, --gamma, 1e308, gamma is 1.0E308",
        "fit, --gamma, 1e-300, gamma is 1.0E-300",
        "fit, --gamma, 1e-300..1, gamma is 1.0E-300",
        "fit, --wish-noise, 1e200, The wish noise is 1.0E200",
        "fit, --wish-noise, -1, The wish noise is -1.0",
        "fit, --ridge, 1e300, The ridge is 1.0E300",
        "fit, --hedge, 1e300%, The hedge is 1.0E298",
        "fit, --hedge, 2, 2",
        "fit, --loss, huber:1e300, The delta of the Huber loss is 1.0E300",
        "fit, --limit, x<=1e300, The limit of 'x' is 1.0E300",
        "fit, --truthful-share, 1.5, The truthful share is 1.5",
        "fit, --tolerance, 1, The tolerance is 1.0",
        "fit, --tolerance, 0, The tolerance is 0.0",
        "fit, --max-iterations, 0, The iteration limit is 0",
        "fit, --se, bootstrap:2000000000, 2000000000",
        "fit, --se, bootstrap:200000000, The number of bootstrap replicates is 200000000",
        "path, --gammas, 1e-300:1:5, A gamma is 1.0E-300",
        "path, --gammas, 1:1e300:5, A gamma is 1.0E300",
        "path, --gammas, 1:2:2000000000, The COUNT is 2000000000",
        "tune, --folds, 1, --folds is 1",
        "tune, --ridges, 1e300, A ridge is 1.0E300",
        "simulate, --rounds, 2000000000, There are 2000000000 rounds",
        "simulate, --inertia, 2, 2",
    })
    void aNumberOutOfItsRangeIsRefusedByNameValueAndRule(String command, String option, String value, String message)
            throws IOException {
        Path data = file("x.csv", "x,y,z\n1,11.2,13\n2,12.1,13\n3,12.9,14\n4,14.2,15\n5,15.1,17\n");
        Run run = on(command, data, option, value);

        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(2);
        assertThat(run.err()).contains(message).contains("must");
    }
}
