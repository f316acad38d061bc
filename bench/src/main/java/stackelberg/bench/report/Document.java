package stackelberg.bench.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A report in Markdown, with links to its figures. Its text is plain and is escaped here. */
final class Document {
    private final StringBuilder markdown = new StringBuilder();
    private final Map<String, String> figures = new LinkedHashMap<>();

    Document(String title) {
        markdown.append("# ").append(Escape.markdown(title)).append('\n');
    }

    Document heading(int level, String text) {
        markdown.append('\n')
                .append("#".repeat(level))
                .append(' ')
                .append(Escape.markdown(text))
                .append('\n');
        return this;
    }

    Document paragraph(String text) {
        markdown.append('\n').append(Escape.markdown(text)).append('\n');
        return this;
    }

    Document bullets(List<String> items) {
        if (!items.isEmpty()) {
            markdown.append('\n');
            items.forEach(
                    item -> markdown.append("* ").append(Escape.markdown(item)).append('\n'));
        }
        return this;
    }

    /** Adds the plots that are not empty. The keys of the map become file names. */
    Document gallery(Map<String, Plot> plots) {
        if (plots.values().stream().allMatch(Plot::isEmpty)) {
            return this;
        }
        markdown.append('\n');
        plots.forEach((name, plot) -> {
            if (!plot.isEmpty()) {
                String file = file(name);
                figures.put(file, plot.svg());
                markdown.append("![" + Escape.markdown(plot.title()) + "](figures/" + file + ")\n");
            }
        });
        return this;
    }

    private String file(String name) {
        String stem =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String file = stem + ".svg";
        for (int k = 2; figures.containsKey(file); k++) {
            file = stem + "-" + k + ".svg";
        }
        return file;
    }

    <T> Document table(Table<T> table) {
        List<Table.Column<T>> columns = table.columns();
        markdown.append('\n')
                .append(line(columns.stream()
                        .map(column -> Escape.markdown(column.name()))
                        .toList()))
                .append(line(columns.stream()
                        .map(column -> column.number() ? "---:" : "---")
                        .toList()));
        table.lines()
                .forEach(cells ->
                        markdown.append(line(cells.stream().map(Cell::markdown).toList())));
        return this;
    }

    private static String line(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    String markdown() {
        return markdown.toString();
    }

    /** The figures as SVG, by file name. */
    Map<String, String> figures() {
        return Collections.unmodifiableMap(figures);
    }
}
