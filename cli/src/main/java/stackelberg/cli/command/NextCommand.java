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
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import stackelberg.cli.option.Study;
import stackelberg.cli.terminal.Commands;
import stackelberg.data.Missing;
import stackelberg.game.Description;
import stackelberg.game.Description.Candidate;
import stackelberg.game.Description.Use;
import stackelberg.game.GameSpec;
import stackelberg.game.Loss;

/**
 * The command to try once data were described: all that was said of them, and what they need besides.
 *
 * @param words {@code fit} and what follows it; null if there is nothing to try
 * @param wish what people are said to wish, null where that was given
 * @param opposite what they wish if they want little instead
 * @param whyNot why there is nothing to try; null if there is
 */
record NextCommand(List<String> words, String wish, String opposite, String whyNot) {
    /** Options of describe that say nothing of the game, or are said anew. */
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

    /** Fewer rows than these would be left if rows that lack a value were dropped: rather fill in the values. */
    private static final double ENOUGH_LEFT = 0.9;

    private static final int FEWEST_ROWS = 2;

    /** Beyond this smaller side of the data a hedge is refused. */
    private static final int MOST_HEDGED = 5000;

    /** The likeliest wish is for a score that a quarter of the people deserve. */
    private static final double[] HIGH = {0.75, 0.9, 0.95, 0.99, 1};

    static NextCommand of(Description data, Study study, String file, CommandLine command) {
        Candidate target = data.target().orElse(null);
        GameSpec game = study.game();
        Optional<String> whyNot = whyNot(data, study, target, command);
        if (whyNot.isPresent()) {
            return new NextCommand(null, null, null, whyNot.get());
        }
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
        boolean odds = game.aim().wishUnits() == GameSpec.WishUnits.LOGODDS;
        // in an expression a column of that name would be in quotes
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
        boolean squared = !logistic && game.loss().isSquared();
        boolean small = Math.min(data.coefficients(), data.complete()) <= MOST_HEDGED;
        if (squared && small && data.coefficients() < data.complete() && hedges(game) && !words.contains("--hedge")) {
            words.addAll(List.of("--hedge", "5%"));
        }
        return new NextCommand(List.copyOf(words), wish, opposite, null);
    }

    /** Whether a hedge goes with the rest of the game. */
    private static boolean hedges(GameSpec game) {
        try {
            game.toBuilder().hedge(0.05).build();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether the target is yes or no and nobody said how to lose by it, in a game that can be played by logistic loss. */
    private static boolean logistic(Candidate target, GameSpec game, CommandLine command) {
        boolean said = command.getParseResult().hasMatchedOption("--loss");
        boolean texts = !target.values().levels().isEmpty();
        // a wish that was given may be no probability
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

    private static Optional<String> whyNot(Description data, Study study, Candidate target, CommandLine command) {
        if (data.rows() == 1) {
            return Optional.of("There is 1 row to learn from; a rule needs at least 2. Maybe the file was cut off.");
        }
        if (target == null) {
            return Optional.of(
                    study.table().block().isPresent()
                            ? "The truth to predict is not given. Maybe add --y Y.npy."
                            : "No column can be the target: that takes numbers that differ, are mostly there, and neither count the rows"
                                    + " nor look like dates. Maybe name it with --target.");
        }
        if (target.sorted().length < FEWEST_ROWS) {
            return Optional.of("A rule needs at least 2 rows in which the target is known.");
        }
        boolean texts = !target.values().levels().isEmpty();
        if (texts && !logistic(target, study.game(), command)) {
            return Optional.of("The target '" + target.name()
                    + "' holds texts, which logistic loss alone takes for a yes and a no. Maybe leave out what does not go"
                    + " together with --loss logistic.");
        }
        if (target.quantile(0) == target.quantile(1)) {
            return Optional.of(
                    "The target '" + target.name() + "' has the same value in all rows: there is nothing to predict.");
        }
        if (Commands.beside(command).get("fit").getCommandSpec().optionsMap().containsKey(target.name())) {
            return Optional.of("Column '" + target.name()
                    + "' is called as an option is, which --target does not take. Maybe rename it in the header.");
        }
        if (data.columns().stream()
                .noneMatch(c -> c.feature() || c.use() == Use.LEFT_OUT && c.look() == Description.Look.CONSTANT)) {
            return Optional.of("No column is left that could be a feature.");
        }
        if (data.columns().stream().noneMatch(c -> c.use() == Use.FEATURE && c.look() != Description.Look.CONSTANT)) {
            return Optional.of("No column that people can change differs from row to row: nobody would move. Maybe say"
                    + " which columns they cannot change with --immutable; categories are among them otherwise.");
        }
        return data.columns().stream()
                .filter(c -> c.use() == Use.REFUSED && c.name().contains(","))
                .findFirst()
                .map(c -> "Column '" + c.name() + "' has to be left out, and --ignore takes no name with a comma in it."
                        + " Maybe rename it in the header.");
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

    /** Columns that would be refused are left out. */
    private static void columns(Description data, GameSpec game, List<String> words) {
        Set<String> ignored = new LinkedHashSet<>(game.columns().ignore());
        Set<String> refused = new LinkedHashSet<>();
        data.columns().stream().filter(c -> c.use() == Use.REFUSED).forEach(c -> refused.add(c.name()));
        if (game.columns().features() != null) {
            Set<String> features = new LinkedHashSet<>(game.columns().features());
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
        Missing said = game.units().missing();
        boolean lacks = data.complete() < data.rows();
        if (said != Missing.ERROR || lacks) {
            // what is not known of the target cannot be filled in
            boolean drop = data.complete() >= ENOUGH_LEFT * data.rows()
                    || target.values().missing() > 0;
            String word = said != Missing.ERROR ? said.name().toLowerCase(Locale.ROOT) : drop ? "drop" : "mean";
            words.addAll(List.of("--missing", word));
        }
    }

    /** A score to wish for, in as few digits as will do: beyond the mean, so that there are people who lack it, and not beyond what anybody has. */
    private static String level(Candidate target, boolean high) {
        double mean = target.values().spread().mean();
        double value =
                high ? target.values().spread().max() : target.values().spread().min();
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
                    ? there > mean && there <= target.values().spread().max()
                    : there < mean && there >= target.values().spread().min();
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
