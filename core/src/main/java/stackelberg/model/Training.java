package stackelberg.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.LinearRule;
import stackelberg.game.Moments;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.limited.LimitedSearch;
import stackelberg.solver.mixed.HedgedSolution;
import stackelberg.solver.mixed.RangeSolution;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** A declared game and the people it is learned from, encoded and reduced once, whatever is then asked of them; not for several threads at once. */
public final class Training {
    /** Today's rule is learned for comparison alone while the smaller side of X is at most this. */
    public static final int NAIVE_SIDE = 1500;

    /** What is tried where a ridge is suggested: a number that is easily typed tells enough. */
    private static final double[] RIDGES = {
        0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100
    };

    /** A hedge, or a rule for an interval of gammas, is found while the smaller side of X is at most this. */
    private static final int HEDGE_SIDE = 5000;

    /** What a hedge would give is found unasked where that takes no longer than the fit. */
    private static final int CHEAP_SIDE = 60;

    private static final long CHEAP_SIZE = 1_000_000;

    private final GameSpec declared;
    /** The same in words that make a sample of the rows again: its wish is a column where wishes were given as numbers. */
    private final GameSpec asked;

    private final FitOptions options;
    /** Knows of a block's columns what values they take once that is reduced. */
    private Sample sample;

    /** Without limits, and if all responded alike: what is reduced and proven. */
    private final PredictionGame game;
    /** How far moves go; null where they know no bounds. */
    private final Response.Bounds bounds;

    private final Workers workers;
    /** What encoding and reducing the data took. */
    private double assembleSeconds;

    private DirectSolver direct;
    private Reduction reduction;
    private LinearRule leastHonest;
    private Today today;
    private RuleLosses.Naive naive;
    private List<String> warnings;
    /** What the only rule of many people predicts them; null where it is not kept. */
    private Predicted predicted;

    /** @param sampleSeconds what it took to make the sample */
    Training(GameSpec declared, FitOptions options, Sample sample, double sampleSeconds) {
        this(declared, declared, options, sample, sampleSeconds);
    }

    /** @param asked what was declared, in words that make a sample of the rows again */
    Training(GameSpec declared, GameSpec asked, FitOptions options, Sample sample, double sampleSeconds) {
        this(declared, asked, options, sample, sample.ordinary(), sampleSeconds);
    }

    private Training(
            GameSpec declared,
            GameSpec asked,
            FitOptions options,
            Sample sample,
            PredictionGame game,
            double sampleSeconds) {
        this.declared = declared;
        this.asked = asked;
        this.options = options;
        this.sample = sample;
        this.game = game.withBounds(null);
        this.bounds =
                sample.world().bounds().map(all -> all.first(game.x().cols())).orElse(null);
        this.workers = options.workers();
        this.direct = DirectSolver.remembering(workers);
        this.assembleSeconds = sampleSeconds;
    }

    /** What the rule of a point predicts everybody. */
    private record Predicted(double[] r, double gamma, double[] scores) {}

    /** What the rule of a model that was just fitted predicts everybody, to rounding, where it is known: of many people; nobody writes to it. */
    public Optional<double[]> predictions(StackelbergModel model) {
        return Optional.ofNullable(predicted)
                .filter(known -> known.gamma == model.gamma() && Arrays.equals(known.r, model.r()))
                .map(Predicted::scores);
    }

    /** The same people and what is known of them, by other options. */
    public Training by(FitOptions others) {
        Training other = new Training(declared, asked, others, sample, game, assembleSeconds);
        return knowingAsMuch(other);
    }

    /** The same people and what is known of them, with a hedge; null for none. */
    public Training hedging(Double hedge) {
        GameSpec spec = declared.toBuilder().hedge(hedge).build();
        GameSpec frozen = sample.spec().toBuilder().hedge(hedge).build();
        GameSpec again = asked.toBuilder().hedge(hedge).build();
        Training other = new Training(spec, again, options, sample.declaredAs(frozen), game, assembleSeconds);
        return knowingAsMuch(other);
    }

    private Training knowingAsMuch(Training other) {
        other.reduction = reduction;
        other.direct = direct;
        other.leastHonest = leastHonest;
        other.today = today;
        other.naive = naive;
        other.warnings = warnings;
        return other;
    }

    public Sample sample() {
        return sample;
    }

    public FitOptions options() {
        return options;
    }

    Workers workers() {
        return workers;
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
        Sample drawn = Sample.again(
                new World(game, world.encoding(), world.costs()), sample.rows().select(people), workers);
        return new Training(drawn.spec().toBuilder().wish(game.wish()).build(), options, drawn, 0);
    }

