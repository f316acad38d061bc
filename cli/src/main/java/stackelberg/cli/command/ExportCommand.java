package stackelberg.cli.command;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.PointsReport;
import stackelberg.cli.option.Gamma;
import stackelberg.cli.option.LearningOptions;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.option.RawTextOption;
import stackelberg.cli.option.Study;
import stackelberg.cli.option.Words;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.terminal.OutputFile;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;
import stackelberg.model.export.RuleAsPmml;
import stackelberg.model.export.RuleAsSql;
import stackelberg.model.export.Scorecard;
import stackelberg.solver.published.conic.ConicSolver;
import stackelberg.sphere.SphereProblem;

/** {@code stackelberg export}: writes the rule, or the optimisation problem, for use in other programs. */
@Command(
        name = "export",
        description =
                "Write a rule as PMML, SQL or a scorecard of points, or a game as a semidefinite program in SDPA sparse format.",
        sortOptions = false,
        footer = {
            "  stackelberg export wine.json --as pmml -o wine.pmml",
            "  stackelberg export wine.json --as sql --table cellar.wines",
            "  stackelberg export loans.json loans.csv --as points --base 600 --odds 50 --pdo 20",
            "  stackelberg export loans.json --as scorecard -o loans.pmml",
            "  stackelberg export wine.csv --as sdpa --target quality --wish \"max(y,6)\" --gamma 0.1 -o wine.dat-s",
            "  stackelberg export wine.json wine.csv --as sdpa -o wine.dat-s"
        })
public final class ExportCommand implements Callable<Integer> {
    /** The formats that can be written. */
    enum Format {
        PMML,
        SQL,
        POINTS,
        SCORECARD,
        SDPA
    }

    static final class OfFormat extends Words<Format> {
        OfFormat() {
            addAll(Format.values());
        }
    }

    /** A note for MySQL, which by default reads double quotes as text and backslashes as escapes. */
    private static final String DIALECT =
            "-- Standard SQL. In MySQL first: SET SESSION sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES,NO_BACKSLASH_ESCAPES')\n";

