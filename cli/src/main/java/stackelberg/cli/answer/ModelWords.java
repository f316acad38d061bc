package stackelberg.cli.answer;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.model.StackelbergModel;

/** The wording of a model: the rule, how people respond to it, the losses, and the proof. */
public final class ModelWords {
    private static final int TERMS_SHOWN = 15;

    private final StackelbergModel model;
    private final Optional<ErrorWords> errors;
    private final Answer.Builder answer = Answer.builder();

    private ModelWords(StackelbergModel model) {
        this.model = model;
        this.errors = ErrorWords.of(model);
    }

    /** @param yesOrNo how well the rule separates yes from no, where that is known */
    static Answer of(StackelbergModel model, @Nullable YesOrNoAnswer yesOrNo) {
        ModelWords words = new ModelWords(model);
        if (model.optimality().finite()) {
            words.rule();
        }
        words.people();
        words.losses();
        if (yesOrNo != null) {
            words.answer.section().block(yesOrNo.table());
        }
        HedgeWords.say(model, words.answer.section());
        LimitWords.say(model, words.answer.section());
        RangeWords.say(model, words.answer.section());
        words.proof();
        return words.answer.warnings(model.warnings()).build();
    }

    /** The certificate of the rule, and how the rule was found. */
    public static Answer proofOf(StackelbergModel model) {
        ModelWords words = new ModelWords(model);
        words.proof();
        return words.answer.build();
    }

