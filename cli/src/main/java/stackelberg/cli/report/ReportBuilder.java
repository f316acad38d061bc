package stackelberg.cli.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import stackelberg.data.DataException;
import stackelberg.data.EncodedColumn;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.ResponseGroup;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.RuleEvaluation;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Followers;
import stackelberg.model.response.RuleEvaluation;

/** From fitted rules and the people they were fitted to, to what the page knows. */
public final class ReportBuilder {
    /** More points in a scatter tell nothing more. */
    private static final int MOST_PEOPLE = 300;

    /** More columns no page can show; the loss counts them all. */
    private static final int MOST_FEATURES = 2000;

    /** What the path may take of the 3 MB of a file, of which the chart library takes one. */
    private static final int PATH_BYTES = 1_500_000;

    /** A coefficient with all its digits, and a move with six. */
    private static final int BYTES_PER_FEATURE = 30;

    private static final int BYTES_PER_PERSON = 9;
    private static final int MOST_STEPS = 400;

    /** Rules and worlds of a map of regrets: 14,400 cells of some 20 bytes. */
    private static final int MOST_WORLDS = 120;

    private final Heading heading;
    private final People people;
    private final List<StackelbergModel> path;
    private final int selected;
    private final StackelbergModel model;
    private final List<EncodedColumn> columns;
    private final List<String> warnings;
    private final int[] shown;

    private PublishedRule naive;
    private Population population;
    private Map<String, ResponseGroup> kinds = Map.of();
    private Double worldGamma;
    private String groupColumn;
    private Object tuning;
    private ReportData.Rules comparison;
    private List<ReportData.Step> trace;
    private boolean applied;

    /**
     * What was asked and what came out, in words.
     *
     * @param answer in sentences about the numbers that the page shows first
     */
    public record Heading(
            String kind,
            String title,
            String command,
            ReportData.Made made,
            String asked,
            Function<First, List<String>> answer,
            ReportData.Seal seal,
            List<String> warnings) {}

    /**
     * What the page shows first: the selected rule and least squares in the world of the report, as root mean squared errors. NaN is unknown.
     *
     * @param honest least squares if nobody moves
     * @param naive least squares once people have moved
     * @param anticipated the rule once people have moved
     */
    public record First(double pullThrough, double honest, double naive, double anticipated) {}

    /**
     * A report on one of the rules of a path.
     *
     * @param path the rules by ascending gamma, all of the same game
     * @param selected the index of the one the report is about
     */
    public ReportBuilder(Heading heading, People people, List<StackelbergModel> path, int selected) {
        this.heading = heading;
        this.people = people;
        this.model = path.get(selected);
        this.columns = model.encoding().columns();
        this.warnings = new ArrayList<>(heading.warnings());
        int[] points = evenly(path.size(), mostPoints(columns.size()), selected);
        if (points.length < path.size()) {
            warnings.add("Of " + path.size() + " gammas the page has " + points.length + ", so that it stays small.");
        }
        this.path = Arrays.stream(points).mapToObj(path::get).toList();
        this.selected = Arrays.binarySearch(points, selected);
        this.shown = shownColumns();
        if (shown.length < columns.size()) {
            warnings.add("Of " + columns.size() + " columns the page has the " + shown.length
                    + " whose coefficients are largest; losses and pull-through count them all.");
        }
    }

    /** How many gammas a page with so many columns has room for: wide data get a coarser slider instead of a slow page. */
    public static int mostPoints(int columns) {
        int perPoint = BYTES_PER_FEATURE * Math.min(columns, MOST_FEATURES) + BYTES_PER_PERSON * MOST_PEOPLE + 400;
        return Math.max(3, PATH_BYTES / perPoint);
    }

    /** The rule of those who think that nobody moves. */
    public ReportBuilder naive(PublishedRule rule) {
        naive = rule;
        return this;
    }

    /** What moving costs the people of this report, if it is not what the rule thinks. */
    public ReportBuilder worldGamma(double gamma) {
        worldGamma = gamma;
        return this;
    }

    /**
     * How people respond, if not all of them at the gamma that the rule thinks.
     *
     * @param kinds those who respond alike, by what they are called; none if everybody does
     */
    public ReportBuilder population(Population people, Map<String, ResponseGroup> kinds) {
        this.population = people;
        this.kinds = kinds;
        return this;
    }

    /** The people are not those that the rule was fitted to, so that its loss says nothing about them. */
    public ReportBuilder applied() {
        applied = true;
        return this;
    }

    /** Something else that the reader should know. */
    public ReportBuilder warning(String warning) {
        warnings.add(warning);
        return this;
    }

