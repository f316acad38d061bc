package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.LongRun;

/**
 * Processes that are killed while they write, by SIGKILL and by SIGTERM: every file is whole or absent, and what a kill leaves beside them the next write
 * a second later removes.
 *
 * <p>The suite kills a few, {@code -Dstackelberg.long=N} fifty.
 */
@Tag("slow")
class KillTest {
    private static final int IN_THE_SUITE = 2;
    private static final int IN_A_LONG_RUN = 50;
    private static final int ROWS = 2000;
    /** SIGTERM ends a process within a second; the rest is for machines that are busy. */
    private static final int SECONDS_TO_END = 20;

    @TempDir
    Path folder;

    @BeforeEach
    void data() {
        Random random = new Random(114);
        StringBuilder text = new StringBuilder("a,b,y,hope\n");
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextInt(100);
            double b = random.nextInt(100);
            double y = a - b + random.nextInt(30);
            text.append(a + "," + b + "," + y + "," + (y + random.nextInt(20)) + "\n");
        }
        Samples.file(folder, "data.csv", text.toString());
    }

    @Test
    void aKilledProcessLeavesNoPartialAndNoTemporaryFile() throws IOException, InterruptedException {
        Random random = new Random(114);
        int kills = LongRun.wanted() ? IN_A_LONG_RUN : IN_THE_SUITE;
        List<String> wrong = new ArrayList<>();
        int struck = 0;
        for (int kill = 0; kill < kills; kill++) {
            boolean hard = kill % 2 == 0;
            killWhileWriting(hard, kill % 4 > 1, random.nextInt(4));
            struck += others().isEmpty() ? 0 : 1;
            for (String name : WritingForEver.FILES) {
                torn(name)
                        .ifPresent(what -> wrong.add(name + " after " + (hard ? "SIGKILL" : "SIGTERM") + ": " + what));
            }
        }
        for (String name : others()) {
            // the newest are left alone for a second, because their writer may not have locked them yet
            Files.setLastModifiedTime(
                    folder.resolve(name), FileTime.from(Instant.now().minusSeconds(2)));
        }
        WritingForEver.round(folder.resolve("data.csv"), folder);
        others().forEach(name -> wrong.add(name + " is left behind after the next write"));
        LongRun.print("Kills: " + kills + " while writing, temporary files left by " + struck + ", wrong "
                + wrong.size() + ".");
        assertThat(wrong).isEmpty();
    }

    /**
     * Once it has written everything, as soon as it is seen writing again.
     *
     * @param skipped so many files are let pass before, so that each of them is struck
     */
    private void killWhileWriting(boolean hard, boolean newFile, int skipped) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WritingForEver.class.getName(),
                        folder.toString(),
                        String.valueOf(newFile))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("written");
            for (int seen = 0; seen <= skipped; seen++) {
                awaitWriting(seen > 0);
            }
            assertThat(process.isAlive()).isTrue();
            if (hard) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
            assertThat(process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS))
                    .as("it has ended")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Until a temporary file is there; another than now, if one is. */
    private void awaitWriting(boolean another) throws IOException, InterruptedException {
        List<String> now = another ? others() : List.of();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_END);
        while (System.nanoTime() < end) {
            if (others().stream().anyMatch(name -> !now.contains(name))) {
                return;
            }
            Thread.sleep(1);
        }
        throw new AssertionError("nothing is written");
    }

    /** What is wrong with a file that may be absent. */
    private Optional<String> torn(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file);
        boolean whole =
                switch (name) {
                    case "model.json" -> Run.stackelberg("summary", file).code() == 0;
                    case "page.html" -> text.stripTrailing().endsWith("</html>");
                    // a header, and one row for each
                    case "path.csv" -> text.lines().count() == 3 && text.endsWith("\n");
                    default -> text.lines().count() == ROWS + 1 && text.endsWith("\n");
                };
        return whole ? Optional.empty() : Optional.of("it has " + text.length() + " characters");
    }

    /** The names of unexpected files. */
    private List<String> others() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("data.csv") && !WritingForEver.FILES.contains(name))
                    .toList();
        }
    }
}
