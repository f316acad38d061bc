package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;

/** What a user should know about data before anything is learned from them. */
final class SampleWarnings {
    /** A line holds no more names. */
    private static final int CONSTANTS_NAMED = 10;

    /** What differs by no more than this, relative, hardly differs. */
    private static final double LAST_DIGITS = 1e-9;

    private SampleWarnings() {}

    static void rows(int dropped, int left, List<String> warnings) {
        if (dropped > 0) {
            warnings.add(dropped + (dropped == 1 ? " row was" : " rows were") + " left out because a value is missing; "
                    + left + " remain.");
        }
    }

    /** Whoever names immutable columns may not have meant to free the categories, which are immutable by default. */
    static void categories(Encoding encoding, Set<String> immutable, GameSpec spec, List<String> warnings) {
        List<String> freed = encoding.features().stream()
                .filter(f -> f.categorical() && !immutable.contains(f.column()))
                .map(Encoding.Feature::column)
                .toList();
        Set<String> declared = spec.moves().immutable();
        if (!freed.isEmpty() && declared != null && !declared.isEmpty()) {
            warnings.add(
                    "What is declared immutable replaces the default, the categorical columns: people can now change "
                            + String.join(", ", freed) + ".");
        }
    }

    /** Wishes that come from the target tell it, to whoever knows them exactly. */
    static void wish(World world, Table rows, List<String> warnings) {
        // statistics of the target are numbers by now
        boolean depends = Wish.parse(world.wish(), rows.names()).usesTarget();
        if (depends && world.spec().wishNoise() == 0) {
            warnings.add(
                    "The wish depends on the target and is taken as known exactly, so that it hands the truth to whoever"
                            + " publishes the rule: real losses will be larger. Maybe say how uncertain wishes are with"
                            + " wishNoise(...).");
        }
    }

    /** Scores that were learned from the truth of the same people know something of it. */
    static void today(World world, Table rows, List<String> warnings) {
        if (world.spec().today().kind() == Today.Kind.GIVEN) {
            world.spec().today().rule().unmetLevels(rows).ifPresent(warnings::add);
        }
        int columns = world.encoding().columns().size();
        if (world.spec().today().kind() == Today.Kind.LEARNED
                && 10L * columns > rows.rows()
                && Wish.parse(world.wish(), rows.names()).usesToday()) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "The wish uses today's score, and today's rule has learned %,d coefficients from these %,d people: for them it"
                            + " knows something of the truth that it will not know of others. Maybe score everybody by a rule that did"
                            + " not see them, with today(CROSS_FITTED).",
                    columns,
                    rows.rows()));
        }
    }

    /** What was taken for a yes where nobody said so, and a yes or no that is taken for a number. */
    static Optional<String> answers(GameSpec declared, World world, double[] y) {
        if (world.spec().loss().isLogistic()) {
            GameSpec.Answers answers = world.spec().answers();
            return declared.answers().isUnsaid() && !answers.plain()
                    ? Optional.of("Of the target '" + world.target() + "', " + answers.inWords() + ".")
                    : Optional.empty();
        }
        return Arrays.stream(y).allMatch(value -> value == 0 || value == 1)
                ? Optional.of(
                        "The target is 0 or 1 in every row, and is predicted as a number: scores may be below 0 or above 1."
                                + " Maybe predict the probability of a 1, with loss(LOGISTIC).")
                : Optional.empty();
    }

    /** Of columns that were kept because somebody named them, or that are part of a block; where no other constant is, they are the constant. */
    static void constants(Encoding encoding, GameSpec spec, List<String> warnings) {
        List<String> idle = encoding.constantColumns().stream()
                .filter(name -> spec.hasConstant() || isZero(encoding, name))
                .toList();
        if (!idle.isEmpty()) {
            warnings.add("The same value in all rows, so no information: " + someOf(idle));
        }
        List<String> nearly = encoding.features().stream()
                .filter(feature -> isNearlyConstant(feature.range()))
                .map(Encoding.Feature::column)
                .toList();
        if (!nearly.isEmpty()) {
            warnings.add("The same value in all rows but for its last digits, of which a rule may make much: "
                    + someOf(nearly) + " Maybe subtract what all have in common, or leave it out with ignore(\""
                    + nearly.get(0) + "\").");
        }
    }

    private static boolean isNearlyConstant(Encoding.Feature.Range range) {
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

    /** Names as the end of a sentence, the first of them if there are many. */
    static String someOf(List<String> names) {
        return some(names) + ".";
    }

    /** The first ten names, and how many more there are. */
    static String some(List<String> names) {
        int more = names.size() - CONSTANTS_NAMED;
        return String.join(", ", names.subList(0, Math.min(CONSTANTS_NAMED, names.size())))
                + (more > 0 ? " and " + more + " more columns" : "");
    }

    /** Categories that were kept although they name people instead of describing them: a rule can learn each by heart. */
    static void identifiers(Encoding encoding, int rows, List<String> warnings) {
        for (Encoding.Feature feature : encoding.features()) {
            int levels = feature.levels().size();
            boolean half = rows >= Recognition.ROWS_TO_TELL && 2L * levels > rows;
            if (feature.categorical() && (half || Recognition.tooMany(levels, rows))) {
                warnings.add("Column '" + feature.column() + "' has "
                        + (levels == rows
                                ? "a value of its own in every row"
                                : levels + " different values in " + rows + " rows")
                        + ": a rule can learn such rows by heart, and what it loses on them says nothing of others. Maybe"
                        + " ignore(\"" + feature.column() + "\").");
            }
        }
    }

    /** Where rows are fewer than coefficients some rule fits them whatever they hold. */
    static void fewRows(Encoding encoding, int rows, GameSpec spec, List<String> warnings) {
        int coefficients = encoding.columns().size() + (spec.intercept() == GameSpec.Intercept.NONE ? 0 : 1);
        if (rows < coefficients && spec.ridge() == 0) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "There are fewer rows (%,d) than coefficients (%,d): a rule can fit them whatever they hold, and what it"
                            + " loses on them says nothing of others. Maybe use fewer features, or ridge(...), which tune chooses by"
                            + " people it has not seen with ridges(\"0,log:1e-3:10:20\").",
                    rows,
                    coefficients));
        }
    }

    /** Numbers that were not written as 1234.5, so that whoever reads it sees what was made of them. */
    static void notations(Table table, Collection<String> used, List<String> warnings) {
        List<String> read = new ArrayList<>();
        table.notations().forEach((name, notation) -> {
            if (used.contains(name) && !notation.example().isEmpty() && read.size() < CONSTANTS_NAMED) {
                read.add("'" + name + "' (\"" + notation.example() + "\", decimal "
                        + (notation.decimal() == ',' ? "comma" : "point") + ")");
            }
        });
        if (!read.isEmpty()) {
            warnings.add("Read as numbers: " + String.join(", ", read) + ".");
        }
    }
}
