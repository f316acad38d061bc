package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import stackelberg.certificate.Certificate;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.ProofWords;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;

/** A model for a person: the rule, what people will do about it, what that costs, and the proof. */
public final class Summary {
    private static final int TERMS_SHOWN = 15;

    private final StackelbergModel model;
    private final Optional<ErrorWords> errors;
    private final StringBuilder text = new StringBuilder();

    private Summary(StackelbergModel model) {
        this.model = model;
        this.errors = ErrorWords.of(model);
    }

    public static String of(StackelbergModel model) {
        return of(model, Optional.empty());
    }

    /** The same with what is known of a yes or no among the people whom the model was learned from. */
    public static String of(StackelbergModel model, Optional<AnswerWords> answers) {
        Summary summary = new Summary(model);
        if (model.optimality().finite()) {
            summary.rule();
        }
        summary.people();
        summary.losses();
        answers.ifPresent(words -> {
            words.lines().forEach(line -> summary.line("%s", line));
            summary.line("");
        });
        HedgeWords.lines(model).forEach(line -> summary.line("%s", line));
        LimitWords.lines(model).forEach(line -> summary.line("%s", line));
        RangeWords.lines(model).forEach(line -> summary.line("%s", line));
        summary.proof();
        return summary.text.toString();
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }

    /** The terms by how much they move the prediction over the spread of their column. */
    private void rule() {
        record Shown(int place, StackelbergModel.Term term, double effect) {}
        List<EncodedColumn> columns = model.encoding().columns();
        List<Shown> shown = new ArrayList<>();
        for (int j = 0; j < columns.size(); j++) {
            StackelbergModel.Term term = model.terms().get(j);
            shown.add(new Shown(
                    j, term, Math.abs(term.coefficient() * columns.get(j).scale())));
        }
        shown.sort(Comparator.comparingDouble(Shown::effect).reversed());
        line(
                model.game().loss().isLogistic()
                        ? "log-odds of %s (%s), from %,d rows:"
                        : "%1$s, predicted from %3$,d rows:",
                model.game().target(),
                model.game().answers().inWords(),
                model.rows());
        List<Shown> first = shown.subList(0, Math.min(TERMS_SHOWN, shown.size()));
        if (errors.filter(ErrorWords::found).isPresent()) {
            TextTable table = new TextTable(errors.get().heads().size() + 1)
                    .add(row("", errors.get().heads(), ""))
                    .add(row("intercept", errors.get().intercept(), ""));
            first.forEach(s -> table.add(
                    row(s.term().name(), errors.get().cells(s.place()), s.term().manipulable() ? "" : "immutable")));
            text.append(table);
        } else {
            int width = Math.max(
                    9,
                    first.stream().mapToInt(s -> s.term().name().length()).max().orElse(0));
            line("  %-" + width + "s  %12s", "intercept", Numbers.number(model.intercept()));
            first.forEach(s -> line(
                    "  %-" + width + "s  %12s  %s",
                    s.term().name(),
                    Numbers.number(s.term().coefficient()),
                    s.term().manipulable() ? "" : "immutable"));
        }
        if (shown.size() > TERMS_SHOWN) {
            line("  ... and %,d more", shown.size() - TERMS_SHOWN);
        }
        List<String> categories = model.encoding().features().stream()
                .filter(Encoding.Feature::categorical)
                .map(Encoding.Feature::column)
                .toList();
        boolean byDefault =
                "categorical columns".equals(model.provenance().options().get("immutable"));
        if (byDefault && !categories.isEmpty()) {
            line("  Categories are immutable unless --immutable says otherwise: %s.", String.join(", ", categories));
        }
        errors.ifPresent(words -> words.sentences().forEach(sentence -> line("  %s", sentence)));
        line("");
    }

    private static String[] row(String name, List<String> cells, String last) {
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(cells);
        row.add(last);
        return row.toArray(String[]::new);
    }

