package stackelberg.cli.command;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import stackelberg.cli.option.Study;
import stackelberg.cli.terminal.Commands;
import stackelberg.data.Missing;
import stackelberg.estimate.Loss;
import stackelberg.game.Description;
import stackelberg.game.Description.Candidate;
import stackelberg.game.Description.Use;
import stackelberg.game.GameSpec;

/**
 * Proposes the command to try after {@code describe}: the options given so far and those that are still needed.
 *
 * @param words the command line from {@code fit} on, if a command can be proposed
 * @param wish the proposed wish, unless one was given
 * @param opposite the wish to propose if people want a low score, unless a wish was given
 * @param whyNot why no command can be proposed, if none can
 */
record NextCommand(
        @Nullable List<String> words,
        @Nullable String wish,
        @Nullable String opposite,
        @Nullable String whyNot) {
    /**
     * Options of {@code describe} that the proposed command does not take over, because {@code fit} does not have them or because the proposed command sets
     * them itself.
     */
    private static final Set<String> NOT_PASSED_ON = Set.of(
            "--json",
            "--quiet",
            "-o",
            "--raw-text",
            "--threads",
            "--target",
            "--wish",
            "--missing",
            "--ignore",
            "--features");

    /** If dropping incomplete rows would leave less than this share of the rows, filling in missing values is proposed instead. */
    private static final double ENOUGH_LEFT = 0.9;

    private static final int FEWEST_ROWS = 2;

    /** Quantiles of the target, tried in this order as the proposed wish: first the score that the best quarter of people reach. */
    private static final double[] HIGH = {0.75, 0.9, 0.95, 0.99, 1};

    static NextCommand of(Description data, Study study, @Nullable String file, CommandLine command) {
        GameSpec game = study.game();
        Optional<String> whyNot = whyNot(data, study, command);
        if (whyNot.isPresent()) {
            return new NextCommand(null, null, null, whyNot.get());
        }
        Candidate target = data.target().orElseThrow();
        List<String> words = new ArrayList<>(List.of("fit"));
        if (file != null) {
            words.add(file.startsWith("-") && file.length() > 1 ? "./" + file : file);
        }
        boolean named = study.table().block().isEmpty();
        if (named) {
            add("--target", target.name(), words);
        }
        boolean logistic = logistic(target, game, command);
        boolean asked = game.wish() == null;
        boolean odds = game.wishUnits() == GameSpec.WishUnits.LOGODDS;
        // in an expression, a column with the name today would be in quotes
        String wish = !asked ? null : logistic ? odds ? "2" : "0.9" : "max(today," + level(target, true) + ")";
        String opposite = !asked ? null : logistic ? odds ? "-2" : "0.1" : "min(today," + level(target, false) + ")";
        OptionSpec given = command.getCommandSpec().findOption("--wish");
        if (wish != null || command.getParseResult().hasMatchedOption(given)) {
            add("--wish", wish == null ? given.originalStringValues().get(0) : wish, words);
        }
        if (logistic && !game.loss().isLogistic()) {
            add("--loss", Loss.LOGISTIC.inWords(), words);
        }
        for (OptionSpec option : new LinkedHashSet<>(command.getParseResult().matchedOptions())) {
            if (!NOT_PASSED_ON.contains(option.longestName())) {
                passOn(option, words);
            }
        }
        columns(data, game, words);
        missing(data, game, target, words);
        return new NextCommand(List.copyOf(words), wish, opposite, null);
    }

    /** Whether to propose logistic loss: the target is yes or no, no loss was declared, and the rest of the game allows it. */
    private static boolean logistic(Candidate target, GameSpec game, CommandLine command) {
        boolean said = command.getParseResult().hasMatchedOption("--loss");
        boolean texts = !target.values().levels().isEmpty();
        // a given wish need not be a probability
        if (said || !Description.isYesOrNo(target) || game.wish() != null && !texts) {
            return game.loss().isLogistic();
        }
        try {
            game.toBuilder().loss(Loss.LOGISTIC).build();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Optional<String> whyNot(Description data, Study study, CommandLine command) {
        Candidate target = data.target().orElse(null);
        if (data.rows() == 1) {
            return Optional.of("There is 1 row to learn from; a rule needs at least 2. Maybe the file was cut off.");
        }
        if (target == null) {
            return Optional.of(
                    study.table().block().isPresent()
                            ? "The truth to predict is not given. Maybe add --y Y.npy."
                            : "No column looks like a target: a target has numbers that differ and are mostly known, and that are neither row numbers "
                                    + "nor dates. Maybe name it with --target.");
        }
        if (target.sorted().length < FEWEST_ROWS) {
            return Optional.of("A rule needs at least 2 rows in which the target is known.");
        }
        boolean texts = !target.values().levels().isEmpty();
        if (texts && !logistic(target, study.game(), command)) {
            return Optional.of("The target '" + target.name()
                    + "' holds texts, which only logistic loss can predict, as a yes or a no. Maybe leave out the options that cannot be combined "
                    + "with --loss logistic.");
        }
        if (target.quantile(0) == target.quantile(1)) {
            return Optional.of(
                    "The target '" + target.name() + "' has the same value in all rows: there is nothing to predict.");
        }
        if (Commands.beside(command, "fit").getCommandSpec().optionsMap().containsKey(target.name())) {
            return Optional.of("Column '" + target.name()
                    + "' has the name of an option, so --target cannot name it. Maybe rename it in the header.");
        }
        if (data.columns().stream()
                .noneMatch(c -> c.feature() || c.use() == Use.LEFT_OUT && c.look() == Description.Look.CONSTANT)) {
            return Optional.of("No column is left that could be a feature.");
        }
        if (data.columns().stream().noneMatch(c -> c.use() == Use.FEATURE && c.look() != Description.Look.CONSTANT)) {
            return Optional.of(
                    "No column that people can change differs from row to row, so no one would move. Maybe list the columns that they cannot change "
                            + "with --immutable; by default these are the categories.");
        }
        return data.columns().stream()
                .filter(c -> c.use() == Use.REFUSED && c.name().contains(","))
                .findFirst()
                .map(c -> "Column '" + c.name()
                        + "' has to be left out, but --ignore cannot name it because of the comma. Maybe rename it in the "
                        + "header.");
    }

    private static void passOn(OptionSpec option, List<String> words) {
        if (option.arity().max() == 0) {
            words.add(option.longestName());
        }
        option.originalStringValues().stream()
                .filter(value -> option.arity().max() > 0)
                .forEach(value -> add(option.longestName(), value, words));
    }

    private static void add(String option, String value, List<String> words) {
        if (value.startsWith("-")) {
            words.add(option + "=" + value);
        } else {
            words.addAll(List.of(option, value));
        }
    }

    /** Adds options that leave out the columns that fit would refuse. */
    private static void columns(Description data, GameSpec game, List<String> words) {
        Set<String> ignored = new LinkedHashSet<>(game.ignore());
        Set<String> refused = new LinkedHashSet<>();
        data.columns().stream().filter(c -> c.use() == Use.REFUSED).forEach(c -> refused.add(c.name()));
        if (game.features() != null) {
            Set<String> features = new LinkedHashSet<>(game.features());
            features.removeAll(refused);
            add("--features", String.join(",", features), words);
        } else {
            ignored.addAll(refused);
        }
        if (!ignored.isEmpty()) {
            add("--ignore", String.join(",", ignored), words);
        }
    }

    private static void missing(Description data, GameSpec game, Candidate target, List<String> words) {
        Missing said = game.missing();
        boolean lacks = data.complete() < data.rows();
        if (said != Missing.ERROR || lacks) {
            // missing targets cannot be filled in
            boolean drop = data.complete() >= ENOUGH_LEFT * data.rows()
                    || target.values().missing() > 0;
            String word = said != Missing.ERROR ? said.name().toLowerCase(Locale.ROOT) : drop ? "drop" : "mean";
            words.addAll(List.of("--missing", word));
        }
    }

    /** The score to propose as the wish, with few digits: beyond the mean, so that some people do not reach it, and within the range of the target. */
    private static String level(Candidate target, boolean high) {
        double mean = target.spread().mean();
        double value = high ? target.spread().max() : target.spread().min();
        for (double share : HIGH) {
            double quantile = target.quantile(high ? share : 1 - share);
            if (high ? quantile > mean : quantile < mean) {
                value = quantile;
                break;
            }
        }
        for (int digits = 2; digits < 17; digits++) {
            BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_EVEN));
            double there = rounded.doubleValue();
            boolean beyond = high
                    ? there > mean && there <= target.spread().max()
                    : there < mean && there >= target.spread().min();
            if (beyond) {
                return written(rounded);
            }
        }
        return written(new BigDecimal(String.valueOf(value)));
    }

    private static String written(BigDecimal value) {
        BigDecimal plain = value.stripTrailingZeros();
        double size = Math.abs(value.doubleValue());
        return size == 0
                ? "0"
                : size >= 1e-6 && size < 1e15 ? plain.toPlainString() : String.valueOf(value.doubleValue());
    }
}