    /** What was declared, with what people teach still to be learned. */
    private GameSpec.Builder learning() {
        GameSpec.Builder game = asked.toBuilder().today(asked.today().anew());
        asked.gammaShare().ifPresent(game::gammaShare);
        GameSpec.Between between = asked.between();
        if (between != null && between.leastShare() != null) {
            game.gammaSharesBetween(between.leastShare(), between.mostShare());
        }
        return game;
    }

    /** What the people wish by a rule, in words. */
    Sample.Wished wished(String rule) {
        return sample.wished(rule, workers);
    }

    /** The model at the gamma that is declared, with its standard errors and a warning if people who respond to it would end where nobody was seen. */
    public StackelbergModel fit() {
        return timed(() -> List.of(judged())).get(0);
    }

    private StackelbergModel judged() {
        boolean together = declared.between() == null
                && bounds == null
                && !declared.mixed()
                && declared.loss().isSquared();
        StackelbergModel model = together ? commonPath(true, declared.gamma()).get(0) : withOutOfRange(answer());
        return withStandardErrors(declared.between() == null ? withSuggestedRidge(model) : model);
    }

    /** The same without a look at where people would end. */
    public StackelbergModel answer() {
        return declared.between() == null ? path(declared.gamma()).get(0) : between();
    }

    /** The people as a model sees them: at the worst of the gammas that are possible. */
    public Sample people(StackelbergModel model) {
        return declared.between() == null ? sample : sample.declaredAs(model.game());
    }

    /** The model whose worst loss, or regret, over all gammas between two is least. */
    private StackelbergModel between() {
        Workers.throwIfInterrupted();
        GameSpec.Between range = declared.between();
        Reduction reduced = reduction(range.low(), range.high());
        requireDecomposed("A gamma that lies between two", "gammaBetween(...)");
        Pipeline pipeline = options.pipeline(direct);
        Pipeline.Run ends = pipeline.run(reduced, range.low(), range.high());
        Pipeline.Solution low = ends.solutions().get(0);
        Pipeline.Solution high = ends.solutions().get(1);
        Pipeline.Run run = pipeline.between(between(low, high), low, high);
        Pipeline.Solution solution = run.solutions().get(0);
        var seconds = new StackelbergModel.Phases(
                0, assembleSeconds, ends.solveSeconds() + run.solveSeconds(), ends.certifySeconds(), 0);
        StackelbergModel.Losses losses = new RuleLosses(game, List.of(solution.rule()), naive(), workers)
                .of(0, solution.gamma(), solution.loss());
        return model(solution, pipeline.solver().name(), seconds, losses, warnings());
    }

    private RangeSolution.Problem between(Pipeline.Solution low, Pipeline.Solution high) {
        return new RangeSolution.Problem(
                game, reduction(), end(low), end(high), declared.between().regret(), direct);
    }

    private static RangeSolution.End end(Pipeline.Solution solution) {
        return new RangeSolution.End(solution.gamma(), solution.rule(), solution.certificate());
    }

    /** The same people if their gamma were known to be this one. */
    public Training knowing(double gamma) {
        Training other = new Training(
                declared.toBuilder().gamma(gamma).build(),
                asked.toBuilder().gamma(gamma).build(),
                options,
                sample.declaredAs(sample.spec().toBuilder().gamma(gamma).build()),
                game,
                assembleSeconds);
        return knowingAsMuch(other);
    }

    /** What a rule in the units of the data loses after the move, for each of these gammas, without what a ridge adds. */
    public double[] losses(PublishedRule rule, double... gammas) {
        LinearRule encoded = encoded(rule);
        return Arrays.stream(gammas)
                .map(gamma -> game.withGamma(gamma).leaderLoss(encoded, workers))
                .toArray();
    }

    /** The same model with how sure it is, by the method of the options. */
    public StackelbergModel withStandardErrors(StackelbergModel model) {
        var errors = new SamplingErrors(this, played(sample, game, model.gamma()), model);
        StackelbergModel sure = model.withStandardErrors(errors.find());
        return errors.rival(sure).map(sure::withWarning).orElse(sure);
    }

    /** The rule on the other side of the smallest eigenvector of H: where two are nearly as good, they are each other's reflection. */
    LinearRule reflected(double[] r, double gamma) {
        Reduction reduced = reduction(gamma);
        double[] smallest = SymmetricEigen.of(reduced.family().at(gamma).hessian(), workers)
                .vectors()
                .column(0);
        double[] other = r.clone();
        Vectors.axpy(-2 * Vectors.dot(smallest, r), smallest, other);
        return reduced.recover(other, gamma);
    }

