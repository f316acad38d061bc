package stackelberg.bench;

import static stackelberg.bench.Row.Protocol.BOTH;
import static stackelberg.bench.Row.Protocol.FAIR;
import static stackelberg.bench.Row.Protocol.PAPER;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stackelberg.bench.Row.Protocol;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.published.admm.AdmmSolver;
import stackelberg.solver.published.ltrsr.LtrsrSolver;

/**
 * A solver, with the variants that an experiment runs.
 *
 * @param protocol how the solver is stopped and timed
 * @param variants the options of each variant, by their text in the rows, in the order of a grid. If there are several, all are run on the first trial of the
 * smallest game, the best one and its neighbours on the first trial of larger games as long as that takes less than 20 seconds, and the best one on all other
 * trials
 */
record Contender(String solver, Protocol protocol, Map<String, Method> variants) {
    /** The grid of rho; the paper does not state the value that it used. */
    static final double[] RHO = {0.5, 5, 50, 500, 5e3, 5e4, 5e5, 5e6, 5e7, 5e8};

    /**
     * Parses names of contenders, separated by blanks. A name without a colon is a solver that both protocols run in the same way. After a colon, {@code plain}
     * is the published form, {@code rho} the published form over the grid of rho, and {@code best} the default options, stopped by the certified gap. {@code
     * ltrsr} is run matrix-free and with H formed, unless it is {@code ltrsr:matrix-free}.
     */
    static List<Contender> list(String names) {
        return Arrays.stream(names.split(" "))
                .map(name -> {
                    String solver = name.replaceFirst(":.*", "");
                    return switch (name.substring(solver.length())) {
                        case ":plain" -> new Contender(solver, PAPER, Map.of("plain", published(solver)));
                        case ":rho" -> new Contender(solver, PAPER, plainAdmm(solver, RHO, 0));
                        case ":best" -> new Contender(solver, FAIR, Map.of("", method(solver)));
                        case ":matrix-free" -> new Contender(solver, BOTH, Map.of("matrix-free", ltrsr(false)));
                        default ->
                            solver.equals("ltrsr")
                                    ? new Contender(solver, BOTH, formedOrNot())
                                    : new Contender(solver, BOTH, Map.of("", method(solver)));
                    };
                })
                .toList();
    }

    private static Map<String, Method> formedOrNot() {
        Map<String, Method> variants = new LinkedHashMap<>();
        variants.put("matrix-free", ltrsr(false));
        variants.put("formed", ltrsr(true));
        return variants;
    }

    private static SphereMethod ltrsr(boolean formed) {
        LtrsrSolver.Options options = LtrsrSolver.Options.DEFAULT.withFormed(formed);
        return SphereMethod.of(workers -> new LtrsrSolver(options, workers));
    }

    private static SphereMethod published(String name) {
        return SphereMethod.of(
                workers -> Solvers.named(name, workers).asPublished().orElseThrow());
    }

    /** ADMM as published, with a separate contender for each rho, so that all are run. */
    static List<Contender> everyRho(String name, double[] rhos, int traceLength) {
        return plainAdmm(name, rhos, traceLength).entrySet().stream()
                .map(one -> new Contender(name, PAPER, Map.of(one.getKey(), one.getValue())))
                .toList();
    }

    private static Map<String, Method> plainAdmm(String name, double[] rhos, int traceLength) {
        Map<String, Method> variants = new LinkedHashMap<>();
        for (double rho : rhos) {
            String number = rho == Math.rint(rho) ? "" + (long) rho : "" + rho;
            SphereMethod method = SphereMethod.of(
                    workers -> ((AdmmSolver) Solvers.named(name, workers)).with(AdmmSolver.Options.plain(rho)));
            variants.put("rho=" + number, method.traced(traceLength));
        }
        return variants;
    }

    /** A solver on several gammas at once. */
    static Contender onPath(String name, double... gammas) {
        return new Contender(
                name, BOTH, Map.of("gammas=" + gammas.length, method(name).onPath(gammas)));
    }

    /** ADMM with an adaptive rho, labelled for tables that show fixed ones beside it. */
    static Contender adaptive(String name) {
        return new Contender(name, FAIR, Map.of("adaptive", method(name)));
    }

    private static SphereMethod method(String name) {
        return SphereMethod.of(workers -> Solvers.named(name, workers));
    }
}
