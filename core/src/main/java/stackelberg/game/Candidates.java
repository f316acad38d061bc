package stackelberg.game;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import stackelberg.data.Table;

/** Which columns may be the truth that somebody wants to predict: numbers that differ, are mostly there, and name nobody. */
final class Candidates {
    /** What people call what they want to predict, as the last word of a name: exam_score. */
    private static final Pattern NAMED =
            named("target|label|outcome|response|result|score|rating|grade|quality|repaid|risk");

    /** The same of what may be a feature as well, as somebody's income is where a score is to be predicted: SalePrice. */
    private static final Pattern MAYBE_NAMED = named("points|price|charges?|amount|sales|revenue|salary|income|yield");

    private Candidates() {}

    /** @param words with a bar between two */
    private static Pattern named(String words) {
        String capital = Pattern.compile("(?<![a-z])[a-z]").matcher(words).replaceAll(letter -> letter.group()
                .toUpperCase(Locale.ROOT));
        return Pattern.compile("(?i:(.*[^\\p{Alnum}])?(" + words + "))|.*[\\p{Lower}\\p{Digit}](" + capital + ")");
    }

    /** The smaller, the likelier. */
    private static int rank(String name, String last) {
        if (name.equalsIgnoreCase("y") || NAMED.matcher(name).matches()) {
            return 0;
        }
        return MAYBE_NAMED.matcher(name).matches() ? 1 : name.equals(last) ? 2 : 3;
    }

    /**
     * The likeliest first: by its name, then the last column, where most files have it, then the others in their order.
     *
     * @param free columns that have no other role
     */
    static List<Description.Column> of(Table table, List<Description.Column> columns, Set<String> free) {
        boolean block = table.block().isPresent();
        List<Description.Column> able = new ArrayList<>(columns.stream()
                // beside a block the truth is a column of its own
                .filter(column -> !block && free.contains(column.name()) && able(column, table.rows()))
                .toList());
        String last = able.isEmpty() ? null : able.get(able.size() - 1).name();
        able.sort(Comparator.comparingInt(column -> rank(column.name(), last)));
        return List.copyOf(able);
    }

    private static boolean able(Description.Column column, int rows) {
        Description.Values values = column.values();
        boolean plain = column.look() == null
                || column.look() == Description.Look.MONEY
                || column.look() == Description.Look.PERCENT;
        return values != null
                && values.numeric()
                && plain
                && column.use() == Description.Use.FEATURE
                && values.spread().max() > values.spread().min()
                && 2L * values.missing() < rows;
    }
}
