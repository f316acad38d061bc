package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import stackelberg.cli.terminal.Visible;

/** Lines of cells for a person, each column as wide as its widest cell: numbers to the right, the first column and the last ones to the left. */
public final class TextTable {
    private final List<String[]> lines = new ArrayList<>();
    private final int firstLeft;

    /** The first column to the left, all others to the right. */
    public TextTable() {
        this(Integer.MAX_VALUE);
    }

    /** Columns from this one on, and the first, to the left: they hold text. */
    public TextTable(int firstLeft) {
        this.firstLeft = firstLeft;
    }

    public TextTable add(String... cells) {
        lines.add(Stream.of(cells).map(Visible::line).toArray(String[]::new));
        return this;
    }

    @Override
    public String toString() {
        List<Integer> widths = new ArrayList<>();
        for (String[] line : lines) {
            for (int k = 0; k < line.length; k++) {
                if (k == widths.size()) {
                    widths.add(0);
                }
                widths.set(k, Math.max(widths.get(k), line[k].length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (String[] line : lines) {
            StringBuilder row = new StringBuilder("  ");
            for (int k = 0; k < line.length; k++) {
                String format = (k == 0 ? "%-" : k >= firstLeft ? "  %-" : "  %") + Math.max(1, widths.get(k)) + "s";
                row.append(String.format(Locale.ROOT, format, line[k]));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
