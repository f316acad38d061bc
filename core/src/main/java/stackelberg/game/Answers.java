package stackelberg.game;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/**
 * Which values of a target that is yes or no are a yes, which counts 1, and which a no, which counts 0.
 *
 * @param yes the value of a yes, or which numbers are: {@code >=6}; null until somebody says or the data show it
 * @param no the only other value; null where every other is a no
 */
public record Answers(String yes, String no) {
    /** To be found: the target then has two values, and the larger number, or what reads like a yes, is one. */
    public static final Answers UNSAID = new Answers(null, null);

    /** What reads like a yes, if the other value does not. */
    private static final Set<String> AFFIRMATIVE =
            Set.of("yes", "y", "true", "t", "1", "positive", "pos", "ja", "oui", "si", "sí", "approved", "accepted");

    private static final Pattern COMPARISON = Pattern.compile("\\s*(>=|<=|>|<)\\s*(\\S+)\\s*");

    /** Asked in every fit, so not by a record's equals, which spins classes when it is first used. */
    boolean isUnsaid() {
        return yes == null && no == null;
    }

    /** Whether a column holds two texts, which may be a yes and a no. */
    static boolean areTwoTexts(Table rows, String target) {
        if (!(rows.column(target) instanceof CategoricalColumn column)) {
            return false;
        }
        TreeSet<String> texts = new TreeSet<>();
        for (int i = 0; i < rows.rows() && texts.size() < 3; i++) {
            column.text(i).ifPresent(texts::add);
        }
        return texts.size() == 2;
    }

    /** These where they are known, otherwise what the rows show. */
    Answers settled(Table rows, String target) {
        Column column = rows.column(target);
        // of texts <30 is one of them
        boolean compared = column instanceof NumericColumn && comparison().isPresent();
        Answers known = compared ? this : named(column, rows, target);
        double[] y = known.of(rows, target);
        long some = Arrays.stream(y).filter(value -> value == 1).count();
        if (some == 0 || some == y.length) {
            throw new DataException("Every row of the target '" + target + "' is a " + (some == 0 ? "no" : "yes") + " ("
                    + known.inWords()
                    + "): there is nothing to tell apart.\nMaybe another value was meant with yes(...).");
        }
        return known;
    }

    private Answers named(Column column, Table rows, String target) {
        TreeMap<Double, String> numbers = new TreeMap<>();
        TreeSet<String> texts = new TreeSet<>();
        for (int i = 0; i < rows.rows() && numbers.size() + texts.size() < 3; i++) {
            if (column instanceof NumericColumn values) {
                if (!values.isMissing(i)) {
                    numbers.put(values.value(i) + 0.0, text(values.value(i)));
                }
            } else {
                column.text(i).ifPresent(texts::add);
            }
        }
        boolean numeric = column instanceof NumericColumn;
        int values = numbers.size() + texts.size();
        if (yes != null) {
            if (values > 2) {
                return this;
            }
            List<String> all = List.copyOf(numeric ? numbers.values() : texts);
            List<String> others =
                    all.stream().filter(value -> !isYes(value, numeric)).toList();
            return new Answers(yes, all.size() == 2 && others.size() == 1 ? others.get(0) : null);
        }
        if (values == 1) {
            String only = numeric ? numbers.firstEntry().getValue() : texts.first();
            throw new DataException("The target '" + target + "' is '" + only
                    + "' in every row: there is nothing to tell apart.\nMaybe another column was meant.");
        }
        if (values == 0) {
            throw new DataException(
                    "The target '" + target + "' has no value at all.\nMaybe another column was meant.");
        }
        if (values != 2) {
            throw new DataException("The target '" + target + "' has "
                    + "more than two values, but logistic loss asks for a yes or a no.\nMaybe say which is a yes with yes(...): a value"
                    + (numeric ? ", or which numbers, as in yes(\">=6\")" : ", as in yes(\"" + texts.first() + "\")")
                    + "; or leave out loss(...).");
        }
        if (numeric) {
            return new Answers(
                    numbers.lastEntry().getValue(), numbers.firstEntry().getValue());
        }
        boolean first = AFFIRMATIVE.contains(texts.first().toLowerCase(Locale.ROOT))
                && !AFFIRMATIVE.contains(texts.last().toLowerCase(Locale.ROOT));
        return first ? new Answers(texts.first(), texts.last()) : new Answers(texts.last(), texts.first());
    }

    private static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.valueOf(value);
    }

    private Optional<DoublePredicate> comparison() {
        Matcher matcher = yes == null ? null : COMPARISON.matcher(yes);
        if (matcher == null || !matcher.matches()) {
            return Optional.empty();
        }
        double bound;
        try {
            bound = Double.parseDouble(matcher.group(2));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        return Optional.of(
                switch (matcher.group(1)) {
                    case ">=" -> value -> value >= bound;
                    case "<=" -> value -> value <= bound;
                    case ">" -> value -> value > bound;
                    default -> value -> value < bound;
                });
    }

    private boolean isYes(String value, boolean numeric) {
        return value.equals(yes) || numeric && same(value, yes);
    }

    private static boolean same(String value, String other) {
        try {
            return Double.parseDouble(value) == Double.parseDouble(other);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** 1 for every yes, 0 for every no. */
    public double[] of(Table rows, String target) {
        if (yes == null) {
            return settled(rows, target).of(rows, target);
        }
        Column column = rows.column(target);
        Optional<DoublePredicate> compared = column instanceof NumericColumn ? comparison() : Optional.empty();
        if (column instanceof CategoricalColumn texts
                && comparison().isPresent()
                && no == null
                && !texts.levels().contains(yes)) {
            throw new DataException(
                    "A yes is " + yes + " (yes(...)), but the target '" + target + "' holds texts, such as '"
                            + column.text(0).orElse("") + "'.\nMaybe name the text that is a yes.");
        }
        double[] y = new double[rows.rows()];
        for (int i = 0; i < y.length; i++) {
            if (compared.isPresent()) {
                y[i] = compared.get().test(((NumericColumn) column).value(i)) ? 1 : 0;
                continue;
            }
            boolean numeric = column instanceof NumericColumn;
            String value = numeric
                    ? text(((NumericColumn) column).value(i))
                    : column.text(i).orElse("");
            boolean is = isYes(value, numeric);
            if (!is && no != null && !value.equals(no) && !(numeric && same(value, no))) {
                throw new DataException("Column '" + target + "', " + rows.where(i) + ": '" + value + "' is neither '"
                        + yes + "' nor '" + no + "', the two answers that are known.\nMaybe it is misspelt.");
            }
            y[i] = is ? 1 : 0;
        }
        return y;
    }

    /** Whether the target was 0 and 1 to begin with. */
    boolean plain() {
        return "1".equals(yes) && "0".equals(no);
    }

    /** What counts as a yes. */
    public String inWords() {
        return comparison().isPresent() && no == null
                ? "a yes is " + yes.strip()
                : "'" + yes + "' is a yes, " + (no == null ? "every other value" : "'" + no + "'") + " a no";
    }
}