    /** Options that say where data are and how they are read. */
    private static final List<String> DATA = List.of(
            "--x", "--y", "--z", "--header", "--no-header", "--decimal", "--query", "--credentials", "--driver");

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "MODEL|DATA",
            arity = "0..1",
            description =
                    "A model file for pmml, sql, points and scorecard. For sdpa a model file and its data, or the data alone.")
    private @Nullable String first;

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            arity = "0..1",
            description =
                    "The data of the model: needed for sdpa; with points, the cost of rounding is computed on them.")
    private @Nullable String second;

    @Option(
            names = "--as",
            paramLabel = "pmml|sql|points|scorecard|sdpa",
            required = true,
            converter = OfFormat.class,
            completionCandidates = OfFormat.class,
            description =
                    "PMML 4.4, an expression in standard SQL (its first line says what MySQL needs), a table of whole points, the same as a PMML scorecard with reason codes, or"
                            + " the SDP of the game.")
    private Format format;

    @Option(
            names = "--table",
            paramLabel = "T",
            description =
                    "With --as sql: a SELECT from this table (a dot separates the schema) instead of an expression.")
    private @Nullable String sqlTable;

    @Option(
            names = "--base",
            paramLabel = "POINTS",
            description = "With points and scorecard: the points at --odds (default: 600).")
    private @Nullable Double base;

    @Option(
            names = "--odds",
            paramLabel = "N",
            description = "With points and scorecard: the odds of a yes at --base, to 1 (default: 50).")
    private @Nullable Double odds;

    @Option(
            names = "--pdo",
            paramLabel = "POINTS",
            description =
                    "With points and scorecard: the number of points that double the odds of a yes (default: 20).")
    private @Nullable Double pdo;

    @Option(
            names = "--unknown",
            paramLabel = "error|zero",
            converter = Words.OfUnknownLevel.class,
            completionCandidates = Words.OfUnknownLevel.class,
            description =
                    "Rows with categories that the model does not know get no prediction (error, the default), or 0 for the category's "
                            + "coefficient (zero).")
    private Encoding.UnknownLevel unknown = Encoding.UnknownLevel.ERROR;

    @Option(
            names = "--gamma",
            paramLabel = Gamma.LABEL,
            converter = Gamma.Converter.class,
            description = "With data alone. " + Gamma.MEANING + " (default: " + Gamma.DEFAULT + "%, with --paper 1).")
    private @Nullable Gamma gamma;

    @Option(names = "-o", paramLabel = "FILE", description = "Write to a file instead of standard output.")
    private @Nullable Path file;

    @Mixin
    private RawTextOption rawText;

    @Mixin
    private LearningOptions learning;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        learning.input().database().requireSense(command);
        OutputFile.refuseInputs(command, file, learning.files(first));
        OutputFile.refuseInputs(command, file, second);
        if (sqlTable != null && format != Format.SQL) {
            throw new ParameterException(command, "--table goes with --as sql.\nMaybe leave it out.");
        }
        boolean points = format == Format.POINTS || format == Format.SCORECARD;
        if (!points && (base != null || odds != null || pdo != null)) {
            throw new ParameterException(
                    command, "--base, --odds and --pdo go with --as points and --as scorecard.\nMaybe leave them out.");
        }
        refuseUnusedOptions(command);
        if (format == Format.SDPA) {
            OutputFile.writeOrPrint(file, sdpa(command), command);
            return ExitCode.CERTIFIED;
        }
        StackelbergModel model = model(command);
        if (format == Format.POINTS) {
            points(model, command);
            return ExitCode.CERTIFIED;
        }
        String text = format == Format.SQL
                ? sql(model)
                : format == Format.PMML
                        ? RuleAsPmml.document(model, unknown)
                        : RuleAsPmml.document(model, card(model, command), unknown);
        OutputFile.writeOrPrint(file, text, command);
        if (!model.optimality().finite()) {
            output.note(
                    command,
                    "Warning: The model has no finite equilibrium, so its rule must not be used. Maybe fit it again with --wish-noise.");
        }
        return ExitCode.of(model.optimality().finite());
    }

    /** Refuses options that the model determines already or that this format does not use. */
    private void refuseUnusedOptions(CommandLine command) {
        boolean arrays = learning.input().arrays();
        boolean ofModel = format != Format.SDPA || second != null || first != null && arrays;
        boolean ofData = format == Format.SDPA || format == Format.POINTS && (second != null || arrays);
        if (ofModel) {
            refuse(LearningOptions.declaring(), "the game is declared in the model.", command);
        }
        if (!ofData) {
            refuse(DATA, "a rule is exported without data.", command);
        }
        String name = format.name().toLowerCase(Locale.ROOT);
        if (format != Format.POINTS) {
            refuse(List.of("--json"), "what --as " + name + " writes is not JSON.", command);
            refuse(List.of("--raw-text"), "what --as " + name + " writes is not CSV.", command);
        }
        if (format == Format.POINTS || format == Format.SDPA) {
            refuse(List.of("--unknown"), "unknown categories play no role in --as " + name + ".", command);
        }
        if (ofModel && format == Format.SDPA) {
            refuse(List.of("--missing"), "the model says what to do with missing values.", command);
        }
    }

    private static void refuse(List<String> options, String why, CommandLine command) {
        List<String> given = options.stream()
                .filter(command.getParseResult()::hasMatchedOption)
                .toList();
        if (!given.isEmpty()) {
            throw new ParameterException(command, String.join(", ", given) + ": " + why + "\nMaybe leave it out.");
        }
    }

    private StackelbergModel model(CommandLine command) {
        if (first == null || second != null && format != Format.POINTS) {
            throw new ParameterException(
                    command,
                    first == null
                            ? "Which model?\nMaybe add a model file, as fit -o writes it."
                            : "A rule is exported without data.\nMaybe leave out '" + second + "'.");
        }
        StackelbergModel model = ModelFile.load(Path.of(first));
        boolean chosen = command.getParseResult().hasMatchedOption("--missing");
        Missing missing = chosen ? learning.missing() : model.encoding().missing();
        return model.withMissing(missing);
    }

    private Scorecard card(StackelbergModel model, CommandLine command) {
        Scorecard.Scale usual = Scorecard.Scale.USUAL;
        Scorecard.Scale scale = Failures.asUsage(
                command,
                () -> new Scorecard.Scale(
                        base == null ? usual.base() : base,
                        odds == null ? usual.odds() : odds,
                        pdo == null ? usual.pdo() : pdo));
        return Scorecard.of(model, scale);
    }

    private void points(StackelbergModel model, CommandLine command) {
        boolean raw = rawText.ofFileAlone(file, command);
        Scorecard card = card(model, command);
        Scorecard.Cost cost = null;
        if (second != null || learning.input().arrays()) {
            Workers workers = learning.input().workers(command);
            Table table = learning.input().readTable(second, model, workers, command);
            cost = card.cost(model, table, workers);
        }
        PointsReport report = new PointsReport(model, card, cost);
        if (file != null) {
            report.csv(raw).save(file);
        }
        output.print(command, () -> report);
    }

    private String sql(StackelbergModel model) {
        return DIALECT
                + (sqlTable == null
                        ? RuleAsSql.expression(model, unknown)
                        : RuleAsSql.select(model, unknown, sqlTable) + ";")
                + "\n";
    }

    private String sdpa(CommandLine command) {
        StringWriter text = new StringWriter();
        try {
            ConicSolver.export(problem(command), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private SphereProblem problem(CommandLine command) {
        Workers workers = learning.input().workers(command);
        boolean ofModel = second != null || first != null && learning.input().arrays();
        if (!ofModel && first != null && first.endsWith(".json")) {
            throw new ParameterException(
                    command,
                    "The SDP is computed from data, which a model file does not contain.\nMaybe add the data: export "
                            + first + " DATA --as sdpa.");
        }
        if (ofModel) {
            StackelbergModel model = ModelArgument.load(Path.of(first), second, command);
            Table table = learning.input().readTable(second, model, workers, command);
            return model.sphereProblem(table, workers);
        }
        GameSpec game = learning.game(command, those -> {
            Gamma.declare(gamma, those);
            those.hedge(Hedge.NONE);
        });
        Study study = learning.read(first, game, workers, command);
        Training training = study.regression(FitOptions.defaults().withThreads(workers.threads()))
                .training(study.table());
        return Failures.asUsage(command, training::problem);
    }
}
