package stackelberg.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import stackelberg.data.AtomicFile;
import stackelberg.solver.ProgressListener;

/** Keeps every iteration as a CSV row; what the solver does not know is empty. */
final class Trace implements ProgressListener {
    private final StringBuilder rows =
            new StringBuilder("iteration,objective,primalResidual,dualResidual,multiplier\n");

    @Override
    public Decision onIteration(Progress progress) {
        rows.append(progress.iteration())
                .append(',')
                .append(cell(progress.objective()))
                .append(',')
                .append(cell(progress.primalResidual()))
                .append(',')
                .append(cell(progress.dualResidual()))
                .append(',')
                .append(cell(progress.multiplier()))
                .append('\n');
        return Decision.CONTINUE;
    }

    void save(Path file) {
        AtomicFile.write(file, rows.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String cell(double value) {
        return Double.isNaN(value) ? "" : String.valueOf(value);
    }
}
