package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.estimate.Loss;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;

/**
 * Coefficients that others found, with the scripts beside them: where all wish for the same the game is logistic regression with a norm bound, plain if moving costs enough, and otherwise
 * L2-penalised at the same norm.
 */
class LogisticByOthersTest {
    private static final double WISH = 0.9;

    private static Path resource(String name) {
        return Path.of("src/test/resources/stackelberg/model", name);
    }

    private static Table table(String fit) {
        Path file = fit.equals("wine") ? RealData.file("wine.csv") : resource("logistic.csv");
        return DataFile.read(file, Workers.of(1));
    }

    private static StackelbergRegression.Builder regression(String fit) {
        StackelbergRegression.Builder builder = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .loss(Loss.LOGISTIC)
                .wish(String.valueOf(WISH))
                .threads(1);
        return switch (fit) {
            case "wine" -> builder.target("quality").yes(">=6");
            case "weighted" -> builder.target("answer").weight("weight");
            default -> builder.target("answer").ignore(Set.of("weight"));
        };
    }

    /** The lines of a file that begin so, by term. */
    private static Map<String, Double> recorded(String file, String beginning) {
        try {
            List<String> lines = Files.readAllLines(resource(file));
            Map<String, Double> terms = new LinkedHashMap<>();
            for (String line : lines) {
                if (line.startsWith(beginning + ",")) {
                    String[] cells = line.split(",");
                    terms.put(cells[cells.length - 2], Double.parseDouble(cells[cells.length - 1]));
                }
            }
            assertThat(terms).isNotEmpty();
            return terms;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "weighted", "wine"})
    void aCommonWishAndNoMovesGivePlainLogisticRegression(String fit) {
        Map<String, Double> recorded = recorded("logistic-by-glm.csv", fit);
        StackelbergModel model = regression(fit).gamma(1e12).build().fit(table(fit));

        // the proof multiplies what rounding leaves of a gradient by sqrt(gamma)
        assertThat(model.optimality().relativeGap()).isLessThan(1e-8);
        assertThat(model.intercept()).isCloseTo(recorded.get("(Intercept)"), near(recorded.get("(Intercept)")));
        for (StackelbergModel.Term term : model.terms()) {
            double other = recorded.get(term.name());
            assertThat(term.coefficient()).as(term.name()).isCloseTo(other, near(other));
        }
        assertThat(model.terms()).hasSize(recorded.size() - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "plain,0.001",
        "plain,0.01",
        "plain,0.1",
        "plain,1",
        "weighted,0.001",
        "weighted,0.01",
        "weighted,0.1",
        "weighted,1",
        "wine,0.001",
        "wine,0.01",
        "wine,0.1",
        "wine,1"
    })
    void aCommonWishIsPenalisedLogisticRegressionAtTheSameNorm(String fit, String c) {
        Map<String, Double> recorded = recorded("logistic-by-sklearn.csv", fit + "," + c);
        double norm = recorded.get("norm");
        StackelbergModel model = regression(fit).gamma(4 * norm * norm).build().fit(table(fit));

        assertThat(model.certified()).as(model.warnings().toString()).isTrue();
        double kept = 1 - model.pullThrough();
        double wish = model.pullThrough() * Loss.LOGISTIC.score(WISH);
        assertThat(kept).isCloseTo(0.5, within(1e-6));
        double intercept = recorded.get("(Intercept)");
        assertThat(kept * model.intercept() + wish).isCloseTo(intercept, near(intercept));
        for (StackelbergModel.Term term : model.terms()) {
            double other = recorded.get(term.name());
            assertThat(kept * term.coefficient()).as(term.name()).isCloseTo(other, near(other));
        }
        assertThat(model.terms()).hasSize(recorded.size() - 2);
    }

    private static Offset<Double> near(double value) {
        return within(1e-8 * Math.max(1, Math.abs(value)));
    }
}
