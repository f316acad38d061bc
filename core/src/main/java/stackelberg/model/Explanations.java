package stackelberg.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.data.Encoding;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.World;
import stackelberg.objective.Solution;

/** Words the warnings and notes that follow from a certificate. */
final class Explanations {
    /**
     * A column gives a warning if its distance from 0 is more than this many times its range, about sixty standard
     * deviations: up to there a proof loses few digits.
     */
    private static final double FAR = 10;

    private Explanations() {}

    /** Returns warnings about what is not proven of a solution and about a pull-through near 1. */
    static List<Message> warnings(Solution solution, double pullThrough, double tolerance) {
        Certificate certificate = solution.certificate();
        for (Solution.Detail detail : solution.details()) {
            if (detail instanceof Solution.Mixed) {
                return mixedWarnings(certificate, pullThrough, tolerance);
            }
            if (detail instanceof Solution.Convex convex) {
                return convexWarnings(certificate, pullThrough, tolerance, convex);
            }
            if (detail instanceof Solution.Hedged hedged && hedged.share() > 0) {
                return hedgedWarnings(certificate, pullThrough, tolerance);
            }
            if (detail instanceof Solution.Between between) {
                return betweenWarnings(certificate, between, pullThrough, tolerance);
            }
        }
        return warnings(certificate, pullThrough, tolerance, solution.tie().isPresent());
    }

    /**
     * Returns the warnings for a mixed population, where the proof is a search over all omega.
     *
     * @param moving the mean pull-through of the rows that are not truthful
     */
    private static List<Message> mixedWarnings(Certificate certificate, double moving, double tolerance) {
        return unlessProven(
                certificate,
                moving,
                tolerance,
                "Not proven to be the best for this mixed population: the search over omega proves the loss to be within"
                        + " %.2e of the optimum (relative); the tolerance is %.0e. Maybe allow more iterations, or scale the"
                        + " features: nothing is proven where they differ by more than five decades.");
    }

    /** Returns the warnings for a fit that was stopped from outside, which says nothing about the game. */
    static List<Message> stoppedWarnings(Certificate certificate, double tolerance) {
        boolean proven = certificate.proof() == Certificate.Proof.PROVEN && certificate.finite();
        return List.of(Message.of(
                "stopped",
                "The fit was stopped by the listener or an interrupt: this is its last rule{} Maybe fit again "
                        + "and let it finish.",
                proven
                        ? String.format(
                                Locale.ROOT,
                                ", proven to be within %.2e of the best (relative); the tolerance is %.0e.",
                                certificate.relativeGap(),
                                tolerance)
                        : ", and nothing is proven about it."));
    }

