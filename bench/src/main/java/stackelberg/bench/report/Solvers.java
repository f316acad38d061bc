package stackelberg.bench.report;

import java.util.Comparator;
import java.util.List;

/** The names, order and colours of solvers in tables and figures. */
final class Solvers {
    /** The four solvers that the paper times on synthetic games. */
    static final List<String> OF_THE_PAPER = List.of("socp", "ltrsr", "admm", "cd-admm");

    /** The mark of the fastest certified solver. */
    static final String FASTEST = "★";

    /** The appearance of a solver. */
    private record Look(String solver, String label, Curve.Pen pen) {}

    /** The paper's solvers first, in the colours of its figures, then ours. */
    private static final List<Look> KNOWN = List.of(
            new Look("sdp", "SDP", new Curve.Pen("#dba400", "7 4", Curve.Mark.SQUARE)),
            new Look("socp", "SOCP", new Curve.Pen("#9a55d4", "7 4", Curve.Mark.DIAMOND)),
            new Look("ltrsr", "LTRSR", new Curve.Pen("#2476e0", "", Curve.Mark.CIRCLE)),
            new Look("admm", "ADMM", new Curve.Pen("#2a9d4a", "", Curve.Mark.UP)),
            new Look("cd-admm", "CD-ADMM", new Curve.Pen("#dd3131", "", Curve.Mark.DOWN)),
            new Look("rtr-newton", "RTRNewton", new Curve.Pen("#0f9aa8", "2 3", Curve.Mark.DIAMOND)),
            new Look("krylov", "krylov", new Curve.Pen(Curve.Pen.INK, "", Curve.Mark.CIRCLE)),
            new Look("direct", "direct", new Curve.Pen("#8b8f97", "", Curve.Mark.SQUARE)));

    /** Sorts solvers: the known ones in their order, then all others by name. */
    static final Comparator<String> ORDER = Comparator.comparingInt((String solver) -> {
                int known = KNOWN.indexOf(look(solver));
                return known < 0 ? KNOWN.size() : known;
            })
            .thenComparing(Comparator.naturalOrder());

    private Solvers() {}

    static String label(String solver) {
        return look(solver).label;
    }

    static Curve.Pen pen(String solver) {
        return look(solver).pen;
    }

    private static Look look(String solver) {
        return KNOWN.stream()
                .filter(look -> look.solver.equals(solver))
                .findFirst()
                .orElseGet(() -> new Look(solver, solver, new Curve.Pen("#b0663a", "1 3", Curve.Mark.UP)));
    }
}
