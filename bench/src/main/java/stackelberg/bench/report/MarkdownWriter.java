package stackelberg.bench.report;

import java.util.stream.Collectors;

/** Writes a document as Markdown, with links to its figures in the folder {@code figures}. */
final class MarkdownWriter {
    private final StringBuilder text = new StringBuilder();

    private MarkdownWriter() {}

    static String write(Document document) {
        MarkdownWriter writer = new MarkdownWriter();
        document.blocks().forEach(writer::block);
        return writer.text.toString();
    }

    private void block(Document.Block block) {
        if (!text.isEmpty()) {
            text.append('\n');
        }
        if (block instanceof Document.Heading heading) {
            text.append("#".repeat(heading.level()))
                    .append(' ')
                    .append(Escape.markdown(heading.text()))
                    .append('\n');
        } else if (block instanceof Document.Paragraph paragraph) {
            text.append(Escape.markdown(paragraph.text())).append('\n');
        } else if (block instanceof Document.Bullets bullets) {
            bullets.items()
                    .forEach(item ->
                            text.append("* ").append(Escape.markdown(item)).append('\n'));
        } else if (block instanceof Document.Gallery gallery) {
            gallery.figures().forEach(figure -> text.append("![")
                    .append(Escape.markdown(figure.title()))
                    .append("](figures/")
                    .append(figure.file())
                    .append(")\n"));
        } else if (block instanceof Table table) {
            table(table);
        }
    }

    private void table(Table table) {
        text.append(table.columns().stream()
                .map(column -> Escape.markdown(column.name()))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
        text.append(table.columns().stream()
                .map(column -> column.kind() == Table.Kind.TEXT ? "---" : "---:")
                .collect(Collectors.joining(" | ", "| ", " |\n")));
        for (Table.Line line : table.lines()) {
            text.append(
                    line.cells().stream().map(MarkdownWriter::cell).collect(Collectors.joining(" | ", "| ", " |\n")));
        }
    }

    private static String cell(Table.Cell cell) {
        String content = Escape.markdown(cell.text());
        return (cell.strong() ? "**" + content + "**" : content)
                + (cell.mark().isEmpty() ? "" : " " + Escape.markdown(cell.mark()))
                + (cell.note().isEmpty() ? "" : " (" + Escape.markdown(cell.note()) + ")");
    }
}
