package stackelberg.bench.report;

/**
 * A cell of a table.
 *
 * @param mark a symbol after the text
 * @param note a remark in brackets after the mark
 * @param strong printed in bold, for the fastest solver
 */
record Cell(String text, String mark, String note, boolean strong) {
    static final Cell NOTHING = of(Show.NOTHING);

    static Cell of(Object content) {
        return content instanceof Cell cell ? cell : new Cell(content.toString(), "", "", false);
    }

    Cell inBold(boolean bold) {
        return new Cell(text, mark, note, bold);
    }

    Cell withoutNote() {
        return new Cell(text, mark, "", strong);
    }

    Cell marked(String more) {
        return new Cell(text, mark + more, note, strong);
    }

    String markdown() {
        String content = Escape.markdown(text);
        return (strong ? "**" + content + "**" : content)
                + (mark.isEmpty() ? "" : " " + Escape.markdown(mark))
                + (note.isEmpty() ? "" : " (" + Escape.markdown(note) + ")");
    }
}
