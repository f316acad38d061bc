package stackelberg.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/**
 * One line of a conversation as it was understood. It is read token by token, since a tree of all of it would take many times the memory of the line.
 *
 * @param id given back with the answer
 * @param words of a command; null where there are none
 * @param cancel the id of requests to cancel; null where that is not asked for
 * @param close whether the process is to end
 * @param refusal why this is no request; null where it is one
 */
record Request(JsonNode id, List<String> words, JsonNode cancel, boolean close, String refusal) {
    private static final String OBJECT = "is one JSON object in one line";

    /** More than any command takes. */
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

    /** A line that was not read to its end. */
    static Request tooLong(int limit) {
        return refused(
                null,
                "A line is longer than " + (limit >> 20) + " MB, the most that a request may have, and was skipped.\n"
                        + "Maybe pass large data as files.");
    }

    private static Request read(JsonParser json, String line) {
        JsonNode id = null;
        JsonNode cancel = null;
        List<String> words = null;
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

    /** The words of a list, none where it is no list of words or too long. */
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

    /** A value that is kept: null where it is too long. */
    private static JsonNode small(JsonParser json, String line) {
        int from = (int) json.currentTokenLocation().getCharOffset();
        json.skipChildren();
        // what a number or a text is made of is read when it is asked for
        json.getString();
        int to = (int) json.currentLocation().getCharOffset();
        return to - from > LONGEST_ID
                ? NullNode.getInstance()
                : JsonMapper.shared().readTree(line.substring(from, to));
    }

    private static Request none(JsonNode id, String line, String rule) {
        String shown = line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
        return refused(
                id,
                "This is no request: " + Visible.line(shown) + "\nA request " + rule
                        + ".\nMaybe {\"id\":1,\"run\":[\"fit\",\"data.csv\",\"--target\",\"y\",\"--wish\",\"today+1\",\"--json\"]}.");
    }

    private static Request refused(JsonNode id, String message) {
        return new Request(id == null ? NullNode.getInstance() : id, null, null, false, message);
    }
}
