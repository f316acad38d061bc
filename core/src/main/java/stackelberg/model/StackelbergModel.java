package stackelberg.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.certificate.Proof;
import stackelberg.data.DataException;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.Source;
import stackelberg.data.Table;
import stackelberg.data.UnknownLevel;
import stackelberg.data.wish.Wish;
import stackelberg.game.Intercept;
import stackelberg.game.Population;
import stackelberg.game.Response;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * A fitted rule with everything needed to use it, to explain it and to prove it again.
 *
 * @param gamma how hard the model thinks it is to move; where everybody has a gamma of their own, the median of those who move
 * @param intercept the constant term, in the units of the data
 * @param terms one per encoded column, those people can change first
 * @param encoding how columns become encoded columns
 * @param game what was assumed about people
 * @param pullThrough t, the fraction of the gap to their wish that everybody closes; the average over the people where they differ
 * @param r the point of the sphere that the rule was recovered from: what {@code verify} certifies again
 * @param optimality the certificate
 * @param losses what the rule and its naive rival lose
 * @param solver how it was found
 * @param provenance what it was found from
 * @param warnings what a user should know
 */
public record StackelbergModel(
        double gamma,
        double intercept,
        List<Term> terms,
        Encoding encoding,
        Game game,
        double pullThrough,
        double[] r,
        Optimality optimality,
        Losses losses,
        SolverRecord solver,
        Provenance provenance,
        List<String> warnings) {
    public StackelbergModel {
        terms = List.copyOf(terms);
        warnings = List.copyOf(warnings);
        r = r.clone();
    }

    @Override
    public double[] r() {
        return r.clone();
    }

    /**
     * One encoded column in the rule.
     *
     * @param coefficient in the units of the data
     * @param manipulable whether people can change it
     * @param cost of moving it, in encoded units; 0 for an immutable one
     */
    public record Term(String name, double coefficient, boolean manipulable, double cost) {}

    /**
     * What was assumed about people.
     *
     * @param wish the wish rule, its statistics frozen; null if the wishes were given as numbers
     * @param weight the weight column, or null
     * @param truthfulShare the probability of staying as one is
     * @param rowGamma the column of everybody's own gamma, or null
     * @param interceptCoefficient in encoded units, what the manipulable ones column contributes to omega; 0 otherwise
     */
    public record Game(
            String target,
            String wish,
            String weight,
            double wishNoise,
            double truthfulShare,
            String rowGamma,
            Intercept intercept,
            double interceptCoefficient) {
        /** Whether people differ in how they respond. */
        public boolean mixed() {
            return truthfulShare > 0 || rowGamma != null;
        }
    }

    /** The certificate in plain values. */
    public record Optimality(
            double objective,
            double multiplier,
            double residual,
            double curvature,
            double gapBound,
            double relativeGap,
            Proof proof,
            boolean unique,
            boolean finite,
            boolean certified,
            double tolerance) {
        static Optimality of(Certificate certificate, double tolerance) {
            return new Optimality(
                    certificate.objective(),
                    certificate.multiplier(),
                    certificate.residual(),
                    certificate.curvature(),
                    certificate.gapBound(),
                    certificate.relativeGap(),
                    certificate.proof(),
                    certificate.unique(),
                    certificate.finite(),
                    certificate.certified(tolerance),
                    tolerance);
        }
    }

    /**
     * Sums of squares on the training rows.
     *
     * @param anticipated the rule's loss after everybody has moved: what was minimised
     * @param honest the rule's loss if nobody moved
     * @param naive least squares, if nobody moved; null where it was not computed
     * @param naiveAttacked least squares after everybody has moved; null where it was not computed
     */
    public record Losses(double anticipated, double honest, Double naive, Double naiveAttacked) {}

    /** How the rule was found. */
    public record SolverRecord(
            String name, String status, int iterations, int passes, int factorisations, String note, Phases seconds) {}

    /** Wall-clock seconds of disjoint phases. */
    public record Phases(double read, double assemble, double solve, double certify, double recover) {
        /** The same with the time it took to read the data, which happens outside the estimator. */
        public Phases withRead(double seconds) {
            return new Phases(seconds, assemble, solve, certify, recover);
        }
    }

    /**
     * What the rule was found from.
     *
     * @param data file, hash and length, or null
     * @param rows in use
     * @param options the choices that differ from the default, as text
     */
    public record Provenance(
            Source data, int rows, int droppedRows, Map<String, String> options, String version, long seed) {
        public Provenance {
            options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
        }
    }

    /** Coefficients by name, in the units of the data. */
    public Map<String, Double> coefficients() {
        Map<String, Double> map = new LinkedHashMap<>();
        terms.forEach(term -> map.put(term.name(), term.coefficient()));
        return map;
    }

    public int rows() {
        return provenance.rows();
    }

    public boolean certified() {
        return optimality.certified();
    }

    /** The prediction for everybody's features as they are; columns are found by name. */
    public double[] predict(Table table) {
        return predict(table, UnknownLevel.ERROR);
    }

    public double[] predict(Table table, UnknownLevel unknown) {
        return PublishedRule.of(this).predict(encoding, table, unknown);
    }

    /** The model's wish rule, where the table has what the rule needs. */
    public Optional<Wish> wishRule(Table table) {
        if (game.wish() == null) {
            return Optional.empty();
        }
        Wish wish;
        try {
            wish = Wish.parse(game.wish(), table.names(), true);
        } catch (DataException e) {
            return Optional.empty();
        }
        return Optional.of(wish).filter(w -> !w.usesTarget() || table.has(game.target()));
    }

    /** The wish of everybody in the table by the model's own rule; empty if the table lacks what the rule needs. */
    public Optional<double[]> wishes(Table table, double[] predictions) {
        return wishRule(table).map(wish -> {
            double[] y = wish.usesTarget() ? table.numeric(game.target()).values() : null;
            return wish.evaluate(table, y, predictions);
        });
    }

    /** Predictions after everybody has moved towards its wish: (1 - t) p + t z. */
    public double[] afterResponse(double[] predictions, double[] wishes) {
        if (optimality.finite() || game.mixed()) {
            double[] t = new double[predictions.length];
            Arrays.fill(t, pullThrough);
            return afterResponse(predictions, wishes, t);
        }
        // predictions are as large as 1 - t is small: what they say survives only in the product
        Response response = Response.of(omega(), gamma);
        double[] after = new double[predictions.length];
        for (int i = 0; i < after.length; i++) {
            after[i] = response.after(predictions[i], wishes[i]);
        }
        return after;
    }

    /**
     * The fraction of the gap to its wish that each person closes, on average over being truthful or not; empty if the table lacks the gammas.
     */
    public Optional<double[]> pullThroughs(Table table) {
        if (game.rowGamma() != null && !table.has(game.rowGamma())) {
            return Optional.empty();
        }
        double[] t = new double[table.rows()];
        Arrays.fill(t, pullThrough);
        if (game.rowGamma() != null) {
            Population population = population(table);
            double omega = optimality.finite() ? omega() : Double.POSITIVE_INFINITY;
            Arrays.setAll(t, i -> population.expectedPullThrough(i, omega));
        }
        return Optional.of(t);
    }

    /** How the people of a table respond, by the gammas in its own column where the model has one. */
    public Population population(Table table) {
        if (game.rowGamma() == null) {
            return Population.ofOneGamma(table.rows(), gamma, game.truthfulShare());
        }
        requireGammas(table);
        return new Population(Assembly.rowGammas(table, game.rowGamma()), game.truthfulShare());
    }

    /** Refuses a table without the column of everybody's gamma, where the model has one. */
    public void requireGammas(Table table) {
        if (game.rowGamma() != null && !table.has(game.rowGamma())) {
            throw new DataException("The data lack the column '" + game.rowGamma()
                    + "' of everybody's gamma, so it is not known how far these people move.\nMaybe add the column, or"
                    + " give one gamma for all with --gamma.");
        }
    }

    /** Predictions after everybody has moved its own fraction of the way: p + t_i (z - p). */
    public double[] afterResponse(double[] predictions, double[] wishes, double[] pullThroughs) {
        double[] after = new double[predictions.length];
        for (int i = 0; i < after.length; i++) {
            after[i] = Response.after(pullThroughs[i], predictions[i], wishes[i]);
        }
        return after;
    }

    /** omega = w'C^{-1}w in encoded units. */
    public double omega() {
        double omega = game.interceptCoefficient() * game.interceptCoefficient();
        List<EncodedColumn> columns = encoding.columns();
        for (int j = 0; j < terms.size(); j++) {
            if (terms.get(j).manipulable()) {
                double w = terms.get(j).coefficient() * columns.get(j).scale();
                omega += w * w / terms.get(j).cost();
            }
        }
        return omega;
    }

    /** The optimisation problem that this model solves on the given data, for those who want to solve it elsewhere. */
    public SphereProblem sphereProblem(Table table, Workers workers) {
        if (game.mixed()) {
            throw new DataException(
                    "The model is for a mixed population, which is not one problem on a sphere, but one for"
                            + " every omega.\nMaybe fit it with one gamma for all.");
        }
        return Assembly.again(table, this, workers)
                .reduction(workers, gamma)
                .family()
                .at(gamma);
    }

    /** The pull-through of this rule in a world where moving costs worldGamma. */
    public double pullThroughAt(double worldGamma) {
        return Response.pullThrough(omega(), worldGamma);
    }

    /** The same model with another answer to missing values in new data. */
    public StackelbergModel withMissing(Missing missing) {
        return with(new Encoding(encoding.features(), missing, encoding.constantColumns()), solver);
    }

    /** The same model with the time it took to read its data. */
    public StackelbergModel withReadSeconds(double seconds) {
        SolverRecord timed = new SolverRecord(
                solver.name(),
                solver.status(),
                solver.iterations(),
                solver.passes(),
                solver.factorisations(),
                solver.note(),
                solver.seconds().withRead(seconds));
        return with(encoding, timed);
    }

    /** The same model with one more thing that a user should know. */
    public StackelbergModel withWarning(String warning) {
        List<String> more = new ArrayList<>(warnings);
        more.add(warning);
        return new StackelbergModel(
                gamma, intercept, terms, encoding, game, pullThrough, r, optimality, losses, solver, provenance, more);
    }

    private StackelbergModel with(Encoding newEncoding, SolverRecord newSolver) {
        return new StackelbergModel(
                gamma,
                intercept,
                terms,
                newEncoding,
                game,
                pullThrough,
                r,
                optimality,
                losses,
                newSolver,
                provenance,
                warnings);
    }
}
