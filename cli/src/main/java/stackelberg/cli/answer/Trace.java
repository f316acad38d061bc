package stackelberg.cli.answer;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import stackelberg.data.io.AtomicFile;
import stackelberg.solver.ProgressListener;

/** Records every iteration of a solver. */
public final class Trace implements ProgressListener {
    private final List<Progress> iterations = new ArrayList<>();

    @Override
    public Decision onIteration(Progress progress) {
        iterations.add(progress);
        return Decision.CONTINUE;
    }

    public List<Progress> iterations() {
        return List.copyOf(iterations);
    }

    /** The iterations as CSV; a value that the solver does not report is empty. */
    public void save(Path file) {
        StringBuilder rows = new StringBuilder("iteration,objective,primalResidual,dualResidual,multiplier\n");
        for (Progress progress : iterations) {
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
        }
        AtomicFile.write(file, rows.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String cell(double value) {
        return Double.isNaN(value) ? "" : String.valueOf(value);
    }
}
