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
 * A solver with the variants that an experiment runs of it.
 *
 * @param protocol how it is stopped and timed
 * @param variants its options, by their text in the rows, in the order of a grid. Of several variants, all are run on the first trial of the smallest game, the
 *     best one and its neighbours on the first trial of larger games as long as that takes less than 20 seconds, and the best one on all other trials
 */
record Contender(String solver, Protocol protocol, Map<String, Method> variants) {
    /** The grid of rho; the paper does not state the value that it used. */
    static final double[] RHO = {0.5, 5, 50, 500, 5e3, 5e4, 5e5, 5e6, 5e7, 5e8};

    /** A solver without a distinction between a published and an improved form. */
    static Contender simple(String name) {
        return one(name, BOTH, "", workers -> Solvers.named(name, workers));
    }

    /** A solver with its default options, stopped by the certified gap. */
    static Contender atItsBest(String name) {
        return one(name, FAIR, "", workers -> Solvers.named(name, workers));
    }

    /** A solver as published, without options to choose. */
    static Contender plain(String name) {
        return one(name, PAPER, "plain", workers -> Solvers.named(name, workers)
                .asPublished()
                .orElseThrow());
    }

    /**
     * LTRSR in the paper's two variants, with H formed and matrix-free.
     *
     * @param mayForm whether H is small enough to be formed
     */
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

    /** ADMM as published, each rho as a contender of its own, so that all of them are run. */
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

    /** A solver on several gammas at once. */
    static Contender onPath(String name, double... gammas) {
        return new Contender(
                name,
                BOTH,
                Map.of(
                        "gammas=" + gammas.length,
                        SphereMethod.of(workers -> Solvers.named(name, workers)).onPath(gammas)));
    }

    /** ADMM with an adaptive rho, labelled for tables that show fixed ones beside it. */
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
