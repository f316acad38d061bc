package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.List;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Objective;
import stackelberg.objective.Pipeline;
import stackelberg.objective.PreparedGame;
import stackelberg.objective.Solution;
import stackelberg.objective.omega.MixedSolution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * Cross-validation for games in which every rule takes a search: with a truthful share or a hedge. The training rows of
 * each fold are decomposed once, and every candidate is found and certified on a few pseudo-rows with identical losses.
 */
final class SearchRoute {
    /** The work of reading the columns and predicting the held-out rows, relative to that of searching one fold. */
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
    private final Objective objective;

    SearchRoute(
            FoldData data, Candidates candidates, SolverOptions options, Workers workers, Tuning.Listener listener) {
        this.data = data;
        this.candidates = candidates;
        this.options = options;
        this.objective = Objective.of(data.spec());
        this.workers = workers;
        int count = data.folds().count();
        this.progress = new TuningProgress(listener, PREPARED * count, (1 + PREDICTED) * count);
        this.games = new TrainingGames(data);
        this.shared = new AffineMatrix(data.columns(), null, null, true);
    }

    /** Searches the folds in parallel. */
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
        List<Message> warnings = new ArrayList<>(data.warnings());
        FoldRules.warn(List.of(rules), warnings);
        boolean settled = FoldRules.settled(List.of(rules));
        String method = "one decomposition for each of " + count + " folds, and a search among "
                + (data.spec().isHedged() ? "hedged rules" : "mixed populations") + " for each gamma";
        return new Tuning(candidates, heldOut, data, method, settled, warnings);
    }

    /** The pseudo-rows that have the same losses as a fold's training rows. */
    private record Few(int size, double truthfulShare) implements PreparedGame.Source {
        @Override
        public Population population(double gamma) {
            return Population.ofOneGamma(size, gamma, truthfulShare);
        }

        @Override
        public List<LinearRule> starts() {
            return List.of();
        }
    }

    /** One fold: its training rows, reduced and decomposed, and their pseudo-rows. */
    private final class Fold {
        private final int fold;
        private final double weight;
        private final Reduction reduction;
        private final DirectSolver.Decomposition spectrum;
        private final PredictionGame few;
        private final Few people;

        Fold(int fold) {
            this.fold = fold;
            this.weight = data.trainingWeight(fold);
            PredictionGame game = games.of(fold, shared);
            this.reduction = Pipeline.reduce(game, alone);
            this.spectrum = new DirectSolver(alone).decomposition(reduction.family());
            this.few = MixedSolution.few(game, reduction, spectrum, alone);
            this.people = new Few(few.y().length, data.spec().truthfulShare());
        }

        /** Finds the rules of one fold, one search for each candidate. */
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
                Solution solution = solution(gamma, own.ridges()[j] * weight);
                double share = solution.detail(Solution.Hedged.class)
                        .map(Solution.Hedged::share)
                        .orElse(data.spec().truthfulShare());
                double[] w = spectrum.coefficients(solution.rule().w(), alone);
                double[] point = SphereGeometry.pointOf(w, gamma);
                places.add(FoldRules.Place.of(point));
                coefficients.setColumn(j, map.times(columns.inOrder(scaled(w, point, gamma, share))));
                unsettled += FoldRules.proven(solution.certificate(), options.tolerance()) ? 0 : 1;
                progress.advance("searching the folds", 1.0 / own.count());
            }
            return new FoldRules(places, coefficients, unsettled);
        }

        /** Returns the best rule on the pseudo-rows. */
        private Solution solution(double gamma, double ridge) {
            PreparedGame prepared = new PreparedGame(few.withGamma(gamma).withRidge(ridge), null, people, null, alone);
            try {
                return objective
                        .path(prepared, new Objective.Options(null, options, ProgressListener.NONE, 0), gamma)
                        .first();
            } catch (DataException e) {
                throw new DataException(Message.of(e.asMessage().code(), "In fold {}: {}", fold + 1, e.asMessage()), e);
            }
        }

        /**
         * Returns the rule with coefficients w, divided by its 1 + alpha. Its immutable part is the best one for a
         * truthful share S: p = y - c (z - y) with c = (1 - S) a t/(S + (1 - S) a^2) and a = 1 - t. It lies between the
         * best ones before any move, c = 0, and after the move of everyone, c = t/a.
         */
        private LinearRule scaled(double[] w, double[] r, double gamma, double share) {
            double scale = SphereGeometry.oneMinusAlphaTilde(r) / 2;
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
