package stackelberg.cli.answer;

import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.model.Verification;

/** The answer of {@code verify}: what was found from scratch, and which claims of the model file hold. */
public record VerifyAnswer(
        @Meaning("Whether the rule is proven optimal on these data and every claim of the model holds.")
        boolean certified,

        @Meaning("The objective of the model's point on these data.")
        double objective,

        @Meaning("The Lagrange multiplier of the sphere constraint in the certificate; null where there is none.")
        double multiplier,

        @Meaning(
                "If proof is PROVEN, no rule has an objective that is smaller by more than this, rounding errors included; otherwise an estimate.")
        double gapBound,

        @Meaning("Whether the gap bound is rigorous.") Certificate.Proof proof,

        @Meaning("False only if it is proven that no finite rule is optimal.")
        boolean finite,

        @Meaning("Whether a finite rule is optimal. UNKNOWN if neither that nor the opposite is proven.")
        Certificate.Finiteness finiteness,

        @Meaning("Whether the optimal rule is the only one.")
        boolean unique,

        @Meaning("How far the loss of the model's rule is from the certified objective, relative.")
        double ruleDifference,

        @Meaning("How far the model's pull-through is from that of its rule on these data.")
        double pullThroughDifference,

        @Meaning("Whether the data are those that the model was fitted to, byte for byte; false where it is not known.")
        boolean sameData,

        @Meaning("The relative gap that counts as certified.")
        double tolerance,

        @Meaning("Every claim of the model, beside what was found.")
        List<Claim> claims,

        @Meaning("The names of the claims that do not hold.")
        List<String> refuted) {
    public static VerifyAnswer of(Verification verification) {
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
                verification.refuted().stream().map(Verification.Claim::name).toList());
    }

    /** Something that a model says of itself. */
    record Claim(
            @Meaning("Where it stands in the model file.") String name,

            @Meaning("What the model says: a number, a text, true, false or null.")
            Object claimed,

            @Meaning("What was found in the data.") Object found,
            @Meaning("Whether the two agree.") boolean holds) {
        static Claim of(Verification.Claim claim) {
            return new Claim(claim.name(), claim.claimed(), claim.found(), claim.holds());
        }
    }
}
