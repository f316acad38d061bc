package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;

/** Warnings and notes about data, found before anything is learned from them. */
final class SampleWarnings {
    /** A message lists at most this many names. */
    private static final int CONSTANTS_NAMED = 10;

    /** A column whose range is at most this share of its size is reported as nearly constant. */
    private static final double LAST_DIGITS = 1e-9;

    private SampleWarnings() {}

    /** Says how many rows were left out because of missing values. */
    static void rows(int dropped, int left, List<Message> warnings) {
        if (dropped > 0) {
            warnings.add(Message.of(
                    "rows-left-out",
                    "{}{} left out because a value is missing; {} remain.",
                    dropped,
                    dropped == 1 ? " row was" : " rows were",
                    left));
        }
    }

    /** Warns that a declared list of immutable columns replaces the default, so that categories become movable, which is easily overlooked. */
    static void categories(Encoding encoding, Set<String> immutable, GameSpec spec, List<Message> warnings) {
        List<String> freed = encoding.features().stream()
                .filter(f -> f.categorical() && !immutable.contains(f.column()))
                .map(Encoding.Feature::column)
                .toList();
        Set<String> declared = spec.immutable();
        if (!freed.isEmpty() && declared != null && !declared.isEmpty()) {
            warnings.add(Message.of(
                    "categories-movable",
                    "What is declared immutable replaces the default, the categorical columns: people can now change {}.",
                    String.join(", ", freed)));
        }
    }

    /** Warns of a wish that depends on the target and is known exactly: the rule can then infer the target from the wish. */
    static void wish(World world, Table rows, List<Message> warnings) {
        // statistics of the target are numbers by now
        boolean depends = Wish.parse(world.spec().chosenWish(), rows.names()).usesTarget();
        if (depends && world.spec().wishNoise() == 0) {
            warnings.add(Message.of(
                    "wish-tells-target",
                    "The wish depends on the target and is taken as known exactly, so that the rule learns the target from"
                            + " the wishes: real losses will be larger. Maybe say how uncertain wishes are with {}.",
                    Message.Choice.any("wishNoise")));
        }
    }

    /** Warns if the wish uses scores that were learned from the target values of the same rows, with many coefficients for few rows. */
    static void today(World world, Table rows, List<Message> warnings) {
        if (world.spec().today().kind() == Today.Kind.GIVEN) {
            world.spec()
                    .today()
                    .knownRule()
                    .unknownLevels(rows)
                    .ifPresent(text -> warnings.add(Message.plain("unknown-levels", text)));
        }
        int columns = world.encoding().columns().size();
        if (world.spec().today().kind() == Today.Kind.LEARNED
                && 10L * columns > rows.rows()
                && Wish.parse(world.spec().chosenWish(), rows.names()).usesToday()) {
            warnings.add(Message.of(
                    "today-learned-from-same-people",
                    "The wish uses today's score, and today's rule has learned {} coefficients from these {} people: their"
                            + " scores contain information about the target that scores of other people will not contain. Maybe"
                            + " score each of them by a rule learned from the others, with {}.",
                    count(columns),
                    count(rows.rows()),
                    Message.Choice.word("today", Today.Kind.CROSS_FITTED)));
        }
    }

    /** Says which value is taken for a yes if that was not declared, and that a 0/1 target is predicted as a number by another loss than the logistic one. */
    static Optional<Message> answers(GameSpec declared, World world, double[] y) {
        if (world.spec().loss().isLogistic()) {
            GameSpec.Answers answers = world.spec().answers();
            return declared.answers().isUnsaid() && !answers.plain()
                    ? Optional.of(Message.of(
                            "yes-chosen",
                            "Predicting the probability that {}.",
                            answers.event(world.spec().chosenTarget())))
                    : Optional.empty();
        }
        return Arrays.stream(y).allMatch(value -> value == 0 || value == 1)
                ? Optional.of(Message.of(
                        "target-yes-or-no",
                        "The target is 0 or 1 in every row, and is predicted as a number: scores may be below 0 or above 1."
                                + " Maybe predict the probability of a 1, with {}.",
                        Settings.LOSS.word("LOGISTIC")))
                : Optional.empty();
    }

