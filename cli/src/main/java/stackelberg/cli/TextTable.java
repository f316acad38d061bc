package stackelberg.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines of cells for a person: the first column to the left, the others to the right, each as wide as its widest cell. */
final class TextTable {
    private final List<String[]> lines = new ArrayList<>();

    TextTable add(String... cells) {
        lines.add(cells);
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
                String format = (k == 0 ? "%-" : "  %") + Math.max(1, widths.get(k)) + "s";
                row.append(String.format(Locale.ROOT, format, line[k]));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
