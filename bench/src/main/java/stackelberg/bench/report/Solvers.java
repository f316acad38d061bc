package stackelberg.bench.report;

import java.util.Comparator;
import java.util.List;

/** How solvers are named, ordered and drawn. */
final class Solvers {
    /** The four that the paper times on synthetic games. */
    static final List<String> OF_THE_PAPER = List.of("socp", "ltrsr", "admm", "cd-admm");

    private static final List<String> KNOWN =
            List.of("sdp", "socp", "ltrsr", "admm", "cd-admm", "rtr-newton", "krylov", "direct");

    /** The paper's first, then ours, then whatever else there is by name. */
    static final Comparator<String> ORDER = Comparator.comparingInt(
                    (String solver) -> KNOWN.contains(solver) ? KNOWN.indexOf(solver) : KNOWN.size())
            .thenComparing(Comparator.naturalOrder());

    private Solvers() {}

    static String label(String solver) {
        return switch (solver) {
            case "sdp", "socp", "ltrsr", "admm", "cd-admm" -> solver.toUpperCase(java.util.Locale.ROOT);
            case "rtr-newton" -> "RTRNewton";
            default -> solver;
        };
    }

    /** The paper's colours where it has any. */
    static Curve.Pen pen(String solver) {
        return switch (solver) {
            case "sdp" -> new Curve.Pen("#dba400", "7 4", Curve.Mark.SQUARE);
            case "socp" -> new Curve.Pen("#9a55d4", "7 4", Curve.Mark.DIAMOND);
            case "ltrsr" -> new Curve.Pen("#2476e0", "", Curve.Mark.CIRCLE);
            case "admm" -> new Curve.Pen("#2a9d4a", "", Curve.Mark.UP);
            case "cd-admm" -> new Curve.Pen("#dd3131", "", Curve.Mark.DOWN);
            case "rtr-newton" -> new Curve.Pen("#0f9aa8", "2 3", Curve.Mark.DIAMOND);
            case "krylov" -> new Curve.Pen(Curve.Pen.INK, "", Curve.Mark.CIRCLE);
            case "direct" -> new Curve.Pen("#8b8f97", "", Curve.Mark.SQUARE);
            default -> new Curve.Pen("#b0663a", "1 3", Curve.Mark.UP);
        };
    }
}
