package stackelberg.game;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec.Between;
import stackelberg.game.GameSpec.CostUnits;
import stackelberg.game.GameSpec.Intercept;
import stackelberg.game.GameSpec.Side;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.GameSpec.WishUnits;

/**
 * The choices that declare a game: a typed method for each {@link Setting}, for builders of a game, or of an object
 * that contains one.
 *
 * @param <B> the builder itself
 */
@NullMarked
public abstract class GameSetters<B extends GameSetters<B>> {
    /**
     * The default share from which gamma is computed: under today's rule people would close three tenths of the gap to
     * their wish.
     */
    private static final double USUAL_SHARE = 0.3;

    /** The values, in the order of {@link Settings#all}. */
    private @Nullable Object[] values =
            Settings.all().stream().map(Setting::byDefault).toArray();

    protected abstract B self();

    /**
     * Sets any setting; the methods below do the same by name. If the value is refused, the other settings keep theirs.
     */
    public final <T extends @Nullable Object> B set(Setting<T> setting, @Nullable T value) {
        values[setting.index()] = setting.checked(value);
        return self();
    }

    /** Sets any setting from the value of its key in a model file. */
    public final <T extends @Nullable Object> B setFromFile(Setting<T> setting, Object value) {
        if (value instanceof Between interval) {
            // a model file stores the interval and the regret together
            set(Settings.REGRET, interval.regret());
        }
        return set(setting, setting.fromFile(value));
    }

    /** The value declared for a setting so far. */
    @SuppressWarnings("unchecked")
    public final <T extends @Nullable Object> T get(Setting<T> setting) {
        return (T) values[setting.index()];
    }

    /** The game with the values declared so far. */
    protected final GameSpec spec() {
        @Nullable Object[] declared = values.clone();
        Between between = get(Settings.GAMMA_BETWEEN);
        if (get(Settings.REGRET) && between == null) {
            throw Message.Refused.of(
                    "regret-without-interval",
                    "{} needs an interval for gamma, but none is declared.\nMaybe declare one with {}.",
                    Settings.REGRET.any(),
                    Settings.GAMMA_BETWEEN.any());
        }
        boolean undeclared = Double.isNaN(get(Settings.GAMMA)) && get(Settings.GAMMA_SHARE) == null && between == null;
        if (between != null) {
            declared[Settings.GAMMA_BETWEEN.index()] = between.with(get(Settings.REGRET));
            if (Double.isNaN(get(Settings.GAMMA))) {
                declared[Settings.GAMMA.index()] = between.middle();
            }
        } else if (undeclared && get(Settings.ROW_GAMMA) == null) {
            declared[Settings.GAMMA_SHARE.index()] = USUAL_SHARE;
        } else if (undeclared) {
            // with a gamma for each person, the common gamma is not used
            declared[Settings.GAMMA.index()] = 1.0;
        }
        return new GameSpec(declared);
    }

    /** Takes all settings from another game. */
    public final B from(GameSpec spec) {
        values = spec.values();
        return self();
    }

    // ------------------------------------------------------------------ which column is what

    /** The column that holds the truth y. */
    public final B target(@Nullable String column) {
        return set(Settings.TARGET, column);
    }

    /** The score that people want: a column, or an expression in y and other columns, such as {@code max(y,6)}. */
    public final B wish(@Nullable String columnOrExpression) {
        return set(Settings.WISH, columnOrExpression);
    }

    /** A column of sample weights. */
    public final B weight(@Nullable String column) {
        return set(Settings.WEIGHT, column);
    }

    /** A column to report by: a feature only where {@link #features} names it, and kept in the model's provenance. */
    public final B group(@Nullable String column) {
        return set(Settings.GROUP, column);
    }

    /** The identifier column: never a feature; rows are named by it in all outputs. */
    public final B id(@Nullable String column) {
        return set(Settings.ID, column);
    }

    /**
     * Uses only these columns as features, in this order.
     *
     * @param names null for all columns without another role
     */
    public final B features(@Nullable List<String> names) {
        return set(Settings.FEATURES, names);
    }

