package stackelberg.game;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.LinearEstimator;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * Computes what a game needs before it can be solved: today's rule, the scores under it, gamma if it was declared as a share of the gap, and the
 * statistics (such as quantiles) in the wish expression.
 */
final class Premises {
    private final World declared;
    private final Table rows;
    private final Matrix columns;
    private final boolean block;
    private final Workers workers;
    private final double[] y;

    /**
     * Premises whose target values are read from the table.
     *
     * @param declared the declared game with the encoding of its columns
     * @param columns the encoded columns, or the block as it is
     */
    Premises(World declared, Table rows, Matrix columns, boolean block, Workers workers) {
        this(declared, rows, declared.truths(rows), columns, block, workers);
    }

    /** @param y the target values; not copied */
    Premises(World declared, Table rows, double[] y, Matrix columns, boolean block, Workers workers) {
        this.declared = declared;
        this.rows = rows;
        this.columns = columns;
        this.block = block;
        this.workers = workers;
        this.y = y;
    }

    /**
     * The resolved game.
     *
     * @param world the game with gamma as a number and the statistics of the wish as constants
     * @param today the score of each row under today's rule; absent if the wish does not use it
     * @param y the target values
     */
    record Settled(World world, double @Nullable [] today, double[] y) {}

    /** Computes today's rule, gamma and the statistics of the wish, as far as the game needs them. */
    Settled settle(Wish wish) {
        GameSpec spec = declared.spec();
        boolean share = !spec.gammaKnown();
        Today today = share || wish.usesToday() ? today() : spec.today();
        double[] scores = wishedScores(wish, today);
        GameSpec.Builder builder = spec.toBuilder();
        double gamma = spec.get(Settings.GAMMA);
        GameSpec.Between between = spec.between();
        if (share && between != null) {
            double low = declared.gammaOf(today, Objects.requireNonNull(between.mostShare()));
            double high = declared.gammaOf(today, Objects.requireNonNull(between.leastShare()));
            builder.settled(low, high);
            gamma = Math.sqrt(low) * Math.sqrt(high);
        } else if (share) {
            gamma = declared.gammaOf(today, spec.gammaShare().getAsDouble());
        }
        // wishes given beside a block are a column whose name is used as it is: freezing would put it in quotes
        boolean given = wish.column().isPresent() && rows.block().isPresent();
        String text = given
                ? spec.wish()
                : wish.freeze(rows, y, declared.inWishUnits(scores)).text();
        GameSpec settled = builder.resolved(gamma, today).wish(text).build();
        return new Settled(new World(settled, declared.encoding(), declared.costs()), scores, y);
    }

    /** Today's rule: the one that was given or found before, otherwise learned from this sample. */
    Today today() {
        Today today = declared.spec().today();
        if (today.known()) {
            return today;
        }
        LinearEstimator.Fit fit = estimator().fit(weights());
        return today.found(published(Today.NAME, fit), fit.source());
    }

    /**
     * Today's rule refitted once per set of weights (for folds and bootstrap samples), with the score of every row. A rule that was given, rather than
     * learned, stays as it is.
     *
     * @param weights a set of row weights for each refit; rows with zero weight are not learned from
     */
    Sample.InForce[] learnedFrom(double[][] weights) {
        Sample.InForce[] found = new Sample.InForce[weights.length];
        Today today = declared.spec().today().toBeRefitted();
        if (today.known()) {
            Arrays.fill(found, new Sample.InForce(today, scores(today)));
            return found;
        }
        LinearEstimator estimator = estimator();
        boolean crossFitted = today.kind() == Today.Kind.CROSS_FITTED;
        List<LinearEstimator.Fit> fits = estimator.fit(List.of(weights));
        for (int k = 0; k < weights.length; k++) {
            LinearEstimator.Fit fit = fits.get(k);
            double[] scores = crossFitted ? estimator.crossFitted(weights[k]) : estimator.scores(fit);
            found[k] = new Sample.InForce(today.found(published(Today.NAME, fit), fit.source()), scores);
        }
        return found;
    }

    /** Regressions by the game's loss with each of these penalties, which ignore moves. */
    List<PublishedRule> ridge(double... lambdas) {
        return estimator().ridge(weights(), lambdas).stream()
                .map(fit -> published(fit.source(), fit))
                .toList();
    }

