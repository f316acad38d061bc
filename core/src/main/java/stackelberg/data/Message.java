package stackelberg.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message of the library: one or more sentences that hold values and settings as objects instead of text.
 *
 * <p>Each front end names settings in its own way: {@code missing(DROP)} in Java, {@code --missing drop}
 * on the command line, {@code missing="drop"} in Python. A message therefore refers to a {@link Choice}, and a {@link
 * Wording} writes it.
 *
 * <pre>{@code
 * Message message = Message.of("value-missing", "Row {}: the value is missing.\nMaybe use {}.", 7, Message.Choice.word("missing", Missing.DROP));
 * message.text(); // Row 7: the value is missing. Maybe use missing(DROP).
 * }</pre>
 */
public final class Message {
    private static final String PLACE = "{}";

    /** Matches a setting in a file: {@link Choice#inJava} in braces. */
    private static final Pattern IN_FILE =
            Pattern.compile("\\{([a-z][A-Za-z]*)\\((\\.\\.\\.|\".*?\"|[A-Z][A-Z_]*|[-0-9][-+.0-9E]*)\\)}");

    private final String code;
    private final String sentence;
    private final List<@Nullable Object> values;

    private Message(String code, String sentence, List<@Nullable Object> values) {
        this.code = code;
        this.sentence = sentence;
        this.values = values;
    }

    /**
     * A message whose places {@code {}} are filled with the values in their order; a value may be a {@link Choice} or
     * another message.
     *
     * @param code a stable word for programs, in lower case with hyphens
     */
    public static Message of(String code, String sentence, @Nullable Object... values) {
        int places = sentence.split("\\{}", -1).length - 1;
        if (places != values.length) {
            throw new IllegalStateException(
                    "The message " + code + " has " + places + " places for " + values.length + " values.");
        }
        // a value may be null: it is written so
        return new Message(code, sentence, new ArrayList<>(Arrays.asList(values)));
    }

    /** Makes a part of another message; only the whole message has a code. */
    public static Message part(String sentence, Object... values) {
        return of("", sentence, values);
    }

    /** A text that refers to no setting. */
    public static Message plain(String code, String text) {
        return new Message(code, PLACE, List.of(text));
    }

    /** Joins messages into one, in their order. */
    public static Message joined(String code, String between, List<Message> parts) {
        return of(code, String.join(between, Collections.nCopies(parts.size(), PLACE)), parts.toArray());
    }

    /**
     * Reads a message from the text in a model file, where settings stand in braces: {@code Maybe add {ridge(...)}.} A text without braces refers to no
     * setting.
     *
     * @param code empty in files of versions that wrote the text only
     */
    public static Message fromFile(String code, String text) {
        StringBuilder sentence = new StringBuilder();
        List<@Nullable Object> values = new ArrayList<>();
        Matcher setting = IN_FILE.matcher(text);
        int from = 0;
        while (setting.find()) {
            sentence.append(PLACE).append(PLACE);
            values.add(text.substring(from, setting.start()));
            values.add(Choice.ofJava(setting.group(1), setting.group(2)));
            from = setting.end();
        }
        values.add(text.substring(from));
        return new Message(code, sentence.append(PLACE).toString(), values);
    }

    /** Returns the text for a model file, which {@link #fromFile} reads. */
    public String inFile() {
        return text(choice -> "{" + choice.inJava() + "}");
    }

    /**
     * A stable word for programs: the same however the sentence is worded. Empty if an older file has the text only.
     */
    public String code() {
        return code;
    }

    /** Returns the settings that this message, or a message within it, refers to. */
    public List<Choice> choices() {
        List<Choice> choices = new ArrayList<>();
        for (Object value : values) {
            if (value instanceof Choice choice) {
                choices.add(choice);
            } else if (value instanceof Message within) {
                choices.addAll(within.choices());
            }
        }
        return choices;
    }

    /** The text with settings as the Java builder names them. */
    public String text() {
        return text(Choice::inJava);
    }

