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

    /** Rows of a piece that is short. */
    private static final int SHORT = 1000;

    private final CsvDialect dialect;
    private final DataFile.Options options;
    private final CsvPlan plan;
    private final CsvBlock[] blocks;
    private final Table.Source source;
    private final int[] firstRow;
    private final int[] firstLine;
    private final int rows;
    /** Of the columns that are read as text without somebody's asking for it; null for the others. */
    private Spellings[] spellings;

    CsvTables(CsvDialect dialect, DataFile.Options options, CsvPlan plan, CsvBlock[] blocks, Table.Source source) {
        this.dialect = dialect;
        this.options = options;
        this.plan = plan;
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
            // 2,5 behind whole numbers is a number too: all texts will tell
            if (!Spellings.isNumber(first.cell.text())) {
                refuseFewTexts(column, first, numbers(column), texts);
            }
        }
        for (int b = 0; b < blocks.length; b++) {
            for (var infinity : blocks[b].infinities.entrySet()) {
                if (!late.contains(infinity.getKey())) {
                    throw infinite(infinity.getKey(), b, infinity.getValue().first());
                }
            }
        }
        return late;
    }

    /** Whether texts show decimal commas of which the first lines showed nothing, so that 1.234 elsewhere may have been misread. */
    boolean showsCommas() {
        Spellings.Decimal all = Spellings.Decimal.UNKNOWN;
        for (Spellings column : spellings()) {
            all = column == null ? all : all.and(column.decimal());
        }
        return plan.decimal == Spellings.Decimal.UNKNOWN && all == Spellings.Decimal.COMMA;
    }

    private Spellings[] spellings() {
        if (spellings == null) {
            spellings = new Spellings[plan.columns()];
            Spelling.Cut cut = new Spelling.Cut();
            for (int j : plan.kept()) {
                if (plan.text[j] && !options.saysText(dialect.names().get(j))) {
                    spellings[j] = new Spellings(cut);
                    boolean left = true;
                    for (int b = 0; b < blocks.length && left; b++) {
                        for (int k = 0; k < blocks[b].levels[j].texts().size() && left; k++) {
                            left = spellings[j].add(blocks[b].levels[j].texts().get(k));
                        }
                    }
                }
            }
        }
        return spellings;
    }

    Table table(Workers workers) {
        int[] kept = plan.kept();
        NumericColumn[] numbers = new NumericColumn[kept.length];
        workers.run(kept.length, k -> {
            if (!plan.text[kept[k]]) {
                numbers[k] = column(k);
                // everybody will ask, and nothing is nearer than now
                numbers[k].missing();
            }
        });
        List<Column> all = new ArrayList<>();
        for (int k = 0; k < kept.length; k++) {
            all.add(plan.text[kept[k]] ? ofTexts(kept[k], k) : numbers[k]);
        }
        return withLines(all);
    }

    /** A column stays in the pieces that the blocks have of it, so that a file is not held twice; but for short ones, of which a row would be looked for too long. */
    private NumericColumn column(int place) {
        double[][] pieces = Arrays.stream(blocks)
                .filter(block -> block.rows() > 0)
                .map(block -> block.column(place))
                .toArray(double[][]::new);
        int column = plan.kept()[place];
        NumericColumn whole = new NumericColumn(dialect.names().get(column), pieces, plan.notation(column));
        return (long) SHORT * pieces.length <= rows
                ? whole
                : new NumericColumn(whole.name(), whole.values(), plan.notation(column));
    }

    /** Block codes become codes of the file; where all texts are numbers in one spelling, those numbers. */
    private Column ofTexts(int column, int place) {
        TextLevels found = new TextLevels();
        int[] codes = new int[rows];
        for (int b = 0; b < blocks.length; b++) {
            int[] renumbered = blocks[b].levels[column].texts().stream()
                    .mapToInt(found::code)
                    .toArray();
            double[] blockCodes = blocks[b].column(place);
            for (int i = 0; i < blockCodes.length; i++) {
                codes[firstRow[b] + i] = Double.isNaN(blockCodes[i]) ? -1 : renumbered[(int) blockCodes[i]];
            }
        }
        Spellings written = spellings()[column];
        if (written == null) {
            return categorical(column, codes, found);
        }
        if (written.any() && written.agree()) {
            return numbers(column, codes, found.texts(), written);
        }
        if (written.any()) {
            refuseMiswrittenNumbers(column, codes, found.texts());
        }
        return categorical(column, codes, found);
    }

    private NumericColumn numbers(int column, int[] codes, List<String> texts, Spellings written) {
        String name = dialect.names().get(column);
        Spellings.Decimal wanted = CsvPlan.wanted(name, options, plan.decimal);
        boolean told = wanted == Spellings.Decimal.POINT || wanted == Spellings.Decimal.COMMA;
        // between commas that separate fields, one inside quotes separates thousands
        if (written.ambiguous() && !told && dialect.delimiter() != ',') {
            throw ambiguous(column, codes, texts);
        }
        Spelling spelling = written.choose(wanted);
        Spelling.Cut cut = new Spelling.Cut();
        double[] ofText =
                texts.stream().mapToDouble(text -> spelling.parse(text, cut)).toArray();
        double[] values = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = codes[i] < 0 ? Double.NaN : ofText[codes[i]];
            if (Double.isInfinite(values[i])) {
                PlacedCell odd = cell(i, texts.get(codes[i]));
                throw infinite(column, odd.block, odd.cell);
            }
        }
        NumericColumn.Notation notation = written.notation(spelling);
        CsvPlan.refuseOtherSign(name, options, notation);
        return new NumericColumn(name, values, notation);
    }

    /** In an order of levels that does not depend on the rows. */
    private CategoricalColumn categorical(int column, int[] codes, TextLevels found) {
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
        return new CategoricalColumn(name, codes, levels, options.saysText(name));
    }

    /** Numbers that are not written alike must not silently become categories, nor those beside a slip. */
    private void refuseMiswrittenNumbers(int column, int[] codes, List<String> texts) {
        boolean[] isNumber = new boolean[texts.size()];
        for (int k = 0; k < isNumber.length; k++) {
            isNumber[k] = FieldText.isNumber(texts.get(k));
        }
        long numbers = 0;
        long others = 0;
        int first = -1;
        for (int i = 0; i < rows; i++) {
            if (codes[i] >= 0 && isNumber[codes[i]]) {
                numbers++;
            } else if (codes[i] >= 0) {
                others++;
                first = first < 0 ? i : first;
            }
        }
        if (others > 0) {
            refuseFewTexts(column, cell(first, texts.get(codes[first])), numbers, others);
            return;
        }
        Spellings so = new Spellings(new Spelling.Cut());
        int row = 0;
        while (row < rows - 1 && (codes[row] < 0 || so.add(texts.get(codes[row])))) {
            first = first < 0 && codes[row] >= 0 ? row : first;
            row++;
        }
        PlacedCell odd = cell(row, texts.get(codes[row]));
        if (first < 0 || NumericColumn.parse(odd.cell.text()) == Double.POSITIVE_INFINITY) {
            throw infinite(column, odd.block, odd.cell);
        }
        throw new DataException(
                odd(column, odd.block, odd.cell) + " is a number, but not written as those before it, the first of"
                        + " them \"" + texts.get(codes[first])
                        + "\".\nMaybe write all of them in one way, or, if it is a feature, read it as"
                        + " categories with categorical(\"" + dialect.names().get(column) + "\").");
    }

    private DataException ambiguous(int column, int[] codes, List<String> texts) {
        int row = 0;
        while (row < rows - 1 && (codes[row] < 0 || texts.get(codes[row]).indexOf(',') < 0)) {
            row++;
        }
        PlacedCell odd = cell(row, texts.get(codes[row]));
        String text = odd.cell.text();
        return new DataException(odd(column, odd.block, odd.cell) + " may be " + text.replace(',', '.')
                + " with a decimal comma, or " + text.replace(",", "")
                + " with a comma between thousands, and no other value tells.\nMaybe say which: decimal(\",\") or"
                + " decimal(\".\").");
    }

    /** A cell of the file by the row of the table, with its block. */
    private PlacedCell cell(int row, String text) {
        int b = Arrays.binarySearch(firstRow, row);
        b = b >= 0 ? b : -b - 2;
        int inBlock = row - firstRow[b];
        return new PlacedCell(b, new CsvBlock.Cell(inBlock, blocks[b].line(inBlock), text));
    }

    private record PlacedCell(int block, CsvBlock.Cell cell) {}

    private void refuseFewTexts(int column, PlacedCell odd, long numbers, long texts) {
        String name = dialect.names().get(column);
        if (numbers > MOSTLY_NUMBERS * (numbers + texts)) {
            String others = texts == 1
                    ? "although the other " + numbers + " values are"
                    : "although " + numbers + " of the " + (numbers + texts) + " values are";
            throw new DataException(odd(column, odd.block, odd.cell) + " is not a number, " + others
                    + ".\nMaybe it is a slip: mend it, mark it missing (NA), or, if it is a feature, read it as categories with categorical(\""
                    + name + "\").");
        }
    }

    private DataException infinite(int column, int block, CsvBlock.Cell cell) {
        return new DataException(odd(column, block, cell)
                + " is not a finite number.\nMaybe it marks a missing value: write NA for that.");
    }

    private long numbers(int column) {
        int place = Arrays.binarySearch(plan.kept(), column);
        long numbers = 0;
        for (CsvBlock block : blocks) {
            for (double cell : block.column(place)) {
                numbers += Double.isNaN(cell) ? 0 : 1;
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
        Table table = Table.read(columns, shifted ? null : lines, lines[0] - 1, source, lineTakenAsData());
        return plan.kept().length == plan.columns() ? table : table.without(dialect.names());
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
