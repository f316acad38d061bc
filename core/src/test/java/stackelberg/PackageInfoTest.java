package stackelberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every package says what it holds, and what it shows of its use is Java that compiles. */
class PackageInfoTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\R(.*?)\\R \\* }</pre>", Pattern.DOTALL);

    /** The rooms that a user enters. */
    private static final Set<String> ENTERED = Set.of(
            "data",
            "data.io",
            "data.wish",
            "game",
            "sphere",
            "solver",
            "certificate",
            "objective",
            "model",
            "model.tuning",
            "model.response",
            "model.export");

    /** What examples take for granted. */
    private static final String GIVEN = """
            Table table;
            StackelbergModel model;
            PredictionGame game;
            SphereProblem problem;
            Workers workers;
            Path file;
            double[] predictions;
            Matrix x;
            double[] y;
            double[] weights;
            int[][] folds;
            """;

    @TempDir
    Path folder;

    private static Set<String> packages() {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> SOURCES.relativize(file.getParent()).toString().replaceAll("[/\\\\]", "."))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path info(String name) {
        return SOURCES.resolve(name.replace('.', '/')).resolve("package-info.java");
    }

    private static List<String> examples(String name) throws IOException {
        Matcher matcher = EXAMPLE.matcher(Files.readString(info(name)));
        List<String> examples = new ArrayList<>();
        while (matcher.find()) {
            examples.add(matcher.group(1).replaceAll("(?m)^ \\* ?", ""));
        }
        return examples;
    }

    @Test
    void everyPackageSaysWhatItHolds() {
        assertThat(packages()).allSatisfy(name -> assertThat(info(name)).exists());
    }

    @Test
    void publicPackagesHaveAnExample() {
        assertThat(packages())
                .containsAll(ENTERED.stream().map(name -> "stackelberg." + name).toList());
        assertThat(ENTERED)
                .allSatisfy(name -> assertThat(examples("stackelberg." + name)).isNotEmpty());
    }

    @Test
    void theExamplesCompile() throws IOException {
        String imports = Stream.concat(Stream.of("java.nio.file", "java.util"), packages().stream())
                .map(name -> "import " + name + ".*;\n")
                .collect(Collectors.joining());
        List<JavaFileObject> sources = new ArrayList<>();
        for (String name : packages()) {
            for (String example : examples(name)) {
                String unit = "Example" + sources.size();
                // of fields, so that an example may declare a name itself
                sources.add(source(
                        unit,
                        imports + "class " + unit + " {\n" + GIVEN + "// " + name + "\nvoid run() {\n" + example
                                + "\n}\n}\n"));
            }
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options =
                List.of("-classpath", System.getProperty("java.class.path"), "-proc:none", "-d", folder.toString());
        compiler.getTask(null, null, found, options, null, sources).call();
        assertThat(found.getDiagnostics()).isEmpty();
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
