package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import stackelberg.certificate.Certificate;
import stackelberg.data.Message;
import stackelberg.model.StackelbergModel;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

/** The rules of many gammas: the result of {@code path}. */
public final class PathReport implements Result {
    private static final int TERMS_SHOWN = 4;

    private final List<StackelbergModel> models;
    private final StackelbergModel first;

    public PathReport(List<StackelbergModel> models) {
        this.models = models;
        this.first = models.get(0);
    }

    public boolean certified() {
        return models.stream().allMatch(StackelbergModel::certified);
    }

    @Override
    public PathAnswer json() {
        return PathAnswer.of(models, seconds(), passes());
    }

    /**
     * Returns the seconds of all rules together: every phase is shared, except that each rule is recovered separately.
     */
    private StackelbergModel.Phases seconds() {
        StackelbergModel.Phases shared = first.solver().seconds();
        double recover =
                models.stream().mapToDouble(m -> m.solver().seconds().recover()).sum();
        return new StackelbergModel.Phases(
                shared.read(), shared.assemble(), shared.solve(), shared.certify(), recover, shared.judge());
    }

    private int passes() {
        IntStream passes = models.stream().mapToInt(m -> m.solver().passes());
        boolean shared = Solvers.names(SphereSolver::sharesGammas)
                        .contains(first.solver().name())
                && !first.game().mixed();
        return shared ? passes.max().orElseThrow() : passes.sum();
    }

    public CsvText csv() {
        List<String> header = new ArrayList<>(List.of(
                "gamma",
                "pullThrough",
                "objective",
                "multiplier",
                "gapBound",
                "relativeGap",
                "proof",
                "certified",
                "finite",
                "unique",
                "iterations",
                "status",
                "intercept"));
        if (first.game().hasEffects()) {
            header.addAll(List.of("earned", "gamed", "meanImprovement"));
        }
        // a prefix, because a column of the data may be called gamma
        first.terms().forEach(term -> header.add("coefficient." + term.name()));
        CsvText csv = new CsvText(header);
        for (StackelbergModel model : models) {
            StackelbergModel.Optimality optimality = model.optimality();
            List<Object> cells = new ArrayList<>(List.of(
                    model.gamma(),
                    model.pullThrough(),
                    optimality.objective(),
                    optimality.multiplier(),
                    optimality.gapBound(),
                    optimality.relativeGap(),
                    optimality.proof(),
                    optimality.certified(),
                    optimality.finite(),
                    optimality.unique(),
                    model.solver().iterations(),
                    model.solver().status()));
            cells.add(optimality.finite() ? model.intercept() : null);
            if (first.game().hasEffects()) {
                cells.add(optimality.finite() ? model.earned() : null);
                cells.add(optimality.finite() ? model.gamed() : null);
                cells.add(Finite.number(model.improvement()));
            }
            model.terms().forEach(term -> cells.add(optimality.finite() ? term.coefficient() : null));
            csv.row(cells);
        }
        return csv;
    }

    @Override
    public Answer answer() {
        double share = first.game().truthfulShare();
        int[] shown = largestTerms();
        Answer.Builder answer = Answer.builder();
        answer.say(
                "%s, predicted from %,d rows after people have moved%s. gamma in words: the share" + GapWords.GAP
                        + " that people would close under today's rule; pull-through: the share that they close%s.",
                first.game().chosenTarget(),
                first.rows(),
                share > 0 ? ", " + Numbers.percent(share) + " of whom are truthful and do not" : "",
                share > 0 ? ", on average over all" : "");
        answer.section().block(table(shown)).section();
        if (shown.length > 0 && first.terms().size() > shown.length) {
            answer.say(
                    "Shown are the %d of %,d coefficients that move predictions most; -o FILE writes them all.",
                    shown.length, first.terms().size());
        }
        answer.notes(concerning(StackelbergModel::notes, true));
        int passes = passes();
        return answer.say(verdict())
                .say(
                        "Solver %s: %,d %s, %,d %s over the data.",
                        first.solver().name(),
                        models.size(),
                        models.size() == 1 ? "gamma" : "gammas",
                        passes,
                        passes == 1 ? "pass" : "passes")
                .warnings(warnings())
                .build();
    }

