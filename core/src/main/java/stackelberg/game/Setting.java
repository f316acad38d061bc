package stackelberg.game;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;

/**
 * A setting of the game: everything that the builder, the model file, the command line, Spark and Python have to know of it.
 *
 * <p>{@link Settings} lists them. Each front end derives its name from the one here: {@code wishNoise(2)} in Java, {@code
 * --wish-noise 2} on the command line, {@code wish_noise=2} in Python, {@code "wishNoise"} in a model file; where one of them differs, the
 * declaration says so. What a setting does is not here, but in {@link World}, {@link Response} and the {@link stackelberg.estimate.Loss}.
 *
 * <pre>{@code
 * Settings.WISH_NOISE.apart('-'); // wish-noise
 * Settings.WISH_NOISE.byDefault(); // 0.0
 * GameSpec spec = GameSpec.builder().set(Settings.WISH_NOISE, 2.0).build(); // the same as wishNoise(2)
 * }</pre>
 *
 * @param <T> its values
 */
@NullMarked
public final class Setting<T extends @Nullable Object> {
    /** The type of a setting's values, which decides how a front end reads them. */
    public enum Kind {
        /** A {@code Double}. */
        NUMBER,
        /** A {@code Boolean}. */
        FLAG,
        /** A text of its own. */
        TEXT,
        /** Several texts of their own, given one by one. */
        TEXTS,
        /** The name of a column. */
        COLUMN,
        /** Names of columns. */
        COLUMNS,
        /** A number for some columns. */
        NUMBERS_BY_COLUMN,
        /** One of a few words. */
        WORD,
        /** Settings that each front end reads in its own way: gamma and today's rule. */
        SPECIAL
    }

    /** Which commands have the setting as an option. */
    public enum Scope {
        /** Roles of columns: commands that learn from data. */
        COLUMNS,
        /** The game itself: commands that learn from data, and commands that evaluate a rule. */
        GAME,
        /** Settings that some commands read in their own way. */
        COMMAND,
        /** None. */
        NONE
    }

    /** Two settings that cannot be combined; with a reason, unless it is only that no method covers both. */
    public record Clash(Setting<?> first, Setting<?> second, String reason) {
        /** The refusal. */
        Message.Refused refusal(Function<Setting<?>, @Nullable Object> values) {
            return Message.Refused.of(
                    first.apart('-') + "-with-" + second.apart('-'),
                    "{} ({}) cannot be combined with {} ({}){}.\nMaybe leave out one of the two.",
                    first.calledFirst(values.apply(first)),
                    first.any(),
                    second.called(values.apply(second)),
                    second.any(),
                    reason.isEmpty() ? "" : ": " + reason);
        }
    }

    private final String name;
    private final Kind kind;
    private final Class<?> fileType;
    private final int index;
    private final List<Clash> clashes = new ArrayList<>();
    private final Map<String, T> words = new LinkedHashMap<>();
    private Scope scope = Scope.GAME;
    private @Nullable String option;
    private @Nullable String fileKey;
    private boolean inEveryFile;
    private String label = "";
    private String help = "";
    private String called;
    private @Nullable T byDefault;
    private BiConsumer<Setting<?>, T> check = (setting, value) -> {};
    private Function<T, T> copied = Function.identity();
    private Predicate<T> counts;
    private @Nullable Function<String, T> reads;
    private Function<T, @Nullable Object> toFile = value -> value;
    private @Nullable Function<Object, T> fromFile;
    private boolean ofLogisticLoss;
    private boolean required;

    /** @param index its place in the list */
    Setting(int index, String name, Kind kind, Class<?> fileType) {
        this.index = index;
        this.name = name;
        this.kind = kind;
        this.fileType = fileType;
        fileKey = name;
        called = apart(' ');
        counts = value -> !Objects.equals(value, byDefault);
    }

    // ------------------------------------------------------------------ how a setting is declared

    /** The constants of an enumeration by their names in lower case. */
    @SuppressWarnings("unchecked")
    Setting<T> constants(Class<? extends Enum<?>> type) {
        for (Enum<?> constant : Objects.requireNonNull(type.getEnumConstants())) {
            words.put(constant.name().toLowerCase(Locale.ROOT), (T) constant);
        }
        return label(String.join("|", words.keySet()));
    }

    /** Other words, in this order. */
    Setting<T> words(Map<String, T> meanings, String... inOrder) {
        words.clear();
        for (String word : inOrder) {
            words.put(word, Objects.requireNonNull(meanings.get(word)));
        }
        return label(String.join("|", inOrder));
    }

    Setting<T> reads(Function<String, T> text) {
        reads = text;
        return this;
    }

    Setting<T> byDefault(T value) {
        byDefault = value;
        return this;
    }

    /** What the command line's help says; a sentence, with options by their names. */
    Setting<T> help(String sentence) {
        help = sentence;
        return this;
    }

    /** What the command line's help shows for a value. */
    Setting<T> label(String text) {
        label = text;
        return this;
    }

    /** The noun phrase for messages, such as {@code a hedge}; {@code {}} stands for the value. */
    Setting<T> called(String noun) {
        called = noun;
        return this;
    }

    Setting<T> scope(Scope commands) {
        scope = commands;
        return this;
    }

    /** The option on the command line and the parameter in Python, where it is not the builder's name. */
    Setting<T> option(String other) {
        option = other;
        return this;
    }

    /** The key in a model file, where it is not the builder's name. */
    Setting<T> fileKey(String other) {
        fileKey = other;
        return this;
    }

    Setting<T> notInFile() {
        fileKey = null;
        return this;
    }

    /** It has been in files from their version 2 on, so that one without it is damaged. */
    Setting<T> inEveryFile() {
        inEveryFile = true;
        return this;
    }

