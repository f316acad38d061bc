package stackelberg.cli.text;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.TuneAnswer;
import stackelberg.model.StackelbergModel;
import stackelberg.model.tuning.Tuning;

/** What a tuning found: the gamma to use, why, and the numbers behind it. */
public sealed interface TuningReport permits CurveReport, RegretReport {
    /** Why no rule is judged by people who respond with its own gamma. */
    static String why(Tuning tuning) {
        double[] gammas = tuning.gammas();
        int winner = 0;
        for (int j = 1; j < gammas.length; j++) {
            winner = tuning.loss(j, gammas[j]) < tuning.loss(winner, gammas[winner]) ? j : winner;
        }
        return "Every rule is judged by people it was not learned from, who respond as people do in the world, not as the\n"
                + "rule supposes. Otherwise each rule would choose its own judges: a larger gamma"
                + (tuning.shareOf(gammas[winner]).isPresent()
                        ? ", a smaller share, supposes\nthat moving is harder, so it"
                        : " supposes that moving is harder,\nso it")
                + " would look better whatever the world is like. (Judged like that, gamma "
                + gamma(tuning, gammas[winner]) + " would win here.)\n";
    }

    /** What rules are judged by, in words. */
    static String error(Tuning tuning) {
        return tuning.loss().isSquared() ? "squared error" : LossWords.unit(tuning.loss());
    }

    /** As in ", 30% of them truthful"; nothing of nobody. */
    static String truthful(Tuning tuning) {
        return tuning.truthfulShare() > 0 ? ", " + Numbers.percent(tuning.truthfulShare()) + " of them truthful" : "";
    }

    /** What every rule is chosen among, where a hedge says so. */
    static String hedged(Tuning tuning) {
        return tuning.hedge() == null
                ? ""
                : "Every rule is the best after the move among those whose error, if nobody moves, is at most "
                        + Numbers.percentAsGiven(tuning.hedge())
                        + " worse than that of\ntoday's rule, both on the people they were learned from.\n\n";
    }

    /** "The smallest gamma tried" is a hint that the best one may lie outside; in shares it is the largest. */
    static String atTheEdge(double gamma, Tuning tuning) {
        double[] gammas = tuning.gammas();
        double smallest = Arrays.stream(gammas).min().orElseThrow();
        double largest = Arrays.stream(gammas).max().orElseThrow();
        if (gammas.length == 1 || gamma != smallest && gamma != largest) {
            return "";
        }
        boolean shares = tuning.shareOf(gamma).isPresent();
        return "It is the " + (gamma == smallest == shares ? "largest" : "smallest") + (shares ? " share" : " gamma")
                + " that was tried; maybe try others beyond it with --gammas.\n";
    }

    /** The gamma to use. */
    double gamma();

    /** The ridge to use. */
    double ridge();

    /** Whether ridges were tried, or one was declared. */
    static boolean hasRidges(Tuning tuning) {
        return Arrays.stream(tuning.ridges()).anyMatch(ridge -> ridge > 0);
    }

    /** The cells of a line without the second, where there is no ridge. */
    static String[] cells(boolean ridges, String... cells) {
        return IntStream.range(0, cells.length)
                .filter(k -> ridges || k != 1)
                .mapToObj(k -> cells[k])
                .toArray(String[]::new);
    }

    /** As it was tried: as a share, or as a number. */
    static String gamma(Tuning tuning, double gamma) {
        OptionalDouble share = tuning.shareOf(gamma);
        return share.isPresent() ? Numbers.share(share.getAsDouble()) : Numbers.gamma(gamma);
    }

    static String ridge(double value) {
        return value == 0 ? "0" : Numbers.gamma(value);
    }

    static String withRidge(TuningReport report, Tuning tuning) {
        return hasRidges(tuning) ? " with ridge " + ridge(report.ridge()) : "";
    }

    static String chosen(TuningReport report, Tuning tuning) {
        // who chose among shares fits with the share: the number need not have all of its digits
        String gamma = tuning.shareOf(report.gamma()).isPresent()
                ? gamma(tuning, report.gamma()) + ", which is " + Numbers.gamma(report.gamma())
                : Numbers.given(report.gamma());
        return "Choice: gamma " + gamma + (hasRidges(tuning) ? ", ridge " + Numbers.given(report.ridge()) : "") + "\n";
    }

    /** The rule of choice, as a word for programs. */
    String choice();

    /** The table and the choice, for a person. */
    String text();

    /** The same for programs. */
    TuneAnswer.Figures figures();

    CsvText csv();

    /** The question, for a report. */
    String asked();

    /** The choice in a sentence, for a report. */
    String sentence();

    /** What a user should know, of the tuning and of the choice. */
    List<String> warnings();

    /** The choice and why it was made, for programs. */
    default TuneAnswer.Chosen chosen() {
        return new TuneAnswer.Chosen(new TuneAnswer.Choice(gamma(), ridge(), choice()), figures());
    }

    /** What the chosen gamma gives on all data. */
    static String refit(StackelbergModel model) {
        return "\nFitted to all data with that gamma:\n\n" + Summary.of(model);
    }
}
