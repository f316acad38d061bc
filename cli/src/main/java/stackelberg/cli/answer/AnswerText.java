package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import stackelberg.cli.terminal.Visible;

/** An {@link Answer} as lines for a terminal. Control characters and line ends in names from the data are escaped. */
final class AnswerText {
    private static final String INDENT = "  ";

    private AnswerText() {}

    static String of(Answer answer) {
        return answer.sections().stream()
                .map(section -> section.blocks().stream().map(AnswerText::block).collect(Collectors.joining()))
                .collect(Collectors.joining("\n"));
    }

    private static String block(Answer.Block block) {
        return block instanceof Answer.Table table
                ? table(table)
                : Visible.text(((Answer.Sentence) block).text()) + "\n";
    }

    /** Each column as wide as its widest cell, and two spaces between. */
    private static String table(Answer.Table table) {
        List<List<String>> lines = Stream.concat(
                        table.heads().stream(), table.rows().stream().map(Answer.Row::cells))
                .map(cells -> cells.stream().map(Visible::line).toList())
                .toList();
        List<Integer> widths = new ArrayList<>();
        for (List<String> line : lines) {
            for (int k = 0; k < line.size(); k++) {
                if (k == widths.size()) {
                    widths.add(0);
                }
                widths.set(k, Math.max(widths.get(k), line.get(k).length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder();
            for (int k = 0; k < line.size(); k++) {
                String space = " ".repeat(widths.get(k) - line.get(k).length());
                row.append(INDENT).append(table.isText(k) ? line.get(k) + space : space + line.get(k));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        table.remarks()
                .forEach(remark ->
                        text.append(INDENT).append(Visible.text(remark)).append('\n'));
        return text.toString();
    }
}
