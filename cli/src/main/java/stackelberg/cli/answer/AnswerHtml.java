package stackelberg.cli.answer;

import java.util.List;
import stackelberg.cli.terminal.Visible;
import stackelberg.data.Message;

/**
 * An {@link Answer} as an HTML fragment: {@code <section>}, {@code <p>} and {@code <table>}. Classes are {@code answer} of the whole, {@code text} and {@code number} of
 * cells, {@code marked} of rows, {@code remark} and {@code warning} of paragraphs.
 */
final class AnswerHtml {
    private final StringBuilder html = new StringBuilder();

    private AnswerHtml() {}

    /** @param wording how warnings name settings */
    static String of(Answer answer, Message.Wording wording) {
        AnswerHtml page = new AnswerHtml();
        page.html.append("<div class=\"answer\">\n");
        for (Answer.Section section : answer.sections()) {
            page.html.append("<section>\n");
            section.blocks().forEach(page::block);
            page.html.append("</section>\n");
        }
        answer.warnings().forEach(warning -> page.paragraph(" class=\"warning\"", "Warning: " + warning.text(wording)));
        return page.html.append("</div>\n").toString();
    }

    private void block(Answer.Block block) {
        if (block instanceof Answer.Table table) {
            table(table);
        } else {
            paragraph("", ((Answer.Sentence) block).text());
        }
    }

    private void paragraph(String attributes, String text) {
        html.append("<p").append(attributes).append('>').append(escaped(text)).append("</p>\n");
    }

    private void table(Answer.Table table) {
        html.append("<table>\n");
        if (!table.heads().isEmpty()) {
            html.append("<thead>\n");
            table.heads().forEach(head -> row("", "col", table, head));
            html.append("</thead>\n");
        }
        html.append("<tbody>\n");
        table.rows().forEach(row -> row(row.marked() ? " class=\"marked\"" : "", "row", table, row.cells()));
        html.append("</tbody>\n</table>\n");
        table.remarks().forEach(remark -> paragraph(" class=\"remark\"", remark));
    }

    /** @param scope the scope attribute of header cells: of all cells in a line of headings, and of the first cell in a row */
    private void row(String attributes, String scope, Answer.Table table, List<String> cells) {
        html.append("<tr").append(attributes).append('>');
        for (int k = 0; k < cells.size(); k++) {
            boolean header = scope.equals("col") || k == 0;
            String tag = header ? "th" : "td";
            html.append('<').append(tag);
            if (header) {
                html.append(" scope=\"").append(scope).append('"');
            }
            html.append(" class=\"").append(table.isText(k) ? "text" : "number").append("\">");
            html.append(escaped(cells.get(k))).append("</").append(tag).append('>');
        }
        html.append("</tr>\n");
    }

    private static String escaped(String text) {
        return Visible.text(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