    public ReportBuilder group(String column) {
        groupColumn = column;
        return this;
    }

    public ReportBuilder tuning(ReportData.Curve curve) {
        int[] points = evenly(curve.gammas().length, MOST_STEPS, curve.minimum(), curve.oneStandardError());
        tuning = new ReportData.Curve(
                curve.kind(),
                curve.worldGamma(),
                some(curve.gammas(), points),
                some(curve.mean(), points),
                some(curve.standardError(), points),
                Arrays.binarySearch(points, curve.minimum()),
                Arrays.binarySearch(points, curve.oneStandardError()));
        warnIfFewer("gammas the curve", curve.gammas().length, points.length);
        return this;
    }

    /** The chosen rule and the world where it is worst are shown, whatever else has no room. */
    public ReportBuilder tuning(ReportData.Regret regret) {
        int chosen = regret.chosen();
        int[] rules = evenly(regret.modelGammas().length, MOST_WORLDS, chosen);
        int[] worlds = evenly(regret.worldGammas().length, MOST_WORLDS, largest(regret.regret()[chosen]));
        tuning = new ReportData.Regret(
                regret.kind(),
                some(regret.modelGammas(), rules),
                some(regret.worldGammas(), worlds),
                cells(regret.loss(), rules, worlds),
                cells(regret.regret(), rules, worlds),
                Arrays.binarySearch(rules, chosen),
                some(regret.worstRegret(), rules));
        warnIfFewer("rules the map of regrets", regret.modelGammas().length, rules.length);
        warnIfFewer("worlds the map of regrets", regret.worldGammas().length, worlds.length);
        return this;
    }

    private void warnIfFewer(String what, int all, int shownOfThem) {
        if (shownOfThem < all) {
            warnings.add("Of " + all + " " + what + " has " + shownOfThem + ", so that the page stays small.");
        }
    }

    private static double[] some(double[] values, int[] indices) {
        return IntStream.of(indices).mapToDouble(i -> values[i]).toArray();
    }

    private static double[][] cells(double[][] values, int[] rows, int[] columns) {
        return IntStream.of(rows)
                .mapToObj(i -> IntStream.of(columns)
                        .mapToDouble(k -> sixDigits(values[i][k]))
                        .toArray())
                .toArray(double[][]::new);
    }

    private static int largest(double[] values) {
        int largest = 0;
        for (int i = 1; i < values.length; i++) {
            largest = values[i] > values[largest] ? i : largest;
        }
        return largest;
    }

    public ReportBuilder comparison(List<ReportData.Rule> rules) {
        comparison = new ReportData.Rules(rules);
        return this;
    }

    /** The iterations that led to the selected rule; fewer than two say nothing. */
    public ReportBuilder trace(List<ReportData.Step> steps) {
        if (steps.size() > 1) {
            trace = Arrays.stream(evenly(steps.size(), MOST_STEPS, steps.size() - 1))
                    .mapToObj(steps::get)
                    .toList();
        }
        return this;
    }

    /** One pass over the people, or a few where they are many, for all rules together. */
    public ReportData build(Workers workers) {
        List<PublishedRule> rules = new ArrayList<>();
        int[] ruleOf = new int[path.size()];
        for (int k = 0; k < ruleOf.length; k++) {
            boolean finite = path.get(k).optimality().finite();
            ruleOf[k] = finite ? rules.size() : -1;
            if (finite) {
                rules.add(PublishedRule.of(path.get(k)));
            }
        }
        int naiveRule = naive == null ? -1 : rules.size();
        if (naive != null) {
            rules.add(naive);
        }
        int[] sample = sample(people.size());
        PathSums sums = PathSums.of(people, rules, sample, ruleOf[selected], workers);
        Map<String, int[]> groups = groups();
        if (population == null) {
            population = Population.ofOneGamma(people.size(), model.gamma(), 0);
        }
        Movements moves = model.optimality().finite() ? new Movements(model, people, sums.kept(), population) : null;
        double wishLoss = sums.wishLoss(model.game().wishNoise());
        ReportData.Losses naiveLosses = naive == null || model.game().mixed()
                ? null
                : sums.losses(naiveRule, World.of(model).omega(naive));
        List<ReportData.Point> points = IntStream.range(0, path.size())
                .mapToObj(k -> point(path.get(k), ruleOf[k], sums))
                .toList();
        ReportData.Mixture mixture = model.game().mixed() ? mixture(moves, sums, points.get(selected)) : null;
        Double honest = naive == null ? null : Math.sqrt(sums.honest(naiveRule) / sums.weight());
        return new ReportData(
                heading.kind(),
                heading.title(),
                heading.command(),
                heading.made(),
                heading.asked(),
                heading.answer()
                        .apply(first(points.get(selected), mixture, honest, naiveLosses, wishLoss, sums.weight())),
                heading.seal(),
                model.game().target(),
                people.size(),
                sums.weight(),
                model.gamma(),
                applied ? model.rows() : null,
                mixture,
                selected,
                worldGamma,
                wishLoss,
                Arrays.stream(shown).mapToObj(this::feature).toList(),
                honest == null ? null : new ReportData.Honest(honest),
                naiveLosses,
                model.optimality().finite() || people.y() == null ? null : NoRule.of(model, people, sums.weight()),
                new ReportData.Path(points),
                people(sample, groups),
                moves == null ? null : moves.furthest(),
                moves == null || groups == null ? null : moves.byGroup(groupColumn, groups),
                tuning,
                comparison,
                solver(),
                proof(),
                options(),
                warnings);
    }

