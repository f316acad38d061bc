package stackelberg.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec;

/** The games that the params can declare. Whatever else a {@link GameSpec} says is refused by its name there, because nothing here would honour it. */
final class SparkGame {
    private SparkGame() {}

    /** @param source the file that the game comes from, for the message */
    static void require(GameSpec game, String source) {
        require(
                game,
                "'" + source + "' is of a game that",
                "load it with the core's ModelFile, or fit the game on Spark");
    }

    private static void require(GameSpec game, String who, String advice) {
        GameSpec.Columns columns = game.columns();
        GameSpec.Moves moves = game.moves();
        GameSpec.Units units = game.units();
        List<String> refused = Stream.of(
                        named(
                                Double.isNaN(game.people().gamma()) && game.between() == null,
                                "gammaShare",
                                game.people().gammaShare()),
                        named(game.rowGamma() != null, "rowGamma", game.rowGamma()),
                        named(game.truthfulShare() > 0, "truthfulShare", game.truthfulShare()),
                        named(game.hedge() != null, "hedge", game.hedge()),
                        named(!game.loss().isSquared(), "loss", game.loss()),
                        named(
                                game.between() != null,
                                "gammaBetween",
                                game.between() == null
                                        ? null
                                        : game.between().low() + ", "
                                                + game.between().high()),
                        named(
                                !game.limits().inWords().isEmpty(),
                                "limit",
                                String.join(", ", game.limits().inWords())),
                        named(
                                game.limits().oneSided() != null,
                                "oneSided",
                                game.limits().oneSided()),
                        named(columns.group() != null, "group", columns.group()),
                        named(columns.id() != null, "id", columns.id()),
                        named(columns.features() == null, "features", "all"),
                        named(!columns.ignore().isEmpty(), "ignore", String.join(", ", columns.ignore())),
                        named(!isSayable(columns.wish()), "wish", columns.wish()),
                        named(moves.immutable() == null, "immutable", "the categories"),
                        named(moves.intercept() == GameSpec.Intercept.MANIPULABLE, "intercept", moves.intercept()),
                        named(units.scaling() != Scaling.NONE, "scaling", units.scaling()),
                        named(units.missing() != Missing.ERROR, "missing", units.missing()),
                        named(units.fullOneHot(), "fullOneHot", true))
                .filter(Objects::nonNull)
                .toList();
        if (!refused.isEmpty()) {
            throw refusal(who, String.join(", ", refused), advice);
        }
        if (!sayable(game).equals(game)) {
            throw refusal(who, "more than " + sayable(game) + ", namely " + game, advice);
        }
    }

    private static IllegalArgumentException refusal(String who, String what, String advice) {
        return new IllegalArgumentException(who + " says " + what
                + "; Spark's params cannot say that, and its model would not honour it.\nMaybe " + advice + ".");
    }

    /** The estimator whose params say all of a game. */
    static StackelbergRegression estimator(GameSpec game) {
        require(game, "The game", "fit it with the core");
        List<String> names = game.columns().features();
        StackelbergRegression estimator = new StackelbergRegression()
                .setLabelCol(game.target())
                .setGamma(game.gamma())
                .setWishNoise(game.wishNoise())
                .setRidge(game.ridge())
                .setFitIntercept(game.intercept() == GameSpec.Intercept.IMMUTABLE);
        Wishes.parse(game.wish()).column().ifPresentOrElse(estimator::setWishCol, () -> estimator.setWish(game.wish()));
        if (game.weight() != null) {
            estimator.setWeightCol(game.weight());
        }
        GameSpec.Moves moves = game.moves();
        if (!moves.costs().isEmpty()) {
            estimator.setCosts(inOrder(moves.costs(), 1, names));
        }
        if (moves.hasEffects()) {
            estimator.setEffects(inOrder(moves.effects(), 0, names));
        }
        return estimator.setImmutableFeatures(moves.immutable().stream()
                .mapToInt(name -> position(name, names))
                .toArray());
    }

    private static double[] inOrder(Map<String, Double> byName, double otherwise, List<String> names) {
        double[] values = new double[names.size()];
        Arrays.fill(values, otherwise);
        byName.forEach((name, value) -> values[position(name, names)] = value);
        return values;
    }

    private static int position(String name, List<String> names) {
        int position = names.indexOf(name);
        if (position < 0) {
            throw new IllegalArgumentException("The game speaks of '" + name + "', which is not among its features "
                    + String.join(", ", names) + ".");
        }
        return position;
    }

    private static String named(boolean beyond, String setting, Object value) {
        return beyond ? setting + "(" + value + ")" : null;
    }

    /** Whether a wish looks at columns only, and not at today's scores or the current prediction, which nobody knows here. */
    private static boolean isSayable(String text) {
        if (text == null) {
            return false;
        }
        Wish wish = Wishes.parse(text);
        return !wish.usesToday() && !wish.usesPrediction();
    }

    /** All of the game that the params can say. */
    private static GameSpec sayable(GameSpec game) {
        GameSpec.Columns columns = game.columns();
        GameSpec.Moves moves = game.moves();
        return new GameSpec(
                new GameSpec.Columns(
                        columns.target(), columns.wish(), columns.weight(), null, null, columns.features(), Set.of()),
                // a share is a number by now, and wishes are a column: today's rule is for tables only
                new GameSpec.People(game.gamma(), game.people().gammaShare(), game.today(), null, 0, game.wishNoise()),
                new GameSpec.Moves(
                        moves.immutable(),
                        moves.costs(),
                        // without scaling they are the same
                        moves.costUnits(),
                        moves.intercept(),
                        moves.effects(),
                        GameSpec.Limits.NONE),
                new GameSpec.Units(Scaling.NONE, Missing.ERROR, false),
                game.aim());
    }
}
