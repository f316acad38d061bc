package stackelberg.data.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** The parsed blocks of a CSV file, put together into one table or refused. */
final class CsvTables {
    /** A column with a larger share of numbers than this is numeric, and its texts are errors. */
    private static final double MOSTLY_NUMBERS = 0.9;

    private static final int TILE = 16;

    private final CsvDialect dialect;
    private final CsvOptions options;
    private final CsvBlock[] blocks;
    private final Table.Source source;
    private final int[] firstRow;
    private final int[] firstLine;
    private final int rows;

    CsvTables(CsvDialect dialect, CsvOptions options, CsvBlock[] blocks, Table.Source source) {
        this.dialect = dialect;
        this.options = options;
        this.blocks = blocks;
        this.source = source;
        this.firstRow = new int[blocks.length];
        this.firstLine = new int[blocks.length];
        int row = 0;
        int line = 1;
        for (int b = 0; b < blocks.length; b++) {
            firstRow[b] = row;
            firstLine[b] = line;
            if (blocks[b].broken != null) {
                throw new DataException(
                        "'" + source.name() + "', " + where(b, blocks[b].broken) + ": " + blocks[b].broken.text());
            }
            row = Math.addExact(row, blocks[b].rows());
            line += blocks[b].lines;
        }
        this.rows = row;
        if (rows == 0) {
            throw new DataException("'" + source.name() + "' has a header of "
                    + dialect.names().size() + " columns but no rows.\nMaybe it was not written to the end.");
        }
        for (String name : options.categorical()) {
            if (!dialect.names().contains(name)) {
                throw new DataException("There is no column '" + name + "' to be read as categories.\n"
                        + Table.suggestion(name, dialect.names(), lineTakenAsData()));
            }
        }
    }

    /** Columns read as numbers that turned out to be categorical; refuses those that are numeric but for a few odd texts. */
    Set<Integer> columnsWithLateText() {
        Set<Integer> late = new TreeSet<>();
        for (CsvBlock block : blocks) {
            late.addAll(block.texts.keySet());
        }
        for (int column : late) {
            long texts = 0;
            PlacedCell first = null;
            for (int b = 0; b < blocks.length; b++) {
                CsvBlock.Cells found = blocks[b].texts.get(column);
                if (found != null) {
                    texts += found.count();
                    first = first == null ? new PlacedCell(b, found.first()) : first;
                }
            }
            refuseFewTexts(column, first, numbers(column), texts);
        }
        for (int b = 0; b < blocks.length; b++) {
            for (var infinity : blocks[b].infinities.entrySet()) {
                if (!late.contains(infinity.getKey())) {
                    throw new DataException(
                            odd(infinity.getKey(), b, infinity.getValue().first())
                                    + " is not a finite number.\nMaybe it marks a missing value: write NA for that.");
                }
            }
        }
        return late;
    }

    Table table(Workers workers) {
        int columns = dialect.names().size();
        double[][] values = new double[columns][];
        workers.run(columns, j -> values[j] = new double[rows]);
        workers.run(blocks.length, b -> transpose(blocks[b], firstRow[b], values));
        List<Column> all = new ArrayList<>();
        for (int j = 0; j < columns; j++) {
            String name = dialect.names().get(j);
            all.add(blocks[0].levels[j] == null ? new NumericColumn(name, values[j]) : categorical(j, values[j]));
            values[j] = null;
        }
        return withLines(all);
    }

    private static void transpose(CsvBlock block, int firstRow, double[][] values) {
        for (int from = 0; from < block.rows(); from += TILE) {
            int to = Math.min(from + TILE, block.rows());
            for (int j = 0; j < values.length; j++) {
                for (int i = from; i < to; i++) {
                    values[j][firstRow + i] = block.cell(i, j);
                }
            }
        }
    }

    /** Block codes become codes of the file, in an order of levels that does not depend on the rows. */
    private CategoricalColumn categorical(int column, double[] blockCodes) {
        TextLevels found = new TextLevels();
        int[] codes = new int[rows];
        for (int b = 0; b < blocks.length; b++) {
            int[] renumbered = blocks[b].levels[column].texts().stream()
                    .mapToInt(found::code)
                    .toArray();
            for (int i = firstRow[b]; i < firstRow[b] + blocks[b].rows(); i++) {
                codes[i] = Double.isNaN(blockCodes[i]) ? -1 : renumbered[(int) blockCodes[i]];
            }
        }
        List<String> levels = new ArrayList<>(found.texts());
        levels.sort(CategoricalColumn.levelOrder(levels));
        int[] place = new int[levels.size()];
        for (int k = 0; k < place.length; k++) {
            place[found.code(levels.get(k))] = k;
        }
        for (int i = 0; i < rows; i++) {
            codes[i] = codes[i] < 0 ? -1 : place[codes[i]];
        }
        String name = dialect.names().get(column);
        if (!options.saysText(name)) {
            refuseMiswrittenNumbers(column, codes, levels);
        }
        return new CategoricalColumn(name, codes, levels);
    }

