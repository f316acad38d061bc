package stackelberg.data;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;

/**
 * Named columns of equal length. Rows are indexed from 0; messages number them from 1, in the order in which they were
 * read.
 *
 * <p>The first columns may form a {@link Block}: one matrix, dense, sparse or mapped from a file, which is not copied.
 * Tables are immutable; methods that change one return a new table that shares the columns.
 */
public final class Table {
    /** The value of {@code lineShift} for tables whose rows have no line numbers. */
    public static final int NO_LINES = -1;

    /**
     * Numeric columns that are stored as one matrix.
     *
     * @param matrix the values, finite
     * @param names the name of each column of the matrix
     */
    public record Block(Matrix matrix, List<String> names) {
        public Block {
            names = List.copyOf(names);
            if (names.size() != matrix.cols()) {
                throw DataException.of(
                        "names-of-other-width",
                        "The matrix has {} columns, but there are {} names for them.\n"
                                + "Maybe it is transposed, or use Table.positions({}).",
                        matrix.cols(),
                        names.size(),
                        matrix.cols());
            }
        }

        /**
         * A copy of column j; {@code transposed} is the transpose of a sparse matrix, in which a column is one
         * contiguous row.
         */
        private NumericColumn column(int j, @Nullable CsrMatrix transposed) {
            if (matrix instanceof DenseMatrix dense) {
                return NumericColumn.finite(names.get(j), dense.column(j));
            }
            if (transposed != null) {
                double[] sparse = new double[matrix.rows()];
                for (int p = transposed.rowBegin(j); p < transposed.rowEnd(j); p++) {
                    sparse[transposed.columnAt(p)] = transposed.valueAt(p);
                }
                return NumericColumn.finite(names.get(j), sparse);
            }
            double[] values = new double[matrix.rows()];
            matrix.tile(0, values.length, j, 1, DoubleBuffer.wrap(values));
            return NumericColumn.finite(names.get(j), values);
        }

        /** The given rows, copied; a sparse matrix stays sparse. */
        private Block select(int[] rows) {
            if (matrix instanceof CsrMatrix sparse) {
                return new Block(sparse.select(rows), names);
            }
            DenseMatrix selected = DenseMatrix.zeros(rows.length, matrix.cols());
            double[] row = new double[matrix.cols()];
            DoubleBuffer target = DoubleBuffer.wrap(row);
            for (int i = 0; i < rows.length; i++) {
                matrix.tile(rows[i], 1, 0, row.length, target);
                selected.setRow(i, row);
            }
            return new Block(selected, names);
        }
    }

    /** The columns that are one matrix, if there are any. */
    private final @Nullable Block block;
    /** The transpose of a sparse block; computed when a column of the block is first asked for. */
    private volatile @Nullable CsrMatrix transposed;
    /** The index in the block of each of its columns. */
    private final Map<String, Integer> blockColumns;
    /** The columns that are not in the block, in order. */
    private final Map<String, Column> columns;

    private final int rows;
    /** The numbers under which the rows were read, null for 1, 2, 3, ... */
    private final int @Nullable [] rowNumbers;
    /**
     * lines[n - 1] is the line of the file on which row number n begins; absent if that is n + lineShift, or if there is
     * no file.
     */
    private final int @Nullable [] lines;

    private final int lineShift;
    private final @Nullable Source source;
    /** The texts of the first line of a file if that line was taken as data; null otherwise. */
    private final @Nullable List<String> firstLine;
    /** The names of all columns of the file, including those that were not read; absent if all were read. */
    private final @Nullable List<String> inFile;

    private Table(
            @Nullable Block block,
            Map<String, Integer> blockColumns,
            Map<String, Column> columns,
            int rows,
            int @Nullable [] rowNumbers,
            int @Nullable [] lines,
            int lineShift,
            @Nullable Source source,
            @Nullable List<String> firstLine,
            @Nullable List<String> inFile) {
        this.block = block;
        this.blockColumns = blockColumns;
        this.columns = columns;
        this.rows = rows;
        this.rowNumbers = rowNumbers;
        this.lines = lines;
        this.lineShift = lineShift;
        this.source = source;
        this.firstLine = firstLine;
        this.inFile = inFile;
    }

    /** A table of the given columns, which must have the same number of rows and different names. */
    public static Table of(Column... columns) {
        return of(List.of(columns));
    }

