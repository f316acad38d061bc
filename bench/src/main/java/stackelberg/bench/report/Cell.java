package stackelberg.bench.report;

/**
 * A cell of a table.
 *
 * @param mark a symbol after the text
 * @param note small print after the mark
 * @param strong printed in bold, for the fastest solver
 * @param title the tooltip
 */
record Cell(String text, String mark, String note, boolean strong, String title) {
    static final Cell NOTHING = of(Show.NOTHING);

    static Cell of(Object content) {
        return content instanceof Cell cell ? cell : new Cell(content.toString(), "", "", false, "");
    }

    Cell inBold(boolean bold) {
        return new Cell(text, mark, note, bold, title);
    }

    Cell withoutNote() {
        return new Cell(text, mark, "", strong, title);
    }

    Cell marked(String more) {
        return new Cell(text, mark + more, note, strong, title);
    }

    String markdown() {
        String content = Escape.markdown(text);
        return (strong ? "**" + content + "**" : content)
                + (mark.isEmpty() ? "" : " " + Escape.markdown(mark))
                + (note.isEmpty() ? "" : " (" + Escape.markdown(note) + ")");
    }

    /** The rest of the cell's opening tag, and its content. */
    String html() {
        String content = Escape.xml(text);
        return (title.isEmpty() ? ">" : " title=\"" + Escape.xml(title) + "\">")
                + (strong ? "<b>" + content + "</b>" : content)
                + (mark.isEmpty() ? "" : " " + Escape.xml(mark))
                + (note.isEmpty() ? "" : " <small>" + Escape.xml(note) + "</small>");
    }
}
