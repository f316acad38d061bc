package stackelberg.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.estimate.Moments;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Hedge;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.objective.Objective;
import stackelberg.objective.PreparedGame;
import stackelberg.objective.Solution;
import stackelberg.objective.program.Program;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** A declared game and the people it is learned from, encoded and reduced once, whatever is then asked of them; not for several threads at once. */
public final class Training {
    /** Today's rule is learned for comparison alone while the smaller side of X is at most this. */
    public static final int NAIVE_SIDE = 1500;

    /** How far a ridge is moved, relative, for a derivative: its error is the square of this. */
    private static final double STEP = 1e-4;

    private final GameSpec declared;
    /** The same in words that make a sample of the rows again: its wish is a column where wishes were given as numbers. */
    private final GameSpec asked;

    private final FitOptions options;
    private final Objective objective;
    /** Knows the values of a block's columns once the game is reduced. */
    private Sample sample;

    /** Shared with every copy by other settings, so that the data are reduced once. */
    private final PreparedGame game;

    private SampleSource known;
    /** What encoding the data took. */
    private final double sampleSeconds;

    private @Nullable List<Message> warnings;
    /** The predictions of the only rule of a large sample; null where they are not kept. */
    private @Nullable Predicted predicted;

    /** @param sampleSeconds what it took to make the sample */
    Training(GameSpec declared, FitOptions options, Sample sample, double sampleSeconds) {
        this(declared, declared, options, sample, sampleSeconds);
    }

    /** @param asked what was declared, in words that make a sample of the rows again */
    Training(GameSpec declared, GameSpec asked, FitOptions options, Sample sample, double sampleSeconds) {
        this.declared = declared;
        this.asked = asked;
        this.options = options;
        this.objective = Objective.of(declared);
        this.sample = sample;
        PredictionGame ordinary = sample.uniformGame().withBounds(null);
        this.known = new SampleSource(sample, ordinary, options.workers());
        int features = ordinary.x().cols();
        this.game = new PreparedGame(
                ordinary,
                sample.world().bounds().map(all -> all.first(features)).orElse(null),
                known,
                sample.lacksRanges()
                        ? new ColumnStatistics.Ranges(sample.columns().cols())
                        : null,
                options.workers());
        this.sampleSeconds = sampleSeconds;
    }

    /** A copy with other settings that shares the data and all that was computed of them. */
    private Training(Training from, GameSpec declared, GameSpec asked, FitOptions options, PreparedGame game) {
        this.declared = declared;
        this.asked = asked;
        this.options = options;
        this.objective = Objective.of(declared);
        this.sample = from.sample;
        this.known = from.known;
        this.game = game;
        this.sampleSeconds = from.sampleSeconds;
        this.warnings = from.warnings;
    }

    /** What the rule of a point predicts everybody. */
    private record Predicted(double[] r, double gamma, double[] scores) {}

    /** What the rule of a model that was just fitted predicts everybody, to rounding, where it is known: of many people; nobody writes to it. */
    public Optional<double[]> predictions(StackelbergModel model) {
        return Optional.ofNullable(predicted)
                .filter(known -> known.gamma == model.gamma() && Arrays.equals(known.r, model.r()))
                .map(Predicted::scores);
    }

    /** The same rows by other options, sharing what was computed of them. */
    public Training by(FitOptions others) {
        return new Training(this, declared, asked, others, game);
    }

    /** The same rows with a hedge, sharing what was computed of them. */
    public Training hedging(Hedge hedge) {
        return declaredAs(spec -> spec.toBuilder().hedge(hedge).build());
    }

    /** The same rows at a gamma that is known, sharing what was computed of them. */
    public Training knowing(double gamma) {
        return declaredAs(spec -> spec.toBuilder().gamma(gamma).build());
    }

    private Training declaredAs(UnaryOperator<GameSpec> change) {
        Training other = new Training(this, change.apply(declared), change.apply(asked), options, game);
        other.sample = sample().declaredAs(change.apply(sample.spec()));
        return other;
    }

    public Sample sample() {
        ColumnStatistics.Ranges ranges = game.rangesSeen();
        if (ranges != null && sample.lacksRanges()) {
            sample = sample.withRanges(ranges);
        }
        return sample;
    }

    public FitOptions options() {
        return options;
    }

    /** The game as it is played at a gamma, with its population and its limits. */
    PredictionGame played(double gamma) {
        return game.played(gamma);
    }

    private PredictionGame plain() {
        return game.game();
    }

    private Objective.Options solving() {
        return new Objective.Options(options.solver(), options.limits(), options.listener(), options.seed());
    }

