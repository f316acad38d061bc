package stackelberg.cli.option;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.DoubleStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import stackelberg.game.GameSpec;
import stackelberg.model.Training;

/**
 * Several gammas as the user gives them: {@code FROM:TO:COUNT} at equal distances, {@code log:FROM:TO:COUNT} at equal ratios, or a list separated by
 * commas; all as numbers, or all in percent.
 *
 * @param shares whether the values are shares of the gap, from 0 to 1, that people would close under today's rule
 * @param values at least one, in the order given
 */
public record GammaRange(boolean shares, double... values) {
    /** The default gammas, from hard to easy moves. */
    public static final String DEFAULT = "5%:80%:40";

    /** The default for gammas as numbers: six decades around 1, with about seven gammas in each. */
    public static final String NUMBERS = "log:1e-3:1e3:40";

    public static final String LABEL = "SPEC";
    public static final String FORMS =
            "FROM:TO:COUNT, log:FROM:TO:COUNT, or a list such as 0.1,1,10, all as numbers or all in percent";

    private static final int MOST = 10_000;

    public GammaRange {
        values = values.clone();
    }

    @Override
    public double[] values() {
        return values.clone();
    }

    /** Parses the text. @throws IllegalArgumentException with the message for the user, if the text is invalid */
    public static GammaRange parse(String text) {
        return parse("gamma", text);
    }

    /** Parses numbers, or shares if all of them are in percent. */
    private static GammaRange parse(String what, String text) {
        if (!text.contains("%") || what.equals("ridge")) {
            return numbers(what, text);
        }
        String[] ends = text.split("[:,]", -1);
        int from = ends[0].strip().equalsIgnoreCase("log") ? 1 : 0;
        int to = text.contains(":") ? from + 2 : ends.length;
        for (int k = from; k < Math.min(to, ends.length); k++) {
            if (!ends[k].strip().endsWith("%")) {
                throw new IllegalArgumentException("\"" + text
                        + "\" has shares and numbers in it.\nMaybe write all of them in" + " percent: 5%:80%:40.");
            }
        }
        GammaRange percent = numbers("share", text.replace("%", ""));
        double[] shares = Arrays.stream(percent.values).map(p -> p / 100).toArray();
        if (Arrays.stream(shares).anyMatch(s -> s >= 1)) {
            throw new IllegalArgumentException(
                    "\"" + text + "\": a share must lie between 0% and 100%, both excluded.\nMaybe write 5%:80%:40.");
        }
        return new GammaRange(true, shares);
    }

    private static GammaRange numbers(String what, String text) {
        if (!text.contains(":")) {
            return new GammaRange(
                    false,
                    Arrays.stream(text.split(",", -1))
                            .mapToDouble(part -> number(what, part))
                            .toArray());
        }
        String[] parts = text.split(":", -1);
        boolean log = parts[0].strip().toLowerCase(Locale.ROOT).equals("log");
        int first = log ? 1 : 0;
        if (parts.length != first + 3) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a range of " + what + "s.\nMaybe write " + FORMS + ".");
        }
        double from = number(what, parts[first]);
        double to = number(what, parts[first + 1]);
        int count = count(parts[first + 2]);
        if (!(from < to)) {
            throw new IllegalArgumentException("The range goes from " + parts[first] + " to " + parts[first + 1]
                    + "; the first must be the smaller.\nMaybe swap them, or give a single " + what + ".");
        }
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            double fraction = (double) i / (count - 1);
            values[i] = log
                    ? Math.pow(10, Math.log10(from) + fraction * (Math.log10(to) - Math.log10(from)))
                    : from + fraction * (to - from);
        }
        values[0] = from;
        values[count - 1] = to;
        return new GammaRange(false, values);
    }

    /** The gammas as numbers; shares are converted with today's rule of this game. */
    public double[] values(Training training) {
        return shares ? Arrays.stream(values).map(training::gammaOf).toArray() : values();
    }

    private static double number(String what, String text) {
        double value;
        try {
            value = Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + text + "\" is not a number.\nMaybe write " + FORMS + ".", e);
        }
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("A " + what + " is " + text.strip() + "; it must be positive and finite."
                    + (what.equals("ridge") ? "\nMaybe begin with a 0 of its own: 0,log:0.001:10:20." : ""));
        }
        GameSpec.requireSize("A " + what, value);
        return value;
    }

    private static int count(String text) {
        int count;
        try {
            count = Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("The COUNT \"" + text + "\" is not a whole number.", e);
        }
        if (count < 2 || count > MOST) {
            throw new IllegalArgumentException("The COUNT is " + count + "; it must be 2 to " + MOST + ".");
        }
        return count;
    }

    /** Reads several ridges in the same forms; a leading 0 stands for no ridge. */
    public static final class OrZero implements ITypeConverter<GammaRange> {
        @Override
        public GammaRange convert(String text) {
            boolean zero = text.strip().matches("0(\\.0*)?(,.*)?");
            String rest = zero ? text.strip().replaceFirst("0(\\.0*)?,?", "") : text;
            double[] others =
                    rest.isEmpty() ? new double[0] : parsed("ridge", rest).values();
            return new GammaRange(
                    false,
                    DoubleStream.concat(zero ? DoubleStream.of(0) : DoubleStream.empty(), DoubleStream.of(others))
                            .toArray());
        }
    }

    /** Reads the value of an option. */
    public static final class Converter implements ITypeConverter<GammaRange> {
        @Override
        public GammaRange convert(String text) {
            return parsed("gamma", text);
        }
    }

    private static GammaRange parsed(String what, String text) {
        try {
            return parse(what, text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