    /** What people who differ do; of those that the rule was fitted to the model knows it. */
    private ReportData.Mixture mixture(Movements moves, PathSums sums, ReportData.Point point) {
        boolean evaluated = applied && moves != null;
        double moved = applied ? Double.NaN : point.expected();
        if (evaluated && people.y() != null) {
            moved = RuleEvaluation.of(
                            World.typical(model),
                            PublishedRule.of(model),
                            Followers.of(population, sums.kept(), people.z()).withTruth(people.y(), people.weights()))
                    .moved()
                    .rmse();
        }
        return new ReportData.Mixture(
                model.game().rowGamma(),
                population.truthfulShare(),
                evaluated ? moves.pullThrough() : model.pullThrough(),
                Math.sqrt(naiveAttacked() / sums.weight()),
                moved,
                moves == null ? Double.NaN : moves.meanWay(),
                moves == null ? null : moves.byPopulation(kinds));
    }

    /** What least squares loses once those have moved whom the rule was fitted to. */
    private double naiveAttacked() {
        Double attacked = model.losses().naiveAttacked();
        return applied || attacked == null ? Double.NaN : attacked;
    }

    private First first(
            ReportData.Point point,
            ReportData.Mixture mixture,
            Double honest,
            ReportData.Losses naiveLosses,
            double wishLoss,
            double weight) {
        double promised = honest == null ? Double.NaN : honest;
        if (mixture != null) {
            return new First(mixture.pullThrough(), promised, mixture.naive(), mixture.moved());
        }
        double world = worldGamma == null ? model.gamma() : worldGamma;
        boolean finite = model.optimality().finite();
        double expected = point.expected() == null ? Double.NaN : point.expected();
        return new First(
                finite ? model.pullThroughAt(world) : model.pullThrough(),
                promised,
                Math.sqrt((naiveLosses == null ? naiveAttacked() : naiveLosses.in(world, wishLoss)) / weight),
                finite ? Math.sqrt(point.losses().in(world, wishLoss) / weight) : expected);
    }

    /** The root mean squared error that a rule expects; whoever weighs people need not have weights that add up to their number. */
    private Double expected(StackelbergModel at, double weight) {
        double objective = at.optimality().objective();
        if (applied) {
            return at.game().weight() == null ? Math.sqrt(objective / at.rows()) : null;
        }
        return Math.sqrt(objective / weight);
    }

    private ReportData.FeatureEntry feature(int j) {
        StackelbergModel.Term term = model.terms().get(j);
        return new ReportData.FeatureEntry(
                term.name(),
                !term.manipulable(),
                term.manipulable() ? term.cost() : null,
                columns.get(j).scale());
    }

    private ReportData.Point point(StackelbergModel at, int rule, PathSums sums) {
        StackelbergModel.Optimality optimality = at.optimality();
        boolean finite = optimality.finite();
        ReportData.Losses losses = new ReportData.Losses(Double.NaN, Double.NaN, Double.NaN);
        double[] moves = null;
        if (finite) {
            double omega = at.omega();
            losses = at.game().mixed()
                    ? new ReportData.Losses(Double.NaN, sums.honest(rule), Double.NaN)
                    : sums.losses(rule, omega);
            moves = Arrays.stream(shown)
                    .mapToDouble(
                            j -> sixDigits(omega == 0 ? 0 : Math.abs(Movements.step(at, columns.get(j), j)) / omega))
                    .toArray();
        }
        return new ReportData.Point(
                at.gamma(),
                optimality.objective(),
                expected(at, sums.weight()),
                optimality.gapBound(),
                optimality.relativeGap(),
                optimality.certified(),
                finite,
                at.pullThrough(),
                finite ? at.intercept() : null,
                finite
                        ? Arrays.stream(shown)
                                .mapToDouble(j -> at.terms().get(j).coefficient())
                                .toArray()
                        : null,
                losses,
                finite ? sums.meanWish(rule) : Double.NaN,
                moves,
                finite
                        ? Arrays.stream(sums.sampled(rule))
                                .map(ReportBuilder::sixDigits)
                                .toArray()
                        : null);
    }

