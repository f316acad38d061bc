package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.Population;
import stackelberg.game.World;
import stackelberg.model.response.ByGroup;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;

/** The losses of rules: the result of {@code evaluate}. */
public final class EvaluationReport implements Result {
    private final World world;
    private final List<Population.Group> kinds;
    private final String wish;
    private final List<Doubted> rules = new ArrayList<>();
    private final Table rows;
    /** The groups to print: the largest if there are many. */
    private final Map<String, int[]> groups;

    /** The errors and moves by group; absent without --group. */
    private final @Nullable GroupWords byGroup;

    private final Sensitivity doubts;
    private final Loss loss;
    private final double cutoff;

    /**
     * A rule with its losses if the assumptions are wrong; the interval of gamma is absent if gamma is certain, the interval of the costs if moves change the
     * target.
     */
    private record Doubted(
            RuleEvaluation evaluation,
            RuleEvaluation.@Nullable Interval gamma,
            RuleEvaluation.@Nullable Interval costs,
            RuleEvaluation.Score wishes) {
        boolean searched() {
            return costs != null && costs.searched() || gamma != null && gamma.searched();
        }
    }

    /** @param byGroup the errors and moves of each group under each rule; today's rule comes last, if it is known */
    public EvaluationReport(
            World world,
            Table rows,
            String wish,
            List<RuleEvaluation> evaluations,
            Optional<GroupWords> byGroup,
            Sensitivity doubts,
            double cutoff) {
        this.world = world;
        this.loss = world.spec().loss();
        this.cutoff = cutoff;
        this.kinds = world.spec().mixed() ? PopulationWords.groups(world.population(rows)) : List.of();
        this.wish = wish;
        this.rows = rows;
        this.byGroup = byGroup.orElse(null);
        this.groups = byGroup.map(words ->
                        rows.groups(words.shown().column(), ByGroup.MOST).rows())
                .orElse(Map.of());
        this.doubts = doubts;
        for (RuleEvaluation e : evaluations) {
            rules.add(new Doubted(
                    e,
                    doubts.gammaDoubted() ? e.overGamma(doubts.gammaFrom(), doubts.gammaTo()) : null,
                    world.spec().hasEffects() ? null : e.overCosts(doubts.costError()),
                    e.movedIfWishesAreOff(doubts.wishError())));
        }
    }

    @Override
    public Answer answer() {
        Answer.Builder answer = Answer.builder();
        answer.say(
                "%,d people%s, %s, %s.",
                rows.rows(), weighted(world), PopulationWords.of(world), PopulationWords.wishes(world, wish));
        Answer.TableBuilder table = table("rule");
        rules.forEach(rule -> table.row(cells(rule.evaluation.rule().name(), rule.evaluation)));
        answer.section().block(table.build()).section();
        if (loss.isLogistic() && !rules.isEmpty()) {
            List<RuleEvaluation> all = rules.stream().map(Doubted::evaluation).toList();
            answer.block(YesOrNoWords.more(all, LossAnswer.event(world.spec()), cutoff))
                    .section();
            answer.say("People in ten groups by predicted probability, and the share of each group that is a yes:");
            all.forEach(
                    rule -> answer.block(YesOrNoWords.calibration(rule, cutoff)).section());
        }
        if (!kinds.isEmpty()) {
            for (Doubted rule : rules) {
                Answer.TableBuilder byKind = table(rule.evaluation.rule().name() + ", by population");
                kinds.forEach(kind -> byKind.row(cells(PopulationWords.counted(kind), rule.evaluation.of(kind))));
                answer.block(byKind.build()).section();
            }
        }
        if (byGroup != null) {
            for (Doubted rule : rules) {
                Answer.TableBuilder scores = table(rule.evaluation.rule().name() + ", by "
                        + byGroup.shown().column());
                byGroup.shown().parts().stream()
                        .map(ByGroup.Part::name)
                        .forEach(name -> scores.row(cells(
                                String.format(Locale.ROOT, "%s (%,d)", name, members(name).length),
                                rule.evaluation.of(members(name)))));
                answer.block(scores.build()).section();
            }
            byGroup.say("these people", answer);
            answer.section();
        }
        if (world.spec().hasEffects()) {
            rules.forEach(rule -> sayReal(rule.evaluation, answer));
        }
        answer.say(capital(LossWords.unit(loss)) + " after the move, if the assumptions are wrong:")
                .block(doubtTable());
        if (rules.stream().anyMatch(Doubted::searched)) {
            answer.say(
                    "Because of the limits the worst case was searched for on a grid; it is not proven to be the worst.");
        }
        return answer.build();
    }

    /** The text with its first letter in upper case. */
    static String capital(String sentence) {
        return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    }

    /** How much moves really change the target. */
    private void sayReal(RuleEvaluation e, Answer.Builder answer) {
        answer.say(
                "%s: %speople %s. %s%s",
                e.rule().name(),
                e.isLimited() ? "on average " : "",
                GapWords.close(e.pullThrough()),
                EffectWords.sentence(e.earned(), e.gamed()),
                EffectWords.rises(world.spec().chosenTarget(), e.improvement()));
        EffectWords.table(world, e.rule()).ifPresent(answer::block);
        answer.section();
    }

