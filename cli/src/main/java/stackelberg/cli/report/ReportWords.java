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
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.ProofWords;
import stackelberg.cli.report.ReportBuilder.First;
import stackelberg.cli.report.ReportBuilder.Heading;
import stackelberg.cli.terminal.Settings;
import stackelberg.cli.text.EffectWords;
import stackelberg.cli.text.LossWords;
import stackelberg.cli.text.RangeWords;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Loss;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Version;

/**
 * The first screen of a report in words: what was asked, the answer, the seal.
 *
 * @param model the rule the report is about
 * @param data the name of the data
 */
public record ReportWords(StackelbergModel model, String data, CommandLine command) {
    /** What the rule is held against, as everything on the page calls it. */
    static final String TODAY = Today.NAME;

    static final String AUC = "AUC";

    static final String ACCURACY = "accuracy";

    /** More than these nobody reads at a glance. */
    private static final int SENTENCES = 4;

    /** An answer to another question that has as many says enough by itself. */
    private static final int ENOUGH = 3;

    /** Differences of errors below this are none that anybody would notice. */
    private static final double NOTICEABLE = 5e-4;

    /** From here on an error is so many times as large, and not so many percent larger. */
    private static final double MANY = 9;

    /** How the words of a shell are written so that the shell reads them again. */
    private static final String SAFE = "[A-Za-z0-9_@%+=:,./-]+";

    /** The heading of a report on a rule, with the answer to another question before it where there is one. */
    public Heading heading(String kind, String asked, List<String> first, List<String> warnings) {
        return new Heading(
                kind,
                "Predicting " + model.game().target() + " when people respond",
                asked,
                numbers -> Stream.concat(
                                Stream.concat(first.stream(), ruleAnswer(numbers).stream())
                                        .limit(first.size() < ENOUGH ? SENTENCES : ENOUGH),
                                model.notes().stream())
                        .toList(),
                seal(),
                Settings.of(command).asOptions(warnings),
                made());
    }

    public static String whichRule(StackelbergModel model) {
        GameSpec game = model.game();
        return String.format(
                Locale.ROOT,
                "Which rule predicts %s best once people have moved towards what they wish (%s), if moving costs %s%s?",
                game.target(),
                model.provenance().options().get("wish"),
                game.between() != null
                        ? "some gamma from " + ProofWords.interval(game.between()) + " and the rule is to be "
                                + RangeWords.aim(game.between())
                        : game.rowGamma() == null
                                ? "gamma " + Numbers.plain(model.gamma())
                                : "everybody its own gamma (column " + game.rowGamma() + ")",
                game.truthfulShare() > 0
                        ? " and " + Numbers.percent(game.truthfulShare()) + " are truthful"
                        : game.hedge() != null
                                ? ", and is at most " + Numbers.percentAsGiven(game.hedge())
                                        + " worse than today's if nobody moves"
                                : "");
    }

    /** What the page calls what a rule loses. */
    static String errorName(StackelbergModel model) {
        Loss loss = model.game().loss();
        return loss.isSquared() ? "error" : LossWords.unit(loss);
    }

    /** A mean loss as the page tells it: the root of the squared one, else itself. */
    static double error(StackelbergModel model, double mean) {
        return model.game().loss().isSquared() ? Math.sqrt(mean) : mean;
    }

    private List<String> ruleAnswer(First first) {
        return model.optimality().finite() ? finiteAnswer(first) : noRuleAnswer(first);
    }

    /** How far people get, what is gained once they move, what is paid if nobody does. */
    private List<String> finiteAnswer(First first) {
        List<String> answer = new ArrayList<>();
        answer.add(String.format(
                Locale.ROOT,
                "Under this rule people get %s of the way to what they wish%s.",
                Numbers.percent(first.pullThrough()),
                model.game().mixed() ? ", on average" : ""));
        if (!Double.isNaN(first.earned())) {
            answer.add(EffectWords.sentence(first.earned(), first.pullThrough() - first.earned()));
        }
        if (model.between().isPresent()) {
            answer.set(
                    0,
                    answer.get(0).replaceFirst("\\.$", " at the worst gamma, " + Numbers.number(model.gamma()) + "."));
        }
        compared("Once people move", first.anticipated(), first.naive()).ifPresent(answer::add);
        compared("If nobody moves", first.believed(), first.honest()).ifPresent(answer::add);
        if (!model.certified()) {
            answer.add("That it is the best is not proven.");
        }
        return answer;
    }

