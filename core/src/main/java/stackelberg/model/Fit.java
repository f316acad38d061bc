package stackelberg.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Feature;
import stackelberg.game.Intercept;
import stackelberg.game.LinearRule;
import stackelberg.game.MixedGame;
import stackelberg.game.PullThrough;
import stackelberg.linalg.Workers;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.mixed.MixedSolution;
import stackelberg.sphere.Reduction;

/** From an assembled game to models: reduce, solve, certify, recover. */
final class Fit {
    /** Least squares is computed for comparison while the smaller side of X is at most this. */
    private static final int NAIVE_SIDE = 1500;

    private final StackelbergRegression.Builder choices;
    private final Assembly assembly;
    private final Workers workers;

    Fit(StackelbergRegression.Builder choices, Assembly assembly, Workers workers) {
        this.choices = choices;
        this.assembly = assembly;
        this.workers = workers;
    }

    /** One model per gamma; the certificates of all come from one pass over the data. */
    List<StackelbergModel> models(double[] gammas, long start) {
        if (assembly.mixed(choices.truthfulShare, choices.gamma).isPresent()) {
            return mixedModels(gammas, start);
        }
        Reduction reduction = assembly.reduction(workers, gammas);
        long assembled = System.nanoTime();
        SphereSolver solver = choices.solverOn(workers);
        List<SphereResult> results = solver.solvePath(reduction.family(), gammas, choices.options, choices.listener);
        long solved = System.nanoTime();
        double[][] points = results.stream().map(SphereResult::r).toArray(double[][]::new);
        Certificate[] certificates = Certificate.ofPath(reduction.family(), gammas, points);
        long certified = System.nanoTime();
        List<LinearRule> rules = new ArrayList<>();
        double[] recovered = new double[gammas.length];
        List<String> collinear = collinear();
        for (int k = 0; k < gammas.length; k++) {
            long before = System.nanoTime();
            rules.add(reduction.recover(points[k], gammas[k]));
            recovered[k] = (System.nanoTime() - before) * 1e-9;
        }
        RuleLosses losses = new RuleLosses(assembly.game(), rules, naiveRule(reduction), workers);
        List<StackelbergModel> models = new ArrayList<>();
        for (int k = 0; k < gammas.length; k++) {
            var seconds = new StackelbergModel.Phases(
                    0,
                    (assembled - start) * 1e-9,
                    (solved - assembled) * 1e-9,
                    (certified - solved) * 1e-9,
                    recovered[k]);
            StackelbergModel.Losses lost = losses.of(k, gammas[k], certificates[k].objective());
            models.add(model(
                    gammas[k], rules.get(k), lost, collinear, results.get(k), certificates[k], solver.name(), seconds));
        }
        return models;
    }

    /** One model per gamma for a population that differs: a search over omega for each. */
    private List<StackelbergModel> mixedModels(double[] gammas, long start) {
        if (assembly.rowGammas() != null && gammas.length > 1) {
            throw new IllegalArgumentException("Everybody has a gamma of their own in column '" + choices.rowGamma
                    + "', so there is no path of gammas to follow.\nMaybe fit one model, without a list of gammas.");
        }
        Reduction ordinary = assembly.reduction(workers, assembly.extremes(gammas));
        LinearRule naive = naiveRule(ordinary);
        List<String> collinear = collinear();
        List<StackelbergModel> models = new ArrayList<>();
        long before = start;
        for (double chosen : gammas) {
            MixedGame game = assembly.mixed(choices.truthfulShare, chosen).orElseThrow();
            double gamma = game.population().typicalGamma();
            long assembled = System.nanoTime();
            MixedSolution solution = solution(game, ordinary.family().p());
            long solved = System.nanoTime();
            LinearRule rule = solution.rule();
            var seconds = new StackelbergModel.Phases(
                    0,
                    (assembled - before) * 1e-9,
                    (solved - assembled) * 1e-9,
                    0,
                    (System.nanoTime() - solved) * 1e-9);
            Certificate certificate = solution.certificate(choices.options.tolerance());
            String solver = choices.innerSolver(workers).name();
            var losses = new StackelbergModel.Losses(
                    certificate.objective(),
                    assembly.game().honestLoss(rule, workers),
                    naive == null ? null : assembly.game().honestLoss(naive, workers),
                    naive == null ? null : game.leaderLoss(naive, workers));
            models.add(
                    model(gamma, rule, losses, collinear, solution.sphereResult(gamma), certificate, solver, seconds));
            before = System.nanoTime();
        }
        return models;
    }

    /** The choices were checked before: what the search refuses are values of the data. */
    private MixedSolution solution(MixedGame game, double scale) {
        try {
            return MixedSolution.of(
                    game, scale, choices.innerSolver(workers), choices.options, choices.listener, workers);
        } catch (IllegalArgumentException e) {
            throw new DataException(e.getMessage(), e);
        }
    }

    /** Least squares in the units of the data, which losses are compared with; empty where it is not computed. */
    Optional<PublishedRule> leastSquares() {
        return naiveIsTooLarge()
                ? Optional.empty()
                : Optional.of(published("least squares", naiveRule(assembly.reduction(workers))));
    }

