package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import stackelberg.cli.answer.EvaluationAnswer;
import stackelberg.cli.answer.GroupsAnswer;
import stackelberg.cli.answer.LossAnswer;
import stackelberg.cli.answer.Numbers;
import stackelberg.data.Table;
import stackelberg.game.Loss;
import stackelberg.game.Population;
import stackelberg.game.World;
import stackelberg.model.response.ByGroup;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;

/** What rules lose, as text and for JSON. */
public final class EvaluationReport {
    private final World world;
    private final List<Population.Group> kinds;
    private final String wish;
    private final List<Doubted> rules = new ArrayList<>();
    private final Table rows;
    /** The largest, where there are many. */
    private final Map<String, int[]> groups;

    /** Null where nobody asked for groups. */
    private final GroupWords byGroup;

    private final Sensitivity doubts;
    private final Loss loss;
    private final double cutoff;

    /** A rule with what it loses if the game was misjudged; gamma may be null, where nobody doubts it, and so are costs where moves change the target. */
    private record Doubted(
            RuleEvaluation evaluation,
            RuleEvaluation.Interval gamma,
            RuleEvaluation.Interval costs,
            RuleEvaluation.Score wishes) {
        boolean searched() {
            return costs != null && costs.searched() || gamma != null && gamma.searched();
        }
    }