    /**
     * Where a rule fits all people whatever they hold: the ridge that {@link DirectSolver#leastExpected} prefers, if the decomposition it takes is at hand.
     *
     * <p>It costs next to nothing where the data are decomposed anyway.
     */
    private StackelbergModel withSuggestedRidge(StackelbergModel model) {
        int people = sample.size()
                - game.immutable().length
                - (declared.intercept() == GameSpec.Intercept.IMMUTABLE ? 1 : 0);
        boolean wide = game.x().cols() > people && people > 1;
        if (!wide
                || !declared.loss().isSquared()
                || bounds != null
                || declared.mixed()
                || declared.ridge() > 0
                || isLarge()) {
            return model;
        }
        SphereFamily family = reduction().family();
        double weight = game.totalWeight();
        List<SphereProblem> problems = Arrays.stream(RIDGES)
                .mapToObj(ridge -> family.withRidge(ridge * weight).at(declared.gamma()))
                .toList();
        OptionalInt best = direct.leastExpected(problems, people);
        return best.isEmpty() || RIDGES[best.getAsInt()] == 0
                ? model
                : model.withWarning(
                        "By generalised cross-validation, which is what tune finds give or take, people not seen would lose least with"
                                + " ridge(" + RIDGES[best.getAsInt()] + ").");
    }

    /** A model as the solution that it is: its point r, and under limits its rule too; for people who differ a search proves the point to the tolerance. */
    Pipeline.Solution at(StackelbergModel model, double tolerance) {
        Pipeline.Solution free = freeAt(model, tolerance);
        Workers.throwIfInterrupted();
        if (bounds == null) {
            return ofRule(free);
        }
        LinearRule stored = Verification.storedRule(
                model, sample.world().encoding().columns(), game.x().cols());
        int starts = model.limited().map(StackelbergModel.Limited::starts).orElse(0);
        return Pipeline.limitedAgain(played(sample, bounded(), free.gamma()), stored, free, starts, workers);
    }

    /** The same without limits. */
    private Pipeline.Solution freeAt(StackelbergModel model, double tolerance) {
        double[] r = model.r();
        if (!declared.loss().isSquared()) {
            LinearRule stored = Verification.storedRule(
                    model, sample.world().encoding().columns(), game.x().cols());
            return Pipeline.convexAgain(game.withGamma(declared.gamma()), stored, r, workers);
        }
        if (declared.hedge() != null) {
            double share = model.hedged().map(Pipeline.Hedged::share).orElse(0.0);
            Reduction reduced = reduction(declared.gamma());
            Pipeline.Solution pure = share == 0
                    ? Pipeline.again(reduced, r, declared.gamma(), options.tolerance())
                    : options.pipeline(direct)
                            .run(reduced, declared.gamma())
                            .solutions()
                            .get(0);
            return Pipeline.hedgeAgain(hedging(pure), r, share, tolerance);
        }
        if (declared.between() != null) {
            GameSpec.Between range = declared.between();
            requireDecomposed("A gamma that lies between two", "gammaBetween(...)");
            List<Pipeline.Solution> ends = options.pipeline(direct)
                    .run(reduction(range.low(), range.high()), range.low(), range.high())
                    .solutions();
            double weight = model.between().map(Pipeline.Between::weight).orElse(0.5);
            Pipeline.Solution low = ends.get(0);
            Pipeline.Solution high = ends.get(1);
            return Pipeline.betweenAgain(between(low, high), low, high, r, model.gamma(), weight, tolerance);
        }
        if (!declared.mixed()) {
            return Pipeline.again(reduction(declared.gamma()), r, declared.gamma(), options.tolerance());
        }
        Reduction ordinary = reduction(extremes(sample, declared.gamma()));
        PredictionGame mixed = played(sample, game, declared.gamma());
        double gamma = mixed.population().typicalGamma();
        return Pipeline.searchAgain(mixed, ordinary, r, gamma, tolerance, workers);
    }

