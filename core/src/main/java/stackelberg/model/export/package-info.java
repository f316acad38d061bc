/**
 * The rule of a model for use elsewhere: as SQL and as PMML, which say what the model's own predictions are, missing values and unknown levels included, and as a
 * scorecard of whole points, which says what rounding costs.
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
