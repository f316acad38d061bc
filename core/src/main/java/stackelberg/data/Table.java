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
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;

/**
 * Named columns of equal length. Rows are indexed from 0; messages count them from 1, as they were read.
 *
 * <p>The first columns may be a {@link Block}: one matrix, dense, sparse or mapped from a file, which is never copied.
 */
public final class Table {
    /** The lineShift of rows that are on no line. */
    public static final int NO_LINES = -1;

    /**
     * Columns of numbers that are one matrix.
     *
     * @param names the name of each column of the matrix
     */
    public record Block(Matrix matrix, List<String> names) {
        public Block {
            names = List.copyOf(names);
            if (names.size() != matrix.cols()) {
                throw new DataException("The matrix has " + matrix.cols() + " columns, but there are " + names.size()
                        + " names for them.\nMaybe it is transposed, or use Table.positions(" + matrix.cols() + ").");
            }
        }

        private NumericColumn column(int j, CsrMatrix transposed) {
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

    /** Null if every column stands alone. */
    private final Block block;
    /** The block by columns, if it is sparse; made when the first of them is asked for. */
    private volatile CsrMatrix byColumns;
    /** Where in the block a column is. */
    private final Map<String, Integer> blockColumns;
    /** The columns that are not in the block. */
    private final Map<String, Column> columns;

    private final int rows;
    /** Row numbers as read, null for 1, 2, 3, ... */
    private final int[] rowNumbers;
    /** File lines by row number - 1, null when there is no file or they are row number + lineShift. */
    private final int[] lines;

    private final int lineShift;
    private final Source source;
    /** The texts of the first line of a file if it was taken as data, null otherwise. */
    private final List<String> firstLine;
    /** All names that the file has, also of columns that were not read; null if all were. */
    private final List<String> inFile;

    private Table(
            Block block,
            Map<String, Integer> blockColumns,
            Map<String, Column> columns,
            int rows,
            int[] rowNumbers,
            int[] lines,
            int lineShift,
            Source source,
            List<String> firstLine,
            List<String> inFile) {
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

    public static Table of(Column... columns) {
        return of(List.of(columns));
    }

    public static Table of(List<? extends Column> columns) {
        return read(columns, null, 0, null, null);
    }

    /**
     * A table read from a file; lines are those on which its rows begin, or null if they are the row number + lineShift, or none at all if that is
     * {@link #NO_LINES}.
     */
    public static Table read(
            List<? extends Column> columns, int[] lines, int lineShift, Source source, List<String> firstLine) {
        int rows = columns.isEmpty() ? 0 : columns.get(0).rows();
        Map<String, Column> byName = byName(columns, rows, Map.of());
        return new Table(null, Map.of(), byName, rows, null, lines, lineShift, source, firstLine, null);
    }

    /** The given rows, copied, as a block; {@link #positions} gives names to columns that have none. */
    public static Table of(double[][] features, List<String> names, NumericColumn... more) {
        return ofBlock(matrix(features), names, more);
    }

    /** The given rows, copied, as a matrix. */
    public static DenseMatrix matrix(double[][] rows) {
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] == null || rows[i].length != rows[0].length) {
                throw new DataException("Row " + (i + 1) + " of x "
                        + (rows[i] == null ? "is null" : "has " + rows[i].length + " numbers") + ", row 1 has "
                        + (rows[0] == null ? "none" : rows[0].length) + ".\nMaybe a number was left out.");
            }
        }
        return DenseMatrix.of(rows);
    }

    /**
     * Features that are a matrix already, with further columns (truth, wishes, weights) beside them.
     *
     * @param features finite numbers; kept as it is, not copied
     * @param names the names of its columns
     */
    public static Table ofBlock(Matrix features, List<String> names, NumericColumn... more) {
        Block block = new Block(features, names);
        Map<String, Integer> blockColumns = new HashMap<>();
        for (String name : block.names()) {
            if (blockColumns.put(name, blockColumns.size()) != null) {
                throw twice(name);
            }
        }
        Map<String, Column> byName = byName(List.of(more), features.rows(), blockColumns);
        return new Table(block, blockColumns, byName, features.rows(), null, null, 0, null, null, null);
    }

    /** "1", "2", ..., the names of columns that are known by position. */
    public static List<String> positions(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(String::valueOf).collect(Collectors.toUnmodifiableList());
    }

    private static Map<String, Column> byName(
            List<? extends Column> columns, int rows, Map<String, Integer> blockColumns) {
        Map<String, Column> byName = new LinkedHashMap<>();
        for (Column column : columns) {
            if (column.rows() != rows) {
                String other = blockColumns.isEmpty()
                        ? "column '" + columns.get(0).name() + "'"
                        : "the matrix of the features";
                throw new DataException("Column '" + column.name() + "' has " + column.rows() + " rows, but " + other
                        + " has " + rows + ".");
            }
            if (byName.put(column.name(), column) != null || blockColumns.containsKey(column.name())) {
                throw twice(column.name());
            }
        }
        return byName;
    }

    private static DataException twice(String name) {
        return new DataException("There are two columns named '" + name + "'.\nMaybe rename one.");
    }

    /** The same rows with one more column. */
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

    /** The same table as what was read from there, of which no lines are known; null for a table made in memory. */
    public Table from(Source newSource) {
        return new Table(block, blockColumns, columns, rows, rowNumbers, null, NO_LINES, newSource, firstLine, inFile);
    }

