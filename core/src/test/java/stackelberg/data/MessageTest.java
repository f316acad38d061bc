package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages name settings by reference, also after they have stood in a file. */
class MessageTest {
    private static final Message MESSAGE = Message.of(
            "test",
            "Column '{}': maybe {}, {}, {} or {}.",
            "a {b} {}",
            Message.Choice.text("ignore", "a \"b\" (c)"),
            Message.Choice.word("missing", "DROP"),
            Message.part("at most {}", Message.Choice.number("ridge", 1e-9)),
            Message.Choice.any("features"));

    @Test
    void fileKeepsTheTextAndItsSettings() {
        Message read = Message.fromFile("code", MESSAGE.inFile());

        assertThat(read).isEqualTo(MESSAGE).hasSameHashCodeAs(MESSAGE);
        assertThat(read.code()).isEqualTo("code");
        assertThat(read.inFile()).isEqualTo(MESSAGE.inFile());
        assertThat(read.text()).isEqualTo(MESSAGE.text()).contains("maybe ignore(\"a \"b\" (c)\"), missing(DROP),");
        assertThat(read.text(choice -> "<" + choice.setting() + ">"))
                .isEqualTo("Column 'a {b} {}': maybe <ignore>, <missing>, at most <ridge> or <features>.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Maybe add ridge(...).", "{", "{}", "a {b} {c(d)} {e", "{Ridge(...)}"})
    void textWithoutSettingsIsTheMessageAsItIs(String text) {
        assertThat(Message.fromFile("code", text).text()).isEqualTo(text);
        assertThat(Message.fromFile("code", text).choices()).isEmpty();
    }

    @Test
    void messagesWithTheSameTextAndSettingsAreEqual() {
        assertThat(Message.plain("a", "Add ridge(...)."))
                .isEqualTo(Message.plain("b", "Add ridge(...)."))
                .isNotEqualTo(Message.of("a", "Add {}.", Message.Choice.any("ridge")));
    }

    @Test
    void joinedMessagesKeepTheirSettings() {
        Message joined = Message.joined("all", "; ", List.of(Message.plain("", "One"), MESSAGE));

        assertThat(joined.text()).isEqualTo("One; " + MESSAGE.text());
        assertThat(joined.choices()).isEqualTo(MESSAGE.choices());
    }
}
