package stackelberg.cli.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.answer.Answer;
import stackelberg.cli.answer.ComparisonReport;
import stackelberg.cli.answer.CurveReport;
import stackelberg.cli.answer.ErrorWords;
import stackelberg.cli.answer.GroupWords;
import stackelberg.cli.answer.ModelWords;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.PopulationWords;
import stackelberg.cli.answer.RegretReport;
import stackelberg.cli.answer.SummaryAnswer;
import stackelberg.cli.answer.TuningReport;
import stackelberg.cli.answer.WhatIfWords;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Followers;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;
import stackelberg.solver.ProgressListener.Progress;

/** Builds the data of a report page from fitted rules and the people they were fitted to. */
public final class ReportBuilder {
    private static final int MOST_STEPS = 400;

    /** The maximum number of groups on the page. */
    private static final int MOST_GROUPS = 20;

    private final Heading heading;
    private final Sample people;
    private final List<StackelbergModel> path;
    private final int selected;
    private final StackelbergModel model;
    private final List<String> warnings;
    private final int[] columns;

    private @Nullable PublishedRule naive;
    private @Nullable Population population;
    private Map<String, Population.Group> kinds = Map.of();
    private @Nullable Double worldGamma;
    private @Nullable String groupColumn;
    private @Nullable Object tuning;
    private @Nullable List<ReportData.FrontierPoint> frontier;
    private final Map<String, Answer> answers = new HashMap<>();
    private @Nullable StackelbergModel nominal;
    private @Nullable List<ReportData.Step> trace;
    private boolean applied;
    private double cutoff = YesOrNo.CUTOFF;

    /**
     * The question and the answer of a report, in words.
     *
     * @param answer sentences about the numbers that the page shows first
     */
    public record Heading(
            String kind,
            String title,
            String asked,
            Function<First, List<String>> answer,
            ReportData.Seal seal,
            List<String> warnings,
            ReportData.Made made) {}

    /**
     * What the page shows first: the errors of the selected rule and of least squares in the world of the report. NaN is unknown.
     *
     * @param honest least squares if nobody moves
     * @param naive least squares once people have moved
     * @param believed the rule if nobody moves
     * @param anticipated the rule once people have moved
     * @param earned the share of the gap that the target itself closes
     */
    record First(double pullThrough, double honest, double naive, double believed, double anticipated, double earned) {
        /** Creates the figures for a game without effects, where moves do not change the target. */
        First(double pullThrough, double honest, double naive, double believed, double anticipated) {
            this(pullThrough, honest, naive, believed, anticipated, Double.NaN);
        }
    }

    /**
     * A report on one of the rules of a path.
     *
     * @param rules the rules by ascending gamma, all of the same game
     * @param chosen the index of the one the report is about
     */
    public ReportBuilder(Heading heading, Sample people, List<StackelbergModel> rules, int chosen) {
        this.heading = heading;
        this.people = people;
        this.model = rules.get(chosen);
        // under limits the response has no closed form, so the page has the responses to one rule only
        boolean lone = !model.game().limits().none();
        List<StackelbergModel> path = lone ? List.of(model) : rules;
        int selected = lone ? 0 : chosen;
        this.warnings = new ArrayList<>(heading.warnings());
        int all = model.terms().size();
        int most = Sampling.mostPoints(all);
        int room = model.game().loss().isSquared() ? most : Math.min(most, Sampling.mostWorlds(people.size()));
        int[] points = Sampling.evenly(path.size(), room, selected);
        if (points.length < path.size()) {
            warnings.add("Of " + path.size() + " gammas the page shows " + points.length + ", so that it stays small.");
        }
        this.path = Arrays.stream(points).mapToObj(path::get).toList();
        this.selected = Arrays.binarySearch(points, selected);
        this.columns = Sampling.columns(this.path);
        if (columns.length < all) {
            warnings.add("Of " + all + " columns the page shows the " + columns.length
                    + " with the largest coefficients; losses and pull-through include all columns.");
        }
    }

