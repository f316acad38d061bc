package stackelberg.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A report that is written as Markdown, with links to its figures, and at the same time as one HTML page with the figures inline. Its text is plain and is escaped
 * here.
 */
final class Document {
    private final String title;
    private final StringBuilder markdown = new StringBuilder();
    private final StringBuilder html = new StringBuilder();
    private final List<String> sections = new ArrayList<>();
    private final Map<String, String> figures = new LinkedHashMap<>();

    Document(String title) {
        this.title = title;
        markdown.append("# ").append(Escape.markdown(title)).append('\n');
    }

    /** Adds a heading of level 2, which the page lists at its top, or 3. */
    Document heading(int level, String text) {
        markdown.append('\n')
                .append("#".repeat(level))
                .append(' ')
                .append(Escape.markdown(text))
                .append('\n');
        html.append(String.format("<h%d id=\"%s\">%s</h%d>\n", level, anchor(text), Escape.xml(text), level));
        if (level == 2) {
            sections.add("<a href=\"#" + anchor(text) + "\">" + Escape.xml(text) + "</a>");
        }
        return this;
    }

    Document paragraph(String text) {
        markdown.append('\n').append(Escape.markdown(text)).append('\n');
        html.append("<p>").append(Escape.xml(text)).append("</p>\n");
        return this;
    }

    Document bullets(List<String> items) {
        if (!items.isEmpty()) {
            markdown.append('\n');
            html.append("<ul>\n");
            for (String item : items) {
                markdown.append("* ").append(Escape.markdown(item)).append('\n');
                html.append("<li>").append(Escape.xml(item)).append("</li>\n");
            }
            html.append("</ul>\n");
        }
        return this;
    }

    /** Adds the plots that are not empty, side by side. The keys of the map become file names. */
    Document gallery(Map<String, Plot> plots) {
        if (plots.values().stream().allMatch(Plot::isEmpty)) {
            return this;
        }
        markdown.append('\n');
        html.append("<div class=\"figures\">\n");
        plots.forEach((name, plot) -> {
            if (!plot.isEmpty()) {
                String file = file(name);
                figures.put(file, plot.svg());
                markdown.append("![" + Escape.markdown(plot.title()) + "](figures/" + file + ")\n");
                html.append("<figure>").append(plot.svg()).append("</figure>\n");
            }
        });
        html.append("</div>\n");
        return this;
    }

    private String file(String name) {
        String stem = anchor(name).replaceAll("^-|-$", "");
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
                        .map(column -> column.look().equals("t") ? "---" : "---:")
                        .toList()));
        html.append("<div class=\"box\" tabindex=\"0\"><table>\n<thead><tr>");
        columns.forEach(column -> html.append("<th scope=\"col\"" + look(column.look()) + ">")
                .append(Escape.xml(column.name()))
                .append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        String group = "";
        for (Table.Line line : table.lines()) {
            markdown.append(line(line.cells().stream().map(Cell::markdown).toList()));
            html.append(line.group().equals(group) ? "<tr>" : "<tr class=\"g\">");
            group = line.group();
            for (int k = 0; k < columns.size(); k++) {
                Cell cell = line.cells().get(k);
                boolean wide = columns.get(k).look().equals("t") && cell.text().length() > 40;
                html.append("<td" + look(columns.get(k).look() + (wide ? " wide" : "")) + cell.html() + "</td>");
            }
            html.append("</tr>\n");
        }
        html.append("</tbody>\n</table></div>\n");
        return this;
    }

    private static String line(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String look(String name) {
        return name.isEmpty() ? "" : " class=\"" + name + "\"";
    }

    private static String anchor(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    String markdown() {
        return markdown.toString();
    }

    String html() {
        try (var page = Objects.requireNonNull(Document.class.getResourceAsStream("page.html"))) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("{title}", Escape.xml(title))
                    .replace("{anchor}", anchor(title))
                    .replace("{nav}", String.join("", sections))
                    .replace("{body}", html);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The figures as SVG, by file name. */
    Map<String, String> figures() {
        return Collections.unmodifiableMap(figures);
    }
}
