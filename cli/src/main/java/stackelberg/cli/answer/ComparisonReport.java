package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.World;
import stackelberg.model.response.Comparison;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;

/** The result of {@code compare}: the errors of several rules on held-out people. */
public final class ComparisonReport implements Result {
    private final Comparison comparison;
    private final Bootstrap bootstrap;
    private final Map<String, int[]> groups;
    private final @Nullable String groupColumn;
    private final @Nullable String testFile;
    private final Loss loss;

    /** @param testFile the file with the people that the rules are judged on; absent if they were held out of the training data */
    public ComparisonReport(
            Comparison comparison, Bootstrap bootstrap, @Nullable String groupColumn, @Nullable String testFile) {
        this.comparison = comparison;
        this.bootstrap = bootstrap;
        this.groupColumn = groupColumn;
        this.groups = groupColumn == null ? Map.of() : comparison.judged().groups(groupColumn);
        this.testFile = testFile;
        this.loss = comparison.world().spec().loss();
    }

    @Override
    public Answer answer() {
        World world = comparison.world();
        double ridge = world.spec().ridge();
        Answer.Builder answer = Answer.builder();
        answer.say(
                "Fitted to %,d people, tested on %,d %s%s. %s%s, %s.",
                comparison.model().rows(),
                comparison.judged().rows(),
                testFile == null ? "held out (seed " + bootstrap.seed() + ")" : "of '" + testFile + "'",
                EvaluationReport.weighted(world),
                PopulationWords.of(world, GammaWords.of(world)),
                ridge > 0 ? ", this rule with ridge " + Numbers.plain(ridge) : "",
                PopulationWords.wishes(world, world.spec().chosenWish()));
        boolean real = world.spec().hasEffects();
        Answer.TableBuilder table = Answer.table(Answer.cells(
                List.of(LossWords.unit(loss) + " [95% interval]", "nobody moves", "people move"),
                loss.isLogistic() ? List.of() : List.of("R2 then"),
                real ? EffectWords.heads(world.spec().chosenTarget()) : List.of("pull-through")));
        for (Comparison.Entry entry : comparison.entries()) {
            RuleEvaluation e = entry.evaluation();
            String pullThrough = Numbers.pullThrough(e.pullThrough());
            table.row(Answer.cells(
                    List.of(
                            name(entry),
                            Numbers.number(LossWords.error(loss, e.honest())) + " " + interval(entry.honest()),
                            Numbers.number(LossWords.error(loss, e.moved())) + " " + interval(entry.moved())),
                    loss.isLogistic() ? List.of() : List.of(EvaluationReport.r2(e.moved())),
                    real ? EffectWords.cells(pullThrough, e.earned(), e.improvement()) : List.of(pullThrough)));
        }
        answer.section().block(table.build()).section();
        if (loss.isLogistic()) {
            answer.block(answers("AUC", Comparison.Measured::auc, YesOrNo::auc)).section();
            answer.block(answers(
                            "accuracy at " + Numbers.plain(cutoff()), Comparison.Measured::accuracy, YesOrNo::accuracy))
                    .section();
        }
        answer.say(sentences()).notes(comparison.model().notes()).section();
        if (!groups.isEmpty()) {
            answer.block(byGroup());
        }
        return answer.warnings(warnings()).build();
    }

    private double cutoff() {
        Comparison.Answers answers = comparison.entries().get(0).answers();
        return answers == null ? YesOrNo.CUTOFF : answers.honest().measures().cutoff();
    }

    /** Returns a table with one measure of how well each rule separates yes from no, if nobody moves and once people have moved, with intervals. */
    private Answer.Table answers(
            String measure,
            Function<Comparison.Measured, Resampling.Interval> interval,
            ToDoubleFunction<YesOrNo> value) {
        Answer.TableBuilder table = Answer.table(measure + " [95% interval]", "nobody moves", "people move");
        for (Comparison.Entry entry : comparison.entries()) {
            table.row(
                    name(entry),
                    withInterval(entry.answers().honest(), interval, value),
                    withInterval(entry.answers().moved(), interval, value));
        }
        return table.build();
    }

