package stackelberg.cli.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine;
import stackelberg.cli.option.Study;
import stackelberg.cli.report.ReportBuilder;
import stackelberg.cli.report.ReportWords;
import stackelberg.cli.report.Sampling;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Population;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;
import stackelberg.solver.mixed.HedgedSolution;

/** The rules of a report on data that were learned from: the one that was asked for, among those of other gammas. */
final class TrainingReport {
    /** Ten gammas per decade, three decades either way. */
    private static final int POINTS = 61;

    private static final double DECADES = 3;

    /** Where some are truthful every gamma is a search over omega and not a point on a path: four per decade, one and a half either way. */
    private static final int MIXED_POINTS = 13;

    private static final double MIXED_DECADES = 1.5;

    /** More columns or values, and these searches take longer than a report may. */
    private static final int MIXED_COLUMNS = 30;

    private static final long MIXED_VALUES = 100_000;

    /** By another loss than the squared one every gamma is a solution of its own, from the one before: five per decade, and two where values are many. */
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
     * A fitted rule among those of gammas around its own, or of these gammas.
     *
     * @param gammas the other gammas, null for a grid around the rule's own
     */
    static TrainingReport around(Fitted fitted, Study study, double[] gammas) {
        StackelbergModel model = fitted.model();
        if (model.game().rowGamma() != null
                || model.game().hedge() != null
                || model.game().between() != null
                // the page shows one rule then
                || !model.game().limits().none()
                || model.game().mixed() && !searchable(fitted)
                || !model.game().loss().isSquared() && gammas == null && values(fitted) > MOST_CONVEX_VALUES) {
            return new TrainingReport(fitted, study, List.of(model), 0, false);
        }
        int points = model.game().mixed()
                ? MIXED_POINTS
                : model.game().loss().isSquared()
                        ? POINTS
                        : values(fitted) > CONVEX_VALUES ? FEW_CONVEX_POINTS : CONVEX_POINTS;
        double decades = model.game().mixed() ? MIXED_DECADES : DECADES;
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

    /** Whether the page's other gammas, each a search of its own where some are truthful, take a moment and not minutes. */
    private static boolean searchable(Fitted fitted) {
        return fitted.model().terms().size() <= MIXED_COLUMNS && values(fitted) <= MIXED_VALUES;
    }

    private static long values(Fitted fitted) {
        return (long) fitted.training().sample().size() * fitted.model().terms().size();
    }

    /** The rules of a path, seen from the middle, or from the rule next to it where the middle has none. */
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

    /** So many decades either way. */
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
     * The page of a command on these data, to be filled with what else the report has.
     *
     * @param first the answer to what was asked, where it is another than the rule
     */
    ReportBuilder page(CommandLine command, String asked, List<String> first, List<String> warnings, String group) {
        ReportWords words = new ReportWords(model(), name, command);
        return page(words.heading(command.getCommandName(), asked, first, warnings), group);
    }

    ReportBuilder page(ReportBuilder.Heading heading, String group) {
        Sample people = training.sample();
        ReportBuilder builder = new ReportBuilder(heading, people, path, selected).group(group);
        if (model().game().mixed()) {
            // of a path another gamma than the declared one may be shown
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
            List<HedgedSolution.Point> points = hedged.frontier();
            builder.frontier(
                    points.stream().mapToDouble(HedgedSolution.Point::share).toArray(),
                    points.stream().mapToDouble(p -> rmse(p.honest())).toArray(),
                    points.stream().mapToDouble(p -> rmse(p.moved())).toArray());
        });
        GameSpec.Between range = model().game().between();
        if (range != null) {
            Training known = training.knowing(range.middle());
            builder.nominal(known.path(range.middle()).get(0));
        }
        if (coarser) {
            builder.warning("With " + model().terms().size() + " columns the page has " + path.size()
                    + " gammas instead of " + POINTS + ", so that it stays small.");
        }
        return builder;
    }
}
