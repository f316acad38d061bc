/**
 * The rule of a model for use elsewhere: as SQL and as PMML. Both say what the model's own predictions are, missing values and unknown levels included.
 *
 * <pre>{@code
 * StackelbergModel model = ModelFile.load(Path.of("model.json"));
 * String query = RuleAsSql.select(model, UnknownLevel.ZERO, "people");
 * String expression = RuleAsSql.expression(model, UnknownLevel.ERROR);
 * String pmml = RuleAsPmml.document(model, UnknownLevel.ERROR);
 * }</pre>
 */
package stackelberg.model.export;
