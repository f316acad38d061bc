package stackelberg.cli.option;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.data.io.CsvOptions.Header;

/** How a CSV file is written, for whoever knows better than what it looks like. */
public final class HeaderOptions {
    @Option(names = "--header", description = "The first line is a header, also if it holds numbers.")
    private boolean header;

    @Option(names = "--no-header", description = "The first line is data; columns are named 1, 2, 3, ...")
    private boolean noHeader;

    @Option(
            names = "--decimal",
            paramLabel = ",|.",
            description = "What stands before decimals (default: what the columns show).")
    private Character decimal;

    /** What stands before decimals; null for what the columns show. */
    Character decimal(CommandLine command) {
        if (decimal != null && decimal != ',' && decimal != '.') {
            throw new ParameterException(
                    command, "--decimal is '" + decimal + "'; it is a comma or a point.\nMaybe leave it out.");
        }
        return decimal;
    }

    Header header(CommandLine command) {
        if (header && noHeader) {
            throw new ParameterException(
                    command, "Both --header and --no-header are given.\nMaybe leave out one of them.");
        }
        return header ? Header.PRESENT : noHeader ? Header.ABSENT : Header.DETECTED;
    }
}
