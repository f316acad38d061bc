package stackelberg.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Bytes that nearly are what they should be: parts of them lost, doubled, swapped, or replaced by what a format finds hard. */
final class Mutations {
    /** Hard for every format that is text. */
    private static final List<String> ANYWHERE = List.of(
            "",
            "0",
            "-0",
            "1e308",
            "1e-320",
            "-1e400",
            "NaN",
            "Infinity",
            "null",
            "\"",
            "'",
            ",",
            ";",
            "\t",
            "\n",
            "\r\n",
            "\uFEFF",
            "\u0000",
            "\u001b[2J",
            "\u00e4\u00f6",
            "\ud83d\ude00",
            "9".repeat(400),
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ":",
            "-",
            "1",
            "2147483648",
            "-9223372036854775808",
            "%s",
            "\\",
            "\\u0000",
            " ",
            "a".repeat(3000));

    private final Random random;
    private final List<String> hard;

    /** @param hard for the format at hand, besides what is hard for all */
    Mutations(Random random, List<String> hard) {
        this.random = random;
        this.hard = hard;
    }

    String of(String text) {
        return new String(of(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    /** Most often one change, and half as often each one more. */
    byte[] of(byte[] bytes) {
        byte[] changed = once(bytes);
        while (random.nextBoolean()) {
            changed = once(changed);
        }
        return changed;
    }

    private byte[] once(byte[] bytes) {
        return random.nextBoolean() ? otherToken(bytes) : otherBytes(bytes);
    }

    /** What stands between two separators is replaced, so that the rest is still well-formed. */
    private byte[] otherToken(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        while (from > 0 && !separates(bytes[from - 1])) {
            from--;
        }
        int to = from;
        while (to < bytes.length && !separates(bytes[to])) {
            to++;
        }
        return joined(slice(bytes, 0, from), word(), slice(bytes, to, bytes.length));
    }

    private static boolean separates(byte b) {
        return ",;:()[]{} \t\r\n".indexOf(b) >= 0;
    }

    private byte[] otherBytes(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        int length = random.nextInt(4) > 0 ? random.nextInt(8) : random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + length);
        byte[] middle = slice(bytes, from, to);
        return switch (random.nextInt(8)) {
            case 0 -> flipped(bytes);
            case 1 -> slice(bytes, 0, from);
            case 2 -> joined(slice(bytes, 0, from), slice(bytes, to, bytes.length));
            case 3 -> joined(slice(bytes, 0, to), middle, slice(bytes, to, bytes.length));
            case 4 -> joined(slice(bytes, to, bytes.length), slice(bytes, 0, to));
            default ->
                joined(slice(bytes, 0, from), word(), slice(bytes, random.nextBoolean() ? from : to, bytes.length));
        };
    }

    private byte[] flipped(byte[] bytes) {
        byte[] changed = bytes.clone();
        if (changed.length > 0) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return changed;
    }

    private byte[] word() {
        List<String> words = !hard.isEmpty() && random.nextBoolean() ? hard : ANYWHERE;
        return words.get(random.nextInt(words.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] slice(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
