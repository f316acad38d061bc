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

/** Names the settings of messages as a user gives them: {@code --missing drop} where Java has {@code missing(DROP)}, {@code --immutable} where it has {@code immutable(...)}. */
public final class Settings implements Message.Wording {
    /** Settings whose options have another name. */
    private static final Map<String, String> RENAMED = new HashMap<>();

    static {
        for (Setting<?> setting : stackelberg.game.Settings.all()) {
            RENAMED.put(setting.name(), setting.apart('-'));
        }
        // a method of the builder that sets what another does, and an option of how a game is solved
        RENAMED.put("gammaSharesBetween", "gamma");
        RENAMED.put("standardErrors", "se");
    }

    private final CommandLine command;

    private Settings(CommandLine command) {
        this.command = command;
    }

    /** Of all commands; where options of the same name differ, those of this one count. */
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
