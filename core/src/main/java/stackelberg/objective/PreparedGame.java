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
 * A game prepared for solving: its rows, and what every objective needs of them and finds only once, the reduction to the sphere, the decomposition and the rule that is best if nobody moves.
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

    /** What is known of the sample behind a game, and computed only where an objective asks for it. */
    public interface Source {
        /** How the rows respond if the gamma they share is this one; rows with a gamma of their own keep it. */
        Population population(double gamma);

        /** Rules to begin a descent at, today's among them. */
        List<LinearRule> starts();

        /** What today's rule loses if nobody moves, a sum over the rows; refused where no rule is in force. */
        default double todaysHonestLoss() {
            throw new UnsupportedOperationException("No rule in force is known of these rows.");
        }
    }

    /**
     * Prepares a game; nothing is computed yet.
     *
     * @param game whose population and limits are ignored: those of the source and the next argument count
     * @param limits how far moves can go; null where they have no limits
     * @param ranges receives the smallest and largest values of the columns in the read that reduces them; may be null
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

    /** The game without limits, in which all rows respond alike. */
    public PredictionGame game() {
        return game;
    }

    /** The game as it is really played at a gamma: with its population and its limits. */
    public PredictionGame played(double gamma) {
        return withPopulation(gamma).withBounds(limits);
    }

    /** The same without limits. */
    public PredictionGame withPopulation(double gamma) {
        return game.withPopulation(source.population(gamma));
    }

    /** The same rows with other weights or another ridge, and nothing computed yet. */
    public PreparedGame with(PredictionGame other, Source otherSource) {
        return new PreparedGame(other, limits, otherSource, null, workers);
    }

    Source source() {
        return source;
    }

    public Workers workers() {
        return workers;
    }

    /** Solves small problems exactly and keeps the decomposition of the data. */
    DirectSolver direct() {
        return direct;
    }

    /** The game on the sphere; refused where it cannot be played at one of the gammas. */
    public Reduction reduction(double... gammas) {
        if (reduction == null) {
            long before = System.nanoTime();
            reduction = Pipeline.reduce(game, ranges, workers);
            reduceSeconds = (System.nanoTime() - before) * 1e-9;
        }
        return Pipeline.requirePlayable(reduction, gammas);
    }

    /** The smallest and largest values of the columns, once the read that reduces them has seen them; null where it was not asked to. */
    public ColumnStatistics.@Nullable Ranges rangesSeen() {
        return reduction == null ? null : ranges;
    }

    /** How long the reduction took; 0 before. */
    public double reduceSeconds() {
        return reduceSeconds;
    }

    /**
     * The rule with the least loss if nobody moves and mu ||w||^2, from a decomposition of the data.
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

    /** Refuses data that are too large on both sides to be decomposed. */
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

    /** Runs what may find values of the data that no game can have: the settings were checked before. */
    static <T> T refusing(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw DataException.because(e);
        }
    }
}
