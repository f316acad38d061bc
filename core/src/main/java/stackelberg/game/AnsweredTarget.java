package stackelberg.game;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSpec.Answers;

/** A target that is yes or no: which of its values are which, and everybody's truth by that. */
record AnsweredTarget(Table rows, String target) {
    /** What reads like a yes, if the other value does not. */
    private static final Set<String> AFFIRMATIVE =
            Set.of("yes", "y", "true", "t", "1", "positive", "pos", "ja", "oui", "si", "sí", "approved", "accepted");

    /** Whether it holds two texts, which may be a yes and a no. */
    boolean isTwoTexts() {
        if (!(rows.column(target) instanceof CategoricalColumn column)) {
            return false;
        }
        TreeSet<String> texts = new TreeSet<>();
        for (int i = 0; i < rows.rows() && texts.size() < 3; i++) {
            column.text(i).ifPresent(texts::add);
        }
        return texts.size() == 2;
    }

    /** What was said where that is known, otherwise what the rows show. */
    Answers settled(Answers said) {
        Column column = rows.column(target);
        // of texts <30 is one of them
        boolean compared = column instanceof NumericColumn && said.comparison().isPresent();
        Answers known = compared ? said : named(said, column);
        double[] y = truths(known);
        long some = Arrays.stream(y).filter(value -> value == 1).count();
        if (some == 0 || some == y.length) {
            throw new DataException("Every row of the target '" + target + "' is a " + (some == 0 ? "no" : "yes") + " ("
                    + known.inWords()
                    + "): there is nothing to tell apart.\nMaybe another value was meant with yes(...).");
        }
        return known;
    }

    private Answers named(Answers said, Column column) {
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
        String yes = said.yes();
        if (yes != null) {
            if (values > 2) {
                return said;
            }
            List<String> all = List.copyOf(numeric ? numbers.values() : texts);
            List<String> others =
                    all.stream().filter(value -> !isYes(value, yes, numeric)).toList();
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

    private static boolean isYes(String value, String yes, boolean numeric) {
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
    double[] truths(Answers said) {
        if (said.yes() == null) {
            return truths(settled(said));
        }
        String yes = said.yes();
        String no = said.no();
        Column column = rows.column(target);
        Optional<DoublePredicate> compared = column instanceof NumericColumn ? said.comparison() : Optional.empty();
        if (column instanceof CategoricalColumn texts
                && said.comparison().isPresent()
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
            boolean is = isYes(value, yes, numeric);
            if (!is && no != null && !value.equals(no) && !(numeric && same(value, no))) {
                throw new DataException("Column '" + target + "', " + rows.where(i) + ": '" + value + "' is neither '"
                        + yes + "' nor '" + no + "', the two answers that are known.\nMaybe it is misspelt.");
            }
            y[i] = is ? 1 : 0;
        }
        return y;
    }
}
