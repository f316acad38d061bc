package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.VerifyAnswer;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Verification;
import stackelberg.solver.SolverOptions;

/** {@code stackelberg verify}: recomputes every claim of a model file from the data. */
@Command(
        name = "verify",
        description = "Recompute from the data everything that a model file claims, its certificate first.",
        sortOptions = false,
        footer = {"  stackelberg verify wine.json wine.csv", "  stackelberg verify wine.json wine.csv --json"})
public final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model file, as fit -o writes it.")
    private Path modelFile;

    @Parameters(index = "1", paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private @Nullable String data;

    @Option(
            names = "--tolerance",
            paramLabel = "T",
            description =
                    "The relative gap to the optimum that counts as certified, 1e-6 at most; the tolerance of the fit plays no role (default: ${DEFAULT-VALUE}).")
    private double tolerance = SolverOptions.DEFAULT.tolerance();

    @Option(
            names = "--full",
            description = "Print every claim of the model beside what was found, and not only those that differ.")
    private boolean full;

    @Mixin
    private DataOptions input;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        Workers workers = input.workers(command);
        Failures.asUsage(command, () -> SolverOptions.DEFAULT.withTolerance(tolerance));
        StackelbergModel model = ModelArgument.load(modelFile, data, command);
        Table table = input.readTable(data, model, workers, command);

        Verification verification = Verification.of(model, table, tolerance, workers);
        output.print(command, () -> VerifyAnswer.of(verification, model, table, full));
        return ExitCode.of(verification.certified());
    }
}
