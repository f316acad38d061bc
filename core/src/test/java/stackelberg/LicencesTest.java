package stackelberg;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.model.StackelbergModel;

/** The jar says what it is licensed under, and names all that it is made with. */
class LicencesTest {
    @ParameterizedTest
    @ValueSource(strings = {"LICENSE", "NOTICE", "THIRD-PARTY.txt"})
    void theJarHoldsTheLegalTexts(String name) {
        assertThat(Shipped.text(StackelbergModel.class, "META-INF/" + name))
                .isNotBlank()
                .isEqualTo(Shipped.source(name));
    }

    @Test
    void everyLibraryIsOnTheListOfThirdParties() {
        assertThat(Shipped.libraries()).contains("org.bytedeco:openblas", "org.ejml:ejml-core");
        assertThat(Shipped.named(Shipped.source("THIRD-PARTY.txt"))).containsAll(Shipped.libraries());
    }
}
