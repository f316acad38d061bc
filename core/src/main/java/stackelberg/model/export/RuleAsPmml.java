package stackelberg.model.export;

import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import stackelberg.data.DataException;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.model.StackelbergModel;

/**
 * A model's prediction as PMML 4.4: a RegressionModel with its data dictionary.
 *
 * <p>Missing values and unknown levels follow the model: refused as invalid, without a prediction (drop), or replaced.
 */
public final class RuleAsPmml {
    private static final String NAMESPACE = "http://www.dmg.org/PMML-4_4";

    private final StackelbergModel model;
    private final Encoding.UnknownLevel unknown;
    private final XMLStreamWriter xml;
    private int depth;

    private RuleAsPmml(StackelbergModel model, Encoding.UnknownLevel unknown, XMLStreamWriter xml) {
        this.model = model;
        this.unknown = unknown;
        this.xml = xml;
    }

    /** The whole document. */
    public static String document(StackelbergModel model, Encoding.UnknownLevel unknown) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            new RuleAsPmml(model, unknown, xml).write();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("Writing XML into memory failed.", e);
        }
        return text + "\n";
    }

    private void write() throws XMLStreamException {
        start("PMML", "version", "4.4");
        xml.writeDefaultNamespace(NAMESPACE);
        start("Header", "description", "The rule that is best after people have responded to it");
        leaf("Application", "name", "Stackelberg", "version", model.provenance().version());
        end();
        dictionary();
        start("RegressionModel", "functionName", "regression", "algorithmName", "Stackelberg regression");
        miningSchema();
        start("Output");
        leaf(
                "OutputField",
                "name",
                "prediction",
                "optype",
                "continuous",
                "dataType",
                "double",
                "feature",
                "predictedValue");
        end();
        table();
        end();
        end();
    }

    private void dictionary() throws XMLStreamException {
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
        leaf("DataField", "name", model.game().target(), "optype", "continuous", "dataType", "double");
        end();
    }

    private void miningSchema() throws XMLStreamException {
        start("MiningSchema");
        for (Encoding.Feature feature : model.encoding().features()) {
            leaf("MiningField", "name", feature.column());
            if (model.encoding().missing() == Missing.MEAN) {
                attribute("missingValueTreatment", feature.categorical() ? "asMode" : "asMean");
                attribute(
                        "missingValueReplacement",
                        feature.categorical() ? feature.mostFrequentLevel() : String.valueOf(feature.mean()));
            } else if (model.encoding().missing() == Missing.ERROR) {
                attribute("missingValueTreatment", "returnInvalid");
            }
            if (feature.categorical() && unknown == Encoding.UnknownLevel.ZERO) {
                attribute("invalidValueTreatment", "asIs");
            }
        }
        leaf("MiningField", "name", model.game().target(), "usageType", "target");
        end();
    }

    /** Numeric predictors stand before categorical ones, as the schema wants. */
    private void table() throws XMLStreamException {
        start("RegressionTable", "intercept", number(model.intercept()));
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
                                column.level(),
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
            throw new DataException("The rule has a coefficient that is " + value
                    + ", which PMML cannot say.\nMaybe the model has no finite equilibrium.");
        }
        return String.valueOf(value);
    }

    private void start(String name, String... attributes) throws XMLStreamException {
        newLine();
        xml.writeStartElement(name);
        attributes(attributes);
        depth++;
    }

    private void end() throws XMLStreamException {
        depth--;
        newLine();
        xml.writeEndElement();
    }

    /** An element without content; attributes may follow until the next one starts. */
    private void leaf(String name, String... attributes) throws XMLStreamException {
        newLine();
        xml.writeEmptyElement(name);
        attributes(attributes);
    }

    private void attributes(String... namesAndValues) throws XMLStreamException {
        for (int k = 0; k < namesAndValues.length; k += 2) {
            attribute(namesAndValues[k], namesAndValues[k + 1]);
        }
    }

    private void attribute(String name, String value) throws XMLStreamException {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean lone = Character.isHighSurrogate(c)
                            && (i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1)))
                    || Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
            // control characters are forbidden in XML, or turned into blanks in attributes
            if (c < ' ' || c == '\uFFFE' || c == '\uFFFF' || lone) {
                throw new DataException("\"" + value.replaceAll("\\p{Cntrl}", "?")
                        + String.format("\" cannot be written in XML: it holds the character U+%04X.", (int) c)
                        + "\nMaybe rename the column or the category.");
            }
        }
        xml.writeAttribute(name, value);
    }

    private void newLine() throws XMLStreamException {
        xml.writeCharacters("\n" + "  ".repeat(depth));
    }
}
