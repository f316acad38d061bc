package stackelberg.data.io;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stackelberg.data.DataException;

/**
 * The header of a NumPy array file (.npy): magic bytes, version, length, and a Python dictionary with dtype, storage order and shape.
 *
 * @param offset the position of the first number in the file, in bytes
 * @param type the type of the numbers
 * @param order the byte order of the numbers
 * @param fortran whether the numbers are stored by columns (Fortran order) rather than by rows
 * @param shape one length for a vector, two for a matrix
 */
record NpyHeader(long offset, NpyType type, ByteOrder order, boolean fortran, List<Integer> shape) {
    private static final String MAGIC = "\u0093NUMPY";
    private static final Pattern DTYPE = Pattern.compile("'descr'\\s*:\\s*'([<>|=])([a-zA-Z])(\\d*)[^']*'");
    private static final Pattern DESCR =
            Pattern.compile("'descr'\\s*:\\s*(.*?)\\s*(,\\s*'(fortran_order|shape)'|,?\\s*}\\s*$)", Pattern.DOTALL);
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");

    /** Reads the header; the stream is then at the first number. */
    static NpyHeader read(DataInputStream in, String name) throws IOException {
        String magic = new String(in.readNBytes(MAGIC.length()), StandardCharsets.ISO_8859_1);
        if (!magic.equals(MAGIC)) {
            throw DataException.of(
                    "npy-misnamed",
                    "'{}' is not a NumPy array file (.npy): it does not begin with \\x93NUMPY.\n"
                            + "Maybe it is an .npz archive or another format: write it with numpy.save.",
                    name);
        }
        int version = in.readUnsignedByte();
        in.readUnsignedByte();
        if (version < 1 || version > 3) {
            throw DataException.of(
                    "npy-version",
                    "'{}' has version {} of the .npy format; versions 1 to 3 can be read.\n"
                            + "Maybe write it with numpy.save.",
                    name,
                    version);
        }
        int length = version == 1
                ? Short.toUnsignedInt(Short.reverseBytes(in.readShort()))
                : Integer.reverseBytes(in.readInt());
        if (length < 0 || length > 1 << 20) {
            throw DataException.of(
                    "npy-header-too-long",
                    "'{}' has a header of {} bytes.\n" + "Maybe the file is damaged.",
                    name,
                    Integer.toUnsignedString(length));
        }
        byte[] header = in.readNBytes(length);
        if (header.length < length) {
            throw truncated(name, "its header should have " + length + " bytes but has " + header.length);
        }
        String text = new String(header, version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        long offset = MAGIC.length() + 2L + (version == 1 ? 2 : 4) + length;
        return parse(text, offset, name);
    }

    /** The error that a file ends too early. */
    static DataException truncated(String name, String how) {
        return DataException.of(
                "npy-cut-off", "'{}' is cut off: {}.\n" + "Maybe it was not written or copied to the end.", name, how);
    }

    /** The number of rows, which is the length of a vector. */
    int rows() {
        return shape.get(0);
    }

    /** The number of columns, 1 for a vector. */
    int cols() {
        return shape.size() == 1 ? 1 : shape.get(1);
    }

    /** Whether the bytes in the file are those of a row-major matrix in memory, so that the file can be mapped instead of read. */
    boolean isMappable() {
        boolean byRows = !fortran || rows() <= 1 || cols() <= 1;
        return type == NpyType.FLOAT64 && order == ByteOrder.nativeOrder() && byRows && offset % 8 == 0;
    }

    /** Parses the Python dictionary of the header. */
    private static NpyHeader parse(String text, long offset, String name) {
        Matcher dtype = DTYPE.matcher(text);
        Matcher fortran = FORTRAN.matcher(text);
        Matcher shape = SHAPE.matcher(text);
        if (!fortran.find() || !shape.find()) {
            throw DataException.of(
                    "npy-header-incomplete",
                    "'{}' has a header without order or shape: {}\n" + "Maybe the file is damaged.",
                    name,
                    text.strip());
        }
        NpyType type = (dtype.find() ? NpyType.of(dtype.group(2) + dtype.group(3)) : Optional.<NpyType>empty())
                .orElseThrow(() -> unreadable(text, name));
        List<Integer> lengths = new ArrayList<>();
        for (String part : shape.group(1).split(",")) {
            if (!part.isBlank()) {
                lengths.add(length(part.strip(), name));
            }
        }
        if (lengths.isEmpty() || lengths.size() > 2) {
            throw DataException.of(
                    "npy-dimensions",
                    "'{}' has {} dimensions ({}); a vector has 1 and a matrix 2.\n" + "Maybe reshape it before saving.",
                    name,
                    lengths.size(),
                    shape.group(1));
        }
        String order = dtype.group(1);
        ByteOrder byteOrder = order.equals(">")
                ? ByteOrder.BIG_ENDIAN
                : order.equals("<") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.nativeOrder();
        return new NpyHeader(offset, type, byteOrder, fortran.group(1).equals("True"), List.copyOf(lengths));
    }

    /** The error that the array holds another type than numbers, with how to convert it in NumPy. */
    private static DataException unreadable(String text, String name) {
        Matcher descr = DESCR.matcher(text);
        String dtype = descr.find() ? descr.group(1) : "unknown";
        Matcher letter = DTYPE.matcher(text);
        String found = dtype.startsWith("[") ? "[" : letter.find() ? letter.group(2) : "";
        String what =
                switch (found) {
                    case "c" -> "complex numbers";
                    case "U", "S" -> "text";
                    case "O" -> "Python objects";
                    case "[", "V" -> "records with named fields";
                    case "M", "m" -> "dates or times";
                    default -> "numbers of an unsupported type";
                };
        String remedy =
                switch (found) {
                    case "c" -> "save the parts that matter, as numpy.column_stack([a.real, a.imag]) has them";
                    case "U", "S" ->
                        "save a.astype(float) if it is numbers as text; categories can be read from a CSV file";
                    case "O" -> "save a.astype(float); if NumPy refuses that, some entry is missing or not a number";
                    case "[", "V" -> "save numpy.lib.recfunctions.structured_to_unstructured(a, dtype=float)";
                    case "M", "m" -> "save a.astype('int64').astype(float), or a difference to some day";
                    default -> "save a.astype(float)";
                };
        return DataException.of(
                "npy-type",
                "'{}' holds {} (dtype {}); arrays of float64, float32, whole numbers of 1 to 8 bytes and bool can be read.\n"
                        + "Maybe {}.",
                name,
                what,
                dtype,
                remedy);
    }

    /** A length in the shape: digits only, without a sign. */
    private static int length(String text, String name) {
        if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > Integer.MAX_VALUE) {
            throw DataException.of(
                    "npy-length",
                    "'{}' has the length {} in its shape; 0 to {} can be used.\n" + "Maybe the file is damaged.",
                    name,
                    text,
                    Integer.MAX_VALUE);
        }
        return Integer.parseInt(text);
    }
}
