package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import stackelberg.cli.answer.GammaAnswer;
import stackelberg.cli.answer.Numbers;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.game.Population;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.GammaEstimate;

/**
 * What each population showed of gamma, estimated from its own people alone.
 *
 * <p>There is no estimate for all of them together: the average of different pull-throughs is that of a gamma which nobody need have.
 *
 * @param column what tells the populations apart
 * @param truthfulShare of all of them together, as the model has it
 */
public record PopulationGammas(String column, double truthfulShare, List<Part> parts) {
    /** As many as groups are reported for. */
    private static final int MOST = 100;

    /** People drawn again from fewer than these show little of how they vary. */
    private static final int FEW = 10;

    /** More columns than this nobody reads. */
    private static final int COSTS_SHOWN = 6;

    /**
     * A population.
     *
     * @param from the smallest gamma that its people are thought to have, infinite if they never move
     * @param to the largest
     */
    record Part(String name, double from, double to, GammaEstimate estimate) {
        /** One person drawn again is the same person: its interval says nothing. */
        boolean identified() {
            return estimate.identified() && estimate.people() > 1;
        }

        boolean neverMoves() {
            return Double.isInfinite(from);
        }

        /** Whether its people may well have stayed where they were. */
        boolean stays() {
            return estimate.pullThrough().interval().low() <= 0
                    && estimate.pullThrough().interval().high() >= 0;
        }

        /** As in "0.5 to 2". */
        String declared() {
            if (neverMoves()) {
                return "infinite";
            }
            String most = Double.isInfinite(to) ? "infinite" : Numbers.plain(to);
            return from == to ? most : Numbers.plain(from) + " to " + most;
        }
    }

    public static PopulationGammas of(
            StackelbergModel model, World world, String column, Table before, Function<int[], GammaEstimate> estimate) {
        List<Part> parts = new ArrayList<>();
        if (model != null && column.equals(model.game().rowGamma())) {
            for (Population.Group kind :
                    Population.Group.of(model.world().population(before).withTruthfulShare(0), MOST)) {
                if (!kind.oneGamma()) {
                    throw new DataException("Column '" + column + "' has more than " + MOST
                            + " different gammas, too many populations to estimate each.\nMaybe name a column with"
                            + " fewer values with --population.");
                }
                parts.add(new Part(PopulationWords.name(kind), kind.from(), kind.to(), estimate.apply(kind.people())));
            }
        } else {
            Population declared = declared(model, world, before);
            before.groups(column).forEach((name, members) -> {
                double[] gammas = declared.of(members).gammas();
                Arrays.sort(gammas);
                parts.add(new Part(name, gammas[0], gammas[gammas.length - 1], estimate.apply(members)));
            });
        }
        return new PopulationGammas(column, model == null ? 0 : model.game().truthfulShare(), parts);
    }

    /** What everybody's gamma is thought to be: the model's column of gammas where the data have it, else that of the world. */
    private static Population declared(StackelbergModel model, World world, Table before) {
        boolean own = model != null
                && model.game().rowGamma() != null
                && before.has(model.game().rowGamma());
        return own ? model.world().population(before) : Population.ofOneGamma(before.rows(), world.gamma(), 0);
    }

    /** Whether the data tell the gamma of every population that is thought to move; the truthful may be one that is not. */
    public boolean identified() {
        return !truthfulAreSpread()
                && parts.stream()
                        .allMatch(part -> part.neverMoves() || part.identified() || truthfulShare > 0 && part.stays());
    }

