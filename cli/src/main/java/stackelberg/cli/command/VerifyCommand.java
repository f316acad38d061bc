package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.certificate.Certificate;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.text.Json;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Verification;

/** {@code stackelberg verify}: a model's certificate computed again from the data, believing nothing the model says of itself. */
@Command(
        name = "verify",
        description = "Compute a model's certificate again from scratch.",
        sortOptions = false,
        footer = {"  stackelberg verify wine.json wine.csv", "  stackelberg verify wine.json wine.csv --json"})
public final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model file, as fit -o writes it.")
    private Path modelFile;

    @Parameters(index = "1", paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private String data;

    @Mixin
    private DataOptions input;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        Workers workers = input.workers(command);
        StackelbergModel model = ModelArgument.load(modelFile, data, command);
        Table table = input.readTable(data, model, workers, command);

        Verification verification = Verification.of(model, table, workers);
        output.print(command, () -> object(verification), () -> text(model, table, verification));
        return ExitCode.of(verification.certified());
    }

    private static Map<String, Object> object(Verification verification) {
        Certificate certificate = verification.certificate();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("certified", verification.certified());
        object.put("objective", Json.finite(certificate.objective()));
        object.put("multiplier", Json.finite(certificate.multiplier()));
        object.put("gapBound", Json.finite(certificate.gapBound()));
        object.put("proof", certificate.proof().name());
        object.put("finite", certificate.finite());
        object.put("finiteness", certificate.finiteness().name());
        object.put("unique", certificate.unique());
        object.put("ruleDifference", Json.finite(verification.ruleDifference()));
        object.put("pullThroughDifference", Json.finite(verification.pullThroughDifference()));
        object.put("sameData", verification.sameData());
        return object;
    }

    private static String text(StackelbergModel model, Table table, Verification verification) {
        Certificate certificate = verification.certificate();
        String same = verification.sameData()
                ? "These are the very data the model was fitted to."
                : model.provenance().data() == null || table.source().isEmpty()
                        ? "Whether these are the data the model was fitted to is not known."
                        : "These are NOT the data the model was fitted to.";
        String verdict = verification.certified()
                ? "Verified: the rule is globally optimal on them."
                : !certificate.finite()
                        ? "NOT verified: on them there is no finite equilibrium."
                        : certificate.certified(model.optimality().tolerance())
                                ? "NOT verified: the point is optimal on them, but "
                                        + (verification.ruleHolds()
                                                ? "people do not get as far as the file says."
                                                : "the rule in the file is not that point's.")
                                : "NOT verified: the rule is not proven optimal on them.";
        return same + "\n" + verdict + "\n"
                + String.format(
                        Locale.ROOT,
                        "Loss %.10g (the model says %.10g), gap bound %.1e, proof %s, multiplier %.10g.%n",
                        certificate.objective(),
                        model.optimality().objective(),
                        certificate.gapBound(),
                        certificate.proof().name().toLowerCase(Locale.ROOT),
                        certificate.multiplier());
    }
}
