package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.game.Population;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.GammaEstimate;

/**
 * Gamma by population, each estimated from its own people alone: the result of {@code gamma --population}.
 *
 * <p>There is no estimate for all of them together: the average of different pull-throughs belongs to a gamma that no population need have.
 *
 * @param world the game, with the costs that were declared
 * @param column the column that separates the populations
 * @param truthfulShare the truthful share of all people, as declared in the model
 */
public record PopulationGammas(World world, String column, double truthfulShare, List<Part> parts) implements Result {
    /** The largest number of populations that are estimated. */
    private static final int MOST = 100;

    /** With fewer people than this, bootstrap intervals are too short. */
    private static final int FEW = 10;

    /** The largest number of columns whose costs are shown. */
    private static final int COSTS_SHOWN = 6;

    /**
     * A population.
     *
     * @param from the smallest gamma declared for its people, infinite if they never move
     * @param to the largest gamma declared for its people
     */
    record Part(String name, double from, double to, GammaEstimate estimate) {
        /** Whether the data identify gamma. They do not for one person, because all bootstrap samples are the same. */
        boolean identified() {
            return estimate.identified() && estimate.people() > 1;
        }

        boolean neverMoves() {
            return Double.isInfinite(from);
        }

        /** Whether the data are consistent with no move at all. */
        boolean stays() {
            return estimate.pullThrough().interval().low() <= 0
                    && estimate.pullThrough().interval().high() >= 0;
        }

        /** Returns the declared gammas as in "0.5 to 2". */
        String declared() {
            if (neverMoves()) {
                return "infinite";
            }
            String most = Double.isInfinite(to) ? "infinite" : Numbers.plain(to);
            return from == to ? most : Numbers.plain(from) + " to " + most;
        }
    }

    public static PopulationGammas of(
            @Nullable StackelbergModel model,
            World world,
            String column,
            Table before,
            Function<int[], GammaEstimate> estimate) {
        List<Part> parts = new ArrayList<>();
        if (model != null && column.equals(model.game().rowGamma())) {
            for (Population.Group kind :
                    Population.Group.of(model.world().population(before).withTruthfulShare(0), MOST)) {
                if (!kind.oneGamma()) {
                    throw DataException.of(
                            "too-many-populations",
                            "Column '{}' has more than {} different gammas, too many populations to estimate each.\n"
                                    + "Maybe name a column with fewer values with --population.",
                            column,
                            MOST);
                }
                parts.add(new Part(PopulationWords.name(kind), kind.from(), kind.to(), estimate.apply(kind.people())));
            }
        } else {
            Population declared = declared(model, world, before);
            before.groups(column).forEach((name, members) -> {
                double[] gammas = declared.subset(members).gammas();
                Arrays.sort(gammas);
                parts.add(new Part(name, gammas[0], gammas[gammas.length - 1], estimate.apply(members)));
            });
        }
        return new PopulationGammas(
                world, column, model == null ? 0 : model.game().truthfulShare(), parts);
    }

    /** The declared gammas: from the model's column of gammas if the data have it, otherwise the gamma of the world. */
    private static Population declared(@Nullable StackelbergModel model, World world, Table before) {
        return model != null
                        && model.game().rowGamma() != null
                        && before.has(model.game().rowGamma())
                ? model.world().population(before)
                : Population.ofOneGamma(before.rows(), world.gamma(), 0);
    }

    /** Whether the data identify the gamma of every population that is declared to move; truthful people may form one that does not. */
    public boolean identified() {
        return !truthfulAreSpread()
                && parts.stream()
                        .allMatch(part -> part.neverMoves() || part.identified() || truthfulShare > 0 && part.stays());
    }

    /** Whether a truthful share is declared although every population moves: then truthful people are mixed with the others, and the pull-through is underestimated. */
    private boolean truthfulAreSpread() {
        return truthfulShare > 0 && parts.stream().noneMatch(Part::stays);
    }

