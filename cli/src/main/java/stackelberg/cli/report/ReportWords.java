package stackelberg.cli.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import stackelberg.cli.answer.EffectWords;
import stackelberg.cli.answer.GapWords;
import stackelberg.cli.answer.HedgeWords;
import stackelberg.cli.answer.LossWords;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.ProofWords;
import stackelberg.cli.answer.RangeWords;
import stackelberg.cli.report.ReportBuilder.First;
import stackelberg.cli.report.ReportBuilder.Heading;
import stackelberg.cli.terminal.Settings;
import stackelberg.data.Message;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.model.StackelbergModel;

/**
 * The texts of the first screen of a report: the question, the answer, and the certificate, which the page shows as a seal.
 *
 * @param model the rule the report is about
 * @param data the name of the data
 */
public record ReportWords(StackelbergModel model, String data, CommandLine command) {
    /** The name of today's rule on the page. */
    static final String TODAY = Today.NAME;

    /** The first screen has at most this many sentences. */
    private static final int SENTENCES = 4;

    /** With at least this many sentences, no further ones are added. */
    private static final int ENOUGH = 3;

    /** Relative differences of errors below this are not mentioned. */
    private static final double NOTICEABLE = 5e-4;

    /** From this ratio on, errors are compared as "3 times as large" instead of in percent. */
    private static final double MANY = 9;

    /** Quotes the words of a command line for a shell. */
    private static final String SAFE = "[A-Za-z0-9_@%+=:,./-]+";

    /** The heading of a report on a rule, with the answer to another question before it where there is one. */
    public Heading heading(String kind, String asked, List<String> first, List<Message> warnings) {
        return new Heading(
                kind,
                "Predicting " + model.game().target() + " when people respond",
                asked,
                numbers -> Stream.concat(
                                Stream.concat(first.stream(), ruleAnswer(numbers).stream())
                                        .limit(first.size() < ENOUGH ? SENTENCES : ENOUGH),
                                model.notes().stream().map(Message::text))
                        .toList(),
                seal(),
                Settings.of(command).all(warnings),
                made());
    }

    public static String whichRule(StackelbergModel model) {
        GameSpec game = model.game();
        return String.format(
                Locale.ROOT,
                "Which rule predicts %s best %s towards the score they want (%s), if moving costs %s%s?",
                game.target(),
                game.hedge().isBalanced() ? "whether people stay or move" : "once people have moved",
                model.provenance().options().get("wish"),
                game.between() != null
                        ? "some gamma from " + ProofWords.interval(game.between()) + " and rules are compared by their "
                                + RangeWords.aim(game.between())
                        : game.rowGamma() == null
                                ? "gamma " + Numbers.plain(model.gamma())
                                : "a gamma of their own (column " + game.rowGamma() + ")",
                game.truthfulShare() > 0
                        ? " and " + Numbers.percent(game.truthfulShare()) + " are truthful"
                        : game.isHedged() && !game.hedge().isBalanced() ? ", and is " + HedgeWords.bound(game) : "");
    }

    /** The name of the error on the page. */
    static String errorName(StackelbergModel model) {
        Loss loss = model.game().loss();
        return loss.isSquared() ? "error" : LossWords.unit(loss);
    }

    /** A mean loss as the page shows it: the root of a squared loss, otherwise the mean itself. */
    static double error(StackelbergModel model, double mean) {
        return model.game().loss().isSquared() ? Math.sqrt(mean) : mean;
    }

    private List<String> ruleAnswer(First first) {
        return model.optimality().finite() ? finiteAnswer(first) : noRuleAnswer(first);
    }

    /** Returns sentences about the share of the gap that people close, the gain if they move, and the price if nobody does. */
    private List<String> finiteAnswer(First first) {
        List<String> answer = new ArrayList<>();
        answer.add("Under this rule people " + GapWords.close(first.pullThrough())
                + (model.game().mixed() ? ", on average" : "")
                + (model.between().isPresent() ? " at the worst gamma, " + Numbers.number(model.gamma()) : "") + ".");
        if (!Double.isNaN(first.earned())) {
            answer.add(EffectWords.sentence(first.earned(), first.pullThrough() - first.earned()));
        }
        compared("Once people move", first.anticipated(), first.naive()).ifPresent(answer::add);
        compared("If nobody moves", first.believed(), first.honest()).ifPresent(answer::add);
        if (!model.certified()) {
            answer.add("It is not proven to be the best.");
        }
        return answer;
    }