    /**
     * How the value stands in a file.
     *
     * @param written null for what is not declared
     * @param read the way back; absent where the value itself stands there
     */
    Setting<T> file(Function<T, @Nullable Object> written, @Nullable Function<Object, T> read) {
        toFile = written;
        fromFile = read;
        return this;
    }

    Setting<T> check(BiConsumer<Setting<?>, T> refusal) {
        check = refusal;
        return this;
    }

    /** A copy function for values that the caller could still change. */
    Setting<T> copied(Function<T, T> copy) {
        copied = copy;
        return this;
    }

    /** Which values change the game, if not all values other than the default do. */
    Setting<T> countsIf(Predicate<T> values) {
        counts = values;
        return this;
    }

    /** @param reason why, as the end of a sentence; empty where no method covers both */
    Setting<T> notWith(Setting<?> other, String reason) {
        clashes.add(new Clash(this, other, reason));
        return this;
    }

    /** The key is required in a model file and may not be null. */
    Setting<T> required() {
        required = true;
        return this;
    }

    /** The setting applies to logistic loss only, and is left out of model files with another loss. */
    Setting<T> ofLogisticLoss() {
        ofLogisticLoss = true;
        return this;
    }

    // ------------------------------------------------------------------ what the others ask

    /** The name in the Java builder, from which the others are derived. */
    public String name() {
        return name;
    }

    public Kind kind() {
        return kind;
    }

    public Scope scope() {
        return scope;
    }

    /** The name of the option, its words apart: {@code wish-noise}, or {@code wish_noise} as Python has it. */
    public String apart(char between) {
        return Message.Choice.apart(option == null ? name : option, between);
    }

    /** What the help of the command line shows for a value. */
    public String label() {
        return label;
    }

    /** One sentence for the help of the command line; empty where there is no option. */
    public String help() {
        return help;
    }

    /** The words that it takes, and what they mean; empty where it takes none. */
    public Map<String, T> words() {
        return Collections.unmodifiableMap(words);
    }

    /** The value where nothing is declared. */
    public @Nullable T byDefault() {
        return byDefault;
    }

    /** A value as text: one of the words, or the text that the setting parses. */
    public T read(String text) {
        T word = words.get(text.strip().toLowerCase(Locale.ROOT));
        if (word != null) {
            return word;
        }
        if (reads == null && (kind == Kind.TEXT || kind == Kind.COLUMN)) {
            return plain(text);
        }
        if (reads == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not one of " + String.join(", ", words.keySet()));
        }
        return reads.apply(text);
    }

    /** Whether the setting applies to logistic loss only. */
    public boolean isOfLogisticLoss() {
        return ofLogisticLoss;
    }

    @SuppressWarnings("unchecked")
    private T plain(Object value) {
        return (T) value;
    }

    /** The key in a model file; absent where the file keeps it elsewhere. */
    public @Nullable String fileKey() {
        return fileKey;
    }

    /** The type of the value in a model file. */
    public Class<?> fileType() {
        return fileType;
    }

    /** Whether a model file without the key is damaged; otherwise it means the default. */
    public boolean isInEveryFile() {
        return inEveryFile;
    }

    /** Whether null stands in a model file where nothing is declared. */
    public boolean mayBeNullInFile() {
        return fileKey != null && !required && defaultInFile() == null;
    }

    /** The value in a model file if nothing is declared. */
    public @Nullable Object defaultInFile() {
        return ofLogisticLoss ? null : toFile(byDefault);
    }

    /** The setting as such, for a message. */
    public Message.Choice any() {
        return Message.Choice.any(name);
    }

    /** The setting at one of its constants, for a message. */
    public Message.Choice word(Object constant) {
        return Message.Choice.word(name, constant);
    }

    @Override
    public String toString() {
        return name;
    }

    /** A value as text: several separated by commas. */
    String inWords(@Nullable T value) {
        if (value instanceof Collection<?> several) {
            return several.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
        if (value instanceof GameSpec.Limits limits) {
            return String.join(", ", limits.inWords());
        }
        if (value instanceof GameSpec.Between between) {
            return between.low() + ", " + between.high();
        }
        return String.valueOf(value);
    }

    /** Its place in the list. */
    int index() {
        return index;
    }

    @Nullable
    Object toFile(@Nullable T value) {
        // today's rule and the like say by themselves what of them is kept
        return value == null ? null : toFile.apply(value);
    }

    @SuppressWarnings("unchecked")
    T fromFile(Object value) {
        return fromFile == null ? (T) value : fromFile.apply(value);
    }

    /** The checked value, copied if the caller could still change it. */
    @SuppressWarnings("unchecked")
    @Nullable
    T checked(@Nullable Object value) {
        T own = (T) value;
        if (own == null && byDefault != null) {
            throw new NullPointerException(name);
        }
        if (own != null) {
            check.accept(this, own);
        }
        return own == null ? own : copied.apply(own);
    }

    /** Whether a value changes the game. */
    @SuppressWarnings("unchecked")
    boolean counts(@Nullable Object value) {
        return value != null && value != byDefault && counts.test((T) value);
    }

    /** What it cannot be combined with. */
    public List<Clash> clashes() {
        return Collections.unmodifiableList(clashes);
    }

    /** The noun phrase for messages about a value, such as {@code a hedge}. */
    @SuppressWarnings("unchecked")
    String called(@Nullable Object value) {
        return called.replace("{}", inWords((T) value));
    }

    /** The same at the beginning of a sentence. */
    String calledFirst(@Nullable Object value) {
        String noun = called(value);
        return noun.substring(0, 1).toUpperCase(Locale.ROOT) + noun.substring(1);
    }
}