    /** @param shown the terms that have a column */
    private Answer.Table table(int[] shown) {
        boolean weighted = first.game().weight() != null;
        boolean real = first.game().hasEffects();
        Answer.TableBuilder table = Answer.table(Answer.cells(
                List.of("gamma", "in words"),
                real ? EffectWords.heads(first.game().chosenTarget()) : List.of("pull-through"),
                List.of(
                        weighted && first.rmse(0).isEmpty()
                                ? "weighted loss"
                                : (weighted ? "weighted " : "")
                                        + LossWords.unit(first.game().loss()),
                        "relative gap",
                        "certified"),
                IntStream.of(shown).mapToObj(j -> first.terms().get(j).name()).toList()));
        for (StackelbergModel model : models) {
            StackelbergModel.Optimality optimality = model.optimality();
            String pullThrough = String.format(Locale.ROOT, "%.4f", model.pullThrough());
            table.row(Answer.cells(
                    List.of(Numbers.gamma(model.gamma()), GammaWords.share(model.world())),
                    real ? EffectWords.cells(pullThrough, model.earned(), model.improvement()) : List.of(pullThrough),
                    List.of(
                            Numbers.number(LossWords.error(model, model.losses().anticipated())),
                            String.format(Locale.ROOT, "%.1e", optimality.relativeGap()),
                            !optimality.finite()
                                    ? "not finite"
                                    : optimality.certified()
                                            ? "yes"
                                            : model.limited().isPresent() ? "LOCAL" : "NO"),
                    IntStream.of(shown)
                            .mapToObj(j -> optimality.finite()
                                    ? Numbers.number(model.terms().get(j).coefficient())
                                    : "-")
                            .toList()));
        }
        return table.build();
    }

    /** The largest relative gap among the rules of the path, if all are proven. */
    private String worst() {
        return models.stream()
                .map(StackelbergModel::optimality)
                .max(Comparator.comparingDouble(StackelbergModel.Optimality::relativeGap))
                .filter(most -> models.stream().allMatch(m -> m.optimality().proof() == Certificate.Proof.PROVEN))
                .map(ProofWords::within)
                .orElse("");
    }

    private String verdict() {
        List<String> open = models.stream()
                .filter(model -> !model.certified())
                .map(model -> Numbers.gamma(model.gamma()))
                .toList();
        return open.isEmpty()
                ? "Certified: globally optimal at every gamma."
                : "NOT certified at " + open.size() + " of " + models.size() + " gammas: "
                        + String.join(", ", open.subList(0, Math.min(5, open.size())))
                        + (open.size() > 5 ? ", ..." : "")
                        + worst()
                        + ".";
    }

    /** The terms with the largest |coefficient| times spread of the column at any gamma. */
    private int[] largestTerms() {
        double[] effects = new double[first.terms().size()];
        for (StackelbergModel model : models) {
            var columns = model.encoding().columns();
            for (int j = 0; j < effects.length && model.optimality().finite(); j++) {
                double scale = columns.get(j).scale();
                effects[j] = Math.max(effects[j], Math.abs(model.terms().get(j).coefficient() * scale));
            }
        }
        return IntStream.range(0, effects.length)
                .filter(j -> effects[j] > 0)
                .boxed()
                .sorted(Comparator.comparingDouble(j -> -effects[j]))
                .limit(TERMS_SHOWN)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    public List<Message> warnings() {
        return concerning(StackelbergModel::warnings, false);
    }

    /**
     * Merges warnings that differ only by gamma: one line for each text before the colon.
     *
     * @param where whether to print the gamma of the example even if all gammas have this warning
     */
    private List<Message> concerning(Function<StackelbergModel, List<Message>> texts, boolean where) {
        Map<String, List<StackelbergModel>> concerned = new LinkedHashMap<>();
        Map<String, Message> example = new LinkedHashMap<>();
        Set<String> differing = new HashSet<>();
        for (StackelbergModel model : models) {
            for (Message text : texts.apply(model)) {
                String kind = text.text().split(":", 2)[0];
                concerned.computeIfAbsent(kind, k -> new ArrayList<>()).add(model);
                if (!example.computeIfAbsent(kind, k -> text).equals(text)) {
                    differing.add(kind);
                }
            }
        }
        List<Message> lines = new ArrayList<>();
        concerned.forEach((kind, those) -> {
            boolean all = those.size() == models.size();
            String gammas = all && !where && !differing.contains(kind)
                    ? ""
                    : "At " + (all && models.size() > 1 ? "all " : those.size() + " of ") + models.size()
                            + " gammas, such as " + Numbers.gamma(those.get(0).gamma()) + ": ";
            Message one = Objects.requireNonNull(example.get(kind));
            lines.add(gammas.isEmpty() ? one : Message.of(one.code(), "{}{}", gammas, one));
        });
        return lines;
    }
}
