package stackelberg.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.linalg.Workers;

/** What people do most, once, in the folder that is given: the launcher keeps the classes that this needs ready for later runs. */
final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] args) throws InterruptedException {
        Workers.expectLargeWork().join();
        Path folder = Path.of(args[0]);
        String data = folder.resolve("data.csv").toString();
        String model = folder.resolve("model.json").toString();
        String page = folder.resolve("page.html").toString();
        run("demo", "--quiet", "--no-report", "--write-data", data);
        run("describe", data);
        run("fit", data, "--target", "score", "--wish", "hoped_for", "-o", model, "--report", page);
        run("fit", data, "--target", "score", "--wish", "max(today,70)", "--ignore", "hoped_for", "--json");
        run("predict", model, data);
        run("evaluate", model, data);
        run("verify", model, data);
        run("summary", model);
        System.exit(ExitCode.CERTIFIED);
    }

    private static void run(String... words) {
        PrintWriter nobody = new PrintWriter(PrintWriter.nullWriter());
        Main.execute(Main.commandLineFor(words).setOut(nobody).setErr(nobody), words);
    }
}