    /**
     * The model that {@link #fit} makes of a solution.
     *
     * @param looked whether the data are looked at for what a user should know of them
     */
    StackelbergModel model(Pipeline.Solution solution, boolean looked) {
        double gamma = solution.gamma();
        StackelbergModel.Losses losses =
                declared.mixed() || bounds != null || !declared.loss().isSquared()
                        ? lossesAmong(played(sample, bounded(), gamma), solution)
                        : new RuleLosses(game, List.of(solution.rule()), naive(), workers)
                                .of(0, gamma, solution.loss());
        var seconds = new StackelbergModel.Phases(0, 0, 0, 0, 0);
        StackelbergModel model = model(solution, "", seconds, losses, looked ? warnings() : List.of());
        return withStandardErrors(looked ? withOutOfRange(model) : model);
    }

    /** The same people, of whom each counts so many times as much: nothing changes but the losses, by that factor, and the rounding. */
    Training weighing(double factor) {
        double[] weights = Arrays.stream(game.weights()).map(w -> w * factor).toArray();
        PredictionGame weighed = game.withWeights(weights).withRidge(factor * game.ridge());
        return new Training(declared, asked, options, sample, weighed, assembleSeconds);
    }

    private StackelbergModel withOutOfRange(StackelbergModel model) {
        if (!model.optimality().finite() || declared.mixed()) {
            return model;
        }
        int out = people(model).outOfRange(model.rule(), workers).orElse(0);
        return withOutOfRange(model, out);
    }

    private StackelbergModel withOutOfRange(StackelbergModel model, int out) {
        return sample.outOfRangeWarning(out, false).map(model::withWarning).orElse(model);
    }

    /** One model per gamma; the certificates of all come from one pass over the data. */
    public List<StackelbergModel> path(double... gammas) {
        return timed(() -> found(gammas));
    }

    /** The same models, each knowing what took the time that no other phase of theirs has: what is told of them. */
    private List<StackelbergModel> timed(Supplier<List<StackelbergModel>> work) {
        long start = System.nanoTime();
        double before = assembleSeconds;
        List<StackelbergModel> models = work.get();
        double left = (System.nanoTime() - start) * 1e-9 - (assembleSeconds - before);
        for (StackelbergModel model : models) {
            StackelbergModel.Phases seconds = model.solver().seconds();
            left -= seconds.recover() + (model == models.get(0) ? seconds.solve() + seconds.certify() : 0);
        }
        double judge = Math.max(0, left);
        return models.stream().map(model -> model.withJudgeSeconds(judge)).toList();
    }

    private List<StackelbergModel> found(double... gammas) {
        Workers.throwIfInterrupted();
        if (declared.between() != null) {
            throw new IllegalArgumentException(
                    "gamma lies between two (gammaBetween(...)), for which there is one rule, and"
                            + " not one for each gamma.\nMaybe fit that one, or say which gamma it is with gamma(...).");
        }
        return !declared.loss().isSquared()
                ? convexPath(gammas)
                : declared.mixed() ? mixedPath(gammas) : commonPath(false, gammas);
    }

    /** The most that a rule may lose if nobody moves: that of today's rule, whose root mean square may grow by the hedge. */
    private double hedgeBound(double hedge) {
        return (1 + hedge) * (1 + hedge) * todaysHonestLoss();
    }

    /** What today's rule loses if nobody moves. */
    private double todaysHonestLoss() {
        inForce();
        return game.squaredLoss(naive().predictions());
    }

    /** The rule that is best if nobody moves. */
    private LinearRule leastHonest() {
        requireDecomposed("A hedge", "hedge(...)");
        if (leastHonest == null) {
            leastHonest = reduction().naiveRule(direct.leastSquares(reduction().family()));
        }
        return leastHonest;
    }

    private void requireDecomposed(String what, String setting) {
        int side = Math.min(game.x().rows(), game.x().cols());
        if (side > HEDGE_SIDE) {
            throw new DataException(what + " needs a decomposition of the data, which is computed up to " + HEDGE_SIDE
                    + " rows or manipulable features; there are " + side + ".\nMaybe leave out " + setting
                    + ", or choose some columns with features(...).");
        }
    }

    /** The solutions among rules that keep the hedge's bound, from one decomposition. */
    private Pipeline.Run hedged(Pipeline pipeline, Pipeline.Run pure) {
        List<Pipeline.Solution> solutions = new ArrayList<>();
        double seconds = pure.solveSeconds();
        for (Pipeline.Solution solution : pure.solutions()) {
            Pipeline.Run run = pipeline.hedge(hedging(solution), solution);
            solutions.addAll(run.solutions());
            seconds += run.solveSeconds();
        }
        return new Pipeline.Run(solutions, seconds, pure.certifySeconds());
    }

