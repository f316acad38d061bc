package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import stackelberg.cli.answer.JsonText;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.Settings;
import stackelberg.data.DataException;

/** What the library says of a setting is what the command line calls it, and nothing else is taken for a setting. */
class SettingsTest {
    private static final CommandLine ROOT = Main.commandLine();
    private static final CommandLine FIT = ROOT.getSubcommands().get("fit");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Maybe use missing(DROP) or missing(MEAN). | Maybe use --missing drop or --missing mean.
                    nobody can change it (immutable(...)): no | nobody can change it (--immutable): no
                    everybody's gamma (rowGamma(...)) | everybody's gamma (--row-gamma)
                    with wishNoise(0.5), or gamma(1e-3) | with --wish-noise 0.5, or --gamma 1e-3
                    read it with header(...) or noHeader(...) | read it with --header or --no-header
                    read it as one with header(PRESENT). | read it as one with --header.
                    leave it out: ignore("weight (kg)"). | leave it out: --ignore "weight (kg)".
                    as categories with categorical("zip") | as categories with --categorical zip
                    scaling(RANGE) and costUnits(RAW) | --scale range and --cost-units raw
                    Maybe add loss(LOGISTIC), or leave out loss(...). | Maybe add --loss logistic, or leave out --loss.
                    wishUnits(LOGODDS) and yes(">=6") | --wish-units logodds and --yes ">=6"
                    """)
    void settingsBecomeOptions(String library, String user) {
        assertThat(Settings.of(FIT).asOptions(library)).isEqualTo(user);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "the wish max(y,6)",
                "the wish quantile(0.25) of y",
                "fit(table) has no such column",
                "Column 'weight(kg)' is constant",
                "there are 'a', 'gamma(2)' and \"seed(1)\"",
                "missing(never), gamma(x) and tolerance(small)",
                "weight (kg), intercept and gamma",
                "already --missing drop",
                "as the loss f(x) at y(2)",
                "There is no file 'data/test(1).csv'.",
                "no information: weight(kg), group(2)."
            })
    void allElseIsLeftAlone(String text) {
        assertThat(Settings.of(FIT).asOptions(text)).isEqualTo(text);
    }

    /** Whatever option comes to be, its setting is known; arrays are no settings. */
    @Test
    void everyOptionOfEveryCommandIsASetting() {
        for (CommandLine command : ROOT.getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                String name = option.longestName();
                if (name.matches("--..+")) {
                    assertThat(Settings.of(FIT).asOptions("Maybe " + camelCase(name) + "(...)."))
                            .isEqualTo("Maybe " + name + ".");
                }
            }
        }
    }

    private static String camelCase(String option) {
        StringBuilder name = new StringBuilder();
        Arrays.stream(option.substring(2).split("-"))
                .map(part -> name.isEmpty() ? part : part.substring(0, 1).toUpperCase() + part.substring(1))
                .forEach(name::append);
        return name.toString();
    }

    @Test
    void warningsAreTranslatedWhereverTheyStand() {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("gamma", null);
        model.put("wish", "missing(DROP)");
        model.put("warnings", List.of("use missing(DROP)"));
        Map<String, Object> path = new LinkedHashMap<>();
        path.put("path", Arrays.asList(model, null, 3));

        assertThat(JsonText.of(path, Settings.of(FIT)::asOptions).replaceAll("\\s", ""))
                .isEqualTo(
                        "{\"path\":[{\"gamma\":null,\"wish\":\"missing(DROP)\",\"warnings\":[\"use--missingdrop\"]},null,3]}");
    }

    @Test
    void warningsOfAModelArePrintedForTheUser(@TempDir Path folder) {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", Samples.csv(folder), "--target", "y", "--wish", "hope", "-o", model);
        Samples.file(
                folder,
                "model.json",
                Samples.read(model)
                        .replaceFirst("\"warnings\" : \\[[^\\]]*\\]", "\"warnings\" : [\"Maybe ignore(...) it.\"]"));

        assertThat(Run.stackelberg("summary", model).err()).contains("Warning: Maybe --ignore it.");
        assertThat(Run.stackelberg("summary", model, "--json")
                        .json()
                        .get("warnings")
                        .get(0)
                        .asString())
                .isEqualTo("Maybe --ignore it.");
    }

    @Test
    void refusalsOfTheLibraryAreTold() {
        assertThatThrownBy(() -> Failures.asUsage(FIT, () -> {
                    throw new IllegalArgumentException("Maybe leave out truthfulShare(...).");
                }))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessage("Maybe leave out --truthful-share.");
        StringWriter err = new StringWriter();
        CommandLine fit =
                Main.commandLine().setErr(new PrintWriter(err)).getSubcommands().get("fit");

        int code = Failures.onException(new DataException("Maybe use missing(DROP)."), fit, null);

        assertThat(code).isEqualTo(ExitCode.BAD_DATA);
        assertThat(err.toString()).isEqualToIgnoringNewLines("Error: Maybe use --missing drop.");
    }

    @Test
    void aLongWishBetweenParenthesesOverflowsNothing() {
        String wish = "max(" + "a".repeat(100_000) + ")";
        assertThat(Settings.of(FIT).asOptions("There is no " + wish + ".")).isEqualTo("There is no " + wish + ".");
        assertThat(Settings.of(FIT).asOptions("max(" + "(a)".repeat(2_000) + ")"))
                .startsWith("max(");
    }
}