    private List<String> noRuleAnswer(First first) {
        List<String> answer = new ArrayList<>();
        answer.add("Giving everyone the score they want is as good as any rule, so there is none to publish.");
        if (!Double.isNaN(first.naive())) {
            answer.add(String.format(
                    Locale.ROOT,
                    "The %s of %s is %s if nobody moves and %s once people do; as a rule's coefficients grow, it approaches %s.",
                    errorName(model),
                    TODAY,
                    Numbers.number(first.honest()),
                    Numbers.number(first.naive()),
                    first.anticipated() <= NoRule.ROUNDING * first.honest()
                            ? "0"
                            : Numbers.number(first.anticipated())));
        }
        if (!model.game().hasEffects() && model.game().loss().isSquared()) {
            answer.add("The reason, and what to try, are below.");
        }
        return answer;
    }

    /** The error of this rule compared with that of today's rule; empty if one of them is not known. */
    private Optional<String> compared(String when, double error, double today) {
        if (Double.isNaN(error)) {
            return Optional.empty();
        }
        String own = when + ", its " + errorName(model) + " is " + Numbers.number(error);
        return Optional.of(
                Double.isNaN(today)
                        ? own + "."
                        : String.format(
                                Locale.ROOT,
                                "%s and that of %s %s: %s.",
                                own,
                                TODAY,
                                Numbers.number(today),
                                difference(error / today - 1)));
    }

    /** The relative difference in the words that the page's script uses: two digits, or all digits before the point. */
    private static String difference(double more) {
        if (Math.abs(more) < NOTICEABLE || !Double.isFinite(more)) {
            return "no difference";
        }
        if (more >= MANY) {
            return PageWords.difference("many", "times", String.format(Locale.ROOT, "%,d", Math.round(1 + more)));
        }
        BigDecimal share = new BigDecimal(100 * Math.abs(more));
        MathContext digits = new MathContext(Math.max(2, share.precision() - share.scale()));
        return PageWords.difference(
                more < 0 ? "smaller" : "larger",
                "share",
                share.round(digits).stripTrailingZeros().toPlainString() + "%");
    }

    /** The certificate in words; its figures are in a section that the reader can unfold. */
    ReportData.Seal seal() {
        StackelbergModel.Optimality optimality = model.optimality();
        String loss = Numbers.number(optimality.objective());
        if (!optimality.finite()) {
            return new ReportData.Seal(
                    false,
                    "There is no best rule",
                    "For every rule, there is a more extreme one that does better. "
                            + (model.game().loss().isSquared()
                                    ? "Maybe say how uncertain the wishes are, with --wish-noise."
                                    : "Maybe declare wishes that do not depend on the target."),
                    "No finite equilibrium: the loss falls towards " + loss + " as the rule grows without bound.");
        }
        String bound = ProofWords.bound(model);
        GameSpec.Between range = model.game().between();
        boolean hedged = model.game().isHedged();
        if (optimality.certified()) {
            return new ReportData.Seal(
                    true,
                    hedged ? "Proven: no better rule within the hedge" : "Proven: no better rule exists",
                    (range == null || model.between().isEmpty()
                                    ? "For the people it was fitted to, if they move as assumed, no linear "
                                            + ProofWords.rules(model) + " does better."
                                    : "For the people it was fitted to, no linear rule has a smaller "
                                            + RangeWords.aim(range) + " over the gammas of the interval.")
                            + " Anyone with the data and the model file can check this: stackelberg verify.",
                    bound,
                    hedged ? " within the hedge" : "");
        }
        return switch (optimality.proof()) {
            case PROVEN ->
                new ReportData.Seal(
                        false,
                        "Not proven to be the best",
                        "It is proven that the best " + ProofWords.rules(model)
                                + " would lower the loss by at most "
                                + Numbers.percent(Math.min(1, optimality.relativeGap())) + ".",
                        bound);
            case ESTIMATED ->
                new ReportData.Seal(
                        false,
                        "Not proven to be the best",
                        "This rule is probably the best, but the proof is not complete.",
                        String.format(
                                Locale.ROOT,
                                "The loss is %s; %s.",
                                loss,
                                optimality.relativeGap() < 1
                                        ? String.format(
                                                Locale.ROOT,
                                                "no rule is estimated to be better by more than %.1e",
                                                optimality.gapBound())
                                        : "it is not known how much better a rule could be"));
            case REFUTED ->
                new ReportData.Seal(
                        false,
                        "Not the best rule",
                        "A better rule exists, but the solver did not find it. Maybe use another solver, or leave out --solver.",
                        String.format(
                                Locale.ROOT,
                                "The loss is %s; a rule can be better by at most %.1e.",
                                loss,
                                optimality.gapBound()));
        };
    }

    ReportData.Made made() {
        return new ReportData.Made(
                commandLine(),
                StackelbergModel.libraryVersion(),
                System.getProperty("java.version"),
                data,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private String commandLine() {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        ParseResult parsed = root.getParseResult();
        return "stackelberg "
                + parsed.originalArgs().stream().map(ReportWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches(SAFE) ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