    public List<Message> warnings() {
        List<Message> warnings = new ArrayList<>();
        if (truthfulAreSpread()) {
            warnings.add(Message.of(
                    "truthful-are-spread",
                    "The model says that {} of the people are truthful, but every population of '{}' moves: the truthful people are spread over the "
                            + "populations, and the estimates of gamma are too large. Maybe name a column that says who is truthful.",
                    Numbers.percent(truthfulShare),
                    column));
        }
        for (Part part : parts) {
            GammaEstimate estimate = part.estimate;
            boolean mayStay = part.neverMoves() || truthfulShare > 0;
            if (part.neverMoves() && !part.stays()) {
                warnings.add(Message.of(
                        "moved-all-the-same",
                        "{}: according to the model these people never move, but {}",
                        part.name,
                        estimate.pullThrough().value() > 0 ? "they do." : "they move away from the score they want."));
            } else if (!(mayStay && part.stays())) {
                estimate.warnings()
                        .forEach(warning -> warnings.add(Message.of(warning.code(), "{}: {}", part.name, warning)));
            }
            if (estimate.people() < FEW) {
                warnings.add(Message.plain(
                        "population-too-small",
                        String.format(
                                Locale.ROOT,
                                "%s: %s too few for an interval to be trusted.",
                                part.name,
                                estimate.people() == 1 ? "1 person is" : estimate.people() + " people are")));
            }
        }
        return warnings;
    }

    @Override
    public Answer answer() {
        int people = parts.stream().mapToInt(part -> part.estimate.people()).sum();
        int satisfied =
                parts.stream().mapToInt(p -> p.estimate.behaviour().satisfied()).sum();
        Answer.TableBuilder table = Answer.table(
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
            table.row(
                    part.name,
                    GammaResult.count(estimate.people()),
                    GammaResult.number(estimate.gamma().value()),
                    GammaResult.interval(estimate.gamma().interval()),
                    part.declared(),
                    GammaResult.number(estimate.pullThrough().value()),
                    GammaResult.interval(estimate.pullThrough().interval()),
                    Numbers.percent(estimate.explained()));
        }
        Answer.Builder answer = Answer.builder()
                .say("%,d people, seen before and after, each population on its own.", people)
                .section()
                .block(table.build())
                .section()
                .say(GammaResult.leftOut(satisfied, people))
                .section();
        limits().ifPresent(answer::block);
        costs().ifPresent(costs -> answer.section().block(costs));
        return answer.warnings(warnings()).build();
    }

    /** How many people are at a limit. */
    private Optional<Answer.Table> limits() {
        Answer.TableBuilder table =
                Answer.table("limit", "by " + column, "at the floor", "at the ceiling", "in between");
        boolean any = false;
        for (Part part : parts) {
            for (GammaEstimate.Limited one : part.estimate.behaviour().limits()) {
                any = true;
                table.row(
                        one.feature(),
                        part.name,
                        GammaResult.count(one.atFloor()),
                        GammaResult.count(one.atCeiling()),
                        GammaResult.count(one.free()));
            }
        }
        return any ? Optional.of(table.build()) : Optional.empty();
    }

    private Optional<Answer.Table> costs() {
        List<Part> shown = parts.stream()
                .filter(part -> !part.neverMoves())
                .limit(COSTS_SHOWN)
                .toList();
        if (shown.isEmpty() || shown.get(0).estimate.costs().isEmpty()) {
            return Optional.empty();
        }
        List<String> header = new ArrayList<>(List.of("cost", "declared"));
        shown.forEach(part -> header.add(part.name));
        Answer.TableBuilder table = Answer.table(header);
        for (String feature : shown.get(0).estimate.costs().keySet()) {
            List<String> cells =
                    new ArrayList<>(List.of(feature, GammaResult.number(GammaAnswer.declaredCost(world, feature))));
            for (Part part : shown) {
                // costs are estimated of the same features in every population
                cells.add(GammaResult.number(
                        Objects.requireNonNull(part.estimate.costs().get(feature))
                                .value()));
            }
            table.row(cells);
        }
        return Optional.of(table.build());
    }

    @Override
    public GammaAnswer.ByPopulation json() {
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