    /** Warns of constant columns that were kept (named in the declaration, or part of a block), unless one serves as the rule's constant, and of nearly constant ones. */
    static void constants(Encoding encoding, GameSpec spec, List<Message> warnings) {
        List<String> idle = encoding.constantColumns().stream()
                .filter(name -> spec.hasConstant() || isZero(encoding, name))
                .toList();
        if (!idle.isEmpty()) {
            warnings.add(
                    Message.of("column-constant", "The same value in all rows, so no information: {}", someOf(idle)));
        }
        List<String> nearly = encoding.features().stream()
                .filter(feature -> isNearlyConstant(feature.range()))
                .map(Encoding.Feature::column)
                .toList();
        if (!nearly.isEmpty()) {
            warnings.add(Message.of(
                    "column-nearly-constant",
                    "The same value in all rows up to the last digits, which a rule may weigh heavily: {} Maybe subtract the"
                            + " common value, or leave it out with {}.",
                    someOf(nearly),
                    Message.Choice.text("ignore", nearly.get(0))));
        }
    }

    private static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static boolean isNearlyConstant(Encoding.Feature.@Nullable Range range) {
        return range != null
                && range.max() > range.min()
                && range.max() - range.min() <= LAST_DIGITS * Math.max(Math.abs(range.min()), Math.abs(range.max()));
    }

    private static boolean isZero(Encoding encoding, String name) {
        return encoding.features().stream()
                .anyMatch(f -> f.column().equals(name)
                        && f.range() != null
                        && f.range().min() == 0);
    }

    /** The first names of a list as the end of a sentence. */
    static String someOf(List<String> names) {
        return some(names) + ".";
    }

    /** The first ten names of a list, and how many more there are. */
    static String some(List<String> names) {
        int more = names.size() - CONSTANTS_NAMED;
        return String.join(", ", names.subList(0, Math.min(CONSTANTS_NAMED, names.size())))
                + (more > 0 ? " and " + more + " more columns" : "");
    }

    /** Warns of categories that were kept although they identify rows instead of describing them: a rule can memorise such rows. */
    static void identifiers(Encoding encoding, int rows, List<Message> warnings) {
        for (Encoding.Feature feature : encoding.features()) {
            int levels = feature.levels().size();
            boolean half = rows >= Recognition.ROWS_TO_TELL && 2L * levels > rows;
            if (feature.categorical() && (half || Recognition.tooMany(levels, rows))) {
                warnings.add(Message.of(
                        "column-identifies-rows",
                        "Column '{}' has {}"
                                + ": a rule can memorise such rows, and its loss on them says nothing about other people. Maybe {}.",
                        feature.column(),
                        levels == rows
                                ? "a value of its own in every row"
                                : levels + " different values in " + rows + " rows",
                        Message.Choice.text("ignore", feature.column())));
            }
        }
    }

    /** Warns of fewer rows than coefficients: some rule then fits any target values exactly. */
    static void fewRows(Encoding encoding, int rows, GameSpec spec, List<Message> warnings) {
        int coefficients = encoding.columns().size() + (spec.intercept() == GameSpec.Intercept.NONE ? 0 : 1);
        if (rows < coefficients && spec.ridge() == 0) {
            warnings.add(Message.of(
                    "fewer-rows-than-coefficients",
                    "There are fewer rows ({}) than coefficients ({}): some rule fits any values, and its loss on these rows"
                            + " says nothing about other people. Maybe use fewer features, or {}, which tune chooses on"
                            + " held-out people with {}.",
                    count(rows),
                    count(coefficients),
                    Message.Choice.any("ridge"),
                    Message.Choice.text("ridges", "0,log:1e-3:10:20")));
        }
    }

    /** Says how numbers in other notations than 1234.5 were read, so that a wrong reading is noticed. */
    static void notations(Table table, Collection<String> used, List<Message> warnings) {
        List<String> read = new ArrayList<>();
        table.notations().forEach((name, notation) -> {
            if (used.contains(name) && !notation.example().isEmpty() && read.size() < CONSTANTS_NAMED) {
                read.add("'" + name + "' (\"" + notation.example() + "\", decimal "
                        + (notation.decimal() == ',' ? "comma" : "point") + ")");
            }
        });
        if (!read.isEmpty()) {
            warnings.add(Message.of("numbers-read", "Read as numbers: {}.", String.join(", ", read)));
        }
    }
}
