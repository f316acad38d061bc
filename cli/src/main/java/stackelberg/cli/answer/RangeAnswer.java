package stackelberg.cli.answer;

import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;
import stackelberg.objective.omega.RangeSolution;

/**
 * The losses of a rule if gamma is only known to lie in an interval.
 *
 * @param low the losses at the smallest gamma
 * @param high the losses at the largest gamma
 * @param worstGamma the gamma at which this rule loses most
 * @param weight the weight of the smallest gamma in the weighted mean of the losses at both ends that this rule minimises
 * @param regret whether the rule minimises the largest regret instead of the worst loss
 * @param largestRegret the largest regret over the interval; null without --regret
 */
record RangeAnswer(
        End low,
        End high,
        double worstGamma,
        double weight,
        boolean regret,
        @Nullable Largest largestRegret) {
    /** Returns the losses over the interval; null where gamma is one number. */
    static @Nullable RangeAnswer of(StackelbergModel model) {
        GameSpec.Between range = model.game().between();
        if (range == null || model.between().isEmpty()) {
            return null;
        }
        Solution.Between between = model.between().get();
        return new RangeAnswer(
                End.of(model, between.low(), range.mostShare()),
                End.of(model, between.high(), range.leastShare()),
                model.gamma(),
                between.weight(),
                range.regret(),
                Largest.of(between.regret()));
    }

    /**
     * One end of the interval.
     *
     * @param gamma the gamma at this end of the interval
     * @param gammaShare the share of the gap that people would close under today's rule; null if the interval was given in numbers
     * @param loss the loss of this rule after the move
     * @param rmse the value of loss as a root mean squared error
     * @param penalty the ridge penalty of this rule
     * @param best the loss of the best rule for this gamma
     * @param bestRmse the value of best as a root mean squared error
     * @param bestPenalty the ridge penalty of the best rule for this gamma
     * @param bestProven whether the best rule for this gamma is proven to be the best
     * @param regret the cost of not knowing gamma: the objective of this rule minus that of the best rule for this gamma
     */
    record End(
            double gamma,
            @Nullable Double gammaShare,
            double loss,
            double rmse,
            double penalty,
            double best,
            double bestRmse,
            double bestPenalty,
            boolean bestProven,
            double regret) {
        static End of(StackelbergModel model, Solution.Between.End end, @Nullable Double share) {
            return new End(
                    end.gamma(),
                    share,
                    end.loss(),
                    model.rmse(end.loss()).orElse(Double.NaN),
                    end.penalty(),
                    end.best(),
                    model.rmse(end.best()).orElse(Double.NaN),
                    end.bestPenalty(),
                    end.proven(),
                    end.regret());
        }
    }

    /**
     * The largest regret.
     *
     * @param gamma the gamma at which the largest regret was found
     * @param met the largest regret that was found
     * @param most a proven upper bound on the regret at every gamma of the interval
     */
    record Largest(double gamma, double met, double most) {
        static @Nullable Largest of(RangeSolution.@Nullable Regret regret) {
            return regret == null ? null : new Largest(regret.gamma(), regret.met(), regret.most());
        }
    }
}
