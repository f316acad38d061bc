package stackelberg.solver;

import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** The whole way for one game, by the direct solver: reduced, solved, certified, recovered. */
public record Equilibrium(
        PredictionGame game, Reduction reduction, SphereProblem problem, double[] r, Certificate proof) {
    public static final Workers ONE = Workers.of(1);

    public static Equilibrium of(PredictionGame game) {
        Reduction reduction = Reduction.of(game, ONE);
        SphereProblem problem = reduction.family().at(game.gamma());
        Solution solution = new Pipeline(new DirectSolver(ONE), SolverOptions.DEFAULT)
                .run(reduction, game.gamma())
                .solutions()
                .get(0);
        return new Equilibrium(game, reduction, problem, solution.result().r(), solution.certificate());
    }

    public LinearRule rule() {
        return reduction.recover(r, game.gamma());
    }

    public double[] predictions() {
        return game.predict(rule(), ONE);
    }

    public double[] predictionsAfterResponse() {
        return game.predictAfterResponse(rule(), ONE);
    }

    public boolean certified() {
        return proof.certified(SolverOptions.DEFAULT.tolerance());
    }
}
