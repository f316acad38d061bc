package stackelberg.bench.report;

import java.util.List;
import java.util.stream.IntStream;

/** A table of a document, found by the heading above it. */
record Found(Table table) {
    static Found below(Document document, String heading) {
        List<Document.Block> blocks = document.blocks();
        int at = IntStream.range(0, blocks.size())
                .filter(k -> blocks.get(k) instanceof Document.Heading one
                        && one.text().equals(heading))
                .findFirst()
                .orElseThrow();
        return blocks.subList(at + 1, blocks.size()).stream()
                .takeWhile(block -> !(block instanceof Document.Heading))
                .filter(Table.class::isInstance)
                .map(block -> new Found((Table) block))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No table below " + heading));
    }

    /** The cells of the only line that begins so. */
    List<Table.Cell> line(String... begin) {
        List<Table.Line> lines = table.lines().stream()
                .filter(line -> IntStream.range(0, begin.length)
                        .allMatch(k -> line.cells().get(k).text().equals(begin[k])))
                .toList();
        if (lines.size() != 1) {
            throw new AssertionError(lines.size() + " lines begin with " + List.of(begin));
        }
        return lines.get(0).cells();
    }

    /** The cell in the first column of this name, counted onwards by an offset. */
    Table.Cell cell(List<Table.Cell> line, String column, int offset) {
        int at = table.columns().stream().map(Table.Column::name).toList().indexOf(column);
        return line.get(at + offset);
    }
}
