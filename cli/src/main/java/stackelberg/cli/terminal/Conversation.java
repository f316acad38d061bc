package stackelberg.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/**
 * Commands and their answers, one JSON object per line, for a program that runs many of them: {@code docs/protocol.md} has the words.
 *
 * <p>Requests are answered one after the other, in their order. Another thread listens, so that whoever asked can end all of it at any time.
 */
public final class Conversation {
    /** Of what is said here; another one is another number. */
    public static final int PROTOCOL = 1;

    private static final String ID = "id";
    private static final String RUN = "run";
    private static final String CLOSE = "close";
    private static final String ERROR = "Error: ";
    private static final String INTERNAL_ERROR = "Internal error: ";
    private static final Pattern START = Pattern.compile("(?m)^(" + ERROR + "|" + INTERNAL_ERROR + ")");

    /** Nothing frees the memory outside of the heap but a collection, which a heap that hardly grows never asks for. */
    private static final long COLLECT_BYTES = 256L << 20;

    /** How often is looked whether whoever hung up is gone too. */
    private static final long WATCH_MILLIS = 200;

    private static final Optional<String> HUNG_UP = Optional.empty();

    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    private final PrintWriter out;
    private final Commands commands;
    private final Runnable end;

    /** Whoever runs commands. */
    @FunctionalInterface
    public interface Commands {
        /** The exit code of the command, which writes here. */
        int run(PrintWriter out, PrintWriter err, String... words);
    }

    /**
     * @param out where the answers go, and nothing else
     * @param end ends the process at once
     */
    public Conversation(PrintWriter out, Commands commands, Runnable end) {
        this.out = out;
        this.commands = commands;
        this.end = end;
    }

    /** Until everything that was asked is answered, and no more will be. */
    public void hold(InputStream in, String version) {
        say(Map.of(
                "stackelberg",
                version,
                "protocol",
                PROTOCOL,
                "pid",
                ProcessHandle.current().pid()));
        Thread listener = new Thread(() -> listen(in), "requests");
        listener.setDaemon(true);
        listener.start();
        try {
            for (Optional<String> line = lines.take(); line.isPresent(); line = lines.take()) {
                if (!line.get().isBlank()) {
                    answer(line.get());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen(InputStream in) {
        Optional<ProcessHandle> asker = ProcessHandle.current().parent();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (isClose(line)) {
                    end.run();
                }
                lines.add(Optional.of(line));
            }
        } catch (IOException e) {
            // nobody is there any more
        }
        lines.add(HUNG_UP);
        watch(asker);
    }

    private static boolean isClose(String line) {
        try {
            // whatever else it may be is for whoever answers it
            return line.contains(CLOSE)
                    && JsonMapper.shared().readTree(line).path(CLOSE).asBoolean(false);
        } catch (JacksonException e) {
            return false;
        }
    }

    /** Who has hung up may wait for the last answers, as a shell does. Who is gone does not. */
    private void watch(Optional<ProcessHandle> asker) {
        if (asker.isEmpty()) {
            // in a container: nothing tells whether somebody waits
            return;
        }
        try {
            while (asker.get().isAlive()) {
                Thread.sleep(WATCH_MILLIS);
            }
        } catch (InterruptedException e) {
            return;
        }
        end.run();
    }

    private void answer(String line) {
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            JsonNode request = JsonMapper.shared().readTree(line);
            JsonNode words = request.path(RUN);
            answer.put(ID, request.path(ID));
            if (!words.isArray() || words.isEmpty() || !words.valueStream().allMatch(JsonNode::isString)) {
                refuse(answer, line, "it has no \"" + RUN + "\", a list of the words of a command");
            } else {
                run(words.valueStream().map(JsonNode::asString).toList(), answer);
            }
        } catch (JacksonException e) {
            answer.put(ID, null);
            refuse(answer, line, "it is no JSON object in one line");
        }
        say(answer);
        collect();
    }

    private static void refuse(Map<String, Object> answer, String line, String why) {
        String shown = line.length() > 80 ? line.substring(0, 80) + "..." : line;
        answer.put("exit", ExitCode.WRONG_USAGE);
        answer.put(
                "error",
                "This is no request: " + Visible.line(shown) + "\nA request is one JSON object in one line, and " + why
                        + ".\nMaybe {\"id\":1,\"run\":[\"fit\",\"data.csv\",\"--target\",\"y\",\"--wish\",\"today+1\",\"--json\"]}.");
    }

    private void run(List<String> words, Map<String, Object> answer) {
        StringWriter told = new StringWriter();
        Notes notes = new Notes(answer.get(ID));
        long start = System.nanoTime();
        StartUp.begin();
        int code = ExitCode.WRONG_USAGE;
        if (words.contains("-")) {
            notes.write("Error: - is standard input, which brings requests here.\nMaybe name a file.\n");
        } else if (words.get(0).equals("serve")) {
            notes.write("Error: serve runs already.\nMaybe leave it out.\n");
        } else {
            code = commands.run(new PrintWriter(told), new PrintWriter(notes), words.toArray(String[]::new));
        }
        notes.flush();
        answer.put("exit", code);
        answer.put("seconds", (System.nanoTime() - start) * 1e-9);
        if (code == ExitCode.CERTIFIED || code == ExitCode.NOT_CERTIFIED) {
            // help is text, whatever else was asked for
            boolean json = words.contains("--json") && told.toString().matches("(?s)[{\\[].*");
            answer.put(json ? "answer" : "text", json ? new RawValue(inOneLine(told.toString())) : told.toString());
            answer.put("notes", notes.all());
        } else {
            answer.put("error", notes.error());
        }
    }

    /** Lines end between the words of a JSON document only: within one they are written otherwise. */
    private static String inOneLine(String json) {
        return json.replaceAll("[\\r\\n]+ *", "");
    }

    private void say(Map<String, Object> object) {
        String line = JsonMapper.shared().writeValueAsString(object);
        synchronized (out) {
            out.print(line + "\n");
            out.flush();
        }
    }

    private static void collect() {
        long bytes = 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            bytes += pool.getMemoryUsed();
        }
        if (bytes > COLLECT_BYTES) {
            System.gc();
        }
    }

    /** What a command says beside its answer: told line by line, at once, and kept. */
    private final class Notes extends StringWriter {
        private final Object id;
        private final List<String> told = new ArrayList<>();
        private int from;

        Notes(Object id) {
            this.id = id;
        }

        @Override
        public synchronized void flush() {
            String all = toString();
            int to = all.lastIndexOf('\n') + 1;
            if (to > from) {
                String note = all.substring(from, to).strip();
                from = to;
                // errors are the answer
                if (note.isEmpty() || START.matcher(note).lookingAt()) {
                    return;
                }
                told.add(note);
                Map<String, Object> object = new LinkedHashMap<>();
                object.put(ID, id);
                object.put("note", note);
                say(object);
            }
        }

        List<String> all() {
            return told;
        }

        /** The last of them, in the words of the message alone: before it may stand how far the work was. */
        String error() {
            String text = toString();
            int at = START.matcher(text)
                    .results()
                    .mapToInt(MatchResult::start)
                    .max()
                    .orElse(0);
            return text.substring(at)
                    .replaceFirst("^" + ERROR, "")
                    .replaceFirst("\\R?Try '[^'\\n]*--help'\\.\\s*$", "")
                    .strip();
        }
    }
}