    /** A table of the given columns, which must have the same number of rows and different names. */
    public static Table of(List<? extends Column> columns) {
        return read(columns, null, 0, null, null);
    }

    /**
     * A table that was read from a file.
     *
     * @param lines the line on which each row begins, counted from 1; absent if it is the row's number + {@code
     *     lineShift}
     * @param lineShift see {@code lines}; {@link #NO_LINES} for a source without lines
     * @param source where the data came from
     * @param firstLine the texts of the first line if it was taken as data, for messages about unknown columns; null
     *     otherwise
     */
    public static Table read(
            List<? extends Column> columns,
            int @Nullable [] lines,
            int lineShift,
            @Nullable Source source,
            @Nullable List<String> firstLine) {
        int rows = columns.isEmpty() ? 0 : columns.get(0).rows();
        Map<String, Column> byName = byName(columns, rows, Map.of());
        return new Table(null, Map.of(), byName, rows, null, lines, lineShift, source, firstLine, null);
    }

    /** A table with a copy of the given rows as a block; {@link #positions} gives names to columns that have none. */
    public static Table of(double[][] features, List<String> names, NumericColumn... more) {
        return ofBlock(matrix(features), names, more);
    }

    /** A matrix with a copy of the given rows, which must be equally long. */
    public static DenseMatrix matrix(double[] @Nullable [] rows) {
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] == null || rows[i].length != rows[0].length) {
                throw DataException.of(
                        "rows-ragged",
                        "Row {} of x {}, row 1 has {}.\n" + "Maybe a number was left out.",
                        i + 1,
                        rows[i] == null ? "is null" : "has " + rows[i].length + " numbers",
                        rows[0] == null ? "none" : rows[0].length);
            }
        }
        return DenseMatrix.of(rows);
    }

    /**
     * A table of features that already are a matrix, with further columns (truth, wishes, weights) beside them.
     *
     * @param features finite numbers; the matrix is kept, not copied
     * @param names the names of its columns
     * @param more the further columns
     */
    public static Table ofBlock(Matrix features, List<String> names, NumericColumn... more) {
        Block block = new Block(features, names);
        Map<String, Integer> blockColumns = new HashMap<>();
        for (String name : block.names()) {
            if (blockColumns.put(name, blockColumns.size()) != null) {
                throw duplicate(name);
            }
        }
        Map<String, Column> byName = byName(List.of(more), features.rows(), blockColumns);
        return new Table(block, blockColumns, byName, features.rows(), null, null, 0, null, null, null);
    }

    /** The names "1", "2", ... of columns that are named by position. */
    public static List<String> positions(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(String::valueOf).collect(Collectors.toUnmodifiableList());
    }

    /**
     * The columns by name, in order; refuses a name that occurs twice, also in the block, and a column of another
     * length.
     */
    private static Map<String, Column> byName(
            List<? extends Column> columns, int rows, Map<String, Integer> blockColumns) {
        Map<String, Column> byName = new LinkedHashMap<>();
        for (Column column : columns) {
            if (column.rows() != rows) {
                String other = blockColumns.isEmpty()
                        ? "column '" + columns.get(0).name() + "'"
                        : "the matrix of the features";
                throw DataException.of(
                        "columns-of-unequal-length",
                        "Column '{}' has {} rows, but {} has {}.",
                        column.name(),
                        column.rows(),
                        other,
                        rows);
            }
            if (byName.put(column.name(), column) != null || blockColumns.containsKey(column.name())) {
                throw duplicate(column.name());
            }
        }
        return byName;
    }

    private static DataException duplicate(String name) {
        return DataException.of("column-twice", "There are two columns named '{}'.\n" + "Maybe rename one.", name);
    }

    /** Returns the rows with one more column. */
    public Table with(Column column) {
        List<Column> all = new ArrayList<>(columns.values());
        all.add(column);
        Map<String, Column> byName = byName(all, rows, blockColumns);
        List<String> known = inFile == null ? null : new ArrayList<>(inFile);
        if (known != null) {
            known.add(column.name());
        }
        return new Table(block, blockColumns, byName, rows, rowNumbers, lines, lineShift, source, firstLine, known);
    }

    /**
     * Returns a copy with this source and no line numbers.
     *
     * @param newSource null for a table made in memory
     */
    public Table withSource(@Nullable Source newSource) {
        return new Table(block, blockColumns, columns, rows, rowNumbers, null, NO_LINES, newSource, firstLine, inFile);
    }

    /**
     * Returns a copy which records that the file has more columns than were read; {@code names} are the names of all of
     * them, in the file's order.
     */
    public Table withNamesInFile(List<String> names) {
        return new Table(
                block,
                blockColumns,
                columns,
                rows,
                rowNumbers,
                lines,
                lineShift,
                source,
                firstLine,
                List.copyOf(names));
    }

    /** The number of rows. */
    public int rows() {
        return rows;
    }

    /**
     * The names of all columns of the table or its file, those of the block first; {@link #holds} says whether a column
     * was read.
     */
    public List<String> names() {
        if (inFile != null) {
            return inFile;
        }
        if (block == null) {
            return List.copyOf(columns.keySet());
        }
        List<String> names = new ArrayList<>(block.names());
        names.addAll(columns.keySet());
        return names;
    }

    /**
     * The sparse matrix of a block whose columns are named by position (1, 2, 3, ...); empty if the table has no such
     * block.
     */
    public Optional<CsrMatrix> sparse() {
        // Comparing the first and the last name is enough: the names of a block are either all positions or all given
        // by the user.
        if (block == null || !(block.matrix() instanceof CsrMatrix matrix)) {
            return Optional.empty();
        }
        boolean positions = !block.names().isEmpty()
                && block.names().get(0).equals("1")
                && block.names()
                        .get(block.names().size() - 1)
                        .equals(String.valueOf(block.names().size()));
        return positions ? Optional.of(matrix) : Optional.empty();
    }

    /** Returns a copy with at least {@code count} columns in its sparse matrix; added columns are zero in all rows. */
    Table widenedTo(int count) {
        CsrMatrix matrix = sparse().orElse(null);
        if (matrix == null || matrix.cols() >= count) {
            return this;
        }
        Block wide = new Block(matrix.widened(count), positions(count));
        Map<String, Integer> places = new HashMap<>();
        wide.names().forEach(name -> places.put(name, places.size()));
        byName(List.copyOf(columns.values()), rows, places);
        return new Table(wide, places, columns, rows, rowNumbers, lines, lineShift, source, firstLine, inFile);
    }

    /** All columns that were read, those of the block (copies) first. */
    public List<Column> columns() {
        return names().stream().filter(this::holds).map(this::column).toList();
    }

    /** The notation of each numeric column that was not written plainly, such as 1234.5. */
    public Map<String, NumericColumn.Notation> notations() {
        Map<String, NumericColumn.Notation> notations = new LinkedHashMap<>();
        columns.forEach((name, column) -> {
            if (column instanceof NumericColumn numbers) {
                numbers.notation().ifPresent(notation -> notations.put(name, notation));
            }
        });
        return notations;
    }

    /** The columns that are stored as one matrix; empty if there are none. */
    public Optional<Block> block() {
        return Optional.ofNullable(block);
    }

    /** Whether the table or its file has a column of that name, even if it was not read. */
    public boolean has(String name) {
        return holds(name) || inFile != null && inFile.contains(name);
    }

    /** Whether a column of that name was read. */
    boolean holds(String name) {
        return columns.containsKey(name) || blockColumns.containsKey(name);
    }

    /** The column of that name; a column of the block is copied at every call. */
    public Column column(String name) {
        Integer inBlock = blockColumns.get(name);
        if (block != null && inBlock != null) {
            if (transposed == null && block.matrix() instanceof CsrMatrix sparse) {
                transposed = sparse.transpose();
            }
            return block.column(inBlock, transposed);
        }
        Column column = columns.get(name);
        if (column == null && inFile != null && inFile.contains(name)) {
            throw new DataException(Message.of(
                    "column-not-read",
                    "Column '{}' was not read, because the settings do not use it.\n"
                            + "Maybe remove it from {}, or name it in {}.",
                    name,
                    Message.Choice.any("ignore"),
                    Message.Choice.any("features")));
        }
        if (column == null) {
            throw new DataException(Message.of(
                    "column-unknown", "There is no column '{}'.\n{}", name, suggestion(name, names(), firstLine)));
        }
        return column;
    }

    /**
     * The sentence "Maybe ..." of a message about a column that does not exist: a similar name, all names, or that the
     * first line may be a header.
     *
     * @param name the name that was asked for
     * @param names the names that exist
     * @param firstLine the texts of the file's first line if it was taken as data, null otherwise
     */
    public static Message suggestion(String name, Collection<String> names, @Nullable List<String> firstLine) {
        if (firstLine == null) {
            return Message.part("{}", Names.suggestion(name, names, names.size() + " columns"));
        }
        boolean position = name.matches("[0-9]+");
        if (position && !firstLine.contains(name)) {
            return Message.part("Maybe you meant one of the {} columns, which are named by position.", names.size());
        }
        return Message.part(
                "The first line was taken as data{}; the columns are named by position, 1 to {}.\n"
                        + "Maybe that line is a header: read it as one with {}.",
                firstLine.contains(name) ? ", and it holds " + name : "",
                names.size(),
                Message.Choice.word("header", "PRESENT"));
    }

    /**
     * Whether the first line of the file was taken as data although it holds one of the names, so that it probably is a
     * header.
     */
    boolean tookHeaderAsData(List<String> names) {
        return firstLine != null && names.stream().anyMatch(firstLine::contains);
    }

    /**
     * The column of that name, which must be numeric; the message about a categorical one shows the first text that is
     * not a number.
     */
    public NumericColumn numeric(String name) {
        Column column = column(name);
        if (column instanceof NumericColumn numeric) {
            return numeric;
        }
        CategoricalColumn categorical = (CategoricalColumn) column;
        int row = 0;
        while (row < rows - 1 && categorical.text(row).map(Numbers::isNumber).orElse(true)) {
            row++;
        }
        throw DataException.of(
                "column-not-numeric",
                "Column '{}' must be numeric, but it holds categories: {} is \"{}\".\n"
                        + "Maybe another column was meant, or its text needs cleaning.",
                name,
                where(row),
                categorical.level(row));
    }

    /** A table of the given rows (from 0), in the given order; each row keeps the number under which it was read. */
    public Table select(int[] selected) {
        Map<String, Column> chosen = new LinkedHashMap<>();
        columns.forEach((name, column) -> chosen.put(name, column.select(selected)));
        int[] numbers = new int[selected.length];
        for (int i = 0; i < selected.length; i++) {
            numbers[i] = rowNumber(selected[i]);
        }
        Block chosenBlock = block == null ? null : block.select(selected);
        return new Table(
                chosenBlock,
                blockColumns,
                chosen,
                selected.length,
                numbers,
                lines,
                lineShift,
                source,
                firstLine,
                inFile);
    }

    /** The number of a row in the order of reading, from 1. */
    public int rowNumber(int row) {
        return rowNumbers == null ? row + 1 : rowNumbers[row];
    }

    /**
     * The place of a row in messages: "row 17 (line 18)", or "row 17" if the table was not read from a file with lines.
     */
    public String where(int row) {
        int number = rowNumber(row);
        if (source == null || lineShift == NO_LINES) {
            return "row " + number;
        }
        return "row " + number + " (line " + (lines == null ? number + lineShift : lines[number - 1]) + ")";
    }

    /**
     * The row indices by the value of a column: levels in their order, numbers ascending, rows without a value last. At
     * most 100 values.
     */
    public Map<String, int[]> groups(String column) {
        return Groups.of(this, column);
    }

    /** Groups the rows by any number of values; the {@code most} groups with the most rows are returned. */
    public Grouped groups(String column, int most) {
        return Groups.largest(this, column, most);
    }

    /** Where the table was read from; empty for a table made in memory. */
    public Optional<Source> source() {
        return Optional.ofNullable(source);
    }

    /** A preview: the size, the first columns with their kinds, and the first rows. */
    @Override
    public String toString() {
        return TableText.of(this);
    }

    /**
     * The largest groups of a table.
     *
     * @param rows the row indices of each group, by its label, in the order of the values
     * @param groups the number of groups in all, including those that were left out
     */
    public record Grouped(Map<String, int[]> rows, int groups) {}

    /**
     * The origin of data, for provenance.
     *
     * @param name the file name as given, or "standard input"; for a database, the address and the query
     * @param sha256 the SHA-256 of the content in hexadecimal; for a gzip file, of the uncompressed content, so that
     *     compressing a file does not change it; for a query, of the names and values of its columns
     * @param bytes the length of that content in bytes
     */
    public record Source(String name, String sha256, long bytes) {}
}