    /** Ignores these columns. */
    public final B ignore(Set<String> names) {
        return set(Settings.IGNORE, names);
    }

    // ------------------------------------------------------------------ gamma

    /** The cost of moving: a move by delta in feature j costs gamma * cost_j * delta^2. */
    public final B gamma(double value) {
        GameSpec.requirePositive("gamma", value);
        GameSpec.requireSize("gamma", value);
        set(Settings.GAMMA, value);
        set(Settings.GAMMA_SHARE, null);
        return oneGamma();
    }

    /**
     * The cost of moving as a share: under today's rule people would close this share of the gap to their wish, gamma =
     * omega (1 - s)/s with the omega of today's rule. The default is 0.3.
     */
    public final B gammaShare(double share) {
        set(Settings.GAMMA_SHARE, share);
        set(Settings.GAMMA, Double.NaN);
        return oneGamma();
    }

    private B oneGamma() {
        set(Settings.REGRET, false);
        return set(Settings.GAMMA_BETWEEN, null);
    }

    /**
     * An interval for gamma: the rule minimises the worst loss over all gammas in it.
     */
    public final B gammaBetween(double low, double high) {
        GameSpec.requireSize("gamma", low);
        GameSpec.requireSize("gamma", high);
        return between(new Between(low, high, null, null, false));
    }

    /**
     * An interval for gamma, given as shares: under today's rule people would close between these two shares of the gap
     * to their wish.
     */
    public final B gammaSharesBetween(double least, double most) {
        return between(new Between(Double.NaN, Double.NaN, least, most, false));
    }

    private B between(Between interval) {
        set(Settings.GAMMA_BETWEEN, interval);
        set(Settings.GAMMA, Double.NaN);
        return set(Settings.GAMMA_SHARE, null);
    }

    /**
     * With {@link #gammaBetween}: minimises the largest regret instead, the loss minus that of the best rule for the
     * same gamma.
     */
    public final B regret(boolean value) {
        return set(Settings.REGRET, value);
    }

    /**
     * The rule in force now, for {@code today} in wishes and for gamma as a share; by default it is learned from the
     * data.
     */
    public final B today(Today value) {
        return set(Settings.TODAY, value);
    }

    /** The gamma that was computed from the declared share under today's rule; the share is kept. */
    final B resolved(double value, Today found) {
        set(Settings.GAMMA, value);
        return set(Settings.TODAY, found);
    }

    /** The gammas that were computed from the two declared shares. */
    final B settled(double low, double high) {
        Between interval = get(Settings.GAMMA_BETWEEN);
        return set(Settings.GAMMA_BETWEEN, Objects.requireNonNull(interval).settled(low, high));
    }

    /** The worst gamma of the interval; the interval itself is kept. */
    final B worst(double value) {
        GameSpec.requirePositive("gamma", value);
        return set(Settings.GAMMA, value);
    }

    // ------------------------------------------------------------------ how people respond

    /** A column with a gamma for each person, instead of one for all: 1e30 or more for people who never move. */
    public final B rowGamma(@Nullable String column) {
        return set(Settings.ROW_GAMMA, column);
    }

    /** The probability, the same for each person, of not moving at all. */
    public final B truthfulShare(double value) {
        return set(Settings.TRUTHFUL_SHARE, value);
    }

    /** The standard deviation with which the wishes are known. */
    public final B wishNoise(double sd) {
        return set(Settings.WISH_NOISE, sd);
    }

    // ------------------------------------------------------------------ what can be moved, and at what cost

    /**
     * Declares the features that people cannot change.
     *
     * @param names null, the default, for the categorical features
     */
    public final B immutable(@Nullable Set<String> names) {
        return set(Settings.IMMUTABLE, names);
    }

    /** The cost of moving a feature, by its column or by one of its encoded columns; 1 where nothing is declared. */
    public final B cost(String column, double value) {
        return set(Settings.COST, with(get(Settings.COST), column, value));
    }

    /** The units in which the cost of a move is computed. */
    public final B costUnits(CostUnits value) {
        return set(Settings.COST_UNITS, value);
    }

