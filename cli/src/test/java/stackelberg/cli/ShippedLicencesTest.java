package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.Shipped;
import stackelberg.bench.Experiments;

/** The jars and the pages say what they are licensed under, and name all that they are made with. */
class ShippedLicencesTest {
    @ParameterizedTest
    @ValueSource(strings = {"LICENSE", "NOTICE", "THIRD-PARTY.txt"})
    void theJarsHoldTheLegalTexts(String name) {
        for (Class<?> of : new Class<?>[] {Main.class, Experiments.class}) {
            assertThat(Shipped.text(of, "META-INF/" + name))
                    .as(of.getName())
                    .isNotBlank()
                    .isEqualTo(Shipped.source(name));
        }
    }

    /** The command line needs everything that any module does. */
    @Test
    void theThirdPartyListNamesTheLibrariesInUse() {
        assertThat(Shipped.named(Shipped.source("THIRD-PARTY.txt"))).isEqualTo(Shipped.libraries());
    }

    @Test
    void aPageHoldsTheLicencesOfItsCharts(@TempDir Path folder) {
        Path page = folder.resolve("page.html");
        Run run = Run.stackelberg("fit", Samples.csv(folder), "--target", "y", "--wish", "hope", "--report", page);
        assertThat(run.code()).as(run.err()).isZero();

        assertThat(Samples.read(page))
                .contains("Copyright 2017-2024 The Apache Software Foundation")
                .contains("Copyright (c) 2017, Baidu Inc.")
                .contains("Copyright 2010-2017 Mike Bostock")
                .contains("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION");
    }
}