    /** Adds least squares, the rule that assumes that nobody moves. */
    public ReportBuilder naive(PublishedRule rule) {
        naive = rule;
        return this;
    }

    /** Sets the gamma of the people in this report, if it differs from the rule's. */
    public ReportBuilder worldGamma(double gamma) {
        worldGamma = gamma;
        return this;
    }

    /**
     * Sets how people respond, if not all of them respond with the rule's gamma.
     *
     * @param kinds the groups of people who respond alike, by name; empty if all do
     */
    public ReportBuilder population(Population people, Map<String, Population.Group> kinds) {
        this.population = people;
        this.kinds = kinds;
        return this;
    }

    /** Sets how people respond, with the default names of the populations. */
    public ReportBuilder population(Population people) {
        return population(people, PopulationWords.named(PopulationWords.groups(people)));
    }

    /** Notes that the rule was fitted to other people, so that the loss of the fit does not apply to these. */
    public ReportBuilder applied() {
        applied = true;
        return this;
    }

    /** Sets the smallest probability that is predicted as a yes, with logistic loss. */
    public ReportBuilder cutoff(double least) {
        cutoff = least;
        return this;
    }

    /** Adds a warning for the reader. */
    public ReportBuilder warning(String warning) {
        warnings.add(warning);
        return this;
    }

    public ReportBuilder group(@Nullable String column) {
        groupColumn = column;
        return this;
    }

    public ReportBuilder tuning(TuningReport tuned) {
        if (tuned instanceof CurveReport report) {
            double world = report.curve().worldGamma();
            worldGamma(world);
            if (population != null) {
                population(Population.ofOneGamma(people.size(), world, population.truthfulShare()));
            }
            tuning = TuningFigure.of(report.curve(), warnings);
        } else {
            tuning = TuningFigure.of(((RegretReport) tuned).regret(), warnings);
        }
        return this;
    }

    /** Adds a comparison of rules on held-out people. */
    public ReportBuilder comparison(ComparisonReport compared) {
        answers.put("comparison", compared.answer().withWarnings(List.of()));
        return this;
    }

    /** Adds the best rules for several truthful shares, each with its root mean squared error if nobody moves and once people have moved. */
    public ReportBuilder frontier(double[] shares, double[] honest, double[] moved) {
        frontier = IntStream.range(0, shares.length)
                .mapToObj(k -> new ReportData.FrontierPoint(shares[k], honest[k], moved[k]))
                .toList();
        return this;
    }

    /** Adds the rule for the gamma in the middle of the declared interval. */
    public ReportBuilder nominal(StackelbergModel rule) {
        nominal = rule;
        return this;
    }

    /** Adds the losses of the selected rule if the assumptions are wrong. */
    public ReportBuilder whatIf(WhatIfWords words) {
        words.figures().ifPresent(figures -> answers.put("whatif", figures));
        return this;
    }

    /** Adds errors of the selected rule and of today's rule by group, and the moves, if there are groups. */
    public ReportBuilder byGroup(@Nullable GroupWords words) {
        if (words != null) {
            answers.put("groups", words.answer("these people"));
        }
        return this;
    }

    /** Adds the iterations that led to the selected rule; fewer than two with a known loss are not shown. */
    public ReportBuilder trace(List<Progress> iterations) {
        double objective = model.optimality().objective();
        // points off the sphere may have a smaller loss than the solution
        List<ReportData.Step> steps = iterations.stream()
                .filter(now -> !Double.isNaN(now.objective()))
                .map(now ->
                        new ReportData.Step(now.iteration(), now.objective(), Math.abs(now.objective() - objective)))
                .toList();
        if (steps.size() > 1) {
            trace = Arrays.stream(Sampling.evenly(steps.size(), MOST_STEPS, steps.size() - 1))
                    .mapToObj(steps::get)
                    .toList();
        }
        return this;
    }