    /** The text with settings written by the given function. */
    public String text(Wording wording) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (Object value : values) {
            int at = sentence.indexOf(PLACE, from);
            text.append(sentence, from, at);
            from = at + PLACE.length();
            if (value instanceof Choice choice) {
                text.append(wording.of(choice));
            } else if (value instanceof Message within) {
                text.append(within.text(wording));
            } else {
                text.append(value);
            }
        }
        return text.append(sentence.substring(from)).toString();
    }

    @Override
    public String toString() {
        return text();
    }

    /**
     * Messages with the same text about the same settings are equal; their codes are not compared, because older files
     * do not have them.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Message message
                && text().equals(message.text())
                && choices().equals(message.choices());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    /** How a front end names settings. */
    @FunctionalInterface
    public interface Wording {
        /** A setting, with the value that the message gives it. */
        String of(Choice choice);
    }

    /** An exception that carries a message; its text is the Java wording. */
    public interface Carrier {
        /** Returns the message, with the settings that it refers to. */
        Message asMessage();
    }

    /**
     * A setting, or a combination of settings, that is refused. The message names them, the value, the rule, and "Maybe
     * ..." what to do.
     */
    public static final class Refused extends IllegalArgumentException implements Message.Carrier {
        private static final long serialVersionUID = 1L;

        private final transient @Nullable Message message;

        public Refused(Message message) {
            this(message, null);
        }

        /** @param cause the exception that led to the refusal; null if there is none */
        public Refused(Message message, @Nullable Throwable cause) {
            super(message.text(), cause);
            this.message = message;
        }

        /** Makes a refusal from a code, a sentence and its values, as {@link Message#of} does. */
        public static Refused of(String code, String sentence, @Nullable Object... values) {
            return new Refused(Message.of(code, sentence, values));
        }

        @Override
        public Message asMessage() {
            // a message is not serialised with its exception, only its text is
            return message == null ? Message.plain("refused", String.valueOf(getMessage())) : message;
        }
    }

    /**
     * A reference to a setting, with or without a value.
     *
     * @param setting its name in the Java builder, {@code wishNoise}
     * @param value the value as text; empty for the setting itself
     * @param kind how a language has to write the value
     */
    public record Choice(String setting, String value, Kind kind) {
        /** What a value is. */
        public enum Kind {
            /** Without a value: a reference to the setting itself. */
            ANY,
            /** One of the setting's own words, by the name of the constant. */
            WORD,
            /** A number. */
            NUMBER,
            /** A text, such as the name of a column. */
            TEXT
        }

        /** A reference to the setting itself, without a value. */
        public static Choice any(String setting) {
            return new Choice(setting, "", Kind.ANY);
        }

        /** A reference to the setting with one of its constants as value. */
        public static Choice word(String setting, Object constant) {
            return new Choice(setting, constant.toString(), Kind.WORD);
        }

        /** A reference to the setting with a number as value. */
        public static Choice number(String setting, double value) {
            return new Choice(setting, String.valueOf(value), Kind.NUMBER);
        }

        /** A reference to the setting with a text as value. */
        public static Choice text(String setting, String value) {
            return new Choice(setting, value, Kind.TEXT);
        }

        /** Parses a reference that {@link #inJava} has written. */
        private static Choice ofJava(String setting, String value) {
            if (value.equals("...")) {
                return any(setting);
            }
            if (value.startsWith("\"")) {
                return text(setting, value.substring(1, value.length() - 1));
            }
            return new Choice(setting, value, Character.isUpperCase(value.charAt(0)) ? Kind.WORD : Kind.NUMBER);
        }

        /** The setting as a call of the builder: {@code missing(DROP)}, {@code ignore("age")}, {@code hedge(...)}. */
        public String inJava() {
            return setting
                    + switch (kind) {
                        case ANY -> "(...)";
                        case WORD, NUMBER -> "(" + value + ")";
                        case TEXT -> "(\"" + value + "\")";
                    };
        }

        /** The setting's name with its words separated: {@code wish-noise}. */
        public String apart(char between) {
            return apart(setting, between);
        }

        /** A name of the Java builder with its words separated, in lower case. */
        public static String apart(String name, char between) {
            return name.replaceAll("([A-Z])", between + "$1").toLowerCase(Locale.ROOT);
        }
    }
}
