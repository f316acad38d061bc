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

    /**
     * The certificate of the rule.
     *
     * @param objective the value that was minimised: the sum over the rows of weight times loss after the response, plus the ridge penalty
     * @param multiplier the Lagrange multiplier of the sphere constraint in the certificate; null where there is none
     * @param gapBound if proof is PROVEN, no rule has an objective that is smaller by more than this, rounding errors included; otherwise an estimate
     * @param proof whether the gap bound is rigorous
     * @param certified whether the rule is proven globally optimal to the tolerance and to 1e-6, and finite
     * @param claim what is proven, as a sentence; null where nothing is proven
     * @param finite false only if it is proven that no finite rule is optimal
     * @param finiteness whether a finite rule is optimal. UNKNOWN if this is neither proven nor refuted
     * @param unique whether the optimal rule is the only one
     */
    record Optimality(
            double objective,
            double multiplier,
            double gapBound,
            Certificate.Proof proof,
            boolean certified,
            @Nullable String claim,
            boolean finite,
            Certificate.Finiteness finiteness,
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

    /**
     * How people respond to the rule.
     *
     * @param pullThrough the share of the gap to their wish that people close, between 0 and 1; the weighted mean where people differ
     * @param effects for each column, how much a move by one unit really changes the target, as declared with --effect
     * @param earned the share of the gap that the target itself closes; 0 without effects
     * @param gamed the share of the gap that the score closes but the target does not
     * @param meanImprovement by how much the target really rises on average, weighted; 0 without effects, null where it is not known
     * @param incentives the rule's reward for moves, one entry per column that people can move; empty without effects
     */
    record Moves(
            double pullThrough,
            Map<String, Double> effects,
            double earned,
            double gamed,
            double meanImprovement,
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

    /**
     * What a rule rewards in one column.
     *
     * @param feature the encoded column
     * @param effect the real change of the target for a move by one unit of the data
     * @param coefficient the change of the score for a move by one unit of the data
     * @param closed the share of the gap that the score closes through moves of this column
     * @param earned the share of the gap that the target itself closes through moves of this column
     */
    record Incentive(String feature, double effect, double coefficient, double closed, double earned) {
        static Incentive of(World.Incentive one) {
            return new Incentive(one.name(), one.effect(), one.coefficient(), one.closed(), one.earned());
        }
    }

    /**
     * How the solver found the rule.
     *
     * @param solver the solver's name
     * @param iterations the number of iterations of the solver
     * @param passes how many times the solver read the data
     * @param status why the solver stopped: CONVERGED, ITERATION_LIMIT, STALLED, STOPPED_BY_LISTENER, or LOCAL under limits, where nothing is proven
     * @param seconds wall-clock seconds of disjoint phases
     */
    record Run(String solver, int iterations, int passes, String status, Seconds seconds) {
        static Run of(StackelbergModel model) {
            StackelbergModel.SolverRecord solver = model.solver();
            return new Run(
                    solver.name(), solver.iterations(), solver.passes(), solver.status(), Seconds.of(solver.seconds()));
        }
    }

    /**
     * The phases of a fit.
     *
     * @param read seconds for reading the data
     * @param assemble seconds for encoding the columns, for today's rule (only if wishes or gamma need it) and for the reduction to the sphere
     * @param solve solving the sphere problem
     * @param certify computing the certificate
     * @param recover recovering the rule from the point on the sphere
     * @param judge computing losses, warnings and standard errors
     */
    public record Seconds(double read, double assemble, double solve, double certify, double recover, double judge) {
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

    /**
     * The game that was played.
     *
     * @param gamma how hard it is to move: the cost of a move is gamma times its weighted squared length
     * @param gammaShare the share of the gap that people would close under today's rule at this gamma; null where it is not known
     * @param today today's rule; null where it is not known
     * @param ridge the ridge penalty per standardised feature and person; 0 is none
     * @param between the losses of the rule over the interval of gamma; null where gamma is one number
     */
    record Game(
            double gamma,
            double gammaShare,
            @Nullable Today today,
            double ridge,
            @JsonUnwrapped HedgeAnswer hedge,
            @JsonUnwrapped Limits limits,
            @Nullable RangeAnswer between) {
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

    /**
     * The rule in force before this one.
     *
     * @param coefficients the coefficients of today's rule by encoded column, in the units of the data
     * @param intercept the intercept of today's rule, in the units of the target
     * @param source where the rule comes from, in words
     */
    record Today(
            Map<String, Double> coefficients,
            double intercept,
            @Nullable String source) {
        /** Returns today's rule; null where it is not known. */
        static @Nullable Today of(GameSpec.Today today) {
            return today.known()
                    ? new Today(
                            today.knownRule().coefficients(), today.knownRule().intercept(), today.source())
                    : null;
        }
    }

    /**
     * How far people can move.
     *
     * @param limits the limits on moves, as declared; null where there are none
     * @param oneSided up or down if people move their score only in this direction; otherwise null
     * @param limited this rule compared with the best rule without limits; null without limits
     */
    record Limits(
            @Nullable List<String> limits,
            @Nullable String oneSided,
            @Nullable Limited limited) {
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

    /**
     * The rule that is best without limits, and its loss under the limits.
     *
     * @param promised the loss of the best rule without limits if there were no limits
     * @param real the loss of the best rule without limits under the limits; null where there is no such rule
     * @param refitted the loss of this rule under the limits
     * @param stopped how many people a limit holds back under this rule
     * @param stoppedWithout how many people a limit holds back under the best rule without limits
     * @param binding whether the limits change the loss of the best rule without limits
     * @param starts the number of starting rules of the local search
     * @param unlimitedCertified whether the best rule without limits is proven to be the best
     * @param unlimitedGapBound an upper bound on how much better any rule can be without limits
     */
    record Limited(
            double promised,
            double real,
            double refitted,
            int stopped,
            int stoppedWithout,
            boolean binding,
            int starts,
            boolean unlimitedCertified,
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

    /**
     * The rule itself.
     *
     * @param rows the number of rows that the rule was learned from
     * @param features the number of coefficients of the rule, without the intercept
     * @param coefficients the coefficients by encoded column, in the units of the data; null where no finite rule is optimal
     * @param intercept the intercept, in the units of the target; null where no finite rule is optimal
     * @param target the column that is predicted
     * @param immutable the encoded columns that people cannot change
     */
    record Rule(
            long rows,
            int features,
            Map<String, Double> coefficients,
            double intercept,
            String target,
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

    /**
     * How people differ.
     *
     * @param truthfulShare the share of people who do not move. Only where people differ
     * @param rowGamma the column with a gamma for each person; null if there is none. Only where people differ
     */
    record Mixed(double truthfulShare, @Nullable String rowGamma) {
        /** Returns how people differ; null where all respond alike. */
        static @Nullable Mixed of(GameSpec game) {
            return game.mixed() ? new Mixed(game.truthfulShare(), game.rowGamma()) : null;
        }
    }

    /**
     * The losses of this rule and of today's rule on the training rows.
     *
     * @param solverNote a remark of the solver, for example why this solver was chosen; null if there is none
     * @param relativeGap the gap bound relative to the objective
     * @param weight the column of sample weights; null if there is none
     * @param losses weighted sums of the loss of this rule and of today's rule
     * @param rmse root mean squared errors of this rule and of today's rule; null where the loss is not squared
     * @param loss the loss: squared, logistic or huber:DELTA
     * @param meanLoss weighted means of the loss of this rule and of today's rule
     */
    record Errors(
            @Nullable String solverNote,
            double relativeGap,
            @Nullable String weight,
            Losses losses,
            @Nullable Rmse rmse,
            String loss,
            Losses meanLoss) {
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

    /**
     * The losses of the rule and of today's rule, each if nobody moves and after people have moved.
     *
     * @param anticipated the error of this rule after people have moved
     * @param honest the error of this rule if nobody moves; null where no finite rule is optimal
     * @param naive the error of today's rule if nobody moves; null where it was not computed
     * @param naiveAttacked the error of today's rule after people have moved; null where it was not computed
     */
    record Losses(double anticipated, double honest, double naive, double naiveAttacked) {
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

    /**
     * The losses as root mean squared errors, three of them under a second name as well.
     *
     * @param moved the value of {@code anticipated} under another name
     * @param todayHonest the value of {@code naive} under another name
     * @param todayMoved the value of {@code naiveAttacked} under another name
     */
    record Rmse(@JsonUnwrapped Losses losses, double moved, double todayHonest, double todayMoved) {}

    /**
     * Standard errors, missing values, warnings and notes.
     *
     * @param yes the value of the target that counts as a yes; null unless the loss is logistic
     * @param standardErrors standard errors of the rule; null where they were not requested
     * @param rSquared the explained share of the variance of the target; null without standard errors or where the loss is not squared
     * @param totalWeight the sum of the sample weights; null where it is not known
     * @param filled for each column with missing values, how many were filled in and with what
     * @param warnings warnings: what to check or change before the rule is used
     * @param notes notes that explain the answer, for example which rule was chosen if several are equally good
     */
    record Background(
            @Nullable String yes,
            @Nullable StandardErrorsAnswer standardErrors,
            @Nullable Losses rSquared,
            @Nullable Double totalWeight,
            Map<String, Filled> filled,
            List<Message> warnings,
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

    /**
     * What missing values of a column were filled in with.
     *
     * @param count the number of missing values in the column
     * @param value the value that replaces missing ones: the mean of the column, or its most frequent level
     */
    public record Filled(int count, @Nullable Object value) {
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
