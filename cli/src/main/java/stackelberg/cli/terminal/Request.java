package stackelberg.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/**
 * One request, parsed from a line. It is parsed token by token, because a tree of the whole line would take many times its memory.
 *
 * @param id the identifier that the answer repeats; JSON null if the request has none
 * @param words the words of the command; null unless the request runs one
 * @param cancel the id of the requests to cancel; null unless that is asked for
 * @param close whether the process should end
 * @param refusal why the line is not a valid request; absent if it is one
 */
record Request(
        JsonNode id,
        @Nullable List<String> words,
        @Nullable JsonNode cancel,
        boolean close,
        @Nullable String refusal) {
    private static final String OBJECT = "is one JSON object on one line";

    /** Words that a request may have: more than any command takes. */
    private static final int MOST_WORDS = 100_000;

    private static final int LONGEST_ID = 10_000;

    private static final int SHOWN = 80;

    static Request of(String line) {
        try (JsonParser json = JsonMapper.shared().createParser(line)) {
            return json.nextToken() == JsonToken.START_OBJECT ? read(json, line) : none(null, line, OBJECT);
        } catch (JacksonException e) {
            return none(null, line, OBJECT);
        }
    }

    /** A refusal of a line that is longer than the limit in bytes. */
    static Request tooLong(int limit) {
        return refused(
                null,
                "A line is longer than " + (limit >> 20) + " MB, the most that a request may have, and was skipped.\n"
                        + "Maybe pass large data as files.");
    }

    private static Request read(JsonParser json, String line) {
        @Nullable JsonNode id = null;
        @Nullable JsonNode cancel = null;
        @Nullable List<String> words = null;
        boolean close = false;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("run") && value == JsonToken.START_ARRAY) {
                words = words(json);
            } else if (name.equals("id")) {
                id = small(json, line);
            } else if (name.equals("cancel")) {
                cancel = small(json, line);
            } else {
                close |= name.equals("close") && value == JsonToken.VALUE_TRUE;
                json.skipChildren();
            }
        }
        if (json.nextToken() != null) {
            return none(id, line, OBJECT);
        }
        if (cancel != null && words != null) {
            return none(id, line, "has a \"run\" or a \"cancel\", not both");
        }
        if (!close && cancel == null && (words == null || words.isEmpty())) {
            return none(
                    id,
                    line,
                    String.format(
                            Locale.ROOT,
                            "has a \"run\", a list of the words of a command, at most %,d of them",
                            MOST_WORDS));
        }
        return new Request(id == null ? NullNode.getInstance() : id, words, cancel, close, null);
    }

    /** The words of a list; empty if an entry is not a text or the list is too long. */
    private static List<String> words(JsonParser json) {
        List<String> words = new ArrayList<>();
        boolean right = true;
        for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
            right &= next == JsonToken.VALUE_STRING && words.size() < MOST_WORDS;
            if (right) {
                words.add(json.getString());
            } else {
                json.skipChildren();
            }
        }
        return right ? words : List.of();
    }

    /** A value of the line; JSON null if it is longer than an id may be. */
    private static JsonNode small(JsonParser json, String line) {
        int from = (int) json.currentTokenLocation().getCharOffset();
        json.skipChildren();
        // the parser reads a number or a text lazily: asking for it moves the location to its end
        json.getString();
        int to = (int) json.currentLocation().getCharOffset();
        return to - from > LONGEST_ID
                ? NullNode.getInstance()
                : JsonMapper.shared().readTree(line.substring(from, to));
    }

    private static Request none(@Nullable JsonNode id, String line, String rule) {
        String shown = line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
        return refused(
                id,
                "This is no request: " + Visible.line(shown) + "\nA request " + rule
                        + ".\nMaybe {\"id\":1,\"run\":[\"fit\",\"data.csv\",\"--target\",\"y\",\"--wish\",\"today+1\",\"--json\"]}.");
    }

    private static Request refused(@Nullable JsonNode id, String message) {
        return new Request(id == null ? NullNode.getInstance() : id, null, null, false, message);
    }
}
