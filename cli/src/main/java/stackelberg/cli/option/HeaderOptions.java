package stackelberg.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.data.io.DataFile.Options.Header;

/** Options for reading a table: the notation of a CSV file, if it is not to be detected, and the query of a database. */
public final class HeaderOptions {
    @Mixin
    private DatabaseOptions database;

    @Option(names = "--header", description = "The first line is a header, even if it holds numbers.")
    private boolean header;

    @Option(names = "--no-header", description = "The first line is data; columns are named 1, 2, 3, ...")
    private boolean noHeader;

    @Option(
            names = "--decimal",
            paramLabel = ",|.",
            description = "The decimal sign (default: detected from the columns).")
    private @Nullable Character decimal;

    DatabaseOptions database() {
        return database;
    }

    /** Refuses options on the notation for data that need none: typed tables and formats with a fixed notation. */
    void refuseAny(String why, CommandLine command) {
        if (header || noHeader || decimal != null) {
            throw new ParameterException(
                    command,
                    (header ? "--header" : noHeader ? "--no-header" : "--decimal") + " is for CSV: " + why
                            + ".\nMaybe leave it out.");
        }
    }

    /** The decimal sign, unless it is to be detected from the columns. */
    @Nullable
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
