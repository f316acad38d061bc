package stackelberg.cli.answer;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.terminal.Settings;
import stackelberg.cli.terminal.ShellWords;
import stackelberg.game.Description;
import stackelberg.game.Description.Spread;
import stackelberg.game.Description.Values;

/**
 * What {@code describe --json} prints: what a file holds before anything is fitted.
 *
 * @param data the name of the data
 * @param rows the number of rows
 * @param completeRows the number of rows without a missing value in a column that a rule would use
 * @param coefficients the number of coefficients that a rule would have
 * @param columns one entry per column
 * @param target the target, given or likely; null if no column can be the target
 * @param targets the columns that may be the target, the likeliest first
 * @param moreTargets how many more columns may be the target
 * @param wish the proposed wish; null if a wish was given
 * @param next the command to try next; null if there is none
 * @param nextWords the command to try next as a list of words, without the program's name; null if there is none
 * @param whyNoNext why there is no command to try next; null if there is one
 */
public record DescriptionAnswer(
        String data,
        int rows,
        int completeRows,
        long coefficients,
        List<Column> columns,
        @Nullable String target,
        List<Target> targets,
        int moreTargets,
        @Nullable String wish,
        @Nullable String next,
        @Nullable List<String> nextWords,
        @Nullable String whyNoNext) {

    /**
     * One column of the data.
     *
     * @param column the name of the column
     * @param kind the kind of values: numbers, categories or not read
     * @param becomes what fit would do with the column
     * @param looksLike a remark on the values, for example constant; null if there is none
     * @param missing the number of missing values; null if the column was not read
     * @param different the number of different values; null if they were not counted completely
     * @param differentMoreThan a lower bound of the number of different values; null if they were counted completely
     * @param min the smallest number; null for categories
     * @param max the largest number; null for categories
     * @param mean the mean; null for categories
     * @param sd the standard deviation; null for categories
     * @param levels the most frequent levels; null for numbers
     * @param example a number as it is written in the file, if not plainly; otherwise null
     * @param why the reason why fit would not use the column as a plain feature; otherwise null
     */
    public record Column(
            String column,
            String kind,
            String becomes,
            @Nullable String looksLike,
            @Nullable Integer missing,
            @Nullable Integer different,
            @Nullable Integer differentMoreThan,
            @Nullable Double min,
            @Nullable Double max,
            @Nullable Double mean,
            @Nullable Double sd,
            @Nullable List<String> levels,
            @Nullable String example,
            @Nullable String why) {
        static Column of(Description.Column column, Settings settings) {
            Values values = column.values();
            Spread spread = values == null ? null : values.spread();
            int different = values == null ? 0 : values.different();
            return new Column(
                    column.name(),
                    DescriptionAnswer.kind(column),
                    word(column.use()),
                    column.look() == null ? null : word(column.look()),
                    values == null ? null : values.missing(),
                    different > 0 ? different : null,
                    different < 0 ? -different : null,
                    spread == null ? null : Finite.number(spread.min()),
                    spread == null ? null : Finite.number(spread.max()),
                    spread == null ? null : Finite.number(spread.mean()),
                    spread == null ? null : Finite.number(spread.sd()),
                    values == null || values.numeric() ? null : values.levels(),
                    values == null || values.example().isEmpty() ? null : values.example(),
                    column.why() == null ? null : column.why().text(settings));
        }
    }

    /**
     * The values of a column that may be the target.
     *
     * @param column the name of the column
     * @param min the smallest value
     * @param lowerQuartile a quarter of the values are at most this
     * @param median the median
     * @param upperQuartile a quarter of the values are at least this
     * @param max the largest value
     * @param mean the mean
     * @param sd the standard deviation
     */
    record Target(
            String column,
            double min,
            double lowerQuartile,
            double median,
            double upperQuartile,
            double max,
            double mean,
            double sd) {
        static Target of(Description.Candidate candidate) {
            return new Target(
                    candidate.name(),
                    candidate.quantile(0),
                    candidate.quantile(0.25),
                    candidate.quantile(0.5),
                    candidate.quantile(0.75),
                    candidate.quantile(1),
                    candidate.spread().mean(),
                    candidate.spread().sd());
        }
    }

    /**
     * @param next the words of the command to try next, if there is one
     * @param wish the wish that it proposes, unless one was given
     * @param whyNot why there is no command, where there is none
     * @param settings as options of the command line
     */
    public static DescriptionAnswer of(
            String name,
            Description data,
            @Nullable List<String> next,
            @Nullable String wish,
            @Nullable String whyNot,
            Settings settings) {
        return new DescriptionAnswer(
                name,
                data.rows(),
                data.complete(),
                data.coefficients(),
                columns(data, settings),
                data.target().map(Description.Candidate::name).orElse(null),
                data.candidates().stream().map(Target::of).toList(),
                data.moreCandidates(),
                wish,
                next == null ? null : command(next),
                next,
                whyNot);
    }

    public static List<Column> columns(Description data, Settings settings) {
        return data.columns().stream()
                .map(column -> Column.of(column, settings))
                .toList();
    }

    /** A command as it is typed. */
    public static String command(List<String> words) {
        return "stackelberg " + ShellWords.of(words);
    }

    public static String kind(Description.Column column) {
        return column.values() == null ? "not read" : column.values().numeric() ? "numbers" : "categories";
    }

    /** The name of a constant as words: LEFT_OUT becomes "left out". */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