    private static String withInterval(
            Comparison.Measured measured,
            Function<Comparison.Measured, Resampling.Interval> interval,
            ToDoubleFunction<YesOrNo> value) {
        Resampling.Interval ends = interval.apply(measured);
        return YesOrNoAnswer.measure(value.applyAsDouble(measured.measures())) + " ["
                + YesOrNoAnswer.measure(ends.low()) + ", " + YesOrNoAnswer.measure(ends.high()) + "]";
    }

    public static String name(Comparison.Entry entry) {
        String name = entry.evaluation().rule().name();
        if (entry.hedge() != null) {
            return entry.hedge().isBalanced() ? "balanced" : name + " " + HedgeWords.inWords(entry.hedge());
        }
        return entry.lambda() == null ? name : String.format(Locale.ROOT, "%s (lambda %.2g)", name, entry.lambda());
    }

    /** The conclusion: the error that the first rule promises, and how much of its loss the Stackelberg rule saves. */
    public List<String> sentences() {
        RuleEvaluation naive = comparison.entries().get(0).evaluation();
        double promised = LossWords.error(loss, naive.honest());
        double kept = LossWords.error(loss, naive.moved());
        return List.of(
                String.format(
                        Locale.ROOT,
                        "%s promises %s of %s and has %s once people move%s.",
                        EvaluationReport.capital(naive.rule().name()),
                        loss.isSquared() ? "an error" : "a " + LossWords.unit(loss),
                        Numbers.number(promised),
                        Numbers.number(kept),
                        kept < promised ? ": the scores that people want carry information about the truth" : ""),
                comparison
                        .saving()
                        .map(this::saves)
                        .orElse(
                                "There is no Stackelberg rule to compare: giving everyone the score they want is as good as any rule."));
    }

    private String saves(Comparison.Saving saving) {
        boolean saves = saving.share() >= 0;
        Resampling.Interval interval = saving.interval();
        return String.format(
                Locale.ROOT,
                "The Stackelberg rule %s %s of this %s [%s to %s].",
                saves ? "saves" : "adds",
                Numbers.percent(Math.abs(saving.share())),
                loss.isSquared() ? "squared error" : LossWords.unit(loss),
                Numbers.percent(saves ? interval.low() : -interval.high()),
                Numbers.percent(saves ? interval.high() : -interval.low()));
    }

    private Answer.Table byGroup() {
        List<String> rules = comparison.entries().stream()
                .map(e -> e.evaluation().rule().name())
                .toList();
        Answer.TableBuilder table =
                Answer.table(Answer.cells(List.of(LossWords.unit(loss) + " after the move, by " + groupColumn), rules));
        groups.forEach((name, members) -> table.row(Answer.cells(
                List.of(String.format(Locale.ROOT, "%s (%,d)", name, members.length)),
                comparison.entries().stream()
                        .map(e -> Numbers.number(
                                LossWords.error(loss, e.evaluation().of(members).moved())))
                        .toList())));
        return table.build();
    }

    private static String interval(Resampling.Interval interval) {
        return "[" + Numbers.number(interval.low()) + ", " + Numbers.number(interval.high()) + "]";
    }

    public List<Message> warnings() {
        List<Message> warnings = new ArrayList<>(comparison.model().warnings());
        comparison.hedged().stream()
                .flatMap(model -> model.warnings().stream())
                .filter(warning -> !warnings.contains(warning))
                .forEach(warnings::add);
        if (comparison.droppedRows() > 0) {
            warnings.add(Message.of(
                    "rows-left-out",
                    "{} people were left out of the test because a value is missing.",
                    comparison.droppedRows()));
        }
        return warnings;
    }

    @Override
    public ComparisonAnswer json() {
        return ComparisonAnswer.of(comparison, bootstrap.seed(), cutoff(), groups, warnings());
    }
}
