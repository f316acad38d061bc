package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.io.DataFile;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Setting;
import stackelberg.game.Settings;

/** A mixin with options that are generated from settings of the game: of all settings of one scope, or of those that are named. */
@NullMarked
@Command
public final class SettingOptions {
    private final List<Setting<?>> settings;

    /** The values given on the command line, as texts; absent if an option is not given. */
    private final Map<Setting<?>, @Nullable Object> given = new HashMap<>();

    /** Files with numbers by column, by setting. */
    private final Map<Setting<?>, @Nullable Path> files = new HashMap<>();

    /** Options for all settings of a scope. */
    SettingOptions(Setting.Scope scope) {
        settings = Settings.all().stream()
                .filter(setting -> setting.scope() == scope)
                .toList();
    }

    /** Options for these settings. */
    public SettingOptions(Setting<?>... settings) {
        this.settings = List.of(settings);
    }

    /** The names of the options of a scope, such as {@code --wish-noise}. */
    static Stream<String> names(Setting.Scope scope) {
        return Settings.all().stream()
                .filter(setting -> setting.scope() == scope)
                .flatMap(setting -> setting.kind() == Setting.Kind.NUMBERS_BY_COLUMN
                        ? Stream.of(name(setting), fileOption(setting))
                        : Stream.of(name(setting)));
    }

    /** The name of the option for a file with costs or effects: the plural. */
    private static String fileOption(Setting<?> setting) {
        return "--" + setting.fileKey();
    }

    private static String name(Setting<?> setting) {
        return "--" + setting.apart('-');
    }

    /** Called by picocli with the command that uses the mixin. */
    @Spec(Spec.Target.MIXEE)
    void addTo(CommandSpec command) {
        for (Setting<?> setting : settings) {
            command.addOption(option(setting));
            if (setting.kind() == Setting.Kind.NUMBERS_BY_COLUMN) {
                command.addOption(OptionSpec.builder(fileOption(setting))
                        .paramLabel("FILE.csv")
                        .description("Read from a file with the columns feature and " + setting.name() + "; "
                                + name(setting) + " overrides the file.")
                        .type(Path.class)
                        .setter(store(files, setting))
                        .build());
            }
        }
    }

    /** The text given for a setting; absent if it is not given. */
    @SuppressWarnings("unchecked")
    public <V> @Nullable V of(Setting<?> setting) {
        return (V) given.get(setting);
    }

    /** Whether a setting is given, by its option or in a file. */
    boolean isGiven(Setting<?> setting) {
        return given.get(setting) != null || files.get(setting) != null;
    }

    /** The files that are named. */
    Stream<Path> files() {
        return files.values().stream().filter(Objects::nonNull);
    }

    /** The value of a setting that takes one word, or its default. */
    @SuppressWarnings("unchecked")
    <T> T orDefault(Setting<T> setting) {
        Object value = given.get(setting);
        return value == null ? Objects.requireNonNull(setting.byDefault()) : (T) value;
    }

    /** Declares all given settings except gamma and today's rule, which other classes read. */
    public void applyTo(GameSpec.Builder game) {
        for (Setting<?> setting : settings) {
            Path file = files.get(setting);
            if (file != null) {
                read(file, setting, game);
            }
            Object value = given.get(setting);
            if (value != null && setting.kind() != Setting.Kind.SPECIAL) {
                declare(setting, value, game);
            }
        }
    }

    /** Reports what the library refuses in a file as bad data rather than wrong usage. */
    private static void read(Path file, Setting<?> setting, GameSpec.Builder game) {
        try {
            declare(setting, DataFile.numbers(file, "feature", setting.name()), game);
        } catch (Message.Refused e) {
            throw new DataException(Message.of(e.asMessage().code(), "'{}': {}", file, e.asMessage()), e);
        }
    }

    /** Declares a setting; one that does not apply to the declared loss is refused even with its default value. */
    void requireMeaning(Loss loss) {
        for (Setting<?> setting : settings) {
            if (given.get(setting) != null && setting.isOfLogisticLoss() && !loss.isLogistic()) {
                throw Settings.needsLogisticLoss(setting, loss);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> void declare(Setting<T> setting, Object value, GameSpec.Builder game) {
        switch (setting.kind()) {
            case TEXT -> game.set(setting, setting.read((String) value));
            case TEXTS -> game.setFromFile(setting, value);
            case COLUMNS -> game.set(setting, columns(setting, (List<String>) value));
            case NUMBERS_BY_COLUMN -> {
                Map<String, Double> all = new LinkedHashMap<>((Map<String, Double>) game.get(setting));
                all.putAll((Map<String, Double>) value);
                game.set(setting, (T) all);
            }
            default -> game.set(setting, (T) value);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T columns(Setting<T> setting, List<String> names) {
        if (names.size() == 1 && setting.words().containsKey(names.get(0))) {
            return setting.read(names.get(0));
        }
        return (T) (setting.fileType() == Set.class ? new LinkedHashSet<>(names) : new ArrayList<>(names));
    }

    private OptionSpec option(Setting<?> setting) {
        OptionSpec.Builder option = OptionSpec.builder(name(setting))
                // picocli treats a percent sign as the start of a placeholder
                .description(setting.help().replace("%", "%%"))
                .getter(new IGetter() {
                    @Override
                    @SuppressWarnings("unchecked")
                    public <V> @Nullable V get() {
                        return (V) given.get(setting);
                    }
                })
                .setter(store(given, setting));
        if (!setting.label().isEmpty()) {
            option.paramLabel(setting.label());
        }
        if (!setting.words().isEmpty()) {
            option.completionCandidates(setting.words().keySet());
        }
        switch (setting.kind()) {
            case NUMBER -> option.type(double.class);
            case FLAG -> option.type(boolean.class).arity("0");
            case TEXTS -> option.type(List.class).auxiliaryTypes(String.class);
            case COLUMNS ->
                option.type(List.class)
                        .auxiliaryTypes(String.class)
                        .splitRegex(",")
                        .hideParamSyntax(true);
            case NUMBERS_BY_COLUMN -> option.type(Map.class).auxiliaryTypes(String.class, Double.class);
            case WORD -> option.type(Object.class).converters(new Reader(setting));
            default -> option.type(String.class);
        }
        return option.build();
    }

    private static ISetter store(Map<Setting<?>, ?> values, Setting<?> setting) {
        return new ISetter() {
            @Override
            @SuppressWarnings("unchecked")
            public <V> @Nullable V set(@Nullable V value) {
                return (V) ((Map<Setting<?>, @Nullable Object>) values).put(setting, value);
            }
        };
    }

    /** The words of a setting, for picocli. */
    private record Reader(Setting<?> setting) implements ITypeConverter<Object> {
        @Override
        public Object convert(String word) {
            try {
                return setting.read(word);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
