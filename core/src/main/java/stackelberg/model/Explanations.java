package stackelberg.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stackelberg.certificate.Certificate;

/** What a certificate means, in words for people who were not there. */
final class Explanations {
    private Explanations() {}

    /**
     * For a mixed population, where a proof is one over every omega.
     *
     * @param moving the average pull-through of those who are not truthful
     */
    static List<String> mixedWarnings(Certificate certificate, double moving, double tolerance) {
        List<String> warnings = new ArrayList<>();
        addStrength(certificate, moving, warnings);
        if (certificate.proof() != Certificate.Proof.PROVEN) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Not proven to be the best for this mixed population: the search over omega proves the loss to be within"
                            + " %.2e of the optimum (relative), %.0e was asked for. Maybe allow more iterations, or scale the"
                            + " features: nothing is proven where they differ by more than five decades.",
                    certificate.relativeGap(),
                    tolerance));
        }
        return warnings;
    }

    /** For a rule that is best among those that keep a hedge's bound, where a proof is one over every share and omega. */
    static List<String> hedgedWarnings(Certificate certificate, double pullThrough, double tolerance) {
        List<String> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        if (certificate.proof() != Certificate.Proof.PROVEN) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Not proven to be the best rule within the hedge: its loss after the move is proven to be within %.2e of the"
                            + " best (relative), %.0e was asked for. Maybe the two losses cannot be traded smoothly there: another"
                            + " hedge may be proven.",
                    certificate.relativeGap(),
                    tolerance));
        }
        return warnings;
    }

    static List<String> warnings(Certificate certificate, double pullThrough, double tolerance) {
        List<String> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        if (certificate.proof() == Certificate.Proof.REFUTED) {
            warnings.add("Not optimal: a better rule is in hand. Maybe use another solver.");
        } else if (certificate.proof() == Certificate.Proof.ESTIMATED) {
            warnings.add(
                    "Optimality is estimated, not proven: the curvature that would prove it was too large to factorise.");
        } else if (certificate.finite() && certificate.relativeGap() > tolerance) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Not certified to the tolerance: the loss is proven to be within %.2e of the optimum (relative), %.0e"
                            + " was asked for.",
                    certificate.relativeGap(),
                    tolerance));
        }
        boolean optimal = certificate.proof() == Certificate.Proof.PROVEN && certificate.relativeGap() <= tolerance;
        if (certificate.finite() && !certificate.unique() && optimal) {
            warnings.add(
                    "The best rule is not unique, or so nearly not that rounding cannot tell; this is one of them.");
        }
        return warnings;
    }

    /** Whether the rule binds anybody. */
    private static void addStrength(Certificate certificate, double pullThrough, List<String> warnings) {
        if (!certificate.finite()) {
            warnings.add(
                    "No finite equilibrium: believing everybody is as good as any rule, which rules approach only with ever"
                            + " larger coefficients. Maybe the wishes are the target plus something the immutable"
                            + " columns explain; say how uncertain the wishes are with wishNoise(...).");
            return;
        }
        if (certificate.finiteness() == Certificate.Finiteness.UNKNOWN) {
            warnings.add(
                    "Whether there is a finite equilibrium is not known: believing everybody is no worse than this rule, but"
                            + " that it is the best, or that no rule is as good, is not proven. Maybe use another solver, or"
                            + " say how uncertain the wishes are with wishNoise(...).");
        }
        if (pullThrough > 0.99) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "Nearly no rule: people get %.4f%% of the way to their wish, so the rule hardly holds them."
                            + " Maybe say how uncertain the wishes are with wishNoise(...).",
                    100 * pullThrough));
        }
    }
}
