package stackelberg.cli.text;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.WhatIfAnswer;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.WhatIf;

/** What a rule loses if the game is not quite the declared one, as a table, as sentences and as an object. */
public final class WhatIfWords {
    private final StackelbergModel model;
    private final WhatIf figures;

    /** @param figures null where there are none */
    public WhatIfWords(StackelbergModel model, WhatIf figures) {
        this.model = model;
        this.figures = figures;
    }

    /** The last lines of {@code fit}: the table, or why there is none; nothing where there is no rule to doubt. */
    public String text() {
        if (!model.optimality().finite()) {
            return "";
        }
        if (figures == null) {
            return "\nWhat if the assumptions are wrong? That was not computed: on data of this size today's rule is not"
                    + " learned unasked.\nMaybe give it with --today.\n";
        }
        TextTable table = new TextTable().add(unit(), "this rule", "today's rule");
        figures.rows()
                .forEach(row ->
                        table.add(name(row.doubt()), Numbers.number(row.error()), Numbers.number(row.todayError())));
        return "\n" + heading() + "\n" + table + String.join("\n", sentences()) + "\n";
    }

    private String heading() {
        return "What if the assumptions are wrong? Errors once people have moved, on " + on() + ":";
    }

    /** Empty where there are none. */
    public Optional<WhatIf> figures() {
        return Optional.ofNullable(figures);
    }

    /** What errors are called. */
    public String unit() {
        return (model.game().weight() == null ? "" : "weighted ")
                + LossWords.unit(model.game().loss());
    }

    /** Who the rules were judged on: {@code whatIfOn} of the JSON. */
    public String on() {
        return WhatIfAnswer.on(figures);
    }

    /** A doubt in a few words. */
    public String name(WhatIf.Doubt doubt) {
        GameSpec game = model.game();
        return switch (doubt) {
            case AS_DECLARED -> "as declared";
            case HALF_GAMMA -> game.rowGamma() == null ? "half of gamma" : "half of everybody's gamma";
            case DOUBLE_GAMMA -> game.rowGamma() == null ? "twice gamma" : "twice everybody's gamma";
            case NOISIER_WISHES -> "noisier wishes";
            case HALF_EFFECTS -> "half of the effects";
            case DOUBLE_EFFECTS -> "twice the effects";
            case THIRD_TRUTHFUL -> game.truthfulShare() == 0 ? "a third truthful" : "a third of the others truthful";
        };
    }

    /** From so many times an error on, the smaller one is close to rounding and a percentage says nothing. */
    private static final double MANY_TIMES = 1000;

    /** What is meant by noise, and what hurts the rule most. */
    public List<String> sentences() {
        String noise = String.format(
                Locale.ROOT,
                "Noisier: wishes are off by a%s standard deviation of %s, half of that of %s.",
                model.game().wishNoise() > 0 ? " further" : "",
                Numbers.number(figures.wishError()),
                model.game().loss().isLogistic()
                        ? "a yes or no about its log-odds, and in log-odds"
                        : model.game().target());
        return List.of(noise, figures.worst().map(this::worst).orElse("None of these hurts this rule."));
    }

    private String worst(WhatIf.Row row) {
        double promised = figures.promised().error();
        String why =
                switch (row.doubt()) {
                    case HALF_GAMMA -> "people are easier to move than thought (" + name(row.doubt()) + ")";
                    case DOUBLE_GAMMA -> "people are harder to move than thought (" + name(row.doubt()) + ")";
                    case NOISIER_WISHES -> "wishes are noisier than thought";
                    case HALF_EFFECTS -> "moves change the target less than thought (half of the effects)";
                    case DOUBLE_EFFECTS -> "moves change the target more than thought (twice the effects)";
                    case THIRD_TRUTHFUL ->
                        model.game().truthfulShare() == 0
                                ? "a third of the people stay truthful"
                                : "a third of those thought to move stay truthful";
                    case AS_DECLARED -> throw new IllegalStateException("What was declared is no misjudgement.");
                };
        return String.format(
                Locale.ROOT,
                "It hurts this rule most if %s: %s of %s instead of %s%s; today's rule has %s then.",
                why,
                model.game().loss().isSquared()
                        ? "an error"
                        : "a " + LossWords.unit(model.game().loss()),
                Numbers.number(row.error()),
                Numbers.number(promised),
                row.error() < MANY_TIMES * promised ? ", " + Numbers.percent(row.error() / promised - 1) + " more" : "",
                Numbers.number(row.todayError()));
    }

    /** The same for programs. */
    public WhatIfAnswer answer() {
        return WhatIfAnswer.of(model.game().loss(), figures);
    }
}
