package stackelberg.objective;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.game.Setting;
import stackelberg.game.Settings;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

/**
 * A game prepared for solving. It computes what objectives need from the rows only once: the reduction to the sphere,
 * the decomposition, and the best rule before any move.
 *
 * <p>Copies with other settings share it, so that the data are reduced once. Not thread-safe.
 */
public final class PreparedGame {
    private final PredictionGame game;
    private final Response.@Nullable Bounds limits;
    private final Source source;
    private final ColumnStatistics.@Nullable Ranges ranges;
    private final Workers workers;
    private final DirectSolver direct;
    private @Nullable Reduction reduction;
    private double reduceSeconds;

    /** Supplies figures of the sample behind a game; each is computed only if an objective asks for it. */
    public interface Source {
        /** Returns how the rows respond if their common gamma is this one; rows with a gamma of their own keep it. */
        Population population(double gamma);

        /** Returns rules at which a descent may start, among them today's rule. */
        List<LinearRule> starts();

        /** Returns the loss of today's rule before any move, a sum over the rows; throws if today's rule is unknown. */
        default double todaysHonestLoss() {
            throw new UnsupportedOperationException("Today's rule is not known for these rows.");
        }
    }

    /**
     * Prepares a game; nothing is computed yet.
     *
     * @param game the game, whose own population and limits are ignored
     * @param limits the limits of moves; null if none are declared
     * @param source the population and today's rule
     * @param ranges receives the smallest and largest values of the columns in the pass that reduces them; may be null
     */
    public PreparedGame(
            PredictionGame game,
            Response.@Nullable Bounds limits,
            Source source,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        this.game = game.withBounds(null);
        this.limits = limits;
        this.source = source;
        this.ranges = ranges;
        this.workers = workers;
        this.direct = DirectSolver.remembering(workers);
    }

    /** Returns the game without limits, in which all rows have the same gamma. */
    public PredictionGame game() {
        return game;
    }

    /** Returns the game at a gamma with its population and its limits. */
    public PredictionGame played(double gamma) {
        return withPopulation(gamma).withBounds(limits);
    }

    /** Returns the game at a gamma with its population and without limits. */
    public PredictionGame withPopulation(double gamma) {
        return game.withPopulation(source.population(gamma));
    }

    /** Returns the same rows with other weights or another ridge; nothing is computed yet. */
    public PreparedGame with(PredictionGame other, Source otherSource) {
        return new PreparedGame(other, limits, otherSource, null, workers);
    }

    Source source() {
        return source;
    }

    public Workers workers() {
        return workers;
    }

    /** Returns the solver that computes and caches the decomposition of the data. */
    DirectSolver direct() {
        return direct;
    }

    /** Returns the reduction to the sphere; throws if the game cannot be played at one of the gammas. */
    public Reduction reduction(double... gammas) {
        if (reduction == null) {
            long before = System.nanoTime();
            reduction = Pipeline.reduce(game, ranges, workers);
            reduceSeconds = (System.nanoTime() - before) * 1e-9;
        }
        return Pipeline.requirePlayable(reduction, gammas);
    }

    /**
     * Returns the smallest and largest values of the columns, once the pass that reduces them has run; null if they
     * were not requested.
     */
    public ColumnStatistics.@Nullable Ranges rangesSeen() {
        return reduction == null ? null : ranges;
    }

    /** Returns the seconds that the reduction took; 0 before it has run. */
    public double reduceSeconds() {
        return reduceSeconds;
    }

    /**
     * Returns the rule that minimises the loss before any move plus mu ||w||^2, from a decomposition of the data.
     *
     * @param mu at least 0
     */
    public LinearRule bestHonest(double mu) {
        Reduction reduced = reduction();
        if (mu == 0) {
            return reduced.naiveRule(direct.leastSquares(reduced.family()));
        }
        DirectSolver.Decomposition spectrum = direct.decomposition(reduced.family());
        double[] values = spectrum.singularValues();
        double[] w = spectrum.leftPy();
        Arrays.setAll(w, k -> w[k] * values[k] / (values[k] * values[k] + mu));
        return reduced.naiveRule(spectrum.coefficients(w, workers));
    }

    /** Throws if the data are too large on both sides to be decomposed. */
    void requireDecomposable(int most, String what, Setting<?> setting) {
        int side = Math.min(game.x().rows(), game.x().cols());
        if (side > most) {
            throw new DataException(Message.of(
                    "too-large-to-decompose",
                    "{} needs a decomposition of the data, which is computed up to {} rows or manipulable features; there are "
                            + "{}.\n" + "Maybe leave out {}, or choose some columns with {}.",
                    what,
                    most,
                    side,
                    setting.any(),
                    Settings.FEATURES.any()));
        }
    }

    /**
     * Runs work in which an IllegalArgumentException is due to values in the data, because the settings have been
     * checked, and rethrows it as a DataException.
     */
    static <T> T refusing(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw DataException.because(e);
        }
    }
}
