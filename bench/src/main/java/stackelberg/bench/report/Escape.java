package stackelberg.bench.report;

/** Text that came from a row, made harmless. */
final class Escape {
    private Escape() {}

    /** For XML and HTML, between tags and in quoted attributes. */
    static String xml(String text) {
        return oneLine(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** For a paragraph, a list or a table of Markdown. */
    static String markdown(String text) {
        String safe = oneLine(text).replace("&", "&amp;").replaceAll("([\\\\`*_\\[\\]|~$])", "\\\\$1");
        // a heading, a list or a quotation at the start of a line
        return safe.replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceFirst("^(\\s*)([#+=-])", "$1\\\\$2")
                .replaceFirst("^(\\s*\\d+)([.)]\\s)", "$1\\\\$2");
    }

    /** Line ends and characters that XML cannot hold become blanks. */
    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isISOControl(c)
                                || Character.getType(c) == Character.SURROGATE
                                || c == 0x2028
                                || c == 0x2029
                                || (c & 0xFFFE) == 0xFFFE
                        ? ' '
                        : c)
                .forEach(line::appendCodePoint);
        return line.toString();
    }
}
