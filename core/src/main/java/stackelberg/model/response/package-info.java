/**
 * What people do when a rule is published, and what it does to the rule: who moves what, how far and at what cost; losses honest and after the move;
 * rules compared; gamma estimated from moves that were seen.
 *
 * <p>Everything here is about a published rule and a world, whoever fitted it.
 *
 * <pre>{@code
 * double[] predictions = model.predict(table);
 * double[] wishes = model.wishes(table, predictions).orElseThrow();
 * Followers people = Followers.of(model.gamma(), predictions, wishes);
 * Responses responses = Responses.of(model.world(), model.rule(), table, people);
 * double after = responses.after(0); // the first person's score after its move
 * double cost = responses.cost(0);
 * Followers judged = people.withTruth(table.numeric("score").values(), model.world().weights(table));
 * RuleEvaluation evaluation = RuleEvaluation.of(model.world(), model.rule(), judged);
 * double honest = evaluation.honest().rmse();
 * double moved = evaluation.moved().rmse();
 * }</pre>
 */
package stackelberg.model.response;
