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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.linalg.Workers;
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
    @Tag("slow")
    void pmmlGivesThePredictionsOfPredict() throws Exception {
        for (List<String> options : List.of(List.<String>of(), List.of("--paper"), List.of("--immutable", COLOUR))) {
            Path model = fit(options);
            assertClose(pmml(export(model, "--as", "pmml"), people), predictions(model, data));
        }
    }

    @Test
    void rowsThatPredictRefusesHaveNoPrediction() throws Exception {
        Path model = fit(List.of());
        List<Map<String, Object>> odd = List.of(
                changed(KIND, "unknown"), changed(KIND, null), changed(UNICODE, null), changed(COLOUR, "rouge"));
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
                List.of(changed(KIND, "unknown"), changed(KIND, null), changed(UNICODE, null), changed(COLOUR, "x"));
        List<Double> expected = predictions(model, csv("odd.csv", odd), "--unknown", "zero");

        assertClose(
                sql(export(model, "--as", "sql", "--table", "the \"people\" table", "--unknown", "zero"), odd),
                expected);
        assertClose(pmml(export(model, "--as", "pmml", "--unknown", "zero"), odd), expected);
    }

    @Test
    void rowsThatPredictDropsHaveNoPrediction() throws Exception {
        Path model = fit(List.of("--missing", "drop"));
        List<Map<String, Object>> odd =
                List.of(changed(UNICODE, null), changed(KIND, KINDS.get(0)), changed(KIND, null));
        List<Double> kept = predictions(model, csv("odd.csv", odd));
        assertThat(kept).hasSize(1);

        for (List<Double> exported : List.of(
                sql(export(model, "--as", "sql", "--table", "the \"people\" table"), odd),
                pmml(export(model, "--as", "pmml"), odd))) {
            assertThat(exported.get(0)).isNull();
            assertThat(exported.get(1)).isCloseTo(kept.get(0), within(1e-10));
            assertThat(exported.get(2)).isNull();
        }
    }

    /** Quoted text keeps its line layout and is not indented with the lines around it. */
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
    void yesOrNoRulesGiveProbabilitiesEverywhere() throws Exception {
        for (List<String> options :
                List.of(List.<String>of(), List.of("--immutable", COLOUR), List.of("--yes", "<2"))) {
            Path model = fitYesOrNo(options);
            List<Double> expected = probabilities(model, people);
            assertClose(sql(export(model, "--as", "sql", "--table", "the \"people\" table"), people), expected);
            assertClose(
                    sql("SELECT " + export(model, "--as", "sql") + " AS \"prediction\" FROM " + TABLE, people),
                    expected);
            assertClose(pmml(export(model, "--as", "pmml"), people), expected);
        }
    }

    @Test
    void scoresWhoseExponentialOverflowsAndMissingValuesAreNoErrorInSql() throws Exception {
        Path model = fitYesOrNo(List.of());
        List<Map<String, Object>> odd = List.of(
                changed(UNICODE, 1e6), changed(UNICODE, -1e6), changed(UNICODE, null), changed(KIND, "unknown"));
        List<Double> found = sql(export(model, "--as", "sql", "--table", "the \"people\" table"), odd);
        assertThat(found.subList(0, 2)).containsExactlyInAnyOrder(0.0, 1.0);
        assertThat(found.subList(2, 4)).containsOnlyNulls();
    }

    @Test
    void theCardIsScoredAlikeByHandAndByAPmmlEvaluator() throws Exception {
        Path model = fitYesOrNo(List.of());
        List<String> card = List.of("--base", "500", "--odds", "20", "--pdo", "15");
        Path csv = folder.resolve("card.csv");
        String text = export(model, words(card, "--as", "points", "-o", csv.toString()));
        assertThat(text)
                .contains("total of 500 means odds of 20 to 1")
                .contains("every additional 15 points double the odds")
                .contains("DATA");
        Table lines = DataFile.read(csv, Workers.of(1));
        String document = export(model, words(card, "--as", "scorecard"));
        Evaluator evaluator = new LoadingModelEvaluatorBuilder()
                .load(new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)))
                .build();
        evaluator.verify();
        List<Double> exact = probabilities(model, people);
        for (int i = 0; i < people.size(); i++) {
            Map<String, Object> person = people.get(i);
            double points = 0;
            Map<String, Double> byColumn = new LinkedHashMap<>();
            for (int k = 0; k < lines.rows(); k++) {
                double count = lines.numeric("points").value(k);
                String column = lines.column("column").text(k).orElse("");
                String level = lines.column("level").text(k).orElse("");
                assertThat(count).isEqualTo(Math.rint(count));
                if (column.isEmpty()) {
                    points += count;
                } else if (level.isEmpty()) {
                    byColumn.merge(
                            column,
                            count
                                    * (Double) person.get(column)
                                    / lines.numeric("step").value(k),
                            Double::sum);
                } else {
                    byColumn.merge(column, person.get(column).equals(level) ? count : 0, Double::sum);
                }
            }
            points +=
                    byColumn.values().stream().mapToDouble(Double::doubleValue).sum();
            Map<String, Object> arguments = new LinkedHashMap<>();
            for (InputField field : evaluator.getInputFields()) {
                arguments.put(field.getName(), field.prepare(person.get(field.getName())));
            }
            Map<String, ?> scored = evaluator.evaluate(arguments);
            assertThat((Double) scored.get("points")).isCloseTo(points, within(1e-9 * Math.abs(points)));
            // 20 to 1 at 500 points, twice that 15 points further
            double odds = exact.get(i) / (1 - exact.get(i));
            double unrounded = 500 + 15 * Math.log(odds / 20) / Math.log(2);
            assertThat(points).isCloseTo(unrounded, within(15.0));
            assertReasons(scored, byColumn, lines, document);
        }
    }

    /** A reason is a column by which somebody has fewer points than people of its mean, the farthest below first. */
    private void assertReasons(Map<String, ?> scored, Map<String, Double> byColumn, Table lines, String document) {
        Map<String, Double> below = new LinkedHashMap<>();
        byColumn.forEach((column, points) -> {
            double mean = NUMBERS.contains(column)
                    ? people.stream()
                            .mapToDouble(p -> (Double) p.get(column))
                            .average()
                            .orElseThrow()
                    : 0;
            double baseline = 0;
            for (int k = 0; k < lines.rows() && NUMBERS.contains(column); k++) {
                if (lines.column("column").text(k).orElse("").equals(column)) {
                    baseline = lines.numeric("points").value(k)
                            * mean
                            / lines.numeric("step").value(k);
                }
            }
            below.put(column, baseline - points);
        });
        List<String> expected = below.entrySet().stream()
                .sorted((a, b) -> Double.compare(b.getValue(), a.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(scored.get("reason1")).isEqualTo(expected.get(0));
        assertThat(document).contains("reasonCodeAlgorithm=\"pointsBelow\"");
    }

    @Test
    void theCostOfRoundingIsTheLossOfTheCardInTheGame() {
        Path model = fitYesOrNo(List.of("--ridge", "0.01", "--hedge", "none"));
        JsonNode told = Run.stackelberg("export", model, answers, "--as", "points", "--json")
                .json();
        StackelbergModel fitted = ModelFile.load(model);
        double rule = told.path("cost").path("rule").asDouble();
        assertThat(rule).isCloseTo(fitted.optimality().objective(), within(1e-9 * rule));
        double card = told.path("cost").path("card").asDouble();
        assertThat(card).isGreaterThan(rule);
        assertThat(told.path("cost").path("most").asDouble())
                .isCloseTo(card - rule + fitted.optimality().gapBound(), within(1e-9 * rule));
        double fine = Run.stackelberg("export", model, answers, "--as", "points", "--pdo", "20000", "--json")
                .json()
                .path("cost")
                .path("rounding")
                .asDouble();
        assertThat(fine).isBetween(0.0, (card - rule) / 1000);
        assertThat(Run.stackelberg("export", model, answers, "--as", "points").out())
                .contains("Proven: no rule has a loss");
        Path others = Samples.file(
                folder,
                "others.csv",
                Samples.read(answers)
                        + Samples.read(answers).lines().skip(1).limit(1).collect(Collectors.joining()) + "\n");
        assertThat(Run.stackelberg("export", model, others, "--as", "points").out())
                .contains("On these data it is not proven");
    }

    @Test
    void pointsAreForYesOrNo() {
        Run run = Run.stackelberg("export", fit(List.of()), "--as", "points");
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("A scorecard is for a yes or no").contains("--loss logistic");
        assertThat(Run.stackelberg("export", fit(List.of()), "--as", "sql", "--pdo", "20")
                        .err())
                .contains("go with --as points");
        assertThat(Run.stackelberg("export", fitYesOrNo(List.of()), "--as", "points", "--odds", "-1")
                        .code())
                .isEqualTo(2);
    }

    private Path answers;

    /** The same people with a yes or no by whether y is above 2, and with mistakes. */
    private Path fitYesOrNo(List<String> options) {
        boolean numbers = options.contains("--yes");
        List<String> lines = Samples.read(data).lines().toList();
        Random random = new Random(62_003);
        StringBuilder csv = new StringBuilder(lines.get(0)).append('\n');
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            double y = Double.parseDouble(cells[cells.length - 2]) + 3 * random.nextGaussian();
            String answer = numbers ? String.valueOf(y) : y > 2 ? "ja" : "nein";
            csv.append(line, 0, line.lastIndexOf(',', line.lastIndexOf(',') - 1))
                    .append(',')
                    .append(answer)
                    .append(",0.9\n");
        }
        answers = Samples.file(folder, "answers.csv", csv.toString());
        Path model = folder.resolve("answers.json");
        List<Object> words = new ArrayList<>(
                List.of("fit", answers, "--target", "y", "--wish", "hope", "--loss", "logistic", "-o", model, "-q"));
        words.addAll(options);
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return model;
    }

    private List<Double> probabilities(Path model, List<Map<String, Object>> persons) {
        Table rows = DataFile.read(csv("persons.csv", persons), Workers.of(1));
        return Arrays.stream(ModelFile.load(model).probabilities(rows)).boxed().toList();
    }

    private static String[] words(List<String> some, String... more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
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
        Path model = fit(List.of("--gamma", "0.5", "--hedge", "none"));
        Path out = folder.resolve("game.dat-s");
        Run game = Run.stackelberg(
                "export", data, "--as", "sdpa", "--target", "y", "--wish", "hope", "--gamma", "0.5", "-o", out);
        assertThat(game.code()).as(game.err()).isZero();
        String ofModel = export(model, data.toString(), "--as", "sdpa");

        assertThat(ofModel).isEqualTo(Samples.read(out));
        // three numbers people can change: order n + 2
        assertThat(ofModel.lines().skip(1).limit(3)).containsExactly("2", "1", "5");
    }

    /** The cross-check by an independent solver, through the command line. */
    @Test
    void csdpFindsTheObjectiveInTheSdpaFile() throws Exception {
        Assumptions.assumeTrue(
                found("csdp"), "No csdp on the PATH: install Debian's coinor-csdp to run this cross-check.");
        Path file = folder.resolve("game.dat-s");
        Path log = folder.resolve("csdp.log");
        export(
                fit(List.of("--gamma", "0.5", "--hedge", "none")),
                data.toString(),
                "--as",
                "sdpa",
                "-o",
                file.toString());
        double objective = Run.stackelberg(
                        "fit", data, "--target", "y", "--wish", "hope", "--gamma", "0.5", "--hedge", "none", "--json")
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
    void wrongUsageIsNamed() {
        Path model = fit(List.of());
        assertThat(Run.stackelberg("export", model, "--as", "sdpa").err())
                .contains("which a model file does not contain");
        assertThat(Run.stackelberg("export", model, "--as", "pmml", "--table", "t")
                        .err())
                .contains("--table goes with --as sql");
        assertThat(Run.stackelberg("export", model, data, "--as", "sql").err()).contains("exported without data");
        assertThat(Run.stackelberg("export", "--as", "sql").err()).contains("Which model?");
        assertThat(Run.stackelberg("export", model, "--as", "xlsx").err())
                .contains("pmml, sql, points, scorecard, sdpa");
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