    /** The penalty under which the loss on held-out rows is smallest. */
    double bestRidge(int[][] parts, double[] lambdas) {
        return estimator().bestRidge(weights(), parts, lambdas);
    }

    private LinearEstimator estimator() {
        boolean intercept = declared.intercept() != GameSpec.Intercept.NONE;
        return new LinearEstimator(learnable(), y, intercept, declared.spec().loss(), workers);
    }

    /** The columns that today's rule is learned from: a block as it is, or standardised if there is no intercept that could absorb the shifts. */
    private Matrix learnable() {
        if (!block || raw()) {
            return columns;
        }
        List<EncodedColumn> encoded = declared.encoding().columns();
        return new AffineMatrix(
                columns,
                encoded.stream().mapToDouble(EncodedColumn::shift).toArray(),
                encoded.stream().mapToDouble(column -> 1 / column.scale()).toArray(),
                false);
    }

    /** Whether rules are learned in the units of the data. */
    private boolean raw() {
        return block
                && (declared.intercept() != GameSpec.Intercept.NONE
                        || declared.encoding().columns().stream().allMatch(column -> column.shift() == 0));
    }

    private double[] weights() {
        return declared.weights(rows);
    }

    /** A rule in the units of the data from coefficients of encoded columns. */
    private PublishedRule published(String name, LinearEstimator.Fit fit) {
        boolean raw = raw();
        Map<String, Double> coefficients = new LinkedHashMap<>();
        double constant = fit.constant();
        for (int j = 0; j < fit.w().length; j++) {
            EncodedColumn column = declared.encoding().columns().get(j);
            double coefficient = raw ? fit.w()[j] : fit.w()[j] / column.scale();
            constant -= raw ? 0 : coefficient * column.shift();
            coefficients.put(column.name(), coefficient);
        }
        return new PublishedRule(name, constant, coefficients);
    }

    /** The scores under today's rule that a wish uses, cross-fitted if that was declared; absent if the wish uses none. */
    double @Nullable [] wishedScores(Wish wish) {
        return wish.usesToday() ? wishedScores(wish, today()) : null;
    }

    private double @Nullable [] wishedScores(Wish wish, Today today) {
        if (!wish.usesToday()) {
            return null;
        }
        return today.kind() == Today.Kind.CROSS_FITTED ? estimator().crossFitted(weights()) : scores(today);
    }

    /** The score of every row under today's rule. */
    double[] scores(Today today) {
        if (!block) {
            return declared.scores(today, rows);
        }
        PublishedRule rule = today.knownRule();
        double[] beta = declared.encoding().columns().stream()
                .mapToDouble(rule::coefficient)
                .toArray();
        DenseMatrix p = DenseMatrix.zeros(columns.rows(), 1);
        columns.times(DenseMatrix.column(beta), p, workers);
        double[] scores = Arrays.stream(p.column(0))
                .map(value -> value + rule.intercept())
                .toArray();
        World.addOutside(rule, declared.encoding(), rows, scores);
        return scores;
    }

    /**
     * Tests whether a term of a rule is about a column that the encoding does not have. A level that does not occur in the data still belongs to its column.
     */
    static Predicate<String> outside(Encoding encoding) {
        Set<String> columns = new HashSet<>();
        Set<String> categories = new HashSet<>();
        for (Encoding.Feature feature : encoding.features()) {
            (feature.categorical() ? categories : columns).add(feature.column());
        }
        return term -> {
            boolean known = columns.contains(term);
            for (int at = term.indexOf('='); !known && at > 0; at = term.indexOf('=', at + 1)) {
                known = categories.contains(term.substring(0, at));
            }
            return !known;
        };
    }

    /** The terms of today's rule that are about columns outside the encoding, each with the name of its column. Refuses a term without a column. */
    static Map<String, String> outside(PublishedRule rule, Encoding encoding, Table table) {
        Map<String, String> outside = new TreeMap<>();
        rule.coefficients().keySet().stream()
                .filter(outside(encoding))
                .forEach(term -> outside.put(term, PublishedRule.columnOf(term, table)));
        outside.forEach((term, column) -> {
            if (column == null) {
                throw DataException.of(
                        "rule-column-unknown",
                        "Today's rule has a coefficient for '{}', but the data have no such column.\n"
                                + "Maybe the name is misspelt; a level of a category is written column=level.",
                        term);
            }
        });
        return outside;
    }
}
