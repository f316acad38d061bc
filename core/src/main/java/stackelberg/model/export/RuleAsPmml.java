package stackelberg.model.export;

import java.util.ArrayList;
import java.util.List;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Missing;
import stackelberg.model.StackelbergModel;

/**
 * A model's prediction as PMML 4.4: a RegressionModel with its data dictionary, or a Scorecard of whole points. Where the loss is logistic the prediction is the
 * probability of a yes, and its log-odds are the score.
 *
 * <p>Missing values and unknown levels follow the model: refused as invalid, without a prediction (drop), or replaced.
 */
public final class RuleAsPmml {
    private static final String NAMESPACE = "http://www.dmg.org/PMML-4_4";

    private final StackelbergModel model;
    private final Encoding.UnknownLevel unknown;
    private final StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    private final List<String> open = new ArrayList<>();

    private RuleAsPmml(StackelbergModel model, Encoding.UnknownLevel unknown) {
        this.model = model;
        this.unknown = unknown;
    }

    /** The whole document. */
    public static String document(StackelbergModel model, Encoding.UnknownLevel unknown) {
        RuleAsPmml rule = new RuleAsPmml(model, unknown);
        rule.write();
        return rule.xml + "\n";
    }

    /** A card whose points and reasons are those of a scorecard: a reason is a column by which somebody has fewer points than people of its mean. */
    public static String document(StackelbergModel model, Scorecard card, Encoding.UnknownLevel unknown) {
        RuleAsPmml rule = new RuleAsPmml(model, unknown);
        rule.write(card);
        return rule.xml + "\n";
    }

    private void head() {
        start("PMML", "xmlns", NAMESPACE, "version", "4.4");
        start("Header", "description", "The rule that is best after people have responded to it");
        leaf("Application", "name", "Stackelberg", "version", model.provenance().version());
        end();
    }

    private void write() {
        boolean logistic = model.game().loss().isLogistic();
        head();
        dictionary(logistic);
        if (logistic) {
            start(
                    "RegressionModel",
                    "functionName",
                    "classification",
                    "algorithmName",
                    "Stackelberg logistic regression",
                    "normalizationMethod",
                    "logit");
        } else {
            start("RegressionModel", "functionName", "regression", "algorithmName", "Stackelberg regression");
        }
        miningSchema();
        start("Output");
        if (logistic) {
            output("prediction", "probability", "value", yes());
        } else {
            output("prediction", "predictedValue");
        }
        end();
        table(logistic);
        if (logistic) {
            leaf("RegressionTable", "intercept", "0", "targetCategory", no());
        }
        end();
        end();
    }

    private void output(String name, String feature, String... more) {
        List<String> field = new ArrayList<>(
                List.of("name", name, "optype", "continuous", "dataType", "double", "feature", feature));
        field.addAll(List.of(more));
        leaf("OutputField", field.toArray(String[]::new));
    }

    /** The target's own words for a yes and a no, where it has two. */
    private String yes() {
        String yes = model.game().answers().yes();
        return yes == null || model.game().answers().no() == null ? "yes" : yes;
    }

    private String no() {
        String no = model.game().answers().no();
        return no == null ? "no" : no;
    }

    private void write(Scorecard card) {
        head();
        dictionary(false);
        start(
                "Scorecard",
                "functionName",
                "regression",
                "algorithmName",
                "Stackelberg logistic regression",
                "initialScore",
                String.valueOf(card.start()),
                "useReasonCodes",
                "true",
                "reasonCodeAlgorithm",
                "pointsBelow",
                "baselineMethod",
                "mean");
        miningSchema();
        start("Output");
        output("points", "predictedValue");
        long characteristics = model.encoding().features().stream()
                .filter(feature -> !feature.columns().isEmpty())
                .count();
        for (int rank = 1; rank <= characteristics; rank++) {
            leaf(
                    "OutputField",
                    "name",
                    "reason" + rank,
                    "optype",
                    "categorical",
                    "dataType",
                    "string",
                    "feature",
                    "reasonCode",
                    "rank",
                    String.valueOf(rank));
        }
        end();
        start("Characteristics");
        int next = 0;
        for (Encoding.Feature feature : model.encoding().features()) {
            int count = feature.columns().size();
            if (count > 0) {
                characteristic(feature, card.lines().subList(next, next + count));
            }
            next += count;
        }
        end();
        end();
        end();
    }

    private void characteristic(Encoding.Feature feature, List<Scorecard.Line> lines) {
        String baseline = number(feature.categorical() ? 0 : lines.get(0).baseline());
        start(
                "Characteristic",
                "name",
                feature.column() + " points",
                "baselineScore",
                baseline,
                "reasonCode",
                feature.column());
        if (feature.categorical()) {
            List<String> rest = new ArrayList<>(feature.levels());
            for (int k = 0; k < lines.size(); k++) {
                String level = feature.columns().get(k).indicated();
                rest.remove(level);
                level(feature, level, lines.get(k).points());
            }
            rest.forEach(level -> level(feature, level, 0));
            if (unknown == Encoding.UnknownLevel.ZERO) {
                start("Attribute", "partialScore", "0");
                leaf("SimplePredicate", "field", feature.column(), "operator", "isNotMissing");
                end();
            }
        } else {
            Scorecard.Line line = lines.get(0);
            start("Attribute");
            leaf("True");
            start("ComplexPartialScore");
            start("Apply", "function", "*");
            start("Apply", "function", "/");
            leaf("FieldRef", "field", feature.column());
            value(line.step());
            end();
            value(line.points());
            end();
            end();
            end();
        }
        end();
    }

