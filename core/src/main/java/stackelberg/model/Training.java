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

/**
 * A declared game with its training data: encoded and reduced once, for all questions that are then asked about them.
 * Not safe for use by several threads at once.
 *
 * <p>Copies with other settings ({@link #withOptions}, {@link #withHedge}, {@link #withGamma}) share the data and everything that
 * was computed from them.
 */
public final class Training {
    /** The largest size of the smaller side of X for which today's rule is learned merely for comparison. */
    public static final int NAIVE_SIDE = 1500;

    /** The relative step in the ridge for a numerical derivative; its relative error is the square of this. */
    private static final double STEP = 1e-4;

    private final GameSpec declared;
    /**
     * The declared game in the form from which a sample can be made of other rows: with wishes given as numbers, its
     * wish is a column.
     */
    private final GameSpec asked;

    private final FitOptions options;
    private final Objective objective;
    /** The sample; the means of a block's columns are known only after the reduction. */
    private Sample sample;

    /** The reduced game, shared with all copies. */
    private final PreparedGame game;

    private SampleSource known;
    private final List<Message> notes;
    /** The seconds that encoding took. */
    private final double sampleSeconds;

    private @Nullable List<Message> warnings;
    /** The predictions of the latest rule on large data; null if they are not cached. */
    private @Nullable Predicted predicted;

    /**
     * @param sampleSeconds the seconds that making the sample took
     */
    Training(GameSpec declared, FitOptions options, Sample sample, double sampleSeconds) {
        this(declared, declared, options, sample, List.of(), sampleSeconds);
    }

    /**
     * @param asked the declared game in the form from which a sample can be made of other rows
     * @param notes notes for all models
     */
    Training(
            GameSpec declared,
            GameSpec asked,
            FitOptions options,
            Sample sample,
            List<Message> notes,
            double sampleSeconds) {
        this.notes = notes;
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

    /** Makes a copy with other settings that shares the data and everything computed from them. */
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
        this.notes = from.notes;
    }

    /** The predictions of the rule that belongs to a point. */
    private record Predicted(double[] r, double gamma, double[] scores) {}

    /**
     * Returns the cached predictions, up to rounding, of the rule of a model that was just fitted to many rows. The
     * array is shared, not copied.
     */
    public Optional<double[]> predictions(StackelbergModel model) {
        return Optional.ofNullable(predicted)
                .filter(known -> known.gamma == model.gamma() && Arrays.equals(known.r, model.r()))
                .map(Predicted::scores);
    }

    /** Returns a copy with other options, sharing cached results. */
    public Training withOptions(FitOptions others) {
        return new Training(this, declared, asked, others, game);
    }

    /** Returns a copy with another hedge, sharing cached results. */
    public Training withHedge(Hedge hedge) {
        return declaredAs(spec -> spec.toBuilder().hedge(hedge).build());
    }

