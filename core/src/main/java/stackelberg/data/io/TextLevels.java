package stackelberg.data.io;

import java.util.ArrayList;
import java.util.List;

/** Distinct texts, numbered in the order of their first appearance; looks up a slice without making a string of it. */
final class TextLevels {
    private final List<String> texts = new ArrayList<>();
    /** Open addressing: code + 1, 0 for a free place. */
    private int[] table = new int[64];

    int code(char[] text, int from, int to) {
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

    List<String> texts() {
        return texts;
    }

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
