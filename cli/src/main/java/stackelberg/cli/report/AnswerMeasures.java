package stackelberg.cli.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import stackelberg.cli.answer.LossAnswer;
import stackelberg.game.Loss;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.response.YesOrNo;

/** How well scores tell a yes from a no before and after people move, and of whom the cut-off predicts a yes: from everybody, and not from the sample of the charts. */
final class AnswerMeasures {
    /** So many scores are put in order in a moment, all worlds together; beyond, only those of the world that the page shows first. */
    private static final long MANY = 4_000_000;

    /** Of 0 to 1, in the distribution of probabilities. */
    private static final int PARTS = 20;

    private final Sample people;
    private final double cutoff;
    private final Workers workers;

    /** Of people whose truth is known. */
    AnswerMeasures(Sample people, double cutoff, Workers workers) {
        this.people = people;
        this.cutoff = cutoff;
        this.workers = workers;
    }

    /**
     * What a rule says of everybody.
     *
     * @param omega how far it stretches
     * @param p log-odds before the move
     */
    record Scores(double omega, double[] p) {}

    /**
     * Of a rule and today's, which may be null.
     *
     * @param first the gamma of the world that the page shows first
     */
    ReportData.Answers of(Scores rule, Scores today, double[] worlds, double first) {
        double[] known = (long) people.size() * worlds.length > MANY ? new double[] {first} : worlds;
        return new ReportData.Answers(
                cutoff,
                LossAnswer.event(people.spec()),
                known,
                told(rule.p),
                today == null ? null : told(today.p),
                moved(rule, known),
                today == null ? null : moved(today, known));
    }

    private List<ReportData.Told> moved(Scores scores, double[] worlds) {
        ReportData.Told[] all = new ReportData.Told[worlds.length];
        double[] z = people.z();
        workers.run(all.length, k -> {
            Response response = Response.of(scores.omega, 0, worlds[k]);
            double[] after = new double[z.length];
            Arrays.setAll(after, i -> response.after(scores.p[i], z[i]));
            all[k] = told(after);
        });
        return Stream.of(all).toList();
    }

    private ReportData.Told told(double[] scores) {
        YesOrNo measures = YesOrNo.of(scores, people.y(), people.weights(), cutoff);
        Map<String, Double> named = new LinkedHashMap<>();
        named.put("logLoss", measures.logLoss());
        named.put("brier", measures.brier());
        named.put("auc", measures.auc());
        named.put("gini", measures.gini());
        named.put("ks", measures.ks());
        named.put("accuracy", measures.accuracy());
        named.put("predictedYes", measures.predictedYes());
        named.put("meanProbability", measures.meanProbability());
        named.put("shareOfYes", measures.shareOfYes());
        return new ReportData.Told(named, measures.calibration(), Sampling.sixDigits(shares(scores)));
    }

    /** By weight; a probability between two parts counts to the upper one, as at the cut-off. */
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