    /** The same table, of a file that has more columns, which were not read: they are known by name and nothing else. */
    public Table without(List<String> names) {
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

    public int rows() {
        return rows;
    }

    /** The names of all columns, those of the block first; also of columns that were not read. */
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

    /** The sparse matrix whose columns are known by position, 1, 2, 3, ..., and where what is absent is zero; empty if there is none. */
    public Optional<CsrMatrix> sparse() {
        boolean positions = block != null
                && block.matrix() instanceof CsrMatrix
                && !block.names().isEmpty()
                && block.names().get(0).equals("1")
                && block.names()
                        .get(block.names().size() - 1)
                        .equals(String.valueOf(block.names().size()));
        return positions ? Optional.of((CsrMatrix) block.matrix()) : Optional.empty();
    }

    /** The same with so many columns of the sparse matrix at least: those that it lacks are zero for everybody. */
    Table sparseTo(int count) {
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

    /** All columns that were read, those of the block first and copied from it. */
    public List<Column> columns() {
        return names().stream().filter(this::holds).map(this::column).toList();
    }

    /** How columns of numbers were written, where it was not as 1234.5. */
    public Map<String, NumericColumn.Notation> notations() {
        Map<String, NumericColumn.Notation> notations = new LinkedHashMap<>();
        columns.forEach((name, column) -> {
            if (column instanceof NumericColumn numbers) {
                numbers.notation().ifPresent(notation -> notations.put(name, notation));
            }
        });
        return notations;
    }

    /** The columns that are one matrix, if there are any. */
    public Optional<Block> block() {
        return Optional.ofNullable(block);
    }

    /** Whether there is a column of that name, read or not. */
    public boolean has(String name) {
        return holds(name) || inFile != null && inFile.contains(name);
    }

    /** Whether there is a column of that name that was read. */
    boolean holds(String name) {
        return columns.containsKey(name) || blockColumns.containsKey(name);
    }

    /** The column of that name, copied at every call if it is in the block. */
    public Column column(String name) {
        Integer inBlock = blockColumns.get(name);
        if (inBlock != null) {
            if (byColumns == null && block.matrix() instanceof CsrMatrix sparse) {
                byColumns = sparse.transpose();
            }
            return block.column(inBlock, byColumns);
        }
        Column column = columns.get(name);
        if (column == null && inFile != null && inFile.contains(name)) {
            throw new DataException(
                    "Column '" + name + "' was not read, because nothing was to be made of it.\nMaybe leave it"
                            + " out of ignore(...), or name it in features(...).");
        }
        if (column == null) {
            throw new DataException("There is no column '" + name + "'.\n" + suggestion(name, names(), firstLine));
        }
        return column;
    }

    /**
     * What a column may be called that was asked for and is not there.
     *
     * @param firstLine the texts of the first line of a file if it was taken as data, which may have been wrong; null otherwise
     */
    public static String suggestion(String name, Collection<String> names, List<String> firstLine) {
        if (firstLine == null) {
            return Names.suggestion(name, names, names.size() + " columns");
        }
        boolean position = name.matches("[0-9]+");
        if (position && !firstLine.contains(name)) {
            return "Maybe you meant one of the " + names.size() + " columns, which are named by position.";
        }
        return "The first line was taken as data" + (firstLine.contains(name) ? ", and it holds " + name : "")
                + "; the columns are named by position, 1 to " + names.size()
                + ".\nMaybe that line is a header: read it as one with header(PRESENT).";
    }

    /** Whether the first line of the file was taken as data although it holds one of the names. */
    boolean tookHeaderAsData(List<String> names) {
        return firstLine != null && names.stream().anyMatch(firstLine::contains);
    }

    /** The column, which must hold numbers. */
    public NumericColumn numeric(String name) {
        Column column = column(name);
        if (column instanceof NumericColumn numeric) {
            return numeric;
        }
        CategoricalColumn categorical = (CategoricalColumn) column;
        int row = 0;
        while (row < rows - 1 && (categorical.isMissing(row) || Numbers.isNumber(categorical.level(row)))) {
            row++;
        }
        throw new DataException(
                "Column '" + name + "' must be numeric, but it holds categories: " + where(row) + " is \""
                        + categorical.level(row) + "\".\nMaybe another column was meant, or its text needs cleaning.");
    }

    /** The given rows (from 0), in the given order; they keep the numbers under which they were read. */
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

    /** The number of the row among the rows as read, from 1. */
    public int rowNumber(int row) {
        return rowNumbers == null ? row + 1 : rowNumbers[row];
    }

    /** "row 17 (line 18)" for messages; without the line if the table was not read from a file. */
    public String where(int row) {
        int number = rowNumber(row);
        if (source == null || lineShift == NO_LINES) {
            return "row " + number;
        }
        return "row " + number + " (line " + (lines == null ? number + lineShift : lines[number - 1]) + ")";
    }

    /** The rows by the value of a column: levels in their order, numbers ascending, the missing ones last. */
    public Map<String, int[]> groups(String column) {
        return Groups.of(this, column);
    }

    /** The same of the groups with most rows, where there are more than so many. */
    public Grouped groups(String column, int most) {
        return Groups.largest(this, column, most);
    }

    /** What the table was read from; empty for a table made in memory. */
    public Optional<Source> source() {
        return Optional.ofNullable(source);
    }

    /** The size, the names with what they hold, and the first rows. */
    @Override
    public String toString() {
        return TableText.of(this);
    }

    /**
     * Some of the groups of a table.
     *
     * @param rows of each of them, in the order of their values
     * @param groups how many there are in all
     */
    public record Grouped(Map<String, int[]> rows, int groups) {}

    /**
     * Where data came from, for provenance.
     *
     * @param name the file name as given, or "standard input"; of a database the address and the query
     * @param sha256 SHA-256 in hexadecimal of the content; for a gzip file, of the uncompressed content, so that packing does not change it; for a query, of
     *     the names and values of its columns
     * @param bytes the length of that content
     */
    public record Source(String name, String sha256, long bytes) {}
}
