package stackelberg.cli.answer;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import stackelberg.data.Message;
import stackelberg.game.Hedge;
import stackelberg.model.tuning.Tuning;

/** The result of a tuning: the gamma to use, the reason, and the losses behind it. */
public sealed interface TuningReport permits CurveReport, RegretReport {
    /** Explains why a rule is not judged at the gamma that it was fitted for. */
    private String why() {
        Tuning tuning = tuning();
        double[] gammas = tuning.gammas();
        int winner = 0;
        for (int j = 1; j < gammas.length; j++) {
            winner = tuning.loss(j, gammas[j]) < tuning.loss(winner, gammas[winner]) ? j : winner;
        }
        return "Every rule is tested on held-out people who respond with the world's gamma, not with the gamma that the rule was fitted for. At its "
                + "own gamma,\na rule for a larger gamma"
                + (tuning.shareOf(gammas[winner]).isPresent() ? ", which is a smaller share," : "")
                + " would look better in any world, because its people move less. (Gamma "
                + gamma(tuning, gammas[winner]) + " would win here that way.)";
    }

    /** The name of the error that rules are judged by. */
    static String error(Tuning tuning) {
        return tuning.loss().isSquared() ? "squared error" : LossWords.unit(tuning.loss());
    }

    /** Returns the truthful share as in ", 30% of them truthful"; empty without one. */
    static String truthful(Tuning tuning) {
        return tuning.truthfulShare() > 0 ? ", " + Numbers.percent(tuning.truthfulShare()) + " of them truthful" : "";
    }

    /** With a hedge, the sentence that restricts the rules to those within it; otherwise empty. */
    private Optional<String> hedged() {
        Hedge hedge = tuning().hedge();
        return hedge.isNone()
                ? Optional.empty()
                : Optional.of(
                        hedge.isBalanced()
                                ? "Every rule is balanced: on the people it was fitted to, it is as little worse as possible than the best rule, "
                                        + "whether they stay or move."
                                : "Of the rules whose error if nobody moves is at most "
                                        + HedgeWords.inWords(hedge)
                                        + " worse than\nthat of the best rule, every rule here is the best after the move, on the people it was "
                                        + "fitted to.");
    }

    /** The note that the choice is at the end of the grid, so that a better one may lie outside; the smallest gamma is the largest share. */
    private Optional<String> atTheEdge() {
        Tuning tuning = tuning();
        double gamma = gamma();
        double[] gammas = tuning.gammas();
        double smallest = Arrays.stream(gammas).min().orElseThrow();
        double largest = Arrays.stream(gammas).max().orElseThrow();
        if (gammas.length == 1 || gamma != smallest && gamma != largest) {
            return Optional.empty();
        }
        boolean shares = tuning.shareOf(gamma).isPresent();
        return Optional.of("It is the " + (gamma == smallest == shares ? "largest" : "smallest")
                + (shares ? " share" : " gamma") + " that was tried; maybe try others beyond it with --gammas.");
    }

    /** The gamma to use. */
    double gamma();

    /** The ridge to use. */
    double ridge();

    /** Whether ridges were tried, or one was declared. */
    static boolean hasRidges(Tuning tuning) {
        return Arrays.stream(tuning.ridges()).anyMatch(ridge -> ridge > 0);
    }

    /** Returns the cells of a row; the second, the ridge, is left out if no ridges were tried. */
    static String[] cells(boolean ridges, String... cells) {
        return IntStream.range(0, cells.length)
                .filter(k -> ridges || k != 1)
                .mapToObj(k -> cells[k])
                .toArray(String[]::new);
    }

    /** A gamma as it was given: as a share or as a number. */
    static String gamma(Tuning tuning, double gamma) {
        OptionalDouble share = tuning.shareOf(gamma);
        return share.isPresent() ? Numbers.share(share.getAsDouble()) : Numbers.gamma(gamma);
    }

    static String ridge(double value) {
        return value == 0 ? "0" : Numbers.gamma(value);
    }

    /** Returns the choice as in "Gamma 30% with ridge 0.1". */
    default String name() {
        return "Gamma " + gamma(tuning(), gamma()) + (hasRidges(tuning()) ? " with ridge " + ridge(ridge()) : "");
    }

    private String choiceLine() {
        // a choice among shares is fitted with the share: the number need not have all of its digits
        String gamma = tuning().shareOf(gamma()).isPresent()
                ? gamma(tuning(), gamma()) + ", which is " + Numbers.gamma(gamma())
                : Numbers.given(gamma());
        return "Choice: gamma " + gamma + (hasRidges(tuning()) ? ", ridge " + Numbers.given(ridge()) : "");
    }

    /** The criterion of the choice, as a JSON value. */
    String choice();

    Tuning tuning();

    /** The sentence above the table. */
    String heading();

    Answer.Table table();

    /** The reasons for the choice, one sentence each. */
    List<String> reasons();

    /** The answer in words: the table, and the choice with its reasons. */
    default Answer answer() {
        return Answer.builder()
                .say(heading())
                .section()
                .block(table())
                .section()
                .say(hedged())
                .section()
                .say(why())
                .section()
                .say(reasons())
                .say(choiceLine())
                .say(atTheEdge())
                .build();
    }

    /** The JSON document. */
    TuneAnswer.Figures figures();

    CsvText csv();

    /** The question, for a report. */
    String asked();

    /** The choice in a sentence, for a report. */
    String sentence();

    /** The warnings about the tuning and about the choice. */
    List<Message> warnings();

    /** The choice and the losses behind it, for the JSON document. */
    default TuneAnswer.Chosen chosen() {
        return new TuneAnswer.Chosen(new TuneAnswer.Choice(gamma(), ridge(), choice()), figures());
    }
}
