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

/** What a certificate means, in words for people who were not there. */
final class Explanations {
    /** How many times as far from 0 as its values differ a column may lie: some sixty standard deviations, which a proof can bear. */
    private static final double FAR = 10;

    private Explanations() {}

    /** What is not proven of a solution, and what its strength means. */
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
     * For a mixed population, where a proof is one over every omega.
     *
     * @param moving the average pull-through of those who are not truthful
     */
    private static List<Message> mixedWarnings(Certificate certificate, double moving, double tolerance) {
        return unlessProven(
                certificate,
                moving,
                tolerance,
                "Not proven to be the best for this mixed population: the search over omega proves the loss to be within"
                        + " %.2e of the optimum (relative), %.0e was asked for. Maybe allow more iterations, or scale the"
                        + " features: nothing is proven where they differ by more than five decades.");
    }

    /** For a solver that was stopped from outside before it was done, which says nothing of the game. */
    static List<Message> stoppedWarnings(Certificate certificate, double tolerance) {
        boolean proven = certificate.proof() == Certificate.Proof.PROVEN && certificate.finite();
        return List.of(Message.of(
                "stopped",
                "Stopped before it was done, by the listener or an interrupt: this is the last rule it had{} Maybe fit again "
                        + "and let it finish.",
                proven
                        ? String.format(
                                Locale.ROOT,
                                ", proven to be within %.2e of the best (relative); %.0e was asked for.",
                                certificate.relativeGap(),
                                tolerance)
                        : ", and nothing is proven of it."));
    }

    /** @param sentence takes the relative gap and the tolerance */
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

    /** For a rule that is best among those that keep a hedge's bound, where a proof is one over every share and omega. */
    private static List<Message> hedgedWarnings(Certificate certificate, double pullThrough, double tolerance) {
        return unlessProven(
                certificate,
                pullThrough,
                tolerance,
                "Not proven to be the best rule within the hedge: its loss after the move is proven to be within %.2e of the"
                        + " best (relative), %.0e was asked for. Maybe the two losses cannot be traded smoothly there: another"
                        + " hedge may be proven.");
    }

