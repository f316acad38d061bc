package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.Hedge;
import stackelberg.model.tuning.Tuning;

/** A wish that depends on y and is known exactly tells y: one warning says so, wherever something is learned from it. */
class WishThatTellsTheTruthTest {
    private final Random random = new Random(16_050);
    private final Table table = Table.of(
            NumericColumn.of("a", random.doubles(40).toArray()),
            NumericColumn.of("hope", random.doubles(40).toArray()),
            NumericColumn.of("y", random.doubles(40).toArray()));

    private static StackelbergRegression.Builder wishing(String wish) {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish(wish)
                .ignore(Set.of("hope"))
                .threads(1);
    }

    private static List<String> telling(List<Message> warnings) {
        return warnings.stream()
                .map(Message::text)
                .filter(warning -> warning.contains("learns the target from the wishes"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"max(y,0.5)", "y+1", "2*y", "max(y,quantile(0.25))"})
    void aWishThatDependsOnTheTargetGivesOneWarning(String wish) {
        List<String> said = telling(wishing(wish).build().fit(table).warnings());
        assertThat(said).hasSize(1);
        assertThat(said.get(0)).contains("wishNoise(...)").doesNotContain("--");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hope", "hope+1", "0.7", "quantile(0.5)"})
    void aWishThatDoesNotDependOnTheTargetGivesNoWarning(String wish) {
        assertThat(telling(wishing(wish).build().fit(table).warnings())).isEmpty();
    }

    @Test
    void anUncertainWishGivesNoWarning() {
        assertThat(telling(wishing("y+1").wishNoise(0.1).build().fit(table).warnings()))
                .isEmpty();
    }

    @Test
    void tuneWarnsOfAWishThatDependsOnTheTargetToo() {
        Tuning tuning = wishing("max(y,0.5)").build().tune(table, Tuning.Plan.of(0.1, 1), Tuning.Listener.NONE);
        assertThat(telling(tuning.warnings())).hasSize(1);
    }
}
