package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import stackelberg.data.Message;

/**
 * The answer of a command in words: sections of sentences and tables, and warnings. Every rendering is made from it: {@link #text()} for the terminal,
 * {@link #html()} for pages and notebooks.
 *
 * @param sections in their order, none empty
 * @param warnings what the reader must act on; the terminal prints them on standard error, apart from {@link #text()}
 */
public record Answer(List<Section> sections, List<Message> warnings) {
    public Answer {
        sections = List.copyOf(sections);
        warnings = List.copyOf(warnings);
    }

    /** Sentences and tables that belong together; the terminal separates sections by an empty line. */
    public record Section(List<Block> blocks) {
        public Section {
            blocks = List.copyOf(blocks);
        }
    }

    /** A part of a section. */
    public sealed interface Block permits Sentence, Table {}

    /** One or more sentences on one line. */
    public record Sentence(String text) implements Block {}

    /**
     * Rows of cells.
     *
     * @param heads the lines above the columns, usually one
     * @param rows the rows; a row may have fewer cells than there are columns
     * @param text the index of the first column, after column 0, that holds text and is aligned to the left; the columns between hold numbers and are
     * aligned to the right
     * @param remarks sentences about the table, directly below it
     */
    public record Table(List<List<String>> heads, List<Row> rows, int text, List<String> remarks) implements Block {
        public Table {
            heads = heads.stream().map(List::copyOf).toList();
            rows = List.copyOf(rows);
            remarks = List.copyOf(remarks);
        }

        /** Whether the cells of this column are text. */
        boolean isText(int column) {
            return column == 0 || column >= text;
        }
    }

    /**
     * A row of a table.
     *
     * @param marked whether this row is highlighted, for example the chosen rule among many
     */
    public record Row(List<String> cells, boolean marked) {
        public Row {
            cells = List.copyOf(cells);
        }
    }

    /** The text for the terminal, without the warnings; every line ends with a line feed. */
    public String text() {
        return AnswerText.of(this);
    }

    /** An HTML fragment for a page or a notebook, with the warnings: escaped, with class names and no styles. */
    public String html() {
        return html(Message.Choice::inJava);
    }

    /** An HTML fragment whose warnings name settings in this wording. */
    public String html(Message.Wording wording) {
        return AnswerHtml.of(this, wording);
    }

    /** A copy with these warnings. */
    public Answer withWarnings(List<Message> those) {
        return new Answer(sections, those);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Starts a table with this line of headings; all columns but the first hold numbers. */
    public static TableBuilder table(String... heads) {
        return new TableBuilder(List.of(heads));
    }

    static TableBuilder table(List<String> heads) {
        return new TableBuilder(heads);
    }

    /** Collects sections. */
    public static final class Builder {
        private final List<Section> sections = new ArrayList<>();
        private final List<Block> blocks = new ArrayList<>();
        private final List<Message> warnings = new ArrayList<>();

        private Builder() {}

        /** Ends the section; what follows belongs to the next one. */
        public Builder section() {
            if (!blocks.isEmpty()) {
                sections.add(new Section(blocks));
                blocks.clear();
            }
            return this;
        }

        /** @param format as {@link String#format} takes it, where there are values; otherwise the sentence itself */
        public Builder say(String format, Object... values) {
            return block(new Sentence(values.length == 0 ? format : String.format(Locale.ROOT, format, values)));
        }

        public Builder say(Optional<String> sentence) {
            sentence.ifPresent(this::say);
            return this;
        }

        public Builder say(List<String> sentences) {
            sentences.forEach(this::say);
            return this;
        }

        /** Adds each note as a sentence of its own. */
        public Builder notes(List<Message> notes) {
            notes.forEach(note -> say(note.text()));
            return this;
        }

        public Builder block(Block block) {
            blocks.add(block);
            return this;
        }

        /** Adds all sections of another answer. */
        public Builder sections(Answer other) {
            for (Section section : other.sections) {
                section();
                blocks.addAll(section.blocks);
            }
            warnings.addAll(other.warnings);
            return section();
        }

        public Builder warnings(List<Message> those) {
            warnings.addAll(those);
            return this;
        }

        public Answer build() {
            section();
            return new Answer(sections, warnings);
        }
    }

    /** Collects the rows of a table. */
    public static final class TableBuilder {
        private final List<List<String>> heads = new ArrayList<>();
        private final List<Row> rows = new ArrayList<>();
        private final List<String> remarks = new ArrayList<>();
        private int text = Integer.MAX_VALUE;

        private TableBuilder(List<String> head) {
            if (!head.isEmpty()) {
                heads.add(head);
            }
        }

        /** Sets the first column that holds text, after column 0. */
        public TableBuilder text(int from) {
            text = from;
            return this;
        }

        /** Adds a further line of headings. */
        public TableBuilder head(String... cells) {
            return head(List.of(cells));
        }

        TableBuilder head(List<String> cells) {
            heads.add(cells);
            return this;
        }

        public TableBuilder row(String... cells) {
            return row(List.of(cells));
        }

        public TableBuilder row(List<String> cells) {
            return row(cells, false);
        }

        /** @param marked whether this row is highlighted */
        public TableBuilder row(List<String> cells, boolean marked) {
            rows.add(new Row(cells, marked));
            return this;
        }

        /** A sentence directly below the table. */
        public TableBuilder remark(String format, Object... values) {
            remarks.add(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
            return this;
        }

        public Table build() {
            return new Table(heads, rows, text, remarks);
        }
    }

    /** Concatenates lists of cells. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    static List<String> cells(List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (List<String> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
