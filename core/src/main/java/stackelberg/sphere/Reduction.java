package stackelberg.sphere;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import stackelberg.game.LinearRule;
import stackelberg.game.Moments;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The way from a game to the sphere and back, whatever is at hand of its rows: r = (wTilde, alphaTilde) with wTilde = 2w / (sqrt(gamma)(1 +
 * alpha)), alphaTilde = (alpha - 1)/(alpha + 1), alpha = w'w/gamma, w on cost-scaled features. Its kinds are the only types that know both sides.
 */
public abstract sealed class Reduction permits RowReduction, RemoteReduction, SumsReduction {
    /** A line holds no more names. */
    private static final int MOST_NAMED = 10;

    private final double[] rootCosts;
    private final boolean intercept;
    private final double ridge;
    /** beta on cost-scaled features; null where moves do nothing to the target. */
    private final double[] effects;

    private SphereFamily real;

    /**
     * @param intercept whether the first column that nobody can change is the ones of an intercept
     * @param ridge mu
     * @param effects of a move by one of each feature on the target; null for nothing
     */
    Reduction(double[] rootCosts, boolean intercept, double ridge, double[] effects) {
        this.rootCosts = rootCosts;
        this.intercept = intercept;
        this.ridge = ridge;
        this.effects = effects == null || Arrays.stream(effects).allMatch(value -> value == 0) ? null : effects.clone();
        for (int j = 0; this.effects != null && j < effects.length; j++) {
            this.effects[j] /= rootCosts[j];
        }
    }

    /** The rows are at hand: reads the game's data once; its gamma plays no part. */
    public static Reduction of(PredictionGame game, Workers workers) {
        return of(game, null, workers);
    }

    /** @param ranges receives the smallest and largest values of the columns in the same read; may be null */
    public static Reduction of(PredictionGame game, ColumnStatistics.Ranges ranges, Workers workers) {
        if (!game.population().uniform()) {
            throw new IllegalArgumentException(
                    "A game with a mixed population is not one problem on a sphere, but one for every omega."
                            + "\nMaybe search over omega instead, or give everybody the same gamma.");
        }
        if (game.bounds().isPresent()) {
            throw new IllegalArgumentException(
                    "A game with limits is no problem on a sphere: people who stop move otherwise."
                            + "\nMaybe reduce it without them, withBounds(null), and search from there.");
        }
        if (!game.loss().isSquared()) {
            throw new IllegalArgumentException(
                    "By the loss " + game.loss()
                            + " a game is no quadratic problem on a sphere.\nMaybe search with ConvexSearch, or use squared loss.");
        }
        return RowReduction.read(game, ranges, workers);
    }

    /**
     * The rows are kept elsewhere: reads them twice, once if V is empty, three times if it is badly conditioned, and once or twice more for every
     * column of V that only they can tell from a combination of others.
     *
     * @param costs one for each column of X
     * @param noise s^2, the summed variance of the wishes
     * @param ridge mu
     * @param effects of a move by one of each column of X on the target; null for nothing
     * @param intercept whether the first column of V is the ones of an intercept
     */
    public static Reduction ofRemote(
            RemoteRows rows,
            double[] costs,
            double noise,
            double ridge,
            double[] effects,
            boolean intercept,
            Workers workers) {
        return new RemoteReduction(rows, rows.totals(), rootsOf(costs), noise, ridge, effects, intercept, workers);
    }

    /**
     * Only sums over the rows are at hand; they may have lost digits, see {@link #accurate}.
     *
     * @param sums M'SM of M = [V, X, y, z - y], V the columns nobody can change; not changed
     * @param costs one for each column of X
     * @param noise s^2, the summed variance of the wishes
     * @param ridge mu
     * @param effects of a move by one of each column of X on the target; null for nothing
     * @param intercept whether the first column of V is the ones of an intercept
     */
    public static Reduction ofSums(
            Moments sums,
            double[] costs,
            double noise,
            double ridge,
            double[] effects,
            boolean intercept,
            Workers workers) {
        return SumsReduction.eliminate(sums, rootsOf(costs), noise, ridge, effects, intercept, workers);
    }

    /** The sphere problems of the game, every gamma at once; where moves really change the target, the first call reads the data once. */
    public final SphereFamily family() {
        return real().withRidge(ridge);
    }

    /** The same without the ridge. */
    private synchronized SphereFamily real() {
        if (effects == null) {
            return data();
        }
        if (real == null) {
            real = data().withEffects(effects);
        }
        return real;
    }

    /** The same without the ridge and without effects. */
    abstract SphereFamily data();

    /** Whether at least half of the digits of every column are left: always from rows, not always from sums; then the rows should be asked. */
    public boolean accurate() {
        return true;
    }

    /** What is known of the columns nobody can change. */
    abstract Projection projection();