    /** The note that all means are weighted; empty without weights. */
    static String weighted(World world) {
        return world.spec().weight() == null
                ? ""
                : ", weighted by '" + world.spec().weight() + "' (all means are)";
    }

    private Answer.TableBuilder table(String first) {
        List<String> heads = new ArrayList<>(List.of(first));
        heads.addAll(LossWords.heads(loss));
        heads.addAll(LossWords.heads(loss));
        heads.add("through");
        return Answer.table("", "nobody moves", "", "", "people move", "", "", "pull-")
                .head(heads);
    }

    private List<String> cells(String name, RuleEvaluation e) {
        return Answer.cells(
                List.of(name),
                loss.isLogistic() ? measures(e.honest(cutoff)) : measures(e.honest()),
                loss.isLogistic() ? measures(e.moved(cutoff)) : measures(e.moved()),
                List.of(Numbers.pullThrough(e.pullThrough())));
    }

    private List<String> measures(RuleEvaluation.Score score) {
        return loss.isSquared()
                ? List.of(Numbers.number(score.rmse()), Numbers.number(score.mae()), r2(score))
                : List.of(Numbers.number(score.loss()), Numbers.number(score.rmse()), Numbers.number(score.mae()));
    }

    private static List<String> measures(YesOrNo measures) {
        return List.of(
                Numbers.number(measures.logLoss()),
                YesOrNoAnswer.measure(measures.auc()),
                YesOrNoAnswer.measure(measures.accuracy()));
    }

    static String r2(RuleEvaluation.Score score) {
        return Double.isNaN(score.r2())
                ? "-"
                : String.format(Locale.ROOT, score.r2() < -1000 ? "%.3g" : "%.4f", score.r2());
    }

    private Answer.Table doubtTable() {
        List<String> header = new ArrayList<>(List.of("rule"));
        if (doubts.gammaDoubted()) {
            header.add((PopulationWords.column(world).isPresent() ? "all at one gamma, " : "gamma ")
                    + Numbers.plain(doubts.gammaFrom()) + " to " + Numbers.plain(doubts.gammaTo()));
        }
        if (world.spec().hasEffects()) {
            header.addAll(List.of("half of the effects", "twice the effects"));
        } else {
            header.add((PopulationWords.column(world).isPresent() ? "costs or gammas" : "costs")
                    + (rules.stream().anyMatch(rule -> rule.costs != null && rule.costs.searched())
                            ? " all off by the same factor, up to "
                            : " off by a factor ")
                    + Numbers.plain(doubts.costError()));
        }
        header.add("wishes off by " + Numbers.number(doubts.wishError()) + (loss.isLogistic() ? " in log-odds" : ""));
        Answer.TableBuilder table = Answer.table(header).text(1);
        for (Doubted rule : rules) {
            List<String> cells = new ArrayList<>(List.of(rule.evaluation.rule().name()));
            if (rule.gamma != null) {
                cells.add(worst(rule.gamma, "gamma "));
            }
            if (rule.costs == null) {
                cells.add(Numbers.number(rule.evaluation.movedIfEffectsAre(0.5).rmse()));
                cells.add(Numbers.number(rule.evaluation.movedIfEffectsAre(2).rmse()));
            } else {
                cells.add(worst(rule.costs, "times "));
            }
            cells.add(Numbers.number(LossWords.error(loss, rule.wishes)));
            table.row(cells);
        }
        return table.build();
    }

    private int[] members(String group) {
        // the figures are of the same groups as these rows
        return Objects.requireNonNull(groups.get(group));
    }

    private String worst(RuleEvaluation.Interval interval, String what) {
        return Numbers.number(LossWords.error(loss, interval.worst())) + " at worst (" + what
                + (interval.worstInside() ? Numbers.number(interval.worstAt()) : Numbers.plain(interval.worstAt()))
                + ")";
    }

    @Override
    public EvaluationAnswer json() {
        GroupsAnswer.Beside beside = byGroup == null ? null : byGroup.besideRules(rules.size());
        return EvaluationAnswer.of(
                world, rows, wish, cutoff, rules.stream().map(this::answer).toList(), beside);
    }

    private EvaluationAnswer.Rule answer(Doubted rule) {
        RuleEvaluation e = rule.evaluation;
        List<ByGroup.Part> parts = byGroup == null ? List.of() : byGroup.parts();
        return EvaluationAnswer.Rule.of(
                world,
                e,
                cutoff,
                !world.spec().mixed()
                        ? null
                        : kinds.stream()
                                .map(kind -> EvaluationAnswer.OfPopulation.of(
                                        PopulationWords.answer(kind), e.of(kind), cutoff))
                                .toList(),
                parts.stream()
                        .map(part -> EvaluationAnswer.Group.of(
                                part, rules.indexOf(rule), e.of(members(part.name())), cutoff))
                        .toList(),
                EvaluationAnswer.Sensitivity.of(e, rule.gamma, rule.costs, rule.wishes, doubts.wishError()));
    }
}
