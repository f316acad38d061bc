/**
 * The game: what is declared of it, what that makes of data, and what people do.
 *
 * <p>A {@link stackelberg.game.GameSpec} is everything that is declared, a {@link stackelberg.game.Sample} what it makes of a table, a {@link
 * stackelberg.game.PredictionGame} the numbers that are played with. {@link stackelberg.game.Response} is the only place that says what a move
 * does. Games know data and matrices; that they are solved on a sphere, and by whom, they do not know.
 *
 * <pre>{@code
 * GameSpec spec = GameSpec.builder()
 *         .target("score")
 *         .wish("max(y,6)") // everybody wants at least a 6
 *         .gamma(0.5) // what a move costs
 *         .immutable(Set.of("age"))
 *         .build();
 * Sample sample = Sample.of(spec, table, workers);
 * PredictionGame game = sample.game();
 * LinearRule rule = new LinearRule(new double[game.x().cols()], new double[game.immutable().length], 6);
 * double loss = game.leaderLoss(rule, workers); // after everybody has moved
 * double share = Response.pullThrough(2, 0.5); // of the gap to a wish that is closed, where w'w = 2
 * }</pre>
 */
package stackelberg.game;
