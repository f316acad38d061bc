package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;

class GameSpecTest {
    private static GameSpec everything() {
        return GameSpec.builder()
                .target("score")
                .wish("max(y,3)")
                .weight("weight")
                .group("region")
                .features(List.of("income", "debt"))
                .ignore(Set.of("id"))
                .gamma(0.5)
                .rowGamma("effort")
                .truthfulShare(0.25)
                .wishNoise(2)
                .immutable(Set.of("debt"))
                .cost("income", 4)
                .costUnits(GameSpec.CostUnits.RAW)
                .intercept(GameSpec.Intercept.NONE)
                .scaling(Scaling.RANGE)
                .missing(Missing.DROP)
                .build();
    }

    @Test
    void everySettingSurvivesARoundTripThroughTheBuilder() {
        GameSpec spec = everything();

        assertThat(spec.toBuilder().build()).isEqualTo(spec);
        assertThat(spec.toBuilder().gamma(2).build().gamma()).isEqualTo(2);
        assertThat(spec.toBuilder().gamma(2).gamma(0.5).build()).isEqualTo(spec);
        assertThat(spec.features()).containsExactly("income", "debt");
        assertThat(spec.costs()).containsEntry("income", 4.0);
        assertThat(spec.mixed()).isTrue();
    }

    @Test
    void laterChangesOfTheArgumentsDoNotChangeASpec() {
        Set<String> ignore = new LinkedHashSet<>(Set.of("id"));
        GameSpec.Builder builder = GameSpec.builder().ignore(ignore);
        GameSpec spec = builder.build();
        ignore.add("other");
        builder.cost("income", 3).gamma(7);

        assertThat(spec.ignore()).containsExactly("id");
        assertThat(spec.costs()).isEmpty();
        assertThat(spec.gammaShare()).hasValue(0.3);
        assertThatThrownBy(() -> spec.ignore().add("x")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void anInvalidSettingIsRefusedWhereItIsDeclared() {
        GameSpec.Builder builder = GameSpec.builder();
        assertThatThrownBy(() -> builder.gamma(-1)).hasMessageContaining("gamma is -1.0");
        assertThatThrownBy(() -> builder.gamma(Double.NaN)).hasMessageContaining("gamma is NaN");
        assertThatThrownBy(() -> builder.gammaShare(30)).hasMessageContaining("share of 30.0");
        assertThatThrownBy(() -> builder.truthfulShare(1.5)).hasMessageContaining("truthful share is 1.5");
        assertThatThrownBy(() -> builder.wishNoise(-2)).hasMessageContaining("wish noise is -2.0");
        assertThatThrownBy(() -> builder.cost("income", 0))
                .hasMessageContaining("'income'")
                .hasMessageContaining("immutable");
        // a choice that was refused leaves the others as they were
        assertThat(builder.build()).isEqualTo(GameSpec.builder().build());
    }

    @Test
    void paperModeSetsItsProtocolAndKeepsOtherSettings() {
        GameSpec paper =
                GameSpec.builder().paper().intercept(GameSpec.Intercept.NONE).build();

        assertThat(paper.scaling()).isEqualTo(Scaling.RANGE);
        assertThat(paper.fullOneHot()).isTrue();
        assertThat(paper.immutable()).isEmpty();
        assertThat(paper.intercept()).isEqualTo(GameSpec.Intercept.NONE);
    }
}
