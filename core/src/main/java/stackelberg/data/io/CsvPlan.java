package stackelberg.data.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;

/** How every column of a CSV file is read: not at all, as text, as numbers in a spelling, or as numbers that are written as 1234.5. */
final class CsvPlan {
    final boolean[] skipped;
    final boolean[] text;
    /** Columns that name rows, by any text. */
    final boolean[] names;
    /** Null for numbers as 1234.5, and for what is not read as numbers. */
    final Spelling[] spellings;
    /** What the first lines, or somebody, say of the whole file. */
    final Spellings.Decimal decimal;

    /** The columns that are read, ascending. */
    private final int[] kept;

    private final NumericColumn.Notation[] notations;

    private CsvPlan(
            boolean[] skipped,
            boolean[] text,
            boolean[] names,
            Spelling[] spellings,
            NumericColumn.Notation[] notations,
            Spellings.Decimal decimal) {
        this.skipped = skipped;
        this.text = text;
        this.names = names;
        this.spellings = spellings;
        this.notations = notations;
        this.decimal = decimal;
        int[] all = new int[skipped.length];
        int count = 0;
        for (int j = 0; j < all.length; j++) {
            all[count] = j;
            count += skipped[j] ? 0 : 1;
        }
        this.kept = Arrays.copyOf(all, count);
    }

    /** How many columns the file has. */
    int columns() {
        return skipped.length;
    }

    /** The columns that are read, ascending. */
    int[] kept() {
        return kept;
    }

    /** How a column of numbers is written; null where it is as 1234.5. */
    NumericColumn.Notation notation(int column) {
        return notations[column];
    }

    /**
     * Told from the first lines.
     *
     * @param texts columns that an earlier reading found to hold text
     * @param decimal what an earlier reading found, or somebody said, of the whole file
     */
    static CsvPlan of(
            CsvDialect dialect, DataFile.Options options, Set<Integer> texts, Spellings.Decimal decimal, String head) {
        List<String> names = dialect.names();
        boolean[] skipped = new boolean[names.size()];
        boolean[] text = new boolean[names.size()];
        boolean[] naming = new boolean[names.size()];
        for (int j = 0; j < text.length; j++) {
            String name = names.get(j);
            naming[j] = options.names().contains(name);
            text[j] = texts.contains(j) || options.saysText(name);
            skipped[j] = !options.used().test(name);
        }
        Spellings[] seen = survey(dialect, skipped, text, head);
        Spellings.Decimal found = decimal;
        for (int j = 0; j < seen.length && decimal == Spellings.Decimal.UNKNOWN; j++) {
            found = seen[j] == null ? found : found.and(seen[j].decimal());
        }
        Spelling[] spellings = new Spelling[text.length];
        NumericColumn.Notation[] notations = new NumericColumn.Notation[text.length];
        for (int j = 0; j < text.length; j++) {
            if (seen[j] != null) {
                Spellings.Decimal wanted = wanted(names.get(j), options, found);
                boolean usual = seen[j].plain() && wanted != Spellings.Decimal.COMMA;
                spellings[j] = usual || needsAll(seen[j], wanted) ? null : seen[j].choose(wanted);
                text[j] = !usual && spellings[j] == null;
                notations[j] = seen[j].notation(spellings[j]);
                refuseOtherSign(names.get(j), options, notations[j]);
                if (seen[j].plain() && spellings[j] != null && spellings[j].decimal() == Spelling.POINT) {
                    spellings[j] = null;
                }
            }
        }
        return new CsvPlan(skipped, text, naming, spellings, notations, found);
    }

    /** Whether the first lines do not tell what 1,234 is, which other lines may. */
    private static boolean needsAll(Spellings seen, Spellings.Decimal wanted) {
        return seen.ambiguous() && (wanted == Spellings.Decimal.UNKNOWN || wanted == Spellings.Decimal.BOTH);
    }

    /** What decides where a column can be read either way: what somebody says, what the column was before, what the file shows. */
    static Spellings.Decimal wanted(String column, DataFile.Options options, Spellings.Decimal file) {
        NumericColumn.Notation before = options.notations().get(column);
        return options.decimal() == null && before != null ? Spellings.Decimal.of(before.decimal()) : file;
    }

    /** Dollars are no euros: a rule for the one says nothing of the other. */
    static void refuseOtherSign(String column, DataFile.Options options, NumericColumn.Notation now) {
        NumericColumn.Notation before = options.notations().get(column);
        if (before != null
                && now != null
                && !before.sign().isEmpty()
                && !now.sign().isEmpty()
                && !now.sign().equals(before.sign())) {
            throw new DataException("Column '" + column + "' is written with " + now.sign()
                    + " here (\"" + now.example() + "\") and was written with " + before.sign() + " before (\""
                    + before.example() + "\"), so that the numbers are not the same.\nMaybe convert them.");
        }
    }

    /** What the first lines show of every column that is to be looked at; null for the others. */
    private static Spellings[] survey(CsvDialect dialect, boolean[] skipped, boolean[] text, String head) {
        Survey survey = new Survey(skipped, text, dialect.header());
        try {
            var records = CsvDialect.parser(dialect.delimiter())
                    .build(survey, new StringReader(head))
                    .iterator();
            while (records.hasNext()) {
                records.next();
            }
        } catch (CsvParseException e) {
            // The reading of the whole file says where and why.
        }
        return survey.seen;
    }

    private static final class Survey extends CsvFields {
        private final Spellings[] seen;
        private boolean header;

        Survey(boolean[] skipped, boolean[] text, boolean header) {
            this.seen = new Spellings[skipped.length];
            this.header = header;
            Spelling.Cut cut = new Spelling.Cut();
            for (int j = 0; j < seen.length; j++) {
                seen[j] = skipped[j] || text[j] ? null : new Spellings(cut);
            }
        }

        @Override
        protected void addField(char[] text, int offset, int length, boolean quoted) {
            int column = field++;
            if (header || column >= seen.length || seen[column] == null) {
                return;
            }
            int from = FieldText.start(text, offset, offset + length);
            int to = FieldText.end(text, from, offset + length);
            if (!FieldText.isMissing(text, from, to)) {
                seen[column].add(text, from, to);
            }
        }

        @Override
        protected Boolean buildRecord() {
            header &= empty;
            return Boolean.TRUE;
        }
    }
}
