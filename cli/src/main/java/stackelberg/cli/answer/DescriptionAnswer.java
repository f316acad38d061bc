package stackelberg.cli.answer;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.terminal.Settings;
import stackelberg.cli.terminal.ShellWords;
import stackelberg.game.Description;
import stackelberg.game.Description.Spread;
import stackelberg.game.Description.Values;

/** What {@code describe --json} prints: what a file holds before anything is fitted. */
public record DescriptionAnswer(
        @Meaning("The name of the data.") String data,
        @Meaning("The number of rows.") int rows,

        @Meaning("The number of rows without a missing value in a column that a rule would use.")
        int completeRows,

        @Meaning("The number of coefficients that a rule would have.")
        long coefficients,

        @Meaning("One entry per column.") List<Column> columns,

        @Meaning("The target, given or likely; null if none is.") @Nullable
        String target,

        @Meaning("The columns that may be the target, the likeliest first.")
        List<Target> targets,

        @Meaning("How many more columns may be the target.") int moreTargets,

        @Meaning("The proposed wish; null if it was given.") @Nullable
        String wish,

        @Meaning("The command to try next; null if there is none.") @Nullable
        String next,

        @Meaning("The same command as a list of words, without the program's name; null if there is none.") @Nullable
        List<String> nextWords,

        @Meaning("Why there is no command to try next; null if there is one.") @Nullable
        String whyNoNext) {

    /** One column of the data. */
    public record Column(
            @Meaning("The name of the column.") String column,
            @Meaning("Numbers, categories or not read.") String kind,
            @Meaning("What fit would do with it.") String becomes,

            @Meaning("A remark on what it looks like, for example constant; null if there is none.") @Nullable
            String looksLike,

            @Meaning("The number of missing values; null if the column was not read.") @Nullable
            Integer missing,

            @Meaning("The number of different values; null if they were not counted completely.") @Nullable
            Integer different,

            @Meaning("A lower bound of the number of different values; null if they were counted completely.") @Nullable
            Integer differentMoreThan,

            @Meaning("The smallest number; null for categories.") @Nullable
            Double min,

            @Meaning("The largest number; null for categories.") @Nullable
            Double max,

            @Meaning("The mean; null for categories.") @Nullable
            Double mean,

            @Meaning("The standard deviation; null for categories.") @Nullable
            Double sd,

            @Meaning("The most frequent levels; null for numbers.") @Nullable
            List<String> levels,

            @Meaning("How a number is written in the file, if not plainly; otherwise null.") @Nullable
            String example,

            @Meaning("The reason why fit would not use it as a plain feature; otherwise null.") @Nullable
            String why) {
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

    /** The values of a column that may be the target. */
    record Target(
            @Meaning("The name of the column.") String column,
            @Meaning("The smallest value.") double min,

            @Meaning("A quarter of the values are at most this.")
            double lowerQuartile,

            @Meaning("The median.") double median,

            @Meaning("A quarter of the values are at least this.")
            double upperQuartile,

            @Meaning("The largest value.") double max,
            @Meaning("The mean.") double mean,
            @Meaning("The standard deviation.") double sd) {
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
