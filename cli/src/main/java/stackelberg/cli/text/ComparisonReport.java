package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import stackelberg.cli.answer.ComparisonAnswer;
import stackelberg.cli.answer.Numbers;
import stackelberg.data.Table;
import stackelberg.game.Loss;
import stackelberg.model.response.Bootstrap;
import stackelberg.model.response.Comparison;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;

/** Rules side by side, as text and for JSON. */
public final class ComparisonReport {
    private final Comparison comparison;
    private final Bootstrap bootstrap;
    private final Map<String, int[]> groups;
    private final String groupColumn;
    private final String testFile;
    private final Loss loss;

    /** @param testFile where the judged people are from, null if they were held out */
    public ComparisonReport(Comparison comparison, Bootstrap bootstrap, String groupColumn, String testFile) {
        this.comparison = comparison;
        this.bootstrap = bootstrap;
        this.groupColumn = groupColumn;
        this.groups = groupColumn == null ? Map.of() : comparison.judged().groups(groupColumn);
        this.testFile = testFile;
        this.loss = comparison.world().spec().loss();
    }

    public String text() {
        Table judged = comparison.judged();
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "Learned from %,d people, judged by %,d %s%s. %s%s, wishes %s%s.%n%n",
                comparison.model().rows(),
                judged.rows(),
                testFile == null ? "held out (seed " + bootstrap.seed() + ")" : "of '" + testFile + "'",
                EvaluationReport.weighted(comparison.world()),
                PopulationWords.of(comparison.world(), GammaWords.of(comparison.world())),
                comparison.world().spec().ridge() > 0
                        ? ", this rule with ridge "
                                + Numbers.plain(comparison.world().spec().ridge())
                        : "",
                comparison.world().wish(),
                comparison.world().wishNoise() > 0
                        ? " with noise " + Numbers.plain(comparison.world().wishNoise())
                        : ""));
        boolean real = comparison.world().spec().hasEffects();
        List<String> heads =
                new ArrayList<>(List.of(LossWords.unit(loss) + " [95% interval]", "nobody moves", "people move"));
        heads.addAll(loss.isLogistic() ? List.of() : List.of("R2 then"));
        heads.addAll(real ? EffectWords.heads(comparison.world().target()) : List.of("pull-through"));
        TextTable table = new TextTable().add(heads.toArray(String[]::new));
        for (Comparison.Entry entry : comparison.entries()) {
            RuleEvaluation e = entry.evaluation();
            List<String> cells = new ArrayList<>(List.of(
                    name(entry),
                    Numbers.number(LossWords.error(loss, e.honest())) + " " + interval(entry.honest()),
                    Numbers.number(LossWords.error(loss, e.moved())) + " " + interval(entry.moved())));
            if (!loss.isLogistic()) {
                cells.add(EvaluationReport.r2(e.moved()));
            }
            String pullThrough = Numbers.pullThrough(e.pullThrough());
            cells.addAll(real ? EffectWords.cells(pullThrough, e.earned(), e.improvement()) : List.of(pullThrough));
            table.add(cells.toArray(String[]::new));
        }
        text.append(table).append('\n');
        if (loss.isLogistic()) {
            text.append(answers("AUC", Comparison.Told::auc, YesOrNo::auc)).append('\n');
            text.append(answers("accuracy at " + Numbers.plain(cutoff()), Comparison.Told::accuracy, YesOrNo::accuracy))
                    .append('\n');
        }
        text.append(verdict());
        comparison.model().notes().forEach(note -> text.append(note).append('\n'));
        appendGroups(text);
        return text.toString();
    }

    private double cutoff() {
        Comparison.Answers answers = comparison.entries().get(0).answers();
        return answers == null ? YesOrNo.CUTOFF : answers.honest().measures().cutoff();
    }

    /** One measure of a yes or no, before and after the move, with its intervals. */
    private TextTable answers(
            String measure, Function<Comparison.Told, Bootstrap.Interval> interval, ToDoubleFunction<YesOrNo> value) {
        TextTable table = new TextTable().add(measure + " [95% interval]", "nobody moves", "people move");
        for (Comparison.Entry entry : comparison.entries()) {
            table.add(
                    name(entry),
                    told(entry.answers().honest(), interval, value),
                    told(entry.answers().moved(), interval, value));
        }
        return table;
    }

    private static String told(
            Comparison.Told told,
            Function<Comparison.Told, Bootstrap.Interval> interval,
            ToDoubleFunction<YesOrNo> value) {
        Bootstrap.Interval ends = interval.apply(told);
        return AnswerWords.measure(value.applyAsDouble(told.measures())) + " [" + AnswerWords.measure(ends.low()) + ", "
                + AnswerWords.measure(ends.high()) + "]";
    }

    public static String name(Comparison.Entry entry) {
        String name = entry.evaluation().rule().name();
        if (entry.hedge() != null) {
            return name + " " + Numbers.percentAsGiven(entry.hedge());
        }
        return entry.lambda() == null ? name : String.format(Locale.ROOT, "%s (lambda %.2g)", name, entry.lambda());
    }

    private String verdict() {
        RuleEvaluation naive = comparison.entries().get(0).evaluation();
        double promised = LossWords.error(loss, naive.honest());
        double kept = LossWords.error(loss, naive.moved());
        String text = String.format(
                Locale.ROOT,
                "%s promises %s of %s and has %s once people move%s.%n",
                sentence(naive.rule().name()),
                loss.isSquared() ? "an error" : "a " + LossWords.unit(loss),
                Numbers.number(promised),
                Numbers.number(kept),
                kept < promised ? ": their wishes tell something about the truth" : "");
        return comparison
                .saving()
                .map(saving -> text
                        + String.format(
                                Locale.ROOT,
                                "Anticipating them %s %s of its %s [%s to %s].%n",
                                saving.share() >= 0 ? "saves" : "adds",
                                Numbers.percent(Math.abs(saving.share())),
                                loss.isSquared() ? "squared error" : LossWords.unit(loss),
                                Numbers.percent(
                                        saving.share() >= 0
                                                ? saving.interval().low()
                                                : -saving.interval().high()),
                                Numbers.percent(
                                        saving.share() >= 0
                                                ? saving.interval().high()
                                                : -saving.interval().low())))
                .orElse(
                        text
                                + "There is no finite rule to compare it with: giving everyone the score they want is best here.\n");
    }

    private static String sentence(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** The verdict, a sentence at a time. */
    public List<String> sentences() {
        return verdict().lines().toList();
    }

    private void appendGroups(StringBuilder text) {
        if (groups.isEmpty()) {
            return;
        }
        List<String> header = new ArrayList<>(List.of(LossWords.unit(loss) + " after the move, by " + groupColumn));
        comparison.entries().forEach(e -> header.add(e.evaluation().rule().name()));
        TextTable table = new TextTable().add(header.toArray(String[]::new));
        groups.forEach((name, members) -> {
            List<String> cells = new ArrayList<>(List.of(String.format(Locale.ROOT, "%s (%,d)", name, members.length)));
            comparison
                    .entries()
                    .forEach(e -> cells.add(Numbers.number(
                            LossWords.error(loss, e.evaluation().of(members).moved()))));
            table.add(cells.toArray(String[]::new));
        });
        text.append('\n').append(table);
    }

    private static String interval(Bootstrap.Interval interval) {
        return "[" + Numbers.number(interval.low()) + ", " + Numbers.number(interval.high()) + "]";
    }

    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(comparison.model().warnings());
        comparison.hedged().stream()
                .flatMap(model -> model.warnings().stream())
                .filter(warning -> !warnings.contains(warning))
                .forEach(warnings::add);
        if (comparison.droppedRows() > 0) {
            warnings.add(comparison.droppedRows() + " of the people to judge by were left out because a value is"
                    + " missing.");
        }
        return warnings;
    }

    public ComparisonAnswer answer() {
        return ComparisonAnswer.of(comparison, bootstrap.seed(), cutoff(), groups, warnings());
    }
}
