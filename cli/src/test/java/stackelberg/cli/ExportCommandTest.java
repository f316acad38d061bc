package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jpmml.evaluator.EvaluationException;
import org.jpmml.evaluator.Evaluator;
import org.jpmml.evaluator.InputField;
import org.jpmml.evaluator.LoadingModelEvaluatorBuilder;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import tools.jackson.databind.JsonNode;

/** Exported rules must say what predict says, evaluated by an SQL database and by a PMML evaluator. */
class ExportCommandTest {
    private static final String QUOTED = "a \"b\" 'c'";
    private static final String SCRIPT = "<script>alert(1)</script> & co";
    private static final String UNICODE = "größe λ 身長 😀";
    private static final List<String> NUMBERS = List.of(QUOTED, SCRIPT, UNICODE);
    private static final String KIND = "kind; DROP TABLE people --";
    private static final String COLOUR = "colour = <rot>";
    private static final List<String> KINDS = List.of("it's", "\"x\" & <y>", "blå");
    private static final List<String> COLOURS = List.of("rouge", "vert,bleu");

    @TempDir
    Path folder;

    private final List<Map<String, Object>> people = new ArrayList<>();
    private Path data;

    @BeforeEach
    void people() {
        Random random = new Random(62_001);
        StringBuilder csv = new StringBuilder();
        List<String> names = new ArrayList<>(NUMBERS);
        names.addAll(List.of(KIND, COLOUR));
        csv.append(names.stream().map(ExportCommandTest::cell).collect(Collectors.joining(",")))
                .append(",y,hope\n");
        for (int i = 0; i < 80; i++) {
            Map<String, Object> person = new LinkedHashMap<>();
            double y = 0;
            for (int j = 0; j < NUMBERS.size(); j++) {
                double value = Math.rint(1e4 * (j - 1 + random.nextGaussian())) / 1e4;
                person.put(NUMBERS.get(j), value);
                y += (j - 1.3) * value;
            }
            int kind = random.nextInt(KINDS.size());
            int colour = random.nextInt(COLOURS.size());
            person.put(KIND, KINDS.get(kind));
            person.put(COLOUR, COLOURS.get(colour));
            y = Math.rint(100 * (y + 2 * kind - colour + random.nextGaussian())) / 100;
            csv.append(row(person))
                    .append(',')
                    .append(y)
                    .append(',')
                    .append(y + random.nextInt(4))
                    .append('\n');
            people.add(person);
        }
        data = Samples.file(folder, "people.csv", csv.toString());
    }

    @Test
    void sqlGivesThePredictionsOfPredict() throws Exception {
        for (List<String> options : List.of(List.<String>of(), List.of("--paper"), List.of("--immutable", COLOUR))) {
            Path model = fit(options);
            String select = export(model, "--as", "sql", "--table", "the \"people\" table");
            String expression = export(model, "--as", "sql");
            assertThat(select).contains(expression.lines().findFirst().orElseThrow());
            assertClose(sql(select, people), predictions(model, data));
            assertClose(
                    sql("SELECT " + expression + " AS \"prediction\" FROM " + TABLE, people), predictions(model, data));
        }
    }

    @Test
    void pmmlGivesThePredictionsOfPredict() throws Exception {
        for (List<String> options : List.of(List.<String>of(), List.of("--paper"), List.of("--immutable", COLOUR))) {
            Path model = fit(options);
            assertClose(pmml(export(model, "--as", "pmml"), people), predictions(model, data));
        }
    }

    @Test
    void whatPredictRefusesHasNoPrediction() throws Exception {
        Path model = fit(List.of());
        List<Map<String, Object>> odd =
                List.of(changed(KIND, "nobody"), changed(KIND, null), changed(UNICODE, null), changed(COLOUR, "rouge"));
        Path oddData = csv("odd.csv", odd);
        assertThat(Run.stackelberg("predict", model, oddData).code()).isEqualTo(3);

        List<Double> bySql = sql(export(model, "--as", "sql", "--table", "the \"people\" table"), odd);
        assertThat(bySql.subList(0, 3)).containsOnlyNulls();
        assertThat(bySql.get(3)).isNotNull();
        List<Double> byPmml = pmml(export(model, "--as", "pmml"), odd);
        assertThat(byPmml.subList(0, 3)).containsOnlyNulls();
        assertThat(byPmml.get(3)).isCloseTo(bySql.get(3), within(1e-10));
    }