    public ReportData build(Workers workers) {
        ReportData.@Nullable Lost lost = lost();
        Points rules = new Points(
                path, selected, naive, columns, people, lost == null ? new double[0] : lost.worlds(), workers);
        @Nullable Map<String, int[]> groups = groups();
        Population those = population == null ? Population.ofOneGamma(people.size(), model.gamma(), 0) : population;
        boolean finite = model.optimality().finite();
        @Nullable Movements moves = finite ? new Movements(model, people, rules.predictions(), those, workers) : null;
        List<ReportData.Point> points = rules.points(applied);
        ReportData.@Nullable Mixture mixture =
                model.game().mixed() ? mixture(moves, those, rules, points.get(selected), workers) : null;
        ReportData.@Nullable Worlds worlds = worlds(moves, those, rules, workers);
        ReportData.Crowd crowd = new ReportData.Crowd(
                people.size(),
                applied ? model.rows() : null,
                rules.weight(),
                rules.wishLoss(),
                sample(rules.sample(), groups, those),
                moves == null ? null : moves.furthest(),
                moves == null || groups == null || groupColumn == null ? null : moves.byGroup(groupColumn, groups));
        ReportData.Path shown =
                new ReportData.Path(rules.features(), points, selected, rules.leastSquares(), lost, between(workers));
        ReportData.Game game = new ReportData.Game(
                model.game().chosenTarget(),
                model.gamma(),
                worldGamma,
                mixture,
                worlds,
                moves == null || !limited() ? null : moves.limits(model),
                model.game().hasEffects());
        ReportData.Outside outside = moves == null ? null : moves.outside();
        boolean answered = finite && people.y() != null && lost != null && lost.logistic();
        ReportData.Judged judged = new ReportData.Judged(
                tuning,
                frontier,
                answered && lost != null ? answers(rules, lost.worlds(), workers) : null,
                answered ? measures(workers).measures() : null);
        PageWords words = PageWords.of(
                new PageWords.Facts(
                        heading,
                        game,
                        crowd,
                        outside,
                        shown,
                        judged,
                        model.provenance().options().get("scale")),
                answers);
        // with effects or another loss, this explanation does not apply
        double[] y = people.y();
        if (!finite && y != null && !model.game().hasEffects() && lost == null) {
            NoRule none = NoRule.of(model, people, y, crowd.weight(), crowd.wishLoss());
            answers.put("none", none.why(path));
            answers.put("facts", none.facts());
            answers.put("tries", none.tries());
            none.again(heading.made().command())
                    .ifPresent(command -> words.texts().put("none-command", command));
        }
        ErrorWords.of(model).ifPresent(errors -> answers.put("sure", errors.answer(columns)));
        answers.put("proof", proof());
        answers.put("game", SummaryAnswer.game(model));
        return new ReportData(
                new ReportData.Heading(
                        heading.kind(),
                        heading.title(),
                        heading.asked(),
                        heading.answer().apply(first(shown, mixture, worlds, crowd, lost)),
                        heading.seal(),
                        warnings,
                        words),
                game,
                crowd,
                outside,
                shown,
                judged,
                new ReportData.Hood(trace, heading.made()));
    }

    /** The loss if it is not squared, and the world gammas for which it is computed: those of the rules, or a grid around the only rule. */
    private ReportData.@Nullable Lost lost() {
        Loss loss = model.game().loss();
        if (loss.isSquared()) {
            return null;
        }
        double[] gammas = path.size() > 1
                ? path.stream().mapToDouble(StackelbergModel::gamma).toArray()
                : OwnGammas.about(model.gamma());
        double[] worlds = DoubleStream.concat(
                        Arrays.stream(gammas), worldGamma == null ? DoubleStream.empty() : DoubleStream.of(worldGamma))
                .sorted()
                .distinct()
                .toArray();
        return new ReportData.Lost(loss.inWords(), ReportWords.errorName(model), loss.isLogistic(), worlds);
    }

    private ReportData.Answers answers(Points rules, double[] worlds, Workers workers) {
        return measures(workers)
                .of(
                        new AnswerMeasures.Scores(model.omega(), rules.predictions()),
                        naive == null
                                ? null
                                : new AnswerMeasures.Scores(model.world().omega(naive), rules.naivePredictions()),
                        worlds,
                        worldGamma == null ? model.gamma() : worldGamma);
    }

