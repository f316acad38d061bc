package stackelberg.solver.mixed;

import static stackelberg.solver.Equilibrium.ONE;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

class RangeSolutionTest {
    private static RangeSolution.Problem problem(PredictionGame game, double low, double high, boolean regret) {
        Reduction ordinary = Reduction.of(game, ONE);
        DirectSolver direct = DirectSolver.remembering(ONE);
        var run = new Pipeline(direct, SolverOptions.DEFAULT).run(ordinary, low, high);
        return new RangeSolution.Problem(
                game, ordinary, end(run.solutions().get(0)), end(run.solutions().get(1)), regret, direct);
    }

    private static RangeSolution.End end(Pipeline.Solution s) {
        return new RangeSolution.End(s.gamma(), s.rule(), s.certificate());
    }

    static PredictionGame game(Random random) {
        int m = 3 + random.nextInt(10);
        int n = 1 + random.nextInt(4);
        PredictionGame game = random.nextBoolean()
                ? RandomGame.plain(random, m, n, 1)
                : RandomGame.general(random, m, n, random.nextInt(3), 1);
        return random.nextInt(3) == 0 ? game.withRidge(m * Math.pow(10, -3 + 3 * random.nextDouble())) : game;
    }

    @Test
    void scratch() {
        for (int regret = 0; regret < 1; regret++) {
            int own = 0, bad = 0, total = 0, maxEval = 0;
            long evals = 0;
            for (int k = 0; k < 1000; k++) {
                Random random = new Random(k);
                PredictionGame game = game(random);
                double low = Math.pow(10, -2 + 3 * random.nextDouble());
                double high = low * Math.pow(10, 2 * random.nextDouble());
                var p = problem(game, low, high, regret == 1);
                RangeSolution s = RangeSolution.of(p, SolverOptions.DEFAULT, ProgressListener.NONE);
                total++;
                int it = s.sphereResult(1).effort().iterations();
                if (it == 0) own++;
                evals += it;
                maxEval = Math.max(maxEval, it);
                double rel = s.certificate().gapBound() / s.certificate().objective();
                if (!s.certificate().certified(1e-9)) {
                    bad++;
                    System.out.println(k + " n=" + game.x().cols() + " rel " + rel + " it " + it + " low " + s.low()
                            + " high " + s.high() + " th " + s.weight() + " "
                            + s.certificate().finiteness() + " "
                            + s.certificate().proof());
                }
            }
            System.out.println("regret " + regret + " total " + total + " own " + own + " bad " + bad + " evals "
                    + evals / (double) Math.max(1, total - own) + " max " + maxEval);
        }
    }
}
