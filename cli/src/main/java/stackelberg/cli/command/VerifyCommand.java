package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.certificate.Certificate;
import stackelberg.cli.answer.VerifyAnswer;
import stackelberg.cli.option.DataOptions;
import stackelberg.cli.option.ModelArgument;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.cli.text.TextTable;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Verification;
import stackelberg.solver.SolverOptions;

/** {@code stackelberg verify}: a model computed again from the data, believing nothing it says of itself. */
@Command(
        name = "verify",
        description = "Compute all that a model says of itself again from scratch, its certificate first.",
        sortOptions = false,
        footer = {"  stackelberg verify wine.json wine.csv", "  stackelberg verify wine.json wine.csv --json"})
public final class VerifyCommand implements Callable<Integer> {
    /** A line holds no more names. */
    private static final int NAMED = 10;

    /** Of a table's cell: a double with all its digits, and the beginning of a text. */
    private static final int WIDEST = 40;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model file, as fit -o writes it.")
    private Path modelFile;

    @Parameters(index = "1", paramLabel = "DATA", arity = "0..1", description = DataOptions.DATA)
    private String data;

    @Option(
            names = "--tolerance",
            paramLabel = "T",
            description =
                    "The relative gap to the optimum that counts as certified, 1e-6 at most, whatever the model was fitted to (default: ${DEFAULT-VALUE}).")
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
        output.print(command, () -> VerifyAnswer.of(verification), () -> text(model, table, verification, full));
        return ExitCode.of(verification.certified());
    }

    private static String text(StackelbergModel model, Table table, Verification verification, boolean full) {
        Certificate certificate = verification.certificate();
        String same = verification.sameData()
                ? "These are the very data the model was fitted to."
                : model.provenance().data() == null || table.source().isEmpty()
                        ? "Whether these are the data the model was fitted to is not known."
                        : "These are NOT the data the model was fitted to.";
        return same + "\n" + verdict(model, verification) + "\n"
                + String.format(
                        Locale.ROOT,
                        "Loss %.10g (the model says %.10g), gap bound %.1e (%s), multiplier %.10g.%n",
                        certificate.objective(),
                        model.optimality().objective(),
                        certificate.gapBound(),
                        certificate.proof().name().toLowerCase(Locale.ROOT),
                        certificate.multiplier())
                + table(full ? verification.claims() : verification.refuted());
    }

    private static String verdict(StackelbergModel model, Verification verification) {
        Certificate certificate = verification.certificate();
        List<Verification.Claim> refuted = verification.refuted();
        if (verification.certified()) {
            return "Verified: the rule is globally optimal on them, and everything in the model that can be checked holds.";
        }
        String claims = refuted.isEmpty()
                ? ""
                : (refuted.size() == 1 ? " This claim of the model does" : " These claims of the model do")
                        + " not hold: "
                        + refuted.stream()
                                .limit(NAMED)
                                .map(Verification.Claim::name)
                                .distinct()
                                .collect(Collectors.joining(", "))
                        + (refuted.size() > NAMED ? " and " + (refuted.size() - NAMED) + " more." : ".");
        if (!certificate.finite()) {
            return "NOT verified: on them there is no finite equilibrium." + claims;
        }
        if (model.limited().isPresent() && refuted.isEmpty()) {
            boolean proven = model.limited().get().unlimited().certified();
            return "NOT verified to be the best: under limits no rule is proven to be. Everything in the model that can be checked"
                    + " holds: what its rule loses under the limits, and that the best rule without them "
                    + (proven ? "is proven to be that." : "is not proven to be that.");
        }
        if (!certificate.certified(verification.tolerance())) {
            boolean near = certificate.proof() == Certificate.Proof.PROVEN && refuted.isEmpty();
            return "NOT verified: the rule is not proven optimal on them"
                    + (near
                            ? String.format(
                                    Locale.ROOT,
                                    " to %.0e, only to %.1e.",
                                    Math.min(verification.tolerance(), Certificate.LARGEST_GAP),
                                    certificate.relativeGap())
                            : ".")
                    + claims;
        }
        boolean others = refuted.stream().anyMatch(claim -> claim.name().startsWith("provenance.data."));
        return (others
                        ? "NOT verified: the rule is globally optimal on these data, which are not those it was fitted to."
                        : "NOT verified: the rule is optimal on them, but other values in the file are wrong.")
                + claims;
    }

    /** What the model says beside what was found; nothing where there is nothing to show. */
    private static String table(List<Verification.Claim> claims) {
        if (claims.isEmpty()) {
            return "";
        }
        TextTable table = new TextTable().add("", "claimed", "found", "");
        claims.forEach(claim ->
                table.add(claim.name(), cell(claim.claimed()), cell(claim.found()), claim.holds() ? "" : "NOT SO"));
        return "\n" + table;
    }

    private static String cell(Object value) {
        String text = value == null ? "-" : String.valueOf(value);
        return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 3) + "...";
    }
}
