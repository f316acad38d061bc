package stackelberg.model;

import java.util.List;
import java.util.Set;
import stackelberg.certificate.Certificate;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.objective.Solution;
import stackelberg.solver.SolverOptions;

/**
 * A model checked from scratch: from the data, what was declared and the point r, all else is computed again and held against what the model says.
 *
 * @param certificate of the model's r in the game that the data and the model describe
 * @param tolerance the relative gap that counts as certified, whatever the model was fitted to
 * @param claims what the model says, beside what was found
 * @param ruleDifference how far the stored rule's loss on these data is from the certified objective, relative
 * @param pullThroughDifference how far the stored pull-through is from that of the stored rule on these data
 * @param sameData whether the data are the very bytes the model was fitted to; false if the model does not know, and where it does, one of the refuted claims
 */
public record Verification(
        Certificate certificate,
        double tolerance,
        List<Claim> claims,
        double ruleDifference,
        double pullThroughDifference,
        boolean sameData) {
    /** How far the stored rule's loss may be from the certified one: coefficients are kept in other units than they are certified in. */
    private static final double RULE_TOLERANCE = 1e-6;

    /**
     * One of the things a model says of itself.
     *
     * @param name where it stands in the model file
     * @param claimed what the model says: a number, a text, true or false, or null
     * @param found the same from the data
     * @param holds whether they agree in the digits that are claimed; a bound holds if no better one was needed
     */
    public record Claim(String name, Object claimed, Object found, boolean holds) {}

    public Verification {
        claims = List.copyOf(claims);
    }

    /** To the library's own tolerance. */
    public static Verification of(StackelbergModel model, Table table, Workers workers) {
        return of(model, table, SolverOptions.DEFAULT.tolerance(), workers);
    }

    /** @param tolerance the relative gap that counts as certified */
    public static Verification of(StackelbergModel model, Table table, double tolerance, Workers workers) {
        SolverOptions limits = SolverOptions.DEFAULT.withTolerance(tolerance);
        Sample declared = declared(model, table, workers);
        boolean same =
                declared.world().encoding().names().equals(model.encoding().names())
                        && declared.world().manipulable() == model.world().manipulable();
        // where the data have other columns or levels, r has a meaning in the model's own encoding alone
        Sample sample = same ? declared : Sample.ofModel(model.world(), table, workers);
        FitOptions options = FitOptions.defaults()
                .withThreads(workers.threads())
                .withLimits(limits.withTolerance(model.optimality().tolerance()))
                .withStandardErrors(repeatable(model));
        Training training = new Training(model.game(), options, sample, 0);
        Solution solution = training.at(model, tolerance);
        Certificate certificate = solution.certificate();
        PredictionGame played = training.played(model.gamma());
        double difference = 0;
        double shareDifference = 0;
        if (certificate.finite()) {
            LinearRule stored = storedRule(
                    model, sample.world().encoding().columns(), played.x().cols());
            double loss = played.leaderLoss(stored, workers) + played.penalty(stored);
            double scale = Math.max(Math.abs(certificate.objective()), 1e-9 * certificate.scale());
            shareDifference = Math.abs(played.pullThrough(stored, workers) - model.pullThrough());
            difference = scale == 0 ? 0 : Math.abs(loss - certificate.objective()) / scale;
        }
        boolean sameData = model.provenance().data() != null
                && sample.source()
                        .map(source ->
                                source.sha256().equals(model.provenance().data().sha256()))
                        .orElse(false);
        // a model from sums, or from rows kept elsewhere, has not looked at its columns
        boolean looked = model.provenance().data() != null
                || model.encoding().features().stream().anyMatch(f -> f.categorical() || f.range() != null);
        StackelbergModel found = training.model(solution, looked);
        List<Claim> claims =
                Claims.of(model, training, declared.world().encoding().names(), found, tolerance);
        return new Verification(certificate, tolerance, claims, difference, shareDifference, sameData);
    }

    /** The model's own method, but for draws of people, which are not repeated; whoever was not asked may have found it too long. */
    private static StandardErrors.Method repeatable(StackelbergModel model) {
        StandardErrors errors = model.standardErrors().orElse(null);
        if (errors == null || errors.method().kind() == StandardErrors.Kind.BOOTSTRAP) {
            return new StandardErrors.Method(StandardErrors.Kind.NONE, 0);
        }
        return errors.found().isEmpty() && errors.method().kind() == StandardErrors.Kind.HC1 ? null : errors.method();
    }

    /** The certificate holds to the tolerance, and so does everything the model says. */
    public boolean certified() {
        return certificate.certified(tolerance) && refuted().isEmpty() && ruleHolds();
    }

    /** What the model says and the data do not bear out. */
    public List<Claim> refuted() {
        return claims.stream().filter(claim -> !claim.holds).toList();
    }

    /** Whether the stored rule loses what the certified point does. */
    public boolean ruleHolds() {
        return ruleDifference <= RULE_TOLERANCE;
    }

    /** What the declared game makes of the data; those that lack a column are refused by its name. */
    private static Sample declared(StackelbergModel model, Table table, Workers workers) {
        List<String> features = model.encoding().features().stream()
                .map(Encoding.Feature::column)
                .toList();
        String wish = model.game().wish();
        // wishes that were an array are missed as one
        boolean array = table.block().isPresent() && wish != null && wish.matches("[A-Za-z]+") && !table.has(wish);
        if (wish == null || array || !features.stream().allMatch(table::has) || isShifted(model)) {
            return Sample.ofModel(model.world(), table, workers);
        }
        GameSpec spec = model.game().toBuilder()
                .features(features)
                .ignore(Set.of())
                .group(null)
                .build();
        return Sample.of(spec, table, workers);
    }

    /**
     * Whether a file of an earlier version has no constant among its settings, but one in its rule: scaling subtracted something, or the first immutable
     * category has a base level. The answer of such a file is the best among rules in its own encoding.
     */
    private static boolean isShifted(StackelbergModel model) {
        if (model.game().hasConstant()) {
            return false;
        }
        Set<String> immutable = model.game().immutable();
        List<Encoding.Feature> fixed = model.encoding().features().stream()
                .filter(feature -> feature.categorical() && (immutable == null || immutable.contains(feature.column())))
                .toList();
        boolean based = !fixed.isEmpty()
                && fixed.stream()
                        .allMatch(feature ->
                                feature.columns().size() < feature.levels().size());
        return based || model.encoding().columns().stream().anyMatch(column -> column.shift() != 0);
    }

    /** The rule as the file has it, in the units of the game. */
    static LinearRule storedRule(StackelbergModel model, List<EncodedColumn> columns, int features) {
        int manipulable = model.world().manipulable();
        double[] w = new double[features];
        double[] q = new double[columns.size() - manipulable];
        double constant = model.intercept();
        for (int j = 0; j < columns.size(); j++) {
            double encoded = model.terms().get(j).coefficient() * columns.get(j).scale();
            constant += model.terms().get(j).coefficient() * columns.get(j).shift();
            if (j < manipulable) {
                w[j] = encoded;
            } else {
                q[j - manipulable] = encoded;
            }
        }
        if (model.game().intercept() == GameSpec.Intercept.MANIPULABLE) {
            w[w.length - 1] = constant;
            constant = 0;
        }
        return new LinearRule(w, q, constant);
    }
}
