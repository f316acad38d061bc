package stackelberg.data.wish;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;

/**
 * Parses the text of a wish by recursive descent, one method per line of this grammar:
 *
 * <pre>
 * sum     = product (("+" | "-") product)*
 * product = signed (("*" | "/") signed)*
 * signed  = ("-" | "+") signed | power
 * power   = atom ("^" signed)?
 * atom    = number | name | quoted name | function "(" (sum ("," sum)*)? ")" | "(" sum ")"
 * </pre>
 *
 * So ^ binds tighter than a sign before it (-2^2 = -4) and groups to the right; the other operators group to the left.
 */
final class WishParser {
    /**
     * The largest number of operators, signs, parentheses and functions. Each may nest the expression one level deeper, and parsing and evaluation recurse
     * once per level: a limit keeps them from overflowing the stack.
     */
    private static final int MAX_PARTS = 300;

    /** The number of characters that an error shows of the text around a position. */
    private static final int SHOWN = 100;

    private final String text;
    private final Collection<String> columns;
    private final boolean hasPrediction;
    private int position;
    private int parts;

    WishParser(String text, Collection<String> columns, boolean hasPrediction) {
        this.text = text;
        this.columns = columns;
        this.hasPrediction = hasPrediction;
    }

    /** Parses the whole text. */
    WishExpression parse() {
        WishExpression all = sum();
        if (peek() != 0) {
            throw error(
                    position,
                    "an operator or the end is expected, but there is " + found() + ".",
                    "an operator is missing.");
        }
        return all;
    }

    private WishExpression sum() {
        WishExpression left = product();
        while (peek() == '+' || peek() == '-') {
            left = new WishExpression.Binary(takePart(1), left, product());
        }
        return left;
    }

    private WishExpression product() {
        WishExpression left = signed();
        while (peek() == '*' || peek() == '/') {
            left = new WishExpression.Binary(takePart(1), left, signed());
        }
        return left;
    }

    private WishExpression signed() {
        if (peek() == '-') {
            takePart(1);
            return new WishExpression.Negation(signed());
        }
        if (peek() == '+') {
            takePart(1);
            return signed();
        }
        WishExpression base = atom();
        if (peek() == '^') {
            return new WishExpression.Binary(takePart(1), base, signed());
        }
        return base;
    }

    /** Parses a number, a name, a function call or an expression in parentheses. */
    private WishExpression atom() {
        char next = peek();
        if (next == '(') {
            takePart(1);
            WishExpression inner = sum();
            expectClosing("')'");
            return inner;
        }
        if (next == '`' || next == '\'' || next == '"') {
            return quotedName();
        }
        if (Character.isDigit(next) || next == '.') {
            return number();
        }
        if (Character.isJavaIdentifierStart(next)) {
            return nameOrCall();
        }
        throw error(
                position,
                "a number, a name or '(' is expected, but there is " + found() + ".",
                "something is missing there.");
    }

    /** Parses a number with optional decimals and an optional exponent. */
    private WishExpression number() {
        int from = position;
        // Digits and points, then an exponent if digits follow the letter e; "1.2.3" is found wrong when it is read as
        // a number.
        while (position < text.length() && (Character.isDigit(text.charAt(position)) || text.charAt(position) == '.')) {
            position++;
        }
        if (position < text.length() && (text.charAt(position) == 'e' || text.charAt(position) == 'E')) {
            int exponent = position + 1;
            if (exponent < text.length() && (text.charAt(exponent) == '-' || text.charAt(exponent) == '+')) {
                exponent++;
            }
            if (exponent < text.length() && Character.isDigit(text.charAt(exponent))) {
                position = exponent;
                while (position < text.length() && Character.isDigit(text.charAt(position))) {
                    position++;
                }
            }
        }
        double value = NumericColumn.parse(text.substring(from, position));
        if (!Double.isFinite(value)) {
            throw error(
                    from,
                    "'" + text.substring(from, position) + "' is not a finite number.",
                    "it has one point too many.");
        }
        return new WishExpression.Constant(value);
    }

    /** A column name in quotes; a doubled quote stands for one quote within the name. */
    private WishExpression quotedName() {
        int from = position;
        char quote = take();
        StringBuilder name = new StringBuilder();
        while (position < text.length()) {
            char c = text.charAt(position++);
            if (c != quote) {
                name.append(c);
            } else if (position < text.length() && text.charAt(position) == quote) {
                name.append(text.charAt(position++));
            } else {
                return column(name.toString(), from);
            }
        }
        throw error(from, "the quote that opens there is never closed.", "add " + quote + " after the name.");
    }

    /** A function call if '(' follows the name; otherwise y, today, p or a column. */
    private WishExpression nameOrCall() {
        int from = position;
        while (position < text.length()
                && (Character.isJavaIdentifierPart(text.charAt(position)) || text.charAt(position) == '.')) {
            position++;
        }
        String name = text.substring(from, position);
        if (peek() == '(') {
            return call(name, from);
        }
        if (name.equals("y")) {
            return new WishExpression.Target();
        }
        if (name.equals("today")) {
            return new WishExpression.TodaysScore();
        }
        if (name.equals("p")) {
            if (!hasPrediction) {
                throw error(
                        from,
                        "p, the current prediction, is not known here.",
                        columns.contains("p") ? "you meant the column: `p`." : "use y or a column.");
            }
            return new WishExpression.Prediction();
        }
        return column(name, from);
    }

