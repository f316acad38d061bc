package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.PointsAnswer;
import stackelberg.model.StackelbergModel;
import stackelberg.model.export.Scorecard;

/** A card of points as a table, and what rounding costs. */
public final class PointsReport {
    private final StackelbergModel model;
    private final Scorecard card;
    private final Scorecard.Cost cost;

    /** @param cost null where no data tell it */
    public PointsReport(StackelbergModel model, Scorecard card, Scorecard.Cost cost) {
        this.model = model;
        this.card = card;
        this.cost = cost;
    }

    /** The table, and the sentences below it. */
    public String text() {
        Scorecard.Scale scale = card.scale();
        TextTable table = new TextTable().add("", "points", "per");
        table.add("start", String.valueOf(card.start()), "");
        for (Scorecard.Line line : card.lines()) {
            table.add(
                    line.name(),
                    String.valueOf(line.points()),
                    line.level() == null ? Numbers.plain(line.step()) + " of it" : "person of it");
        }
        return table
                + String.format(
                        Locale.ROOT,
                        "%nPoints add up; %s are odds of %s to 1 for %s, and %s more double them.%n%s",
                        Numbers.plain(scale.base()),
                        Numbers.plain(scale.odds()),
                        "a yes (" + model.game().answers().inWords() + ")",
                        Numbers.plain(scale.pdo()),
                        told());
    }

    /** Two digits, and no exponent where it is much. */
    private static String more(double share) {
        return Math.abs(share) < 1 ? String.format(Locale.ROOT, "%.2g%%", 100 * share) : Numbers.percent(share);
    }

    private String told() {
        if (cost == null) {
            return "What rounding costs in the game is told where the data are given too: export MODEL DATA --as points.\n";
        }
        double perPerson = 1 / cost.weight();
        String sentence = String.format(
                Locale.ROOT,
                "After the move the card loses %s per person, the rule before rounding %s: rounding costs %s.%n",
                Numbers.number(cost.card() * perPerson),
                Numbers.number(cost.rule() * perPerson),
                more((cost.card() - cost.rule()) / cost.rule()));
        return sentence
                + (Double.isNaN(cost.gapBound())
                        ? "That no rule is better than the one before rounding is not proven of these data.\n"
                        : String.format(
                                Locale.ROOT,
                                "Proven: no rule at all loses less than the card by more than %.3g per person (the rule before"
                                        + " rounding is certified to %.1e).%n",
                                cost.most() * perPerson,
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

    private static List<Object> list(Object... values) {
        List<Object> list = new ArrayList<>();
        for (Object value : values) {
            list.add(value == null ? "" : value);
        }
        return list;
    }

    public PointsAnswer answer() {
        return PointsAnswer.of(model, card, cost);
    }
}
