/**
 * The game: its declaration, the sample made from a declaration and a table, and the best response of the followers.
 *
 * <p>A {@link stackelberg.game.GameSpec} holds every setting of a game. A {@link stackelberg.game.Sample} holds the data of a game, made from a table: rows in
 * use, encoded columns, target values, wishes and weights. A {@link stackelberg.game.PredictionGame} is the same as plain arrays and
 * matrices, which the solvers need. {@link stackelberg.game.Response} is the only place with the formula of a follower's move. The package depends
 * on data and matrices only; it knows nothing of the sphere or of the solvers.
 *
 * <pre>{@code
 * GameSpec spec = GameSpec.builder()
 *         .target("score")
 *         .wish("max(y,6)") // every follower wants a score of at least 6
 *         .gamma(0.5) // what a move costs
 *         .immutable(Set.of("age"))
 *         .build();
 * Sample sample = Sample.of(spec, table, workers);
 * PredictionGame game = sample.game();
 * LinearRule rule = new LinearRule(new double[game.x().cols()], new double[game.immutable().length], 6);
 * double loss = game.leaderLoss(rule, workers); // after all followers have moved
 * double share = Response.pullThrough(2, 0.5); // share of the gap to the wish that is closed where w'w = 2
 * }</pre>
 */
@NullMarked
package stackelberg.game;

import org.jspecify.annotations.NullMarked;