    /** Returns a copy with the given gamma and the same hedge, sharing cached results. */
    public Training withGamma(double gamma) {
        return declaredAs(
                spec -> spec.toBuilder().gamma(gamma).hedge(spec.hedge()).build());
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

    /** Returns the game at a gamma, with its population and its limits. */
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

    /**
     * Returns the declared game on a subset of the rows: scales, today's rule, gamma declared as a share and the wish
     * are recomputed from them alone.
     */
    public Training subset(int[] rows) {
        GameSpec.Builder game = learning();
        if (!sample.isBlock()) {
            // whether a column is a feature is decided by all rows, since a subset may look different
            game.features(sample.world().encoding().features().stream()
                    .map(Encoding.Feature::column)
                    .toList());
        }
        return new StackelbergRegression(game.build(), options)
                .training(sample.rows().select(rows));
    }

    /**
     * Returns the same on a resample, but with the scales of all rows: costs are part of the assumptions and are not
     * resampled.
     */
    Training drawn(int[] people) {
        World world = sample.world();
        GameSpec game = learning().build();
        Sample drawn = Sample.ofModel(
                new World(game, world.encoding(), world.costs()), sample.rows().select(people), workers());
        return new Training(drawn.spec().toBuilder().wish(game.wish()).build(), options, drawn, 0);
    }

    /** Returns a builder of the declared game in which everything that is learned from rows is still to be learned. */
    private GameSpec.Builder learning() {
        GameSpec.Builder game = asked.toBuilder().today(asked.today().toBeRefitted());
        asked.gammaShare().ifPresent(game::gammaShare);
        GameSpec.Between between = asked.between();
        if (between != null && between.leastShare() != null) {
            game.gammaSharesBetween(between.leastShare(), between.mostShare());
        }
        return game;
    }

    /** Returns the wishes of the rows by a wish rule. */
    Sample.Wished wished(String rule) {
        return sample.wished(rule, workers());
    }

    /**
     * Returns the model at the declared gamma, with standard errors and a warning if moves end outside the range of the
     * data.
     */
    public StackelbergModel fit() {
        return timed(() -> List.of(withStandardErrors(withSuggestedRidge(solved(true)))))
                .get(0);
    }

    /** Returns the model at the declared gamma without standard errors and without that warning. */
    public StackelbergModel answer() {
        return timed(() -> List.of(solved(false))).get(0);
    }

    private StackelbergModel solved(boolean looking) {
        Workers.throwIfInterrupted();
        return models(objective.solve(game, solving()), looking, warnings()).get(0);
    }

    /** Returns the sample in the model's world; for a range of gamma, at its worst gamma. */
    public Sample people(StackelbergModel model) {
        return declared.between() == null ? sample() : sample().declaredAs(model.game());
    }

    /**
     * Returns the loss after the move of a rule in the units of the data, for each of the given gammas, without the
     * ridge.
     */
    public double[] losses(PublishedRule rule, double... gammas) {
        LinearRule encoded = encoded(rule);
        return Arrays.stream(gammas)
                .map(gamma -> plain().withGamma(gamma).leaderLoss(encoded, workers()))
                .toArray();
    }

    /** Returns the model with standard errors, by the method of the options. */
    public StackelbergModel withStandardErrors(StackelbergModel model) {
        var errors = new SamplingErrors(this, game.withPopulation(model.gamma()), model);
        StackelbergModel sure = model.withStandardErrors(errors.find());
        return errors.rival(sure).map(sure::withWarning).orElse(sure);
    }

    /**
     * Returns the rule of the point reflected along the smallest eigenvector of H: two nearly equally good points are
     * each other's reflection.
     */
    LinearRule reflected(double[] r, double gamma) {
        Reduction reduced = game.reduction(gamma);
        double[] smallest = SymmetricEigen.of(reduced.family().at(gamma).hessian(), workers())
                .vectors()
                .column(0);
        double[] other = r.clone();
        Vectors.axpy(-2 * Vectors.dot(smallest, r), smallest, other);
        return reduced.recover(other, gamma);
    }

    /**
     * Returns the model with a warning that names the ridge with the smallest generalised cross-validation error, if
     * the data can be fitted almost exactly and the ridge costs almost nothing to find.
     */
    private StackelbergModel withSuggestedRidge(StackelbergModel model) {
        int degrees = sample.size()
                - plain().immutable().length
                - (declared.intercept() == GameSpec.Intercept.IMMUTABLE ? 1 : 0);
        OptionalDouble ridge = objective.suggestedRidge(game, model.gamma(), degrees);
        return ridge.isEmpty()
                ? model
                : model.withWarning(Message.of(
                        "ridge-suggested",
                        "Generalised cross-validation suggests that the loss on new people is smallest with {}; tune would find about the same.",
                        Message.Choice.number("ridge", ridge.getAsDouble())));
    }

    /**
     * Returns a solution for a stored model, certified again from the data: at its point r, or from its rule if no
     * point determines the rule.
     */
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
     * Returns the model of a solution.
     *
     * @param looked whether to check the data for warnings
     */
    StackelbergModel model(Solution solution, boolean looked) {
        StackelbergModel model = models(
                        new Solution.Run(List.of(solution), "", 0, 0), looked, looked ? warnings() : List.of())
                .get(0);
        return withStandardErrors(model);
    }

    /**
     * Returns a copy with all sample weights multiplied by a factor; this multiplies the losses and otherwise changes
     * only rounding errors.
     */
    Training withWeightFactor(double factor) {
        double[] weights = Arrays.stream(plain().weights()).map(w -> w * factor).toArray();
        PredictionGame weighed = plain().withWeights(weights).withRidge(factor * plain().ridge());
        SampleSource source = known.withWeightsOf(weighed);
        Training other = new Training(this, declared, asked, options, game.with(weighed, source));
        other.known = source;
        return other;
    }

    /** Returns one model per gamma; the certificates come from one pass over the data. */
    public List<StackelbergModel> path(double... gammas) {
        return timed(() -> {
            Workers.throwIfInterrupted();
            return models(objective.path(game, solving(), gammas), false, warnings());
        });
    }

    /**
     * Returns the same models with the time spent outside the other phases recorded as that of computing losses,
     * warnings and standard errors.
     */
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
     * Returns the models of solutions.
     *
     * @param looking whether to warn of moves that end outside the range of the data
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
                    warned,
                    notes,
                    null);
            StackelbergModel model = model(solution, played, background);
            models.add(looking ? withOutOfRange(model, leaving) : model);
        }
        return models;
    }

    /**
     * Returns a counter of moves out of range that runs in the pass which computes the losses; null if that takes a
     * pass of its own or is not needed.
     */
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
                StackelbergModel.libraryVersion(),
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

    /** Returns the best rule before any move, with the game's ridge. */
    LinearRule bestHonest() {
        return game.bestHonest(plain().ridge());
    }

    /**
     * Returns the derivatives by the weight of each row of the loss H, before any move, of the rule w = argmin H + mu
     * ||w||^2.
     *
     * <p>For squared loss with a ridge, where the rule does not minimise H itself, they are e_i^2 - 2 mu (e_i p_i' +
     * (mu/W) (||w||^2)'/2), where e are the residuals, p the scores, W is the sum of the weights, and ' is the
     * derivative by mu.
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

    /** Returns the best rule after the move and, as its reference, the best rule before any move. */
    Program.Hedged references(double gamma) {
        return objective.references(game, solving(), gamma);
    }

    /**
     * Returns the derivatives by the weight of each row of the loss from which a hedge is measured; today's rule is
     * taken to minimise that loss.
     *
     * @param honest the best rule before any move
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

    /** Returns a rule over the game's own columns in its units. */
    public LinearRule encoded(PublishedRule published) {
        return known.encoded(published);
    }

    /** Returns the declared gamma as a number. */
    public double gamma() {
        return declared.gamma();
    }

    /** Returns the gamma at which followers close this share of the gap under today's rule. */
    public double gammaOf(double share) {
        return sample.world().gammaOf(known.inForce(), share);
    }

    /**
     * Returns today's rule; empty if it was neither given nor needed and would take long to learn merely for
     * comparison.
     */
    public Optional<Today> today() {
        return known.today();
    }

    /** Returns the predictions of today's rule; empty if it is not known. The array is shared, not copied. */
    public Optional<double[]> todaysScores() {
        return Optional.ofNullable(known.naive()).map(RuleLosses.Naive::predictions);
    }

    /** Returns the problem on the sphere at the declared gamma, for use with other solvers. */
    public SphereProblem problem() {
        return objective.sphereProblem(game);
    }

    /** Returns the warnings about the data that do not depend on gamma. */
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
            Set<String> reported = new HashSet<>(encoding.constantColumns());
            collinear.forEach(dependence -> reported.add(dependence.name()));
            if (declared.loss().isSquared()) {
                int manipulable = sample.world().manipulable();
                List<String> names = encoding.names();
                game.reduction()
                        .dependenceWarning(names.subList(Math.min(manipulable, names.size()), names.size()), reported)
                        .ifPresent(text -> all.add(Message.plain("nearly-dependent", text)));
            }
            warnings = List.copyOf(all);
        }
        return warnings;
    }

    /** Returns whether the products of the reduced problem are those of all columns with equal weights. */
    private boolean isFormed(int features) {
        return declared.loss().isSquared()
                && declared.weight() == null
                && plain().x() instanceof DenseMatrix
                && plain().x().cols() == features;
    }

    /** Returns the options that affect the answer, as text. */
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