    /** @param byGroup what the rules, and today's after them where it is known, do to groups */
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

    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d people%s, %s, wishes %s%s.%n%n",
                rows.rows(),
                weighted(world),
                PopulationWords.of(world),
                wish,
                world.wishNoise() > 0 ? " with noise " + Numbers.plain(world.wishNoise()) : ""));
        TextTable table = header("rule");
        rules.forEach(rule -> table.add(cells(rule.evaluation.rule().name(), rule.evaluation)));
        text.append(table);
        if (loss.isLogistic() && !rules.isEmpty()) {
            text.append('\n')
                    .append(AnswerWords.more(
                            rules.stream().map(Doubted::evaluation).toList(), LossAnswer.event(world.spec()), cutoff));
            text.append("\nTenths of the people by their probability, and how many of them are a yes:\n");
            text.append(rules.stream()
                    .map(rule -> AnswerWords.calibration(rule.evaluation, cutoff))
                    .collect(Collectors.joining("\n")));
        }
        if (!kinds.isEmpty()) {
            for (Doubted rule : rules) {
                TextTable byKind = header(rule.evaluation.rule().name() + ", by population");
                kinds.forEach(kind -> byKind.add(cells(PopulationWords.counted(kind), rule.evaluation.of(kind))));
                text.append('\n').append(byKind);
            }
        }
        if (byGroup != null) {
            for (Doubted rule : rules) {
                TextTable scores = header(rule.evaluation.rule().name() + ", by "
                        + byGroup.shown().column());
                byGroup.shown().parts().stream()
                        .map(ByGroup.Part::name)
                        .forEach(name -> scores.add(cells(
                                String.format(Locale.ROOT, "%s (%,d)", name, groups.get(name).length),
                                rule.evaluation.of(groups.get(name)))));
                text.append('\n').append(scores);
            }
            text.append('\n').append(byGroup.text("these people"));
        }
        if (world.spec().hasEffects()) {
            rules.forEach(rule -> text.append('\n').append(real(rule.evaluation)));
        }
        text.append('\n')
                .append(Character.toUpperCase(LossWords.unit(loss).charAt(0)))
                .append(LossWords.unit(loss).substring(1))
                .append(" after the move, if the game was misjudged:\n")
                .append(doubtTable());
        if (rules.stream().anyMatch(Doubted::searched)) {
            text.append("Limits stop people here: what is worst was searched for on a grid, and is not proven.\n");
        }
        return text.toString();
    }

    /** What of the moves is real. */
    private String real(RuleEvaluation e) {
        return String.format(
                Locale.ROOT,
                "%s: %s %s of the gap. %s On average %s really rises by %s.%n%s",
                e.rule().name(),
                e.isLimited() ? "on average people close" : "everybody closes",
                Numbers.percent(e.pullThrough()),
                EffectWords.sentence(e.earned(), e.gamed()),
                world.target(),
                Numbers.number(e.improvement()),
                EffectWords.table(world, e.rule()));
    }

    /** All means are weighted where there are weights. */
    static String weighted(World world) {
        return world.spec().weight() == null
                ? ""
                : ", weighted by '" + world.spec().weight() + "' (all means are)";
    }

    private TextTable header(String first) {
        List<String> heads = new ArrayList<>(List.of(first));
        heads.addAll(LossWords.heads(loss));
        heads.addAll(LossWords.heads(loss));
        heads.add("through");
        return new TextTable()
                .add("", "nobody moves", "", "", "people move", "", "", "pull-")
                .add(heads.toArray(String[]::new));
    }

    private String[] cells(String name, RuleEvaluation e) {
        List<String> cells = new ArrayList<>(List.of(name));
        cells.addAll(loss.isLogistic() ? measures(e.honest(cutoff)) : measures(e.honest()));
        cells.addAll(loss.isLogistic() ? measures(e.moved(cutoff)) : measures(e.moved()));
        cells.add(Numbers.pullThrough(e.pullThrough()));
        return cells.toArray(String[]::new);
    }

    private List<String> measures(RuleEvaluation.Score score) {
        return loss.isSquared()
                ? List.of(Numbers.number(score.rmse()), Numbers.number(score.mae()), r2(score))
                : List.of(Numbers.number(score.loss()), Numbers.number(score.rmse()), Numbers.number(score.mae()));
    }

    private static List<String> measures(YesOrNo measures) {
        return List.of(
                Numbers.number(measures.logLoss()),
                AnswerWords.measure(measures.auc()),
                AnswerWords.measure(measures.accuracy()));
    }

    static String r2(RuleEvaluation.Score score) {
        return Double.isNaN(score.r2())
                ? "-"
                : String.format(Locale.ROOT, score.r2() < -1000 ? "%.3g" : "%.4f", score.r2());
    }

    private TextTable doubtTable() {
        List<String> header = new ArrayList<>(List.of("rule"));
        if (doubts.gammaDoubted()) {
            header.add((PopulationWords.column(world).isPresent() ? "all at one gamma, " : "gamma ")
                    + Numbers.plain(doubts.gammaFrom()) + " to " + Numbers.plain(doubts.gammaTo()));
        }
        if (world.spec().hasEffects()) {
            header.addAll(List.of("half of the effects", "twice the effects"));
        } else {
            header.add((PopulationWords.column(world).isPresent() ? "costs or gammas" : "costs")
                    + (rules.stream().anyMatch(rule -> rule.costs.searched())
                            ? " all off by the same factor, up to "
                            : " off by a factor ")
                    + Numbers.plain(doubts.costError()));
        }
        header.add("wishes off by " + Numbers.number(doubts.wishError()) + (loss.isLogistic() ? " in log-odds" : ""));
        TextTable table = new TextTable(1).add(header.toArray(String[]::new));
        for (Doubted rule : rules) {
            List<String> cells = new ArrayList<>(List.of(rule.evaluation.rule().name()));
            if (doubts.gammaDoubted()) {
                cells.add(worst(rule.gamma, "gamma "));
            }
            if (rule.costs == null) {
                cells.add(Numbers.number(rule.evaluation.movedIfEffectsAre(0.5).rmse()));
                cells.add(Numbers.number(rule.evaluation.movedIfEffectsAre(2).rmse()));
            } else {
                cells.add(worst(rule.costs, "times "));
            }
            cells.add(Numbers.number(LossWords.error(loss, rule.wishes)));
            table.add(cells.toArray(String[]::new));
        }
        return table;
    }

    private String worst(RuleEvaluation.Interval interval, String what) {
        return Numbers.number(LossWords.error(loss, interval.worst())) + " at worst (" + what
                + (interval.worstInside() ? Numbers.number(interval.worstAt()) : Numbers.plain(interval.worstAt()))
                + ")";
    }

    public EvaluationAnswer answer() {
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
                                part, rules.indexOf(rule), e.of(groups.get(part.name())), cutoff))
                        .toList(),
                EvaluationAnswer.Sensitivity.of(e, rule.gamma, rule.costs, rule.wishes, doubts.wishError()));
    }
}
