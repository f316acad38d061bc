package stackelberg.game;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import stackelberg.data.Table;

/** Which columns may be the truth that somebody wants to predict: numbers that differ, are mostly there, and name nobody. */
final class Candidates {
    /** What people call what they want to predict, as the last word of a name: exam_score, SalePrice. */
    private static final Pattern NAMED = Pattern.compile("(?i:y|(.*[^\\p{Alnum}])?"
            + "(target|label|outcome|response|result|score|rating|grade|quality|points|price|charges?|amount|repaid|risk|sales"
            + "|revenue|salary|income|yield))"
            + "|.*[\\p{Lower}\\p{Digit}](Target|Label|Outcome|Response|Result|Score|Rating|Grade|Quality|Points|Price|Charges?"
            + "|Amount|Repaid|Risk|Sales|Revenue|Salary|Income|Yield)");

    private Candidates() {}

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
        able.sort(Comparator.comparing(column ->
                NAMED.matcher(column.name()).matches() ? 0 : column.name().equals(last) ? 1 : 2));
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