    Workers workers() {
        return options.workers();
    }

    /** The game as it was declared, learned from some of its people only: scales, today's rule, gamma as a share and the wish are theirs alone. */
    public Training anew(int[] people) {
        GameSpec.Builder game = learning();
        if (!sample.isBlock()) {
            // fewer people may look otherwise: a column is a feature or not by what all of them show
            game.features(sample.world().encoding().features().stream()
                    .map(Encoding.Feature::column)
                    .toList());
        }
        return new StackelbergRegression(game.build(), options)
                .training(sample.rows().select(people));
    }

    /** The same with these scales: what moving a feature costs is no guess from those who are drawn. */
    Training drawn(int[] people) {
        World world = sample.world();
        GameSpec game = learning().build();
        Sample drawn = Sample.ofModel(
                new World(game, world.encoding(), world.costs()), sample.rows().select(people), workers());
        return new Training(drawn.spec().toBuilder().wish(game.wish()).build(), options, drawn, 0);
    }

    /** What was declared, with what people teach still to be learned. */
    private GameSpec.Builder learning() {
        GameSpec.Builder game = asked.toBuilder().today(asked.today().toBeRefitted());
        asked.gammaShare().ifPresent(game::gammaShare);
        GameSpec.Between between = asked.between();
        if (between != null && between.leastShare() != null) {
            game.gammaSharesBetween(between.leastShare(), between.mostShare());
        }
        return game;
    }

    /** What the people wish by a rule, in words. */
    Sample.Wished wished(String rule) {
        return sample.wished(rule, workers());
    }

    /** The model at the gamma that is declared, with its standard errors and a warning if people who respond to it would end outside what was seen. */
    public StackelbergModel fit() {
        return timed(() -> List.of(withStandardErrors(withSuggestedRidge(solved(true)))))
                .get(0);
    }

    /** The same without standard errors, and without a look at where people would end. */
    public StackelbergModel answer() {
        return timed(() -> List.of(solved(false))).get(0);
    }

    private StackelbergModel solved(boolean looking) {
        Workers.throwIfInterrupted();
        return models(objective.solve(game, solving()), looking, warnings()).get(0);
    }

    /** The sample as a model sees it: where gamma lies between two, at the worst of them. */
    public Sample people(StackelbergModel model) {
        return declared.between() == null ? sample() : sample().declaredAs(model.game());
    }

    /** What a rule in the units of the data loses after the move, for each of these gammas, without what a ridge adds. */
    public double[] losses(PublishedRule rule, double... gammas) {
        LinearRule encoded = encoded(rule);
        return Arrays.stream(gammas)
                .map(gamma -> plain().withGamma(gamma).leaderLoss(encoded, workers()))
                .toArray();
    }

    /** The same model with how sure it is, by the method of the options. */
    public StackelbergModel withStandardErrors(StackelbergModel model) {
        var errors = new SamplingErrors(this, game.withPopulation(model.gamma()), model);
        StackelbergModel sure = model.withStandardErrors(errors.find());
        return errors.rival(sure).map(sure::withWarning).orElse(sure);
    }

    /** The rule on the other side of the smallest eigenvector of H: where two are nearly as good, they are each other's reflection. */
    LinearRule reflected(double[] r, double gamma) {
        Reduction reduced = game.reduction(gamma);
        double[] smallest = SymmetricEigen.of(reduced.family().at(gamma).hessian(), workers())
                .vectors()
                .column(0);
        double[] other = r.clone();
        Vectors.axpy(-2 * Vectors.dot(smallest, r), smallest, other);
        return reduced.recover(other, gamma);
    }

    /** With a warning that names the ridge which generalised cross-validation prefers, where rows can be fitted whatever they hold and finding it costs next to nothing. */
    private StackelbergModel withSuggestedRidge(StackelbergModel model) {
        int degrees = sample.size()
                - plain().immutable().length
                - (declared.intercept() == GameSpec.Intercept.IMMUTABLE ? 1 : 0);
        OptionalDouble ridge = objective.suggestedRidge(game, model.gamma(), degrees);
        return ridge.isEmpty()
                ? model
                : model.withWarning(Message.of(
                        "ridge-suggested",
                        "By generalised cross-validation, which is what tune finds give or take, people not seen would lose least with {}.",
                        Message.Choice.number("ridge", ridge.getAsDouble())));
    }

    /** A model as the solution that it is, proven again from the data: its point r, and where no point gives it, its rule. */
    Solution at(StackelbergModel model, double tolerance) {
        Workers.throwIfInterrupted();
        return objective.recheck(game, solving(), claim(model, tolerance));
    }

