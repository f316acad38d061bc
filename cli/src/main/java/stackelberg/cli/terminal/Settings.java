package stackelberg.cli.terminal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import stackelberg.data.Message;
import stackelberg.game.Setting;

/** Writes the settings in messages as options of the command line: {@code --missing drop} for Java's {@code missing(DROP)}, {@code --immutable} for {@code immutable(...)}. */
public final class Settings implements Message.Wording {
    /** Settings whose options have another name. */
    private static final Map<String, String> RENAMED = new HashMap<>();

    static {
        for (Setting<?> setting : stackelberg.game.Settings.all()) {
            RENAMED.put(setting.name(), setting.apart('-'));
        }
        // a second method of the builder for the same setting, and an option of the solver
        RENAMED.put("gammaSharesBetween", "gamma");
        RENAMED.put("standardErrors", "se");
    }

    private final CommandLine command;

    private Settings(CommandLine command) {
        this.command = command;
    }

    /** The wording for the options of all commands; if options of the same name differ, this command's option counts. */
    public static Settings of(CommandLine command) {
        return new Settings(command);
    }

    @Override
    public String of(Message.Choice choice) {
        return find(choice.setting()).map(option -> written(option, choice)).orElse(choice.inJava());
    }

    /** The texts of messages. */
    public List<String> all(List<Message> messages) {
        return messages.stream().map(message -> message.text(this)).toList();
    }

    /** The message of an exception. */
    String message(Throwable e) {
        return e instanceof Message.Carrier carrier ? carrier.asMessage().text(this) : String.valueOf(e.getMessage());
    }

    private Optional<OptionSpec> find(String setting) {
        String name = "--" + Message.Choice.apart(RENAMED.getOrDefault(setting, setting), '-');
        return Optional.ofNullable(command.getCommandSpec().findOption(name))
                .or(() -> Commands.beside(command).values().stream()
                        .flatMap(one -> Stream.ofNullable(one.getCommandSpec().findOption(name)))
                        .findFirst());
    }

    private static String written(OptionSpec option, Message.Choice choice) {
        String name = option.longestName();
        String value = choice.value();
        if (choice.kind() == Message.Choice.Kind.ANY || option.arity().max() == 0) {
            return name;
        }
        return name + " "
                + switch (choice.kind()) {
                    case TEXT -> ShellWords.quoted(value);
                    case WORD -> word(option, value);
                    default -> value;
                };
    }

    /** A word as the option has it; options write the constants of an enumeration in their own way. */
    private static String word(OptionSpec option, String constant) {
        String word = constant.replace('_', '-');
        return option.completionCandidates() == null
                ? word
                : StreamSupport.stream(option.completionCandidates().spliterator(), false)
                        .filter(word::equalsIgnoreCase)
                        .findFirst()
                        .orElse(word);
    }
}
