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
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSpec.Answers;

/** A target with two outcomes, yes and no: finds out which values mean yes and turns the column into 1 (yes) and 0 (no). */
record AnsweredTarget(Table rows, String target) {
    /** Texts that are taken for a yes if the other text of the column is not among them. */
    private static final Set<String> AFFIRMATIVE =
            Set.of("yes", "y", "true", "t", "1", "positive", "pos", "ja", "oui", "si", "sí", "approved", "accepted");

    /** Whether the column holds exactly two different texts, so that it may be a yes-or-no target. */
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

    /** The declared answers, completed from the values of the rows where the declaration leaves something open. */
    Answers settled(Answers said) {
        Column column = rows.column(target);
        // in a text column "<30" is a text like any other, not a comparison
        boolean compared = column instanceof NumericColumn && said.comparison().isPresent();
        Answers known = compared ? said : named(said, column);
        double[] y = truths(known);
        long some = Arrays.stream(y).filter(value -> value == 1).count();
        if (some == 0 || some == y.length) {
            throw new DataException(Message.of(
                    "target-of-one-answer",
                    "Every row of the target '{}' is a {} ({}), so there is nothing to predict.\n"
                            + "Maybe another value was meant with {}.",
                    target,
                    some == 0 ? "no" : "yes",
                    known.inWords(),
                    Settings.YES.any()));
        }
        return known;
    }

    /**
     * Completes the answers of a target with two values that were named or are found in its rows; throws if it has
     * other values.
     */
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
            throw DataException.of(
                    "target-constant",
                    "The target '{}' is '{}' in every row, so there is nothing to predict.\n"
                            + "Maybe another column was meant.",
                    target,
                    only);
        }
        if (values == 0) {
            throw DataException.of(
                    "target-empty",
                    "The target '{}' has no value at all.\n" + "Maybe another column was meant.",
                    target);
        }
        if (values != 2) {
            throw new DataException(Message.of(
                    "target-of-many-answers",
                    "The target '{}' has more than two values, but the logistic loss needs a yes or a no.\n"
                            + "Maybe say which is a yes with {}: a value{}; or leave out {}.",
                    target,
                    Settings.YES.any(),
                    numeric
                            ? Message.part(", or which numbers, as in {}", Message.Choice.text("yes", ">=6"))
                            : Message.part(", as in {}", Message.Choice.text("yes", texts.first())),
                    Settings.LOSS.any()));
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

    /** One number per row: 1 for a yes, 0 for a no. Refuses a value that is neither of the two known answers. */
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
            throw new DataException(Message.of(
                    "yes-of-texts",
                    "A yes is {} ({}), but the target '{}' holds texts, such as '{}'.\n"
                            + "Maybe name the text that is a yes.",
                    yes,
                    Settings.YES.any(),
                    target,
                    column.text(0).orElse("")));
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
            boolean affirmative = isYes(value, yes, numeric);
            if (!affirmative && no != null && !value.equals(no) && !(numeric && same(value, no))) {
                throw DataException.of(
                        "target-third-answer",
                        "Column '{}', {}: '{}' is neither '{}' nor '{}', the two answers that are known.\n"
                                + "Maybe it is misspelt.",
                        target,
                        rows.where(i),
                        value,
                        yes,
                        no);
            }
            y[i] = affirmative ? 1 : 0;
        }
        return y;
    }
}
