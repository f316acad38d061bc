package stackelberg.data.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** Joins the parsed blocks of a CSV file into one table, or refuses the file; messages name the row and the line of the whole file. */
final class CsvTables {
    /** A column with a larger share of numbers than this is taken for numeric, and its texts for mistakes. */
    private static final double MOSTLY_NUMBERS = 0.9;

    /** If blocks have at least this many rows on average, a column keeps one array per block instead of being copied into one. */
    private static final int SHORT = 1000;

    private final CsvDialect dialect;
    private final DataFile.Options options;
    private final CsvPlan plan;
    private final CsvBlock[] blocks;
    private final Table.Source source;
    /** The first row of each block, from 0. */
    private final int[] firstRow;
    /** The first line of each block, from 1. */
    private final int[] firstLine;

    private final int rows;
    /** The possible notations of the columns that are read as text without being declared text; null for other columns. Computed when first needed. */
    private @Nullable Spellings @Nullable [] spellings;

    /** The blocks in the order of the file; refuses a file with a broken record, without rows, or without a column that was declared categorical. */
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
            CsvBlock.Cell broken = blocks[b].broken;
            if (broken != null) {
                throw DataException.of(
                        "line-unreadable", "'{}', {}: {}", source.name(), where(b, broken), broken.text());
            }
            row = Math.addExact(row, blocks[b].rows());
            line += blocks[b].lines;
        }
        this.rows = row;
        if (rows == 0) {
            throw DataException.of(
                    "no-rows",
                    "'{}' has a header of {} columns but no rows.\n" + "Maybe it was not written to the end.",
                    source.name(),
                    dialect.names().size());
        }
        for (String name : options.categorical()) {
            if (!dialect.names().contains(name)) {
                throw new DataException(Message.of(
                        "column-unknown",
                        "There is no column '{}' to read as categories.\n{}",
                        name,
                        Table.suggestion(name, dialect.names(), lineTakenAsData())));
            }
        }
    }

    /** The columns that were read as numbers but contain text, to be read again as text; refuses a column that is numeric except for a few texts. */
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
            // A text such as 2,5 may be a number in another notation; that is decided when all texts of the column are
            // known.
            if (first != null && !Spellings.isNumber(first.cell.text())) {
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

    /** Whether texts have decimal commas although the first lines showed no decimal sign: numbers such as 1.234 in other columns were misread then. */
    boolean showsCommas() {
        Spellings.Decimal all = Spellings.Decimal.UNKNOWN;
        for (Spellings column : spellings()) {
            all = column == null ? all : all.and(column.decimal());
        }
        return plan.decimal == Spellings.Decimal.UNKNOWN && all == Spellings.Decimal.COMMA;
    }

    /**
     * Determines the spelling of numbers in each column that was read as text without being declared as such; null for
     * the other columns.
     */
    private @Nullable Spellings[] spellings() {
        if (spellings == null) {
            @Nullable Spellings[] all = new Spellings[plan.columns()];
            Spelling.Cut cut = new Spelling.Cut();
            for (int j : plan.kept()) {
                if (plan.text[j] && !options.declaresText(dialect.names().get(j))) {
                    Spellings column = new Spellings(cut);
                    all[j] = column;
                    boolean left = true;
                    for (int b = 0; b < blocks.length && left; b++) {
                        List<String> texts = texts(b, j);
                        for (int k = 0; k < texts.size() && left; k++) {
                            left = column.add(texts.get(k));
                        }
                    }
                }
            }
            spellings = all;
        }
        return spellings;
    }

    /** The distinct texts of a column in a block, by their codes; the column must be one that is read as text. */
    private List<String> texts(int block, int column) {
        return Objects.requireNonNull(blocks[block].levels[column]).texts();
    }

    /** The table; columns of numbers are joined on all threads. */
    Table table(Workers workers) {
        int[] kept = plan.kept();
        NumericColumn[] numbers = new NumericColumn[kept.length];
        workers.run(kept.length, k -> {
            if (!plan.text[kept[k]]) {
                numbers[k] = column(k);
                // Counted here because every user of the column asks for it, and its values are in cache now.
                numbers[k].missing();
            }
        });
        List<Column> all = new ArrayList<>();
        for (int k = 0; k < kept.length; k++) {
            all.add(plan.text[kept[k]] ? ofTexts(kept[k], k) : numbers[k]);
        }
        return withLines(all);
    }

    /**
     * A column of numbers. It keeps the arrays of the blocks, so that the file is not held in memory twice; only if these are short, with many per column, they
     * are copied into one, because finding a row among them would be slow.
     */
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

    /** A column that was read as text: numbers if all texts are numbers in one notation, otherwise categories. The codes of each block are renumbered. */
    private Column ofTexts(int column, int place) {
        TextLevels found = new TextLevels();
        int[] codes = new int[rows];
        for (int b = 0; b < blocks.length; b++) {
            int[] renumbered = texts(b, column).stream().mapToInt(found::code).toArray();
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

    /** The numbers that the texts are in the notation that they agree on. */
    private NumericColumn numbers(int column, int[] codes, List<String> texts, Spellings written) {
        String name = dialect.names().get(column);
        Spellings.Decimal wanted = CsvPlan.wanted(name, options, plan.decimal);
        boolean known = wanted == Spellings.Decimal.POINT || wanted == Spellings.Decimal.COMMA;
        // In a file with commas between fields, a comma in a quoted number is taken to separate thousands.
        if (written.ambiguous() && !known && dialect.delimiter() != ',') {
            throw ambiguous(column, codes, texts);
        }
        Spelling spelling = Objects.requireNonNull(written.choose(wanted));
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

    /** The categories, with their levels in an order that does not depend on the rows. */
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
        return new CategoricalColumn(name, codes, levels, options.declaresText(name));
    }

    /**
     * Refuses texts that are numbers in different notations, and numbers with a few texts among them: reading such a column as categories would hide a mistake.
     * Does nothing if the column really is categorical.
     */
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
        // The first row whose notation differs from that of the rows before it.
        Spellings before = new Spellings(new Spelling.Cut());
        int row = 0;
        while (row < rows - 1 && (codes[row] < 0 || before.add(texts.get(codes[row])))) {
            first = first < 0 && codes[row] >= 0 ? row : first;
            row++;
        }
        PlacedCell odd = cell(row, texts.get(codes[row]));
        if (first < 0 || NumericColumn.parse(odd.cell.text()) == Double.POSITIVE_INFINITY) {
            throw infinite(column, odd.block, odd.cell);
        }
        throw new DataException(Message.of(
                "number-written-otherwise",
                "{} is a number, but not written like those before it, such as \"{}\".\nMaybe write all of them in one way, or, if it is a feature, read it as"
                        + " categories with {}.",
                odd(column, odd.block, odd.cell),
                texts.get(codes[first]),
                Message.Choice.text("categorical", dialect.names().get(column))));
    }

    /** The error that a comma may be a decimal comma or separate thousands. */
    private DataException ambiguous(int column, int[] codes, List<String> texts) {
        int row = 0;
        while (row < rows - 1 && (codes[row] < 0 || texts.get(codes[row]).indexOf(',') < 0)) {
            row++;
        }
        PlacedCell odd = cell(row, texts.get(codes[row]));
        String text = odd.cell.text();
        return new DataException(Message.of(
                "decimal-ambiguous",
                "{} may be {} with a decimal comma, or {} with a comma between thousands, and no other value shows which."
                        + "\nMaybe state it: {} or {}.",
                odd(column, odd.block, odd.cell),
                text.replace(',', '.'),
                text.replace(",", ""),
                Message.Choice.text("decimal", ","),
                Message.Choice.text("decimal", ".")));
    }

    /** The place in the blocks of a row of the table, with the text of its cell. */
    private PlacedCell cell(int row, String text) {
        int b = Arrays.binarySearch(firstRow, row);
        b = b >= 0 ? b : -b - 2;
        int inBlock = row - firstRow[b];
        return new PlacedCell(b, new CsvBlock.Cell(inBlock, blocks[b].line(inBlock), text));
    }

    private record PlacedCell(int block, CsvBlock.Cell cell) {}

    /** Refuses a column of which more than {@link #MOSTLY_NUMBERS} are numbers; {@code odd} is the first text. */
    private void refuseFewTexts(int column, PlacedCell odd, long numbers, long texts) {
        String name = dialect.names().get(column);
        if (numbers > MOSTLY_NUMBERS * (numbers + texts)) {
            String others = texts == 1
                    ? "although the other " + numbers + " values are"
                    : "although " + numbers + " of the " + (numbers + texts) + " values are";
            throw new DataException(Message.of(
                    "not-a-number",
                    "{} is not a number, {}.\nMaybe it is a mistake: correct it, mark it missing (NA), or, if it is a feature, read it as categories with {}.",
                    odd(column, odd.block, odd.cell),
                    others,
                    Message.Choice.text("categorical", name)));
        }
    }

    private DataException infinite(int column, int block, CsvBlock.Cell cell) {
        return DataException.of(
                "not-finite",
                "{} is not a finite number.\n" + "Maybe it marks a missing value: write NA for that.",
                odd(column, block, cell));
    }

    /** The number of cells of a column that are numbers. */
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

    /** The table with the line on which each row begins, which in most files is the row number plus the length of the header. */
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
        return plan.kept().length == plan.columns() ? table : table.withNamesInFile(dialect.names());
    }

    /** The texts of the first line if it was taken as data, null otherwise. */
    private @Nullable List<String> lineTakenAsData() {
        return dialect.header() ? null : dialect.first();
    }

    /** The beginning of a message about a cell: column, row, line and text. */
    private String odd(int column, int block, CsvBlock.Cell cell) {
        return "Column '" + dialect.names().get(column) + "', " + where(block, cell) + ": \"" + cell.text() + "\"";
    }

    private String where(int block, CsvBlock.Cell cell) {
        return "row " + (firstRow[block] + cell.row() + 1) + " (line " + (firstLine[block] + cell.line()) + ")";
    }
}
