package stackelberg.cli.option;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whether texts of the data are written to CSV as they are. */
public final class RawTextOption {
    @Option(
            names = "--raw-text",
            description = "Write names to CSV as they are. By default those that a spreadsheet would take for a formula"
                    + " (=..., @..., +a, -a) get an apostrophe before them.")
    private boolean raw;

    /** Whether texts are written to a file as they are: to CSV if that is wanted, to Parquet always. */
    public boolean of(Path file) {
        return raw || DatabaseOptions.isParquet(file);
    }

    /** The same where CSV is written to a file or not at all, which may be null: then the option has nothing to say. */
    public boolean ofFileAlone(Path file, CommandLine command) {
        if (raw && file == null) {
            throw new ParameterException(
                    command,
                    "--raw-text is for names in the CSV file that -o names, and there is none.\nMaybe add -o FILE, or leave it out.");
        }
        return raw;
    }
}
