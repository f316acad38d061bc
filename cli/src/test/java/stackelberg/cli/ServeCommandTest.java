package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.LongRun;
import stackelberg.cli.terminal.Conversation;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Many commands in one process answer as each would alone. */
class ServeCommandTest {
    @TempDir
    Path folder;

    private Path csv;

    @BeforeEach
    void write() {
        csv = Samples.file(folder, "game.csv", Samples.Game.random(40, 3).csv());
    }

    private static String request(Object... words) {
        List<String> texts = new ArrayList<>();
        for (Object word : words) {
            texts.add(word.toString());
        }
        return JsonMapper.shared().writeValueAsString(Map.of("id", 7, "run", texts));
    }

    /** Everything that is said, line by line, hello first. */
    private static List<JsonNode> conversation(String... requests) {
        StringWriter said = new StringWriter();
        new Conversation(new PrintWriter(said), new Main(), (code, why) -> {
                    throw new AssertionError("the process ended without a request");
                })
                .run(
                        new ByteArrayInputStream(String.join("\n", requests).getBytes(StandardCharsets.UTF_8)),
                        StackelbergModel.libraryVersion());
        return said.toString().lines().map(JsonMapper.shared()::readTree).toList();
    }

    private static List<JsonNode> answers(String... requests) {
        return conversation(requests).stream().filter(line -> line.has("exit")).toList();
    }

    private Object[] fit(Object... more) {
        List<Object> words = new ArrayList<>(List.of("fit", csv, "--target", "y", "--wish", "z", "--json"));
        words.addAll(List.of(more));
        return words.toArray();
    }

    /** What a fit says, but for how long it took. */
    private static String lasting(JsonNode answer) {
        return answer.toString().replaceAll("\"seconds\":\\{[^}]*\\}", "");
    }

