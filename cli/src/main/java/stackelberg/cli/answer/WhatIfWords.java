package stackelberg.cli.answer;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.WhatIf;

/** The wording of the losses of a rule if the assumptions are wrong. */
public final class WhatIfWords {
    /** The heading of the table. */
    public static final String QUESTION = "What if the assumptions are wrong?";

    private final StackelbergModel model;
    private final @Nullable WhatIf figures;

    /** @param figures absent if the losses were not computed */
    public WhatIfWords(StackelbergModel model, @Nullable WhatIf figures) {
        this.model = model;
        this.figures = figures;
    }

    /** The last section of {@code fit}: the table, or the reason why there is none; empty without a finite rule. */
    void say(Answer.Builder answer) {
        if (!model.optimality().finite()) {
            return;
        }
        answer.section();
        if (figures == null) {
            answer.say(
                            QUESTION
                                    + " That was not computed: on data of this size today's rule is only fitted if it is needed.")
                    .say("Maybe give it with --today.");
            return;
        }
        answer.say(QUESTION + " " + heading(figures));
        say(figures, answer);
    }

    /** The figures for the page, where {@link #QUESTION} is the heading above them; empty if there are none. */
    public Optional<Answer> figures() {
        if (figures == null) {
            return Optional.empty();
        }
        Answer.Builder answer = Answer.builder().say(heading(figures));
        say(figures, answer);
        return Optional.of(answer.build());
    }

    private static String heading(WhatIf of) {
        return "Errors once people have moved, on " + WhatIfAnswer.on(of) + ":";
    }

    private void say(WhatIf of, Answer.Builder answer) {
        Answer.TableBuilder table = Answer.table(unit(), "this rule", "today's rule");
        of.rows()
                .forEach(row ->
                        table.row(name(row.doubt()), Numbers.number(row.error()), Numbers.number(row.todayError())));
        answer.block(table.build()).say(sentences(of));
    }

    /** The name of the error. */
    private String unit() {
        return (model.game().weight() == null ? "" : "weighted ")
                + LossWords.unit(model.game().loss());
    }

    /** A wrong assumption in a few words. */
    private String name(WhatIf.Doubt doubt) {
        GameSpec game = model.game();
        return switch (doubt) {
            case AS_DECLARED -> "as declared";
            case HALF_GAMMA -> game.rowGamma() == null ? "half of gamma" : "half of every gamma";
            case DOUBLE_GAMMA -> game.rowGamma() == null ? "twice gamma" : "twice every gamma";
            case NOISIER_WISHES -> "noisier wishes";
            case HALF_EFFECTS -> "half of the effects";
            case DOUBLE_EFFECTS -> "twice the effects";
            case THIRD_TRUTHFUL -> game.truthfulShare() == 0 ? "a third truthful" : "a third of the others truthful";
        };
    }

    /** If one error is this many times another, the smaller one is close to rounding and no percentage is printed. */
    private static final double MANY_TIMES = 1000;

    /** Remarks: what the noise is, and which wrong assumption raises the error most. */
    private List<String> sentences(WhatIf of) {
        String noise = String.format(
                Locale.ROOT,
                "Noisier: wishes are off by a%s standard deviation of %s, half of that of %s.",
                model.game().wishNoise() > 0 ? " further" : "",
                Numbers.number(of.wishError()),
                model.game().loss().isLogistic()
                        ? "a yes or no about its log-odds, and in log-odds"
                        : model.game().chosenTarget());
        return List.of(
                noise,
                of.worst()
                        .map(row -> worst(row, of.promised().error()))
                        .orElse("None of these makes this rule's error larger."));
    }

    private String worst(WhatIf.Row row, double promised) {
        String why =
                switch (row.doubt()) {
                    case HALF_GAMMA -> "moving is easier than assumed (" + name(row.doubt()) + ")";
                    case DOUBLE_GAMMA -> "moving is harder than assumed (" + name(row.doubt()) + ")";
                    case NOISIER_WISHES -> "wishes are noisier than assumed";
                    case HALF_EFFECTS -> "moves change the target less than assumed (half of the effects)";
                    case DOUBLE_EFFECTS -> "moves change the target more than assumed (twice the effects)";
                    case THIRD_TRUTHFUL ->
                        model.game().truthfulShare() == 0
                                ? "a third of the people stay truthful"
                                : "a third of those assumed to move stay truthful";
                    case AS_DECLARED ->
                        throw new IllegalStateException("The declared assumptions are not a wrong assumption.");
                };
        return String.format(
                Locale.ROOT,
                "The worst case for this rule is that %s: it then has %s of %s instead of %s%s; today's rule has %s.",
                why,
                model.game().loss().isSquared()
                        ? "an error"
                        : "a " + LossWords.unit(model.game().loss()),
                Numbers.number(row.error()),
                Numbers.number(promised),
                row.error() < MANY_TIMES * promised ? ", " + Numbers.percent(row.error() / promised - 1) + " more" : "",
                Numbers.number(row.todayError()));
    }

    /** Returns the figures as keys of the JSON document. */
    public WhatIfAnswer answer() {
        return WhatIfAnswer.of(model.game().loss(), figures);
    }
}