    private Objective.Claim claim(StackelbergModel model, double tolerance) {
        List<EncodedColumn> columns = sample.world().encoding().columns();
        double weight = model.hedged()
                .map(Solution.Hedged::share)
                .or(() -> model.between().map(Solution.Between::weight))
                .orElse(0.0);
        return new Objective.Claim(
                model.r(),
                model.gamma(),
                () -> Verification.storedRule(model, columns, plain().x().cols()),
                weight,
                model.limited().map(StackelbergModel.Limited::starts).orElse(0),
                tolerance);
    }

    /**
     * The model that {@link #fit} makes of a solution.
     *
     * @param looked whether the data are looked at for what a user should know of them
     */
    StackelbergModel model(Solution solution, boolean looked) {
        StackelbergModel model = models(
                        new Solution.Run(List.of(solution), "", 0, 0), looked, looked ? warnings() : List.of())
                .get(0);
        return withStandardErrors(model);
    }

    /** The same rows, all of them weighing so many times as much: nothing changes but the losses, by that factor, and the rounding. */
    Training weighing(double factor) {
        double[] weights = Arrays.stream(plain().weights()).map(w -> w * factor).toArray();
        PredictionGame weighed = plain().withWeights(weights).withRidge(factor * plain().ridge());
        SampleSource source = known.weighing(weighed);
        Training other = new Training(this, declared, asked, options, game.with(weighed, source));
        other.known = source;
        return other;
    }

    /** One model per gamma; the certificates of all come from one pass over the data. */
    public List<StackelbergModel> path(double... gammas) {
        return timed(() -> {
            Workers.throwIfInterrupted();
            return models(objective.path(game, solving(), gammas), false, warnings());
        });
    }

    /** The same models, each knowing what took the time that no other phase of theirs has: what is told of them. */
    private List<StackelbergModel> timed(Supplier<List<StackelbergModel>> work) {
        long start = System.nanoTime();
        double before = game.reduceSeconds();
        List<StackelbergModel> models = work.get();
        double left = (System.nanoTime() - start) * 1e-9 - (game.reduceSeconds() - before);
        for (StackelbergModel model : models) {
            StackelbergModel.Phases seconds = model.solver().seconds();
            left -= seconds.recover() + (model == models.get(0) ? seconds.solve() + seconds.certify() : 0);
        }
        double judge = Math.max(0, left);
        return models.stream().map(model -> model.withJudgeSeconds(judge)).toList();
    }

    /**
     * The models of solutions.
     *
     * @param looking whether to warn of people who would end outside the range of the data
     */
    private List<StackelbergModel> models(Solution.Run run, boolean looking, List<Message> warned) {
        List<LinearRule> rules = run.solutions().stream().map(Solution::rule).toList();
        Sample.RangeCounter leaving = looking ? leaving(run.first()) : null;
        RuleLosses losses = new RuleLosses(plain(), rules, known.naive(), leaving, workers());
        if (rules.size() == 1 && Moments.parts(plain().x().rows(), plain().x().cols()) > 1) {
            predicted = new Predicted(run.first().result().r(), run.first().gamma(), losses.predictions());
        }
        List<StackelbergModel> models = new ArrayList<>();
        for (int k = 0; k < rules.size(); k++) {
            Solution solution = run.solutions().get(k);
            var seconds = new StackelbergModel.Phases(
                    0,
                    sampleSeconds + game.reduceSeconds(),
                    run.solveSeconds(),
                    run.certifySeconds(),
                    solution.recoverSeconds());
            PredictionGame played = game.played(solution.gamma());
            var background = new StackelbergModel.Background(
                    StackelbergModel.SolverRecord.of(run.solver(), solution.result(), seconds),
                    losses.of(k, played, solution.loss()),
                    provenance(),
                    warned);
            StackelbergModel model = model(solution, played, background);
            models.add(looking ? withOutOfRange(model, leaving) : model);
        }
        return models;
    }

    /** Counts who leaves the range of the data in the read that finds the losses; null where that is another read, or none. */
    private Sample.@Nullable RangeCounter leaving(Solution solution) {
        return solution.gamma() == declared.gamma()
                        && solution.certificate().finite()
                        && solution.rule().isFinite()
                ? sample().rangeCounter(StackelbergModel.published("this rule", solution.rule(), sample.world()))
                        .orElse(null)
                : null;
    }

    private StackelbergModel withOutOfRange(StackelbergModel model, Sample.@Nullable RangeCounter leaving) {
        if (!model.optimality().finite()) {
            return model;
        }
        int out = leaving != null
                ? leaving.count()
                : people(model).outOfRange(model.rule(), workers()).orElse(0);
        return sample.outOfRangeWarning(out, false).map(model::withWarning).orElse(model);
    }

