package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stackelberg.certificate.Certificate;
import stackelberg.cli.answer.Finite;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.PathAnswer;
import stackelberg.cli.answer.ProofWords;
import stackelberg.model.StackelbergModel;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

/** The rules of many gammas: as a table for a person, as JSON with stable keys, as a CSV file. */
public final class PathReport {
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

    public PathAnswer answer() {
        return PathAnswer.of(models, seconds(), passes());
    }

    /** Every phase but the recovery of each rule is shared. */
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

    public String text() {
        boolean known = first.rmse(0).isPresent();
        double share = first.game().truthfulShare();
        boolean weighted = first.game().weight() != null;
        int[] shown = largestTerms();
        TextTable table = new TextTable();
        boolean real = first.game().hasEffects();
        table.add(Stream.of(
                        Stream.of("gamma", "in words"),
                        real ? EffectWords.heads(first.game().target()).stream() : Stream.of("pull-through"),
                        Stream.of(
                                weighted && !known
                                        ? "weighted loss"
                                        : (weighted ? "weighted " : "")
                                                + LossWords.unit(first.game().loss()),
                                "relative gap",
                                "certified"),
                        IntStream.of(shown).mapToObj(j -> first.terms().get(j).name()))
                .flatMap(part -> part)
                .toArray(String[]::new));
        for (StackelbergModel model : models) {
            StackelbergModel.Optimality optimality = model.optimality();
            double sum = model.losses().anticipated();
            double loss = LossWords.error(model, sum);
            String pullThrough = String.format(Locale.ROOT, "%.4f", model.pullThrough());
            table.add(Stream.of(
                            Stream.of(Numbers.gamma(model.gamma()), GammaWords.share(model.world())),
                            real
                                    ? EffectWords.cells(pullThrough, model.earned(), model.improvement()).stream()
                                    : Stream.of(pullThrough),
                            Stream.of(
                                    Numbers.number(loss),
                                    String.format(Locale.ROOT, "%.1e", optimality.relativeGap()),
                                    !optimality.finite()
                                            ? "not finite"
                                            : optimality.certified()
                                                    ? "yes"
                                                    : model.limited().isPresent() ? "LOCAL" : "NO"),
                            IntStream.of(shown)
                                    .mapToObj(j -> optimality.finite()
                                            ? Numbers.number(
                                                    model.terms().get(j).coefficient())
                                            : "-"))
                    .flatMap(part -> part)
                    .toArray(String[]::new));
        }
        return String.format(
                        Locale.ROOT,
                        "%s, predicted from %,d rows after people have moved%s. gamma in words: how much of the way to their wish they"
                                + " would get under today's rule; pull-through: how much they do get%s.%n%n",
                        first.game().target(),
                        first.rows(),
                        share > 0 ? ", " + Numbers.percent(share) + " of whom are truthful and do not" : "",
                        share > 0 ? ", on average over all" : "")
                + table
                + "\n"
                + (shown.length > 0 && first.terms().size() > shown.length
                        ? String.format(
                                Locale.ROOT,
                                "Shown are the %d of %,d coefficients that move predictions most; -o FILE writes them all.%n",
                                shown.length,
                                first.terms().size())
                        : "")
                + told(StackelbergModel::notes, true).stream()
                        .map(note -> note + "\n")
                        .collect(Collectors.joining())
                + verdict();
    }

    /** How near the rule that is farthest from the best is proven to be, where all are. */
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
        String verdict = open.isEmpty()
                ? "Certified: globally optimal at every gamma."
                : "NOT certified at " + open.size() + " of " + models.size() + " gammas: "
                        + String.join(", ", open.subList(0, Math.min(5, open.size())))
                        + (open.size() > 5 ? ", ..." : "")
                        + worst()
                        + ".";
        int passes = passes();
        return verdict + "\n"
                + String.format(
                        Locale.ROOT,
                        "Solver %s: %,d %s, %,d %s over the data.%n",
                        first.solver().name(),
                        models.size(),
                        models.size() == 1 ? "gamma" : "gammas",
                        passes,
                        passes == 1 ? "pass" : "passes");
    }

    /** The terms that at some gamma move the prediction most over the spread of their column. */
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

    public List<String> warnings() {
        return told(StackelbergModel::warnings, false);
    }

    /**
     * One line per kind, not one per gamma; the kind is what stands before the colon.
     *
     * @param where whether the gamma of the example is told also where all gammas have one
     */
    private List<String> told(Function<StackelbergModel, List<String>> texts, boolean where) {
        Map<String, List<StackelbergModel>> concerned = new LinkedHashMap<>();
        Map<String, String> example = new LinkedHashMap<>();
        Set<String> differing = new HashSet<>();
        for (StackelbergModel model : models) {
            for (String text : texts.apply(model)) {
                String kind = text.split(":", 2)[0];
                concerned.computeIfAbsent(kind, k -> new ArrayList<>()).add(model);
                if (!example.computeIfAbsent(kind, k -> text).equals(text)) {
                    differing.add(kind);
                }
            }
        }
        List<String> lines = new ArrayList<>();
        concerned.forEach((kind, those) -> {
            boolean all = those.size() == models.size();
            String gammas = all && !where && !differing.contains(kind)
                    ? ""
                    : "At " + (all && models.size() > 1 ? "all " : those.size() + " of ") + models.size()
                            + " gammas, such as " + Numbers.gamma(those.get(0).gamma()) + ": ";
            lines.add(gammas + example.get(kind));
        });
        return lines;
    }
}
