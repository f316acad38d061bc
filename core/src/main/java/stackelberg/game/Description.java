package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Answers;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * What a game would make of every column of a table, before anything is learned. What becomes of a column is decided where {@link Sample}
 * decides it, so that the two cannot disagree.
 *
 * @param rows how many rows there are
 * @param columns every column, in the order of the table
 * @param candidates columns that may be the target, the likeliest first; the declared one alone where one is declared
 * @param moreCandidates how many more there are
 * @param coefficients how many coefficients a rule has whose target is the first candidate, the intercept among them
 * @param complete rows in which no column that such a rule uses lacks a value
 */
public record Description(
        int rows,
        List<Column> columns,
        List<Candidate> candidates,
        int moreCandidates,
        long coefficients,
        int complete) {
    /** So many candidates have their values sorted. */
    private static final int CANDIDATES = 5;

    /** What becomes of a column. */
    public enum Use {
        TARGET,
        FEATURE,
        /** A feature that nobody can change. */
        IMMUTABLE_FEATURE,
        WISH,
        WEIGHT,
        GAMMA,
        GROUP,
        /** It names people. */
        NAME,
        /** Somebody said that it is to be ignored. */
        IGNORED,
        /** Because of what it holds. */
        LEFT_OUT,
        /** Data with this column are refused, unless it is left out or declared to be something. */
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
     * @param values what it holds; null if it was not read
     * @param look what that looks like; null for nothing in particular
     * @param use what becomes of it
     * @param why for columns that are left out or refused, or look odd; null otherwise
     */
    public record Column(String name, Values values, Look look, Use use, String why) {
        /** Whether a rule has coefficients for it. */
        public boolean feature() {
            return use == Use.FEATURE || use == Use.IMMUTABLE_FEATURE;
        }

        private Column as(Use other, String reason) {
            return new Column(name, values, look, other, reason);
        }
    }

    /**
     * What a column holds.
     *
     * @param missing how many rows lack a value
     * @param different how many different values there are; negative -k for more than k, and 0 where nobody counted (a block of numbers)
     * @param spread of numbers, of NaN if there is none; null for categories
     * @param levels the categories that occur, the most frequent first, no more than a few
     * @param example of numbers that were not written as 1234.5, one as it was written; empty otherwise
     */
    public record Values(int missing, int different, Spread spread, List<String> levels, String example) {
        /** Whether these are numbers. */
        public boolean numeric() {
            return spread != null;
        }
    }

    /** Where the numbers of a column lie. */
    public record Spread(double min, double max, double mean, double sd) {
        static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }

    /**
     * A column that may be the target.
     *
     * @param sorted its values, ascending; 1 for a yes and 0 for a no where texts tell them, or the loss is logistic
     */
    public record Candidate(String name, Values values, double[] sorted) {
        /** The value that so large a share of the people do not exceed, by the nearest rank; NaN if there is no value at all. */
        public double quantile(double share) {
            int rank = (int) Math.ceil(share * sorted.length) - 1;
            return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, Math.min(sorted.length - 1, rank))];
        }
    }

    /** Whether a candidate is 0 or 1 in every row, and both. */
    public static boolean isYesOrNo(Candidate candidate) {
        double[] sorted = candidate.sorted;
        return sorted.length > 1
                && sorted[0] == 0
                && sorted[sorted.length - 1] == 1
                && Arrays.stream(sorted).allMatch(value -> value == 0 || value == 1);
    }

    /** The columns of a file that are looked at: without a target all that are not to be ignored, for each may be one. */
    public static Predicate<String> looksAt(GameSpec spec) {
        Set<String> ignored = spec.columns().ignore();
        return spec.target() == null ? column -> !ignored.contains(column) : spec.usedColumns();
    }

    /**
     * Looks at a table.
     *
     * @param spec what is declared of the game; its target and its wish may be null
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

    /** Every column by what it holds, and as what {@link Recognition} takes it. */
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

    /** The same columns in the roles that the game has for them. */
    private static List<Column> used(
            Table table, GameSpec declared, Optional<String> wish, String target, List<Column> seen) {
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
        GameSpec.Columns columns = spec.columns();
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
                        : column.equals(columns.id())
                                ? Use.NAME
                                : column.equals(columns.group()) ? Use.GROUP : Use.IGNORED;
    }

    private static Candidate candidate(Table table, GameSpec spec, Column column) {
        if (spec.loss().isLogistic() || !column.values().numeric()) {
            return answers(table, spec.answers(), column);
        }
        double[] values = Arrays.stream(table.numeric(column.name()).values())
                .filter(v -> !Double.isNaN(v))
                .sorted()
                .toArray();
        return new Candidate(column.name(), column.values(), values);
    }

    /** A yes is 1, a no 0. */
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
        Values held = column.values();
        Spread spread = new Spread(0, 1, mean, Math.sqrt(mean * (1 - mean)));
        return new Candidate(
                column.name(), new Values(held.missing(), 2, spread, held.levels(), held.example()), sorted);
    }

    private static long coefficients(List<Column> columns, GameSpec spec) {
        long count = spec.hasConstant() ? 1 : 0;
        boolean based = spec.hasConstant();
        for (Column column : columns) {
            if (column.feature()) {
                boolean drops =
                        column.use() == Use.IMMUTABLE_FEATURE && !spec.units().fullOneHot();
                boolean numeric = column.values().numeric();
                count += numeric ? 1 : Math.abs(column.values().different()) - (drops && based ? 1 : 0);
                based |= drops && !numeric;
            }
        }
        return count;
    }

    /** Rows that nobody would drop for what they lack. */
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

    /** The column that is the target, or would be; empty if there is none. */
    public Optional<Candidate> target() {
        return candidates.stream().findFirst();
    }
}
