package stackelberg.cli.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.CsvText;
import stackelberg.cli.answer.JsonText;
import stackelberg.cli.answer.LossWords;
import stackelberg.cli.answer.ModelAnswer;
import stackelberg.cli.answer.PersonId;
import stackelberg.cli.answer.PredictionAnswer;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.DatabaseOptions;
import stackelberg.cli.option.IdOption;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.PeopleOptions;
import stackelberg.cli.option.RawTextOption;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.data.Column;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.Loss;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** {@code stackelberg predict}: the predictions for people as they are, and after they have moved towards their wish. */
@Command(
        name = "predict",
        description = "Predict for new people: as they are and, where their wishes are known, once they have moved.",
        sortOptions = false,
        footer = {
            "  stackelberg predict wine.json new.csv > predictions.csv",
            "  stackelberg predict wine.json new.csv --wish \"max(p,6)\" -o predictions.csv",
            "  stackelberg predict wine.json new.parquet -o predictions.parquet",
            "  stackelberg predict model.json --x X.npy --json"
        })
public final class PredictCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model file, as fit -o writes it.")
    private Path modelFile;

    @Parameters(index = "1", paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private @Nullable String data;

    @Mixin
    private PeopleOptions people;

    @Mixin
    private IdOption id;

    @Mixin
    private RawTextOption rawText;

    @Option(
            names = "-o",
            paramLabel = "FILE",
            description = "Write the predictions to a file, as Parquet if its name ends in .parquet.")
    private @Nullable Path file;

    @Mixin
    private DataOptions input;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        OutputFile.refuseInputsOfTable(command, file, modelFile);
        OutputFile.refuseInputsOfTable(command, file, input.files(data));
        refuseJson(command);
        input.database().requireParquet(file);
        Workers workers = input.workers(command);
        StackelbergModel model = ModelArgument.load(modelFile, data, command);
        Table table = id.read(input, data, model, people, workers, command);
        World world = id.applyTo(people.applyTo(model.world()));
        Optional<Wish> wish = people.wishRule(world, table);
        Set<String> looked = new HashSet<>(wish.map(Wish::columns).orElse(Set.of()));
        String gammas = model.game().rowGamma();
        looked.add(gammas);
        PeopleOptions.noteIgnored("model", world, table, looked, output, command);
        Table rows = people.rowsInUse(world, table, List.of(), output, command);

        double[] p = people.predictions(world, model.rule(), rows);
        Optional<double[]> wishes = wish.map(rule -> world.wishes(rule, rows, p));
        // under limits the share of the gap that people close depends on their wish
        Optional<double[]> pulls = model.game().limits().none()
                ? model.pullThroughs(rows)
                : wishes.flatMap(z -> model.pullThroughs(rows, p, z, workers));
        if (wishes.isPresent() && pulls.isEmpty() && model.optimality().finite()) {
            output.note(
                    command,
                    "How people respond is not known: the data lack the column '" + gammas + "' of their gammas.");
        }
        Predicted predicted = new Predicted(
                rows,
                world.id(rows),
                p,
                wishes,
                wishes.flatMap(z -> pulls.map(t -> model.afterResponse(p, z, t))),
                gammas == null ? Optional.empty() : pulls,
                world.spec().loss());
        if (file != null && DatabaseOptions.isParquet(file)) {
            Map<String, String> types =
                    CsvText.types(predicted.header(), predicted.id().isPresent());
            byte[] csv = predicted.csv(rawText.of(file)).getBytes(StandardCharsets.UTF_8);
            input.database().write(file, types, out -> out.write(csv), workers);
        } else {
            OutputFile.writeOrPrint(
                    file,
                    output.json()
                            ? JsonText.of(predicted.answer(model, world)) + "\n"
                            : predicted.csv(rawText.of(file)),
                    command);
        }
        if (!model.optimality().finite()) {
            output.note(
                    command,
                    "Warning: The model has no finite equilibrium, so its predictions have no meaning. Maybe fit it again with --wish-noise.");
        }
        return ExitCode.of(model.optimality().finite());
    }

    private void refuseJson(CommandLine command) {
        if (output.json() && DatabaseOptions.isParquet(file)) {
            throw new ParameterException(
                    command,
                    "-o " + file
                            + ": a Parquet file cannot hold JSON.\nMaybe leave out --json, or name a file that does not end in .parquet.");
        }
    }

    /**
     * The prediction for each person and, where wishes are known, the wish, the prediction after the move and the person's own pull-through. All are
     * scores; with logistic loss they are printed both as probabilities and as scores.
     */
    private record Predicted(
            Table rows,
            Optional<Column> id,
            double[] p,
            Optional<double[]> z,
            Optional<double[]> after,
            Optional<double[]> pulls,
            Loss loss) {
        List<String> header() {
            List<String> header = new ArrayList<>(List.of("row", "prediction"));
            header.addAll(loss.isLogistic() ? List.of("score") : List.of());
            header.addAll(z.isPresent() ? List.of("wish") : List.of());
            header.addAll(pulls.isPresent() ? List.of("pull_through") : List.of());
            header.addAll(after.isPresent() ? List.of("after_response") : List.of());
            header.addAll(after.isPresent() && loss.isLogistic() ? List.of("after_score") : List.of());
            id.ifPresent(column -> header.add(0, CsvText.idName(column, header)));
            return header;
        }

        String csv(boolean raw) {
            CsvText csv = new CsvText(header(), raw);
            List<Object> cells = new ArrayList<>();
            for (int i = 0; i < p.length; i++) {
                cells.clear();
                if (id.isPresent()) {
                    cells.add(id.get().text(i).orElse(null));
                }
                cells.add(rows.rowNumber(i));
                cells.add(loss.prediction(p[i]));
                if (loss.isLogistic()) {
                    cells.add(p[i]);
                }
                if (z.isPresent()) {
                    cells.add(LossWords.wish(loss, z.get()[i]));
                }
                if (pulls.isPresent()) {
                    cells.add(pulls.get()[i]);
                }
                if (after.isPresent()) {
                    cells.add(loss.prediction(after.get()[i]));
                    if (loss.isLogistic()) {
                        cells.add(after.get()[i]);
                    }
                }
                csv.row(cells);
            }
            return csv.toString();
        }

        PredictionAnswer answer(StackelbergModel model, World world) {
            return new PredictionAnswer(
                    model.game().chosenTarget(),
                    loss.isSquared() ? null : loss.inWords(),
                    model.gamma(),
                    model.pullThrough(),
                    p.length,
                    ModelAnswer.Filled.of(world.encoding(), world.filled(rows)),
                    IntStream.range(0, p.length).mapToObj(this::person).toList());
        }

        private PredictionAnswer.Person person(int i) {
            boolean logistic = loss.isLogistic();
            double moved = after.isPresent() ? after.get()[i] : Double.NaN;
            return new PredictionAnswer.Person(
                    PersonId.of(id, i),
                    rows.rowNumber(i),
                    loss.prediction(p[i]),
                    logistic ? p[i] : null,
                    z.isPresent() ? LossWords.wish(loss, z.get()[i]) : Double.NaN,
                    pulls.isPresent() ? pulls.get()[i] : null,
                    loss.prediction(moved),
                    logistic ? moved : null);
        }
    }
}
