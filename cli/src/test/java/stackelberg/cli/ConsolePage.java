package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The {@code console} blocks of a page, run in one folder. A line {@code $ stackelberg ...} is a command of the program, any other line that
 * begins with {@code $} one of the shell; the lines below it are its output, in which {@code [...]} stands for any lines left out.
 *
 * <p>A block that names a file behind its language, such as {@code awk people.awk}, is written to that file first.
 *
 * <p>The commands run in one process of {@code stackelberg serve}, so that a page starts one virtual machine and not one for each command.
 */
final class ConsolePage implements AutoCloseable {
    private static final Pattern BLOCK = Pattern.compile("(?<=```console\n).+?(?=```)", Pattern.DOTALL);
    private static final Pattern FILE = Pattern.compile("(?ms)^```\\w+ (\\S+)\n(.+?)^```");
    private static final Pattern STEP = Pattern.compile("^\\$ (.+)\n((?:(?!\\$ ).*\n)*)", Pattern.MULTILINE);
    private static final Pattern PROGRAM = Pattern.compile("(?:\\./)?stackelberg (.*)");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final String LEFT_OUT = "[...]";

    /** What differs between machines: bounds on rounding, tiny numbers, iterations, times. */
    private static final Pattern VARIES = Pattern.compile(
            "by more than \\S+|\\d[.\\d]*e-[1-9]\\d|after [\\d,]+ iterations?|\\b[\\d.]+ s(?:econds?)?\\b");

    private final Path folder;
    private final Process program;
    private final PrintWriter requests;
    private final BufferedReader answers;

    ConsolePage(Path folder) {
        this.folder = folder;
        program = start(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve"),
                ProcessBuilder.Redirect.DISCARD);
        requests = new PrintWriter(program.outputWriter(StandardCharsets.UTF_8), true);
        answers = program.inputReader(StandardCharsets.UTF_8);
        nextAnswer(); // its version
    }

    /** Writes the files that the page shows. */
    void write(String page) {
        FILE.matcher(page).results().forEach(file -> Samples.file(folder, file.group(1), file.group(2)));
    }

    static boolean isConsole(String page) {
        return BLOCK.matcher(page).find();
    }

    /** Runs every step and compares what it prints with what the page shows, if it shows anything. */
    void check(String page) {
        for (MatchResult block : BLOCK.matcher(page).results().toList()) {
            for (MatchResult step : STEP.matcher(block.group()).results().toList()) {
                List<String> shown = step.group(2).lines().toList();
                List<String> printed = run(step.group(1), shown.isEmpty());
                if (!shown.isEmpty() && !agree(shown, printed)) {
                    assertThat(String.join("\n", printed)).as(step.group(1)).isEqualTo(String.join("\n", shown));
                }
            }
        }
    }

    /** The page with the output of today wherever it shows another. */
    String updated(String page) {
        return BLOCK.matcher(page)
                .replaceAll(block -> Matcher.quoteReplacement(
                        STEP.matcher(block.group()).replaceAll(step -> Matcher.quoteReplacement(updated(step)))));
    }

    private String updated(MatchResult step) {
        List<String> shown = step.group(2).lines().toList();
        List<String> printed = run(step.group(1), shown.isEmpty());
        if (shown.isEmpty() || agree(shown, printed)) {
            return step.group();
        }
        return "$ " + step.group(1) + "\n" + String.join("\n", select(shown, printed)) + "\n";
    }

    private List<String> run(String command, boolean onlyRun) {
        Matcher ours = PROGRAM.matcher(command);
        Run run = ours.matches() ? program(ours.group(1)) : shell(command);
        if (onlyRun) {
            assertThat(run.code()).as("%s%n%s%s", command, run.out(), run.err()).isIn(0, 4);
        }
        List<String> lines = new ArrayList<>((run.out() + run.err()).lines().toList());
        if (run.code() != 0) {
            lines.add("[exit code " + run.code() + "]");
        }
        return lines;
    }

