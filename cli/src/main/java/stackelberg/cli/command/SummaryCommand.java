package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.SummaryAnswer;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.text.Summary;
import stackelberg.cli.text.TextTable;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** {@code stackelberg summary}: everything a model knows, for a person. */
@Command(
        name = "summary",
        description = "Everything a model knows: the rule, the game it is for, the proof, and where it came from.",
        sortOptions = false,
        footer = {"  stackelberg summary wine.json", "  stackelberg summary wine.json --json"})
public final class SummaryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model file, as fit -o writes it.")
    private Path modelFile;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        StackelbergModel model = ModelFile.load(modelFile);
        output.print(command, () -> SummaryAnswer.of(model), () -> text(model));
        output.warn(command, model.warnings());
        return ExitCode.of(model.certified());
    }

    private static String text(StackelbergModel model) {
        return Summary.of(model) + "\n" + game(model) + "\n" + features(model) + "\n" + origin(model);
    }

    private static String game(StackelbergModel model) {
        GameSpec game = model.game();
        TextTable table = new TextTable(1).add("the game", "");
        table.add("target", game.target());
        table.add("wish", game.wish() == null ? "given as numbers" : game.wish());
        table.add(
                "gamma",
                game.rowGamma() == null
                        ? Numbers.plain(model.gamma())
                        : "everybody's own (column " + game.rowGamma() + "); costs below are at the median, "
                                + Numbers.plain(model.gamma()));
        table.add("wish noise", Numbers.plain(game.wishNoise()));
        table.add("weight", game.weight() == null ? "none" : game.weight());
        table.add("intercept", game.intercept().name().toLowerCase(Locale.ROOT));
        model.provenance().options().forEach((name, value) -> {
            if (!name.equals("wish") && !name.equals("intercept")) {
                // a file keeps 2 as 2.0
                table.add(name, value.matches("-?[0-9]+\\.0") ? Numbers.given(Double.parseDouble(value)) : value);
            }
        });
        return table.toString();
    }

    /** Every feature, with the range it was seen in and what it costs to move it by one unit of the data. */
    private static String features(StackelbergModel model) {
        TextTable table = new TextTable().add("feature", "seen in training", "a move by 1 costs", "coefficient");
        Map<String, Double> moveCosts = model.world().moveCosts();
        Map<String, Double> coefficients = model.coefficients();
        boolean finite = model.optimality().finite();
        for (Encoding.Feature feature : model.encoding().features()) {
            if (feature.categorical()) {
                table.add(feature.column(), feature.levels().size() + " levels", "", "");
            }
            for (var column : feature.columns()) {
                Double cost = moveCosts.get(column.name());
                Encoding.Feature.Range range = feature.range();
                table.add(
                        (feature.categorical() ? "  " : "") + column.name(),
                        range == null ? "" : Numbers.number(range.min()) + " to " + Numbers.number(range.max()),
                        cost == null ? "immutable" : Numbers.number(cost),
                        finite ? Numbers.number(coefficients.get(column.name())) : "-");
            }
        }
        return table.toString();
    }

    private static String origin(StackelbergModel model) {
        StackelbergModel.Provenance from = model.provenance();
        Table.Source data = from.data();
        TextTable table = new TextTable(1).add("origin", "");
        table.add("data", data == null ? "not known" : data.name());
        if (data != null) {
            table.add("SHA-256", data.sha256());
        }
        table.add("rows", String.format(Locale.ROOT, "%,d (%,d left out)", from.rows(), from.droppedRows()));
        table.add("version", from.version());
        table.add("seed", String.valueOf(from.seed()));
        var seconds = model.solver().seconds();
        table.add(
                "seconds",
                String.format(
                        Locale.ROOT,
                        "read %.3f, assemble %.3f, solve %.3f, certify %.3f, recover %.3f, judge %.3f",
                        seconds.read(),
                        seconds.assemble(),
                        seconds.solve(),
                        seconds.certify(),
                        seconds.recover(),
                        seconds.judge()));
        return table.toString();
    }
}
