package stackelberg.data.io;

import de.siegmar.fastcsv.reader.CsvCallbackHandler;
import de.siegmar.fastcsv.reader.RecordType;

/** Receives the fields of a CSV text one by one as characters of the parser's buffer, so that no string or record is created per field. */
abstract class CsvFields extends CsvCallbackHandler<Boolean> {
    /** The number of fields of the current record seen so far. */
    int field;
    /** Whether the record is an empty line. */
    boolean empty;

    @Override
    protected void beginRecord(long startingLine) {
        field = 0;
        empty = false;
    }

    @Override
    protected final RecordType getRecordType() {
        return empty ? RecordType.EMPTY : RecordType.DATA;
    }

    @Override
    protected final int getFieldCount() {
        return field;
    }

    @Override
    protected final void setComment(char[] text, int offset, int length) {
        throw new IllegalStateException("Comments are not enabled.");
    }

    @Override
    protected final void setEmpty() {
        empty = true;
    }
}