    /**
     * The real change of the target for a move of a feature by one unit of the data, by its column or one of its
     * encoded columns; 0 where nothing is declared.
     */
    public final B effect(String column, double value) {
        return set(Settings.EFFECT, with(get(Settings.EFFECT), column, value));
    }

    private static Map<String, Double> with(Map<String, Double> values, String column, double value) {
        Map<String, Double> more = new LinkedHashMap<>(values);
        more.put(column, value);
        return more;
    }

    /**
     * How far a move can go, in words and in the units of the data: {@code debt>=0}, {@code savings<=1e6}, {@code
     * schooling up}, {@code debt down}, or {@code data} for the range seen in training; may be called again for further
     * limits.
     */
    public final B limit(String words) {
        return set(Settings.LIMIT, get(Settings.LIMIT).and(words));
    }

    /**
     * Declares the only direction in which people want to move their score.
     *
     * @param side null for both directions
     */
    public final B oneSided(@Nullable Side side) {
        return set(Settings.ONE_SIDED, side);
    }

    /** Who can change the constant term. */
    public final B intercept(Intercept value) {
        return set(Settings.INTERCEPT, value);
    }

    // ------------------------------------------------------------------ how columns become the numbers that moves are
    // paid in

    /** How features are scaled before the cost of moves is computed. */
    public final B scaling(Scaling value) {
        return set(Settings.SCALING, value);
    }

    /** How missing values are treated. */
    public final B missing(Missing value) {
        return set(Settings.MISSING, value);
    }

    // ------------------------------------------------------------------ what the leader minimises

    /**
     * The ridge penalty per person and scaled feature: 0 is none, 0.1 moderate, 10 close to a constant rule. Without it
     * a rule with as many coefficients as people overfits.
     */
    public final B ridge(double value) {
        return set(Settings.RIDGE, value);
    }

    /**
     * Bounds the loss before any move: {@link Hedge#BALANCED} makes the larger of the two excesses over the best rules,
     * before and after the move, as small as possible; {@link Hedge#NONE} gives the best rule after the move. The
     * default, null, is balanced, and none where another setting or a solver cannot be combined with it.
     */
    public final B hedge(@Nullable Hedge value) {
        return set(Settings.HEDGE, value);
    }

    /**
     * Asks for the best rule after the move among those whose root mean squared error (for other losses: mean loss)
     * before any move is at most 1 + worse times the smallest possible one.
     */
    public final B hedge(double worse) {
        return hedge(Hedge.atMost(worse));
    }

    /**
     * The loss: squared by default, {@link Loss#LOGISTIC} for a yes-or-no target, {@link Loss#huber} for a target with
     * outliers.
     */
    public final B loss(Loss value) {
        return set(Settings.LOSS, value);
    }

    /** The unit of wishes with logistic loss: probabilities by default, or log-odds. */
    public final B wishUnits(WishUnits value) {
        return set(Settings.WISH_UNITS, value);
    }

    /**
     * The value or values of the target that mean yes: {@code default}, {@code 1}, {@code >=6}; where the target has
     * two values it is found if none is declared.
     */
    public final B yes(String value) {
        return set(Settings.YES, Settings.YES.read(value));
    }

    /**
     * The paper's protocol: range scaling, an intercept people can move, full one-hot encoding, nothing immutable;
     * unless they are given, gamma is 1 and there is no hedge.
     */
    public final B paper() {
        if (Double.isNaN(get(Settings.GAMMA))
                && get(Settings.GAMMA_SHARE) == null
                && get(Settings.GAMMA_BETWEEN) == null) {
            set(Settings.GAMMA, 1.0);
        }
        if (get(Settings.HEDGE) == null) {
            set(Settings.HEDGE, Hedge.NONE);
        }
        set(Settings.SCALING, Scaling.RANGE);
        set(Settings.FULL_ONE_HOT, true);
        set(Settings.IMMUTABLE, Set.of());
        return set(Settings.INTERCEPT, Intercept.MANIPULABLE);
    }
}
