package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Locale;
import stackelberg.certificate.Certificate;
import stackelberg.data.Table;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Verification;

/**
 * The answer of {@code verify}: the values recomputed from the data, and which claims of the model file hold.
 *
 * @param certified whether the rule is proven optimal on these data and every claim of the model holds
 * @param objective the objective of the model's point on these data
 * @param multiplier the Lagrange multiplier of the sphere constraint in the certificate; null where there is none
 * @param gapBound if proof is PROVEN, no rule has an objective that is smaller by more than this, rounding errors included; otherwise an estimate
 * @param proof whether the gap bound is rigorous
 * @param finite false only if it is proven that no finite rule is optimal
 * @param finiteness whether a finite rule is optimal. UNKNOWN if this is neither proven nor refuted
 * @param unique whether the optimal rule is the only one
 * @param ruleDifference the relative difference between the loss of the model's rule and the certified objective
 * @param pullThroughDifference the difference between the pull-through in the model file and the pull-through of its rule on these data
 * @param sameData whether the data are those that the model was fitted to, byte for byte; false where it is not known
 * @param tolerance the relative gap that counts as certified
 * @param claims every claim of the model, with the value recomputed from the data
 * @param refuted the names of the claims that do not hold
 */
public record VerifyAnswer(
        boolean certified,
        double objective,
        double multiplier,
        double gapBound,
        Certificate.Proof proof,
        boolean finite,
        Certificate.Finiteness finiteness,
        boolean unique,
        double ruleDifference,
        double pullThroughDifference,
        boolean sameData,
        double tolerance,
        List<Claim> claims,
        List<String> refuted,
        @JsonIgnore Source source)
        implements Result {
    /** Without {@code --full}, up to this many claims that do not hold are printed; further ones are only counted. */
    private static final int SHOWN = 10;

    /** Values longer than this are truncated. */
    private static final int WIDEST = 40;

    /**
     * What the text needs in addition to the JSON document.
     *
     * @param dataKnown whether the hashes of the training data and of these data are both known
     * @param full whether claims that hold are printed too
     */
    private record Source(Verification verification, StackelbergModel model, boolean dataKnown, boolean full) {}

    public static VerifyAnswer of(Verification verification, StackelbergModel model, Table table, boolean full) {
        Certificate certificate = verification.certificate();
        return new VerifyAnswer(
                verification.certified(),
                certificate.objective(),
                certificate.multiplier(),
                certificate.gapBound(),
                certificate.proof(),
                certificate.finite(),
                certificate.finiteness(),
                certificate.unique(),
                verification.ruleDifference(),
                verification.pullThroughDifference(),
                verification.sameData(),
                verification.tolerance(),
                verification.claims().stream().map(Claim::of).toList(),
                verification.refuted().stream().map(Verification.Claim::name).toList(),
                new Source(
                        verification,
                        model,
                        model.provenance().data() != null && table.source().isPresent(),
                        full));
    }

    @Override
    public Answer answer() {
        Answer.Builder answer = Answer.builder();
        answer.say(
                        sameData
                                ? "These are the data that the model was fitted to, byte for byte."
                                : source.dataKnown
                                        ? "These are NOT the data that the model was fitted to."
                                        : "Whether these are the data that the model was fitted to is not known.")
                .say(verdict())
                .say(
                        "Loss %.10g (the model says %.10g), gap bound %.1e (%s)%s.",
                        objective,
                        source.model.optimality().objective(),
                        gapBound,
                        proof.name().toLowerCase(Locale.ROOT),
                        Double.isNaN(multiplier) ? "" : String.format(Locale.ROOT, ", multiplier %.10g", multiplier))
                .section();
        List<Claim> shown =
                claims.stream().filter(claim -> source.full || !claim.holds).toList();
        if (!shown.isEmpty()) {
            Answer.TableBuilder table = Answer.table("claim", "claimed", "found", "");
            shown.stream()
                    .limit(source.full ? shown.size() : SHOWN)
                    .forEach(claim -> table.row(
                            List.of(claim.name, cell(claim.claimed), cell(claim.found), claim.holds ? "" : "NOT SO"),
                            !claim.holds));
            if (!source.full && shown.size() > SHOWN) {
                table.remark("... and %,d more that do not hold; --full prints every claim", shown.size() - SHOWN);
            }
            answer.block(table.build());
        }
        return answer.build();
    }

    private String verdict() {
        Verification verification = source.verification;
        StackelbergModel model = source.model;
        Certificate certificate = verification.certificate();
        List<Verification.Claim> refuted = verification.refuted();
        if (verification.certified()) {
            return "Verified: the rule is globally optimal on them, and everything in the model that can be checked holds.";
        }
        String claims =
                switch (refuted.size()) {
                    case 0 -> "";
                    case 1 ->
                        " This claim of the model does not hold: "
                                + refuted.get(0).name() + ".";
                    default -> String.format(Locale.ROOT, " %,d claims of the model do not hold.", refuted.size());
                };
        if (!certificate.finite()) {
            return "NOT verified: on these data there is no finite equilibrium." + claims;
        }
        if (model.limited().isPresent() && refuted.isEmpty()) {
            boolean proven = model.limited().get().unlimited().certified();
            return "NOT verified to be the best, because under limits no rule is proven to be. Everything in the model that can be checked"
                    + " holds, such as the loss of its rule under the limits. The best rule without limits "
                    + (proven ? "is proven to be the best." : "is not proven to be the best.");
        }
        if (!certificate.certified(verification.tolerance())) {
            boolean near = certificate.proof() == Certificate.Proof.PROVEN && refuted.isEmpty();
            return "NOT verified: the rule is not proven optimal on these data"
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
                        : "NOT verified: the rule is optimal on these data, but other values in the file are wrong.")
                + claims;
    }

    private static String cell(Object value) {
        String text = value == null ? "-" : String.valueOf(value);
        return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 3) + "...";
    }

    /**
     * One claim of the model file.
     *
     * @param name the key in the model file
     * @param claimed the value in the model file: a number, a text, true, false or null
     * @param found the value recomputed from the data
     * @param holds whether the two values agree
     */
    record Claim(String name, Object claimed, Object found, boolean holds) {
        static Claim of(Verification.Claim claim) {
            return new Claim(claim.name(), claim.claimed(), claim.found(), claim.holds());
        }
    }
}
