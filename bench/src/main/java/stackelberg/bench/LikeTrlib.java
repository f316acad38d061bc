package stackelberg.bench;

import java.nio.file.Path;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.auto.Solvers;

/**
 * Solves the game of FOLDER/{X,y,z}.npy at gamma 0.1 through the library, without the command line around it: the same task as {@code trlib.py}, plus a
 * certificate. {@code whole_command.py} compares the two.
 */
final class LikeTrlib {
    private static final double GAMMA = 0.1;

    private LikeTrlib() {}

    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        Workers workers = Workers.of(Runtime.getRuntime().availableProcessors());
        Workers.expectLargeWork();
        Table table =
                DataFile.arrays(folder.resolve("X.npy"), folder.resolve("y.npy"), folder.resolve("z.npy"), workers);
        // with a manipulable column of ones, as in the paper
        Matrix x = new AffineMatrix(table.block().orElseThrow().matrix(), null, null, true);
        PredictionGame game = PredictionGame.of(
                x,
                table.numeric(DataFile.TRUTH).values(),
                table.numeric(DataFile.WISH).values(),
                GAMMA);
        Solution solution = new Pipeline(Solvers.named("auto", workers), SolverOptions.DEFAULT)
                .run(Pipeline.reduce(game, workers, GAMMA), GAMMA)
                .solutions()
                .get(0);
        System.out.println(
                solution.loss() + (solution.certificate().certified(1e-9) ? " certified" : " not certified"));
    }
}
