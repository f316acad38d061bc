package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** Real datasets whose wish gives the truth away, or nearly. */
class RealPeopleTest {
    @Test
    void insuranceInPaperModeIsNearlyNoRuleAndSaysSo() {
        Run run = insurance("--paper");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.out()).containsPattern("pull-through 1 - [0-9.]+e-");
        assertThat(run.err())
                .contains("The rule hardly restrains people")
                .contains("'smoker=yes' is determined by 'smoker=no'")
                .contains(
                        "'region=southwest' is determined by 'region=northeast', 'region=northwest', 'region=southeast'");
    }

    @Test
    void insuranceWithAnImmutableInterceptHasNoFiniteRule() {
        for (String immutable : new String[] {"none", "age,sex,region,children", "age,sex,region,children,smoker"}) {
            Run run = insurance("--immutable", immutable);
            assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
            assertThat(run.err()).contains("No finite equilibrium");
        }
    }

    @Test
    void wishNoiseGivesAFiniteRule() {
        JsonNode little = insurance("--immutable", "none", "--wish-noise", "1210", "--json")
                .json();
        JsonNode much = insurance("--immutable", "none", "--wish-noise", "12105", "--json")
                .json();

        // a tenth of the standard deviation of the charges, and all of it
        assertThat(little.get("pullThrough").asDouble()).isCloseTo(0.99, within(0.005));
        assertThat(much.get("pullThrough").asDouble()).isCloseTo(0.5, within(0.005));
        assertThat(much.get("certified").asBoolean()).isTrue();
    }

    @Test
    void theDurationOfABuildingFollowsFromItsDates() {
        Path building = RealData.file("building.csv");

        Run run = Run.stackelberg(
                "fit",
                building,
                "--target",
                "V-9",
                "--ignore",
                "V-10",
                "--wish",
                "1.1*y",
                "--wish-noise",
                "200",
                "--gamma",
                "1e5");

        assertThat(run.err())
                .contains(
                        "'V-7' is determined by 'START_YEAR', 'START_QUARTER', 'COMPLETION_YEAR', 'COMPLETION_QUARTER'");
    }

    @Test
    void onHeldOutWinesAnticipatingLosesLess() {
        Path wine = RealData.file("wine.csv");

        JsonNode json = Run.stackelberg(
                        "compare",
                        wine,
                        "--target",
                        "quality",
                        "--wish",
                        "max(y,6)",
                        "--wish-noise",
                        "0.5",
                        "--gamma",
                        "0.5",
                        "--bootstrap",
                        "200",
                        "--json")
                .json();

        assertThat(json.get("saving").get("share").asDouble()).isPositive();
        double honest = json.get("rules").get(0).get("nobodyMoves").get("rmse").asDouble();
        double stackelberg =
                json.get("rules").get(2).get("nobodyMoves").get("rmse").asDouble();
        assertThat(honest).isLessThan(stackelberg);
    }

    private static Run insurance(Object... more) {
        Object[] all = new Object[10 + more.length];
        Object[] fit = {
            "fit",
            RealData.file("insurance.csv"),
            "--target",
            "charges",
            "--wish",
            "max(y-100,0)",
            "--gamma",
            "0.1",
            "--hedge",
            "none"
        };
        System.arraycopy(fit, 0, all, 0, 10);
        System.arraycopy(more, 0, all, 10, more.length);
        return Run.stackelberg(all);
    }
}
