package stackelberg.sphere;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Moments;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Maps a game to problems on the unit sphere and points of the sphere back to rules (docs/theory.md, "Reduction").
 *
 * <p>r = (wTilde, alphaTilde) with wTilde = 2w/(sqrt(gamma)(1 + alpha)), alphaTilde = (alpha - 1)/(alpha + 1) and alpha
 * = w'w/gamma, w on cost-scaled features.
 *
 * <p>There are three kinds: the rows are in memory or mapped ({@link #of}), on other machines ({@link #ofRemote}), or
 * only sums over them are known ({@link #ofSums}). These are the only types that know both games and spheres.
 */
public abstract sealed class Reduction permits RowReduction, RemoteReduction, SumsReduction {
    /** The number of column names that a warning lists before it says "and 12 more". */
    private static final int MAX_NAMES = 10;

    private final double[] rootCosts;
    private final boolean intercept;
    private final double ridge;
    /** beta on cost-scaled features; null without effects. */
    private final double @Nullable [] effects;

    private @Nullable SphereFamily withEffects;

    /**
     * Stores what all kinds share. Effects are divided by the roots of the costs, and effects that are all 0 count as
     * none.
     *
     * @param rootCosts sqrt(c_j) of each manipulable feature
     * @param intercept whether the first immutable column is the ones of an intercept
     * @param ridge mu
     * @param effects what a move by one unit of each feature adds to the target; null for none
     */
    Reduction(double[] rootCosts, boolean intercept, double ridge, double @Nullable [] effects) {
        this.rootCosts = rootCosts;
        this.intercept = intercept;
        this.ridge = ridge;
        this.effects = scaledEffects(effects, rootCosts);
    }

    private static double @Nullable [] scaledEffects(double @Nullable [] effects, double[] rootCosts) {
        if (effects == null || Arrays.stream(effects).allMatch(value -> value == 0)) {
            return null;
        }
        double[] scaled = effects.clone();
        for (int j = 0; j < scaled.length; j++) {
            scaled[j] /= rootCosts[j];
        }
        return scaled;
    }

    /**
     * Returns the reduction of a game whose rows are in memory or mapped; reads them once. The game's own gamma is not
     * used: the family serves every gamma.
     *
     * @throws IllegalArgumentException if the game is not a sphere problem: gammas differ between rows, moves have
     *     limits, or the loss is not squared
     */
    public static Reduction of(PredictionGame game, Workers workers) {
        return of(game, null, workers);
    }

    /**
     * Reduces a game, and finds the ranges of the columns in the same pass.
     *
     * @param ranges if not null, receives the smallest and largest value of each column
     */
    public static Reduction of(PredictionGame game, ColumnStatistics.@Nullable Ranges ranges, Workers workers) {
        if (!game.population().uniform()) {
            throw new IllegalArgumentException(
                    "A game with a mixed population is not one problem on a sphere, but one for every omega."
                            + "\nMaybe search over omega instead, or use the same gamma for all rows.");
        }
        if (game.bounds().isPresent()) {
            throw new IllegalArgumentException(
                    "A game with limits is not a problem on a sphere: a follower stopped by a limit moves differently."
                            + "\nMaybe reduce it without them, withBounds(null), and search from there.");
        }
        if (!game.loss().isSquared()) {
            throw new IllegalArgumentException(
                    "With the loss " + game.loss()
                            + " a game is not a quadratic problem on a sphere.\nMaybe search with ConvexSearch, or use squared loss.");
        }
        return RowReduction.read(game, ranges, workers);
    }

    /**
     * Returns the reduction of rows on other machines.
     *
     * <p>Reads them twice; once if there are no immutable columns V, three times if V is badly conditioned, and once or
     * twice more for every column of V whose sums do not show whether it is a combination of the others.
     *
     * @param costs c_j of each column of X, positive
     * @param noise s^2, the summed variance of the wishes
     * @param ridge mu, 0 or more
     * @param effects what a move by one unit of each column of X adds to the target; null for none
     * @param intercept whether the first column of V is the ones of an intercept
     */
    public static Reduction ofRemote(
            RemoteRows rows,
            double[] costs,
            double noise,
            double ridge,
            double @Nullable [] effects,
            boolean intercept,
            Workers workers) {
        return new RemoteReduction(rows, rows.totals(), rootsOf(costs), noise, ridge, effects, intercept, workers);
    }

    /**
     * Returns the reduction of rows of which only sums are known; these may have lost digits, see {@link #accurate}.
     *
     * @param sums M'SM of M = [V, X, y, z - y], V the immutable columns; not modified
     * @param costs c_j of each column of X, positive
     * @param noise s^2, the summed variance of the wishes
     * @param ridge mu, 0 or more
     * @param effects what a move by one unit of each column of X adds to the target; null for none
     * @param intercept whether the first column of V is the ones of an intercept
     */
    public static Reduction ofSums(
            Moments sums,
            double[] costs,
            double noise,
            double ridge,
            double @Nullable [] effects,
            boolean intercept,
            Workers workers) {
        return SumsReduction.eliminate(sums, rootsOf(costs), noise, ridge, effects, intercept, workers);
    }

    /** Returns the sphere problems of the game for every gamma. With effects, the first call reads the data once. */
    public final SphereFamily family() {
        return familyWithEffects().withRidge(ridge);
    }

    /** Returns the family with effects, if there are any, and without the ridge. */
    private synchronized SphereFamily familyWithEffects() {
        if (effects == null) {
            return data();
        }
        SphereFamily family = withEffects;
        if (family == null) {
            family = data().withEffects(effects);
            withEffects = family;
        }
        return family;
    }

    /** Returns the family without the ridge and without effects. */
    abstract SphereFamily data();

    /**
     * Returns whether at least half of the digits of every column survived the elimination of the immutable ones.
     * Always true for rows; false for sums that cancelled, in which case the game should be reduced from its rows.
     */
    public boolean accurate() {
        return true;
    }

    /**
     * Returns ||(I - P)(z - y)||^2, weighted: the part of the gap between wish and target that the immutable columns
     * explain.
     */
    public abstract double explainedGap();

    /** Returns the factorisation of the immutable columns. */
    abstract Projection projection();

    /**
     * Returns a warning that names the immutable columns which are combinations of others to rounding and therefore
     * have coefficient 0; empty if there are none.
     *
     * @param names the names of the immutable columns, without the intercept
     * @param known names to leave out, because the user has been warned of them
     */
    public final Optional<String> dependenceWarning(List<String> names, Collection<String> known) {
        int first = intercept ? 1 : 0;
        List<String> dropped = projection().dependent().stream()
                .filter(j -> j >= first)
                .map(j -> names.get(j - first))
                .filter(name -> !known.contains(name))
                .map(name -> "'" + name + "'")
                .toList();
        if (dropped.isEmpty()) {
            return Optional.empty();
        }
        int shown = Math.min(MAX_NAMES, dropped.size());
        return Optional.of("Left out, because floating-point numbers cannot distinguish "
                + (dropped.size() == 1 ? "it from a combination" : "them from combinations")
                + " of the other columns that people cannot change" + (intercept ? " and a constant: " : ": ")
                + String.join(", ", dropped.subList(0, shown))
                + (dropped.size() > shown ? " and " + (dropped.size() - shown) + " more." : "."));
    }

    /**
     * Returns the coefficients q of the immutable columns that minimise ||X v + wish z - y + V q||.
     *
     * @param v coefficients on cost-scaled features
     * @param wish the factor of z, t or tau
     */
    abstract double[] immutablePart(double[] v, double wish);

    /**
     * Returns the rule of a point r of the sphere at one gamma. Its coefficients are infinite or NaN at the limit point
     * r = (0, ..., 0, 1).
     */
    public final LinearRule recover(double[] r, double gamma) {
        if (isAttained(r, gamma)) {
            // of the many rules at this point, the one of smallest norm
            double[] w = SphereGeometry.of(gamma, effects).leastCancellingRule();
            return ruleOf(w, immutablePart(w, 0));
        }
        if (effects != null) {
            return recoverWithEffects(r, SphereGeometry.of(gamma, effects));
        }
        double[] w = SphereGeometry.coefficients(r, gamma);
        double alpha = 0;
        for (double value : w) {
            alpha += value * value / gamma;
        }
        double[] q = scaledImmutablePart(r, gamma);
        Vectors.scale(1 + alpha, q);
        return ruleOf(w, q);
    }

    /** Coefficients of immutable columns up to this size count as 0 in {@link #isAttained}. */
    private static final double NEGLIGIBLE = 1e-9;

    /**
     * Returns whether r is a limit point (tau = 1) that finite rules attain: u = 0 and the immutable columns add
     * nothing. This needs effects: every rule with beta'w = -gamma is there, and each moves all scores to their wishes.
     */
    public final boolean isAttained(double[] r, double gamma) {
        if (effects == null || !SphereGeometry.of(gamma, effects).isCancellingPole(r)) {
            return false;
        }
        double[] q = immutablePart(new double[effects.length], 1);
        return Arrays.stream(q).allMatch(value -> Math.abs(value) <= NEGLIGIBLE);
    }

    /** Returns the rule (u, qHat)/(1 - tau). */
    private LinearRule recoverWithEffects(double[] r, SphereGeometry geometry) {
        double[] q = immutablePart(geometry.scaledCoefficients(r), geometry.tau(r));
        double oneMinusTau = geometry.oneMinusTau(r);
        for (int j = 0; j < q.length; j++) {
            q[j] /= oneMinusTau;
        }
        return ruleOf(geometry.coefficients(r), q);
    }

    /**
     * Returns the rule of a point r divided by 1 + alpha (with effects, times 1 - tau): finite for every r, the limit
     * point included.
     */
    public final LinearRule recoverScaled(double[] r, double gamma) {
        if (effects != null) {
            SphereGeometry geometry = SphereGeometry.of(gamma, effects);
            return ruleOf(
                    geometry.scaledCoefficients(r), immutablePart(geometry.scaledCoefficients(r), geometry.tau(r)));
        }
        double[] w = SphereGeometry.scaledCoefficients(r, gamma);
        return ruleOf(w, immutablePart(w, (1 + r[r.length - 1]) / 2));
    }

    /**
     * Returns the rule with coefficients w on cost-scaled features and the immutable part that is best without moves:
     * least squares given w.
     */
    public final LinearRule naiveRule(double[] w) {
        return ruleOf(w.clone(), immutablePart(w, 0));
    }

    /**
     * Returns P(X w - y), one value per row, the residuals of {@link #naiveRule}, for w on cost-scaled features; empty
     * if the rows are not on this machine.
     */
    public Optional<double[]> residuals(double[] w) {
        return Optional.empty();
    }

    /** Returns q/(1 + alpha), which minimises ||L r - b + V q||, with L r - b = X v + (1 + alphaTilde)/2 z - y. */
    private double[] scaledImmutablePart(double[] r, double gamma) {
        return immutablePart(SphereGeometry.scaledCoefficients(r, gamma), (1 + r[r.length - 1]) / 2);
    }

    /**
     * Returns the rule in the units of the user's features.
     *
     * @param w coefficients on cost-scaled features; overwritten
     * @param q coefficients on the immutable columns, the intercept first if there is one
     */
    private LinearRule ruleOf(double[] w, double[] q) {
        for (int j = 0; j < w.length; j++) {
            w[j] *= rootCosts[j];
        }
        return intercept ? new LinearRule(w, Arrays.copyOfRange(q, 1, q.length), q[0]) : new LinearRule(w, q, 0);
    }

    /** Returns sqrt(c_j) of every cost. */
    static double[] rootsOf(double[] costs) {
        return Arrays.stream(costs).map(Math::sqrt).toArray();
    }

    /**
     * The weighted rows M = [V, X, y, z - y] of a game on other machines, used only through sums over all rows: no
     * result grows with the number of rows.
     *
     * <p>V are the immutable columns, a column of ones first if there is an intercept.
     */
    public interface RemoteRows {
        /** Returns the number of columns of V. */
        int fixed();

        /** Returns the number of columns of X. */
        int features();

        /** Returns the sums that need no product. Costs one read the first time. */
        Totals totals();

        /**
         * Returns M'S(M C) and the squared norms of the columns of M C, for a C with fixed() + features() + 2 rows.
         * Costs one read.
         */
        Product times(DenseMatrix c);

        /** Returns M'SM. Costs one read, and memory for the square of the number of columns. */
        Moments sums();

        /**
         * Sums over the rows that need no product.
         *
         * @param rows the number of rows
         * @param weight sum_i s_i
         * @param squares sum_i s_i x_ij^2 for every column of X
         */
        record Totals(long rows, double weight, double[] squares) {}

        /**
         * The result for one matrix C.
         *
         * @param image M'S(M C)
         * @param squares ||S^{1/2} M c||^2 for every column c of C, summed from the rows of M c
         */
        record Product(DenseMatrix image, double[] squares) {}
    }
}
