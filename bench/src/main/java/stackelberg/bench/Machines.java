package stackelberg.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** Reads facts about the machine and the memory of this process from Linux's /proc; elsewhere they are NaN or a default. */
final class Machines {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path CLEAR_REFS = Path.of("/proc/self/clear_refs");

    private Machines() {}

    static Row.Machine here(Workers workers) {
        String jvm = "Java " + System.getProperty("java.version");
        String commit = System.getProperty("stackelberg.commit", "");
        return new Row.Machine(
                workers.threads(), jvm, cpu(), commit.isEmpty() ? StackelbergModel.libraryVersion() : commit);
    }

    private static String cpu() {
        return line(Path.of("/proc/cpuinfo"), "model name")
                .orElse(System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    }

    /** Physical memory in bytes; 8 GB if the system does not report it. */
    static long memory() {
        return line(Path.of("/proc/meminfo"), "MemTotal")
                .map(text -> 1024 * kilobytes(text))
                .orElse(8L << 30);
    }

    /** Resets the peak of resident memory and returns the resident memory now, in MB (10^6 bytes); NaN if the system does not report it. */
    static double startPeak() {
        try {
            Files.writeString(CLEAR_REFS, "5");
        } catch (IOException e) {
            return Double.NaN;
        }
        return megabytes("VmRSS");
    }

    /** The highest resident memory since {@link #startPeak}, in MB (10^6 bytes). */
    static double peak() {
        return megabytes("VmHWM");
    }

    private static double megabytes(String field) {
        return line(STATUS, field).map(text -> kilobytes(text) * 1.024e-3).orElse(Double.NaN);
    }

    private static long kilobytes(String text) {
        return Long.parseLong(text.replace("kB", "").trim());
    }

    private static Optional<String> line(Path file, String field) {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(field))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).trim());
        } catch (IOException | java.io.UncheckedIOException e) {
            return Optional.empty();
        }
    }
}
