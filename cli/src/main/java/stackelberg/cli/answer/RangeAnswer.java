package stackelberg.cli.answer;

import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;
import stackelberg.objective.omega.RangeSolution;

/** The losses of a rule if gamma is only known to lie in an interval. */
record RangeAnswer(
        @Meaning("At the smallest gamma.") End low,
        @Meaning("At the largest gamma.") End high,
        @Meaning("The gamma at which this rule loses most.") double worstGamma,

        @Meaning("The rule is best for a weighted mean of the losses at both ends: the weight of the smallest gamma.")
        double weight,

        @Meaning("Whether the rule has the least regret instead of the least worst loss.")
        boolean regret,

        @Meaning("The largest regret over the interval; null without --regret.") @Nullable
        Largest largestRegret) {
    /** Where gamma is an interval. */
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

    /** One end of the interval. */
    record End(
            @Meaning("Its gamma.") double gamma,

            @Meaning(
                    "The share of the gap that people would close under today's rule; null if the interval was given in numbers.")
            @Nullable
            Double gammaShare,

            @Meaning("What this rule loses after the move.") double loss,

            @Meaning("The same as a root mean squared error.")
            double rmse,

            @Meaning("What the ridge penalty adds.") double penalty,

            @Meaning("What the best rule for this gamma loses.")
            double best,

            @Meaning("The same as a root mean squared error.")
            double bestRmse,

            @Meaning("The ridge penalty of the best rule for this gamma.")
            double bestPenalty,

            @Meaning("Whether that rule is proven to be the best.")
            boolean bestProven,

            @Meaning(
                    "The cost of not knowing gamma: the objective of this rule minus that of the best rule for this gamma.")
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

    /** The largest regret. */
    record Largest(
            @Meaning("The gamma at which it was found.") double gamma,
            @Meaning("The largest regret that was found.") double met,

            @Meaning("A proven upper bound on the regret at every gamma of the interval.")
            double most) {
        static @Nullable Largest of(RangeSolution.@Nullable Regret regret) {
            return regret == null ? null : new Largest(regret.gamma(), regret.met(), regret.most());
        }
    }
}
