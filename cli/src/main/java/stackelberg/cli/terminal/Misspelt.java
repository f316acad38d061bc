package stackelberg.cli.terminal;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import stackelberg.data.DataException;

/** Messages for command lines that picocli refuses, in the form of all other messages: what happened, the value, the rule, and what to do. */
final class Misspelt {
    private static final String OWN_GAMMAS = "--row-gamma";

    private static final List<String> OF_MIXED_POPULATIONS = List.of("--truthful-share", OWN_GAMMAS);

    private static final String HEDGE = "--hedge";

    private static final String MISSPELT = "Maybe it is misspelt, or belongs to another option.";

    private Misspelt() {}

    /** The message for the user. Messages of the commands themselves have this form already and stay as they are. */
    static String message(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched.isUnknownOption() ? noSuchOption(unmatched) : tooMany(unmatched);
        }
        String message = String.valueOf(e.getMessage());
        return e.getArgSpec() instanceof OptionSpec option && e.getValue() != null
                ? refused(option, e.getValue(), message)
                : message;
    }

    /** The message where a command is expected, as at the beginning of the line or after help: an unknown word is compared with the names of the commands. */
    static String commandOr(ParameterException e) {
        String name = e instanceof UnmatchedArgumentException unmatched
                ? unmatched.isUnknownOption() ? null : unmatched.getUnmatched().get(0)
                : e.getArgSpec() == null ? e.getValue() : null;
        if (name == null) {
            return message(e);
        }
        Set<String> known = e.getCommandLine().getSubcommands().keySet();
        String nearest = DataException.nearest(name, known);
        return "There is no command '" + name + "'.\nMaybe "
                + (nearest == null ? "one of " + String.join(", ", known) : nearest) + ".";
    }

    private static String noSuchOption(UnmatchedArgumentException e) {
        String name = e.getUnmatched().get(0).split("=", 2)[0];
        String command = e.getCommandLine().getCommandName();
        boolean learns = e.getCommandLine().getCommandSpec().findOption("--target") != null;
        if (learns && OF_MIXED_POPULATIONS.contains(name)) {
            return name + " is not an option of " + command + ": "
                    + (name.equals(OWN_GAMMAS)
                            ? "with a gamma for each person there is no common gamma to choose or to vary; fit and compare accept"
                                    + " such people.\nMaybe run fit "
                            : "mixed populations are for fit, path, tune and compare.\nMaybe run fit ")
                    + name + ", and evaluate for what its rule loses.";
        }
        if (learns && name.equals(HEDGE)) {
            return name + " is not an option of " + command + ": hedged rules are found by fit, path, tune and compare."
                    + "\nMaybe run fit " + name + ".";
        }
        return name + " is not an option of " + command + "." + nearest(name, e);
    }

    /** A suggestion of an option with a similar name: by edit distance, otherwise picocli's own guesses, which compare pairs of letters; empty if there is none. */
    private static String nearest(String name, UnmatchedArgumentException e) {
        List<String> known = e.getCommandLine().getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
                .toList();
        String nearest = DataException.nearest(name, known);
        if (nearest != null) {
            return "\nMaybe " + nearest + ".";
        }
        return e.getSuggestions().isEmpty() ? "" : "\nMaybe " + String.join(" or ", e.getSuggestions()) + ".";
    }

    private static String tooMany(UnmatchedArgumentException e) {
        String command = e.getCommandLine().getCommandName();
        return "'" + e.getUnmatched().get(0) + "' is one word too many for " + command
                + ".\nMaybe leave it out, or put quotes around what has spaces in it.";
    }

    private static String refused(OptionSpec option, Object value, String message) {
        String name = option.longestName();
        if (option.typeInfo().isMap() && !message.startsWith("Invalid value")) {
            return name + " is \"" + value + "\"; it must be " + option.paramLabel() + ".\nMaybe write " + name + " "
                    + value + "=2.";
        }
        if (option.typeInfo().isMap()) {
            return name + ": \"" + value + "\" after = must be a number with a decimal point, such as 0.5.\n"
                    + maybe(value);
        }
        Class<?> type = option.type();
        boolean converted = option.converters().length > 0;
        if (!converted && (type == double.class || type == Double.class)) {
            return name + " is \"" + value + "\"; it must be a number with a decimal point, such as 0.5.\n"
                    + maybe(value);
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return name + " is \"" + value + "\"; it must be a whole number, such as 10.\n" + MISSPELT;
        }
        int rule = message.indexOf(": ");
        return message.startsWith("Invalid value for option") && rule > 0
                ? name + ": " + message.substring(rule + 2)
                : message;
    }

    private static String maybe(Object value) {
        String text = value.toString().strip();
        if (text.matches("[-+]?[0-9]+%") || text.matches("[-+]?[0-9]*[.,][0-9]+%")) {
            double share =
                    Double.parseDouble(text.substring(0, text.length() - 1).replace(',', '.')) / 100;
            return "Maybe " + share + ".";
        }
        return text.matches("[-+]?[0-9]*,[0-9]+") ? "Maybe " + text.replace(',', '.') + "." : MISSPELT;
    }
}
