package stackelberg.cli.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stackelberg.model.tuning.Tuning;

/** The losses of a tuning, thinned so that they fit on the page; a warning says what was left out. */
final class TuningFigure {
    private static final int MOST_GAMMAS = 400;

    /** The maximum number of rules, and of worlds, in the regret map: 14,400 cells of some 20 bytes. */
    private static final int MOST_WORLDS = 120;

    private TuningFigure() {}

    /** The curve with at most as many points as the page can show, always with the smallest loss and the choice. */
    static ReportData.Curve of(Tuning.Curve curve, List<String> warnings) {
        List<Tuning.Curve.Point> points = curve.points();
        int[] shown = Sampling.evenly(points.size(), MOST_GAMMAS, curve.best(), curve.oneStandardError());
        warnIfFewer("gammas the curve", points.size(), shown.length, warnings);
        return new ReportData.Curve(
                "curve",
                curve.worldGamma(),
                IntStream.of(shown).mapToDouble(k -> points.get(k).gamma()).toArray(),
                IntStream.of(shown).mapToDouble(k -> points.get(k).loss()).toArray(),
                IntStream.of(shown)
                        .mapToDouble(k -> points.get(k).standardError())
                        .toArray(),
                Arrays.binarySearch(shown, curve.best()),
                Arrays.binarySearch(shown, curve.oneStandardError()));
    }

    /** The table with at most as many rules and worlds as the page can show, always with the chosen rule and its worst world. */
    static ReportData.Regret of(Tuning.Regret table, List<String> warnings) {
        int chosen = table.choice();
        int[] rules = Sampling.evenly(table.gammas().length, MOST_WORLDS, chosen);
        int[] worlds = Sampling.evenly(table.worldGammas().length, MOST_WORLDS, table.worstWorld()[chosen]);
        warnIfFewer("rules the map of regrets", table.gammas().length, rules.length, warnings);
        warnIfFewer("worlds the map of regrets", table.worldGammas().length, worlds.length, warnings);
        return new ReportData.Regret(
                "regret",
                Sampling.some(table.gammas(), rules),
                Sampling.some(table.worldGammas(), worlds),
                cells(table.loss(), rules, worlds),
                cells(table.regret(), rules, worlds),
                Arrays.binarySearch(rules, chosen),
                Sampling.some(table.worstRegret(), rules));
    }

    private static void warnIfFewer(String what, int all, int shown, List<String> warnings) {
        if (shown < all) {
            warnings.add("Of " + all + " " + what + " has " + shown + ", so that the page stays small.");
        }
    }

    private static double[][] cells(double[][] values, int[] rows, int[] columns) {
        return IntStream.of(rows)
                .mapToObj(i -> Sampling.sixDigits(Sampling.some(values[i], columns)))
                .toArray(double[][]::new);
    }
}