    /** For another loss than the squared one, where the ball that bounds a rule's strength is convex and its surface is not. */
    private static List<Message> convexWarnings(
            Certificate certificate, double pullThrough, double tolerance, Solution.Convex convex) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        boolean proven = certificate.proof() == Certificate.Proof.PROVEN;
        if (!proven) {
            warnings.add(Message.plain(
                    "not-proven",
                    "Not proven to be the best: the columns that nobody can change leave no bound on the loss of other"
                            + " rules."));
        } else if (certificate.finite() && certificate.relativeGap() > tolerance) {
            warnings.add(Message.of(
                    "not-certified",
                    convex.active() || convex.common()
                            ? "{} Maybe allow more iterations, or ask for less with {}."
                            : "{} Where wishes differ this can be proven only if people could be held more firmly than the best rule"
                                    + " does; a {}, or one wish for all, makes it so.",
                    String.format(
                            Locale.ROOT,
                            "Not certified: no rule loses less than %.6g, this one %.6g, %.2e more (relative); %.0e was asked for.",
                            certificate.objective() - certificate.gapBound(),
                            certificate.objective(),
                            certificate.relativeGap(),
                            tolerance),
                    Message.Choice.any(convex.active() || convex.common() ? "tolerance" : "ridge")));
        }
        return warnings;
    }

    /** For a rule that is best for an interval of gammas, where a proof is one over every omega. */
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
                                    + " best rule's (relative to the loss), %.0e was asked for.%s",
                            between.regret() == null ? "loss" : "regret",
                            certificate.relativeGap(),
                            tolerance,
                            inside
                                    ? String.format(
                                            Locale.ROOT,
                                            " Its regret is largest inside the interval, at gamma %.4g, and what is proven is proven of"
                                                    + " the two ends. Maybe a narrower interval has its largest regrets there.",
                                            between.regret().gamma())
                                    : " Maybe another interval may be proven.")));
        }
        return warnings;
    }

    /** Nearer to half of the gap than this the two rules that do the same are one. */
    private static final double MIDDLE = 1e-4;

    /** What one wish for all means. */
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
        // a note of its own: of a path only some gammas have it
        if (pullThrough < 0.5 - MIDDLE) {
            notes.add(Message.plain(
                    "smaller-pull-through",
                    "Of the two rules that undo it, this is the one with the smaller pull-through."));
        }
        return notes;
    }

    /** For a rule under limits, of which nothing is proven. */
    static List<Message> limitedWarnings(
            StackelbergModel.Limited limited, Certificate certificate, double pullThrough) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        String without = limited.unlimited().certified()
                ? String.format(
                        Locale.ROOT,
                        "That the best rule of the game without limits loses %.6g is proven, and is no bound for this one.",
                        limited.unlimited().objective())
                : "The best rule of the game without limits is not proven either.";
        warnings.add(Message.of(
                "searched-not-proven",
                "Searched for, not proven: where limits stop people, no rule can be proven to be the best. {}",
                without));
        return warnings;
    }

    /** What limits mean that stop nobody, or that a better rule makes stop somebody. */
    static List<Message> limitedNotes(StackelbergModel.Limited limited, double refitted) {
        if (limited.binding()) {
            return List.of();
        }
        return List.of(Message.plain(
                "limits-stop-nobody",
                limited.kept(refitted)
                        ? "The limits stop nobody under the rule that is best without them, and it is kept"
                                + (limited.unlimited().certified()
                                        ? ": it is a local optimum of this game too, but"
                                        : ";")
                                + " a rule elsewhere might profit from limits that stop people."
                        : "The limits stop nobody under the rule that is best without them, but a rule under which they do is"
                                + " better."));
    }

    /** What it means that other rules are as good as this one. */
    static List<Message> notes(Solution.Tie tie, World world) {
        boolean immutable = world.manipulable() < world.encoding().columns().size();
        boolean intercept = world.intercept() == GameSpec.Intercept.IMMUTABLE;
        String all = immutable ? " of what people can change" : "";
        String rule =
                switch (tie.kind()) {
                    case TODAY ->
                        "People wish for what least squares predicts"
                                + (immutable || intercept ? " plus something that nobody can change" : "")
                                + ", and the rule undoes that: it is least squares "
                                + (intercept
                                        ? "with another intercept"
                                                + (immutable ? " or other immutable coefficients" : "")
                                        : immutable ? "with other immutable coefficients" : "itself")
                                + ", and loses";
                    case MULTIPLE ->
                        String.format(
                                Locale.ROOT,
                                "People wish for a multiple of what least squares predicts, and the rule undoes that: it is a"
                                        + " multiple of least squares, %.4g times its coefficients%s, and loses",
                                tie.factor(),
                                all);
                    case ONE_WISH ->
                        String.format(
                                Locale.ROOT,
                                "One wish for everybody%s, and the rule undoes that: it is a multiple of least squares, %.4g"
                                        + " times its coefficients%s, and loses",
                                immutable ? ", or for all who are alike in what nobody can change" : "",
                                tie.factor(),
                                all);
                    case LINEAR -> "The wishes are a combination of the features, and the rule undoes them: it loses";
                    case OTHER -> "";
                };
        String least = "Of the rules that are equally good it is the one with the smallest pull-through.";
        return List.of(Message.plain(
                "equally-good-rules",
                rule.isEmpty() ? least : rule + " what least squares would if nobody moved. " + least));
    }

    /** @param tied whether it is known why other rules are as good, which is a note and no warning */
    static List<Message> warnings(Certificate certificate, double pullThrough, double tolerance, boolean tied) {
        List<Message> warnings = new ArrayList<>();
        addStrength(certificate, pullThrough, warnings);
        if (certificate.proof() == Certificate.Proof.REFUTED) {
            warnings.add(
                    Message.plain("not-optimal", "Not optimal: a better rule is in hand. Maybe use another solver."));
        } else if (certificate.proof() == Certificate.Proof.ESTIMATED) {
            warnings.add(Message.plain(
                    "optimality-estimated",
                    certificate.relativeGap() <= tolerance
                            ? "Optimality is proven of the limit that this rule is next to, not of the rule itself: so little is"
                                    + " left of its predictions after the move that rounding decides what it loses."
                            : "Optimality is estimated, not proven: no bound on the curvature was found that would prove it,"
                                    + " because the problem is too large to factorise or rounding hides it."));
        } else if (certificate.finite() && certificate.relativeGap() > tolerance) {
            // what is certified at all is 1e-6 or less, which the summary says
            warnings.add(Message.plain(
                    "not-certified",
                    String.format(
                            Locale.ROOT,
                            "Not certified to the tolerance: the loss is proven to be within %.2e of the optimum (relative), %.0e"
                                    + " was asked for.",
                            certificate.relativeGap(),
                            tolerance)));
        }
        if (certificate.certified(tolerance) && !certificate.unique() && !tied) {
            warnings.add(Message.plain(
                    "not-unique",
                    "The best rule is not unique, or so nearly not that rounding cannot tell; this is one of them."));
        }
        return warnings;
    }

    /** Columns that were taken as they are and lie so far from 0 that the digits of a proof may have been lost with their means. */
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
                + " more than ten times as far from 0 as people differ there, which costs the proof digits. Maybe"
                + " subtract the mean first.");
    }

    private static boolean isFar(Encoding.Feature.Range range) {
        double width = range.max() - range.min();
        return width > 0 && Math.max(range.min(), -range.max()) > FAR * width;
    }

    /** Whether the rule binds anybody. */
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
                    "Nearly no rule: people get all but {}% of the way to their wish, so the rule hardly holds them."
                            + " Maybe say how uncertain the wishes are with {}.",
                    String.format(Locale.ROOT, "%.2g", 100 * (1 - pullThrough)),
                    noise));
        }
    }
}
