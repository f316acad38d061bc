package stackelberg.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stackelberg.game.Response;
import tools.jackson.databind.json.JsonMapper;

/** The page's script knows in closed form what a response does; these are the library's numbers. */
@Tag("browser")
class ResponseScriptTest {
    private static final double ROUNDING = 1e-14;

    /** Stretch, gamma, A, E, D, p, z, earned: everything of moderate size, and rules that people hardly move or move all the way. */
    private static List<double[]> games() {
        Random random = new Random(7);
        List<double[]> games = new ArrayList<>();
        for (double stretch : new double[] {0, 1e-12, 1e-3, 1, 50, 1e9, 1e17}) {
            for (double gamma : new double[] {1e-9, 0.1, 1, 1e3, 1e12}) {
                double a = 100 * random.nextDouble();
                double d = 100 * random.nextDouble();
                double e = (2 * random.nextDouble() - 1) * Math.sqrt(a * d);
                double p = 1e6 * random.nextGaussian();
                double z = random.nextGaussian();
                for (double earned : new double[] {0, stretch * random.nextDouble(), stretch * random.nextGaussian()}) {
                    games.add(new double[] {stretch, gamma, a, e, d, p, z, earned});
                }
            }
        }
        return games;
    }

    @Test
    void theScriptComputesTheResponsesOfTheLibrary() throws IOException {
        Assumptions.assumeTrue(Browser.isInstalled(), Browser.missing());
        List<double[]> games = games();
        double[][] said;
        try (Browser browser = Browser.open()) {
            // as text, because the driver rounds small numbers to zero
            Object answers = browser.run(
                    script()
                            + "return JSON.stringify(JSON.parse(arguments[0]).map(([stretch, gamma, A, E, D, p, z, earned]) =>"
                            + " [response.closed(stretch, gamma), response.left(stretch, gamma),"
                            + "  response.loss({stretch, earned, A, E}, D, gamma), response.after(p, z, stretch, gamma),"
                            + "  response.earned({stretch, earned}, gamma), response.loss({stretch, A, E}, D, gamma)]));",
                    JsonMapper.shared().writeValueAsString(games));
            said = JsonMapper.shared().readValue(answers.toString(), double[][].class);
        }

        assertThat(said).hasNumberOfRows(games.size());
        for (int k = 0; k < games.size(); k++) {
            double[] game = games.get(k);
            double[] numbers = said[k];
            double t = Response.pullThrough(game[0], game[1]);
            double rest = Response.remainder(game[0], game[1]);
            Response real = Response.of(game[0], game[7], game[1]);
            double loss = new ReportData.Losses(game[0], game[7], game[2], game[3]).in(game[1], game[4]);
            double unreal = new ReportData.Losses(game[0], 0, game[2], game[3]).in(game[1], game[4]);
            double after = rest * game[5] + t * game[6];
            assertThat(numbers[0]).isCloseTo(t, within(ROUNDING * t));
            assertThat(numbers[1]).isCloseTo(rest, within(ROUNDING * rest));
            double kept = real.remainingError();
            double gamed = real.gamed();
            assertThat(numbers[2])
                    .isCloseTo(loss, within(ROUNDING * (kept * kept * game[2] + gamed * gamed * game[4])));
            assertThat(numbers[4]).isCloseTo(real.earned(), within(ROUNDING * Math.abs(real.earned())));
            assertThat(numbers[5]).isCloseTo(unreal, within(ROUNDING * (rest * rest * game[2] + t * t * game[4])));
            assertThat(numbers[3])
                    .isCloseTo(after, within(ROUNDING * (rest * Math.abs(game[5]) + t * Math.abs(game[6]))));
        }
    }

    private static String script() throws IOException {
        try (InputStream in = ReportPage.class.getResourceAsStream("script/response.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
