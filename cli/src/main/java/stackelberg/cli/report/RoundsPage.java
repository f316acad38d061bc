package stackelberg.cli.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import stackelberg.cli.answer.Answer;
import stackelberg.cli.answer.GapWords;
import stackelberg.cli.answer.LossWords;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.RetrainingReport;
import stackelberg.cli.answer.SummaryAnswer;
import stackelberg.cli.terminal.Settings;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.io.AtomicFile;
import stackelberg.game.PublishedRule;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Retraining;

/** The report page of {@code simulate}: the rounds as a chart, with a button that plays them, in one HTML file. */
public final class RoundsPage {
    private static final List<String> SCRIPT = List.of("elements", "heading", "charts", "rounds");

    /** Of more rounds than this, only the first and the last ones are shown. */
    private static final int MOST_ROUNDS = 2000;

    /** The maximum number of columns on the page. */
    private static final int MOST_COLUMNS = 24;

    private RoundsPage() {}

    /**
     * The data of the page.
     *
     * @param people the number of people
     * @param played the number of rounds; the page may show fewer
     */
    record Data(
            ReportData.Heading heading,
            long people,
            int played,
            Errors errors,
            Rounds rounds,
            Rules rules,
            ReportData.Made made) {}

    /**
     * The error by which rules are compared.
     *
     * @param unit the name of the error
     * @param fixedPoint the error of a rule that retraining reproduces, if one is known
     */
    record Errors(String unit, @Nullable Double fixedPoint) {}

    /** Errors by round: root mean squares, or means of another loss. */
    record Rounds(
            int[] number,
            double[] promised,
            double[] error,
            double[] anticipated,
            double[] pullThrough,
            double[] change) {}

    /**
     * Coefficients in the units of the data, by round and column.
     *
     * @param left columns that are left out
     * @param anticipating the rule that anticipates, if there is one
     */
    record Rules(
            List<String> names,
            double[] intercepts,
            double[][] coefficients,
            int left,
            @Nullable Anticipating anticipating) {}

    record Anticipating(double intercept, double[] coefficients) {}

    /** Writes the page completely or not at all. */
    public static void write(Path file, RetrainingReport report, String data, CommandLine command) {
        Data all = data(report, data, command);
        String page = ReportPage.render(
                "rounds.html",
                SCRIPT,
                all.heading.title(),
                all,
                all.heading.words().answers());
        AtomicFile.write(file, page.getBytes(StandardCharsets.UTF_8));
    }

    private static Data data(RetrainingReport report, String name, CommandLine command) {
        StackelbergModel model = report.model();
        Retraining played = report.played();
        ReportWords words = new ReportWords(model, name, command);
        List<Retraining.Round> shown = shown(played.rounds());
        var heading = new ReportData.Heading(
                "simulate",
                "Retraining " + model.game().target() + " round after round",
                report.game(),
                report.sentences(),
                words.seal(),
                Settings.of(command).all(report.warnings()),
                new PageWords(answers(report), Map.of(), words(report, shown.size())));
        return new Data(
                heading,
                model.rows(),
                played.rounds().size(),
                errors(report),
                rounds(report, shown),
                rules(report, shown),
                words.made());
    }

    /** The sentences of the page, with placeholders for numbers that differ between rounds. */
    private static Map<String, String> words(RetrainingReport report, int shown) {
        Retraining played = report.played();
        boolean squared = played.loss().isSquared();
        String unit = LossWords.unit(played.loss());
        String was = squared ? " was off by {promised}" : " had a " + unit + " of {promised}";
        String is = squared ? "is off by " : "has a " + unit + " of ";
        String round = was + " on the data it was fitted to, and " + is + "{error} once people have moved: they "
                + GapWords.close("{share}") + ".";
        int left = report.model().terms().size() - MOST_COLUMNS;
        return Map.of(
                "first", "Today's rule" + round,
                "round", "Rule {round}" + round,
                "beside", "The rule that anticipates " + is + "{anticipated}.",
                "rounds",
                        "The " + (squared ? "typical error (root mean square)" : "mean " + unit)
                                + " of each rule: on the data it was fitted to, and once people have moved."
                                + (shown < played.rounds().size()
                                        ? String.format(
                                                Locale.ROOT,
                                                " Of %,d rounds, the first ones and the last ones are shown.",
                                                played.rounds().size())
                                        : ""),
                "rules",
                        "The coefficients of this round, beside the first rule and the one that anticipates"
                                + (left > 0
                                        ? String.format(
                                                Locale.ROOT, "; %,d columns that change less are left out", left)
                                        : "")
                                + ".");
    }