    private AnswerMeasures measures(Workers workers) {
        return new AnswerMeasures(people, cutoff, workers);
    }

    private ReportData.@Nullable Between between(Workers workers) {
        GameSpec.Between range = model.game().between();
        if (range == null) {
            return null;
        }
        ReportData.Losses losses = nominal != null && nominal.optimality().finite()
                ? PathSums.of(people, List.of(nominal.rule()), new int[0], new int[] {-1}, new double[0], workers)
                        .losses(0, nominal.omega(), 0)
                : null;
        return new ReportData.Between(range.low(), range.high(), range.middle(), losses);
    }

    /** The responses of a mixed population. */
    private ReportData.Mixture mixture(
            @Nullable Movements moves, Population those, Points rules, ReportData.Point point, Workers workers) {
        double moved = applied || point.expected() == null ? Double.NaN : point.expected();
        if (applied && moves != null && people.y() != null) {
            moved = RuleEvaluation.of(
                            model.world(),
                            model.rule(),
                            Followers.of(those, rules.predictions(), people.z())
                                    .withTruth(people.y(), people.weights())
                                    .with(model.world().features(people.rows()), workers))
                    .moved()
                    .rmse();
        }
        return new ReportData.Mixture(
                model.game().rowGamma(),
                those.truthfulShare(),
                applied && moves != null ? moves.pullThrough() : model.pullThrough(),
                Math.sqrt(naiveAttacked() / rules.weight()),
                moved,
                moves == null ? Double.NaN : moves.meanWay(),
                moves == null ? null : moves.byPopulation(kinds));
    }

    private ReportData.@Nullable Worlds worlds(
            @Nullable Movements moves, Population those, Points rules, Workers workers) {
        return moves == null || !ownGammas() && !limited()
                ? null
                : OwnGammas.of(
                        model,
                        people,
                        those,
                        new OwnGammas.Rules(rules.predictions(), naive, rules.naivePredictions()),
                        new OwnGammas.Shown(ownGammas(), applied, rules.sample(), columns),
                        workers);
    }

    private boolean limited() {
        return !model.game().limits().none();
    }

    /** Whether each person has a gamma of their own. */
    private boolean ownGammas() {
        return model.game().rowGamma() != null && worldGamma == null;
    }

    /** The loss of least squares after the training sample has moved. */
    private double naiveAttacked() {
        Double attacked = model.losses().naiveAttacked();
        return applied || attacked == null ? Double.NaN : attacked;
    }

    private First first(
            ReportData.Path shown,
            ReportData.@Nullable Mixture mixture,
            ReportData.@Nullable Worlds worlds,
            ReportData.Crowd crowd,
            ReportData.@Nullable Lost lost) {
        ReportData.LeastSquares least = shown.leastSquares();
        double promised = least == null ? Double.NaN : least.honest();
        ReportData.Point point = shown.points().get(selected);
        // no predictions without a finite rule
        ReportData.Losses losses = point.losses();
        double believed = losses == null ? Double.NaN : ReportWords.error(model, losses.a() / crowd.weight());
        if (worlds != null && limited()) {
            int here = worlds.factors().length / 2;
            double attacked = worlds.naive() == null ? Double.NaN : worlds.naive()[here];
            return new First(worlds.pullThrough()[here], promised, attacked, believed, worlds.moved()[here]);
        }
        boolean elsewhere = worldGamma != null && !applied;
        if (mixture != null && (!elsewhere || losses == null)) {
            return new First(mixture.pullThrough(), promised, mixture.naive(), believed, mixture.moved());
        }
        double world = worldGamma == null ? model.gamma() : worldGamma;
        if (mixture != null && losses != null) {
            double share = mixture.truthfulShare();
            return new First(
                    (1 - share) * model.pullThroughAt(world),
                    promised,
                    least == null ? Double.NaN : among(share, least.losses(), world, crowd),
                    believed,
                    among(share, losses, world, crowd));
        }
        double expected = point.expected() == null ? Double.NaN : point.expected();
        if (lost != null) {
            int here = Arrays.binarySearch(lost.worlds(), world);
            return new First(
                    losses == null ? model.pullThrough() : model.pullThroughAt(world),
                    promised,
                    least == null
                            ? naiveAttacked() / crowd.weight()
                            : least.losses().inWorld(here),
                    believed,
                    losses == null ? expected : losses.inWorld(here));
        }
        double attacked = least == null ? naiveAttacked() : least.losses().in(world, crowd.wishLoss());
        return new First(
                losses == null ? model.pullThrough() : model.pullThroughAt(world),
                promised,
                Math.sqrt(attacked / crowd.weight()),
                believed,
                losses == null ? expected : Math.sqrt(losses.in(world, crowd.wishLoss()) / crowd.weight()),
                losses != null && model.game().hasEffects()
                        ? Response.of(losses.stretch(), losses.earned(), world).earned()
                        : Double.NaN);
    }

