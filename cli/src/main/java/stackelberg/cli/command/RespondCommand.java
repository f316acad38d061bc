package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.MovesCsv;
import stackelberg.cli.answer.ResponseReport;
import stackelberg.cli.answer.Result;
import stackelberg.cli.option.CutoffOption;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.Gamma;
import stackelberg.cli.option.IdOption;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.PeopleOptions;
import stackelberg.cli.option.RawTextOption;
import stackelberg.cli.option.ReportOptions;
import stackelberg.cli.report.ReportBuilder;
import stackelberg.cli.report.ReportData;
import stackelberg.cli.report.ReportWords;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Followers;
import stackelberg.model.response.Responses;

/** {@code stackelberg respond}: which features people move, how far, and at what cost. */
@Command(
        name = "respond",
        description =
                "Show how people respond to a rule: which features they move, how far, at what cost, and what is predicted then.",
        sortOptions = false,
        footer = {
            "  stackelberg respond wine.json new.csv --wish \"max(p,6)\" -o moves.csv",
            "  stackelberg respond loans.json loans.csv --group region --top 5 -o moves.csv",
            "  stackelberg respond wine.json new.csv --json",
            "Without -o the moves go to standard output and the summary to standard error."
        })
public final class RespondCommand implements Callable<Integer> {
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
            names = "--gamma",
            paramLabel = Gamma.LABEL,
            converter = Gamma.Converter.class,
            description =
                    "How hard it really is to move, the same for everyone: a number, or a percentage as for fit, measured under the model's rule of "
                            + "today (default: what the model was fitted for).")
    private @Nullable Gamma gamma;

    @Option(names = "--group", paramLabel = "COL", description = "Print averages by the values of this column.")
    private @Nullable String group;

    @Option(
            names = "--top",
            paramLabel = "N",
            description =
                    "How many people the summary lists, those who move furthest first (default: ${DEFAULT-VALUE}).")
    private int top = 5;

    @Mixin
    private CutoffOption cutoff;

    @Option(
            names = "-o",
            paramLabel = "FILE",
            description =
                    "Write the moves of all people to a CSV file, or to a Parquet file if its name ends in .parquet.")
    private @Nullable Path file;

    @Mixin
    private DataOptions input;

    @Mixin
    private ReportOptions report;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        OutputFile.refuseInputsOfTable(command, file, modelFile);
        OutputFile.refuseInputsOfTable(command, file, input.files(data));
        input.database().requireParquet(file);
        report.refuse(command, file, modelFile);
        report.refuse(command, file, input.files(data));
        Workers workers = input.workers(command);
        StackelbergModel model = ModelArgument.load(modelFile, data, command);
        double least = cutoff.of(model.game().loss(), command);
        if (!model.optimality().finite()) {
            output.print(
                    command,
                    () -> Result.warning(Message.of(
                            "no-rule",
                            "The model has no finite equilibrium, so there is no rule to respond to. Maybe fit it again with {}.",
                            Message.Choice.any("wishNoise"))));
            return ExitCode.NOT_CERTIFIED;
        }
        report.refuseBoth(
                command, model.game().hasEffects(), !model.game().limits().none());
        World loaded = id.applyTo(people.applyTo(model.world()));
        Gamma asked = gamma;
        World world = asked == null ? loaded : Failures.asUsage(command, () -> asked.of(loaded));
        PublishedRule rule = model.rule();
        Table table = id.read(input, data, model, people, workers, command);
        Wish wish = people.requireWish(world, table);
        Optional<String> by = PeopleOptions.group(group, model, table);
        Set<String> looked = new HashSet<>(wish.columns());
        by.ifPresent(looked::add);
        Optional<String> gammas = Optional.ofNullable(world.spec().rowGamma());
        world.requireGammas(table);
        gammas.ifPresent(looked::add);
        PeopleOptions.noteIgnored("rule", world, table, looked, output, command);
        List<String> required = new ArrayList<>(wish.columns());
        gammas.ifPresent(required::add);
        Table rows = people.rowsInUse(world, table, required, output, command);

        double[] p = people.predictions(world, rule, rows);
        double[] z = world.wishes(wish, rows, p);
        Followers followers = Followers.of(world.population(rows), p, z).with(world.features(rows), workers);
        Responses responses = Responses.of(world, rule, rows, followers);
        ResponseReport summary = new ResponseReport(world, responses, rows, by, top, least);
        MovesCsv moves = new MovesCsv(world, responses, rows, least, rawText.of(file));
        if (file != null) {
            input.database().write(file, moves.types(), moves::write, workers);
        } else if (!output.json()) {
            moves.print(command.getOut());
        }
        if (file == null && !output.json()) {
            output.note(command, "\n" + summary.answer().text().stripTrailing());
            output.warn(command, summary.warnings());
        } else {
            output.print(command, () -> summary);
        }
        if (report.wanted()) {
            report.write(reportOn(model, world, summary, rows, z, by, least, workers), output, command);
        }
        return ExitCode.CERTIFIED;
    }

    /** The report page for one rule, on people whose target may be unknown. */
    private ReportData reportOn(
            StackelbergModel model,
            World world,
            ResponseReport summary,
            Table rows,
            double[] z,
            Optional<String> by,
            double least,
            Workers workers) {
        boolean known = world.target() != null && rows.has(world.target());
        double[] y = known ? world.truths(rows) : null;
        Sample those = Sample.ofNewRows(world, rows, people.unknown(), y, z);
        ReportWords words =
                new ReportWords(model, rows.source().map(Table.Source::name).orElse("arrays"), spec.commandLine());
        ReportBuilder builder = new ReportBuilder(
                        words.heading("respond", summary.asked(), summary.sentences(), summary.warnings()),
                        those,
                        List.of(model),
                        0)
                .applied()
                .cutoff(least)
                .population(world.population(rows), summary.kinds())
                .group(by.orElse(null));
        if (model.game().mixed() ? gamma != null : world.gamma() != model.gamma()) {
            builder.worldGamma(world.gamma());
        }
        return builder.build(workers);
    }
}