    private static Errors errors(RetrainingReport report) {
        Retraining played = report.played();
        String unit = LossWords.unit(played.loss());
        boolean squared = played.loss().isSquared();
        return new Errors(
                squared ? "error" : unit,
                played.fixedPoint().map(point -> report.error(point.loss())).orElse(null));
    }

    private static List<Retraining.Round> shown(List<Retraining.Round> all) {
        if (all.size() <= MOST_ROUNDS) {
            return all;
        }
        List<Retraining.Round> some = new ArrayList<>(all.subList(0, MOST_ROUNDS / 2));
        some.addAll(all.subList(all.size() - MOST_ROUNDS / 2, all.size()));
        return some;
    }

    private static Rounds rounds(RetrainingReport report, List<Retraining.Round> shown) {
        return new Rounds(
                shown.stream().mapToInt(Retraining.Round::number).toArray(),
                values(shown, round -> report.error(round.promised())),
                values(shown, round -> report.error(round.loss())),
                values(shown, round -> report.error(round.anticipated())),
                values(shown, Retraining.Round::pullThrough),
                values(shown, Retraining.Round::change));
    }

    private static double[] values(List<Retraining.Round> rounds, ToDoubleFunction<Retraining.Round> value) {
        return rounds.stream().mapToDouble(value).toArray();
    }

    /** The columns whose coefficients change most over the rounds, in units of their spread. */
    private static Rules rules(RetrainingReport report, List<Retraining.Round> shown) {
        StackelbergModel model = report.model();
        List<EncodedColumn> columns = model.encoding().columns();
        List<PublishedRule> published = shown.stream()
                .map(round -> report.played().published(round.rule()))
                .toList();
        double[] change = new double[columns.size()];
        for (PublishedRule rule : published) {
            for (int j = 0; j < change.length; j++) {
                EncodedColumn column = columns.get(j);
                double off = rule.coefficient(column) - published.get(0).coefficient(column);
                change[j] = Math.max(change[j], Math.abs(off * column.scale()));
            }
        }
        int[] chosen = IntStream.range(0, change.length)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -change[j]))
                .limit(MOST_COLUMNS)
                .sorted()
                .mapToInt(j -> j)
                .toArray();
        PublishedRule best = model.rule();
        return new Rules(
                IntStream.of(chosen).mapToObj(j -> columns.get(j).name()).toList(),
                published.stream().mapToDouble(PublishedRule::intercept).toArray(),
                published.stream()
                        .map(rule -> coefficients(rule, columns, chosen))
                        .toArray(double[][]::new),
                change.length - chosen.length,
                model.optimality().finite()
                        ? new Anticipating(best.intercept(), coefficients(best, columns, chosen))
                        : null);
    }

    private static double[] coefficients(PublishedRule rule, List<EncodedColumn> columns, int[] chosen) {
        return IntStream.of(chosen)
                .mapToDouble(j -> rule.coefficient(columns.get(j)))
                .toArray();
    }

    private static Map<String, Answer> answers(RetrainingReport report) {
        Retraining played = report.played();
        Answer.TableBuilder facts = Answer.table().text(1);
        facts.row("rounds", String.format(Locale.ROOT, "%,d", played.rounds().size()));
        facts.row("memory", played.plan().memory().name().toLowerCase(Locale.ROOT));
        facts.row("inertia", Numbers.plain(played.plan().inertia()));
        facts.row("outcome", played.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        facts.row("a round takes", played.tookPasses() ? "a pass over the data" : "sums of the data alone");
        facts.row("loss in the long run", Numbers.number(played.longRun().mean()));
        played.anticipated()
                .ifPresent(losses -> facts.row("loss of the rule that anticipates", Numbers.number(losses.mean())));
        return Map.of(
                "facts", Answer.builder().block(facts.build()).build(),
                "game", SummaryAnswer.game(report.model()));
    }
}