    /**
     * What a user should know of immutable columns that the numbers cannot tell from combinations of others: their coefficients are 0.
     *
     * @param names of the immutable columns, the intercept left out
     * @param known names that need not be told again
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
        int shown = Math.min(MOST_NAMED, dropped.size());
        return Optional.of("Left out, because the digits cannot tell "
                + (dropped.size() == 1 ? "it from a combination" : "them from combinations")
                + " of the other columns that nobody can change" + (intercept ? " and a constant: " : ": ")
                + String.join(", ", dropped.subList(0, shown))
                + (dropped.size() > shown ? " and " + (dropped.size() - shown) + " more." : "."));
    }

    /** Coefficients q on the columns nobody can change that minimise ||X v + wish z - y + V q||. */
    abstract double[] immutablePart(double[] v, double wish);

    /** The rule of a point r on the sphere at one gamma; not finite where r = (0, ..., 0, 1). */
    public final LinearRule recover(double[] r, double gamma) {
        if (isAttained(r, gamma)) {
            double[] w = SphereGeometry.of(gamma, effects).cancelling();
            return ruleOf(w, immutablePart(w, 0));
        }
        if (effects != null) {
            return recoverReal(r, SphereGeometry.of(gamma, effects));
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

    /** What the immutable columns have left to explain is nothing, where it is less. */
    private static final double NOTHING = 1e-9;

    /**
     * Whether tau = 1 at r, and yet finite rules are there: u = 0, and the immutable columns add nothing, so that everybody's score ends where it was wished
     * whatever the rule predicts.
     */
    public final boolean isAttained(double[] r, double gamma) {
        if (effects == null || !SphereGeometry.of(gamma, effects).isCancelled(r)) {
            return false;
        }
        double[] q = immutablePart(new double[effects.length], 1);
        return Arrays.stream(q).allMatch(value -> Math.abs(value) <= NOTHING);
    }

    /** (u, qHat)/(1 - tau). */
    private LinearRule recoverReal(double[] r, SphereGeometry geometry) {
        double[] q = immutablePart(geometry.scaled(r), geometry.gamed(r));
        double kept = geometry.kept(r);
        for (int j = 0; j < q.length; j++) {
            q[j] /= kept;
        }
        return ruleOf(geometry.coefficients(r), q);
    }

    /** The rule of a point r, divided by 1 + alpha, with effects times 1 - tau: finite for every r, "believe everybody" included. */
    public final LinearRule recoverScaled(double[] r, double gamma) {
        if (effects != null) {
            SphereGeometry geometry = SphereGeometry.of(gamma, effects);
            return ruleOf(geometry.scaled(r), immutablePart(geometry.scaled(r), geometry.gamed(r)));
        }
        double[] w = SphereGeometry.scaledCoefficients(r, gamma);
        return ruleOf(w, immutablePart(w, (1 + r[r.length - 1]) / 2));
    }

    /** The rule whose coefficients on the cost-scaled features are w, with the best immutable part if nobody moves: least squares given w. */
    public final LinearRule naiveRule(double[] w) {
        return ruleOf(w.clone(), immutablePart(w, 0));
    }

    /** P(X w - y), row by row, for w on the cost-scaled features: what {@link #naiveRule} leaves of y; empty where the rows are not at hand. */
    public Optional<double[]> residuals(double[] w) {
        return Optional.empty();
    }

    /** q/(1 + alpha), which minimises ||L r - b + V q||; L r - b = X v + (1 + alphaTilde)/2 z - y. */
    private double[] scaledImmutablePart(double[] r, double gamma) {
        return immutablePart(SphereGeometry.scaledCoefficients(r, gamma), (1 + r[r.length - 1]) / 2);
    }

    /** From coefficients on the cost-scaled features, which become those on the features, and on the columns nobody can change. */
    private LinearRule ruleOf(double[] w, double[] q) {
        for (int j = 0; j < w.length; j++) {
            w[j] *= rootCosts[j];
        }
        return intercept ? new LinearRule(w, Arrays.copyOfRange(q, 1, q.length), q[0]) : new LinearRule(w, q, 0);
    }

    static double[] rootsOf(double[] costs) {
        return Arrays.stream(costs).map(Math::sqrt).toArray();
    }

    /**
     * The rows M = [V, X, y, z - y] of a game that are kept elsewhere, each with a weight: all that is ever asked of them is sums over all rows.
     *
     * <p>V are the columns nobody can change, a column of ones first if there is an intercept. Nothing of the size of the rows comes back.
     */
    public interface RemoteRows {
        /** How many columns V has. */
        int fixed();

        /** How many columns X has. */
        int features();

        /** What is known of the rows before the first product; one read, the first time. */
        Totals totals();

        /** M'S(M C) for a C with fixed() + features() + 2 rows, and how large the columns of M C are: one read. */
        Product times(DenseMatrix c);

        /** M'SM itself, for few columns; one read. */
        Moments sums();

        /**
         * Sums that need no vector.
         *
         * @param rows how many there are
         * @param weight sum_i s_i
         * @param squares sum_i s_i x_ij^2 for every column of X
         */
        record Totals(long rows, double weight, double[] squares) {}

        /**
         * The answer to one C.
         *
         * @param image M'S(M C)
         * @param squares ||S^{1/2} M c||^2 for every column c of C, summed from the rows of M c
         */
        record Product(DenseMatrix image, double[] squares) {}
    }
}
