package stackelberg.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import stackelberg.bench.Row.Game;
import stackelberg.bench.Row.Protocol;

/** The experiments behind every table and figure of the paper, and our own, by name. Tables of the same runs share one experiment. */
public final class Experiments {
    static final String MEMORY = "memory";

    private static final double[] GAMMAS = {0.1, 0.01};

    private Experiments() {}

    /** All experiments, in the order of the report. */
    public static List<Experiment> all() {
        List<Experiment> all = new ArrayList<>();
        all.add(new Experiment(
                "table1",
                "Table 1: relative errors on real data",
                true,
                (profile, games) -> real(profile, games, "wine", "building", "insurance")));
        for (String data : List.of("wine", "building", "insurance", "blog")) {
            all.add(new Experiment(
                    "figure-" + data,
                    "Figure: run time on " + data + ", modest and severe, against the sample size",
                    true,
                    (profile, games) -> real(profile, games, data)));
        }
        all.add(new Experiment(
                "figure-rho", "Figure: convergence on wine modest for different rho", true, Experiments::rho));
        all.add(new Experiment(
                "table2",
                "Table 2: times on dense synthetic games, gamma 0.1",
                false,
                (profile, games) -> dense(profile, games, 0.1)));
        all.add(new Experiment(
                "table2-gamma0.01",
                "Table 2's twin: gamma 0.01",
                false,
                (profile, games) -> dense(profile, games, 0.01)));
        all.add(new Experiment(
                "errors-dense",
                "Relative errors on dense synthetic games, both gammas",
                false,
                (profile, games) -> dense(profile, games, GAMMAS)));
        all.add(new Experiment(
                "table3",
                "Table 3: times on sparse games, density 1e-4, gamma 0.1",
                false,
                (profile, games) -> sparse(profile, games, profile.pick(1e-4, 1e-3, 1e-2), 0.1)));
        all.add(new Experiment(
                "sparse-gamma0.1",
                "Times on sparse games, three densities, gamma 0.1",
                false,
                (profile, games) -> sparse(profile, games, 0.1)));
        all.add(new Experiment(
                "sparse-gamma0.01",
                "Times on sparse games, three densities, gamma 0.01",
                false,
                (profile, games) -> sparse(profile, games, 0.01)));
        all.add(new Experiment(
                "errors-sparse", "Relative errors on sparse games, both gammas", false, (profile, games) -> {
                    List<Unit> units = new ArrayList<>(sparse(profile, games, 0.1));
                    units.addAll(sparse(profile, games, 0.01));
                    return units;
                }));
        all.add(new Experiment("adaptive", "Adaptive rho beside a grid of fixed ones", true, Experiments::adaptive));
        all.add(new Experiment("path", "Forty gammas beside one", false, Experiments::path));
        all.add(new Experiment("tune", "Cross-validation beside one fit", false, Experiments::tune));
        all.add(new Experiment("scaling", "Time against m and n", false, Experiments::scaling));
        all.add(new Experiment(MEMORY, "Peak memory against the size of X", false, Experiments::memory));
        return List.copyOf(all);
    }

    private static List<Unit> real(Profile profile, Games games, String... data) {
        int trials = profile.pick(10, 2, 1);
        List<Unit> units = new ArrayList<>();
        for (RealGame game : RealGame.all()) {
            if (List.of(data).contains(game.data())) {
                List<Integer> all = game.sizes();
                boolean large = game.data().equals("blog");
                List<Integer> sizes = profile.pick(
                        all,
                        large
                                ? all.subList(0, 1)
                                : List.of(all.get(0), all.get(all.size() / 2), all.get(all.size() - 1)),
                        all.subList(0, large ? 0 : 1));
                for (int m : sizes) {
                    for (int trial = 1; trial <= trials; trial++) {
                        units.add(games.real(game.data(), game, m, trial, trials, onRealData()));
                    }
                }
            }
        }
        return units;
    }

    private static List<Contender> onRealData() {
        return List.of(
                Contender.simple("direct"),
                Contender.simple("krylov"),
                Contender.ltrsr(true),
                Contender.simple("socp"),
                Contender.plainAdmm("admm"),
                Contender.plainAdmm("cd-admm"),
                Contender.plain("rtr-newton"),
                Contender.atItsBest("admm"),
                Contender.atItsBest("cd-admm"),
                Contender.atItsBest("rtr-newton"),
                Contender.simple("sdp"));
    }

    private static List<Unit> rho(Profile profile, Games games) {
        List<Contender> contenders = new ArrayList<>(List.of(Contender.simple("direct")));
        contenders.addAll(Contender.everyRho("cd-admm", new double[] {0.5, 1, 5, 10, 50}, 400));
        return List.of(games.real("rho", RealGame.all().get(0), 0, 1, 1, contenders));
    }

    private static List<Unit> adaptive(Profile profile, Games games) {
        List<Contender> contenders = new ArrayList<>(Contender.everyRho("cd-admm", Contender.RHO, 0));
        contenders.add(Contender.adaptive("cd-admm"));
        return RealGame.all().stream()
                .filter(game -> !game.data().equals("blog"))
                .limit(profile.pick(6, 6, 2))
                .map(game -> games.real("adaptive", game, 0, 1, 1, contenders))
                .toList();
    }

    private static List<Unit> dense(Profile profile, Games games, double... gammas) {
        List<Unit> units = new ArrayList<>();
        int[] sizes =
                profile.pick(new int[] {1000, 2000, 4000, 6000, 8000, 10_000}, new int[] {200, 400}, new int[] {60});
        for (int n : sizes) {
            int trials = profile.pick(n <= 2000 ? 10 : 3, 2, 1);
            for (int trial = 1; trial <= trials; trial++) {
                for (double gamma : gammas) {
                    for (double multiple : new double[] {2, 1, 0.5}) {
                        int m = (int) (multiple * n);
                        units.add(games.synthetic("dense", Game.dense(m, n, gamma), trial, trials, onDenseData()));
                    }
                }
            }
        }
        return units;
    }

