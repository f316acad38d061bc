package stackelberg.data.io;

import java.util.ArrayList;
import java.util.List;

/**
 * Distinct texts, numbered from 0 in the order of their first appearance. It is a hash table that looks up characters of a buffer without creating a string;
 * a string is created only for a text that is new.
 */
final class TextLevels {
    private final List<String> texts = new ArrayList<>();
    /** The hash table by open addressing: code + 1, or 0 for a free place. Its length is a power of two and at most half of it is used. */
    private int[] table = new int[64];

    /** The number of the text {@code text[from..to - 1]}, a new one if it was not seen before. */
    int code(char[] text, int from, int to) {
        // The hash of String, so that rehash() can use String.hashCode().
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        int place = place(hash);
        while (table[place] != 0) {
            if (equal(texts.get(table[place] - 1), text, from, to)) {
                return table[place] - 1;
            }
            place = (place + 1) & (table.length - 1);
        }
        texts.add(new String(text, from, to - from));
        table[place] = texts.size();
        if (2 * texts.size() > table.length) {
            rehash();
        }
        return texts.size() - 1;
    }

    int code(String text) {
        return code(text.toCharArray(), 0, text.length());
    }

    /** The texts by their numbers. */
    List<String> texts() {
        return texts;
    }

    /** The first place to look at; mixes the upper bits in, because only the lower ones choose the place. */
    private int place(int hash) {
        return (hash ^ hash >>> 15) & (table.length - 1);
    }

    private void rehash() {
        table = new int[2 * table.length];
        for (int code = 0; code < texts.size(); code++) {
            int place = place(texts.get(code).hashCode());
            while (table[place] != 0) {
                place = (place + 1) & (table.length - 1);
            }
            table[place] = code + 1;
        }
    }

    private static boolean equal(String known, char[] text, int from, int to) {
        if (known.length() != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (known.charAt(i - from) != text[i]) {
                return false;
            }
        }
        return true;
    }
}