    /**
     * What a rule without a hedge would become with one, to a few digits: for whoever has to be told that it is there. Empty where it would take long, where
     * there are no rules to choose from, or where a hedge does not go with the game.
     */
    public Optional<HedgedSolution.Point> hedged(double hedge, StackelbergModel model) {
        long size = (long) game.x().rows() * (game.x().cols() + game.immutable().length);
        boolean possible = !declared.mixed()
                && declared.loss().isSquared()
                && bounds == null
                && declared.hedge() == null
                && declared.between() == null
                && !declared.hasEffects()
                && model.optimality().finite()
                && game.x().cols() <= CHEAP_SIDE
                && size <= CHEAP_SIZE;
        double bound = possible ? hedgeBound(hedge) : 0;
        if (!possible
                || !keeps(hedge)
                || model.losses().honest() <= bound
                || bound <= model.losses().naive()) {
            return Optional.empty();
        }
        Pipeline.Solution pure =
                Pipeline.again(reduction(model.gamma()), model.r(), model.gamma(), options.tolerance());
        return Optional.of(HedgedSolution.nearly(hedging(pure, bound)));
    }

    /** Whether some rule of this game is at most so much worse than today's if nobody moves: today's may know more. */
    public boolean keeps(double hedge) {
        return hedgeBound(hedge) > game.honestLoss(leastHonest(), workers);
    }

    private HedgedSolution.Problem hedging(Pipeline.Solution pure) {
        return hedging(pure, hedgeBound(declared.hedge()));
    }

    private HedgedSolution.Problem hedging(Pipeline.Solution pure, double bound) {
        LinearRule least = leastHonest();
        double leastLoss = game.honestLoss(least, workers);
        if (!(bound > leastLoss)) {
            throw new DataException(String.format(
                    Locale.ROOT,
                    "No rule of this game keeps the hedge: if nobody moves, the best loses %.6g, and today's rule with the hedge on"
                            + " top %.6g.\nMaybe choose a larger hedge(...), or leave it out.",
                    leastLoss,
                    bound));
        }
        return new HedgedSolution.Problem(
                game.withGamma(pure.gamma()),
                reduction(),
                new HedgedSolution.Ends(pure.rule(), pure.certificate(), least),
                bound,
                direct);
    }

    /** @param looking whether a look at where people would end, under the only rule, is taken in the read that finds its losses */
    private List<StackelbergModel> commonPath(boolean looking, double... gammas) {
        Reduction reduced = reduction(gammas);
        Workers.throwIfInterrupted();
        Pipeline pipeline = options.pipeline(direct);
        if (declared.hedge() != null) {
            requireDecomposed("A hedge", "hedge(...)");
        }
        Pipeline.Run pure = pipeline.run(reduced, gammas);
        Pipeline.Run run = declared.hedge() == null ? limited(pipeline, pure) : hedged(pipeline, pure);
        List<String> told = warnings();
        List<LinearRule> rules =
                run.solutions().stream().map(Pipeline.Solution::rule).toList();
        Sample.Leaving leaving = looking ? leaving(run.solutions().get(0)) : null;
        RuleLosses losses = new RuleLosses(game, rules, naive(), leaving, workers);
        List<StackelbergModel> models = new ArrayList<>();
        for (int k = 0; k < gammas.length; k++) {
            Pipeline.Solution solution = ofRule(run.solutions().get(k));
            if (gammas.length == 1 && Moments.parts(game.x().rows(), game.x().cols()) > 1) {
                predicted = new Predicted(solution.result().r(), solution.gamma(), losses.predictions());
            }
            var seconds = new StackelbergModel.Phases(
                    0, assembleSeconds, run.solveSeconds(), run.certifySeconds(), solution.recoverSeconds());
            StackelbergModel.Losses lost = bounds == null
                    ? losses.of(k, gammas[k], solution.loss())
                    : lossesAmong(played(sample, bounded(), gammas[k]), solution);
            StackelbergModel model = model(solution, pipeline.solver().name(), seconds, lost, told);
            models.add(leaving == null ? model : withOutOfRange(model, leaving.people()));
        }
        return models;
    }

    /** With the loss of the rule itself, which only where moves are real may not be that of its point. */
    private Pipeline.Solution ofRule(Pipeline.Solution solution) {
        boolean asked = declared.hasEffects()
                && bounds == null
                && solution.certificate().finite()
                && Pipeline.isFinite(solution.rule());
        return asked
                ? solution.losing(game.withGamma(solution.gamma()).leaderLoss(solution.rule(), workers))
                : solution;
    }