    /** Numbers with commas count as numbers that are miswritten, so that they do not silently become categories. */
    private void refuseMiswrittenNumbers(int column, int[] codes, List<String> levels) {
        boolean[] isNumber = new boolean[levels.size()];
        boolean[] hasComma = new boolean[levels.size()];
        for (int k = 0; k < isNumber.length; k++) {
            isNumber[k] = FieldText.isNumber(levels.get(k));
            hasComma[k] = FieldText.hasComma(levels.get(k));
        }
        long numbers = 0;
        long commas = 0;
        long texts = 0;
        int first = -1;
        int firstComma = -1;
        for (int i = 0; i < rows; i++) {
            if (codes[i] >= 0 && isNumber[codes[i]]) {
                numbers++;
            } else if (codes[i] >= 0) {
                texts++;
                first = first < 0 ? i : first;
                if (hasComma[codes[i]]) {
                    commas++;
                    firstComma = firstComma < 0 ? i : firstComma;
                }
            }
        }
        if (commas > 0 && numbers + commas > MOSTLY_NUMBERS * (numbers + texts)) {
            throw comma(column, cell(firstComma, levels.get(codes[firstComma])));
        }
        refuseFewTexts(column, cell(first, levels.get(codes[first])), numbers, texts);
    }

    /** A cell of the file by the row of the table, with its block. */
    private PlacedCell cell(int row, String text) {
        int b = Arrays.binarySearch(firstRow, row);
        b = b >= 0 ? b : -b - 2;
        int inBlock = row - firstRow[b];
        return new PlacedCell(b, new CsvBlock.Cell(inBlock, blocks[b].line(inBlock), text));
    }

    private record PlacedCell(int block, CsvBlock.Cell cell) {}

    private DataException comma(int column, PlacedCell odd) {
        String text = odd.cell.text();
        boolean replaceable = dialect.delimiter() != ',' && text.indexOf('.') < 0;
        return new DataException(odd(column, odd.block, odd.cell)
                + " has a comma, but numbers have a decimal point and nothing between thousands: write "
                + FieldText.withoutComma(text) + ".\nMaybe "
                + (replaceable
                        ? "replace the commas of the whole file with tr , . < FILE (or, where they separate thousands, delete them with"
                                + " tr -d , < FILE)"
                        : "have the file written that way")
                + ", or, if it is a feature, read it as categories with categorical(\""
                + dialect.names().get(column) + "\").");
    }

    private void refuseFewTexts(int column, PlacedCell odd, long numbers, long texts) {
        String name = dialect.names().get(column);
        if (numbers > MOSTLY_NUMBERS * (numbers + texts) && FieldText.hasComma(odd.cell.text())) {
            throw comma(column, odd);
        }
        if (numbers > MOSTLY_NUMBERS * (numbers + texts)) {
            String others = texts == 1
                    ? "although the other " + numbers + " values are"
                    : "although " + numbers + " of the " + (numbers + texts) + " values are";
            throw new DataException(odd(column, odd.block, odd.cell) + " is not a number, " + others
                    + ".\nMaybe it is a slip: mend it, mark it missing (NA), or, if it is a feature, read it as categories with categorical(\""
                    + name + "\").");
        }
    }

    private long numbers(int column) {
        long numbers = 0;
        for (CsvBlock block : blocks) {
            for (int i = 0; i < block.rows(); i++) {
                numbers += Double.isNaN(block.cell(i, column)) ? 0 : 1;
            }
        }
        return numbers;
    }

    private Table withLines(List<Column> columns) {
        int[] lines = new int[rows];
        boolean shifted = true;
        for (int b = 0; b < blocks.length; b++) {
            for (int i = 0; i < blocks[b].rows(); i++) {
                lines[firstRow[b] + i] = firstLine[b] + blocks[b].line(i);
                shifted &= lines[firstRow[b] + i] - lines[0] == firstRow[b] + i;
            }
        }
        return Table.read(columns, shifted ? null : lines, lines[0] - 1, source, lineTakenAsData());
    }

    /** The texts of the first line if it was taken as data, null otherwise. */
    private List<String> lineTakenAsData() {
        return dialect.header() ? null : dialect.first();
    }

    private String odd(int column, int block, CsvBlock.Cell cell) {
        return "Column '" + dialect.names().get(column) + "', " + where(block, cell) + ": \"" + cell.text() + "\"";
    }

    private String where(int block, CsvBlock.Cell cell) {
        return "row " + (firstRow[block] + cell.row() + 1) + " (line " + (firstLine[block] + cell.line()) + ")";
    }
}
