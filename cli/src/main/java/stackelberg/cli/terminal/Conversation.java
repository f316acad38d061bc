package stackelberg.cli.terminal;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/**
 * Reads requests and writes answers, one JSON object per line, for a program that runs many commands. {@code docs/reference/protocol.md} describes the
 * protocol.
 *
 * <p>Requests are answered in order, one at a time. A second thread reads them, so that a request can be cancelled, and the process ended, at any time.
 */
public final class Conversation {
    /** The version of the protocol, which changes with every incompatible change. */
    public static final int PROTOCOL = 2;

    /** The longest line, in bytes, and the total size of requests that may wait: when it is reached, no more are read until some are answered. */
    public static final int LONGEST_LINE = 64 << 20;

    /** The memory that a request takes in addition to its line, in bytes. */
    private static final int BYTES_PER_REQUEST = 1000;

    private static final String ERROR = "Error: ";
    private static final String INTERNAL_ERROR = "Internal error: ";
    private static final Pattern START = Pattern.compile("(?m)^(" + ERROR + "|" + INTERNAL_ERROR + ")");

    /** After the input has ended: how often, in milliseconds, to check whether the process that started this one still runs. */
    private static final long WATCH_MILLIS = 200;

    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    /** Requests that were read and not answered yet: in the queue, taken from it, or running. */
    private final Queue<Waiting> unanswered = new ConcurrentLinkedQueue<>();

    private final Semaphore room = new Semaphore(LONGEST_LINE + BYTES_PER_REQUEST);
    private final GarbageCollection garbage = new GarbageCollection();
    private final PrintWriter out;
    private final Commands commands;
    private final End end;
    /** The request whose command runs now; guarded by this object, as is the next field. */
    private @Nullable Waiting running;
    /** The request whose command ended last: it can no longer be cancelled. */
    private @Nullable Waiting ended;
    /** The thread that runs commands, which cancelling interrupts. */
    private @Nullable Thread runner;

    /** The first line that this process writes. */
    private record Hello(String stackelberg, int protocol, long pid) {}

    /** A line that a command writes to standard error, sent as soon as it is written. */
    private record Note(Object id, String note) {}

    /**
     * The answer to a request. Components that are null are left out of the JSON, except for the id.
     *
     * @param id the id of the request; JSON null if it has none
     * @param exit the exit code of the command
     * @param seconds how long the command took; null if the request was refused
     * @param answer the JSON document that the command printed; null if it printed text
     * @param text the text that the command printed; null if it printed JSON
     * @param notes the lines that it wrote to standard error; null if there is an error
     * @param error the message of the error; null if there is none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Answer(
            @JsonInclude Object id,
            int exit,
            @Nullable Double seconds,
            @Nullable RawValue answer,
            @Nullable String text,
            @Nullable List<String> notes,
            @Nullable String error) {}

    /** Runs the commands of requests. */
    @FunctionalInterface
    public interface Commands {
        /** Runs a command that writes to these two streams, and returns its exit code. */
        int run(PrintWriter out, PrintWriter err, String... words);
    }

    /** Ends the process immediately. */
    @FunctionalInterface
    public interface End {
        /** @param why what went wrong, for standard error; empty if nothing did */
        void now(int code, String why);
    }

    /** An entry of the queue: a request, or the end of the input, which has none. */
    private static final class Waiting {
        private final @Nullable Request request;
        /** The memory that this request counts for, in bytes; see {@link #room}. */
        private final int bytes;

        private boolean cancelled;

        Waiting(@Nullable Request request, int bytes) {
            this.request = request;
            this.bytes = bytes;
        }
    }

    /** @param out the stream for answers; nothing else may write to it */
    public Conversation(PrintWriter out, Commands commands, End end) {
        this.out = out;
        this.commands = commands;
        this.end = end;
    }