    /** Null where there is no rule that people could follow, or where they are too many values to look at. */
    private Sample.Leaving leaving(Pipeline.Solution solution) {
        return solution.certificate().finite() && Pipeline.isFinite(solution.rule())
                ? sample.leaving(StackelbergModel.published("this rule", solution.rule(), sample.world()))
                        .orElse(null)
                : null;
    }

    /** One model per gamma for a loss that is not squared, each from the one before. */
    private List<StackelbergModel> convexPath(double[] gammas) {
        if (options.solver() != null) {
            throw new IllegalArgumentException("The solver " + options.solver().name()
                    + " minimises squared loss, not the loss " + declared.loss() + ".\nMaybe leave out solver(...).");
        }
        Pipeline.Run run = Pipeline.convex(game, gammas, options.limits(), options.listener(), workers);
        List<String> told = warnings();
        List<StackelbergModel> models = new ArrayList<>();
        for (int k = 0; k < gammas.length; k++) {
            Pipeline.Solution solution = run.solutions().get(k);
            var seconds = new StackelbergModel.Phases(
                    0, assembleSeconds, run.solveSeconds(), run.certifySeconds(), solution.recoverSeconds());
            StackelbergModel.Losses lost = lossesAmong(played(sample, game, gammas[k]), solution);
            models.add(model(solution, "newton", seconds, lost, told));
        }
        return models;
    }

    /** One model per gamma for a population that differs: a search over omega for each. */
    private List<StackelbergModel> mixedPath(double[] gammas) {
        if (declared.rowGamma() != null && gammas.length > 1) {
            throw new IllegalArgumentException("Everybody has a gamma of their own in column '" + declared.rowGamma()
                    + "', so there is no path of gammas to follow.\nMaybe fit one model, without a list of gammas.");
        }
        Reduction ordinary = reduction(extremes(sample, gammas));
        Pipeline pipeline = options.mixedPipeline();
        List<String> told = warnings();
        List<Pipeline.Run> runs = new ArrayList<>();
        double solveSeconds = 0;
        for (double chosen : gammas) {
            Pipeline.Run run = limited(pipeline, pipeline.search(played(sample, game, chosen), ordinary, workers));
            runs.add(run);
            solveSeconds += run.solveSeconds();
        }
        List<StackelbergModel> models = new ArrayList<>();
        for (int k = 0; k < gammas.length; k++) {
            Pipeline.Solution solution = runs.get(k).solutions().get(0);
            var seconds = new StackelbergModel.Phases(0, assembleSeconds, solveSeconds, 0, solution.recoverSeconds());
            StackelbergModel.Losses lost =
                    lossesAmong(played(sample, game, gammas[k]).withBounds(bounds), solution);
            models.add(model(solution, pipeline.solver().name(), seconds, lost, told));
        }
        return models;
    }

    private PredictionGame bounded() {
        return game.withBounds(bounds);
    }

    /** The solutions that are searched for under limits, from those without; the same where there are none. */
    private Pipeline.Run limited(Pipeline pipeline, Pipeline.Run free) {
        if (bounds == null) {
            return free;
        }
        long before = System.nanoTime();
        List<LinearRule> others = new ArrayList<>();
        today().map(Today::rule)
                .filter(sample.world()::uses)
                .map(this::encoded)
                .filter(Pipeline::isFinite)
                .ifPresent(others::add);
        List<Pipeline.Solution> solutions = new ArrayList<>();
        for (Pipeline.Solution solution : free.solutions()) {
            boolean ruled = solution.certificate().finite() && Pipeline.isFinite(solution.rule());
            var problem = new LimitedSearch.Problem(
                    played(sample, bounded(), solution.gamma()), reduction(), ruled ? solution.rule() : null, others);
            solutions.add(pipeline.limited(problem, solution, options.seed(), workers));
            // the rules of other gammas are good rules to begin at
            others.add(solutions.get(solutions.size() - 1).rule());
        }
        double seconds = free.solveSeconds() + (System.nanoTime() - before) * 1e-9;
        return new Pipeline.Run(solutions, seconds, free.certifySeconds());
    }

    /** A rule of the game's own columns, in its units; what it says of a level that has no column, the others of its kind and the constant say. */
    public LinearRule encoded(PublishedRule published) {
        PublishedRule rule = published.basedOn(sample.world().encoding());
        List<EncodedColumn> columns = sample.world().encoding().columns();
        int manipulable = sample.world().manipulable();
        double[] all = rule.encodedCoefficients(columns);
        double[] w = Arrays.copyOf(Arrays.copyOf(all, manipulable), game.x().cols());
        double constant = rule.encodedConstant(columns);
        if (w.length > manipulable) {
            w[manipulable] = constant;
        }
        double[] q = Arrays.copyOfRange(all, manipulable, all.length);
        return new LinearRule(w, q, game.hasIntercept() ? constant : 0);
    }

