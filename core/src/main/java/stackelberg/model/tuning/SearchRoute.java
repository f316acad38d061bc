package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stackelberg.data.DataException;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.mixed.HedgedSolution;
import stackelberg.solver.mixed.MixedSolution;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * Cross-validation where every rule is a search, because some people are truthful or a hedge bounds what a rule may lose if nobody moves: the training rows of
 * each fold are decomposed once, and every candidate is found and proven among the few who stand for them.
 */
final class SearchRoute {
    /** Reading the columns and predicting the held-out, in units of searching a fold: a search is what takes long. */
    private static final double PREPARED = 0.05;

    private static final double PREDICTED = 0.05;

    private final FoldData data;
    private final Candidates candidates;
    private final SolverOptions options;
    private final Workers workers;
    private final TuningProgress progress;
    private final TrainingGames games;
    private final Matrix shared;
    private final Workers alone = Workers.of(1);

    SearchRoute(
            FoldData data, Candidates candidates, SolverOptions options, Workers workers, Tuning.Listener listener) {
        this.data = data;
        this.candidates = candidates;
        this.options = options;
        this.workers = workers;
        int count = data.folds().count();
        this.progress = new TuningProgress(listener, PREPARED * count, (1 + PREDICTED) * count);
        this.games = new TrainingGames(data);
        this.shared = new AffineMatrix(data.columns(), null, null, true);
    }

    Tuning run() {
        int count = data.folds().count();
        FoldRules[] rules = new FoldRules[count];
        workers.run(count, fold -> rules[fold] = new Fold(fold).rules());
        HeldOut[][] heldOut = HeldOutPredictions.of(
                data,
                candidates,
                rules,
                workers,
                part -> progress.advance("predicting the held-out", PREDICTED * count * part));
        progress.finish();
        List<String> warnings = new ArrayList<>(data.warnings());
        FoldRules.warn(List.of(rules), warnings);
        boolean settled = FoldRules.settled(List.of(rules));
        String method = "one decomposition for each of " + count + " folds, and a search among "
                + (data.spec().hedge() == null ? "mixed populations" : "hedged rules") + " for each gamma";
        return new Tuning(candidates, heldOut, data, method, settled, warnings);
    }

    /** One fold: its training rows, reduced and decomposed, and the few who stand for them. */
    private final class Fold {
        private final int fold;
        private final double weight;
        private final Reduction reduction;
        private final DirectSolver.Decomposition spectrum;
        private final PredictionGame few;

        Fold(int fold) {
            this.fold = fold;
            this.weight = data.trainingWeight(fold);
            PredictionGame game = games.of(fold, shared);
            this.reduction = Pipeline.reduce(game, alone);
            this.spectrum = new DirectSolver(alone).decomposition(reduction.family());
            this.few = MixedSolution.few(game, reduction, spectrum, alone);
        }

        FoldRules rules() {
            Candidates own = candidates.stretched(data.stretch()[fold]);
            FoldData.FoldGame columns = data.game(fold);
            int ones = data.columns().cols();
            ColumnMap map = columns.columns();
            List<FoldRules.Place> places = new ArrayList<>();
            DenseMatrix coefficients = DenseMatrix.zeros(ones + 1, own.count());
            int unsettled = 0;
            for (int j = 0; j < own.count(); j++) {
                double gamma = own.gammas()[j];
                Pipeline.Solution solution = solution(gamma, own.ridges()[j] * weight);
                double share = solution.hedged() == null
                        ? data.spec().truthfulShare()
                        : solution.hedged().share();
                double[] w = spectrum.coefficients(solution.rule().w(), alone);
                double[] point = SphereGeometry.pointOf(w, gamma);
                places.add(FoldRules.Place.of(point));
                coefficients.setColumn(j, map.times(columns.inOrder(scaled(w, point, gamma, share))));
                unsettled += FoldRules.proven(solution.certificate(), options.tolerance()) ? 0 : 1;
                progress.advance("searching the folds", 1.0 / own.count());
            }
            return new FoldRules(places, coefficients, unsettled);
        }

        /** The best rule among the few. */
        private Pipeline.Solution solution(double gamma, double ridge) {
            Pipeline pipeline = new Pipeline(new DirectSolver(alone), options);
            PredictionGame game = few.withGamma(gamma).withRidge(ridge);
            Reduction ordinary = Pipeline.reduce(game, alone, gamma);
            if (data.spec().hedge() == null) {
                int people = few.y().length;
                double share = data.spec().truthfulShare();
                PredictionGame mixed = game.withPopulation(Population.ofOneGamma(people, gamma, share));
                return pipeline.search(mixed, ordinary, alone).solutions().get(0);
            }
            DirectSolver direct = DirectSolver.remembering(alone);
            LinearRule least = ordinary.naiveRule(direct.leastSquares(ordinary.family()));
            Pipeline.Solution pure = pipeline.run(ordinary, gamma).solutions().get(0);
            var ends = new HedgedSolution.Ends(pure.rule(), pure.certificate(), least);
            var problem = new HedgedSolution.Problem(game, ordinary, ends, bound(least), direct);
            return pipeline.hedge(problem, pure).solutions().get(0);
        }

        /** The most that a rule may lose if nobody moves: that of this fold's today's rule, whose root mean square may grow by the hedge. */
        private double bound(LinearRule least) {
            double hedge = data.spec().hedge();
            double bound = (1 + hedge) * (1 + hedge) * data.todaysLoss()[fold];
            double leastLoss = few.honestLoss(least, alone);
            if (!(bound > leastLoss)) {
                throw new DataException(String.format(
                        Locale.ROOT,
                        "No rule of fold %d keeps the hedge: if nobody moves, the best loses %.6g, and today's rule with the hedge on"
                                + " top %.6g.\nMaybe choose a larger hedge(...), or leave it out.",
                        fold + 1,
                        leastLoss,
                        bound));
            }
            return bound;
        }

        /**
         * The rule with coefficients w, divided by its 1 + alpha: its immutable part is best for people of whom a share S is truthful, p = y - c (z - y) with c = (1 -
         * S) a t/(S + (1 - S) a^2), a = 1 - t; so it lies between those that are best if nobody moves, c = 0, and if everybody does, c = t/a.
         */
        private LinearRule scaled(double[] w, double[] r, double gamma, double share) {
            double scale = SphereGeometry.below(r) / 2;
            double a = Response.remainder(Vectors.dot(w, w), gamma);
            double moving = (1 - share) * a * a / (share + (1 - share) * a * a);
            LinearRule still = reduction.naiveRule(w);
            LinearRule moved = reduction.recoverScaled(r, gamma);
            double[] q = moved.q();
            Vectors.scale(moving, q);
            Vectors.axpy((1 - moving) * scale, still.q(), q);
            return new LinearRule(moved.w(), q, moving * moved.intercept() + (1 - moving) * scale * still.intercept());
        }
    }
}