    @Test
    void theFirstAnswerHasVersionProtocolAndProcessId() {
        JsonNode hello = conversation().get(0);

        assertThat(hello.get("stackelberg").asString()).isEqualTo(StackelbergModel.libraryVersion());
        assertThat(hello.get("protocol").asInt()).isEqualTo(2);
        assertThat(hello.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void answersAreTheDocumentsOfTheCommands() {
        Path model = folder.resolve("model.json");
        List<JsonNode> answers = answers(
                request(fit("-o", model)),
                request("predict", model, csv, "--json"),
                request("respond", model, csv, "--json"),
                request("evaluate", model, csv, "--json"),
                request("summary", model));

        assertThat(answers).hasSize(5).allSatisfy(answer -> {
            assertThat(answer.get("id").asInt()).isEqualTo(7);
            assertThat(answer.get("exit").asInt()).isZero();
        });
        assertThat(lasting(answers.get(0).get("answer")))
                .isEqualTo(lasting(Run.stackelberg(fit()).json()));
        for (int k = 1; k < 4; k++) {
            String command = List.of("fit", "predict", "respond", "evaluate").get(k);
            assertThat(answers.get(k).get("answer"))
                    .isEqualTo(Run.stackelberg(command, model, csv, "--json").json());
        }
        assertThat(answers.get(4).get("text").asString())
                .isEqualTo(Run.stackelberg("summary", model).out());
    }

    @Test
    void thePhasesOfAFitAreThoseOfItsOwnRequest() {
        List<JsonNode> answers = answers(request(fit()), request(fit()));

        assertThat(answers).hasSize(2).allSatisfy(answer -> {
            JsonNode phases = answer.get("answer").get("seconds");
            double sum = 0;
            for (JsonNode phase : phases) {
                assertThat(phase.asDouble()).isNotNegative();
                sum += phase.asDouble();
            }
            assertThat(phases.get("start").asDouble()).isPositive();
            assertThat(sum).isLessThanOrEqualTo(answer.get("seconds").asDouble());
        });
    }

    @Test
    void optionsOfOneRequestDoNotAffectTheNext() {
        Path trace = folder.resolve("trace.csv");
        Path again = folder.resolve("again.csv");
        List<JsonNode> answers = answers(
                request(fit(
                        "--gamma",
                        2,
                        "--immutable",
                        1,
                        "--cost",
                        "2=3",
                        "--ignore",
                        3,
                        "--hedge",
                        "5%",
                        "--limit",
                        "2>=-1",
                        "--one-sided",
                        "up",
                        "--paper",
                        "--threads",
                        1)),
                request(fit()),
                request(fit("--solver", "krylov", "--trace", trace)),
                request(fit("--solver", "krylov", "--trace", again)));

        assertThat(lasting(answers.get(1).get("answer")))
                .isEqualTo(lasting(Run.stackelberg(fit()).json()));
        assertThat(Samples.read(again)).isEqualTo(Samples.read(trace)).contains("\n1,");
    }

    @Test
    void errorsAreTheMessageAndTheExitCode() {
        List<JsonNode> answers = answers(
                request("fit", csv, "--target", "nix", "--wish", "z"),
                request("fit", csv, "--nix"),
                request("predict", folder.resolve("model.json"), "-"),
                request("serve"));

        assertThat(answers.stream().map(answer -> answer.get("exit").asInt()))
                .containsExactly(ExitCode.BAD_DATA, ExitCode.WRONG_USAGE, ExitCode.WRONG_USAGE, ExitCode.WRONG_USAGE);
        assertThat(answers.get(0).get("error").asString()).startsWith("There is no column 'nix'");
        assertThat(answers.get(1).get("error").asString()).isEqualTo("--nix is not an option of fit.");
        assertThat(answers.get(2).get("error").asString()).startsWith("- is standard input");
        assertThat(answers.get(3).get("error").asString()).startsWith("serve is running already");
    }

    @Test
    void anUncertifiedResultIsAnAnswer() {
        JsonNode answer = answers(request(fit("--limit", "1>=-1"))).get(0);

        assertThat(answer.get("exit").asInt()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(answer.get("answer").get("certified").asBoolean()).isFalse();
    }

    @Test
    void notesAreSentBeforeTheAnswerAndInIt() {
        Path model = folder.resolve("model.json");
        Path wide = Samples.file(
                folder,
                "wide.csv",
                Samples.Game.random(40, 3).csv().replaceFirst("y,", "more,y,").replaceAll("\n(?=.)", "\n1,"));
        Run.stackelberg("fit", wide, "--target", "y", "--wish", "z", "--features", "1,2,3", "-o", model);

        List<JsonNode> said = conversation(request("predict", model, wide, "--json"));

        assertThat(said).hasSize(3);
        assertThat(said.get(1).get("note").asString()).contains("Ignored columns, which the model does not use: more");
        assertThat(said.get(2).get("notes").get(0)).isEqualTo(said.get(1).get("note"));
    }

    @Test
    void invalidRequestsAreRefused() {
        List<JsonNode> answers = answers(
                "fit data.csv",
                "{}",
                "[1]",
                "{\"id\":3,\"run\":[1]}",
                "{\"id\":4,\"run\":[\"-V\"],\"cancel\":4}",
                "",
                request("-V"));

        assertThat(answers).hasSize(6);
        assertThat(answers.subList(0, 5)).allSatisfy(answer -> {
            assertThat(answer.get("exit").asInt()).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(answer.get("error").asString())
                    .contains("This is no request")
                    .contains("Maybe {");
        });
        assertThat(answers.get(3).get("id").asInt()).isEqualTo(3);
        assertThat(answers.get(5).get("text").asString()).startsWith("stackelberg ");
    }

    @Test
    void argumentFilesAreNotExpanded() {
        Path words = Samples.file(folder, "words", "summary\nroot:x:0:0\n");

        List<JsonNode> answers =
                answers(request("@" + words), request("summary", "@" + words), request(fit("--id", "@" + words)));

        assertThat(answers).hasSize(3).allSatisfy(answer -> {
            assertThat(answer.get("exit").asInt()).isIn(ExitCode.WRONG_USAGE, ExitCode.BAD_DATA);
            assertThat(answer.get("error").asString()).contains("@").doesNotContain("root:x");
        });
        assertThat(Run.stackelberg("@" + words).err()).contains("@").doesNotContain("root:x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-",
                "/dev/stdin",
                "/dev/fd/0",
                "/proc/self/fd/0",
                "/dev/../dev/stdin",
                "LINK",
                "--x=/dev/stdin",
                "/dev/stdout"
            })
    void standardInputIsRefusedByAnyName(String name) throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("/dev/stdin"));

        JsonNode answer =
                answers(request("describe", name.equals("LINK") ? link : name)).get(0);
        // the temporary folder warns about links that lead out of it
        Files.delete(link);

        assertThat(answer.get("exit").asInt()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(answer.get("error").asString()).contains("is standard input");
    }

    @Test
    void aLineThatIsTooLongIsAnsweredAndSkipped() {
        byte[] pad = new byte[1 << 20];
        Arrays.fill(pad, (byte) 'a');
        try (Serving serve = new Serving("-Xmx400m")) {
            serve.send("{\"id\":\"".getBytes(StandardCharsets.UTF_8));
            for (int mb = 0; mb < 65; mb++) {
                serve.send(pad);
            }
            // before the line has ended
            JsonNode answer = serve.answer(60);
            assertThat(answer.get("exit").asInt()).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(answer.get("error").asString()).contains("longer than 64 MB");
            // more than the memory of the process
            for (int mb = 0; mb < 500; mb++) {
                serve.send(pad);
            }
            serve.send("\"}");
            assertThat(serve.ask(request("-V")).get("exit").asInt()).isZero();
            serve.send("{\"id\":1,\"run\":[\"-V\"],\"more\":\"" + "a".repeat(10 << 20) + "\"}");
            assertThat(serve.answer(60).get("exit").asInt()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wine\\u0000.csv", "wine\\ud800.csv"})
    void aNameThatNoFileCanHaveIsWrongUsage(String name) {
        for (String words : List.of("\"describe\",\"NAME\"", "\"fit\",\"NAME\",\"--wish\",\"max(y,1)\"")) {
            JsonNode answer = answers("{\"id\":1,\"run\":[" + words.replace("NAME", name) + "]}")
                    .get(0);

            assertThat(answer.get("exit").asInt()).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(answer.get("error").asString())
                    .contains("cannot be the name of a file")
                    .contains("Maybe");
        }
    }

    @Test
    void aReaderThatFailsEndsTheProcess() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        List<String> reasons = new ArrayList<>();
        InputStream broken = new InputStream() {
            @Override
            public int read() {
                throw new OutOfMemoryError("of a test");
            }

            @Override
            public int read(byte[] bytes) {
                return read();
            }
        };
        Thread talk =
                new Thread(() -> new Conversation(new PrintWriter(new StringWriter()), new Main(), (code, why) -> {
                            reasons.add(code + " " + why);
                            ended.countDown();
                        })
                        .run(broken, "1"));
        talk.setDaemon(true);
        talk.start();

        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(reasons)
                .containsExactly(ExitCode.INTERNAL_ERROR
                        + " Internal error: no more requests can be read: java.lang.OutOfMemoryError: of a test");
        talk.interrupt();
    }

    @Test
    void oneRequestIsCancelledAndTheOthersAreAnswered() {
        Path model = folder.resolve("cancelled.json");
        String endless = request(fit("--se", "bootstrap:1000000", "-o", model)).replace("\"id\":7", "\"id\":\"a\"");
        try (Serving serve = new Serving()) {
            serve.send(endless);
            serve.send(request("-V").replace("\"id\":7", "\"id\":{\"b\":1}"));
            serve.send(request("-V"));
            serve.send("{\"cancel\":{\"b\":1}}");
            serve.send("{\"cancel\":\"nothing of this name\"}");
            serve.send("{\"cancel\":\"a\"}");

            JsonNode running = serve.answer(60);
            assertThat(running.get("id").asString()).isEqualTo("a");
            assertThat(running.get("exit").asInt()).isEqualTo(ExitCode.CANCELLED);
            assertThat(running.get("error").asString()).isEqualTo("Cancelled.");
            JsonNode waiting = serve.answer(60);
            assertThat(waiting.get("id").get("b").asInt()).isEqualTo(1);
            assertThat(waiting.get("exit").asInt()).isEqualTo(ExitCode.CANCELLED);
            assertThat(serve.answer(60).get("exit").asInt()).isZero();
            assertThat(model).doesNotExist();
            assertThat(serve.ask(request(fit("-o", model))).get("exit").asInt()).isZero();
            assertThat(model).exists();
        }
    }

    /** Also one that comes when the request is no longer in the queue and its command has not begun: one of many tries meets that moment. */
    @Test
    void aCancelWorksAtAnyTime() {
        long tries = LongRun.tries(50, 500);
        byte[] lines = (request("fit") + "\n{\"cancel\":7}\n").getBytes(StandardCharsets.UTF_8);
        List<Boolean> lost = new ArrayList<>();
        Conversation.Commands untilCancelled = (out, err, words) -> {
            try {
                Thread.sleep(2000);
                lost.add(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        };
        for (int i = 0; i < tries && lost.isEmpty(); i++) {
            new Conversation(new PrintWriter(new StringWriter()), untilCancelled, (code, why) -> {})
                    .run(new ByteArrayInputStream(lines), "1");
        }
        assertThat(lost).isEmpty();
    }

    /** The client can end the process while a command runs. */
    @Test
    void closeEndsTheProcessWhileACommandRuns() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        List<Boolean> inTime = new ArrayList<>();
        Conversation.Commands forEver = (out, err, words) -> {
            try {
                inTime.add(ended.await(20, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        };

        new Conversation(new PrintWriter(new StringWriter()), forEver, (code, why) -> ended.countDown())
                .run(
                        new ByteArrayInputStream(
                                (request("fit") + "\n{\"close\":true}\n").getBytes(StandardCharsets.UTF_8)),
                        "1");

        assertThat(inTime).containsExactly(true);
    }
}
