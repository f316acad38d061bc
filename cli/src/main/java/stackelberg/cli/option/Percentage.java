package stackelberg.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A fraction, as 5% or as 0.05. */
public final class Percentage implements ITypeConverter<Double> {
    @Override
    public Double convert(String word) {
        String number = word.strip();
        boolean percent = number.endsWith("%");
        try {
            double value = Double.parseDouble(percent ? number.substring(0, number.length() - 1) : number);
            return percent ? value / 100 : value;
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "\"" + word + "\" is neither a percentage, as 5%, nor a fraction, as 0.05");
        }
    }
}
