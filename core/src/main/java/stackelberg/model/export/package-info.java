/**
 * Exports a model's rule for use elsewhere: as SQL and PMML, which compute the model's own predictions, missing values
 * and unknown levels included, and as a scorecard of whole points, with the cost of rounding.
 *
 * <pre>{@code
 * StackelbergModel model = ModelFile.load(Path.of("model.json"));
 * String query = RuleAsSql.select(model, Encoding.UnknownLevel.ZERO, "people");
 * String expression = RuleAsSql.expression(model, Encoding.UnknownLevel.ERROR);
 * String pmml = RuleAsPmml.document(model, Encoding.UnknownLevel.ERROR);
 * Scorecard card = Scorecard.of(model, Scorecard.Scale.USUAL);
 * }</pre>
 */
@NullMarked
package stackelberg.model.export;

import org.jspecify.annotations.NullMarked;
