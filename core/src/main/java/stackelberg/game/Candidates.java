package stackelberg.game;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Table;

/** The columns that may be the target: numeric columns that vary, are present in most rows, and are neither identifiers nor dates. */
final class Candidates {
    /** Last words of names that targets usually have, such as exam_score. */
    private static final Pattern NAMED =
            named("target|label|outcome|response|result|score|rating|grade|quality|repaid|risk");

    /** Last words of names that targets often have, but features too, such as SalePrice or income. */
    private static final Pattern MAYBE_NAMED = named("points|price|charges?|amount|sales|revenue|salary|income|yield");

    private Candidates() {}

    /**
     * A pattern of names that are one of these words or end with one: exam_score, exam score, examScore.
     *
     * @param words the words, separated by bars
     */
    private static Pattern named(String words) {
        String capital = Pattern.compile("(?<![a-z])[a-z]").matcher(words).replaceAll(letter -> letter.group()
                .toUpperCase(Locale.ROOT));
        return Pattern.compile("(?i:(.*[^\\p{Alnum}])?(" + words + "))|.*[\\p{Lower}\\p{Digit}](" + capital + ")");
    }

    /** How likely a column is the target, by its name and position: 0 is the most likely, 3 the least. */
    private static int rank(String name, @Nullable String last) {
        if (name.equalsIgnoreCase("y") || NAMED.matcher(name).matches()) {
            return 0;
        }
        return MAYBE_NAMED.matcher(name).matches() ? 1 : name.equals(last) ? 2 : 3;
    }

    /**
     * The candidates, the most likely first: by name, then the last column (most files end with the target), then the others in their order.
     *
     * @param free columns that have no other role
     */
    static List<Description.Column> of(Table table, List<Description.Column> columns, Set<String> free) {
        boolean block = table.block().isPresent();
        List<Description.Column> able = new ArrayList<>(columns.stream()
                // a block holds features only: its target is a separate column
                .filter(column -> !block && free.contains(column.name()) && able(column, table.rows()))
                .toList());
        String last = able.isEmpty() ? null : able.get(able.size() - 1).name();
        able.sort(Comparator.comparingInt(column -> rank(column.name(), last)));
        return List.copyOf(able);
    }

    private static boolean able(Description.Column column, int rows) {
        Description.Values values = column.values();
        Description.Spread spread = values == null ? null : values.spread();
        boolean plain = column.look() == null
                || column.look() == Description.Look.MONEY
                || column.look() == Description.Look.PERCENT;
        return values != null
                && spread != null // it holds numbers
                && plain
                && column.use() == Description.Use.FEATURE
                && spread.max() > spread.min()
                && 2L * values.missing() < rows;
    }
}