    /** Among people who differ, or whom limits stop. */
    private StackelbergModel.Losses lossesAmong(PredictionGame people, Pipeline.Solution solution) {
        return new StackelbergModel.Losses(
                game.totalWeight(),
                solution.loss(),
                game.honestLoss(solution.rule(), workers),
                naive() == null ? null : game.lossOf(naive.predictions()),
                naive() == null ? null : naive.attacked(people, workers));
    }

    /** The game with its population, whose gamma is this one where nobody has one of their own. */
    static PredictionGame played(Sample sample, PredictionGame game, double gamma) {
        World world = sample.spec().rowGamma() == null ? sample.world().withGamma(gamma) : sample.world();
        return game.withPopulation(world.population(sample.rows()));
    }

    /** The least and the largest gamma of those who move, where everybody has its own; otherwise those given. */
    static double[] extremes(Sample sample, double... gammas) {
        if (sample.spec().rowGamma() == null) {
            return gammas;
        }
        DoubleSummaryStatistics moving = Arrays.stream(sample.population().gammas())
                .filter(Double::isFinite)
                .summaryStatistics();
        return moving.getCount() == 0 ? new double[0] : new double[] {moving.getMin(), moving.getMax()};
    }

    private StackelbergModel model(
            Pipeline.Solution solution,
            String solver,
            StackelbergModel.Phases seconds,
            StackelbergModel.Losses losses,
            List<String> told) {
        var provenance = new StackelbergModel.Provenance(
                sample.source().orElse(null),
                sample.size(),
                sample.dropped(),
                new StackelbergModel.Prepared(sample.filled(), sample.notations()),
                provenanceOf(declared, options.tolerance()),
                Version.current(),
                options.seed());
        var background = new StackelbergModel.Background(
                StackelbergModel.SolverRecord.of(solver, solution.result(), seconds), losses, provenance, told);
        boolean finite = solution.certificate().finite();
        double omega = finite ? solution.rule().omega(game.costs()) : Double.POSITIVE_INFINITY;
        PredictionGame people = played(sample, bounded(), solution.gamma());
        double pullThrough = bounds == null ? people.pullThrough(omega) : people.pullThrough(solution.rule(), workers);
        World known = today().map(sample.world()::withToday).orElse(sample.world());
        World world = solution.gamma() == declared.gamma()
                ? known
                : solution.between() == null ? known.at(solution.gamma()) : known.atWorst(solution.gamma());
        return StackelbergModel.of(world, solution, pullThrough, options.tolerance(), background);
    }

    private boolean isLarge() {
        return Math.min(game.x().rows(), game.x().cols()) > NAIVE_SIDE;
    }

    /** The gamma that is declared, as a number. */
    public double gamma() {
        return declared.gamma();
    }

    /** The gamma at which people who face today's rule close this share of the gap to their wish. */
    public double gammaOf(double share) {
        return sample.world().gammaOf(inForce(), share);
    }

    /** The rule in force, however large the data are. */
    private Today inForce() {
        if (today == null) {
            today = sample.today(workers);
        }
        return today;
    }

    /** The rule in force, which losses are compared with; empty where nobody gave or needed it and the data are too large to learn it beside. */
    public Optional<Today> today() {
        if (today == null && (sample.spec().today().known() || !isLarge())) {
            today = sample.today(workers);
        }
        return Optional.ofNullable(today);
    }

    /** What that rule scores everybody, for who only looks at it; empty where it is not known. */
    public Optional<double[]> todaysScores() {
        return Optional.ofNullable(naive()).map(RuleLosses.Naive::predictions);
    }

