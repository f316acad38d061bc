package stackelberg.bench.report;

/** Escapes text that comes from a row. */
final class Escape {
    private Escape() {}

    /** Escapes text for XML and HTML, between tags and in quoted attributes. */
    static String xml(String text) {
        return oneLine(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** Escapes text for a paragraph, a list or a table in Markdown. */
    static String markdown(String text) {
        String safe = oneLine(text).replace("&", "&amp;").replaceAll("([\\\\`*_\\[\\]|~$])", "\\\\$1");
        // these characters at the start of a line would begin a heading, a list or a quotation
        return safe.replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceFirst("^(\\s*)([#+=-])", "$1\\\\$2")
                .replaceFirst("^(\\s*\\d+)([.)]\\s)", "$1\\\\$2");
    }

    /** Replaces line ends, and characters that XML does not allow, by blanks. */
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
