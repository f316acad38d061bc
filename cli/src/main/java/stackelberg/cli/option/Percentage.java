package stackelberg.cli.option;

import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A fraction, as 5% or as 0.05; a number from 1 on that says no percent is more likely to lack the sign than to mean hundreds of percent. */
public final class Percentage implements ITypeConverter<Double> {
    /** The fraction next to so many percent, as a person would write it: 0.011 for 1.1. */
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
