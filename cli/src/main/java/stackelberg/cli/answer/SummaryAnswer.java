package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;

/**
 * The answer of {@code summary}: the model, the game, the features and the origin.
 *
 * @param terms one entry per coefficient
 */
public record SummaryAnswer(
        @JsonUnwrapped ModelAnswer model,
        @JsonUnwrapped Declared declared,
        List<Term> terms,
        @JsonUnwrapped Origin origin)
        implements Result {
    public static SummaryAnswer of(StackelbergModel model) {
        return new SummaryAnswer(ModelAnswer.of(model), Declared.of(model), Term.of(model), Origin.of(model));
    }

    @Override
    public Answer answer() {
        return Answer.builder()
                .sections(model.answer())
                .block(game(model.source(), declared))
                .section()
                .block(features())
                .section()
                .block(origin.table(model.source().rows(), model.run().seconds()))
                .build();
    }

    /** The game that a model is for, as it was declared. */
    public static Answer game(StackelbergModel model) {
        return Answer.builder().block(game(model, Declared.of(model))).build();
    }

    private static Answer.Table game(StackelbergModel model, Declared declared) {
        GameSpec game = model.game();
        Answer.TableBuilder table = Answer.table("the game", "").text(1);
        table.row("target", game.chosenTarget());
        table.row("wish", game.wish() == null ? "given as numbers" : game.wish());
        table.row(
                "gamma",
                game.rowGamma() == null
                        ? Numbers.plain(model.gamma())
                        : "per row (column " + game.rowGamma() + "); costs below are at the median, "
                                + Numbers.plain(model.gamma()));
        table.row("wish noise", Numbers.plain(game.wishNoise()));
        table.row("weight", game.weight() == null ? "none" : game.weight());
        table.row("intercept", declared.interceptKind);
        declared.options.forEach((name, value) -> {
            if (!name.equals("wish") && !name.equals("intercept")) {
                // a file keeps 2 as 2.0
                table.row(name, value.matches("-?[0-9]+\\.0") ? Numbers.given(Double.parseDouble(value)) : value);
            }
        });
        return table.build();
    }

    /** Every feature, with its range in training and the cost of moving it by one unit of the data. */
    private Answer.Table features() {
        Answer.TableBuilder table = Answer.table("feature", "seen in training", "a move by 1 costs", "coefficient");
        StackelbergModel of = model.source();
        Iterator<Term> each = terms.iterator();
        Iterator<StackelbergModel.Term> fitted = of.terms().iterator();
        for (Encoding.Feature feature : of.encoding().features()) {
            if (feature.categorical()) {
                table.row(feature.column(), feature.levels().size() + " levels", "", "");
            }
            for (int k = 0; k < feature.columns().size(); k++) {
                Term term = each.next();
                double coefficient = fitted.next().coefficient();
                table.row(
                        (feature.categorical() ? "  " : "") + term.term,
                        term.min == null || term.max == null
                                ? ""
                                : Numbers.number(term.min) + " to " + Numbers.number(term.max),
                        term.moveCost == null ? "immutable" : Numbers.number(term.moveCost),
                        of.optimality().finite() ? Numbers.number(coefficient) : "-");
            }
        }
        return table.build();
    }

    /**
     * What was declared of the game.
     *
     * @param wish the wish, as declared; null if wishes were given as numbers
     * @param wishNoise the standard deviation of the noise in wishes
     * @param interceptKind the kind of intercept: immutable, manipulable or none
     * @param options all options that the model was fitted with, by name
     */
    record Declared(@Nullable String wish, double wishNoise, String interceptKind, Map<String, String> options) {
        static Declared of(StackelbergModel model) {
            return new Declared(
                    model.game().wish(),
                    model.game().wishNoise(),
                    model.game().intercept().name().toLowerCase(Locale.ROOT),
                    model.provenance().options());
        }
    }

    /**
     * An encoded column.
     *
     * @param term the name of the encoded column
     * @param feature the column of the data that the encoded column comes from
     * @param manipulable whether people can change this column
     * @param moveCost the cost of a move by one unit of the data, gamma included; null if people cannot change the
     * column
     * @param min the smallest value that was seen in training; null for categories
     * @param max the largest value that was seen in training; null for categories
     */
    record Term(
            String term,
            String feature,
            boolean manipulable,
            @Nullable Double moveCost,
            @Nullable Double min,
            @Nullable Double max) {
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

    /**
     * The training data, the options and the version of the program.
     *
     * @param data the data file; null where it is not known
     * @param droppedRows how many rows were left out because of missing values
     * @param version the version of the program that fitted the model
     * @param seed the random seed
     */
    record Origin(@Nullable File data, long droppedRows, String version, long seed) {
        static Origin of(StackelbergModel model) {
            StackelbergModel.Provenance from = model.provenance();
            Table.Source data = from.data();
            return new Origin(
                    data == null ? null : new File(data.name(), data.sha256()),
                    from.droppedRows(),
                    from.version(),
                    from.seed());
        }

        Answer.Table table(long rows, ModelAnswer.Seconds seconds) {
            Answer.TableBuilder table = Answer.table("origin", "").text(1);
            table.row("data", data == null ? "not known" : data.name);
            if (data != null) {
                table.row("SHA-256", data.sha256);
            }
            table.row("rows", String.format(Locale.ROOT, "%,d (%,d left out)", rows, droppedRows));
            table.row("version", version);
            table.row("seed", String.valueOf(seed));
            table.row(
                    "seconds",
                    String.format(
                            Locale.ROOT,
                            "read %.3f, assemble %.3f, solve %.3f, certify %.3f, recover %.3f, judge %.3f",
                            seconds.read(),
                            seconds.assemble(),
                            seconds.solve(),
                            seconds.certify(),
                            seconds.recover(),
                            seconds.judge()));
            return table.build();
        }
    }

    /**
     * A file.
     *
     * @param name the name of the file
     * @param sha256 the SHA-256 hash of the file
     */
    record File(String name, String sha256) {}
}
