package stackelberg.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stackelberg.bench.Row.Game;
import stackelberg.bench.Row.Protocol;

/** The experiments behind every table and figure of the paper, and our own, by name. Tables of the same runs share one experiment. */
public final class Experiments {
    static final String MEMORY = "memory";

    private Experiments() {}

    /** All experiments, in the order of the report. */
    public static List<Experiment> all() {
        List<Experiment> all = new ArrayList<>();
        all.add(Experiment.real(
                "table1",
                "Table 1: relative errors on real data",
                games -> real(games, "wine", "building", "insurance")));
        for (String data : List.of("wine", "building", "insurance", "blog")) {
            String title = "Figure: run time on " + data + ", modest and severe, against the sample size";
            all.add(Experiment.real("figure-" + data, title, games -> real(games, data)));
        }
        all.addAll(List.of(
                Experiment.real("figure-rho", "Figure: convergence on wine modest for different rho", Experiments::rho),
                new Experiment(
                        "table2", "Table 2: times on dense synthetic games, gamma 0.1", games -> dense(games, 0.1)),
                new Experiment("table2-gamma0.01", "Table 2's twin: gamma 0.01", games -> dense(games, 0.01)),
                new Experiment(
                        "errors-dense",
                        "Relative errors on dense synthetic games, both gammas",
                        games -> dense(games, 0.1, 0.01)),
                new Experiment(
                        "table3",
                        "Table 3: times on sparse games, density 1e-4, gamma 0.1",
                        games -> sparse(games, games.pick(1e-4, 1e-3, 1e-2), 0.1)),
                new Experiment(
                        "sparse-gamma0.1",
                        "Times on sparse games, three densities, gamma 0.1",
                        games -> sparse(games, 0.1)),
                new Experiment(
                        "sparse-gamma0.01",
                        "Times on sparse games, three densities, gamma 0.01",
                        games -> sparse(games, 0.01)),
                new Experiment(
                        "errors-sparse", "Relative errors on sparse games, both gammas", games -> Stream.of(0.1, 0.01)
                                .flatMap(gamma -> sparse(games, gamma).stream())
                                .toList()),
                Experiment.real(
                        "adaptive", "Time with adaptive rho and with a grid of fixed values", Experiments::adaptive),
                new Experiment("path", "Time for forty gammas and for one", Experiments::path),
                new Experiment("tune", "Time for a cross-validation and for one fit", Experiments::tune),
                new Experiment("scaling", "Time against m and n", Experiments::scaling),
                new Experiment(MEMORY, "Peak memory against the size of X", Experiments::memory)));
        return List.copyOf(all);
    }

    private static List<Unit> real(Games games, String... data) {
        List<Contender> contenders = Contender.list(
                "direct krylov ltrsr socp admm:rho cd-admm:rho rtr-newton:plain admm:best cd-admm:best rtr-newton:best sdp");
        int trials = games.pick(10, 2, 1);
        List<Unit> units = new ArrayList<>();
        for (RealGame game : RealGame.all()) {
            if (List.of(data).contains(game.data())) {
                List<Integer> all = game.source().sizes;
                boolean large = game.data().equals("blog");
                List<Integer> few = large
                        ? all.subList(0, 1)
                        : List.of(all.get(0), all.get(all.size() / 2), all.get(all.size() - 1));
                for (int m : games.pick(all, few, all.subList(0, large ? 0 : 1))) {
                    for (int trial = 1; trial <= trials; trial++) {
                        units.add(games.real(game.data(), game, m, trial, trials, contenders));
                    }
                }
            }
        }
        return units;
    }

    private static List<Unit> rho(Games games) {
        List<Contender> contenders = new ArrayList<>(Contender.list("direct"));
        contenders.addAll(Contender.everyRho("cd-admm", new double[] {0.5, 1, 5, 10, 50}, 400));
        return List.of(games.real("rho", RealGame.all().get(0), 0, 1, 1, contenders));
    }

    private static List<Unit> adaptive(Games games) {
        List<Contender> contenders = new ArrayList<>(Contender.everyRho("cd-admm", Contender.RHO, 0));
        contenders.add(Contender.adaptive("cd-admm"));
        return RealGame.all().stream()
                .filter(game -> !game.data().equals("blog"))
                .limit(games.pick(6, 6, 2))
                .map(game -> games.real("adaptive", game, 0, 1, 1, contenders))
                .toList();
    }

