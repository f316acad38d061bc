package stackelberg.data.io;

import de.siegmar.fastcsv.reader.CsvParseException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;

/** Says for each column of a CSV file how it is read: skipped, as text, as plain numbers (1234.5), or as numbers in another notation. */
final class CsvPlan {
    /** Columns that are not read. */
    final boolean[] skipped;
    /** Columns that are read as text. */
    final boolean[] text;
    /** Columns that name rows, in which "NA" and the like are names rather than missing values. */
    final boolean[] names;
    /** The notation of each column of numbers; null for plain numbers, and for columns that are not read as numbers. */
    final @Nullable Spelling[] spellings;
    /** The decimal sign of the whole file, as stated by the user or shown by the first lines. */
    final Spellings.Decimal decimal;

    /** The columns that are read, ascending. */
    private final int[] kept;

    private final NumericColumn.@Nullable Notation[] notations;

    private CsvPlan(
            boolean[] skipped,
            boolean[] text,
            boolean[] names,
            @Nullable Spelling[] spellings,
            NumericColumn.@Nullable Notation[] notations,
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

    /** The number of columns of the file. */
    int columns() {
        return skipped.length;
    }

    /** The columns that are read, ascending. */
    int[] kept() {
        return kept;
    }

    /** The notation that a column of numbers gets in the table; null for plain numbers. */
    NumericColumn.@Nullable Notation notation(int column) {
        return notations[column];
    }

    /**
     * Makes the plan from the first lines of the file.
     *
     * @param texts columns in which an earlier reading found text
     * @param decimal the decimal sign that the user stated or an earlier reading found
     * @param head the first lines
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
            text[j] = texts.contains(j) || options.declaresText(name);
            skipped[j] = !options.used().test(name);
        }
        @Nullable Spellings[] seen = survey(dialect, skipped, text, head);
        Spellings.Decimal found = decimal;
        for (int j = 0; j < seen.length && decimal == Spellings.Decimal.UNKNOWN; j++) {
            found = seen[j] == null ? found : found.and(seen[j].decimal());
        }
        @Nullable Spelling[] spellings = new Spelling[text.length];
        NumericColumn.@Nullable Notation[] notations = new NumericColumn.Notation[text.length];
        for (int j = 0; j < text.length; j++) {
            if (seen[j] != null) {
                // Plain numbers need no notation, unless decimal commas are expected: 1.234 then is 1234.
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

    /** Whether the first lines leave open what 1,234 means: the column is then read as text, and its notation is decided when all its texts are known. */
    private static boolean needsAll(Spellings seen, Spellings.Decimal wanted) {
        return seen.ambiguous() && (wanted == Spellings.Decimal.UNKNOWN || wanted == Spellings.Decimal.BOTH);
    }

    /** The decimal sign for a column that could be read either way: the user's choice, else the column's notation in earlier data, else that of the file. */
    static Spellings.Decimal wanted(String column, DataFile.Options options, Spellings.Decimal file) {
        NumericColumn.Notation before = options.notations().get(column);
        return options.decimal() == null && before != null ? Spellings.Decimal.of(before.decimal()) : file;
    }

    /** Refuses a column whose currency or percent sign differs from that in earlier data: a rule learned from dollars must not be applied to euros. */
    static void refuseOtherSign(String column, DataFile.Options options, NumericColumn.@Nullable Notation now) {
        NumericColumn.Notation before = options.notations().get(column);
        if (before != null
                && now != null
                && !before.sign().isEmpty()
                && !now.sign().isEmpty()
                && !now.sign().equals(before.sign())) {
            throw DataException.of(
                    "number-style-changed",
                    "Column '{}' is in {} here (\"{}\") but was in {} before (\"{}\"), so the numbers do not mean the same.\n"
                            + "Maybe convert them.",
                    column,
                    now.sign(),
                    now.example(),
                    before.sign(),
                    before.example());
        }
    }

    /** The possible notations of each column by the first lines; null for columns that are skipped or read as text. */
    private static @Nullable Spellings[] survey(CsvDialect dialect, boolean[] skipped, boolean[] text, String head) {
        Survey survey = new Survey(skipped, text, dialect.header());
        try {
            var records = CsvDialect.parser(dialect.delimiter())
                    .build(survey, new StringReader(head))
                    .iterator();
            while (records.hasNext()) {
                records.next();
            }
        } catch (CsvParseException e) {
            // Reading the whole file reports where and why.
        }
        return survey.seen;
    }

    /** Collects the notations of the fields of each column. */
    private static final class Survey extends CsvFields {
        private final @Nullable Spellings[] seen;
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
