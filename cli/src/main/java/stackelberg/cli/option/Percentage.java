package stackelberg.cli.option;

import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a fraction such as 5% or 0.05. A number of 1 or more without a percent sign is refused, because the percent sign was probably forgotten. */
public final class Percentage implements ITypeConverter<Double> {
    /** The decimal fraction for a percentage, without rounding errors: 0.011 for 1.1. */
    static double ofPercent(String percent) {
        return new BigDecimal(percent.strip()).movePointLeft(2).doubleValue();
    }

    @Override
    public Double convert(String word) {
        String number = word.strip();
        boolean percent = number.endsWith("%");
        try {
            double value = Double.parseDouble(percent ? number.substring(0, number.length() - 1) : number);
            if (!percent && value >= 1 && Double.isFinite(value)) {
                throw new TypeConversionException("\"" + word
                        + "\" has no percent sign, and without one it must be less than 1. Maybe " + number + "%?");
            }
            return percent ? ofPercent(number.substring(0, number.length() - 1)) : value;
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "\"" + word + "\" is neither a percentage, as 5%, nor a fraction, as 0.05");
        }
    }
}
