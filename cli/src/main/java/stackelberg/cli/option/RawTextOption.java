package stackelberg.cli.option;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option to write texts of the data to CSV unchanged, even those that a spreadsheet would run as formulas. */
public final class RawTextOption {
    @Option(
            names = "--raw-text",
            description = "Write names to CSV as they are. By default those that a spreadsheet would take for a formula"
                    + " (=..., @..., +a, -a) get an apostrophe before them.")
    private boolean raw;

    /** Whether texts are written to this file unchanged: to CSV if the option is given, to Parquet always. */
    public boolean of(@Nullable Path file) {
        return raw || DatabaseOptions.isParquet(file);
    }

    /**
     * Whether texts are written unchanged to an optional file; without a file the option is refused, because nothing is
     * written.
     */
    public boolean ofFileAlone(@Nullable Path file, CommandLine command) {
        if (raw && file == null) {
            throw new ParameterException(
                    command,
                    "--raw-text applies to the CSV file written with -o, which is not given.\nMaybe add -o FILE, or leave it out.");
        }
        return raw;
    }
}
