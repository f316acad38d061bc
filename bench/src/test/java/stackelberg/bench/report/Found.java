package stackelberg.bench.report;

import java.util.List;
import java.util.stream.IntStream;

/** A table of a report in Markdown, found by the heading above it; its first line holds the names of the columns. */
record Found(List<List<String>> table) {
    static Found below(Document document, String heading) {
        List<List<String>> table = document.markdown()
                .lines()
                .dropWhile(line -> !line.matches("#+ .*") || !line.endsWith("# " + heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("#"))
                .dropWhile(line -> !line.startsWith("| "))
                .takeWhile(line -> line.startsWith("| "))
                .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
                .toList();
        if (table.isEmpty()) {
            throw new AssertionError("No table below " + heading);
        }
        return new Found(table);
    }

    /** The lines below the names and the rule. */
    List<List<String>> lines() {
        return table.subList(2, table.size());
    }

    /** The cells of the only line that begins so. */
    List<String> line(String... begin) {
        List<List<String>> found = lines().stream()
                .filter(line -> IntStream.range(0, begin.length)
                        .allMatch(k -> line.get(k).equals(begin[k])))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " lines begin with " + List.of(begin));
        }
        return found.get(0);
    }

    /** The cell in the first column of this name, counted onwards by an offset. */
    String cell(List<String> line, String column, int offset) {
        return line.get(table.get(0).indexOf(column) + offset);
    }
}