    private static List<Contender> onDenseData() {
        return List.of(
                Contender.simple("krylov"),
                Contender.ltrsr(true),
                Contender.atItsBest("rtr-newton"),
                Contender.plain("rtr-newton"),
                Contender.atItsBest("cd-admm"),
                Contender.atItsBest("admm"),
                Contender.simple("socp"),
                Contender.simple("direct"),
                Contender.plainAdmm("cd-admm"),
                Contender.plainAdmm("admm"));
    }

    private static List<Unit> sparse(Profile profile, Games games, double gamma) {
        List<Unit> units = new ArrayList<>();
        for (double density :
                profile.pick(new double[] {1e-4, 1e-3, 1e-2}, new double[] {1e-3, 1e-2}, new double[] {1e-2})) {
            units.addAll(sparse(profile, games, density, gamma));
        }
        return units;
    }

    private static List<Unit> sparse(Profile profile, Games games, double density, double gamma) {
        List<Unit> units = new ArrayList<>();
        int trials = profile.pick(3, 2, 1);
        for (int n : profile.pick(
                new int[] {10_000, 15_000, 20_000, 25_000, 30_000}, new int[] {1000, 2000}, new int[] {200})) {
            for (double multiple : new double[] {0.5, 1, 2, 3}) {
                for (int trial = 1; trial <= trials; trial++) {
                    int m = (int) (multiple * n);
                    units.add(games.synthetic(
                            "sparse", Game.sparse(m, n, density, gamma), trial, trials, onSparseData(trial)));
                }
            }
        }
        return units;
    }

    private static List<Contender> onSparseData(int trial) {
        List<Contender> contenders = new ArrayList<>(List.of(Contender.simple("krylov"), Contender.ltrsr(false)));
        if (trial == 1) {
            contenders.addAll(List.of(
                    Contender.atItsBest("cd-admm"),
                    Contender.plainAdmm("cd-admm"),
                    Contender.simple("socp"),
                    Contender.atItsBest("admm")));
        }
        return contenders;
    }

    private static List<Unit> path(Profile profile, Games games) {
        int n = profile.pick(10_000, 1000, 100);
        int trials = profile.pick(3, 3, 1);
        double[] forty = IntStream.range(0, 40)
                .mapToDouble(k -> 0.001 + (0.75 - 0.001) * k / 39)
                .toArray();
        List<Contender> contenders = List.of(Contender.onPath("krylov", 0.1), Contender.onPath("krylov", forty));
        return IntStream.rangeClosed(1, trials)
                .mapToObj(trial -> games.synthetic("path", Game.dense(2 * n, n, 0.1), trial, trials, contenders))
                .toList();
    }

    private static List<Unit> tune(Profile profile, Games games) {
        int m = profile.pick(100_000, 5000, 500);
        int n = profile.pick(500, 100, 20);
        int trials = profile.pick(3, 2, 1);
        double[] gammas = DoubleStream.iterate(-2, e -> e + 4.0 / 39)
                .limit(40)
                .map(e -> Math.pow(10, e))
                .toArray();
        List<Contender> contenders = List.of(
                new Contender("auto", Protocol.BOTH, Map.of("fit", TuneMethod::fit)),
                new Contender(
                        "auto", Protocol.BOTH, Map.of("tune folds=10 gammas=40x40", TuneMethod.tune(10, gammas))));
        return IntStream.rangeClosed(1, trials)
                .mapToObj(trial -> games.synthetic("tune", Game.dense(m, n, 1), trial, trials, contenders))
                .toList();
    }

    private static List<Unit> scaling(Profile profile, Games games) {
        List<Contender> contenders = List.of(
                Contender.simple("krylov"),
                Contender.simple("direct"),
                Contender.ltrsr(false),
                Contender.atItsBest("cd-admm"));
        List<Unit> units = new ArrayList<>();
        int trials = profile.pick(3, 1, 1);
        int base = profile.pick(1000, 100, 30);
        for (int trial = 1; trial <= trials; trial++) {
            for (int factor = 1; factor <= profile.pick(64, 16, 2); factor *= profile.pick(4, 4, 2)) {
                units.add(games.synthetic("scaling", Game.dense(factor * base, base, 0.1), trial, trials, contenders));
            }
            for (int factor = 1; factor <= profile.pick(16, 8, 2); factor *= 2) {
                units.add(games.synthetic(
                        "scaling", Game.dense(4 * base, factor * base / 4, 0.1), trial, trials, contenders));
            }
            for (int size = 10 * base; size <= profile.pick(1_000_000, 10_000, 600); size *= profile.pick(10, 10, 2)) {
                units.add(games.synthetic(
                        "scaling",
                        Game.sparse(size, size, 10.0 / size, 0.1),
                        trial,
                        trials,
                        List.of(Contender.simple("krylov"), Contender.ltrsr(false))));
            }
        }
        return units;
    }

    private static List<Unit> memory(Profile profile, Games games) {
        List<Contender> contenders =
                List.of(Contender.simple("krylov"), Contender.ltrsr(false), Contender.atItsBest("cd-admm"));
        List<Unit> units = new ArrayList<>();
        for (int n : profile.pick(new int[] {2500, 5000, 10_000}, new int[] {1000}, new int[] {100})) {
            units.add(games.synthetic(MEMORY, Game.dense(2 * n, n, 0.1), 1, 1, contenders));
        }
        return units;
    }
}