    /** The column of that name, or an error that suggests what may have been meant. */
    private WishExpression column(String name, int from) {
        if (columns.contains(name)) {
            return new WishExpression.Named(name);
        }
        // A column such as V-9 was read as V minus 9.
        for (String column : columns) {
            if (column.length() > name.length() && text.startsWith(column, from)) {
                throw error(from, "there is no column '" + name + "'.", "put the name in quotes: '" + column + "'.");
            }
        }
        Set<String> known = new LinkedHashSet<>(columns);
        known.add("y");
        known.add("today");
        WishFunction function = WishFunction.named(name);
        if (function != null) {
            throw error(from, "'" + name + "' is a function.", "write " + name + "(...).");
        }
        throw error(from, "there is no column '" + name + "'.", meant(name, known));
    }

    /** Parses the arguments of a function and checks their number. */
    private WishExpression call(String name, int from) {
        WishFunction function = WishFunction.named(name);
        if (function == null) {
            throw error(from, "there is no function '" + name + "'.", meant(name, WishFunction.names()));
        }
        // A call counts as two parts: a statistic may be frozen to a negative number in parentheses, and the frozen
        // text must not exceed the limit.
        takePart(2);
        List<WishExpression> arguments = new ArrayList<>();
        if (peek() != ')') {
            arguments.add(sum());
            while (peek() == ',') {
                take();
                arguments.add(sum());
            }
        }
        expectClosing("',' or ')'");
        if (arguments.size() < function.fewest || arguments.size() > function.most) {
            String range = function.most == Integer.MAX_VALUE
                    ? "at least " + function.fewest
                    : function.fewest == function.most ? "" + function.most : function.fewest + " or " + function.most;
            throw error(
                    from,
                    name + " takes " + range + " arguments, but has " + arguments.size() + ".",
                    "an argument is missing or too many.");
        }
        return function.isStatistic()
                ? statistic(function, arguments, from)
                : new WishExpression.Call(function, arguments);
    }

    /** A statistic of its argument, or of y if it has none; the last argument of a quantile is its level. */
    private WishExpression statistic(WishFunction function, List<WishExpression> arguments, int from) {
        boolean quantile = function == WishFunction.QUANTILE;
        WishExpression level = quantile ? arguments.get(arguments.size() - 1) : null;
        boolean ofTarget = arguments.size() == (quantile ? 1 : 0);
        WishExpression of = ofTarget ? new WishExpression.Target() : arguments.get(0);
        if (of.any(WishExpression.Prediction.class)) {
            throw error(
                    from,
                    function.text()
                            + " of p is not allowed: statistics are computed when the model is fitted, and p is not known then.",
                    "use y or a column instead.");
        }
        if (level != null && !isConstant(level)) {
            throw error(
                    from,
                    "the level of a quantile must be a number between 0 and 1.",
                    "the arguments are swapped: quantile(expression, level).");
        }
        return new WishExpression.Statistic(function, of, level);
    }

    /** Whether all leaves of the expression are numbers. */
    private static boolean isConstant(WishExpression e) {
        return e instanceof WishExpression.Leaf
                ? e instanceof WishExpression.Constant
                : e.children().stream().allMatch(WishParser::isConstant);
    }

    private void expectClosing(String expected) {
        if (peek() != ')') {
            String remedy =
                    peek() == 0 ? "add ')' at the end." : peek() == ';' ? "you meant ','." : "an operator is missing.";
            throw error(position, expected + " is expected, but there is " + found() + ".", remedy);
        }
        take();
    }

    /** The next character that is not blank, without consuming it; 0 at the end. */
    private char peek() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
        return position < text.length() ? text.charAt(position) : 0;
    }

    /** Consumes and returns the next character, and counts it as {@code count} parts towards {@link #MAX_PARTS}. */
    private char takePart(int count) {
        parts += count;
        if (parts > MAX_PARTS) {
            throw error(
                    position,
                    "the rule has more than " + MAX_PARTS + " operators, signs, parentheses and functions.",
                    "compute it beforehand, and give the wishes as a column.");
        }
        return take();
    }

    /** Consumes and returns the next character. */
    private char take() {
        return text.charAt(position++);
    }

    /** The character at the position as an error shows it, or "the end". */
    private String found() {
        return position < text.length() ? "'" + text.charAt(position) + "'" : "the end";
    }

    /** The second half of "Maybe you meant ...": the nearest known name, or all known names. */
    private static String meant(String name, Collection<String> known) {
        String nearest = DataException.nearest(name, known);
        return nearest == null ? "you meant one of " + DataException.list(known) + "." : "you meant '" + nearest + "'.";
    }

    /** An error that quotes the text with a caret under the position {@code at}, and what to do about it. */
    private DataException error(int at, String what, String maybe) {
        int from = Math.max(0, Math.min(at - SHOWN / 2, text.length() - SHOWN));
        int to = Math.min(text.length(), from + SHOWN);
        String before = from > 0 ? "..." : "";
        String shown = before + text.substring(from, to).replace('\n', ' ') + (to < text.length() ? "..." : "");
        return DataException.of(
                "wish-syntax",
                "Wish, position {}: {}\n    {}\n    {}^\nMaybe {}",
                at + 1,
                what,
                shown,
                " ".repeat(before.length() + at - from),
                maybe);
    }
}