    private static List<Unit> dense(Games games, double... gammas) {
        List<Contender> contenders =
                Contender.list("krylov ltrsr rtr-newton:best rtr-newton:plain cd-admm:best admm:best"
                        + " socp direct cd-admm:rho admm:rho");
        List<Unit> units = new ArrayList<>();
        for (int n : games.pick(List.of(1000, 2000, 4000, 6000, 8000, 10_000), List.of(200, 400), List.of(60))) {
            int trials = games.pick(n <= 2000 ? 10 : 3, 2, 1);
            for (int trial = 1; trial <= trials; trial++) {
                for (double gamma : gammas) {
                    for (double multiple : new double[] {2, 1, 0.5}) {
                        Game game = Game.dense((int) (multiple * n), n, gamma);
                        units.add(games.synthetic("dense", game, trial, trials, contenders));
                    }
                }
            }
        }
        return units;
    }

    private static List<Unit> sparse(Games games, double gamma) {
        return games.pick(List.of(1e-4, 1e-3, 1e-2), List.of(1e-3, 1e-2), List.of(1e-2)).stream()
                .flatMap(density -> sparse(games, density, gamma).stream())
                .toList();
    }

    private static List<Unit> sparse(Games games, double density, double gamma) {
        List<Unit> units = new ArrayList<>();
        int trials = games.pick(3, 2, 1);
        for (int n : games.pick(List.of(10_000, 15_000, 20_000, 25_000, 30_000), List.of(1000, 2000), List.of(200))) {
            for (double multiple : new double[] {0.5, 1, 2, 3}) {
                for (int trial = 1; trial <= trials; trial++) {
                    Game game = Game.sparse((int) (multiple * n), n, density, gamma);
                    String slow = trial == 1 ? " cd-admm:best cd-admm:rho socp admm:best" : "";
                    List<Contender> contenders = Contender.list("krylov ltrsr:matrix-free" + slow);
                    units.add(games.synthetic("sparse", game, trial, trials, contenders));
                }
            }
        }
        return units;
    }

    private static List<Unit> path(Games games) {
        int n = games.pick(10_000, 1000, 100);
        double[] forty = IntStream.range(0, 40)
                .mapToDouble(k -> 0.001 + (0.75 - 0.001) * k / 39)
                .toArray();
        return games.trials(
                "path",
                Game.dense(2 * n, n, 0.1),
                games.pick(3, 3, 1),
                List.of(Contender.onPath("krylov", 0.1), Contender.onPath("krylov", forty)));
    }

    private static List<Unit> tune(Games games) {
        double[] gammas = DoubleStream.iterate(-2, e -> e + 4.0 / 39)
                .limit(40)
                .map(e -> Math.pow(10, e))
                .toArray();
        Method tune = TuneMethod.tune(10, gammas);
        return games.trials(
                "tune",
                Game.dense(games.pick(100_000, 5000, 500), games.pick(500, 100, 20), 1),
                games.pick(3, 2, 1),
                List.of(
                        new Contender("auto", Protocol.BOTH, Map.of("fit", TuneMethod::fit)),
                        new Contender("auto", Protocol.BOTH, Map.of("tune folds=10 gammas=40x40", tune))));
    }

    private static List<Unit> scaling(Games games) {
        List<Contender> ofDense = Contender.list("krylov direct ltrsr:matrix-free cd-admm:best");
        List<Contender> ofSparse = Contender.list("krylov ltrsr:matrix-free");
        List<Unit> units = new ArrayList<>();
        int trials = games.pick(3, 1, 1);
        int base = games.pick(1000, 100, 30);
        for (int trial = 1; trial <= trials; trial++) {
            for (int factor = 1; factor <= games.pick(64, 16, 2); factor *= games.pick(4, 4, 2)) {
                units.add(games.synthetic("scaling", Game.dense(factor * base, base, 0.1), trial, trials, ofDense));
            }
            for (int factor = 1; factor <= games.pick(16, 8, 2); factor *= 2) {
                Game game = Game.dense(4 * base, factor * base / 4, 0.1);
                units.add(games.synthetic("scaling", game, trial, trials, ofDense));
            }
            for (int size = 10 * base; size <= games.pick(1_000_000, 10_000, 600); size *= games.pick(10, 10, 2)) {
                Game game = Game.sparse(size, size, 10.0 / size, 0.1);
                units.add(games.synthetic("scaling", game, trial, trials, ofSparse));
            }
        }
        return units;
    }

    private static List<Unit> memory(Games games) {
        return games.pick(List.of(2500, 5000, 10_000), List.of(1000), List.of(100)).stream()
                .map(n -> games.synthetic(
                        MEMORY,
                        Game.dense(2 * n, n, 0.1),
                        1,
                        1,
                        Contender.list("krylov ltrsr:matrix-free cd-admm:best")))
                .toList();
    }
}
