package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

/** People who differ in how they respond, on the command line. */
class MixedPopulationTest {
    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void people() {
        StringBuilder text = new StringBuilder();
        int row = 0;
        for (String line : Samples.read(Samples.csv(folder)).lines().toList()) {
            text.append(line).append(',');
            text.append(row == 0 ? "effort" : row % 5 == 0 ? "1e30" : String.valueOf(0.1 * (row % 7) + 0.2));
            text.append('\n');
            row++;
        }
        data = Samples.file(folder, "efforts.csv", text.toString());
        model = folder.resolve("model.json");
    }

    @Test
    void aColumnOfEqualGammasEqualsThatGamma() {
        String equal = Samples.read(data)
                .lines()
                .map(line -> line.substring(0, line.lastIndexOf(',')) + (line.startsWith("a,") ? ",effort" : ",0.7"))
                .reduce("", (all, line) -> all + line + "\n");
        Path file = Samples.file(folder, "equal.csv", equal);
        JsonNode mixed = fit(file, "--row-gamma", "effort", "--json").json();
        JsonNode ordinary =
                fit(file, "--ignore", "effort", "--gamma", "0.7", "--json").json();

        for (String key : List.of("objective", "pullThrough", "intercept", "gamma")) {
            double expected = ordinary.path(key).asDouble();
            double tolerance = key.equals("objective") ? 1e-8 : 1e-3;
            assertThat(mixed.path(key).asDouble()).as(key).isCloseTo(expected, within(tolerance * Math.abs(expected)));
        }
        assertThat(mixed.path("proof").asString()).isEqualTo("PROVEN");
        assertThat(mixed.path("certified").asBoolean()).isTrue();
        assertThat(mixed.path("features").asInt())
                .isEqualTo(ordinary.path("features").asInt());
    }

    @Test
    void everyRowIsShownItsOwnPullThrough() {
        JsonNode fitted = fit(data, "--row-gamma", "effort", "--json", "-o", model.toString())
                .json();
        Run predicted = Run.stackelberg("predict", model, data);
        assertThat(predicted.code()).as(predicted.err()).isZero();
        List<String> lines = predicted.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("row,prediction,wish,pull_through,after_response");
        double sum = 0;
        for (int i = 1; i < lines.size(); i++) {
            String[] cells = lines.get(i).split(",");
            double p = Double.parseDouble(cells[1]);
            double z = Double.parseDouble(cells[2]);
            double t = Double.parseDouble(cells[3]);
            assertThat(Double.parseDouble(cells[4])).isCloseTo(p + t * (z - p), within(1e-9));
            if (i % 5 == 0) {
                assertThat(t).isZero();
            }
            sum += t;
        }
        assertThat(sum / (lines.size() - 1))
                .isCloseTo(fitted.path("pullThrough").asDouble(), within(1e-9));

        Path strangers = Samples.file(folder, "strangers.csv", "a,b,kind,hope\n1,2,red,3\n");
        Run without = Run.stackelberg("predict", model, strangers);
        assertThat(without.code()).isZero();
        assertThat(without.out()).startsWith("row,prediction,wish\n1,");
        assertThat(without.err()).contains("the data lack the column 'effort'");
    }

    @Test
    void verifyRecomputesTheProofAndRefutesAWorseRule() {
        fit(data, "--row-gamma", "effort", "--truthful-share", "0.25", "-o", model.toString());
        Run verified = Run.stackelberg("verify", model, data);
        assertThat(verified.code()).as(verified.out()).isZero();
        assertThat(verified.out()).contains("Verified: the rule is globally optimal");

        String text = Samples.read(model);
        Path other = Samples.file(
                folder, "other.json", text.replace("\"truthfulShare\" : 0.25", "\"truthfulShare\" : 0.75"));
        Run refuted = Run.stackelberg("verify", other, data, "--json");
        assertThat(refuted.code()).isEqualTo(4);
        assertThat(refuted.json().path("proof").asString()).isEqualTo("REFUTED");
    }

    /** The loss is S times the honest loss plus (1 - S) times the other, so its minimiser's honest loss cannot rise with S. */
    @Test
    void theLossOnTruthfulRowsFallsWithTheirShare() {
        double before = Double.POSITIVE_INFINITY;
        for (String share : List.of("0", "0.2", "0.5", "0.9", "1")) {
            fit(data, "--ignore", "effort", "--truthful-share", share, "-o", model.toString());
            StackelbergModel fitted = ModelFile.load(model);
            assertThat(fitted.losses().honest()).as(share).isLessThan(before * (1 + 1e-9));
            before = fitted.losses().honest();
            if (share.equals("1")) {
                assertThat(fitted.pullThrough()).isZero();
                assertThat(before).isCloseTo(fitted.losses().naive(), within(1e-9 * before));
            }
        }
        Run run = fit(data, "--ignore", "effort", "--truthful-share", "0.2");
        assertThat(run.out()).contains("20% truthful").contains("on average").contains("Certified");
        assertThat(Run.stackelberg("summary", model).out()).contains("a move by 1 costs");
    }

    @Test
    void tooFewIterationsGiveAnUncertifiedGap() {
        Run run = run(data, "--row-gamma", "effort", "--max-iterations", "3", "--json");
        assertThat(run.code()).isEqualTo(4);
        assertThat(run.json().path("proof").asString()).isEqualTo("ESTIMATED");
        assertThat(run.json().path("status").asString()).isEqualTo("ITERATION_LIMIT");
        assertThat(run.json().path("gapBound").asDouble()).isPositive();
        assertThat(run.json().path("warnings").get(0).asString())
                .contains("Not proven")
                .contains("mixed population");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e308", "1e-308"})
    void gammasBeyondDoublePrecisionAreNamed(String gamma) {
        Run one = Run.stackelberg(
                "fit", data, "--target", "y", "--wish", "hope", "--gamma", gamma, "--truthful-share", "0.3");
        Path far = Samples.file(folder, "far.csv", Samples.read(data).replaceFirst(",1e30\n", ",1e-300\n"));
        Run own = Run.stackelberg("fit", far, "--target", "y", "--wish", "hope", "--row-gamma", "effort");

        assertThat(one.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(one.err()).contains("gamma is " + Double.parseDouble(gamma) + "; its size must lie between");
        assertThat(own.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(own.err()).contains("gamma is 1.0E-300; it must be at least");
    }

    @Test
    void wrongUsageAndInvalidGammasAreNamed() {
        assertThat(run(data, "--row-gamma", "effort", "--gamma", "1").err()).contains("Both --gamma and --row-gamma");
        assertThat(run(data, "--row-gamma", "efort").err()).contains("efort").contains("effort");
        Run share = run(data, "--truthful-share", "1.5");
        assertThat(share.code()).isEqualTo(2);
        assertThat(share.err()).contains("truthful share is 1.5");
        Path bad = Samples.file(folder, "bad.csv", "a,b,kind,y,hope,effort\n1,2,red,1,2,0.5\n2,1,blue,2,2,-1\n");
        Run negative = run(bad, "--row-gamma", "effort");
        assertThat(negative.code()).isEqualTo(3);
        assertThat(negative.err())
                .contains("'effort'")
                .contains("row 2")
                .contains("-1.0")
                .contains("never move");
    }

    private Run fit(Path file, String... options) {
        Run run = run(file, options);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    private Run run(Path file, String... options) {
        List<Object> words =
                new ArrayList<>(List.of("fit", file, "--target", "y", "--wish", "hope", "--hedge", "none"));
        words.addAll(List.of(options));
        return Run.stackelberg(words.toArray());
    }
}
