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
 * The result of verifying a model from scratch: everything that the model states is recomputed from the data, the
 * declared game and the point r, and compared.
 *
 * @param certificate the certificate of the model's r in the game that the data and the model define
 * @param tolerance the largest relative gap that counts as certified, whatever tolerance the model was fitted with
 * @param claims the model's statements with the values found
 * @param ruleDifference the relative difference between the stored rule's loss on these data and the certified
 *     objective
 * @param pullThroughDifference the difference between the stored pull-through and that of the stored rule on these data
 * @param sameData whether the data are byte for byte those that the model was fitted to; false if the model does not
 *     record them; if it does, a difference is also a refuted claim
 */
public record Verification(
        Certificate certificate,
        double tolerance,
        List<Claim> claims,
        double ruleDifference,
        double pullThroughDifference,
        boolean sameData) {
    /**
     * The tolerance of ruleDifference: coefficients are stored in other units than those in which they are certified.
     */
    private static final double RULE_TOLERANCE = 1e-6;

    /**
     * One statement of a model file about itself.
     *
     * @param name the key in the model file
     * @param claimed the stored value: a number, a text, true, false or null
     * @param found the value computed from the data
     * @param holds whether they agree to the digits that are claimed; a bound also holds if it is weaker than the one
     *     found
     */
    public record Claim(String name, Object claimed, Object found, boolean holds) {}

    public Verification {
        claims = List.copyOf(claims);
    }

    /** Verifies a model to the library's default tolerance. */
    public static Verification of(StackelbergModel model, Table table, Workers workers) {
        return of(model, table, SolverOptions.DEFAULT.tolerance(), workers);
    }

    /**
     * Verifies a model.
     *
     * @param tolerance the largest relative gap that counts as certified
     */
    public static Verification of(StackelbergModel model, Table table, double tolerance, Workers workers) {
        SolverOptions limits = SolverOptions.DEFAULT.withTolerance(tolerance);
        Sample declared = declared(model, table, workers);
        boolean same =
                declared.world().encoding().names().equals(model.encoding().names())
                        && declared.world().manipulable() == model.world().manipulable();
        // if the data have other columns or levels, r is defined only in the model's own encoding
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
        // a model made from sums, or from rows that are not in memory, did not examine its columns
        boolean looked = model.provenance().data() != null
                || model.encoding().features().stream().anyMatch(f -> f.categorical() || f.range() != null);
        StackelbergModel found = training.model(solution, looked);
        List<Claim> claims =
                Claims.of(model, training, declared.world().encoding().names(), found, tolerance);
        return new Verification(certificate, tolerance, claims, difference, shareDifference, sameData);
    }

    /**
     * Returns the model's own method of standard errors, except that a bootstrap is not repeated; by default none is
     * computed if the model has none.
     */
    private static StandardErrors.Method repeatable(StackelbergModel model) {
        StandardErrors errors = model.standardErrors().orElse(null);
        if (errors == null || errors.method().kind() == StandardErrors.Kind.BOOTSTRAP) {
            return new StandardErrors.Method(StandardErrors.Kind.NONE, 0);
        }
        return errors.found().isEmpty() && errors.method().kind() == StandardErrors.Kind.HC1 ? null : errors.method();
    }

    /** Returns whether the certificate holds to the tolerance and all claims hold. */
    public boolean certified() {
        return certificate.certified(tolerance) && refuted().isEmpty() && ruleHolds();
    }

    /** Returns the claims that do not hold. */
    public List<Claim> refuted() {
        return claims.stream().filter(claim -> !claim.holds).toList();
    }

    /** Returns whether the loss of the stored rule agrees with the certified objective. */
    public boolean ruleHolds() {
        return ruleDifference <= RULE_TOLERANCE;
    }

    /** Makes the sample of the declared game; throws, naming the column, if the data lack one. */
    private static Sample declared(StackelbergModel model, Table table, Workers workers) {
        List<String> features = model.encoding().features().stream()
                .map(Encoding.Feature::column)
                .toList();
        String wish = model.game().wish();
        // wishes that were given as an array are reported missing as such
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
     * Returns whether a file of an earlier version declares no intercept but has one in its rule: because scaling
     * subtracted the mean, or because the first immutable category has a base level. Its answer is the best rule in its
     * own encoding.
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

    /** Returns the rule of the file in the units of the game. */
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
