package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;
import stackelberg.model.export.Scorecard;

/** A card of points, and what rounding costs: the result of {@code export --as points}. */
public final class PointsReport implements Result {
    private final StackelbergModel model;
    private final Scorecard card;
    private final Scorecard.@Nullable Cost cost;

    /** @param cost only with data */
    public PointsReport(StackelbergModel model, Scorecard card, Scorecard.@Nullable Cost cost) {
        this.model = model;
        this.card = card;
        this.cost = cost;
    }

    @Override
    public Answer answer() {
        Scorecard.Scale scale = card.scale();
        Answer.TableBuilder table = Answer.table("", "points", "per").text(2);
        table.row("start", String.valueOf(card.start()), "");
        for (Scorecard.Line line : card.lines()) {
            table.row(
                    line.name(),
                    String.valueOf(line.points()),
                    line.level() == null
                            ? Numbers.plain(line.step()) + " of " + line.column()
                            : "if " + line.column() + " = " + line.level());
        }
        return Answer.builder()
                .block(table.build())
                .section()
                .say(
                        "Add up the points: a total of %s means odds of %s to 1 for a yes (%s), and every additional %s points double the odds.",
                        Numbers.plain(scale.base()),
                        Numbers.plain(scale.odds()),
                        model.game().answers().inWords(),
                        Numbers.plain(scale.pdo()))
                .say(rounding())
                .build();
    }

    /** Returns a share in percent with two significant digits, and without an exponent if it is large. */
    private static String more(double share) {
        return Math.abs(share) < 1 ? String.format(Locale.ROOT, "%.2g%%", 100 * share) : Numbers.percent(share);
    }

    /** What rounding to whole points costs. */
    private List<String> rounding() {
        if (cost == null) {
            return List.of("To see the cost of rounding, give the data too: export MODEL DATA --as points.");
        }
        double perPerson = 1 / cost.weight();
        return List.of(
                String.format(
                        Locale.ROOT,
                        "After the move the card's loss is %s per person; that of the rule before rounding is %s, so rounding %s %s.",
                        Numbers.number(cost.card() * perPerson),
                        Numbers.number(cost.rule() * perPerson),
                        cost.card() >= cost.rule() ? "costs" : "lowers it by",
                        more(Math.abs(cost.card() - cost.rule()) / cost.rule())),
                Double.isNaN(cost.gapBound())
                        ? "On these data it is not proven that the rule before rounding is the best."
                        : String.format(
                                Locale.ROOT,
                                "Proven: no rule%s has a %s (the rule before rounding is certified to %.1e).",
                                model.game().isHedged() ? " " + HedgeWords.bound(model.game()) : "",
                                cost.most() == 0
                                        ? "smaller loss than the card"
                                        : String.format(
                                                Locale.ROOT,
                                                "loss that is smaller than the card's by more than %.3g per person",
                                                cost.most() * perPerson),
                                cost.gapBound() * perPerson));
    }

    /** One line for the start and for each column or level. */
    public CsvText csv(boolean raw) {
        CsvText csv = new CsvText(List.of("term", "column", "level", "step", "points", "exact"), raw);
        csv.row(list("start", null, null, null, card.start(), null));
        card.lines()
                .forEach(line -> csv.row(
                        list(line.name(), line.column(), line.level(), line.step(), line.points(), line.exact())));
        return csv;
    }

    private static List<Object> list(@Nullable Object... values) {
        List<Object> list = new ArrayList<>();
        for (Object value : values) {
            list.add(value == null ? "" : value);
        }
        return list;
    }

    @Override
    public PointsAnswer json() {
        return PointsAnswer.of(model, card, cost);
    }
}
