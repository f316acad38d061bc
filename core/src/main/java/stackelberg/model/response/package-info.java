/**
 * What happens when a rule is published: which features people move, how far and at what cost; the losses of the rule
 * before and after the move; comparisons of rules; repeated retraining; and estimates of gamma and of effects from
 * observed moves.
 *
 * <p>Everything here takes a published rule and a world; it does not matter how the rule was found.
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
