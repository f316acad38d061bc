package stackelberg.cli.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.answer.Answer;
import stackelberg.cli.answer.EffectWords;
import stackelberg.cli.answer.GapWords;
import stackelberg.cli.answer.LimitWords;
import stackelberg.cli.answer.Numbers;

/**
 * The sentences of the page outside its tables. The script has no sentences of its own: it shows fixed texts where they belong, and fills numbers that
 * follow the sliders into templates such as <code>{share}</code>.
 *
 * @param answers the parts of the page that the terminal prints too, by the name of their placeholder
 * @param texts by the id of the element that shows them
 * @param templates by name
 */
record PageWords(@JsonIgnore Map<String, Answer> answers, Map<String, String> texts, Map<String, String> templates) {
    static final String UNTOUCHED = "(Not affected by the sliders.)";
    /** The templates that are the same on every page. The script fills in names, and numbers that follow the sliders. */
    private static final Map<String, String> CONSTANT = """
            smaller: {share} smaller
            larger: {share} larger
            many: {times} times as large
            ownWorld: their own gamma
            pullNone: At gamma {gamma} giving everyone the score they want is as good as any rule, so there is none to publish.
            earnedMore: The truth moves further than the score, by {earned} of the gap: people become better than the rule says.
            rises: On average {target} really rises by {rise}.
            falls: On average {target} really falls by {rise}.
            gains: gains {share}
            costs: costs {share}
            loses: loses {share}
            costsNothing: costs nothing
            gainsNothing: gains nothing
            manyTimes: {error} × {times}
            balanceSame: In this world the rule and {today} do equally well.
            balanceWorse: In this world the rule does worse than {today}, its {error} is {moved}: it was fitted for people who respond differently.
            balanceGain: Expecting the response makes the {error} {moved} than that of {today}.
            balanceFree: Expecting the response makes the {error} {moved} than that of {today}, and costs nothing if nobody moves.
            balanceCost: Expecting the response makes the {error} {moved} than that of {today}; if nobody moves, it is {honest}.
            balanceBoth: Expecting the response makes the {error} {moved} than that of {today}; if nobody moves, it is {honest} too.
            sealNone: ✗ no finite rule
            sealOpen: ✗ not proven
            gapTiny: less than a millionth of it
            gapUnknown: not known
            gapAtMost: at most {share}
            gapTitle: At most {bound} of {loss}
            pathLeaves: Lines that leave the picture go on in the table.
            frontier: The error is {honest} if nobody moves{honestBeside}, and {moved} once people move{movedBeside}.
            besideSame: , as that of {today}
            besideOther: , {difference} than that of {today}
            besideMany: , {times} times that of {today}
            frontierShare: {share} do not move. {words}
            peopleSpread: Those who want the same are spread a little sideways, so that each can be seen.
            meanRight: Once people have moved the rule predicts {predicted} on average, and {yes} are a yes.
            meanHigh: Once people have moved the rule predicts {predicted} on average, and {yes} are a yes: it predicts too much.
            meanLow: Once people have moved the rule predicts {predicted} on average, and {yes} are a yes: it predicts too little.
            predicted: {before} before and {after} after the move under {rule}
            """.lines()
            .map(line -> line.split(": ", 2))
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));

    /** Returns a template for a difference, as in "24% smaller". */
    static String difference(String kind, String place, String value) {
        return Objects.requireNonNull(CONSTANT.get(kind), kind).replace("{" + place + "}", value);
    }

    /**
     * The facts on which the sentences depend.
     *
     * @param scale the value of {@code --scale}
     */
    record Facts(
            ReportBuilder.Heading heading,
            ReportData.Game game,
            ReportData.Crowd people,
            ReportData.@Nullable Outside outside,
            ReportData.Path path,
            ReportData.Judged judged,
            @Nullable String scale) {
        boolean logistic() {
            return path.loss() != null && path.loss().logistic();
        }

        /** The name of the error. */
        String error() {
            return path.loss() == null ? "error" : path.loss().name();
        }

        double truthfulShare() {
            return game.mixture() == null ? 0 : game.mixture().truthfulShare();
        }

        String truthful() {
            return Numbers.percent(truthfulShare());
        }

        boolean someTruthful() {
            return truthfulShare() > 0;
        }

        /** The column with a gamma for each person, if there is one. */
        @Nullable
        String ownGamma() {
            return game.mixture() == null || game.worldGamma() != null
                    ? null
                    : game.mixture().rowGamma();
        }

        /** Whether the slider of the world multiplies gammas that differ by person. */
        boolean multiplied() {
            return game.worlds() != null && game.worlds().own();
        }

        boolean manyRules() {
            return path.points().size() > 1;
        }

        ReportData.Point selected() {
            return path.points().get(path.selected());
        }

        String unit() {
            return "standard".equals(scale)
                    ? "standard deviations"
                    : "range".equals(scale) ? "shares of its range" : "scaled units";
        }

        String oneUnit() {
            return "standard".equals(scale)
                    ? "one standard deviation"
                    : "range".equals(scale) ? "its whole range" : "one scaled unit";
        }
    }

    static PageWords of(Facts facts, Map<String, Answer> answers) {
        PageWords words = new PageWords(answers, new LinkedHashMap<>(), new LinkedHashMap<>(CONSTANT));
        words.names(facts);
        words.firstScreen(facts);
        words.rule(facts);
        words.charts(facts);
        words.people(facts);
        words.yesOrNo(facts);
        words.tuning(facts);
        return words;
    }

    private void text(String id, String... sentences) {
        texts.put(
                id,
                String.join(" ", Stream.of(sentences).filter(s -> !s.isEmpty()).toList()));
    }

    private void template(String name, String words) {
        templates.put(name, words);
    }

    private static String when(boolean condition, String sentence) {
        return condition ? sentence : "";
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private void names(Facts facts) {
        template("today", ReportWords.TODAY);
        template("error", facts.error());
        template("unit", facts.unit());
        template("oneUnit", facts.oneUnit());
        // moves that are real change the truth
        template("truth", facts.game().real() ? "Truth before" : "Truth");
        template("world", facts.multiplied() ? "{times} times their own gamma" : "gamma {gamma}");
        String people = facts.someTruthful() ? "those who move" : "people";
        template("people", people);
        template("gap", "would " + GapWords.close("{share}") + " under {today}");
    }

    private void firstScreen(Facts facts) {
        text("pull-caption", pullCaption(facts));
        text("loss-caption", lossCaption(facts) + ": shorter is better.");
        String onAverage = when(facts.game().mixture() != null || facts.game().limits() != null, ", on average");
        String truthful = when(facts.someTruthful(), ", " + facts.truthful() + " truthful");
        String none =
                "At gamma {gamma} giving everyone the score they want is as good as any rule, so there is none to publish.";
        String gets = "People " + GapWords.close("{share}") + onAverage;
        String moving = facts.ownGamma() == null
                ? "at gamma {world}"
                : (facts.multiplied() ? "{times}" : "") + "gamma of column {column}";
        template("pull", gets + " (pull-through {pull}, " + moving + truthful + ").");
        template(
                "pullElsewhere",
                gets + ": the rule expects gamma {gamma}, they move at {world}" + truthful + " (pull-through {pull}).");
        template("earned", EffectWords.sentence(false, "{earned}", "{gamed}"));
        template("earnedBackwards", EffectWords.sentence(true, "{earned}", "{gamed}"));

        template(
                "announce",
                (facts.manyRules() ? "Rule for gamma {gamma}. " : "") + "{pull}{earned} The {error} is {value}.");
    }

    private static String pullCaption(Facts facts) {
        boolean some = facts.someTruthful();
        String average = " The pull-through is the share" + GapWords.GAP + " that they close on average.";
        ReportData.Limits limits = facts.game().limits();
        if (limits != null) {
            return (some ? "Some are truthful; the others" : "People")
                    + " change what they can, as far as limits let them ("
                    + String.join(", ", limits.words()) + ")." + average + " "
                    + LimitWords.heldBack(limits.held(), facts.people().rows(), limits.stopped(), limits.stuck(), "");
        }
        if (facts.ownGamma() != null) {
            return (some ? "Some are truthful, the others" : "People")
                    + " change what they can, some more easily than others." + average;
        }
        if (some) {
            return "Some are truthful and change nothing; the others all close the same share of the gap between what the rule"
                    + " would predict and what they want. The pull-through is what all close on average.";
        }
        return "All people change what they can, and close the same share of the gap"
                + when(facts.logistic(), ", in log-odds,")
                + " between what the rule would predict and what they want: the pull-through."
                + when(facts.game().real(), " The part by which the target itself moves is earned, the rest is gamed.");
    }

    private static String lossCaption(Facts facts) {
        String of = when(
                facts.heading().kind().equals("compare"),
                format(
                        " on the %,d people the rules were learned from",
                        facts.people().rows()));
        ReportData.Lost loss = facts.path().loss();
        if (loss == null) {
            return "The typical error of a prediction (root mean square)" + of;
        }
        return loss.logistic()
                ? "The mean log loss of a prediction" + of
                : "The mean Huber loss of a prediction (" + loss.words() + ": larger errors count only in proportion)"
                        + of;
    }

    private void rule(Facts facts) {
        ReportData.Mixture mixture = facts.game().mixture();
        boolean own = mixture != null && mixture.rowGamma() != null;
        String gamma = Numbers.number(facts.game().gamma());
        boolean fittedHere = facts.people().fittedRows() == null;
        boolean one = !facts.manyRules() && fittedHere;
        String hidden = "How the rule changes with gamma is not shown: ";
        text(
                "rule-words",
                mixture == null
                        ? "The rule is made for one gamma; really people may have another."
                        : own
                                ? "The rule is made for people who each have their own gamma, from the column "
                                        + mixture.rowGamma()
                                        + when(
                                                facts.someTruthful(),
                                                ", and of whom " + facts.truthful() + " are truthful")
                                        + "."
                                : "The rule is made for people of whom " + facts.truthful()
                                        + " are truthful, while the others move at gamma " + gamma + ".",
                mixture == null || facts.game().worldGamma() == null
                        ? ""
                        : "Here all who move do so at gamma "
                                + Numbers.number(facts.game().worldGamma()) + ".",
                when(facts.multiplied(), "The slider shows this rule if moving is easier or harder for all of them."),
                own || facts.path().leastSquares() == null
                        ? ""
                        : gapUnderToday(facts, facts.path().leastSquares(), gamma),
                when(one && own, hidden + "people have no common gamma."),
                when(
                        one && mixture != null && !own,
                        hidden
                                + "with a truthful share, each gamma needs a separate search, and with so many figures that takes"
                                + " too long for a page."),
                when(
                        one && facts.path().loss() != null,
                        hidden
                                + "with this loss, each gamma is solved separately, and with so many figures that takes too long for"
                                + " a page."),
                when(
                        facts.game().limits() != null && fittedHere,
                        hidden + "under limits, each gamma needs a separate search."),
                facts.people().fittedRows() == null
                        ? ""
                        : format(
                                "The expected figures are for the %,d people the rule was fitted to.",
                                facts.people().fittedRows()));
        text("expected-name", capital(facts.error()) + " it expects");
        text("point-seal-name", mixture == null ? "Certificate at this gamma" : "Certificate");
        template(
                "sealProven", "✓ proven to be the best" + facts.heading().seal().among());
        text(
                "incentives-words",
                "What one unit of each feature really does to " + facts.game().target()
                        + ", and what it does to the score; how"
                        + " much of the gap its moves close, and how much of it they really earn. The effects were declared; these data cannot prove "
                        + "them.");
    }

    /** The meaning of gamma: the share of the gap that people would close under today's rule. */
    private String gapUnderToday(Facts facts, ReportData.LeastSquares today, String gamma) {
        double stretch = today.losses().stretch();
        return stretch > 0
                ? "At gamma " + gamma + ", " + templates.get("people") + " "
                        // one of the constant sentences
                        + Objects.requireNonNull(templates.get("gap"))
                                .replace(
                                        "{share}",
                                        Numbers.percent(stretch
                                                / (stretch + facts.game().gamma())))
                                .replace("{today}", ReportWords.TODAY)
                        + "."
                : "";
    }

    private void charts(Facts facts) {
        List<ReportData.FeatureEntry> features = facts.path().features();
        text(
                "path-words",
                "What " + facts.oneUnit() + " of each feature adds to the "
                        + (facts.logistic() ? "log-odds of a yes" : "prediction")
                        + ", for every gamma: the more easily people move, the less weight the rule gives to what they can change.",
                when(
                        features.size() > Points.PATHS_SHOWN,
                        format(
                                "Shown are the %d of %,d features that weigh most at the fitted gamma.",
                                Points.PATHS_SHOWN, features.size())),
                when(
                        features.stream().anyMatch(ReportData.FeatureEntry::immutable),
                        "Dashed: people cannot change it."));
        ReportData.Between between = facts.path().between();
        String best = facts.manyRules() ? "; the thin dashed line is the error of the rule made for each world." : ".";
        text(
                "worlds-words",
                "The " + facts.error() + " of this rule"
                        + when(facts.path().leastSquares() != null, " and of " + ReportWords.TODAY) + " in every world"
                        + when(facts.someTruthful(), ", in each of which " + facts.truthful() + " are truthful")
                        + when(facts.multiplied(), ", each a multiple of everyone's own gamma") + best,
                between == null
                        ? ""
                        : "The shaded gammas are those that the rule was made for, " + Numbers.number(between.low())
                                + " to "
                                + Numbers.number(between.high())
                                + when(
                                        between.losses() != null,
                                        "; the dashed line is the rule made for the one in the middle, "
                                                + Numbers.number(between.nominal()))
                                + ".");
        if (facts.multiplied()) {
            text("world-name", "Everyone moves at their own gamma");
        }
    }

    private void people(Facts facts) {
        ReportData.Sample sample = facts.people().sample();
        text(
                "people-words",
                "Each person appears twice: hollow where the rule would put them, filled where they end up once they have moved"
                        + when(facts.someTruthful(), ", unless they are among the truthful")
                        + ". Moves lead towards the dashed line, on which people get what they want.",
                when(
                        sample.sampled() < sample.count(),
                        format("Shown are %,d of %,d people.", sample.sampled(), sample.count())));
        long movable = facts.path().features().stream()
                .filter(feature -> !feature.immutable())
                .count();
        text(
                "moves-words",
                "How far " + (facts.someTruthful() ? "those who move change" : "the average person moves")
                        + " each feature, in " + facts.unit() + ", so that they can be compared.",
                when(
                        movable > Points.MOVES_SHOWN,
                        format("Shown are the %d of %,d features that move most", Points.MOVES_SHOWN, movable)
                                + when(facts.manyRules(), " at the fitted gamma") + "."));
        text("furthest-if", when(facts.someTruthful(), ", if they move"));
        text("furthest-unit", facts.unit());
        text(
                "populations-words",
                "What the fitted rule predicts for those who respond alike, how they move, and what that costs them, on average.",
                when(
                        facts.someTruthful(),
                        "It is not known who is truthful, so each person is counted in both populations."));
        if (facts.people().groups() != null) {
            text(
                    "groups-words",
                    "What the fitted rule predicts for each group of "
                            + facts.people().groups().column() + ": which groups move most, and which gain.",
                    when(facts.someTruthful(), "It is not known who is truthful: these are expected values."));
        }
        if (facts.people().furthest() != null && facts.outside() != null) {
            text("furthest-doubts", doubts(facts, facts.people().furthest(), facts.outside()));
        }
    }

    /** Returns how many of the people who move furthest could not make their moves, and why. */
    private static String doubts(Facts facts, List<ReportData.Mover> furthest, ReportData.Outside outside) {
        List<String> sentences = new ArrayList<>();
        long leaving =
                Arrays.stream(outside.furthest()).filter(moves -> moves > 0).count();
        String unseen = "would need a value that no one in training had";
        doubt(sentences, Doubts.OUTSIDE, leaving, furthest.size(), unseen + ".");
        doubt(
                sentences,
                Doubts.BETWEEN,
                doubted(furthest, Doubts.BETWEEN),
                furthest.size(),
                "would need a fraction where only whole numbers occur.");
        doubt(
                sentences,
                Doubts.LIMIT,
                doubted(furthest, Doubts.LIMIT),
                furthest.size(),
                "stop at a limit with what is shown.");
        Integer all = outside.people();
        if (all != null && facts.people().rows() > furthest.size()) {
            sentences.add(format(
                    "Of all %,d people %s " + unseen + "%s.",
                    facts.people().rows(),
                    all == 0 ? "no one" : format("%,d", all),
                    when(facts.someTruthful(), ", if they move")));
        }
        return String.join(" ", sentences);
    }

    private static long doubted(List<ReportData.Mover> furthest, String kind) {
        return furthest.stream()
                .filter(mover -> mover.moves().stream()
                        .anyMatch(move ->
                                move.doubt() != null && move.doubt().kind().equals(kind)))
                .count();
    }

    private static void doubt(List<String> sentences, String kind, long count, int of, String words) {
        if (count > 0) {
            sentences.add(Doubts.FLAGS.get(kind) + " " + (count == of && of > 1 ? "All" : count) + " of these " + of
                    + " " + words);
        }
    }

    private void yesOrNo(Facts facts) {
        ReportData.Answers answers = facts.judged().answers();
        if (answers == null) {
            return;
        }
        boolean today = answers.today() != null;
        text("scores-title", "Who is predicted to be " + answers.event());
        template(
                "answers",
                "How well the fitted rule, for gamma "
                        + Numbers.number(facts.game().gamma())
                        + when(today, ", and {today}") + " separate people with {event}"
                        + " from the others, among all people and not a sample: if nobody moves, and once people have moved at gamma {world}."
                        + " The prediction is {event} if the probability is at least the cut-off, "
                        + Numbers.plain(answers.cutoff()) + ".");
        text(
                "answers-sliders",
                answers.worlds().length < 2
                        ? UNTOUCHED
                        : when(facts.manyRules(), "(Affected only by the slider for people's gamma.)"));
        text(
                "calibration-words",
                "People in ten groups by their probability: what the rule predicts for each group, and the share of it that is a yes. On the dashed line both agree.");
        template(
                "scores",
                "How many people have which probability, before and after the move. The prediction is {event} for {rule}"
                        + when(today, ", and for {other}") + ".");
    }

    private void tuning(Facts facts) {
        String loss = facts.path().loss() == null ? "mean loss" : facts.error();
        template("heldOut", loss);
        if (facts.judged().tuning() instanceof ReportData.Curve curve) {
            text(
                    "tuning-words",
                    "The " + loss
                            + " on people held out, for rules that expect different gammas, in the world of gamma "
                            + Numbers.plain(curve.worldGamma())
                            + "; whiskers are one standard error. Marked are the smallest and the chosen one: of those within one"
                            + " standard error of the smallest, the one with the least pull-through.");
        } else if (facts.judged().tuning() instanceof ReportData.Regret regret) {
            text(
                    "tuning-words",
                    "The cost of moving is not known, so every rule is tried in every world: the darker a cell, the larger the regret of the rule "
                            + "(row) in that world (column). The chosen row has the smallest worst cell, gamma "
                            + Numbers.plain(regret.modelGammas()[regret.chosen()]) + ".");
        }
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
