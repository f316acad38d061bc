package stackelberg.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A process of {@code stackelberg serve}, and what it says. */
final class Serving implements AutoCloseable {
    private static final int SECONDS = 60;

    final Process process;
    private final OutputStream requests;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    /** @param options of the virtual machine, before those that the launcher gives */
    Serving(String... options) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "serve"));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        requests = process.getOutputStream();
        Thread listener = new Thread(this::listen, "answers");
        listener.setDaemon(true);
        listener.start();
        read(SECONDS);
    }

    private void listen() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            out.lines().forEach(said::add);
        } catch (IOException | UncheckedIOException e) {
            // it has ended
        }
    }

    void send(String line) {
        send((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) {
        try {
            requests.write(bytes);
            requests.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next line; fails where there is none so soon. */
    JsonNode read(int seconds) {
        try {
            String line = said.poll(seconds, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("Nothing was said for " + seconds + " s, the process is "
                        + (process.isAlive() ? "alive" : "gone"));
            }
            return JsonMapper.shared().readTree(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The next answer, notes left out. */
    JsonNode answer(int seconds) {
        JsonNode line = read(seconds);
        while (!line.has("exit")) {
            line = read(seconds);
        }
        return line;
    }

    JsonNode ask(String line) {
        send(line);
        try {
            return answer(SECONDS);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ": " + line, e);
        }
    }

    /** What Linux says of the process: Threads, or VmRSS in kB. */
    long status(String name) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
