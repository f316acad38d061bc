package stackelberg.cli.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.answer.LossAnswer;
import stackelberg.cli.answer.YesOrNoAnswer;
import stackelberg.estimate.Loss;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.response.YesOrNo;

/** Measures of how well scores separate yes from no, before and after people move: computed from all people, not from the sample that the charts show. */
final class AnswerMeasures {
    /** Up to this many scores (people times worlds) the measures are computed for every world; beyond, only for the world that the page shows first. */
    private static final long MANY = 4_000_000;

    /** The number of bars in the histogram of probabilities. */
    private static final int PARTS = 20;

    /** A measure as the page shows it. */
    private record Measure(String name, ToDoubleFunction<YesOrNo> value) {}

    /** The measures by their keys in the JSON of {@code fit}, in the order of the page. */
    private static final Map<String, Measure> MEASURES = new LinkedHashMap<>();

    static {
        MEASURES.put("auc", new Measure("AUC", YesOrNo::auc));
        MEASURES.put("gini", new Measure("Gini", YesOrNo::gini));
        MEASURES.put("ks", new Measure("KS", YesOrNo::ks));
        MEASURES.put("accuracy", new Measure("Accuracy", YesOrNo::accuracy));
        MEASURES.put("predictedYes", new Measure("Predicted yes", YesOrNo::predictedYes));
        MEASURES.put("meanProbability", new Measure("Mean probability", YesOrNo::meanProbability));
        MEASURES.put("shareOfYes", new Measure("Share of yes", YesOrNo::shareOfYes));
        MEASURES.put("logLoss", new Measure("Log loss", YesOrNo::logLoss));
        MEASURES.put("brier", new Measure("Brier", YesOrNo::brier));
    }

    private final Sample people;
    private final double cutoff;
    private final Workers workers;

    /** Creates the measures over the people whose target is known. */
    AnswerMeasures(Sample people, double cutoff, Workers workers) {
        this.people = people;
        this.cutoff = cutoff;
        this.workers = workers;
    }

    /**
     * The scores of all people under a rule.
     *
     * @param omega w'C^{-1}w
     * @param p log-odds before the move
     */
    record Scores(double omega, double[] p) {}

    /**
     * The measures of a rule and of today's rule, if that is known.
     *
     * @param first the gamma of the world that the page shows first
     */
    ReportData.Answers of(Scores rule, @Nullable Scores today, double[] worlds, double first) {
        double[] known = (long) people.size() * worlds.length > MANY ? new double[] {first} : worlds;
        return new ReportData.Answers(
                cutoff,
                LossAnswer.event(people.spec()),
                known,
                measuresOf(rule.p),
                today == null ? null : measuresOf(today.p),
                moved(rule, known),
                today == null ? null : moved(today, known));
    }

    /** The measures as the page explains them. */
    List<ReportData.Measure> measures() {
        Map<String, String> meanings = YesOrNoAnswer.meanings();
        return MEASURES.entrySet().stream()
                .map(one -> new ReportData.Measure(
                        one.getKey(),
                        one.getValue().name,
                        // each is a key of the JSON, and these have a meaning
                        Objects.requireNonNull(meanings.get(one.getKey()))))
                .toList();
    }

    private List<ReportData.ScoreMeasures> moved(Scores scores, double[] worlds) {
        ReportData.ScoreMeasures[] all = new ReportData.ScoreMeasures[worlds.length];
        double[] z = people.z();
        workers.run(all.length, k -> {
            Response response = Response.of(scores.omega, 0, worlds[k]);
            double[] after = new double[z.length];
            Arrays.setAll(after, i -> response.after(scores.p[i], z[i]));
            all[k] = measuresOf(after);
        });
        return Stream.of(all).toList();
    }

    private ReportData.ScoreMeasures measuresOf(double[] scores) {
        YesOrNo measures = YesOrNo.of(scores, people.y(), people.weights(), cutoff);
        Map<String, Double> named = new LinkedHashMap<>();
        MEASURES.forEach((key, measure) -> named.put(key, measure.value.applyAsDouble(measures)));
        return new ReportData.ScoreMeasures(named, measures.calibration(), Sampling.sixDigits(shares(scores)));
    }

    /** The weighted shares of people in each bar of the histogram; a probability on a border belongs to the upper bar, as at the cut-off. */
    private double[] shares(double[] scores) {
        double[] weights = people.weights();
        double[] shares = new double[PARTS];
        double weight = 0;
        for (int i = 0; i < scores.length; i++) {
            int part = (int) (PARTS * Loss.LOGISTIC.prediction(scores[i]));
            shares[Math.min(part, PARTS - 1)] += weights[i];
            weight += weights[i];
        }
        for (int k = 0; k < PARTS; k++) {
            shares[k] /= weight;
        }
        return shares;
    }
}