    /** The root mean squared error if this share of the people does not move and the others do. */
    private static double among(double share, ReportData.Losses losses, double world, ReportData.Crowd crowd) {
        double sum = share * losses.a() + (1 - share) * losses.in(world, crowd.wishLoss());
        return Math.sqrt(sum / crowd.weight());
    }

    private ReportData.Sample sample(int[] sample, @Nullable Map<String, int[]> groups, Population those) {
        double[] y = people.y();
        return new ReportData.Sample(
                people.size(),
                sample.length,
                IntStream.of(sample).mapToObj(people::label).toList(),
                y == null ? null : Sampling.sixDigits(Sampling.some(y, sample)),
                Sampling.sixDigits(Sampling.some(people.z(), sample)),
                groups == null ? null : groupsOf(sample, groups),
                ownGammas() ? IntStream.of(sample).mapToDouble(those::gamma).toArray() : null);
    }

    /** The group of each of these people. */
    private List<String> groupsOf(int[] sample, Map<String, int[]> groups) {
        String[] groupOf = new String[people.size()];
        Arrays.fill(groupOf, "another");
        groups.forEach((name, members) -> IntStream.of(members).forEach(i -> groupOf[i] = name));
        return IntStream.of(sample).mapToObj(i -> groupOf[i]).toList();
    }

    private @Nullable Map<String, int[]> groups() {
        if (groupColumn == null) {
            return null;
        }
        Table.Grouped grouped = people.rows().groups(groupColumn, MOST_GROUPS);
        if (grouped.groups() > MOST_GROUPS) {
            warnings.add("Of " + grouped.groups() + " groups of '" + groupColumn + "' the page shows the " + MOST_GROUPS
                    + " largest.");
        }
        return grouped.rows();
    }

    /** The figures of the certificate and of the solver, for readers who check them. */
    private Answer proof() {
        StackelbergModel.Optimality optimality = model.optimality();
        StackelbergModel.Phases seconds = model.solver().seconds();
        Answer.TableBuilder facts =
                Answer.table("proof", optimality.proof().name().toLowerCase(Locale.ROOT));
        facts.text(1);
        facts.row("multiplier lambda", Numbers.number(optimality.multiplier()));
        facts.row("gap bound", Numbers.number(optimality.gapBound()));
        facts.row("relative gap", Numbers.number(optimality.relativeGap()));
        facts.row("tolerance", Numbers.number(optimality.tolerance()));
        facts.row("the only best rule", optimality.unique() ? "yes" : "no");
        facts.row(
                "passes over the data",
                String.format(Locale.ROOT, "%,d", model.solver().passes()));
        facts.row(
                "seconds",
                String.format(
                        Locale.ROOT,
                        "read %.3f, assemble %.3f, solve %.3f, certify %.3f, recover %.3f",
                        seconds.read(),
                        seconds.assemble(),
                        seconds.solve(),
                        seconds.certify(),
                        seconds.recover()));
        return Answer.builder()
                .sections(ModelWords.proofOf(model))
                .block(facts.build())
                .build();
    }
}
