package stackelberg.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process that writes a model, a page and two tables again and again until it is killed; each round ends with a line on standard output. */
final class WritingForEver {
    static final List<String> FILES = List.of("model.json", "page.html", "path.csv", "moves.csv");

    private WritingForEver() {}

    /** @param args the folder, and whether what the last round wrote is removed before the next */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        boolean newFile = Boolean.parseBoolean(args[1]);
        while (true) {
            for (String name : FILES) {
                if (newFile) {
                    Files.deleteIfExists(folder.resolve(name));
                }
            }
            round(folder.resolve("data.csv"), folder);
            System.out.println("written");
        }
    }

    /** Everything once. */
    static void round(Path data, Path folder) {
        String[] game = {data.toString(), "--target", "y", "--wish", "hope", "--wish-noise", "1", "--quiet"};
        Path model = folder.resolve("model.json");
        run("fit", game, "-o", model, "--report", folder.resolve("page.html"));
        run("path", game, "--gammas", "0.1,1", "-o", folder.resolve("path.csv"));
        run("respond", new String[] {model.toString(), data.toString(), "--quiet"}, "-o", folder.resolve("moves.csv"));
    }

    private static void run(String command, String[] words, Object... outputs) {
        Object[] all = new Object[1 + words.length + outputs.length];
        all[0] = command;
        System.arraycopy(words, 0, all, 1, words.length);
        System.arraycopy(outputs, 0, all, 1 + words.length, outputs.length);
        Run run = Run.oneOfMany(all);
        if (run.code() != 0) {
            throw new IllegalStateException(command + ": " + run.code() + " " + run.err());
        }
    }
}
