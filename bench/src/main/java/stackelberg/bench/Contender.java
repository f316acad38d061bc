package stackelberg.bench;

import static stackelberg.bench.Row.Protocol.BOTH;
import static stackelberg.bench.Row.Protocol.FAIR;
import static stackelberg.bench.Row.Protocol.PAPER;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import stackelberg.bench.Row.Protocol;
import stackelberg.linalg.Workers;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.published.admm.AdmmSolver;
import stackelberg.solver.published.ltrsr.LtrsrSolver;

/**
 * A solver as an experiment runs it.
 *
 * @param variants what it may be told, by the text in a row's options, in the order of a grid. With more than one, all are tried on the first
 *     trial of the smallest game, the best and its neighbours on the first trial of larger ones until that takes more than 20 seconds, and the
 *     best on all other trials
 */
record Contender(String solver, Protocol protocol, Map<String, Method> variants) {
    /** The grid of rho: the paper does not say which one it used. */
    static final double[] RHO = {0.5, 5, 50, 500, 5e3, 5e4, 5e5, 5e6, 5e7, 5e8};

    /** A solver that has one way only. */
    static Contender simple(String name) {
        return one(name, BOTH, "", workers -> Solvers.named(name, workers));
    }

    /** A solver at its best: default options, stopped by the certified gap. */
    static Contender atItsBest(String name) {
        return one(name, FAIR, "", workers -> Solvers.named(name, workers));
    }

    /** A solver as published, which needs to be told nothing more. */
    static Contender plain(String name) {
        return one(name, PAPER, "plain", workers -> Solvers.named(name, workers)
                .asPublished()
                .orElseThrow());
    }

    /** Both variants of the paper, whichever is faster; where H cannot be formed, the one that needs no H. */
    static Contender ltrsr(boolean mayForm) {
        Map<String, Method> variants = new LinkedHashMap<>();
        variants.put("matrix-free", ltrsrMethod(false));
        if (mayForm) {
            variants.put("formed", ltrsrMethod(true));
        }
        return new Contender("ltrsr", BOTH, variants);
    }

    private static Method ltrsrMethod(boolean formed) {
        return SphereMethod.of(workers -> new LtrsrSolver(LtrsrSolver.Options.DEFAULT.withFormed(formed), workers));
    }

    /** ADMM as published, over the grid of rho. */
    static Contender plainAdmm(String name) {
        Map<String, Method> variants = new LinkedHashMap<>();
        for (double rho : RHO) {
            variants.put("rho=" + Labels.number(rho), plainAdmmMethod(name, rho));
        }
        return new Contender(name, PAPER, variants);
    }

    /** ADMM as published with one rho after another, none of them left out. */
    static List<Contender> everyRho(String name, double[] rhos, int traceLength) {
        return Arrays.stream(rhos)
                .mapToObj(rho -> new Contender(
                        name,
                        PAPER,
                        Map.of(
                                "rho=" + Labels.number(rho),
                                plainAdmmMethod(name, rho).traced(traceLength))))
                .toList();
    }

    static Contender onPath(String name, double... gammas) {
        return new Contender(
                name,
                BOTH,
                Map.of(
                        "gammas=" + gammas.length,
                        SphereMethod.of(workers -> Solvers.named(name, workers)).onPath(gammas)));
    }

    /** ADMM that finds its own rho, beside others that say which one they use. */
    static Contender adaptive(String name) {
        return one(name, FAIR, "adaptive", workers -> Solvers.named(name, workers));
    }

    private static SphereMethod plainAdmmMethod(String name, double rho) {
        AdmmSolver.Options options = AdmmSolver.Options.plain(rho);
        return SphereMethod.of(workers -> ((AdmmSolver) Solvers.named(name, workers)).with(options));
    }

    private static Contender one(
            String name, Protocol protocol, String options, Function<Workers, SphereSolver> solver) {
        return new Contender(name, protocol, Map.of(options, SphereMethod.of(solver)));
    }
}