    /** The optimisation problem of the declared gamma, for those who want to solve it elsewhere. */
    public SphereProblem problem() {
        if (declared.mixed()) {
            throw new IllegalArgumentException(
                    "A game with a mixed population is not one problem on a sphere, but one for"
                            + " every omega.\nMaybe leave out the truthful share and the row gammas.");
        }
        if (!declared.loss().isSquared()) {
            throw new IllegalArgumentException("By the loss " + declared.loss()
                    + " the game is no quadratic problem on a sphere.\nMaybe leave out loss(...).");
        }
        if (bounds != null) {
            throw new IllegalArgumentException(
                    "A game with limits is no problem on a sphere.\nMaybe leave out limit(...)"
                            + " and oneSided(...).");
        }
        if (declared.hedge() != null) {
            throw new IllegalArgumentException(
                    "A game with a hedge is not one problem on a sphere: its rules are bounded by what they lose if nobody"
                            + " moves.\nMaybe leave out hedge(...).");
        }
        if (declared.between() != null) {
            throw new IllegalArgumentException(
                    "A game whose gamma lies between two is not one problem on a sphere, but two that one rule has to be good"
                            + " at.\nMaybe say which gamma it is with gamma(...).");
        }
        return reduction(declared.gamma()).family().at(declared.gamma());
    }

    private Reduction reduction(double... gammas) {
        if (reduction == null) {
            long before = System.nanoTime();
            ColumnStatistics.Ranges ranges = sample.lacksRanges()
                    ? new ColumnStatistics.Ranges(sample.columns().cols())
                    : null;
            reduction = Pipeline.reduce(game, ranges, workers);
            sample = ranges == null ? sample : sample.withRanges(ranges);
            assembleSeconds += (System.nanoTime() - before) * 1e-9;
        }
        return Pipeline.requirePlayable(reduction, gammas);
    }

    /** Null where it is not computed. */
    private RuleLosses.Naive naive() {
        if (naive == null && today().isPresent()) {
            World world = sample.world();
            // a rule of the game's own columns needs no other look at the data than their matrix
            double[] scores = world.uses(today.rule())
                    ? sample.predictions(today.rule(), workers)
                    : sample.scores(today, workers);
            naive = new RuleLosses.Naive(scores, world.omega(today.rule()), world.movedBy(today.rule()));
        }
        return naive;
    }

    /** What a user should know about the data, whatever gamma is. */
    private List<String> warnings() {
        if (warnings == null) {
            Encoding encoding = sample.world().encoding();
            Set<String> columns =
                    encoding.features().stream().map(Encoding.Feature::column).collect(Collectors.toSet());
            boolean constantToo = declared.intercept() != GameSpec.Intercept.NONE;
            List<String> all = new ArrayList<>(sample.warnings());
            sample.filledInWords().ifPresent(all::add);
            Supplier<DenseMatrix> formed = () ->
                    isFormed(encoding.names().size()) ? reduction().family().gram() : null;
            List<Collinearity.Dependence> collinear =
                    Collinearity.of(game, encoding.names(), constantToo, formed, workers);
            all.addAll(Collinearity.warnings(collinear, columns));
            Set<String> told = new HashSet<>(encoding.constantColumns());
            collinear.forEach(dependence -> told.add(dependence.name()));
            if (declared.loss().isSquared()) {
                int manipulable = sample.world().manipulable();
                List<String> names = encoding.names();
                reduction()
                        .dependenceWarning(names.subList(Math.min(manipulable, names.size()), names.size()), told)
                        .ifPresent(all::add);
            }
            warnings = List.copyOf(all);
        }
        return warnings;
    }

    /** Whether the products of the problem on the sphere are those of all columns, where everybody counts the same. */
    private boolean isFormed(int features) {
        return declared.loss().isSquared()
                && declared.weight() == null
                && game.x() instanceof DenseMatrix
                && game.x().cols() == features;
    }

    /** The choices that shaped the answer, in words. */
    public static Map<String, String> provenanceOf(GameSpec spec, double tolerance) {
        GameSpec.Columns columns = spec.columns();
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
            map.put("wishUnits", word(spec.aim().wishUnits()));
            map.put("yes", spec.answers().inWords());
        }
        map.put("scale", word(spec.units().scaling()));
        map.put("intercept", word(spec.intercept()));
        map.put("missing", word(spec.units().missing()));
        map.put("costUnits", word(spec.moves().costUnits()));
        if (spec.hedge() != null) {
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
        if (columns.group() != null) {
            map.put("group", columns.group());
        }
        if (columns.id() != null) {
            map.put("id", columns.id());
        }
        if (columns.features() != null) {
            map.put("features", String.join(",", columns.features()));
        }
        if (!columns.ignore().isEmpty()) {
            map.put("ignore", String.join(",", columns.ignore()));
        }
        Set<String> immutable = spec.moves().immutable();
        map.put("immutable", immutable == null ? "categorical columns" : String.join(",", immutable));
        spec.moves().costs().forEach((column, cost) -> map.put("cost " + column, String.valueOf(cost)));
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
