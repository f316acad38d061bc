package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
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
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.Words;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.cli.text.Json;
import stackelberg.data.Feature;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.UnknownLevel;
import stackelberg.data.wish.Wish;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** {@code stackelberg predict}: what the rule says of people as they are, and after they have moved towards their wish. */
@Command(
        name = "predict",
        description =
                "Apply a rule to new people: as they are and, where their wishes are known, after they have moved.",
        sortOptions = false,
        footer = {
            "  stackelberg predict wine.json new.csv > predictions.csv",
            "  stackelberg predict wine.json new.csv --wish \"max(p,6)\" -o predictions.csv",
            "  stackelberg predict model.json --x X.npy --json"
        })
public final class PredictCommand implements Callable<Integer> {
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

    @Option(
            names = "--missing",
            paramLabel = "error|drop|mean",
            converter = Words.OfMissing.class,
            completionCandidates = Words.OfMissing.class,
            description = "What becomes of missing values (default: as the model was fitted).")
    private Missing missing;

    @Option(names = "-o", paramLabel = "FILE", description = "Write the predictions to a file.")
    private Path file;

    @Mixin
    private DataOptions input;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        OutputFile.refuseInputs(command, file, modelFile);
        OutputFile.refuseInputs(command, file, input.files(data));
        Workers workers = input.workers(command);
        StackelbergModel model = load();
        Table table = input.readTable(data, model, workers, command);
        Optional<Wish> wish =
                wishRule == null ? model.wishRule(table) : Optional.of(Wish.parse(wishRule, table.names(), true));
        noteIgnored(model, table, wish.map(Wish::columns).orElse(Set.of()));
        Table rows = rowsInUse(model, table);

        double[] predictions = model.predict(rows, unknown);
        Optional<double[]> wishes = wish.map(w -> wishes(w, model, rows, predictions));
        Optional<double[]> pulls = model.pullThroughs(rows);
        if (wishes.isPresent() && pulls.isEmpty()) {
            output.note(
                    command,
                    "How people respond is not known: the data lack the column '"
                            + model.game().rowGamma() + "' of their gammas.");
        }
        Optional<double[]> after = wishes.flatMap(z -> pulls.map(t -> model.afterResponse(predictions, z, t)));
        Optional<double[]> shownPulls = model.game().rowGamma() == null ? Optional.empty() : pulls;
        String text = output.json
                ? Json.write(object(model, rows, predictions, wishes, after, shownPulls)) + "\n"
                : csv(rows, predictions, wishes, after, shownPulls);
        OutputFile.writeOrPrint(file, text, command);
        if (!model.optimality().finite()) {
            output.note(
                    command,
                    "Warning: The model has no finite equilibrium; only what people wish means anything here.");
        }
        return ExitCode.of(model.optimality().finite());
    }

    private StackelbergModel load() {
        StackelbergModel model = ModelArgument.load(modelFile, data, spec.commandLine());
        return missing == null ? model : model.withMissing(missing);
    }

    private Table rowsInUse(StackelbergModel model, Table table) {
        // absent columns are not this step's business: predicting names them all
        List<String> features = model.encoding().features().stream()
                .map(Feature::column)
                .filter(table::has)
                .toList();
        Missing.RowsInUse used = model.encoding().missing().apply(table, features, List.of());
        if (used.dropped() > 0) {
            output.note(spec.commandLine(), "Rows left out because a value is missing: " + used.dropped() + ".");
        }
        return used.table();
    }

    private static double[] wishes(Wish wish, StackelbergModel model, Table rows, double[] predictions) {
        String target = model.game().target();
        double[] y =
                wish.usesTarget() && rows.has(target) ? rows.numeric(target).values() : null;
        return wish.freeze(rows, y).evaluate(rows, y, predictions);
    }

    private void noteIgnored(StackelbergModel model, Table table, Set<String> wishColumns) {
        List<String> ignored = new ArrayList<>(model.encoding().ignored(table));
        ignored.remove(model.game().target());
        ignored.remove(model.game().weight());
        ignored.remove(model.game().rowGamma());
        ignored.removeAll(wishColumns);
        if (!ignored.isEmpty()) {
            output.note(spec.commandLine(), "Not features of the model: " + String.join(", ", ignored) + ".");
        }
    }

    private static String csv(
            Table rows, double[] p, Optional<double[]> z, Optional<double[]> after, Optional<double[]> pulls) {
        StringBuilder csv = new StringBuilder("row,prediction");
        csv.append(z.isPresent() ? ",wish" : "");
        csv.append(pulls.isPresent() ? ",pull_through" : "");
        csv.append(after.isPresent() ? ",after_response" : "").append('\n');
        for (int i = 0; i < p.length; i++) {
            csv.append(rows.rowNumber(i)).append(',').append(p[i]);
            for (Optional<double[]> column : List.of(z, pulls, after)) {
                if (column.isPresent()) {
                    csv.append(',').append(column.get()[i]);
                }
            }
            csv.append('\n');
        }
        return csv.toString();
    }

    private static Map<String, Object> object(
            StackelbergModel model,
            Table rows,
            double[] p,
            Optional<double[]> z,
            Optional<double[]> after,
            Optional<double[]> pulls) {
        List<Map<String, Object>> predictions = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("row", rows.rowNumber(i));
            row.put("prediction", Json.finite(p[i]));
            row.put("wish", z.isPresent() ? Json.finite(z.get()[i]) : null);
            if (pulls.isPresent()) {
                row.put("pullThrough", Json.finite(pulls.get()[i]));
            }
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
