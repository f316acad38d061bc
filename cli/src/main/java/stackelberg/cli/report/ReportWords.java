package stackelberg.cli.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import stackelberg.cli.report.ReportBuilder.First;
import stackelberg.cli.report.ReportBuilder.Heading;
import stackelberg.cli.terminal.Settings;
import stackelberg.cli.text.HedgeWords;
import stackelberg.cli.text.Numbers;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Version;

/**
 * The first screen of a report in words: what was asked, the answer, the seal.
 *
 * @param model the rule the report is about
 * @param data the name of the data
 */
public record ReportWords(StackelbergModel model, String data, CommandLine command) {
    /** More than these nobody reads at a glance. */
    private static final int SENTENCES = 3;

    /** How the words of a shell are written so that the shell reads them again. */
    private static final String SAFE = "[A-Za-z0-9_@%+=:,./-]+";

    /** The heading of a report on a rule, with the answer to another question before it where there is one. */
    public Heading heading(String kind, String asked, List<String> first, List<String> warnings) {
        return new Heading(
                kind,
                model.game().target() + ", scored for people who respond",
                asked,
                numbers -> Stream.concat(first.stream(), ruleAnswer(numbers).stream())
                        .limit(SENTENCES)
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
                game.rowGamma() == null
                        ? "gamma " + Numbers.plain(model.gamma())
                        : "everybody its own gamma (column " + game.rowGamma() + ")",
                game.truthfulShare() > 0
                        ? " and " + Numbers.percent(game.truthfulShare()) + " are truthful"
                        : game.hedge() != null
                                ? ", and is at most " + HedgeWords.percent(game.hedge())
                                        + " worse than today's if nobody moves"
                                : "");
    }

    private List<String> ruleAnswer(First first) {
        List<String> answer = new ArrayList<>();
        boolean finite = model.optimality().finite();
        answer.add(
                finite
                        ? String.format(
                                Locale.ROOT,
                                "Under the Stackelberg rule people get %s of the way to what they wish%s.",
                                Numbers.percent(first.pullThrough()),
                                model.game().mixed() ? ", on average" : "")
                        : "Believing everybody is as good as any rule, so there is none to publish.");
        if (!Double.isNaN(first.naive())) {
            answer.add(String.format(
                    Locale.ROOT,
                    "Least squares promises an error of %s and has %s once people move; %s has %s.",
                    Numbers.number(first.honest()),
                    Numbers.number(first.naive()),
                    finite ? "the Stackelberg rule" : "the limit",
                    Numbers.number(first.anticipated())));
        } else if (!Double.isNaN(first.anticipated())) {
            answer.add("Once people have moved, its error is " + Numbers.number(first.anticipated()) + ".");
        }
        answer.add(
                model.certified()
                        ? model.game().hedge() == null
                                ? "No rule can do better: that is proven, not hoped."
                                : "No rule that is at most "
                                        + HedgeWords.percent(model.game().hedge())
                                        + " worse than today's if nobody moves can do better: that is proven, not hoped."
                        : finite ? "That it is the best is not proven." : "Why, and what to try, stands below.");
        return answer;
    }

    private ReportData.Seal seal() {
        StackelbergModel.Optimality optimality = model.optimality();
        String text = String.format(
                Locale.ROOT,
                "The loss%s is %s, and no rule%s can be better by more than %.1e.",
                model.game().ridge() > 0 ? " with its ridge" : "",
                Numbers.number(optimality.objective()),
                model.game().hedge() == null ? "" : " within the hedge",
                optimality.gapBound());
        if (optimality.certified()) {
            return new ReportData.Seal(true, "Certified: globally optimal", text);
        }
        return optimality.finite()
                ? new ReportData.Seal(
                        false,
                        "Not certified",
                        String.format(
                                Locale.ROOT,
                                "The loss is %s; the proof is %s, with a bound of %.1e on what could be gained.",
                                Numbers.number(optimality.objective()),
                                optimality.proof().name().toLowerCase(Locale.ROOT),
                                optimality.gapBound()))
                : new ReportData.Seal(
                        false,
                        "No finite equilibrium",
                        "The loss falls towards " + Numbers.number(optimality.objective())
                                + " as the rule grows without bound. Maybe fit it again with --wish-noise.");
    }

    private ReportData.Made made() {
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
