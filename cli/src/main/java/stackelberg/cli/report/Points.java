package stackelberg.cli.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** The rules of a path in the form that the page needs, computed in one pass over the people, or a few passes if there are many rules. */
final class Points {
    /** Features whose coefficients are drawn over gamma. */
    static final int PATHS_SHOWN = 12;

    /** The number of features whose mean moves the page shows in its chart. */
    static final int MOVES_SHOWN = 15;

    private final List<StackelbergModel> path;
    private final StackelbergModel model;
    private final @Nullable PublishedRule naive;
    private final int[] columns;
    private final int[] sample;
    private final PathSums sums;

    /** For each rule of the path, its index among the rules of the sums; -1 if it is not finite. Least squares is the last rule of the sums. */
    private final int[] ruleOf;

    private final int naiveRule;

    /**
     * Computes the points for these rules and people.
     *
     * @param selected the index of the rule whose predictions are kept for all people
     * @param naive least squares, if it is known
     * @param columns the encoded columns that the page shows
     * @param worlds where losses are computed that are not squared
     */
    Points(
            List<StackelbergModel> path,
            int selected,
            @Nullable PublishedRule naive,
            int[] columns,
            Sample people,
            double[] worlds,
            Workers workers) {
        this.path = path;
        this.model = path.get(selected);
        this.naive = naive;
        this.columns = columns;
        this.sample = Sampling.people(people.size());
        List<PublishedRule> rules = new ArrayList<>();
        this.ruleOf = new int[path.size()];
        for (int k = 0; k < ruleOf.length; k++) {
            boolean finite = path.get(k).optimality().finite();
            ruleOf[k] = finite ? rules.size() : -1;
            if (finite) {
                rules.add(path.get(k).rule());
            }
        }
        this.naiveRule = naive == null ? -1 : rules.size();
        if (naive != null) {
            rules.add(naive);
        }
        // least squares is needed only with gammas per row, under limits or with logistic loss
        // for more than
        // its sums
        boolean sums = model.game().rowGamma() == null
                && model.game().limits().none()
                && !model.game().loss().isLogistic();
        int[] kept = {ruleOf[selected], sums ? -1 : naiveRule};
        this.sums = PathSums.of(people, rules, sample, kept, worlds, workers);
    }

    /** Returns the indices of the sampled rows, for which the predictions of every rule of the path are stored. */
    int[] sample() {
        return sample.clone();
    }

    /** The selected rule's predictions for all people. */
    double[] predictions() {
        return sums.kept(0);
    }

    /** Returns the predictions of least squares for all people, if they were kept. */
    double[] naivePredictions() {
        return sums.kept(1);
    }

    /** sum_i s_i. */
    double weight() {
        return sums.weight();
    }

    double wishLoss() {
        return sums.wishLoss(model.game().wishNoise());
    }

    ReportData.@Nullable LeastSquares leastSquares() {
        if (naive == null) {
            return null;
        }
        return new ReportData.LeastSquares(
                ReportWords.TODAY,
                ReportWords.error(model, sums.honest(naiveRule) / sums.weight()),
                sums.losses(naiveRule, model.world().omega(naive), model.world().earned(naive)));
    }

    List<ReportData.FeatureEntry> features() {
        boolean real = model.game().hasEffects();
        double[] effects = model.world().effects();
        return IntStream.of(columns)
                .mapToObj(j -> {
                    StackelbergModel.Term term = model.terms().get(j);
                    double scale = model.encoding().columns().get(j).scale();
                    return new ReportData.FeatureEntry(
                            term.name(),
                            !term.manipulable(),
                            term.manipulable() ? term.cost() : null,
                            scale,
                            real && term.manipulable() ? effects[j] / scale : null);
                })
                .toList();
    }

    /** @param applied whether the rules were fitted to other people */
    List<ReportData.Point> points(boolean applied) {
        return IntStream.range(0, path.size())
                .mapToObj(k -> point(path.get(k), ruleOf[k], applied))
                .toList();
    }

    private ReportData.Point point(StackelbergModel at, int rule, boolean applied) {
        StackelbergModel.Optimality optimality = at.optimality();
        boolean finite = optimality.finite();
        return new ReportData.Point(
                at.gamma(),
                at.pullThrough(),
                expected(at, applied),
                new ReportData.Optimum(optimality.objective(), optimality.gapBound(), optimality.certified(), finite),
                finite
                        ? new ReportData.Rule(
                                at.intercept(), shown(j -> at.terms().get(j).coefficient()))
                        : null,
                finite ? sums.losses(rule, at.omega(), at.world().earned(at.rule())) : null,
                finite ? reaction(at, rule) : null);
    }

    private ReportData.Reaction reaction(StackelbergModel at, int rule) {
        List<EncodedColumn> encoded = model.encoding().columns();
        double omega = at.omega();
        return new ReportData.Reaction(
                sums.meanWish(rule),
                sums.meanGap(rule),
                Sampling.sixDigits(
                        shown(j -> omega == 0 ? 0 : Math.abs(Movements.step(at, encoded.get(j), j)) / omega)),
                Sampling.sixDigits(sums.sampled(rule)));
    }

    private double[] shown(IntToDoubleFunction value) {
        return Arrays.stream(columns).mapToDouble(value).toArray();
    }

    /** The error that a rule expects: a mean over the total weight, which need not equal the number of people. */
    private @Nullable Double expected(StackelbergModel at, boolean applied) {
        double loss = at.losses().anticipated();
        if (applied) {
            return at.game().weight() == null ? ReportWords.error(at, loss / at.rows()) : null;
        }
        return ReportWords.error(at, loss / sums.weight());
    }
}
