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
import stackelberg.data.Message;

/** What the library says of a setting is what the command line calls it, and nothing else is taken for a setting. */
class SettingsTest {
    private static final CommandLine ROOT = Main.commandLine();
    private static final CommandLine FIT = ROOT.getSubcommands().get("fit");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Maybe use {missing(DROP)} or {missing(MEAN)}. | Maybe use --missing drop or --missing mean.
                    people cannot change it ({immutable(...)}): no | people cannot change it (--immutable): no
                    the gamma of each row ({rowGamma(...)}) | the gamma of each row (--row-gamma)
                    with {wishNoise(0.5)}, or {gamma(0.001)} | with --wish-noise 0.5, or --gamma 0.001
                    read it with {header(...)} or {noHeader(...)} | read it with --header or --no-header
                    read it as one with {header(PRESENT)}. | read it as one with --header.
                    leave it out: {ignore("weight (kg)")}. | leave it out: --ignore "weight (kg)".
                    as categories with {categorical("zip")} | as categories with --categorical zip
                    {scaling(RANGE)} and {costUnits(RAW)} | --scale range and --cost-units raw
                    Maybe add {loss(LOGISTIC)}, or leave out {loss(...)}. | Maybe add --loss logistic, or leave out --loss.
                    {wishUnits(LOGODDS)} and {yes(">=6")} | --wish-units logodds and --yes ">=6"
                    {standardErrors("hc1")} and {today(CROSS_FITTED)} | --se hc1 and --today cross-fitted
                    """)
    void settingsBecomeOptions(String inFile, String user) {
        assertThat(Message.fromFile("", inFile).text(Settings.of(FIT))).isEqualTo(user);
    }

    /** What reads like a setting may be a wish, a column or a file: only references are rendered. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "the wish max(y,6)",
                "the wish quantile(0.25) of y",
                "fit(table) has no such column",
                "Column 'weight(kg)' is constant",
                "there are 'a', 'gamma(2)' and \"seed(1)\"",
                "missing(DROP), gamma(x) and tolerance(small)",
                "a column {x} with {} and {f(x)}",
                "already --missing drop",
                "There is no file 'data/test(1).csv'."
            })
    void textThatNamesNoSettingIsUnchanged(String text) {
        assertThat(Message.fromFile("", text).text(Settings.of(FIT))).isEqualTo(text);
        assertThat(Message.plain("test", text).text(Settings.of(FIT))).isEqualTo(text);
    }

    /** Whatever option comes to be, its setting is known; arrays are no settings. */
    @Test
    void everyOptionOfEveryCommandIsRecognisedAsASetting() {
        for (CommandLine command : ROOT.getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                String name = option.longestName();
                if (name.matches("--..+")) {
                    assertThat(Settings.of(FIT).of(Message.Choice.any(camelCase(name))))
                            .isEqualTo(name);
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
    void warningsNameOptionsWhereverTheyArePrinted() {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("gamma", null);
        model.put("wish", "missing(DROP)");
        model.put("warnings", List.of(Message.of("test", "use {}", Message.Choice.word("missing", "DROP"))));
        Map<String, Object> path = new LinkedHashMap<>();
        path.put("path", Arrays.asList(model, null, 3));

        assertThat(JsonText.of(path, Settings.of(FIT)).replaceAll("\\s", ""))
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
                        .replaceFirst("\"warnings\" : \\[[^\\]]*\\]", "\"warnings\" : [\"Maybe {ignore(...)} it.\"]"));

        assertThat(Run.stackelberg("summary", model).err()).contains("Warning: Maybe --ignore it.");
        assertThat(Run.stackelberg("summary", model, "--json")
                        .json()
                        .get("warnings")
                        .get(0)
                        .asString())
                .isEqualTo("Maybe --ignore it.");
    }

    @Test
    void refusalsOfTheLibraryNameOptions() {
        assertThatThrownBy(() -> Failures.asUsage(FIT, () -> {
                    throw Message.Refused.of("test", "Maybe leave out {}.", Message.Choice.any("truthfulShare"));
                }))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessage("Maybe leave out --truthful-share.");
        StringWriter err = new StringWriter();
        CommandLine fit =
                Main.commandLine().setErr(new PrintWriter(err)).getSubcommands().get("fit");

        int code = Failures.onException(
                new DataException(Message.of("test", "Maybe use {}.", Message.Choice.word("missing", "DROP"))),
                fit,
                null);

        assertThat(code).isEqualTo(ExitCode.BAD_DATA);
        assertThat(err.toString()).isEqualToIgnoringNewLines("Error: Maybe use --missing drop.");
    }

    @Test
    void aLongWishBetweenParenthesesOverflowsNothing() {
        String wish = "max(" + "a".repeat(100_000) + ")";
        String text = "There is no {" + wish + ".";
        assertThat(Message.fromFile("", text).text(Settings.of(FIT))).isEqualTo(text);
    }
}
