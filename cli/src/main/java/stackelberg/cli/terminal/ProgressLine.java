package stackelberg.cli.terminal;

import java.util.Locale;
import java.util.function.LongSupplier;
import stackelberg.solver.ProgressListener;

/**
 * Shows how far a solver has come and about how long it will take.
 *
 * <p>The gap is quadratic in the residual, so a solver is done when the residual has fallen by about the root of the tolerance; residuals fall
 * geometrically, so the logarithm of what is left is proportional to the time that is left.
 */
public final class ProgressLine implements ProgressListener, AutoCloseable {
    private final StatusLine line;
    private final double decline;
    private final LongSupplier nanoTime;
    private long start;
    private double firstResidual = Double.NaN;
    private double smallestResidual;

    /** The name of the current work, shown before the iterations of the solver. */
    private String work = "solving";

    /** @param tolerance the relative gap that the solver is to reach */
    public ProgressLine(StatusLine line, double tolerance, LongSupplier nanoTime) {
        this.line = line;
        this.decline = -0.5 * Math.log(tolerance);
        this.nanoTime = nanoTime;
    }

    /** Names the work that begins now; it is shown until a solver reports. */
    public void doing(String what) {
        work = what;
        line.doing(what);
    }

    @Override
    public Decision onIteration(Progress progress) {
        double left = secondsLeft(progress);
        line.show(() -> work + ": " + text(progress) + (Double.isNaN(left) ? "" : ", " + StatusLine.left(left)));
        return Decision.CONTINUE;
    }

    @Override
    public void close() {
        line.close();
    }

    /** The estimated seconds until the tolerance is reached; NaN before the residual has fallen enough for an estimate. */
    private double secondsLeft(Progress progress) {
        double residual = Double.isNaN(progress.dualResidual())
                ? progress.primalResidual()
                : Math.max(progress.primalResidual(), progress.dualResidual());
        // iteration 1 means another solver or another problem, so the estimate starts afresh
        if (progress.iteration() == 1) {
            firstResidual = Double.NaN;
        }
        // solvers report 0 as long as they have not computed the residual
        if (!(residual > 0)) {
            return Double.NaN;
        }
        long now = nanoTime.getAsLong();
        if (Double.isNaN(firstResidual)) {
            start = now;
            firstResidual = residual;
            smallestResidual = residual;
        }
        smallestResidual = Math.min(smallestResidual, residual);
        double done = Math.log(firstResidual / smallestResidual) / decline;
        return done > 0.02 && done < 1 ? (now - start) * 1e-9 * (1 - done) / done : Double.NaN;
    }

    private static String text(Progress progress) {
        StringBuilder text = new StringBuilder("iteration " + progress.iteration());
        append(text, "loss", progress.objective());
        append(text, "residual", progress.primalResidual());
        append(text, "dual residual", progress.dualResidual());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, double value) {
        if (!Double.isNaN(value)) {
            text.append(String.format(Locale.ROOT, ", %s %.4g", name, value));
        }
    }
}