    @Test
    void unknownLevelsAsZeroAndMissingValuesAsMeans() throws Exception {
        Path model = fit(List.of("--missing", "mean"));
        List<Map<String, Object>> odd =
                List.of(changed(KIND, "nobody"), changed(KIND, null), changed(UNICODE, null), changed(COLOUR, "x"));
        List<Double> expected = predictions(model, csv("odd.csv", odd), "--unknown", "zero");

        assertClose(
                sql(export(model, "--as", "sql", "--table", "the \"people\" table", "--unknown", "zero"), odd),
                expected);
        assertClose(pmml(export(model, "--as", "pmml", "--unknown", "zero"), odd), expected);
    }

    @Test
    void rowsThatPredictDropsHaveNoPrediction() throws Exception {
        Path model = fit(List.of("--missing", "drop"));
        List<Map<String, Object>> odd = List.of(changed(UNICODE, null), changed(KIND, KINDS.get(0)));
        List<Double> kept = predictions(model, csv("odd.csv", odd));
        assertThat(kept).hasSize(1);

        for (List<Double> exported : List.of(
                sql(export(model, "--as", "sql", "--table", "the \"people\" table"), odd),
                pmml(export(model, "--as", "pmml"), odd))) {
            assertThat(exported.get(0)).isNull();
            assertThat(exported.get(1)).isCloseTo(kept.get(0), within(1e-10));
        }
    }

    /** Quoted text is nobody's to lay out: it was indented with the lines around it. */
    @Test
    void levelsAndNamesOfSeveralLinesAndBlanksStayAsTheyAre() throws Exception {
        String size = "size\n'1' ";
        String kind = " kind\n  of \"thing\" ";
        List<String> kinds = List.of(
                "two\nlines",
                " two\n  lines",
                "two\r\n\r\nlines",
                "two\nlines ",
                "it's\n\t\"x\" & <y>",
                "two lines",
                "--\n;");
        int people = 70;
        Random random = new Random(62_002);
        double[] sizes = random.doubles(people).toArray();
        String[] texts = IntStream.range(0, people)
                .mapToObj(i -> kinds.get(i % kinds.size()))
                .toArray(String[]::new);
        double[] y = IntStream.range(0, people)
                .mapToDouble(i -> sizes[i] + 3 * (i % kinds.size()) + random.nextGaussian())
                .toArray();
        Table rows =
                Table.of(NumericColumn.of(size, sizes), CategoricalColumn.of(kind, texts), NumericColumn.of("y", y));
        StackelbergModel fitted = StackelbergRegression.builder()
                .target("y")
                .wish("y+1")
                .wishNoise(1)
                .build()
                .fit(rows);
        Path model = folder.resolve("model.json");
        ModelFile.save(fitted, model);
        List<Double> expected = Arrays.stream(fitted.predict(rows)).boxed().toList();
        List<Map<String, Object>> persons = new ArrayList<>();
        for (int i = 0; i < people; i++) {
            Map<String, Object> person = new LinkedHashMap<>();
            person.put(size, sizes[i]);
            person.put(kind, texts[i]);
            persons.add(person);
        }
        String table = "the\n  \"people\" ";
        for (String unknown : List.of("error", "zero")) {
            String expression = export(model, "--as", "sql", "--unknown", unknown);
            String select = export(model, "--as", "sql", "--unknown", unknown, "--table", table);

            assertClose(sql(select, name(table), persons), expected);
            assertClose(sql("SELECT " + expression + " AS \"prediction\" FROM " + TABLE, persons), expected);
            assertClose(pmml(export(model, "--as", "pmml", "--unknown", unknown), persons), expected);
            if (found("sqlite3")) {
                assertClose(sqlite(select, name(table), persons), expected);
            }
        }
    }

    @Test
    void namesThatXmlCannotHoldAreRefused() {
        Path odd = Samples.file(folder, "odd.csv", "\"a\u0001\",y,hope\n1,1,2\n2,2,2\n3,1,4\n4,3,3\n");
        Path model = folder.resolve("odd.json");
        Run.stackelberg("fit", odd, "--target", "y", "--wish", "hope", "-o", model, "-q");
        Run run = Run.stackelberg("export", model, "--as", "pmml");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("U+0001").contains("Maybe rename the column");
    }

