/**
 * The rule of a model for use elsewhere: as SQL and as PMML. Both say what the model's own predictions are, missing values and unknown levels included.
 *
 * <pre>{@code
 * StackelbergModel model = ModelFile.load(Path.of("model.json"));
 * String query = RuleAsSql.select(model, Encoding.UnknownLevel.ZERO, "people");
 * String expression = RuleAsSql.expression(model, Encoding.UnknownLevel.ERROR);
 * String pmml = RuleAsPmml.document(model, Encoding.UnknownLevel.ERROR);
 * }</pre>
 */
package stackelberg.model.export;