    private void level(Encoding.Feature feature, String level, long points) {
        start("Attribute", "partialScore", String.valueOf(points));
        leaf("SimplePredicate", "field", feature.column(), "operator", "equal", "value", level);
        end();
    }

    private void value(double value) {
        newLine().append("<Constant dataType=\"double\">").append(value).append("</Constant>");
    }

    private void dictionary(boolean answers) {
        start("DataDictionary");
        for (Encoding.Feature feature : model.encoding().features()) {
            if (feature.categorical()) {
                start("DataField", "name", feature.column(), "optype", "categorical", "dataType", "string");
                for (String level : feature.levels()) {
                    leaf("Value", "value", level);
                }
                end();
            } else {
                leaf("DataField", "name", feature.column(), "optype", "continuous", "dataType", "double");
            }
        }
        if (answers) {
            start("DataField", "name", model.game().chosenTarget(), "optype", "categorical", "dataType", "string");
            leaf("Value", "value", yes());
            leaf("Value", "value", no());
            end();
        } else {
            leaf("DataField", "name", model.game().chosenTarget(), "optype", "continuous", "dataType", "double");
        }
        end();
    }

    private void miningSchema() {
        start("MiningSchema");
        for (Encoding.Feature feature : model.encoding().features()) {
            List<String> field = new ArrayList<>(List.of("name", feature.column()));
            if (model.encoding().missing() == Missing.MEAN) {
                field.addAll(List.of(
                        "missingValueTreatment",
                        feature.categorical() ? "asMode" : "asMean",
                        "missingValueReplacement",
                        feature.categorical() ? feature.replacement() : String.valueOf(feature.mean())));
            } else if (model.encoding().missing() == Missing.ERROR || feature.categorical()) {
                // a category that is missing would count as the base
                field.addAll(List.of("missingValueTreatment", "returnInvalid"));
            }
            if (feature.categorical() && unknown == Encoding.UnknownLevel.ZERO) {
                field.addAll(List.of("invalidValueTreatment", "asIs"));
            }
            leaf("MiningField", field.toArray(String[]::new));
        }
        leaf("MiningField", "name", model.game().chosenTarget(), "usageType", "target");
        end();
    }

    /** Numeric predictors stand before categorical ones, as the schema wants. */
    private void table(boolean logistic) {
        List<String> head = new ArrayList<>(List.of("intercept", number(model.intercept())));
        if (logistic) {
            head.addAll(List.of("targetCategory", yes()));
        }
        start("RegressionTable", head.toArray(String[]::new));
        for (boolean categorical : new boolean[] {false, true}) {
            int term = 0;
            for (Encoding.Feature feature : model.encoding().features()) {
                for (EncodedColumn column : feature.columns()) {
                    String coefficient = number(model.terms().get(term++).coefficient());
                    if (feature.categorical() != categorical) {
                        continue;
                    }
                    if (categorical) {
                        leaf(
                                "CategoricalPredictor",
                                "name",
                                feature.column(),
                                "value",
                                column.indicated(),
                                "coefficient",
                                coefficient);
                    } else {
                        leaf("NumericPredictor", "name", feature.column(), "coefficient", coefficient);
                    }
                }
            }
        }
        end();
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            throw DataException.of(
                    "coefficient-not-finite",
                    "The rule has a coefficient that is {}, which PMML cannot say.\n"
                            + "Maybe the model has no finite equilibrium.",
                    value);
        }
        return String.valueOf(value);
    }

    private void start(String name, String... attributes) {
        element(name, attributes, ">");
        open.add(name);
    }

    private void end() {
        String name = open.remove(open.size() - 1);
        newLine().append("</").append(name).append('>');
    }

    private void leaf(String name, String... attributes) {
        element(name, attributes, "/>");
    }

    private void element(String name, String[] namesAndValues, String close) {
        newLine().append('<').append(name);
        for (int k = 0; k < namesAndValues.length; k += 2) {
            xml.append(' ').append(namesAndValues[k]).append("=\"");
            attribute(namesAndValues[k + 1]);
            xml.append('"');
        }
        xml.append(close);
    }

    /** Ends of lines and tabs by their numbers, because whoever reads an attribute makes blanks of them otherwise. */
    private void attribute(String value) {
        value.codePoints().forEach(c -> {
            boolean line = c == '\n' || c == '\r' || c == '\t';
            boolean lone = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
            if (c < ' ' && !line || c == 0xFFFE || c == 0xFFFF || lone) {
                throw DataException.of(
                        "pmml-character",
                        "\"{}{}\n" + "Maybe rename the column or the category.",
                        value.replaceAll("\\p{Cntrl}", "?"),
                        String.format("\" cannot be written in XML: it holds the character U+%04X.", c));
            }
            if (line || c == '<' || c == '&' || c == '>' || c == '"') {
                xml.append("&#").append(c).append(';');
            } else {
                xml.appendCodePoint(c);
            }
        });
    }

    private StringBuilder newLine() {
        return xml.append('\n').append("  ".repeat(open.size()));
    }
}
