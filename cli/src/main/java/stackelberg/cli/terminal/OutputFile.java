package stackelberg.cli.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import stackelberg.data.DataException;
import stackelberg.data.io.AtomicFile;
import stackelberg.data.io.Database;

/** Checks and writes the output files of a command: an existing file is replaced, unless the command reads it. */
public final class OutputFile {
    private OutputFile() {}

    /**
     * Refuses an output that is one of the inputs, or that cannot be written, before anything is computed.
     *
     * @param output the file to write; null to print instead
     * @param inputs file names as given; null and - (standard input) are no files
     */
    public static void refuseInputs(CommandLine command, @Nullable Path output, @Nullable Object... inputs) {
        refuseInputs(command, "-o", output, inputs);
    }

    /**
     * Refuses the output of the given option if it is one of the inputs, or cannot be written, before anything is
     * computed.
     */
    public static void refuseInputs(
            CommandLine command, String option, @Nullable Path output, @Nullable Object... inputs) {
        refuseInputs(command, option, output, false, inputs);
    }

    /** Refuses the output of a table, which may be Parquet, if it is one of the inputs, or cannot be written. */
    public static void refuseInputsOfTable(CommandLine command, @Nullable Path output, @Nullable Object... inputs) {
        refuseInputs(command, "-o", output, true, inputs);
    }

    private static void refuseInputs(
            CommandLine command, String option, @Nullable Path output, boolean table, @Nullable Object... inputs) {
        if (output == null) {
            return;
        }
        if (output.toString().equals("-")) {
            throw new ParameterException(
                    command,
                    option + " - names no file.\nMaybe "
                            + (option.equals("-o")
                                    ? "leave it out: without -o the answer goes to standard output."
                                    : "give it a name."));
        }
        if (output.toString().startsWith("--")) {
            throw new ParameterException(
                    command,
                    option + " " + output + ": that is the name of an option, not of a file."
                            + "\nMaybe the name of the file was forgotten; write " + "./" + output
                            + " if the file has this name.");
        }
        for (Object input : inputs) {
            if (input != null
                    && Database.file(input.toString())
                            .filter(read -> isSame(output, read))
                            .isPresent()) {
                throw new ParameterException(
                        command,
                        "'" + output + "' is an input and would be overwritten.\nMaybe give the output another name.");
            }
        }
        String name = output.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".npy")) {
            throw new ParameterException(
                    command,
                    option + " " + output
                            + ": the output is CSV or JSON, not an array.\nMaybe give it another suffix.");
        }
        if (name.endsWith(".parquet") && !table) {
            throw new ParameterException(
                    command,
                    option + " " + output
                            + ": only the tables of predict and respond can be Parquet.\nMaybe give the file another suffix.");
        }
        if (name.endsWith(".gz")) {
            throw new ParameterException(
                    command,
                    option + " " + output + ": outputs are not compressed.\nMaybe leave off .gz, and run gzip on the"
                            + " file.");
        }
        AtomicFile.requireWritable(output);
    }

    /** Refuses a folder that cannot be written to, or made, before anything is computed. */
    public static void refuseFolder(Path folder) {
        Path there = folder.toAbsolutePath();
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (!Files.isDirectory(there)) {
            throw DataException.of(
                    "results-folder-is-file",
                    "Results cannot be written to '{}': '{}' is no folder.\n" + "Maybe name another with --results.",
                    folder,
                    there);
        }
        if (!Files.isWritable(there)) {
            throw DataException.of(
                    "results-folder-read-only",
                    "Results cannot be written to '{}': '{}' is not writable.\n"
                            + "Maybe name another with --results, or change its permissions.",
                    folder,
                    there);
        }
    }

    /** Refuses a file that cannot be written, before any work is done, if there is one. */
    public static void refuseImpossible(CommandLine command, String option, @Nullable Path output) {
        if (output == null) {
            return;
        }
        Path folder = output.toAbsolutePath().getParent();
        if (output.toString().isEmpty() || Files.isDirectory(output)) {
            throw new ParameterException(
                    command,
                    option + " needs the name of a file, not of a folder.\nMaybe add a name such as "
                            + (option.equals("--report") ? "report.html." : "data.csv."));
        }
        if (folder != null && !Files.isDirectory(folder)) {
            throw new ParameterException(
                    command,
                    option + " " + output + ": there is no folder " + folder
                            + ".\nMaybe make it first, or choose another.");
        }
    }

    /** Refuses two outputs in the same file, if there are two. */
    public static void refuseSame(CommandLine command, @Nullable Path output, @Nullable Path other) {
        if (output != null && other != null && isSame(output, other)) {
            throw new ParameterException(
                    command, "'" + output + "' is the name of two outputs.\nMaybe give one of them another name.");
        }
    }

    /** Writes the text completely or not at all, or prints it if no file is given. */
    public static void writeOrPrint(@Nullable Path output, String text, CommandLine command) {
        if (output != null) {
            AtomicFile.write(output, text.getBytes(StandardCharsets.UTF_8));
        } else {
            command.getOut().print(text);
            command.getOut().flush();
        }
    }

    /** Whether two names refer to the same file, even if it does not exist yet. */
    private static boolean isSame(Path one, Path other) {
        try {
            return Files.exists(one) && Files.exists(other)
                    ? Files.isSameFile(one, other)
                    : resolved(one).equals(resolved(other));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The path of a file with links in its folder resolved. */
    private static Path resolved(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        Path folder = absolute.getParent();
        return folder != null && Files.isDirectory(folder)
                ? folder.toRealPath().resolve(absolute.getFileName())
                : absolute;
    }
}
