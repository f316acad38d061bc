package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a document as one HTML file, with figures inline, the reader's light or dark theme, and wide tables that scroll in a box. */
final class HtmlWriter {
    private static final String STYLE = """
            :root{color-scheme:light dark;--ground:#f6f7f9;--sheet:#fff;--ink:#1c2026;--soft:#5d6570;--line:#e0e4e9;--tint:#f3f5f8;--link:#1f63c4}
            @media (prefers-color-scheme:dark){:root{--ground:#0f1114;--sheet:#16191d;--ink:#e6e8eb;--soft:#a3abb5;--line:#2d3239;--tint:#1d2126;--link:#7fb2ff}}
            *{box-sizing:border-box}
            body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.55 system-ui,"Segoe UI",Helvetica,Arial,"DejaVu Sans",sans-serif}
            main{max-width:1480px;margin:0 auto;padding:24px 16px 64px}
            h1{font-size:1.75rem;line-height:1.25;margin:8px 0 16px}
            h2{font-size:1.3rem;margin:48px 0 8px;padding-top:12px;border-top:1px solid var(--line)}
            h3{font-size:1.05rem;margin:28px 0 6px}
            p,li{max-width:80ch}
            p{margin:8px 0}
            ul{margin:8px 0;padding-left:20px;color:var(--soft);font-size:.9rem}
            a{color:var(--link)}
            nav{display:flex;flex-wrap:wrap;gap:4px 18px;margin:16px 0;font-size:.9rem}
            .box{overflow-x:auto;margin:10px 0;background:var(--sheet);border:1px solid var(--line);border-radius:8px}
            table{border-collapse:collapse;width:100%;font-size:.84rem;font-variant-numeric:tabular-nums}
            th,td{padding:5px 8px;text-align:right;white-space:nowrap}
            th{font-weight:600;border-bottom:1px solid var(--line);vertical-align:bottom}
            .t{text-align:left}
            td.wide{white-space:normal;min-width:22ch}
            .p{color:var(--soft);background:var(--tint)}
            tr.g>td{border-top:1px solid var(--line)}
            tbody tr:first-child>td{border-top:0}
            tbody tr:hover>td{background:var(--tint)}
            td[title]{cursor:help}
            small{color:var(--soft);font-size:.82em}
            .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:14px;margin:14px 0}
            figure{margin:0;background:var(--sheet);border:1px solid var(--line);border-radius:8px;padding:6px}
            figure svg{display:block;width:100%;height:auto;max-width:560px;margin:0 auto}
            """;

    private final StringBuilder html = new StringBuilder();

    private HtmlWriter() {}

    static String write(Document document) {
        HtmlWriter writer = new HtmlWriter();
        writer.page(document);
        return writer.html.toString();
    }

    private void page(Document document) {
        List<Document.Heading> sections = new ArrayList<>();
        String title = "";
        for (Document.Block block : document.blocks()) {
            if (block instanceof Document.Heading heading && heading.level() == 1) {
                title = heading.text();
            } else if (block instanceof Document.Heading heading && heading.level() == 2) {
                sections.add(heading);
            }
        }
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
                .append(Escape.xml(title))
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<main>\n");
        for (Document.Block block : document.blocks()) {
            block(block);
            if (block instanceof Document.Heading heading && heading.level() == 1) {
                html.append("<nav>");
                sections.forEach(section -> html.append("<a href=\"#")
                        .append(anchor(section))
                        .append("\">")
                        .append(Escape.xml(section.text()))
                        .append("</a>"));
                html.append("</nav>\n");
            }
        }
        html.append("</main>\n</body>\n</html>\n");
    }

    private static String anchor(Document.Heading heading) {
        return heading.text().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    private void block(Document.Block block) {
        if (block instanceof Document.Heading heading) {
            String tag = "h" + heading.level();
            html.append('<')
                    .append(tag)
                    .append(" id=\"")
                    .append(anchor(heading))
                    .append("\">");
            html.append(Escape.xml(heading.text())).append("</").append(tag).append(">\n");
        } else if (block instanceof Document.Paragraph paragraph) {
            html.append("<p>").append(Escape.xml(paragraph.text())).append("</p>\n");
        } else if (block instanceof Document.Bullets bullets) {
            html.append("<ul>\n");
            bullets.items()
                    .forEach(
                            item -> html.append("<li>").append(Escape.xml(item)).append("</li>\n"));
            html.append("</ul>\n");
        } else if (block instanceof Document.Gallery gallery) {
            html.append("<div class=\"figures\">\n");
            gallery.figures()
                    .forEach(figure ->
                            html.append("<figure>").append(figure.svg()).append("</figure>\n"));
            html.append("</div>\n");
        } else if (block instanceof Table table) {
            table(table);
        }
    }

    private void table(Table table) {
        html.append("<div class=\"box\" tabindex=\"0\"><table>\n<thead><tr>");
        for (Table.Column column : table.columns()) {
            html.append("<th scope=\"col\"")
                    .append(look(column, false))
                    .append('>')
                    .append(Escape.xml(column.name()))
                    .append("</th>");
        }
        html.append("</tr></thead>\n<tbody>\n");
        String group = "";
        for (Table.Line line : table.lines()) {
            html.append(line.group().equals(group) ? "<tr>" : "<tr class=\"g\">");
            group = line.group();
            for (int k = 0; k < line.cells().size(); k++) {
                cell(table.columns().get(k), line.cells().get(k));
            }
            html.append("</tr>\n");
        }
        html.append("</tbody>\n</table></div>\n");
    }

    private void cell(Table.Column column, Table.Cell cell) {
        html.append("<td").append(look(column, cell.text().length() > 40));
        if (!cell.title().isEmpty()) {
            html.append(" title=\"").append(Escape.xml(cell.title())).append('"');
        }
        html.append('>');
        String content = Escape.xml(cell.text());
        html.append(cell.strong() ? "<b>" + content + "</b>" : content);
        if (!cell.mark().isEmpty()) {
            html.append(' ').append(Escape.xml(cell.mark()));
        }
        if (!cell.note().isEmpty()) {
            html.append(" <small>").append(Escape.xml(cell.note())).append("</small>");
        }
        html.append("</td>");
    }

    private static String look(Table.Column column, boolean wide) {
        return switch (column.kind()) {
            case TEXT -> wide ? " class=\"t wide\"" : " class=\"t\"";
            case OURS -> "";
            case PUBLISHED -> " class=\"p\"";
        };
    }
}