    /** The words of a command line; quotes keep spaces together. */
    static List<String> arguments(String line) {
        return WORD.matcher(line)
                .results()
                .map(word ->
                        word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3))
                .toList();
    }

    private Run program(String arguments) {
        requests.println(JsonMapper.shared().writeValueAsString(Map.of("id", 1, "run", arguments(arguments))));
        JsonNode answer = nextAnswer();
        while (!answer.has("exit")) {
            answer = nextAnswer();
        }
        StringBuilder err = new StringBuilder();
        answer.path("notes").forEach(note -> err.append(note.asString()).append('\n'));
        if (answer.has("error")) {
            err.append("Error: ").append(answer.get("error").asString()).append('\n');
        }
        JsonNode document = answer.path("answer");
        String out = document.isMissingNode() ? answer.path("text").asString("") : document + "\n";
        return new Run(answer.get("exit").asInt(), out, err.toString());
    }

    private JsonNode nextAnswer() {
        try {
            String line = answers.readLine();
            assertThat(line).as("stackelberg serve ended").isNotNull();
            return JsonMapper.shared().readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Run shell(String command) {
        Assumptions.assumeTrue(Path.of("/bin/bash").toFile().canExecute(), "There is no /bin/bash.");
        try {
            Process process = start(List.of("/bin/bash", "-c", command + " 2>&1"), ProcessBuilder.Redirect.INHERIT);
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Run(process.waitFor(), out, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Process start(List<String> command, ProcessBuilder.Redirect errors) {
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(errors)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        requests.close();
        program.destroy();
    }

    /** The shown lines between lines left out. */
    private static List<List<String>> parts(List<String> shown) {
        List<List<String>> parts = new ArrayList<>();
        parts.add(new ArrayList<>());
        for (String line : shown) {
            if (line.equals(LEFT_OUT)) {
                parts.add(new ArrayList<>());
            } else {
                parts.get(parts.size() - 1).add(line);
            }
        }
        return parts;
    }

    /** Whether the output is the shown lines, any lines standing where some are left out. */
    static boolean agree(List<String> shown, List<String> printed) {
        List<String> sure = printed.stream().map(ConsolePage::sure).toList();
        List<List<String>> parts = parts(shown.stream().map(ConsolePage::sure).toList());
        int from = 0;
        for (int i = 0; i < parts.size(); i++) {
            List<String> part = parts.get(i);
            int last = sure.size() - part.size();
            int least = i > 0 && i == parts.size() - 1 && !part.isEmpty() ? last : from;
            int most = i == 0 ? Math.min(0, last) : last;
            int at = Math.max(from, least);
            while (at <= most && !sure.subList(at, at + part.size()).equals(part)) {
                at++;
            }
            if (at > most) {
                return false;
            }
            from = at + part.size();
        }
        return parts.size() > 1 || from == sure.size();
    }

    private static String sure(String line) {
        return VARIES.matcher(line).replaceAll("").stripTrailing();
    }

    /** The lines of the output that are most like the shown ones, with the same lines left out. */
    static List<String> select(List<String> shown, List<String> printed) {
        List<List<String>> parts = parts(shown);
        List<String> selected = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < parts.size(); i++) {
            List<String> part = parts.get(i);
            if (i > 0) {
                selected.add(LEFT_OUT);
            }
            if (part.isEmpty()) {
                continue;
            }
            int start = i == 0 ? 0 : mostAlike(part.get(0), printed, from);
            boolean toTheEnd = i == parts.size() - 1;
            int end = toTheEnd ? printed.size() : last(part, printed, start) + 1;
            selected.addAll(printed.subList(start, end));
            from = end;
        }
        return selected;
    }

    private static int last(List<String> part, List<String> printed, int start) {
        String line = part.get(part.size() - 1);
        int usual = start + part.size() - 1;
        return usual < printed.size() && likeness(line, printed.get(usual)) >= 1
                ? usual
                : mostAlike(line, printed, start);
    }

    private static int mostAlike(String line, List<String> printed, int from) {
        int best = from;
        for (int i = from; i < printed.size(); i++) {
            if (likeness(line, printed.get(i)) > likeness(line, printed.get(best))) {
                best = i;
            }
        }
        assertThat(from)
                .as("Nothing is left of the output that is like: %s", line)
                .isLessThan(printed.size());
        return best;
    }

    /** The share of words that two lines have in common, whatever their numbers; 2 where the lines are the same. */
    private static double likeness(String a, String b) {
        if (sure(a).equals(sure(b))) {
            return 2;
        }
        Set<String> words = words(a);
        Set<String> others = words(b);
        Set<String> common = new HashSet<>(words);
        common.retainAll(others);
        return (double) common.size() / Math.max(words.size(), others.size());
    }

    private static Set<String> words(String line) {
        return new HashSet<>(Arrays.asList(
                line.strip().replaceAll("[-+]?\\d[\\d.,e%-]*", "#").split("\\s+")));
    }
}