    /** Reads and answers requests, one after the other, until the input has ended and all of them are answered. */
    public void run(InputStream in, String version) {
        send(new Hello(version, PROTOCOL, ProcessHandle.current().pid()));
        runner = Thread.currentThread();
        Thread listener = new Thread(() -> listen(in), "requests");
        listener.setDaemon(true);
        listener.start();
        try {
            // an entry without a request marks the end of the input
            for (Waiting next = queue.take(); next.request != null; next = queue.take()) {
                answer(next, next.request);
                unanswered.remove(next);
                room.release(next.bytes);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads requests until the input ends. If that fails, the process ends: a client must not wait for a process that no longer reads. */
    private void listen(InputStream in) {
        try {
            Optional<ProcessHandle> parent = ProcessHandle.current().parent();
            readRequests(in);
            queue.add(new Waiting(null, 0));
            watch(parent);
        } catch (Throwable e) {
            end.now(ExitCode.INTERNAL_ERROR, INTERNAL_ERROR + "no more requests can be read: " + e);
        }
    }

    private void readRequests(InputStream in) throws InterruptedException {
        LimitedLines lines = new LimitedLines(in, LONGEST_LINE);
        try {
            for (String line = lines.next(); line != null; line = lines.next()) {
                boolean tooLong = line == LimitedLines.TOO_LONG;
                if (tooLong || !line.isBlank()) {
                    take(tooLong ? Request.tooLong(LONGEST_LINE) : Request.of(line), line.length());
                }
            }
        } catch (IOException e) {
            // the client is gone, so there is nothing more to read
        }
    }

    private void take(Request request, int length) throws InterruptedException {
        if (request.close()) {
            end.now(ExitCode.CERTIFIED, "");
        } else if (request.cancel() != null) {
            cancel(request.cancel());
        } else {
            Waiting waiting = new Waiting(request, Math.min(length, LONGEST_LINE) + BYTES_PER_REQUEST);
            room.acquire(waiting.bytes);
            unanswered.add(waiting);
            queue.add(waiting);
        }
    }

    /** Cancels the requests with this id: those that wait are not started, and the one that runs is interrupted. */
    private synchronized void cancel(JsonNode id) {
        for (Waiting waiting : unanswered) {
            if (waiting != ended
                    && waiting.request != null
                    && waiting.request.id().equals(id)) {
                waiting.cancelled = true;
                if (waiting == running && runner != null) {
                    runner.interrupt();
                }
            }
        }
    }

    /** Ends this process when the one that started it ends. A client may close its end and still wait for the last answers, as a shell pipeline does. */
    private void watch(Optional<ProcessHandle> parent) throws InterruptedException {
        if (parent.isEmpty()) {
            // in a container the parent is not visible, so all answers are written
            return;
        }
        while (parent.get().isAlive()) {
            Thread.sleep(WATCH_MILLIS);
        }
        end.now(ExitCode.CERTIFIED, "");
    }

    private void answer(Waiting waiting, Request request) {
        String refusal = request.refusal();
        send(
                refusal == null
                        ? run(waiting, request)
                        : new Answer(request.id(), ExitCode.WRONG_USAGE, null, null, null, null, refusal));
        garbage.afterRequest();
    }

    private Answer run(Waiting waiting, Request request) {
        // a request that is neither refused nor a cancellation runs a command
        List<String> words = Objects.requireNonNull(request.words());
        StringWriter printed = new StringWriter();
        Notes notes = new Notes(request.id());
        long start = System.nanoTime();
        StartUp.begin();
        int code = ExitCode.WRONG_USAGE;
        Optional<String> stream = StandardStreams.refusal(words);
        if (stream.isPresent()) {
            notes.write(ERROR + stream.get() + "\n");
        } else if (words.get(0).equals("serve")) {
            notes.write("Error: serve is running already.\nMaybe leave it out.\n");
        } else if (begins(waiting)) {
            try {
                code = commands.run(new PrintWriter(printed), new PrintWriter(notes), words.toArray(String[]::new));
            } finally {
                ended();
            }
        }
        notes.flush();
        code = waiting.cancelled ? ExitCode.CANCELLED : code;
        double seconds = (System.nanoTime() - start) * 1e-9;
        if (code != ExitCode.CERTIFIED && code != ExitCode.NOT_CERTIFIED) {
            String error = waiting.cancelled ? "Cancelled." : notes.error();
            return new Answer(request.id(), code, seconds, null, null, null, error);
        }
        String text = printed.toString();
        // help is printed as text even with --json
        @Nullable
        RawValue json = words.contains("--json") && text.matches("(?s)[{\\[].*") ? new RawValue(inOneLine(text)) : null;
        return new Answer(request.id(), code, seconds, json, json == null ? text : null, notes.all(), null);
    }

    private synchronized boolean begins(Waiting waiting) {
        running = waiting.cancelled ? null : waiting;
        return !waiting.cancelled;
    }

    /** Notes that the command has ended: it can no longer be cancelled, and an interrupt that came too late must not hit the next one. */
    private synchronized void ended() {
        ended = running;
        running = null;
        Thread.interrupted();
    }

    /** The JSON in one line. Line ends within texts are escaped in JSON, so all others can be removed. */
    private static String inOneLine(String json) {
        return json.replaceAll("[\\r\\n]+ *", "");
    }

    private void send(Record object) {
        String line = JsonMapper.shared().writeValueAsString(object);
        synchronized (out) {
            out.print(line + "\n");
            out.flush();
        }
    }

    /** Collects the lines that a command writes to standard error, and sends each one as soon as it is complete. */
    private final class Notes extends StringWriter {
        private final Object id;
        private final List<String> notes = new ArrayList<>();
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
                // an error becomes the answer
                if (note.isEmpty() || START.matcher(note).lookingAt()) {
                    return;
                }
                notes.add(note);
                send(new Note(id, note));
            }
        }

        List<String> all() {
            return notes;
        }

        /** The text of the last error, without the progress lines that may stand before it. */
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
