package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.model.StackelbergModel;

/** The answer of {@code summary}: the model, the game, the features and the origin. */
public record SummaryAnswer(
        @JsonUnwrapped ModelAnswer model,
        @JsonUnwrapped Declared declared,
        @Meaning("One entry per coefficient.") List<Term> terms,
        @JsonUnwrapped Origin origin) {
    public static SummaryAnswer of(StackelbergModel model) {
        return new SummaryAnswer(ModelAnswer.of(model), Declared.of(model), Term.of(model), Origin.of(model));
    }

    /** What was declared of the game. */
    record Declared(
            @Meaning("The wish, as declared; null if wishes were given as numbers.")
            String wish,

            @Meaning("The standard deviation of the noise in wishes.")
            double wishNoise,

            @Meaning("immutable, manipulable or none.") String interceptKind,

            @Meaning("All options that the model was fitted with, by name.")
            Map<String, String> options) {
        static Declared of(StackelbergModel model) {
            return new Declared(
                    model.game().wish(),
                    model.game().wishNoise(),
                    model.game().intercept().name().toLowerCase(Locale.ROOT),
                    model.provenance().options());
        }
    }

    /** An encoded column. */
    record Term(
            @Meaning("Its name.") String term,

            @Meaning("The column of the data that it comes from.")
            String feature,

            @Meaning("Whether people can change it.") boolean manipulable,

            @Meaning("What a move by one unit of the data costs, gamma included; null if people cannot change it.")
            Double moveCost,

            @Meaning("The smallest value that was seen in training; null for categories.")
            Double min,

            @Meaning("The largest value that was seen in training; null for categories.")
            Double max) {
        static List<Term> of(StackelbergModel model) {
            Map<String, Double> moveCosts = model.world().moveCosts();
            return model.encoding().features().stream()
                    .flatMap(feature -> feature.columns().stream().map(column -> of(feature, column.name(), moveCosts)))
                    .toList();
        }

        private static Term of(Encoding.Feature feature, String name, Map<String, Double> moveCosts) {
            Encoding.Feature.Range range = feature.range();
            return new Term(
                    name,
                    feature.column(),
                    moveCosts.containsKey(name),
                    moveCosts.get(name),
                    range == null ? null : (Double) range.min(),
                    range == null ? null : (Double) range.max());
        }
    }

    /** What the model was learned from, and with what. */
    record Origin(
            @Meaning("The data file; null where it is not known.")
            File data,

            @Meaning("How many rows were left out because of missing values.")
            long droppedRows,

            @Meaning("The version of the program that fitted the model.")
            String version,

            @Meaning("The random seed.") long seed) {
        static Origin of(StackelbergModel model) {
            StackelbergModel.Provenance from = model.provenance();
            Table.Source data = from.data();
            return new Origin(
                    data == null ? null : new File(data.name(), data.sha256()),
                    from.droppedRows(),
                    from.version(),
                    from.seed());
        }
    }

    /** A file. */
    record File(
            @Meaning("Its name.") String name,
            @Meaning("Its SHA-256 hash.") String sha256) {}
}