    /** Whether some are truthful, but no population stays where it was: they are among those who move, whose pull-through is too small. */
    private boolean truthfulAreSpread() {
        return truthfulShare > 0 && parts.stream().noneMatch(Part::stays);
    }

    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (truthfulAreSpread()) {
            warnings.add(Numbers.percent(truthfulShare) + " are truthful, but every population of '" + column
                    + "' moves: the truthful are among them, and the gammas are too large. Maybe name a column that tells"
                    + " who is truthful.");
        }
        for (Part part : parts) {
            GammaEstimate estimate = part.estimate;
            boolean mayStay = part.neverMoves() || truthfulShare > 0;
            if (part.neverMoves() && !part.stays()) {
                warnings.add(part.name + ": they were thought never to move, but "
                        + (estimate.pullThrough().value() > 0 ? "do." : "move away from what they wish."));
            } else if (!(mayStay && part.stays())) {
                estimate.warnings().forEach(warning -> warnings.add(part.name + ": " + warning));
            }
            if (estimate.people() < FEW) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "%s: %s too few for an interval to be trusted.",
                        part.name,
                        estimate.people() == 1 ? "1 person is" : estimate.people() + " people are"));
            }
        }
        return warnings;
    }

    public String text(World world) {
        int people = parts.stream().mapToInt(part -> part.estimate.people()).sum();
        TextTable table = new TextTable()
                .add(
                        "by " + column,
                        "people",
                        "gamma",
                        "95% interval",
                        "declared",
                        "pull-through",
                        "95% interval",
                        "explained");
        for (Part part : parts) {
            GammaEstimate estimate = part.estimate;
            table.add(
                    part.name,
                    String.format(Locale.ROOT, "%,d", estimate.people()),
                    GammaReport.number(estimate.gamma().value()),
                    GammaReport.interval(estimate.gamma().interval()),
                    part.declared(),
                    GammaReport.number(estimate.pullThrough().value()),
                    GammaReport.interval(estimate.pullThrough().interval()),
                    Numbers.percent(estimate.explained()));
        }
        return String.format(Locale.ROOT, "%,d people, seen before and after, each population on its own.%n%n", people)
                + table
                + limits()
                + costs(world);
    }

    /** Who is at a limit, or as well off as wished. */
    private String limits() {
        TextTable table =
                new TextTable().add("limit", "by " + column, "at the floor", "at the ceiling", "free to tell");
        boolean any = false;
        for (Part part : parts) {
            for (GammaEstimate.Limited one : part.estimate.behaviour().limits()) {
                any = true;
                table.add(
                        one.feature(),
                        part.name,
                        String.format(Locale.ROOT, "%,d", one.atFloor()),
                        String.format(Locale.ROOT, "%,d", one.atCeiling()),
                        String.format(Locale.ROOT, "%,d", one.free()));
            }
        }
        int satisfied =
                parts.stream().mapToInt(p -> p.estimate.behaviour().satisfied()).sum();
        int people = parts.stream().mapToInt(p -> p.estimate.people()).sum();
        return (satisfied == 0 ? "" : "\n" + GammaReport.leftOut(satisfied, people)) + (any ? "\n" + table : "");
    }

    private String costs(World world) {
        List<Part> shown = parts.stream()
                .filter(part -> !part.neverMoves())
                .limit(COSTS_SHOWN)
                .toList();
        if (shown.isEmpty() || shown.get(0).estimate.costs().isEmpty()) {
            return "";
        }
        List<String> header = new ArrayList<>(List.of("cost", "declared"));
        shown.forEach(part -> header.add(part.name));
        TextTable table = new TextTable().add(header.toArray(String[]::new));
        GammaAnswer.declaredCosts(world, shown.get(0).estimate).forEach((feature, declared) -> {
            List<String> cells = new ArrayList<>(List.of(feature, GammaReport.number(declared)));
            shown.forEach(part -> cells.add(
                    GammaReport.number(part.estimate.costs().get(feature).value())));
            table.add(cells.toArray(String[]::new));
        });
        return "\n" + table;
    }

    public GammaAnswer.ByPopulation answer(World world) {
        return new GammaAnswer.ByPopulation(
                parts.stream().mapToInt(part -> part.estimate.people()).sum(),
                identified(),
                column,
                parts.stream()
                        .map(part -> new GammaAnswer.OfPopulation(
                                part.name,
                                part.from == part.to ? part.from : Double.NaN,
                                GammaAnswer.of(part.estimate, world, part.identified())))
                        .toList(),
                warnings());
    }
}
