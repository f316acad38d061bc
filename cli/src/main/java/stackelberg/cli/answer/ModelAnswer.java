package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.data.Encoding;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/** Everything that a model file contains: the answer of {@code demo}, and a part of the answers of {@code fit}, {@code path}, {@code tune} and {@code summary}. */
public record ModelAnswer(
        @JsonIgnore StackelbergModel source,
        @JsonUnwrapped Optimality optimality,
        @JsonUnwrapped Moves moves,
        @JsonUnwrapped Run run,
        @JsonUnwrapped Game game,
        @JsonUnwrapped Rule rule,
        @JsonUnwrapped Errors errors,
        @JsonUnwrapped Background background)
        implements Result {
    public static ModelAnswer of(StackelbergModel model) {
        return new ModelAnswer(
                model,
                Optimality.of(model),
                Moves.of(model),
                Run.of(model),
                Game.of(model),
                Rule.of(model),
                Errors.of(model),
                Background.of(model));
    }

    @Override
    public Answer answer() {
        return ModelWords.of(source, null);
    }

    /** The certificate of the rule. */
    record Optimality(
            @Meaning(
                    "What was minimised: the sum over the rows of weight times loss after the response, plus the ridge penalty.")
            double objective,

            @Meaning("The Lagrange multiplier of the sphere constraint in the certificate; null where there is none.")
            double multiplier,

            @Meaning(
                    "If proof is PROVEN, no rule has an objective that is smaller by more than this, rounding errors included; otherwise an estimate.")
            double gapBound,

            @Meaning("Whether the gap bound is rigorous.") Certificate.Proof proof,

            @Meaning("Whether the rule is proven globally optimal to the tolerance and to 1e-6, and finite.")
            boolean certified,

            @Meaning("What is proven, as a sentence; null where nothing is.") @Nullable
            String claim,

            @Meaning("False only if it is proven that no finite rule is optimal.")
            boolean finite,

            @Meaning("Whether a finite rule is optimal. UNKNOWN if neither that nor the opposite is proven.")
            Certificate.Finiteness finiteness,

            @Meaning("Whether the optimal rule is the only one.")
            boolean unique) {
        static Optimality of(StackelbergModel model) {
            StackelbergModel.Optimality optimality = model.optimality();
            return new Optimality(
                    optimality.objective(),
                    optimality.multiplier(),
                    optimality.gapBound(),
                    optimality.proof(),
                    optimality.certified(),
                    ProofWords.claim(model),
                    optimality.finite(),
                    optimality.finiteness(),
                    optimality.unique());
        }
    }

    /** How people respond to the rule. */
    record Moves(
            @Meaning(
                    "The share of the gap to their wish that people close, between 0 and 1; the weighted mean where people differ.")
            double pullThrough,

            @Meaning("By column, how much one unit of it really changes the target, as declared with --effect.")
            Map<String, Double> effects,

            @Meaning("The share of the gap that the target itself closes; 0 without effects.")
            double earned,

            @Meaning("The share of the gap that the score closes but the target does not.")
            double gamed,

            @Meaning(
                    "By how much the target really rises on average, weighted; 0 without effects, null where it is not known.")
            double meanImprovement,

            @Meaning("What the rule rewards, per column that people can move; empty without effects.")
            List<Incentive> incentives) {
        static Moves of(StackelbergModel model) {
            List<World.Incentive> incentives =
                    model.optimality().finite() ? model.world().incentives(model.rule()) : List.of();
            return new Moves(
                    model.pullThrough(),
                    model.game().effects(),
                    model.earned(),
                    model.gamed(),
                    model.improvement(),
                    incentives.stream().map(Incentive::of).toList());
        }
    }

    /** What a rule rewards in one column. */
    record Incentive(
            @Meaning("The encoded column.") String feature,

            @Meaning("What a move by one unit of the data really does to the target.")
            double effect,

            @Meaning("What such a move does to the score.") double coefficient,

            @Meaning("The share of the gap that the score closes through moves of this column.")
            double closed,

            @Meaning("The share of the gap that the target itself closes through them.")
            double earned) {
        static Incentive of(World.Incentive one) {
            return new Incentive(one.name(), one.effect(), one.coefficient(), one.closed(), one.earned());
        }
    }

    /** How the solver found the rule. */
    record Run(
            @Meaning("The solver's name.") String solver,
            @Meaning("How many iterations it took.") int iterations,
            @Meaning("How many times it read the data.") int passes,

            @Meaning(
                    "Why it stopped: CONVERGED, ITERATION_LIMIT, STALLED, STOPPED_BY_LISTENER, or LOCAL under limits, where nothing is proven.")
            String status,

            @Meaning("Wall-clock seconds of disjoint phases.")
            Seconds seconds) {
        static Run of(StackelbergModel model) {
            StackelbergModel.SolverRecord solver = model.solver();
            return new Run(
                    solver.name(), solver.iterations(), solver.passes(), solver.status(), Seconds.of(solver.seconds()));
        }
    }

    /** The phases of a fit. */
    public record Seconds(
            @Meaning("Reading the data.") double read,

            @Meaning(
                    "Encoding the columns, today's rule where wishes or gamma need it, and the reduction to the sphere.")
            double assemble,

            @Meaning("Solving.") double solve,
            @Meaning("Computing the certificate.") double certify,

            @Meaning("Recovering the rule from the point on the sphere.")
            double recover,

            @Meaning("Losses, warnings and standard errors.")
            double judge) {
        public static Seconds of(StackelbergModel.Phases phases) {
            return new Seconds(
                    phases.read(),
                    phases.assemble(),
                    phases.solve(),
                    phases.certify(),
                    phases.recover(),
                    phases.judge());
        }
    }

    /** The game that was played. */
    record Game(
            @Meaning("How hard it is to move: the cost of a move is gamma times its weighted squared length.")
            double gamma,

            @Meaning(
                    "The share of the gap that people would close under today's rule at this gamma; null where it is not known.")
            double gammaShare,

            @Meaning("Today's rule; null where it is not known.") @Nullable
            Today today,

            @Meaning("The ridge penalty per standardised feature and person; 0 is none.")
            double ridge,

            @JsonUnwrapped HedgeAnswer hedge,
            @JsonUnwrapped Limits limits,

            @Meaning("What the rule loses at both ends of the interval of gamma; null where gamma is one number.")
            @Nullable
            RangeAnswer between) {
        static Game of(StackelbergModel model) {
            return new Game(
                    model.gamma(),
                    model.world().gammaShare().orElse(Double.NaN),
                    Today.of(model.game().today()),
                    model.game().ridge(),
                    HedgeAnswer.of(model),
                    Limits.of(model),
                    RangeAnswer.of(model));
        }
    }

    /** The rule in force before this one. */
    record Today(
            @Meaning("By encoded column, in the units of the data.")
            Map<String, Double> coefficients,

            @Meaning("In the units of the target.") double intercept,

            @Meaning("Where the rule comes from, in words.") @Nullable
            String source) {
        /** Where it is known. */
        static @Nullable Today of(GameSpec.Today today) {
            return today.known()
                    ? new Today(
                            today.knownRule().coefficients(), today.knownRule().intercept(), today.source())
                    : null;
        }
    }

    /** How far people can move. */
    record Limits(
            @Meaning("The limits on moves, as declared; null where there are none.") @Nullable
            List<String> limits,

            @Meaning("up or down if people move their score only in this direction; otherwise null.") @Nullable
            String oneSided,

            @Meaning("The rule that is best without the limits beside this one; null without limits.") @Nullable
            Limited limited) {
        static Limits of(StackelbergModel model) {
            GameSpec.Limits limits = model.game().limits();
            return new Limits(
                    limits.none() ? null : limits.inWords(),
                    PopulationAnswer.side(limits),
                    model.limited()
                            .map(limited -> Limited.of(limited, model.losses().anticipated()))
                            .orElse(null));
        }
    }

    /** The rule that is best without limits, and its loss under the limits. */
    record Limited(
            @Meaning("What the best rule without limits would lose if there were none.")
            double promised,

            @Meaning("What that rule loses under the limits; null where there is no such rule.")
            double real,

            @Meaning("What this rule loses under the limits.")
            double refitted,

            @Meaning("How many people a limit holds back under this rule.")
            int stopped,

            @Meaning("How many people a limit holds back under the best rule without limits.")
            int stoppedWithout,

            @Meaning("Whether the limits change what the best rule without limits loses.")
            boolean binding,

            @Meaning("The number of starting rules of the local search.")
            int starts,

            @Meaning("Whether the best rule without limits is proven to be that.")
            boolean unlimitedCertified,

            @Meaning("An upper bound on how much better any rule can be without limits.")
            double unlimitedGapBound) {
        static Limited of(StackelbergModel.Limited limited, double refitted) {
            return new Limited(
                    limited.promised(),
                    limited.real(),
                    refitted,
                    limited.held(),
                    limited.heldBefore(),
                    limited.binding(),
                    limited.starts(),
                    limited.unlimited().certified(),
                    limited.unlimited().gapBound());
        }
    }

    /** The rule itself. */
    record Rule(
            @Meaning("How many rows the rule was learned from.")
            long rows,

            @Meaning("How many coefficients it has, without the intercept.")
            int features,

            @Meaning("By encoded column, in the units of the data; null where no finite rule is optimal.")
            Map<String, Double> coefficients,

            @Meaning("In the units of the target; null where no finite rule is optimal.")
            double intercept,

            @Meaning("The column that is predicted.") String target,

            @Meaning("The encoded columns that people cannot change.")
            List<String> immutable,

            @JsonUnwrapped @Nullable Mixed mixed) {
        static Rule of(StackelbergModel model) {
            // without a finite equilibrium the numbers are only a far point on the way to infinity
            boolean finite = model.optimality().finite();
            Map<String, Double> coefficients = model.coefficients();
            if (!finite) {
                coefficients = new LinkedHashMap<>(coefficients);
                coefficients.replaceAll((name, value) -> null);
            }
            return new Rule(
                    model.rows(),
                    model.terms().size(),
                    coefficients,
                    finite ? model.intercept() : Double.NaN,
                    model.game().chosenTarget(),
                    model.terms().stream()
                            .filter(term -> !term.manipulable())
                            .map(StackelbergModel.Term::name)
                            .toList(),
                    Mixed.of(model.game()));
        }
    }

    /** How people differ. */
    record Mixed(
            @Meaning("The share of people who do not move. Only where people differ.")
            double truthfulShare,

            @Meaning("The column with a gamma for each person, or null. Only where people differ.") @Nullable
            String rowGamma) {
        /** Where people differ. */
        static @Nullable Mixed of(GameSpec game) {
            return game.mixed() ? new Mixed(game.truthfulShare(), game.rowGamma()) : null;
        }
    }

    /** The losses of this rule and of today's rule on the training rows. */
    record Errors(
            @Meaning("A remark of the solver, for example how it was chosen; null if there is none.") @Nullable
            String solverNote,

            @Meaning("gapBound relative to the objective.") double relativeGap,

            @Meaning("The column of sample weights, or null.") @Nullable
            String weight,

            @Meaning("Weighted sums of the loss.") Losses losses,

            @Meaning("Root mean squared errors; null where the loss is not squared.") @Nullable
            Rmse rmse,

            @Meaning("squared, logistic or huber:DELTA.") String loss,
            @Meaning("Weighted means of the loss.") Losses meanLoss) {
        static Errors of(StackelbergModel model) {
            Losses rmse = Losses.of(model, loss -> model.rmse(loss).orElse(Double.NaN));
            return new Errors(
                    model.solver().note(),
                    model.optimality().relativeGap(),
                    model.game().weight(),
                    Losses.of(model, loss -> loss),
                    model.game().loss().isSquared()
                            ? new Rmse(rmse, rmse.anticipated, rmse.naive, rmse.naiveAttacked)
                            : null,
                    model.game().loss().inWords(),
                    Losses.of(model, loss -> model.mean(loss).orElse(Double.NaN)));
        }
    }

    /** The losses of the rule and of today's rule, each if nobody moves and after people have moved. */
    record Losses(
            @Meaning("This rule, after people have moved.") double anticipated,

            @Meaning("This rule, if nobody moves; null where no finite rule is optimal.")
            double honest,

            @Meaning("Today's rule, if nobody moves; null where it was not computed.")
            double naive,

            @Meaning("Today's rule, after people have moved; null where it was not computed.")
            double naiveAttacked) {
        static Losses of(StackelbergModel model, DoubleUnaryOperator unit) {
            StackelbergModel.Losses losses = model.losses();
            return new Losses(
                    unit.applyAsDouble(losses.anticipated()),
                    // without a finite equilibrium there is no rule that people could not move under
                    model.optimality().finite() ? unit.applyAsDouble(losses.honest()) : Double.NaN,
                    losses.naive() == null ? Double.NaN : unit.applyAsDouble(losses.naive()),
                    losses.naiveAttacked() == null ? Double.NaN : unit.applyAsDouble(losses.naiveAttacked()));
        }
    }

    /** The same under two names. */
    record Rmse(
            @JsonUnwrapped Losses losses,

            @Meaning("The value of `anticipated` under another name.")
            double moved,

            @Meaning("The value of `naive` under another name.")
            double todayHonest,

            @Meaning("The value of `naiveAttacked` under another name.")
            double todayMoved) {}

    /** Standard errors, missing values, warnings and notes. */
    record Background(
            @Meaning("What counts as a yes; null unless the loss is logistic.") @Nullable
            String yes,

            @Meaning("Standard errors of the rule; null where they were not requested.") @Nullable
            StandardErrorsAnswer standardErrors,

            @Meaning(
                    "The explained share of the variance of the target; null without standard errors or where the loss is not squared.")
            @Nullable
            Losses rSquared,

            @Meaning("The sum of the sample weights, or null where it is not known.") @Nullable
            Double totalWeight,

            @Meaning("By column with missing values: how many were filled in, and with what.")
            Map<String, Filled> filled,

            @Meaning("Warnings: what to check or change before the rule is used.")
            List<Message> warnings,

            @Meaning("Notes that explain the answer, for example which rule was chosen if several are equally good.")
            List<Message> notes) {
        static Background of(StackelbergModel model) {
            boolean squared = model.game().loss().isSquared();
            return new Background(
                    model.game().loss().isLogistic() ? model.game().answers().yes() : null,
                    model.standardErrors()
                            .map(errors -> StandardErrorsAnswer.of(model, errors))
                            .orElse(null),
                    model.standardErrors()
                            .filter(errors -> squared)
                            .map(errors -> Losses.of(model, errors::rSquared))
                            .orElse(null),
                    model.losses().totalWeight(),
                    Filled.of(model.encoding(), model.provenance().prepared().filled()),
                    model.warnings(),
                    model.notes());
        }
    }

    /** What missing values of a column were filled in with. */
    public record Filled(
            @Meaning("How many values were missing.") int count,

            @Meaning("The mean of the column, or its most frequent level.") @Nullable
            Object value) {
        public static Map<String, Filled> of(Encoding encoding, Map<String, Integer> counts) {
            Map<String, Filled> filled = new LinkedHashMap<>();
            for (Encoding.Feature feature : encoding.features()) {
                if (counts.containsKey(feature.column())) {
                    @Nullable
                    Object value = feature.categorical() ? feature.mostFrequentLevel() : (Object) feature.mean();
                    filled.put(feature.column(), new Filled(counts.get(feature.column()), value));
                }
            }
            return filled;
        }
    }
}