    /**
     * @param sentence a format string for the relative gap and the tolerance
     */
    private static List<Message> unlessProven(
            Certificate certificate, double pullThrough, double tolerance, String sentence) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        if (certificate.proof() != Certificate.Proof.PROVEN) {
            warnings.add(Message.plain(
                    "not-proven", String.format(Locale.ROOT, sentence, certificate.relativeGap(), tolerance)));
        }
        return warnings;
    }

    /** Returns the warnings for a rule under a hedge, where the proof covers all shares and omegas. */
    private static List<Message> hedgedWarnings(Certificate certificate, double pullThrough, double tolerance) {
        return unlessProven(
                certificate,
                pullThrough,
                tolerance,
                "Not proven to be the best rule within the hedge: its loss after the move is proven to be within %.2e of the"
                        + " best (relative); the tolerance is %.0e. Maybe the two losses cannot be traded smoothly there: another"
                        + " hedge may be proven.");
    }

    /**
     * Returns the warnings for other losses than the squared one, where the proof holds for rules inside the ball that
     * bounds their strength; the ball is convex and its surface is not.
     */
    private static List<Message> convexWarnings(
            Certificate certificate, double pullThrough, double tolerance, Solution.Convex convex) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        boolean proven = certificate.proof() == Certificate.Proof.PROVEN;
        if (!proven) {
            warnings.add(Message.plain(
                    "not-proven",
                    "Not proven to be the best: the columns that no one can change leave no bound on the loss of other"
                            + " rules."));
        } else if (certificate.finite() && certificate.relativeGap() > tolerance) {
            warnings.add(Message.of(
                    "not-certified",
                    convex.active() || convex.common()
                            ? "{} Maybe allow more iterations, or a larger tolerance with {}."
                            : "{} When wishes differ, this can be proven only if the best rule reaches the bound on its strength."
                                    + " Maybe use a {}.",
                    String.format(
                            Locale.ROOT,
                            "Not certified: no rule loses less than %.6g; this one loses %.6g, %.2e more (relative). The tolerance is %.0e.",
                            certificate.objective() - certificate.gapBound(),
                            certificate.objective(),
                            certificate.relativeGap(),
                            tolerance),
                    Message.Choice.any(convex.active() || convex.common() ? "tolerance" : "ridge")));
        }
        return warnings;
    }

    /** Returns the warnings for a range of gammas, where the proof covers all omegas. */
    private static List<Message> betweenWarnings(
            Certificate certificate, Solution.Between between, double pullThrough, double tolerance) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        if (certificate.finite() && !certificate.certified(tolerance)) {
            boolean inside = between.regret() != null
                    && between.regret().gamma() != between.low().gamma()
                    && between.regret().gamma() != between.high().gamma();
            warnings.add(Message.plain(
                    "not-proven",
                    String.format(
                            Locale.ROOT,
                            "Not proven to be the best rule for this interval of gammas: its worst %s is proven to be within %.2e of the"
                                    + " best rule's (relative to the loss); the tolerance is %.0e.%s",
                            between.regret() == null ? "loss" : "regret",
                            certificate.relativeGap(),
                            tolerance,
                            inside
                                    ? String.format(
                                            Locale.ROOT,
                                            " Its regret is largest inside the interval, at gamma %.4g, but the proof is for"
                                                    + " the two ends. Maybe a narrower interval has its largest regret at an end.",
                                            between.regret().gamma())
                                    : " Maybe another interval may be proven.")));
        }
        return warnings;
    }

    /** If the pull-through is nearer to 1/2 than this, the two rules with the same effect coincide. */
    private static final double MIDDLE = 1e-4;

    /** Returns notes about what a common wish means. */
    static List<Message> convexNotes(Solution.Convex convex, World world, double pullThrough) {
        if (!convex.common()) {
            return List.of();
        }
        List<Message> notes = new ArrayList<>();
        notes.add(Message.of(
                "one-wish-cancelled",
                "Because everyone wants the same score{}, the rule cancels their moves: its loss is that of the best rule "
                        + "with bounded coefficients if nobody moved.",
                world.manipulable() < world.encoding().columns().size() ? ", apart from what they cannot change" : ""));
        // a note of its own, because on a path only some gammas have it
        if (pullThrough < 0.5 - MIDDLE) {
            notes.add(Message.plain(
                    "smaller-pull-through",
                    "Of the two rules that undo it, this is the one with the smaller pull-through."));
        }
        return notes;
    }

    /** Returns the warning that a rule under limits is not proven to be optimal. */
    static List<Message> limitedWarnings(
            StackelbergModel.Limited limited, Certificate certificate, double pullThrough) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        String without = limited.unlimited().certified()
                ? String.format(
                        Locale.ROOT,
                        "It is proven that the best rule without limits loses %.6g, but that does not bound the loss with limits.",
                        limited.unlimited().objective())
                : "The best rule without limits is not proven to be the best either.";
        warnings.add(Message.of(
                "searched-not-proven",
                "This rule was found by a search and is not proven to be the best: no proof is known when limits stop people. {}",
                without));
        return warnings;
    }

    /**
     * Returns a note if limits stop no one under the best rule without limits, and whether that rule was replaced by a
     * better one.
     */
    static List<Message> limitedNotes(StackelbergModel.Limited limited, double refitted) {
        if (limited.binding()) {
            return List.of();
        }
        return List.of(Message.plain(
                "limits-stop-nobody",
                limited.kept(refitted)
                        ? "The limits stop no one under the rule that is best without them, and it is kept"
                                + (limited.unlimited().certified()
                                        ? ": it is a local optimum of this game too, but"
                                        : ";")
                                + " a rule elsewhere might profit from limits that stop people."
                        : "The limits stop no one under the rule that is best without them, but a rule under which they stop people is"
                                + " better."));
    }

    /** Returns notes about what it means that other rules are as good as this one. */
    static List<Message> notes(Solution.Tie tie, World world) {
        boolean immutable = world.manipulable() < world.encoding().columns().size();
        boolean intercept = world.intercept() == GameSpec.Intercept.IMMUTABLE;
        String all = immutable ? " of what people can change" : "";
        String rule =
                switch (tie.kind()) {
                    case TODAY ->
                        "People want the score that least squares predicts"
                                + (immutable || intercept ? " plus an amount that no one can change" : "")
                                + ", and the rule cancels that: it is least squares "
                                + (intercept
                                        ? "with another intercept"
                                                + (immutable ? " or other immutable coefficients" : "")
                                        : immutable ? "with other immutable coefficients" : "itself")
                                + ", and loses";
                    case MULTIPLE ->
                        String.format(
                                Locale.ROOT,
                                "People want a multiple of what least squares predicts, and the rule cancels that: it is a"
                                        + " multiple of least squares, %.4g times its coefficients%s, and loses",
                                tie.factor(),
                                all);
                    case ONE_WISH ->
                        String.format(
                                Locale.ROOT,
                                "Everyone wants the same score%s, and the rule cancels that: it is a multiple of least squares, %.4g"
                                        + " times its coefficients%s, and loses",
                                immutable ? ", at least among people with the same immutable columns" : "",
                                tie.factor(),
                                all);
                    case LINEAR ->
                        "The wishes are a linear combination of the features, and the rule cancels them: it loses";
                    case OTHER -> "";
                };
        String least = "Of several equally good rules this is the one with the smallest pull-through.";
        return List.of(Message.plain(
                "equally-good-rules",
                rule.isEmpty() ? least : rule + " what least squares would if nobody moved. " + least));
    }

    /**
     * @param tied whether it is known why other rules are as good; that is then a note instead of a warning
     */
    static List<Message> warnings(Certificate certificate, double pullThrough, double tolerance, boolean tied) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        if (certificate.proof() == Certificate.Proof.REFUTED) {
            warnings.add(
                    Message.plain("not-optimal", "Not optimal: a better rule was found. Maybe use another solver."));
        } else if (certificate.proof() == Certificate.Proof.ESTIMATED) {
            warnings.add(Message.plain(
                    "optimality-estimated",
                    certificate.relativeGap() <= tolerance
                            ? "Optimality is proven for the limit that this rule is close to, not for the rule itself: so little is"
                                    + " left of its predictions after the move that its loss is mostly rounding error."
                            : "Optimality is estimated, not proven: no bound on the curvature was found that would prove it,"
                                    + " because the problem is too large to factorise or rounding hides it."));
        } else if (certificate.finite() && certificate.relativeGap() > tolerance) {
            // a certified relative gap is at most 1e-6, and the summary reports it
            warnings.add(Message.plain(
                    "not-certified",
                    String.format(
                            Locale.ROOT,
                            "Not certified to the tolerance: the loss is proven to be within %.2e of the optimum (relative); the"
                                    + " tolerance is %.0e.",
                            certificate.relativeGap(),
                            tolerance)));
        }
        if (certificate.certified(tolerance) && !certificate.unique() && !tied) {
            warnings.add(
                    Message.plain(
                            "not-unique",
                            "The best rule is not unique, or too nearly so for floating-point numbers to decide; this is one of the best."));
        }
        return warnings;
    }

    /**
     * Returns a warning about columns that are used without centring and lie so far from 0 that a proof may lose
     * digits.
     */
    static Optional<String> farColumns(Encoding encoding) {
        List<String> far = encoding.features().stream()
                .filter(feature -> feature.reach() != null
                        && feature.columns().stream().allMatch(column -> column.shift() == 0)
                        && isFar(feature.reach()))
                .map(feature -> "'" + feature.column() + "'")
                .toList();
        if (far.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of((far.size() == 1 ? "Column " : "Columns ")
                + String.join(", ", far.subList(0, Math.min(StackelbergModel.MOST_NAMED, far.size())))
                + (far.size() > StackelbergModel.MOST_NAMED
                        ? " and " + (far.size() - StackelbergModel.MOST_NAMED) + " more"
                        : "")
                + (far.size() == 1 ? " lies" : " lie")
                + " farther from 0 than ten times the range of the values, which costs the proof digits. Maybe"
                + " subtract the mean first.");
    }

    private static boolean isFar(Encoding.Feature.Range range) {
        double width = range.max() - range.min();
        return width > 0 && Math.max(range.min(), -range.max()) > FAR * width;
    }

    /** Adds a warning if the pull-through is so near 1 that the rule hardly restrains anyone. */
    private static void addStrength(Certificate certificate, double pullThrough, List<Message> warnings) {
        Message.Choice noise = Message.Choice.any("wishNoise");
        if (!certificate.finite()) {
            warnings.add(Message.of(
                    "no-finite-equilibrium",
                    "No finite equilibrium: giving everyone the score they want is as good as any rule, and rules come close to it only"
                            + " with ever larger coefficients. Maybe the wishes are the target plus something the immutable"
                            + " columns explain; say how uncertain the wishes are with {}.",
                    noise));
            return;
        }
        if (certificate.finiteness() == Certificate.Finiteness.UNKNOWN) {
            warnings.add(Message.of(
                    "finiteness-unknown",
                    "Whether there is a finite equilibrium is not known: giving everyone the score they want is no worse than this rule, but"
                            + " that it is the best, or that no rule is as good, is not proven. Maybe use another solver, or"
                            + " say how uncertain the wishes are with {}.",
                    noise));
        }
        if (pullThrough > 0.99) {
            warnings.add(Message.of(
                    "nearly-no-rule",
                    "The rule hardly restrains people: they get all but {}% of the way to the score they want."
                            + " Maybe say how uncertain the wishes are with {}.",
                    String.format(Locale.ROOT, "%.2g", 100 * (1 - pullThrough)),
                    noise));
        }
    }
}