    private void people() {
        if (model.game().mixed()) {
            mixedPeople();
        } else if (model.optimality().finite()) {
            line(
                    "With %s, people get %s of the way to what they want%s (pull-through %s).",
                    GammaWords.of(model.world()),
                    Numbers.percent(model.pullThrough()),
                    model.game().loss().isLogistic() ? ", in log-odds" : "",
                    Numbers.pullThrough(model.pullThrough()));
            EffectWords.sentence(model).ifPresent(sentence -> line("%s", sentence));
            errors.flatMap(ErrorWords::shares).ifPresent(sentence -> line("%s", sentence));
            model.notes().forEach(note -> line("%s", note));
        } else {
            line(
                    "With %s, giving everyone the score they want is as good as any rule: no rule to publish.",
                    GammaWords.of(model.world()));
        }
        GammaWords.sentence(model.world()).ifPresent(sentence -> line("%s", sentence));
        GammaWords.crossFitted(model.world()).ifPresent(sentence -> line("%s", sentence));
        line("");
        if (model.game().hasEffects() && model.optimality().finite()) {
            line("%s", EffectWords.table(model.world(), model.rule()));
            line("");
        }
    }

    private void mixedPeople() {
        GameSpec game = model.game();
        String who = game.rowGamma() == null
                ? GammaWords.of(model.world())
                : "everybody's own gamma (column " + game.rowGamma() + ", median " + Numbers.number(model.gamma())
                        + ")";
        String truthful = PopulationWords.truthful(game.truthfulShare());
        if (model.optimality().finite()) {
            line(
                    "With %s%s, people get %s of the way to what they want, on average.",
                    who, truthful, Numbers.percent(model.pullThrough()));
            errors.flatMap(ErrorWords::shares).ifPresent(sentence -> line("%s", sentence));
        } else {
            line(
                    "With %s%s, giving everyone the score they want is as good as any rule: no rule to publish.",
                    who, truthful);
        }
    }

    /** Weights need not add up to the number of rows, so weighted losses are told as they are too: sums. */
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
                .ifPresent(words -> losses(weighted ? "weighted R2" : "R2", words.rSquared()));
    }

    private void losses(String what, DoubleUnaryOperator unit) {
        StackelbergModel.Losses losses = model.losses();
        DoubleFunction<String> error = loss -> Numbers.number(unit.applyAsDouble(loss));
        line("  %-16s  %14s  %14s", what, "nobody moves", "people move");
        if (losses.naive() != null) {
            line(
                    "  %-16s  %14s  %14s",
                    "today's rule", error.apply(losses.naive()), error.apply(losses.naiveAttacked()));
        }
        boolean finite = model.optimality().finite();
        line(
                "  %-16s  %14s  %14s",
                finite ? "this rule" : "in the limit",
                finite ? error.apply(losses.honest()) : "-",
                error.apply(losses.anticipated()));
        line("");
    }

    private void proof() {
        StackelbergModel.Optimality optimality = model.optimality();
        if (optimality.certified()) {
            line(
                    "Certified: globally optimal%s. %s",
                    model.between().isPresent()
                            ? " for the interval"
                            : model.game().hedge() == null ? "" : " within the hedge",
                    ProofWords.bound(model));
        } else if (model.limited().isPresent()) {
            // why, and what is proven without limits, is a warning of the model
            line(
                    "LOCAL, not certified: the loss%s is %s, the best that was found.",
                    ProofWords.ridge(model), Numbers.number(optimality.objective()));
        } else if (optimality.proof() == Certificate.Proof.PROVEN) {
            line("NOT certified. What is proven: %s", ProofWords.bound(model));
        } else {
            line(
                    "NOT certified: the loss%s is %s, the proof %s, the bound on the gap %.1e.",
                    ProofWords.ridge(model),
                    Numbers.number(optimality.objective()),
                    optimality.proof().name().toLowerCase(Locale.ROOT),
                    optimality.gapBound());
        }
        StackelbergModel.SolverRecord solver = model.solver();
        line(
                "Solver %s%s: %s after %,d %s.",
                solver.name(),
                solver.note().isEmpty() ? "" : " (" + solver.note().replaceAll("\\.$", "") + ")",
                solver.status().toLowerCase(Locale.ROOT).replace('_', ' '),
                solver.iterations(),
                solver.iterations() == 1 ? "iteration" : "iterations");
    }
}
