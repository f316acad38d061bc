package stackelberg.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.data.AtomicFile;
import stackelberg.data.Feature;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.UnknownLevel;
import stackelberg.data.Wish;
import stackelberg.linalg.Workers;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** {@code stackelberg predict}: what the rule says of people as they are, and after they have moved towards their wish. */
@Command(
        name = "predict",
        description =
                "Apply a rule to new people: as they are and, where their wishes are known, after they have moved.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  stackelberg predict wine.json new.csv > predictions.csv",
            "  stackelberg predict wine.json new.csv --wish \"max(p,6)\" -o predictions.csv",
            "  stackelberg predict model.json --x X.npy --json"
        })
final class PredictCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model file, as fit -o writes it.")
    private Path modelFile;

    @Parameters(index = "1", paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private String data;

    @Option(
            names = "--wish",
            paramLabel = "RULE",
            description =
                    "What these people wish: a column, or an expression in p (their prediction), y and other columns"
                            + " (default: the model's own rule, where the data have what it needs).")
    private String wishRule;

    @Option(
            names = "--unknown",
            paramLabel = "error|zero",
            converter = Words.OfUnknownLevel.class,
            completionCandidates = Words.OfUnknownLevel.class,
            description = "What becomes of categories the model does not know (default: error).")
    private UnknownLevel unknown = UnknownLevel.ERROR;

    @Option(names = "-o", paramLabel = "FILE", description = "Write the predictions to a file.")
    private Path file;

    @Mixin
    private DataOptions input;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        Workers workers = input.workers(command);
        StackelbergModel model = ModelFile.load(modelFile);
        Table table = input.readTable(data, model.encoding().categoricalColumns(), workers, command);
        noteIgnored(model, table);
        Table rows = rowsInUse(model, table);

        double[] predictions = model.predict(rows, unknown);
        Optional<double[]> wishes = wishes(model, rows, predictions);
        Optional<double[]> after = wishes.map(z -> model.afterResponse(predictions, z));
        String text = output.json
                ? Json.write(object(model, rows, predictions, wishes, after)) + "\n"
                : csv(rows, predictions, wishes, after);
        if (file != null) {
            AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
        } else {
            command.getOut().print(text);
            command.getOut().flush();
        }
        return ExitCode.CERTIFIED;
    }

    private Table rowsInUse(StackelbergModel model, Table table) {
        if (model.encoding().missing() != Missing.DROP) {
            return table;
        }
        List<String> features = model.encoding().features().stream()
                .map(Feature::column)
                .filter(table::has)
                .toList();
        Missing.RowsInUse used = Missing.DROP.apply(table, features, List.of());
        if (used.dropped() > 0) {
            output.note(spec.commandLine(), used.dropped() + " rows have missing values and get no prediction.");
        }
        return used.table();
    }

    private Optional<double[]> wishes(StackelbergModel model, Table rows, double[] predictions) {
        if (wishRule == null) {
            return model.wishes(rows, predictions);
        }
        Wish wish = Wish.parse(wishRule, rows.names(), true);
        double[] y = wish.usesTarget() ? rows.numeric(model.game().target()).values() : null;
        return Optional.of(wish.evaluate(rows, y, predictions));
    }

    private void noteIgnored(StackelbergModel model, Table table) {
        Set<String> known = new HashSet<>();
        known.add(model.game().target());
        known.add(model.game().weight());
        List<String> ignored = new ArrayList<>(model.encoding().ignored(table));
        ignored.removeAll(known);
        if (!ignored.isEmpty()) {
            output.note(spec.commandLine(), "Not features of the model: " + String.join(", ", ignored) + ".");
        }
    }

    private static String csv(Table rows, double[] p, Optional<double[]> z, Optional<double[]> after) {
        StringBuilder csv =
                new StringBuilder(z.isPresent() ? "row,prediction,wish,after_response\n" : "row,prediction\n");
        for (int i = 0; i < p.length; i++) {
            csv.append(rows.rowNumber(i)).append(',').append(p[i]);
            if (z.isPresent()) {
                csv.append(',').append(z.get()[i]).append(',').append(after.orElseThrow()[i]);
            }
            csv.append('\n');
        }
        return csv.toString();
    }

    private static Map<String, Object> object(
            StackelbergModel model, Table rows, double[] p, Optional<double[]> z, Optional<double[]> after) {
        List<Map<String, Object>> predictions = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("row", rows.rowNumber(i));
            row.put("prediction", Json.finite(p[i]));
            row.put("wish", z.isPresent() ? Json.finite(z.get()[i]) : null);
            row.put("afterResponse", after.isPresent() ? Json.finite(after.get()[i]) : null);
            predictions.add(row);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("target", model.game().target());
        object.put("gamma", Json.finite(model.gamma()));
        object.put("pullThrough", Json.finite(model.pullThrough()));
        object.put("rows", p.length);
        object.put("predictions", predictions);
        return object;
    }
}
