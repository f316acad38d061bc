package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Answers;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * The role that every column of a table would have in a game, before anything is learned. The roles are decided by the same code that {@link
 * Sample} uses ({@link Roles} and {@link Recognition}), so that a description and a fit cannot disagree.
 *
 * @param rows the number of rows
 * @param columns every column, in the order of the table
 * @param candidates columns that may be the target, the most likely first; only the declared target where one is declared
 * @param moreCandidates how many further candidates are not listed
 * @param coefficients how many coefficients, the intercept included, a rule for the first candidate has
 * @param complete rows in which every column that such a rule uses has a value
 */
public record Description(
        int rows,
        List<Column> columns,
        List<Candidate> candidates,
        int moreCandidates,
        long coefficients,
        int complete) {
    /** At most this many candidates are listed, with their sorted values. */
    private static final int CANDIDATES = 5;

    /** The role of a column in the game. */
    public enum Use {
        TARGET,
        FEATURE,
        /** A feature that followers cannot change. */
        IMMUTABLE_FEATURE,
        WISH,
        WEIGHT,
        GAMMA,
        GROUP,
        /** The identifier of a row. */
        NAME,
        /** Declared as ignored. */
        IGNORED,
        /** Not used because of what it holds, for example identifiers or a constant. */
        LEFT_OUT,
        /** A fit would refuse the data because of this column, unless it is ignored or given a role. */
        REFUSED
    }

    /** What the values of a column look like. */
    public enum Look {
        IDENTIFIER,
        DATE,
        MONEY,
        PERCENT,
        /** The same value in all rows. */
        CONSTANT,
        /** The same value as the wish in all rows. */
        WISH,
        /** No value at all. */
        EMPTY
    }

    /**
     * A column.
     *
     * @param values a summary of its values; absent if the column was not read
     * @param look what the values look like; absent if they look like ordinary features
     * @param use its role
     * @param why why it is left out or refused, or what looks odd about it; absent otherwise
     */
    public record Column(
            String name,
            @Nullable Values values,
            @Nullable Look look,
            Use use,
            @Nullable Message why) {
        /** Whether a rule has coefficients for this column. */
        public boolean feature() {
            return use == Use.FEATURE || use == Use.IMMUTABLE_FEATURE;
        }

        /** The summary of the values, where the column was read, as every feature and every candidate is. */
        public Values read() {
            return Objects.requireNonNull(values, name);
        }

        private Column as(Use other, @Nullable Message reason) {
            return new Column(name, values, look, other, reason);
        }
    }

    /**
     * A summary of the values of a column.
     *
     * @param missing how many rows have no value
     * @param different how many different values there are; -k means more than k, 0 that they were not counted (in a block of numbers)
     * @param spread the range, mean and standard deviation of numbers, NaN if there is no value; absent for categories
     * @param levels the most frequent categories, at most five, in descending order of frequency
     * @param example one number as the file writes it, if the column does not write numbers as 1234.5; empty otherwise
     */
    public record Values(
            int missing, int different, @Nullable Spread spread, List<String> levels, String example) {
        /** Whether the column holds numbers. */
        public boolean numeric() {
            return spread != null;
        }
    }

    /** Range, mean and standard deviation of a numeric column, in the units of the data; all NaN if it has no value. */
    public record Spread(double min, double max, double mean, double sd) {
        static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }

    /**
     * A column that may be the target.
     *
     * @param sorted its values in ascending order; 1 for a yes and 0 for a no if the column holds two texts or the loss is logistic
     */
    public record Candidate(String name, Values values, double[] sorted) {
        /** The summary of the numbers, which every candidate has. */
        public Spread spread() {
            return Objects.requireNonNull(values.spread(), name);
        }

        /** The quantile of the values by the nearest-rank method; NaN if there are no values. A share of 0.5 gives the median. */
        public double quantile(double share) {
            int rank = (int) Math.ceil(share * sorted.length) - 1;
            return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, Math.min(sorted.length - 1, rank))];
        }
    }

    /** Whether a candidate takes the values 0 and 1, both of them, and no other. */
    public static boolean isYesOrNo(Candidate candidate) {
        double[] sorted = candidate.sorted;
        return sorted.length > 1
                && sorted[0] == 0
                && sorted[sorted.length - 1] == 1
                && Arrays.stream(sorted).allMatch(value -> value == 0 || value == 1);
    }

    /** The columns of a file that must be read: those the game uses, or all but the ignored ones while no target is declared. */
    public static Predicate<String> looksAt(GameSpec spec) {
        Set<String> ignored = spec.ignore();
        return spec.target() == null ? column -> !ignored.contains(column) : spec.usedColumns();
    }

    /**
     * Describes the columns of a table.
     *
     * @param spec the declared game; it need not have a target or a wish yet
     */
    public static Description of(Table table, GameSpec spec, Workers workers) {
        Optional<String> wish = spec.wish() == null
                ? Optional.empty()
                : Wish.parse(spec.wish(), table.names()).column();
        if (spec.target() != null) {
            Roles.requireColumn(table, spec.target());
            Roles.refuseClashes(spec, wish);
            if (!spec.loss().isLogistic() && !new AnsweredTarget(table, spec.target()).isTwoTexts()) {
                Roles.requireNumbers(table, spec.target());
            }
        }
        List<String> features = Roles.featureColumns(table, spec, wish);
        List<Column> seen = look(table, spec, workers);
        List<Column> likely = spec.target() == null
                ? Candidates.of(table, seen, new HashSet<>(features))
                : seen.stream().filter(c -> c.name().equals(spec.target())).toList();
        String target = likely.isEmpty() ? null : likely.get(0).name();
        List<Column> columns = used(table, spec, wish, target, seen);
        Candidate[] candidates = new Candidate[Math.min(CANDIDATES, likely.size())];
        workers.run(candidates.length, k -> candidates[k] = candidate(table, spec, likely.get(k)));
        return new Description(
                table.rows(),
                columns,
                List.of(candidates),
                likely.size() - candidates.length,
                coefficients(columns, spec),
                complete(table, columns));
    }

    /** Every column with a summary of its values and the role that {@link Recognition} gives it from these values alone. */
    private static List<Column> look(Table table, GameSpec spec, Workers workers) {
        List<String> names = table.names();
        Column[] seen = new Column[names.size()];
        int inBlock = table.block().map(block -> block.names().size()).orElse(0);
        Recognition.Exceptions exceptions = Recognition.Exceptions.of(table, spec);
        if (inBlock > 0) {
            Matrix matrix = table.block().orElseThrow().matrix();
            ColumnStatistics statistics = ColumnStatistics.of(matrix, workers);
            workers.run(inBlock, j -> {
                Recognition.Verdict verdict = Recognition.verdict(table, names.get(j), exceptions);
                seen[j] = ColumnLook.decided(ColumnLook.ofBlock(names.get(j), matrix, statistics, j), verdict);
            });
        }
        Predicate<String> looked = looksAt(spec);
        workers.run(names.size() - inBlock, k -> {
            String name = names.get(inBlock + k);
            seen[inBlock + k] = looked.test(name)
                    ? ColumnLook.of(table, name, exceptions)
                    : new Column(name, null, null, Use.IGNORED, null);
        });
        return List.of(seen);
    }

    /** The columns with the roles that the declared game gives them (target, wish, weight ...). */
    private static List<Column> used(
            Table table, GameSpec declared, Optional<String> wish, @Nullable String target, List<Column> seen) {
        GameSpec spec = declared.toBuilder().target(target).build();
        Set<String> candidates = new HashSet<>(Roles.featureColumns(table, spec, wish));
        List<Column> columns = new ArrayList<>();
        for (Column column : seen) {
            Use role = role(column.name(), spec, wish);
            columns.add(role != null && !candidates.contains(column.name()) ? column.as(role, null) : column);
        }
        List<String> features = columns.stream()
                .filter(column -> column.feature() || column.use() == Use.REFUSED)
                .map(Column::name)
                .toList();
        Set<String> immutable = Roles.immutableColumns(table, features, spec);
        columns.replaceAll(column -> column.feature() && immutable.contains(column.name())
                ? column.as(Use.IMMUTABLE_FEATURE, column.why())
                : column);
        return List.copyOf(columns);
    }

    private static Use role(String column, GameSpec spec, Optional<String> wish) {
        if (column.equals(spec.target())) {
            return Use.TARGET;
        }
        if (wish.isPresent() && column.equals(wish.get())) {
            return Use.WISH;
        }
        return column.equals(spec.weight())
                ? Use.WEIGHT
                : column.equals(spec.rowGamma())
                        ? Use.GAMMA
                        : column.equals(spec.id()) ? Use.NAME : column.equals(spec.group()) ? Use.GROUP : Use.IGNORED;
    }

    private static Candidate candidate(Table table, GameSpec spec, Column column) {
        if (spec.loss().isLogistic() || !column.read().numeric()) {
            return answers(table, spec.answers(), column);
        }
        double[] values = Arrays.stream(table.numeric(column.name()).values())
                .filter(v -> !Double.isNaN(v))
                .sorted()
                .toArray();
        return new Candidate(column.name(), column.read(), values);
    }

    /** A yes-or-no candidate: its values as 1 (yes) and 0 (no). */
    private static Candidate answers(Table table, Answers declared, Column column) {
        stackelberg.data.Column values = table.column(column.name());
        int[] known = IntStream.range(0, table.rows())
                .filter(i -> !values.isMissing(i))
                .toArray();
        Table rows = table.select(known);
        var target = new AnsweredTarget(rows, column.name());
        double[] sorted = target.truths(target.settled(declared));
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).average().orElse(Double.NaN);
        Values held = column.read();
        Spread spread = new Spread(0, 1, mean, Math.sqrt(mean * (1 - mean)));
        return new Candidate(
                column.name(), new Values(held.missing(), 2, spread, held.levels(), held.example()), sorted);
    }

    /** Numbers have one coefficient, categories one per level, less the base level that the constant stands for (see {@link Roles#ordered}). */
    private static long coefficients(List<Column> columns, GameSpec spec) {
        long count = spec.hasConstant() ? 1 : 0;
        boolean based = spec.hasConstant();
        for (Column column : columns) {
            if (column.feature()) {
                boolean drops = column.use() == Use.IMMUTABLE_FEATURE && !spec.fullOneHot();
                boolean numeric = column.read().numeric();
                count += numeric ? 1 : Math.abs(column.read().different()) - (drops && based ? 1 : 0);
                based |= drops && !numeric;
            }
        }
        return count;
    }

    /** Rows that have a value in every column that the game uses. */
    private static int complete(Table table, List<Column> columns) {
        boolean[] lacks = new boolean[table.rows()];
        Set<Use> asked = Set.of(Use.TARGET, Use.FEATURE, Use.IMMUTABLE_FEATURE, Use.WISH, Use.WEIGHT, Use.GAMMA);
        for (Column column : columns) {
            if (asked.contains(column.use())
                    && column.values() != null
                    && column.values().missing() > 0) {
                stackelberg.data.Column values = table.column(column.name());
                for (int i = 0; i < lacks.length; i++) {
                    lacks[i] |= values.isMissing(i);
                }
            }
        }
        int complete = 0;
        for (boolean lack : lacks) {
            complete += lack ? 0 : 1;
        }
        return complete;
    }

    /** The declared target, or the most likely candidate; empty if no column can be the target. */
    public Optional<Candidate> target() {
        return candidates.stream().findFirst();
    }
}