    private ReportData.Sample people(int[] sample, Map<String, int[]> groups) {
        String[] groupOf = groups == null ? null : new String[people.size()];
        if (groups != null) {
            groups.forEach((name, members) -> IntStream.of(members).forEach(i -> groupOf[i] = name));
        }
        double[] y = people.y();
        double[] z = people.z();
        return new ReportData.Sample(
                people.size(),
                sample.length,
                IntStream.of(sample).mapToObj(people::label).toList(),
                y == null
                        ? null
                        : IntStream.of(sample).mapToDouble(i -> sixDigits(y[i])).toArray(),
                IntStream.of(sample).mapToDouble(i -> sixDigits(z[i])).toArray(),
                groups == null
                        ? null
                        : IntStream.of(sample).mapToObj(i -> groupOf[i]).toList());
    }

    private Map<String, int[]> groups() {
        if (groupColumn == null) {
            return null;
        }
        try {
            return people.groups(groupColumn);
        } catch (DataException tooMany) {
            warnings.add("Nothing is shown by group: "
                    + tooMany.getMessage().lines().findFirst().orElseThrow());
            return null;
        }
    }

    private ReportData.Solver solver() {
        StackelbergModel.SolverRecord solver = model.solver();
        StackelbergModel.Phases phases = solver.seconds();
        return new ReportData.Solver(
                solver.name(),
                solver.note(),
                solver.status().toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
                solver.iterations(),
                solver.passes(),
                new ReportData.Seconds(
                        phases.read(), phases.assemble(), phases.solve(), phases.certify(), phases.recover()),
                trace);
    }

    private ReportData.Proof proof() {
        StackelbergModel.Optimality optimality = model.optimality();
        return new ReportData.Proof(
                optimality.proof().name(),
                optimality.multiplier(),
                optimality.gapBound(),
                optimality.relativeGap(),
                optimality.tolerance(),
                optimality.unique());
    }

    private List<List<String>> options() {
        List<List<String>> options = new ArrayList<>();
        options.add(List.of("target", model.game().target()));
        model.provenance().options().forEach((name, value) -> options.add(List.of(name, value)));
        if (model.game().weight() != null) {
            options.add(List.of("weight", model.game().weight()));
        }
        if (model.game().wishNoise() > 0) {
            options.add(List.of("wish noise", String.valueOf(model.game().wishNoise())));
        }
        return options;
    }

    /** The columns with the largest scaled coefficient at any gamma, in their order. */
    private int[] shownColumns() {
        double[] effects = new double[columns.size()];
        for (StackelbergModel at : path) {
            for (int j = 0; j < effects.length && at.optimality().finite(); j++) {
                effects[j] = Math.max(
                        effects[j],
                        Math.abs(
                                at.terms().get(j).coefficient() * columns.get(j).scale()));
            }
        }
        return IntStream.range(0, effects.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -effects[j]))
                .limit(MOST_FEATURES)
                .sorted()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** At most so many of 0 ... count - 1, from end to end and with some that must be among them. */
    private static int[] evenly(int count, int most, int... always) {
        if (count <= most) {
            return IntStream.range(0, count).toArray();
        }
        int spread = most - always.length;
        return IntStream.concat(
                        IntStream.range(0, spread).map(k -> (int) Math.round((double) k * (count - 1) / (spread - 1))),
                        IntStream.of(always))
                .sorted()
                .distinct()
                .toArray();
    }

    /** The same people for the same number of them. */
    private static int[] sample(int count) {
        int[] order = IntStream.range(0, count).toArray();
        if (count <= MOST_PEOPLE) {
            return order;
        }
        Random random = new Random(count);
        for (int i = 0; i < MOST_PEOPLE; i++) {
            int j = i + random.nextInt(count - i);
            int swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        int[] sample = Arrays.copyOf(order, MOST_PEOPLE);
        Arrays.sort(sample);
        return sample;
    }

    /** What a chart can show of a number. */
    static double sixDigits(double value) {
        return Double.isFinite(value)
                ? new java.math.BigDecimal(value)
                        .round(new java.math.MathContext(6))
                        .doubleValue()
                : value;
    }
}
