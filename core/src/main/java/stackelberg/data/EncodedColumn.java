package stackelberg.data;

/**
 * One column of the encoded matrix: (raw - shift) / scale, where raw is the number, or 1 for the level and 0 for others.
 *
 * @param name the column's name, {@code smoker=yes} for a level
 * @param level the level it indicates, null for a number
 */
public record EncodedColumn(String name, String level, double shift, double scale) {}
