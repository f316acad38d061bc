package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/** Holds a solver against the direct one: two points of one sphere, two certificates, and neither may contradict the other. */
public final class DirectComparison {
    private static final Workers ONE = Workers.of(1);

    private DirectComparison() {}

    /** The solver's certificates, after checking each of them. */
    public static Certificate[] check(String what, SphereSolver solver, PredictionGame game, double... gammas) {
        SphereFamily family = Reduction.of(game, ONE).family();
        List<SphereResult> results = solver.solvePath(family, gammas, SolverOptions.DEFAULT, ProgressListener.NONE);
        Certificate[] proofs = certificates(family, gammas, results);
        Certificate[] direct = certificates(
                family,
                gammas,
                new DirectSolver(ONE).solvePath(family, gammas, SolverOptions.DEFAULT, ProgressListener.NONE));
        for (int i = 0; i < gammas.length; i++) {
            var problem = family.at(gammas[i]);
            String where = what + ", gamma " + gammas[i] + ": " + results.get(i).status() + " "
                    + results.get(i).effort() + "\n" + proofs[i] + "\ndirect " + direct[i];
            double f = proofs[i].objective();
            // f = ||residual||^2, and the residual is known to eps (||L||_F + ||b||) only
            double size = problem.hessianNorm() + problem.p();
            double noise = 8 * 0x1p-52 * Math.sqrt(f * size) + 100 * 0x1p-104 * size;
            assertThat(proofs[i].proof()).as(where).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(f - proofs[i].gapBound()).as(where).isLessThanOrEqualTo(direct[i].objective() + noise);
            assertThat(direct[i].objective() - direct[i].gapBound()).as(where).isLessThanOrEqualTo(f + noise);
            // where the data is interpolated, f* = 0 and a Gram matrix resolves f to some roundings of p only
            double tolerable = 1e-9 * Math.max(f, 1e-9 * problem.p()) + 1e-12 * problem.p();
            assertThat(proofs[i].gapBound())
                    .as(where)
                    .isLessThanOrEqualTo(Math.max(tolerable, 10 * direct[i].gapBound()) + noise);
        }
        return proofs;
    }

    private static Certificate[] certificates(SphereFamily family, double[] gammas, List<SphereResult> results) {
        Certificate[] proofs = Certificate.ofPath(
                family, gammas, results.stream().map(SphereResult::r).toArray(double[][]::new));
        for (int i = 0; i < proofs.length; i++) {
            // at the limit point nothing is proven if a finite rule is as good: the rule is judged, as the pipeline
            // takes it
            if (proofs[i].proof() == Certificate.Proof.ESTIMATED
                    && proofs[i].better().isPresent()) {
                proofs[i] =
                        Certificate.of(family.at(gammas[i]), proofs[i].better().get());
            }
        }
        return proofs;
    }
}
