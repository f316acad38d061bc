package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report independent of its format: a list of headings, paragraphs, tables and figures. Its text is plain; the writers escape it. */
final class Document {
    /** An element of the report. */
    sealed interface Block permits Heading, Paragraph, Bullets, Table, Gallery {}

    /**
     * A heading.
     *
     * @param level 1 for the title, larger numbers for smaller headings
     */
    record Heading(int level, String text) implements Block {}

    record Paragraph(String text) implements Block {}

    record Bullets(List<String> items) implements Block {}

    /** Figures that are shown side by side. */
    record Gallery(List<Figure> figures) implements Block {}

    /**
     * A figure.
     *
     * @param file its file name, without the folder
     */
    record Figure(String file, String title, String svg) {}

    private final List<Block> blocks = new ArrayList<>();
    private final Map<String, Figure> figures = new LinkedHashMap<>();

    Document heading(int level, String text) {
        blocks.add(new Heading(level, text));
        return this;
    }

    Document paragraph(String text) {
        blocks.add(new Paragraph(text));
        return this;
    }

    Document bullets(List<String> items) {
        if (!items.isEmpty()) {
            blocks.add(new Bullets(List.copyOf(items)));
        }
        return this;
    }

    Document table(Table table) {
        blocks.add(table);
        return this;
    }

    /** Adds the plots that are not empty. The keys of the map become file names. */
    Document gallery(Map<String, Plot> plots) {
        List<Figure> shown = new ArrayList<>();
        plots.forEach((name, plot) -> {
            if (!plot.isEmpty()) {
                shown.add(figure(name, plot));
            }
        });
        if (!shown.isEmpty()) {
            blocks.add(new Gallery(shown));
        }
        return this;
    }

    private Figure figure(String name, Plot plot) {
        String stem =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String file = stem + ".svg";
        for (int k = 2; figures.containsKey(file); k++) {
            file = stem + "-" + k + ".svg";
        }
        Figure figure = new Figure(file, plot.title(), plot.svg());
        figures.put(file, figure);
        return figure;
    }

    List<Block> blocks() {
        return Collections.unmodifiableList(blocks);
    }

    List<Figure> figures() {
        return List.copyOf(figures.values());
    }
}