    private StackelbergModel.Provenance provenance() {
        return new StackelbergModel.Provenance(
                sample().source().orElse(null),
                sample.size(),
                sample.dropped(),
                new StackelbergModel.Prepared(sample.filled(), sample.notations()),
                provenanceOf(declared, options.tolerance()),
                Version.current(),
                options.seed());
    }

    private StackelbergModel model(Solution solution, PredictionGame played, StackelbergModel.Background background) {
        boolean finite = solution.certificate().finite();
        double pullThrough = finite
                ? played.pullThrough(solution.rule(), workers())
                : played.withBounds(null).pullThrough(Double.POSITIVE_INFINITY);
        World today = today().map(sample().world()::withToday).orElse(sample.world());
        World world = solution.gamma() == declared.gamma()
                ? today
                : solution.detail(Solution.Between.class).isPresent()
                        ? today.atWorst(solution.gamma())
                        : today.at(solution.gamma());
        return StackelbergModel.of(world, solution, pullThrough, options.tolerance(), background);
    }

    /** What a model's rule would become with a hedge, for a suggestion; empty where it would take long, change nothing, or not go with the game. */
    public Optional<Solution.Hedged.Point> hedged(double hedge, StackelbergModel model) {
        return model.optimality().finite()
                ? objective
                        .hedged(game, solving(), model.gamma(), hedge)
                        .filter(point -> point.honest() < model.losses().honest())
                : Optional.empty();
    }

    /** The best rule if nobody moves, with the game's ridge. */
    LinearRule bestHonest() {
        return game.bestHonest(plain().ridge());
    }

    /**
     * How the loss H of the best rule if nobody moves, w = argmin H + mu ||w||^2, changes with the weight of each row.
     *
     * <p>Squared loss with a ridge, where the rule does not minimise H itself: e_i^2 - 2 mu (e_i p_i' + (mu/W) (||w||^2)'/2), e the residuals, p the scores, W the sum of weights, and ' the derivative by mu.
     */
    private double[] bestHonestSlopes() {
        double mu = plain().ridge();
        double[] slopes = plain().predict(bestHonest(), workers());
        Arrays.setAll(slopes, i -> slopes[i] - plain().y(i));
        double step = STEP * mu;
        LinearRule more = game.bestHonest(mu + step);
        LinearRule less = game.bestHonest(mu - step);
        double[] up = plain().predict(more, workers());
        double[] down = plain().predict(less, workers());
        double size = (more.omega(plain().costs()) - less.omega(plain().costs())) / (4 * step);
        double shrinking = mu / plain().totalWeight() * size;
        Arrays.setAll(
                slopes, i -> slopes[i] * slopes[i] - 2 * mu * (slopes[i] * (up[i] - down[i]) / (2 * step) + shrinking));
        return slopes;
    }

    /** The best rule after the move and, as its reference, the best one if nobody moves. */
    Program.Hedged references(double gamma) {
        return objective.references(game, solving(), gamma);
    }

    /**
     * How the loss that a hedge is measured from changes with the weight of each row; today's rule is taken to have the least such loss.
     *
     * @param honest the best rule if nobody moves
     */
    double[] hedgeSlopes(LinearRule honest) {
        if (declared.hedgeOf() == GameSpec.HedgeOf.BEST && plain().ridge() > 0) {
            return bestHonestSlopes();
        }
        double[] slopes = declared.hedgeOf() == GameSpec.HedgeOf.BEST
                ? plain().predict(honest, workers())
                : known.naive().predictions().clone();
        Arrays.setAll(slopes, i -> plain().loss().value(slopes[i], plain().y(i)));
        return slopes;
    }

    /** A rule of the game's own columns, in its units. */
    public LinearRule encoded(PublishedRule published) {
        return known.encoded(published);
    }

    /** The gamma that is declared, as a number. */
    public double gamma() {
        return declared.gamma();
    }

    /** The gamma at which people who face today's rule close this share of the gap to their wish. */
    public double gammaOf(double share) {
        return sample.world().gammaOf(known.inForce(), share);
    }

    /** Today's rule; empty where it was neither given nor needed and the data are too large to learn it for comparison. */
    public Optional<Today> today() {
        return known.today();
    }

    /** What today's rule predicts; empty where it is not known. The array is shared, not copied. */
    public Optional<double[]> todaysScores() {
        return Optional.ofNullable(known.naive()).map(RuleLosses.Naive::predictions);
    }

