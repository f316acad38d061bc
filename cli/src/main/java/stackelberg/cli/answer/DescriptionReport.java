package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.terminal.Settings;
import stackelberg.game.Description;
import stackelberg.game.Description.Candidate;
import stackelberg.game.Description.Column;
import stackelberg.game.Description.Look;
import stackelberg.game.Description.Spread;
import stackelberg.game.Description.Use;
import stackelberg.game.Description.Values;

/**
 * The result of {@code describe}: the columns of a file, and a command to try next.
 *
 * @param next the words of the command to try next, if there is one
 * @param wish the wish that it proposes, unless one was given
 * @param opposite the wish of people who want a low score
 * @param whyNot why there is no command, where there is none
 * @param settings as options of the command line
 */
public record DescriptionReport(
        String name,
        Description data,
        @Nullable List<String> next,
        @Nullable String wish,
        @Nullable String opposite,
        @Nullable String whyNot,
        Settings settings)
        implements Result {
    /** Up to this many columns are shown one by one. */
    private static final int ALL_SHOWN = 40;

    private static final int FIRST_SHOWN = 8;
    private static final int ODD_SHOWN = 20;
    private static final int REASONS_SHOWN = 20;
    private static final int LONGEST_CELL = 40;
    private static final int CHANGEABLE_SHOWN = 8;

    /** The fewest rows for cross-validation: with two, each fold would train on one. */
    private static final int FEWEST_TUNED = 3;

    @Override
    public Answer answer() {
        List<Column> columns = data.columns();
        List<Column> shown = shown();
        Answer.TableBuilder table = Answer.table(
                        "column", "kind", "missing", "different", "values", "looks like", "becomes")
                .text(4);
        shown.forEach(column -> table.row(
                shortened(column.name()),
                DescriptionAnswer.kind(column),
                column.values() == null
                        ? ""
                        : String.format(Locale.ROOT, "%,d", column.values().missing()),
                column.values() == null ? "" : different(column.values()),
                column.values() == null ? "" : shortened(range(column.values())),
                column.look() == null ? "" : DescriptionAnswer.word(column.look()),
                DescriptionAnswer.word(column.use())));
        if (shown.size() < columns.size()) {
            table.remark(others(shown));
        }
        Answer.Builder answer = Answer.builder()
                .say(
                        "%s: %,d %s, %,d %s (%s).",
                        name,
                        data.rows(),
                        data.rows() == 1 ? "row" : "rows",
                        columns.size(),
                        columns.size() == 1 ? "column" : "columns",
                        kinds())
                .section()
                .block(table.build())
                .section()
                .say(reasons())
                .section();
        int lacking = data.rows() - data.complete();
        if (lacking > 0) {
            answer.say(
                            "%,d of %,d rows lack a value that a rule would use. fit refuses them unless --missing drop leaves them out"
                                    + " or --missing mean fills them in.",
                            lacking, data.rows())
                    .section();
        }
        if (!data.candidates().isEmpty()) {
            answer.say(
                            data.candidates().size() == 1
                                    ? "The target:"
                                    : "Columns that may be the target, the likeliest first:")
                    .block(candidates())
                    .section();
        }
        if (data.rows() > 1 && data.rows() < data.coefficients()) {
            answer.say(
                            "There are fewer rows (%,d) than coefficients (%,d): a rule needs --ridge%s.",
                            data.rows(),
                            data.coefficients(),
                            data.rows() < FEWEST_TUNED ? ", or fewer features" : "; tune chooses one")
                    .section();
        }
        return answer.say(proposal()).build();
    }

    private String kinds() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        data.columns().forEach(column -> counts.merge(DescriptionAnswer.kind(column), 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((kind, count) -> parts.add(String.format(Locale.ROOT, "%,d %s", count, kind)));
        return String.join(", ", parts);
    }

    /** The columns to show: all, or the first ones and those that look odd, the oddest first. */
    private List<Column> shown() {
        List<Column> columns = data.columns();
        if (columns.size() <= ALL_SHOWN) {
            return columns;
        }
        Set<Column> some = new LinkedHashSet<>(columns.subList(0, FIRST_SHOWN));
        columns.stream()
                .filter(column -> oddity(column) > 0)
                .sorted(Comparator.comparingInt(column -> -oddity(column)))
                .limit(ODD_SHOWN)
                .forEach(some::add);
        return columns.stream().filter(some::contains).toList();
    }

    private static int oddity(Column column) {
        return switch (column.use()) {
            case TARGET -> 9;
            case REFUSED -> 8;
            case LEFT_OUT -> 7;
            case WISH, WEIGHT, GAMMA, GROUP, NAME -> 6;
            case IGNORED -> 1;
            default ->
                column.why() != null
                        ? 5
                        : column.look() != null
                                ? 4
                                : column.read().missing() > 0
                                        ? 3
                                        : column.read().numeric() ? 0 : 2;
        };
    }

    private String others(List<Column> shown) {
        Set<Column> seen = new LinkedHashSet<>(shown);
        List<Column> rest =
                data.columns().stream().filter(column -> !seen.contains(column)).toList();
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        int odd = 0;
        for (Column column : rest) {
            odd += oddity(column) > 0 ? 1 : 0;
            Spread spread = column.values() == null ? null : column.values().spread();
            if (spread != null && spread.max() >= spread.min()) {
                min = Math.min(min, spread.min());
                max = Math.max(max, spread.max());
            }
        }
        return String.format(
                Locale.ROOT,
                "... and %,d more columns%s%s; -o FILE writes all of them.",
                rest.size(),
                max >= min ? ", numbers from " + number(min) + " to " + number(max) : "",
                odd == 0 ? "" : String.format(Locale.ROOT, ", %,d of them unusual", odd));
    }

    /** The reasons for the roles of columns, where a role needs one. */
    private List<String> reasons() {
        List<Column> odd = data.columns().stream()
                .filter(column -> column.why() != null)
                // with one row every column is constant
                .filter(column -> data.rows() > 1 || column.look() != Look.CONSTANT)
                .sorted(Comparator.comparingInt(column -> -oddity(column)))
                .toList();
        List<String> reasons = new ArrayList<>();
        odd.stream()
                .limit(REASONS_SHOWN)
                .forEach(column -> reasons.add("  * " + (column.use() == Use.REFUSED ? "Refused: " : "")
                        // the list holds columns with a reason only
                        + Objects.requireNonNull(column.why()).text(settings).replace("\n", " ")));
        if (odd.size() > REASONS_SHOWN) {
            reasons.add(String.format(Locale.ROOT, "  * ... and %,d more columns.", odd.size() - REASONS_SHOWN));
        }
        return reasons;
    }

    private Answer.Table candidates() {
        Answer.TableBuilder table = Answer.table(
                "target", "smallest", "a quarter below", "median", "a quarter above", "largest", "mean", "sd");
        for (Candidate candidate : data.candidates()) {
            table.row(
                    shortened(candidate.name()),
                    number(candidate.quantile(0)),
                    number(candidate.quantile(0.25)),
                    number(candidate.quantile(0.5)),
                    number(candidate.quantile(0.75)),
                    number(candidate.quantile(1)),
                    number(candidate.spread().mean()),
                    number(candidate.spread().sd()));
        }
        if (data.moreCandidates() > 0) {
            table.remark("... and %,d more; choose with --target COL.", data.moreCandidates());
        }
        return table.build();
    }

    /** The command to try next and what it assumes, or why there is none. */
    private List<String> proposal() {
        if (next == null) {
            // without a command there is a reason
            return List.of(Objects.requireNonNull(whyNot));
        }
        List<String> lines = new ArrayList<>(List.of("Try next:", "  " + DescriptionAnswer.command(next)));
        if (wish != null && !wish.startsWith("max(")) {
            lines.add("It assumes that people want a yes, with a "
                    + (Double.parseDouble(wish) < 1 ? "probability" : "log-odds") + " of " + wish
                    + ". If they want a no: --wish=" + opposite + ".");
        } else if (wish != null) {
            lines.add("It assumes that people want at least " + wish.substring(wish.indexOf(',') + 1, wish.length() - 1)
                    + ". If they want a low score: --wish \"" + opposite + "\".");
        }
        changeable().ifPresent(lines::add);
        return lines;
    }

    /** The sentence about the columns that the proposed command lets people change; empty if every column is shown as immutable. */
    private Optional<String> changeable() {
        List<String> names = data.columns().stream()
                .filter(column -> column.use() == Use.FEATURE)
                .map(Column::name)
                .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "It lets people change "
                                + String.join(", ", names.subList(0, Math.min(CHANGEABLE_SHOWN, names.size())))
                                + (names.size() > CHANGEABLE_SHOWN
                                        ? " and " + (names.size() - CHANGEABLE_SHOWN) + " more"
                                        : "")
                                + ". Use --immutable for the columns they cannot change, and --wish for a column that holds the score they want.");
    }

    @Override
    public DescriptionAnswer json() {
        return DescriptionAnswer.of(name, data, next, wish, whyNot, settings);
    }

    /** One row per column, with the keys of the object as its header. */
    public CsvText csv(boolean raw) {
        List<Map<String, @Nullable Object>> rows = DescriptionAnswer.columns(data, settings).stream()
                .map(JsonText::components)
                .toList();
        CsvText csv = new CsvText(List.copyOf(rows.get(0).keySet()), raw);
        rows.forEach(row -> csv.row(row.values().stream()
                .map(cell -> cell instanceof List<?> levels
                        ? String.join("|", levels.stream().map(String::valueOf).toList())
                        : cell)
                .toList()));
        return csv;
    }

    private static String different(Values values) {
        Spread spread = values.spread();
        return values.different() == 0
                ? spread != null && spread.min() <= spread.max() ? "" : "0"
                : String.format(Locale.ROOT, values.different() < 0 ? "over %,d" : "%,d", Math.abs(values.different()));
    }

    private static String range(Values values) {
        Spread spread = values.spread();
        if (spread != null) {
            String range = number(spread.min()) + " to " + number(spread.max());
            return Double.isNaN(spread.min())
                    ? ""
                    : values.example().isEmpty() ? range : range + ", as " + values.example();
        }
        String more = values.different() > values.levels().size() ? ", ..." : "";
        return String.join(", ", values.levels()) + more;
    }

    private static String number(double value) {
        String digits = value == Math.rint(value) ? Numbers.plain(value) : Numbers.number(value);
        return digits.contains(".") && !digits.contains("e") ? digits.replaceAll("\\.?0+$", "") : digits;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_CELL ? text : text.substring(0, LONGEST_CELL - 3) + "...";
    }
}