    /** The terms in descending order of |coefficient| times the spread of the column. */
    private void rule() {
        List<EncodedColumn> columns = model.encoding().columns();
        List<Integer> shown = IntStream.range(0, columns.size())
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -Math.abs(
                        model.terms().get(j).coefficient() * columns.get(j).scale())))
                .limit(TERMS_SHOWN)
                .toList();
        answer.say(
                model.game().loss().isLogistic()
                        ? "log-odds of %s (%s), from %,d rows:"
                        : "%1$s, predicted from %3$,d rows:",
                model.game().chosenTarget(),
                model.game().answers().inWords(),
                model.rows());
        Optional<ErrorWords> found = errors.filter(ErrorWords::found);
        Answer.TableBuilder table = Answer.table(
                        found.map(words -> Answer.cells(List.of(""), words.heads(), List.of("")))
                                .orElse(List.of()))
                .text(found.map(words -> words.heads().size() + 1).orElse(2));
        table.row(Answer.cells(
                List.of("intercept"),
                found.map(ErrorWords::intercept).orElseGet(() -> List.of(Numbers.number(model.intercept()))),
                List.of("")));
        for (int j : shown) {
            StackelbergModel.Term term = model.terms().get(j);
            table.row(Answer.cells(
                    List.of(term.name()),
                    found.map(words -> words.cells(j)).orElseGet(() -> List.of(Numbers.number(term.coefficient()))),
                    List.of(term.manipulable() ? "" : "immutable")));
        }
        if (columns.size() > TERMS_SHOWN) {
            table.remark("... and %,d more", columns.size() - TERMS_SHOWN);
        }
        List<String> categories = model.encoding().features().stream()
                .filter(Encoding.Feature::categorical)
                .map(Encoding.Feature::column)
                .toList();
        boolean byDefault =
                "categorical columns".equals(model.provenance().options().get("immutable"));
        if (byDefault && !categories.isEmpty()) {
            table.remark(
                    "Categories are immutable unless --immutable says otherwise: %s.", String.join(", ", categories));
        }
        errors.ifPresent(words -> words.sentences().forEach(table::remark));
        answer.block(table.build()).section();
    }

    private void people() {
        boolean finite = model.optimality().finite();
        boolean mixed = model.game().mixed();
        String gamma = PopulationWords.gammas(model)
                + PopulationWords.truthful(model.game().truthfulShare());
        if (!finite) {
            answer.say(
                    "With %s, giving everyone the score they want is as good as any rule, so there is no best rule.",
                    gamma);
        } else {
            answer.say(
                    "With %s, people %s%s%s.",
                    gamma,
                    GapWords.close(model.pullThrough()),
                    model.game().loss().isLogistic() ? ", in log-odds" : "",
                    mixed ? ", on average" : " (pull-through " + Numbers.pullThrough(model.pullThrough()) + ")");
            answer.say(EffectWords.sentence(model)).say(errors.flatMap(ErrorWords::shares));
            if (!mixed) {
                answer.notes(model.notes());
            }
        }
        if (!mixed) {
            answer.say(GammaWords.sentence(model.world())).say(GammaWords.crossFitted(model.world()));
        }
        answer.section();
        if (model.game().hasEffects() && finite) {
            EffectWords.table(model.world(), model.rule()).ifPresent(answer::block);
            answer.section();
        }
    }

    /** With weights, losses are also printed as plain sums, because weights need not add up to the number of rows. */
    private void losses() {
        boolean weighted = model.game().weight() != null;
        if (!model.game().loss().isSquared()) {
            if (model.mean(0).isPresent()) {
                losses(
                        (weighted ? "weighted " : "")
                                + LossWords.unit(model.game().loss()),
                        loss -> model.mean(loss).getAsDouble());
            }
        } else if (model.rmse(0).isPresent()) {
            losses(weighted ? "weighted RMSE" : "RMSE", loss -> model.rmse(loss).getAsDouble());
        }
        if (weighted) {
            losses("weighted loss", loss -> loss);
        }
        errors.filter(words -> Double.isFinite(words.rSquared().applyAsDouble(0)))
                .ifPresent(words -> losses(weighted ? "weighted R2" : "R2", words.rSquared(), false));
    }

    private void losses(String what, DoubleUnaryOperator unit) {
        losses(what, unit, true);
    }

    /** @param unhedged whether to print the rule without a hedge beside a balanced one */
    private void losses(String what, DoubleUnaryOperator unit, boolean unhedged) {
        StackelbergModel.Losses losses = model.losses();
        DoubleFunction<String> error = loss -> Numbers.number(unit.applyAsDouble(loss));
        Answer.TableBuilder table = Answer.table(what, "nobody moves", "people move");
        if (losses.naive() != null) {
            table.row("today's rule", error.apply(losses.naive()), error.apply(losses.naiveAttacked()));
        }
        model.hedged()
                .filter(hedged -> unhedged && hedged.balance() != null && !HedgeWords.costsNothing(hedged))
                .flatMap(hedged -> hedged.frontier().stream().findFirst())
                .filter(point -> point.share() == 0)
                .ifPresent(
                        point -> table.row("without a hedge", error.apply(point.honest()), error.apply(point.moved())));
        boolean finite = model.optimality().finite();
        table.row(
                List.of(
                        finite ? "this rule" : "in the limit",
                        finite ? error.apply(losses.honest()) : "-",
                        error.apply(losses.anticipated())),
                true);
        answer.section().block(table.build()).section();
    }

    private void proof() {
        StackelbergModel.Optimality optimality = model.optimality();
        if (optimality.certified()) {
            answer.say(
                    "Certified: globally optimal%s. %s",
                    model.between().isPresent()
                            ? " for the interval"
                            : !model.game().isHedged() ? "" : " within the hedge",
                    ProofWords.bound(model));
        } else if (model.limited().isPresent()) {
            // a warning of the model says why, and what is proven without limits
            answer.say(
                    "LOCAL, not certified: the loss%s is %s, the best that was found.",
                    ProofWords.ridge(model), Numbers.number(optimality.objective()));
        } else if (optimality.proof() == Certificate.Proof.PROVEN) {
            answer.say("NOT certified. What is proven: %s", ProofWords.bound(model));
        } else {
            answer.say(
                    "NOT certified: the loss%s is %s, the proof %s, the bound on the gap %.1e.",
                    ProofWords.ridge(model),
                    Numbers.number(optimality.objective()),
                    optimality.proof().name().toLowerCase(Locale.ROOT),
                    optimality.gapBound());
        }
        StackelbergModel.SolverRecord solver = model.solver();
        answer.say(
                "Solver %s%s: %s after %,d %s.",
                solver.name(),
                solver.note().isEmpty() ? "" : " (" + solver.note().replaceAll("\\.$", "") + ")",
                solver.status().toLowerCase(Locale.ROOT).replace('_', ' '),
                solver.iterations(),
                solver.iterations() == 1 ? "iteration" : "iterations");
    }
}