    /** A rule in the units of the data; a constant that people can move is still the constant. */
    private PublishedRule published(String name, LinearRule rule) {
        double[] w = rule.w();
        double[] q = rule.q();
        double constant = rule.intercept();
        if (choices.intercept == Intercept.MANIPULABLE) {
            constant += w[w.length - 1];
        }
        Map<String, Double> coefficients = new LinkedHashMap<>();
        List<EncodedColumn> columns = assembly.encoding().columns();
        for (int j = 0; j < columns.size(); j++) {
            double coefficient = coefficient(w, q, j, columns.get(j));
            constant -= coefficient * columns.get(j).shift();
            coefficients.put(columns.get(j).name(), coefficient);
        }
        return new PublishedRule(name, constant, coefficients);
    }

    /** Of an encoded column, in the units of the data. */
    private double coefficient(double[] w, double[] q, int j, EncodedColumn column) {
        double encoded = j < assembly.manipulable() ? w[j] : q[j - assembly.manipulable()];
        return encoded / column.scale();
    }

    private LinearRule naiveRule(Reduction reduction) {
        return naiveIsTooLarge()
                ? null
                : reduction.naiveRule(new DirectSolver(workers).leastSquares(reduction.family()));
    }

    private boolean naiveIsTooLarge() {
        return Math.min(assembly.game().x().rows(), assembly.game().x().cols()) > NAIVE_SIDE;
    }

    private List<String> collinear() {
        boolean constantToo = choices.intercept != Intercept.NONE;
        Encoding encoding = assembly.encoding();
        Set<String> columns = encoding.features().stream().map(Feature::column).collect(Collectors.toSet());
        return Collinearity.warnings(Collinearity.of(assembly.game(), encoding.names(), constantToo, workers), columns);
    }

    private StackelbergModel model(
            double gamma,
            LinearRule rule,
            StackelbergModel.Losses losses,
            List<String> collinear,
            SphereResult result,
            Certificate certificate,
            String solverName,
            StackelbergModel.Phases seconds) {
        var game = assembly.game().withGamma(gamma);
        Optional<MixedGame> mixed = assembly.mixed(choices.truthfulShare, gamma);
        double omega = certificate.finite() ? rule.omega(game.costs()) : Double.POSITIVE_INFINITY;
        double pullThrough = mixed.map(m -> m.pullThrough(omega)).orElse(PullThrough.of(omega, gamma));
        PublishedRule published = published("this rule", rule);
        double[] w = rule.w();
        double[] q = rule.q();
        double onesCoefficient = choices.intercept == Intercept.MANIPULABLE ? w[w.length - 1] : 0;
        List<StackelbergModel.Term> terms = new ArrayList<>();
        List<EncodedColumn> columns = assembly.encoding().columns();
        for (int j = 0; j < columns.size(); j++) {
            boolean manipulable = j < assembly.manipulable();
            terms.add(new StackelbergModel.Term(
                    columns.get(j).name(),
                    coefficient(w, q, j, columns.get(j)),
                    manipulable,
                    manipulable ? assembly.costs()[j] : 0));
        }
        List<String> warnings = new ArrayList<>(assembly.warnings());
        warnings.addAll(collinear);
        warnings.addAll(
                mixed.isPresent()
                        ? Explanations.mixedWarnings(
                                certificate, pullThrough / (1 - choices.truthfulShare), choices.options.tolerance())
                        : Explanations.warnings(certificate, pullThrough, choices.options.tolerance()));
        return new StackelbergModel(
                gamma,
                published.intercept(),
                terms,
                assembly.encoding(),
                new StackelbergModel.Game(
                        choices.target,
                        assembly.wish(),
                        choices.weight,
                        choices.wishNoise,
                        choices.truthfulShare,
                        choices.rowGamma,
                        choices.intercept,
                        onesCoefficient),
                pullThrough,
                result.r(),
                StackelbergModel.Optimality.of(certificate, choices.options.tolerance()),
                losses,
                new StackelbergModel.SolverRecord(
                        solverName,
                        result.status().name(),
                        result.effort().iterations(),
                        result.effort().passes(),
                        result.effort().factorisations(),
                        result.note(),
                        seconds),
                new StackelbergModel.Provenance(
                        assembly.source(),
                        assembly.game().x().rows(),
                        assembly.dropped(),
                        options(),
                        Version.current(),
                        choices.seed),
                warnings);
    }

    /** The choices that shaped the answer, in words. */
    private Map<String, String> options() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("wish", String.valueOf(choices.wish));
        map.put("scale", choices.scaling.name().toLowerCase(java.util.Locale.ROOT));
        map.put("intercept", choices.intercept.name().toLowerCase(java.util.Locale.ROOT));
        map.put("missing", choices.missing.name().toLowerCase(java.util.Locale.ROOT));
        map.put("costUnits", choices.costUnits.name().toLowerCase(java.util.Locale.ROOT));
        if (choices.truthfulShare > 0) {
            map.put("truthfulShare", String.valueOf(choices.truthfulShare));
        }
        if (choices.rowGamma != null) {
            map.put("rowGamma", choices.rowGamma);
        }
        if (choices.group != null) {
            map.put("group", choices.group);
        }
        if (choices.features != null) {
            map.put("features", String.join(",", choices.features));
        }
        if (!choices.ignore.isEmpty()) {
            map.put("ignore", String.join(",", choices.ignore));
        }
        map.put("immutable", choices.immutable == null ? "categorical columns" : String.join(",", choices.immutable));
        choices.costs.forEach((column, cost) -> map.put("cost " + column, String.valueOf(cost)));
        map.put("tolerance", String.valueOf(choices.options.tolerance()));
        return map;
    }
}
