package stackelberg.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.linalg.Workers;

/** Runs the most common commands once, in the given folder, so that the launcher can archive the classes they use, which makes later starts faster. */
final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] args) throws InterruptedException, IOException {
        Workers.expectLargeWork().join();
        Path folder = Path.of(args[0]);
        String data = folder.resolve("data.csv").toString();
        String model = folder.resolve("model.json").toString();
        String page = folder.resolve("page.html").toString();
        run("demo", "--quiet", "--no-report", "--write-data", data);
        run("describe", data);
        run("fit", data, "--target", "score", "--wish", "hoped_for", "-o", model, "--report", page);
        run("fit", data, "--target", "score", "--wish", "max(today,70)", "--ignore", "hoped_for", "--json");
        String x = array(folder.resolve("x.npy"), 60, 40);
        String y = array(folder.resolve("y.npy"), 60);
        String z = array(folder.resolve("z.npy"), 60);
        String[] arrays = {
            "fit", "--x", x, "--y", y, "--z", z, "--gamma", "0.1", "--scale", "none", "--solver", "krylov", "--json"
        };
        run(arrays);
        String[] manipulable = Arrays.copyOf(arrays, arrays.length + 2);
        manipulable[arrays.length] = "--intercept";
        manipulable[arrays.length + 1] = "manipulable";
        run(manipulable);
        run("predict", model, data);
        run("evaluate", model, data);
        run("verify", model, data);
        run("summary", model);
        System.exit(ExitCode.CERTIFIED);
    }

    /** Writes an array of some numbers. */
    private static String array(Path file, int... shape) throws IOException {
        String sizes = shape.length == 1 ? shape[0] + "," : shape[0] + ", " + shape[1];
        String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + sizes + "), }";
        int values = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        ByteBuffer bytes = ByteBuffer.allocate(128 + 8 * values).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) 118);
        bytes.put((header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII));
        for (int k = 0; k < values; k++) {
            bytes.putDouble(Math.sin(k * k + shape.length));
        }
        Files.write(file, bytes.array());
        return file.toString();
    }

    private static void run(String... words) {
        PrintWriter discarded = new PrintWriter(PrintWriter.nullWriter());
        Main.execute(Main.commandLineFor(words).setOut(discarded).setErr(discarded), words);
    }
}
