package stackelberg.cli.terminal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Settings as a user gives them: where the library says {@code missing(DROP)} or {@code immutable(...)}, the command line says {@code
 * --missing drop} or {@code --immutable}.
 *
 * <p>A setting is what an option of some command takes: one of its words, a number where it takes one, a text in quotes. All else is left
 * alone, as the wish {@code max(y,6)} is, and a column that is called {@code weight(kg)}.
 */
public final class Settings {
    private static final String ANY = "...";

    /** A name of more than a letter, which is a function of mathematics, and what stands between parentheses, which may hold a few others: a wish may be long. */
    private static final Pattern CALL = Pattern.compile(
            "(?<![\\w'\"])([a-z][A-Za-z]+)\\((\"[^\"]*\"|(?:[^()\"]++|\\([^()]*\\)){1,20})\\)(?![\\w'\"])");

    /** Settings whose options have another name. */
    private static final Map<String, String> RENAMED = Map.of(
            "scaling",
            "scale",
            "gammaShare",
            "gamma",
            "gammaBetween",
            "gamma",
            "gammaSharesBetween",
            "gamma",
            "standardErrors",
            "se");

    private final CommandLine command;

    private Settings(CommandLine command) {
        this.command = command;
    }

    /** Of all commands; where options of the same name differ, those of this one count. */
    public static Settings of(CommandLine command) {
        return new Settings(command);
    }

    /** The text with its settings written as options. */
    public String asOptions(String text) {
        return CALL.matcher(text)
                .replaceAll((MatchResult call) -> Matcher.quoteReplacement(find(call.group(1))
                        .flatMap(o -> written(o, call.group(2)))
                        .orElse(call.group())));
    }

    public List<String> asOptions(List<String> texts) {
        return texts.stream().map(this::asOptions).toList();
    }

    private Optional<OptionSpec> find(String setting) {
        String name = "--"
                + RENAMED.getOrDefault(setting, setting)
                        .replaceAll("([A-Z])", "-$1")
                        .toLowerCase(Locale.ROOT);
        return Optional.ofNullable(command.getCommandSpec().findOption(name))
                .or(() -> Commands.beside(command).values().stream()
                        .flatMap(one -> Stream.ofNullable(one.getCommandSpec().findOption(name)))
                        .findFirst());
    }

    private static Optional<String> written(OptionSpec option, String value) {
        String name = option.longestName();
        if (value.equals(ANY) || option.arity().max() == 0) {
            return Optional.of(name);
        }
        if (value.startsWith("\"")) {
            return Optional.of(name + " " + ShellWords.quoted(value.substring(1, value.length() - 1)));
        }
        if (option.completionCandidates() != null) {
            return StreamSupport.stream(option.completionCandidates().spliterator(), false)
                    .filter(value.replace('_', '-')::equalsIgnoreCase)
                    .findFirst()
                    .map(word -> name + " " + word);
        }
        // a text without quotes may be the end of a column's or a file's name
        return takesNumber(option) && isNumber(value) ? Optional.of(name + " " + value) : Optional.empty();
    }

    private static boolean takesNumber(OptionSpec option) {
        // a number that may be in percent is no Number
        return option.type().isPrimitive()
                || Number.class.isAssignableFrom(option.type())
                || option.paramLabel().startsWith("S%|");
    }

    private static boolean isNumber(String value) {
        return value.matches("[-+]?[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?");
    }
}
