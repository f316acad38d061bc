package stackelberg.spark;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.game.GameSpec;

/** The games that the params can declare. Whatever else a {@link GameSpec} says is refused by its name there, because nothing here would honour it. */
final class SparkGame {
    private SparkGame() {}

    /** @param source where the game comes from, for the message */
    static void require(GameSpec game, String source) {
        GameSpec.Columns columns = game.columns();
        GameSpec.Moves moves = game.moves();
        GameSpec.Units units = game.units();
        List<String> refused = Stream.of(
                        named(game.rowGamma() != null, "rowGamma", game.rowGamma()),
                        named(game.truthfulShare() > 0, "truthfulShare", game.truthfulShare()),
                        named(game.hedge() != null, "hedge", game.hedge()),
                        named(!game.loss().isSquared(), "loss", game.loss()),
                        named(
                                !game.limits().inWords().isEmpty(),
                                "limit",
                                String.join(", ", game.limits().inWords())),
                        named(
                                game.limits().oneSided() != null,
                                "oneSided",
                                game.limits().oneSided()),
                        named(columns.group() != null, "group", columns.group()),
                        named(columns.features() == null, "features", "all"),
                        named(!isColumn(columns.wish()), "wish", columns.wish()),
                        named(moves.immutable() == null, "immutable", "the categories"),
                        named(moves.intercept() == GameSpec.Intercept.MANIPULABLE, "intercept", moves.intercept()),
                        named(units.scaling() != Scaling.NONE, "scaling", units.scaling()),
                        named(units.missing() != Missing.ERROR, "missing", units.missing()),
                        named(units.fullOneHot(), "fullOneHot", true))
                .filter(Objects::nonNull)
                .toList();
        if (!refused.isEmpty()) {
            throw refusal(source, String.join(", ", refused));
        }
        if (!sayable(game).equals(game)) {
            throw refusal(source, "more than " + sayable(game) + ", namely " + game);
        }
    }

    private static IllegalArgumentException refusal(String source, String what) {
        return new IllegalArgumentException("'" + source + "' is of a game that says " + what
                + "; Spark's params cannot say that, and its model would not honour it.\nMaybe load it with the core's"
                + " ModelFile, or fit the game on Spark.");
    }

    private static String named(boolean beyond, String setting, Object value) {
        return beyond ? setting + "(" + value + ")" : null;
    }

    /** Whether a wish is nothing but a column, in the quotes that every fit on Spark gives it. */
    private static boolean isColumn(String wish) {
        return wish != null && wish.matches("(?s)`(``|[^`])+`");
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
                        GameSpec.CostUnits.SCALED,
                        moves.intercept(),
                        moves.effects(),
                        GameSpec.Limits.NONE),
                new GameSpec.Units(Scaling.NONE, Missing.ERROR, false),
                game.aim());
    }
}