    @Test
    void aGameAndAModelWithItsDataGiveTheSameSdpaFile() {
        Path model = fit(List.of("--gamma", "0.5"));
        Path out = folder.resolve("game.dat-s");
        Run game = Run.stackelberg(
                "export", data, "--as", "sdpa", "--target", "y", "--wish", "hope", "--gamma", "0.5", "-o", out);
        assertThat(game.code()).as(game.err()).isZero();
        String ofModel = export(model, data.toString(), "--as", "sdpa");

        assertThat(ofModel).isEqualTo(Samples.read(out));
        // three numbers people can change: order n + 2
        assertThat(ofModel.lines().skip(1).limit(3)).containsExactly("2", "1", "5");
    }

    /** The cross-check by a solver nobody here wrote, through the command line. */
    @Test
    void csdpFindsTheObjectiveInTheSdpaFile() throws Exception {
        Assumptions.assumeTrue(
                found("csdp"), "No csdp on the PATH: install Debian's coinor-csdp to run this cross-check.");
        Path file = folder.resolve("game.dat-s");
        Path log = folder.resolve("csdp.log");
        export(fit(List.of("--gamma", "0.5")), data.toString(), "--as", "sdpa", "-o", file.toString());
        double objective = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--gamma", "0.5", "--json")
                .json()
                .path("objective")
                .asDouble();
        Process csdp = new ProcessBuilder("csdp", file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(csdp.waitFor()).isZero();
        double value = Samples.read(log)
                .lines()
                .filter(line -> line.startsWith("Dual objective value:"))
                .mapToDouble(line ->
                        Double.parseDouble(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow();
        assertThat(-value).isCloseTo(objective, within(1e-6 * objective));
    }

    @Test
    void wrongUsesAreNamed() {
        Path model = fit(List.of());
        assertThat(Run.stackelberg("export", model, "--as", "sdpa").err()).contains("which a model file does not hold");
        assertThat(Run.stackelberg("export", model, "--as", "pmml", "--table", "t")
                        .err())
                .contains("--table goes with --as sql");
        assertThat(Run.stackelberg("export", model, data, "--as", "sql").err()).contains("exported without data");
        assertThat(Run.stackelberg("export", "--as", "sql").err()).contains("Which model?");
        assertThat(Run.stackelberg("export", model, "--as", "xlsx").err()).contains("pmml, sql, sdpa");
        Path mixed = fit(List.of("--truthful-share", "0.5"));
        Run run = Run.stackelberg("export", mixed, data, "--as", "sdpa");
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("mixed population");
        assertThat(Run.stackelberg("export", mixed, "--as", "sql").code()).isZero();
    }

    private static final String TABLE = "\"the \"\"people\"\" table\"";

    private Path fit(List<String> options) {
        Path model = folder.resolve("model.json");
        List<Object> words =
                new ArrayList<>(List.of("fit", data, "--target", "y", "--wish", "hope", "-o", model, "-q"));
        words.addAll(options);
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return model;
    }

    private static String export(Path model, String... words) {
        List<Object> all = new ArrayList<>(List.of("export", model));
        all.addAll(List.of(words));
        Run run = Run.stackelberg(all.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run.out();
    }

    private static List<Double> predictions(Path model, Path data, String... options) {
        List<Object> words = new ArrayList<>(List.of("predict", model, data, "--json"));
        words.addAll(List.of(options));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        List<Double> predictions = new ArrayList<>();
        for (JsonNode row : run.json().path("predictions")) {
            predictions.add(row.path("prediction").asDouble());
        }
        return predictions;
    }

    private static boolean found(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static List<Double> sql(String select, List<Map<String, Object>> rows) throws Exception {
        return sql(select, TABLE, rows);
    }

    private static List<Double> sql(String select, String table, List<Map<String, Object>> rows) throws Exception {
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:")) {
            database.createStatement().execute(table(table, "INT AUTO_INCREMENT", rows));
            for (Map<String, Object> row : rows) {
                String marks = row.keySet().stream().map(n -> "?").collect(Collectors.joining(", "));
                PreparedStatement insert = database.prepareStatement(
                        "INSERT INTO " + table + " (" + names(row) + ") VALUES (" + marks + ")");
                int k = 1;
                for (Object value : row.values()) {
                    insert.setObject(k++, value);
                }
                insert.execute();
            }
            List<Double> predictions = new ArrayList<>();
            ResultSet result = database.createStatement().executeQuery(select.replace(";\n", "") + " ORDER BY id");
            while (result.next()) {
                double value = result.getDouble("prediction");
                predictions.add(result.wasNull() ? null : value);
            }
            return predictions;
        }
    }

    /** The same by SQLite's own shell, which is another opinion on what the standard says. */
    private List<Double> sqlite(String select, String table, List<Map<String, Object>> rows) throws Exception {
        StringBuilder script = new StringBuilder(table(table, "INTEGER PRIMARY KEY", rows)).append(";\n");
        for (Map<String, Object> row : rows) {
            String values = row.values().stream()
                    .map(v -> v instanceof String text ? "'" + text.replace("'", "''") + "'" : String.valueOf(v))
                    .collect(Collectors.joining(", "));
            script.append("INSERT INTO " + table + " (" + names(row) + ") VALUES (" + values + ");\n");
        }
        script.append("SELECT \"prediction\" FROM (" + select.replace(";\n", "") + ") ORDER BY id;\n");
        Path input = Samples.file(folder, "script.sql", script.toString());
        Path printed = folder.resolve("sqlite.out");
        Process shell = new ProcessBuilder("sqlite3", "-batch", "-bail")
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        assertThat(shell.waitFor()).as(Samples.read(printed)).isZero();
        return Samples.read(printed)
                .lines()
                .map(line -> line.isEmpty() ? null : Double.valueOf(line))
                .toList();
    }

    private static String table(String name, String id, List<Map<String, Object>> rows) {
        return "CREATE TABLE " + name + " (id " + id
                + rows.get(0).entrySet().stream()
                        .map(e -> ", " + name(e.getKey())
                                + (e.getValue() instanceof String || KIND.equals(e.getKey())
                                        ? " VARCHAR(99)"
                                        : " DOUBLE PRECISION"))
                        .collect(Collectors.joining())
                + ")";
    }

    private static String names(Map<String, Object> row) {
        return row.keySet().stream().map(ExportCommandTest::name).collect(Collectors.joining(", "));
    }

    private static List<Double> pmml(String document, List<Map<String, Object>> rows) throws Exception {
        Evaluator evaluator = new LoadingModelEvaluatorBuilder()
                .load(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)))
                .build();
        evaluator.verify();
        List<Double> predictions = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            Map<String, Object> arguments = new LinkedHashMap<>();
            try {
                for (InputField field : evaluator.getInputFields()) {
                    arguments.put(field.getName(), field.prepare(row.get(field.getName())));
                }
                Object value = evaluator.evaluate(arguments).get("prediction");
                predictions.add((Double) value);
            } catch (EvaluationException e) {
                predictions.add(null);
            }
        }
        return predictions;
    }

    private static void assertClose(List<Double> actual, List<Double> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(actual.get(i)).as("row " + i).isCloseTo(expected.get(i), within(1e-10));
        }
    }

    /** The first person with one value changed. */
    private Map<String, Object> changed(String column, Object value) {
        Map<String, Object> person = new LinkedHashMap<>(people.get(0));
        person.put(column, value);
        return person;
    }

    private Path csv(String name, List<Map<String, Object>> rows) {
        String header =
                rows.get(0).keySet().stream().map(ExportCommandTest::cell).collect(Collectors.joining(","));
        return Samples.file(
                folder,
                name,
                header + "\n" + rows.stream().map(ExportCommandTest::row).collect(Collectors.joining("\n")) + "\n");
    }

    private static String row(Map<String, Object> person) {
        return person.values().stream().map(v -> v == null ? "" : cell(v)).collect(Collectors.joining(","));
    }

    private static String cell(Object value) {
        return value instanceof String text ? "\"" + text.replace("\"", "\"\"") + "\"" : String.valueOf(value);
    }

    private static String name(String column) {
        return "\"" + column.replace("\"", "\"\"") + "\"";
    }
}