    private List<String> noRuleAnswer(First first) {
        List<String> answer = new ArrayList<>();
        answer.add("Giving everyone the score they want is as good as any rule, so there is none to publish.");
        if (!Double.isNaN(first.naive())) {
            answer.add(String.format(
                    Locale.ROOT,
                    "The %s of %s is %s if nobody moves and %s once people do; ever larger rules approach %s.",
                    errorName(model),
                    TODAY,
                    Numbers.number(first.honest()),
                    Numbers.number(first.naive()),
                    first.anticipated() <= NoRule.ROUNDING * first.honest()
                            ? "0"
                            : Numbers.number(first.anticipated())));
        }
        if (!model.game().hasEffects() && model.game().loss().isSquared()) {
            answer.add("Why, and what to try, stands below.");
        }
        return answer;
    }

    /** One error beside that of today's rule, where they are known. */
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

    /** Two digits, or all before the point. */
    private static String difference(double more) {
        if (Math.abs(more) < NOTICEABLE || !Double.isFinite(more)) {
            return "no difference";
        }
        if (more >= MANY) {
            return String.format(Locale.ROOT, "%,d times as large", Math.round(1 + more));
        }
        BigDecimal share = new BigDecimal(100 * Math.abs(more));
        MathContext digits = new MathContext(Math.max(2, share.precision() - share.scale()));
        return share.round(digits).stripTrailingZeros().toPlainString() + "% " + (more < 0 ? "smaller" : "larger");
    }

    /** What is proven, in words; the figures of the proof are for whoever unfolds them. */
    ReportData.Seal seal() {
        StackelbergModel.Optimality optimality = model.optimality();
        String loss = Numbers.number(optimality.objective());
        if (!optimality.finite()) {
            return new ReportData.Seal(
                    false,
                    "There is no best rule",
                    "Whatever rule one publishes, a more extreme one does better. "
                            + (model.game().loss().isSquared()
                                    ? "Maybe say how uncertain the wishes are, with --wish-noise."
                                    : "Maybe declare wishes that are not the truth in other words."),
                    "No finite equilibrium: the loss falls towards " + loss + " as the rule grows without bound.");
        }
        String bound = ProofWords.bound(model);
        boolean hedged = model.game().hedge() != null;
        if (optimality.certified()) {
            return new ReportData.Seal(
                    true,
                    hedged ? "Proven: no better rule within the hedge" : "Proven: no better rule exists",
                    (model.between().isEmpty()
                                    ? "For the people it was learned from, if they move as declared, no linear "
                                            + ProofWords.rules(model) + " does better."
                                    : "For the people it was learned from, no linear rule is "
                                            + (model.game().between().regret()
                                                    ? "nearer to the best of every gamma"
                                                    : "better at its worst gamma")
                                            + " of the interval.")
                            + " Anybody with the data can check that.",
                    bound,
                    hedged ? " within the hedge" : "");
        }
        return switch (optimality.proof()) {
            case PROVEN ->
                new ReportData.Seal(
                        false,
                        "Not proven to be the best",
                        "What is proven: the best " + ProofWords.rules(model)
                                + " would lower the loss by at most "
                                + Numbers.percent(Math.min(1, optimality.relativeGap())) + ".",
                        bound);
            case ESTIMATED ->
                new ReportData.Seal(
                        false,
                        "Not proven to be the best",
                        "Nothing speaks against this rule being the best, but the proof is not complete.",
                        String.format(
                                Locale.ROOT,
                                "The loss is %s; %s.",
                                loss,
                                optimality.relativeGap() < 1
                                        ? String.format(
                                                Locale.ROOT,
                                                "the proof is estimated, with a bound of %.1e on what could be gained",
                                                optimality.gapBound())
                                        : "how much could be gained is not known"));
            case REFUTED ->
                new ReportData.Seal(
                        false,
                        "Not the best rule",
                        "A better rule exists, and the solver did not find it. Maybe use another solver, or leave the choice to"
                                + " the program.",
                        String.format(
                                Locale.ROOT,
                                "The loss is %s; the proof is refuted, with a bound of %.1e on what could be gained.",
                                loss,
                                optimality.gapBound()));
        };
    }

    ReportData.Made made() {
        return new ReportData.Made(
                commandLine(),
                Version.current(),
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