    /** The optimisation problem of the declared gamma, for those who want to solve it elsewhere. */
    public SphereProblem problem() {
        return objective.sphereProblem(game);
    }

    /** What a user should know about the data, whatever gamma is. */
    private List<Message> warnings() {
        if (warnings == null) {
            Encoding encoding = sample.world().encoding();
            Set<String> columns =
                    encoding.features().stream().map(Encoding.Feature::column).collect(Collectors.toSet());
            boolean constantToo = declared.intercept() != GameSpec.Intercept.NONE;
            List<Message> all = new ArrayList<>(sample().warnings());
            sample.filledInWords().ifPresent(text -> all.add(Message.plain("values-filled-in", text)));
            Supplier<DenseMatrix> formed = () -> isFormed(encoding.names().size())
                    ? game.reduction().family().gram()
                    : null;
            List<Collinearity.Dependence> collinear =
                    Collinearity.of(plain(), encoding.names(), constantToo, formed, workers());
            all.addAll(Collinearity.warnings(collinear, columns));
            Set<String> told = new HashSet<>(encoding.constantColumns());
            collinear.forEach(dependence -> told.add(dependence.name()));
            if (declared.loss().isSquared()) {
                int manipulable = sample.world().manipulable();
                List<String> names = encoding.names();
                game.reduction()
                        .dependenceWarning(names.subList(Math.min(manipulable, names.size()), names.size()), told)
                        .ifPresent(text -> all.add(Message.plain("nearly-dependent", text)));
            }
            warnings = List.copyOf(all);
        }
        return warnings;
    }

    /** Whether the products of the problem on the sphere are those of all columns, where everybody counts the same. */
    private boolean isFormed(int features) {
        return declared.loss().isSquared()
                && declared.weight() == null
                && plain().x() instanceof DenseMatrix
                && plain().x().cols() == features;
    }

    /** The choices that shaped the answer, in words. */
    public static Map<String, String> provenanceOf(GameSpec spec, double tolerance) {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("wish", String.valueOf(spec.wish()));
        spec.gammaShare().ifPresent(share -> map.put("gammaShare", String.valueOf(share)));
        GameSpec.Between between = spec.between();
        if (between != null) {
            boolean shares = between.leastShare() != null;
            map.put(
                    shares ? "gammaSharesBetween" : "gammaBetween",
                    (shares ? between.leastShare() : between.low()) + ","
                            + (shares ? between.mostShare() : between.high()));
            map.put("regret", String.valueOf(between.regret()));
        }
        if (spec.today().kind() != Today.Kind.LEARNED) {
            map.put("today", word(spec.today().kind()).replace('_', '-'));
        }
        if (!spec.loss().isSquared()) {
            map.put("loss", spec.loss().inWords());
        }
        if (spec.loss().isLogistic()) {
            map.put("wishUnits", word(spec.wishUnits()));
            map.put("yes", spec.answers().inWords());
        }
        map.put("scale", word(spec.scaling()));
        map.put("intercept", word(spec.intercept()));
        map.put("missing", word(spec.missing()));
        map.put("costUnits", word(spec.costUnits()));
        if (spec.isHedged()) {
            map.put("hedge", String.valueOf(spec.hedge()));
        }
        if (spec.ridge() > 0) {
            map.put("ridge", String.valueOf(spec.ridge()));
        }
        if (spec.truthfulShare() > 0) {
            map.put("truthfulShare", String.valueOf(spec.truthfulShare()));
        }
        if (spec.rowGamma() != null) {
            map.put("rowGamma", spec.rowGamma());
        }
        if (spec.group() != null) {
            map.put("group", spec.group());
        }
        if (spec.id() != null) {
            map.put("id", spec.id());
        }
        if (spec.features() != null) {
            map.put("features", String.join(",", spec.features()));
        }
        if (!spec.ignore().isEmpty()) {
            map.put("ignore", String.join(",", spec.ignore()));
        }
        Set<String> immutable = spec.immutable();
        map.put("immutable", immutable == null ? "categorical columns" : String.join(",", immutable));
        spec.costs().forEach((column, cost) -> map.put("cost " + column, String.valueOf(cost)));
        spec.effects().forEach((column, effect) -> map.put("effect " + column, String.valueOf(effect)));
        if (!spec.limits().inWords().isEmpty()) {
            map.put("limits", String.join(", ", spec.limits().inWords()));
        }
        if (spec.limits().oneSided() != null) {
            map.put("oneSided", word(spec.limits().oneSided()));
        }
        map.put("tolerance", String.valueOf(tolerance));
        return map;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
