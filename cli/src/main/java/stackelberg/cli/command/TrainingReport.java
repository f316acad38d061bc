package stackelberg.cli.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import stackelberg.cli.option.Study;
import stackelberg.cli.report.ReportBuilder;
import stackelberg.cli.report.ReportWords;
import stackelberg.cli.report.Sampling;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Population;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;
import stackelberg.objective.Solution;

/** The rules of a report page on the training data: the requested rule, and rules for other gammas, for the slider. */
final class TrainingReport {
    /** Gammas on the slider: ten per decade, three decades to either side. */
    private static final int POINTS = 61;

    private static final double DECADES = 3;

    /** With a truthful share or a hedge each gamma needs a separate search, so the grid is coarser: four gammas per decade, one and a half decades to either side. */
    private static final int SEARCHED_POINTS = 13;

    private static final double SEARCHED_DECADES = 1.5;

    /** With more columns or values than this, these searches take too long for a report. */
    private static final int SEARCHED_COLUMNS = 30;

    private static final long SEARCHED_VALUES = 100_000;

    /** With other losses than the squared one each gamma is solved separately, starting from its neighbour: five gammas per decade, two for large data. */
    private static final int CONVEX_POINTS = 31;

    private static final int FEW_CONVEX_POINTS = 13;

    private static final long CONVEX_VALUES = 1_000_000;

    private static final long MOST_CONVEX_VALUES = 10_000_000;

    private final Training training;
    private final String name;
    private final List<StackelbergModel> path;
    private final int selected;
    private final boolean coarser;

    private TrainingReport(Fitted fitted, Study study, List<StackelbergModel> path, int selected, boolean coarser) {
        this.training = fitted.training();
        this.name = study.name();
        this.path = path;
        this.selected = selected;
        this.coarser = coarser;
    }

    /**
     * A fitted rule among rules for gammas around its own, or for the given gammas.
     *
     * @param gammas the other gammas; without them, a grid around the rule's own
     */
    static TrainingReport around(Fitted fitted, Study study, double @Nullable [] gammas) {
        StackelbergModel model = fitted.model();
        boolean searched = model.game().mixed() || model.game().isHedged();
        if (model.game().rowGamma() != null
                || model.game().between() != null
                // the page then shows only this rule
                || !model.game().limits().none()
                || searched && !searchable(fitted)
                || !model.game().loss().isSquared() && gammas == null && values(fitted) > MOST_CONVEX_VALUES) {
            return new TrainingReport(fitted, study, List.of(model), 0, false);
        }
        int points = searched
                ? SEARCHED_POINTS
                : model.game().loss().isSquared()
                        ? POINTS
                        : values(fitted) > CONVEX_VALUES ? FEW_CONVEX_POINTS : CONVEX_POINTS;
        double decades = searched ? SEARCHED_DECADES : DECADES;
        double[] others = gammas == null
                ? grid(
                        model.gamma(),
                        decades,
                        Math.min(points, Sampling.mostPoints(model.terms().size())))
                : gammas;
        double[] rest = Arrays.stream(others).filter(g -> g != model.gamma()).toArray();
        List<StackelbergModel> path = new ArrayList<>(List.of(model));
        if (rest.length > 0) {
            path.addAll(study.timed(fitted.training().path(rest)));
        }
        path = ascending(path);
        return new TrainingReport(
                fitted,
                study,
                path,
                path.indexOf(model),
                gammas == null && Sampling.mostPoints(model.terms().size()) < points);
    }

    /** Whether the rules for the other gammas can be fitted in seconds although each needs a separate search. */
    private static boolean searchable(Fitted fitted) {
        return fitted.model().terms().size() <= SEARCHED_COLUMNS && values(fitted) <= SEARCHED_VALUES;
    }

    private static long values(Fitted fitted) {
        return (long) fitted.training().sample().size() * fitted.model().terms().size();
    }

    /** A report about a path, which first shows the rule in its middle, or the nearest finite rule. */
    static TrainingReport of(Fitted fitted, Study study) {
        List<StackelbergModel> path = ascending(fitted.models());
        int middle = path.size() / 2;
        int selected = IntStream.range(0, path.size())
                .filter(k -> path.get(k).optimality().finite())
                .boxed()
                .min(Comparator.comparingInt(k -> Math.abs(k - middle)))
                .orElse(middle);
        return new TrainingReport(fitted, study, path, selected, false);
    }

    private static List<StackelbergModel> ascending(List<StackelbergModel> models) {
        return models.stream()
                .sorted(Comparator.comparingDouble(StackelbergModel::gamma))
                .toList();
    }

    /** Gammas at equal ratios, this many decades to either side of the given one. */
    private static double[] grid(double gamma, double decades, int points) {
        int half = (points - 1) / 2;
        return IntStream.rangeClosed(-half, half)
                .mapToDouble(k -> k == 0 ? gamma : gamma * Math.pow(10, k * decades / half))
                .filter(g -> g > 0 && Double.isFinite(g))
                .toArray();
    }

    StackelbergModel model() {
        return path.get(selected);
    }

    private double rmse(double loss) {
        return model().rmse(loss).orElse(Double.NaN);
    }

    /**
     * Starts the page of a command on these data.
     *
     * @param first the answer to show first, if it is not the rule itself
     */
    ReportBuilder page(
            CommandLine command, String asked, List<String> first, List<Message> warnings, @Nullable String group) {
        ReportWords words = new ReportWords(model(), name, command);
        return page(words.heading(command.getCommandName(), asked, first, warnings), group);
    }

    ReportBuilder page(ReportBuilder.Heading heading, @Nullable String group) {
        Sample people = training.sample();
        ReportBuilder builder = new ReportBuilder(heading, people, path, selected).group(group);
        if (model().game().mixed()) {
            // the page of a path may show a gamma other than the declared one
            builder.population(
                    model().game().rowGamma() != null
                            ? people.population()
                            : Population.ofOneGamma(
                                    people.size(),
                                    model().gamma(),
                                    model().game().truthfulShare()));
        }
        training.today()
                .map(Today::rule)
                .filter(rule -> model().world().uses(rule))
                .ifPresent(builder::naive);
        model().hedged().ifPresent(hedged -> {
            List<Solution.Hedged.Point> points = hedged.frontier();
            builder.frontier(
                    points.stream().mapToDouble(Solution.Hedged.Point::share).toArray(),
                    points.stream().mapToDouble(p -> rmse(p.honest())).toArray(),
                    points.stream().mapToDouble(p -> rmse(p.moved())).toArray());
        });
        GameSpec.Between range = model().game().between();
        if (range != null) {
            Training known = training.withGamma(range.middle());
            builder.nominal(known.path(range.middle()).get(0));
        }
        if (coarser) {
            builder.warning("With " + model().terms().size() + " columns the page shows " + path.size()
                    + " gammas instead of " + POINTS + ", so that it stays small.");
        }
        return builder;
    }
}
