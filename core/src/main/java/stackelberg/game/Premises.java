package stackelberg.game;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * What a game takes for granted of the people it is learned from, turned into numbers before it starts: today's rule, everybody's score under it, gamma
 * where it was declared as a share, and the statistics of the wish.
 */
final class Premises {
    private final World declared;
    private final Table rows;
    private final Matrix columns;
    private final boolean block;
    private final Workers workers;
    private final double[] y;

    /**
     * @param declared the game in the encoding of its columns, as it was declared
     * @param columns the encoded columns, or the block as it is
     */
    Premises(World declared, Table rows, Matrix columns, boolean block, Workers workers) {
        this(declared, rows, declared.truths(rows), columns, block, workers);
    }

    /** @param y the truth of everybody, of which no copy is taken */
    Premises(World declared, Table rows, double[] y, Matrix columns, boolean block, Workers workers) {
        this.declared = declared;
        this.rows = rows;
        this.columns = columns;
        this.block = block;
        this.workers = workers;
        this.y = y;
    }

    /**
     * The premises as numbers.
     *
     * @param world whose gamma is a number and whose wish is frozen
     * @param today everybody's score under today's rule; null where the wish does not ask for it
     * @param y the truth of everybody
     */
    record Settled(World world, double[] today, double[] y) {}

    Settled settle(Wish wish) {
        GameSpec spec = declared.spec();
        boolean share = Double.isNaN(spec.people().gamma());
        Today today = share || wish.usesToday() ? today() : spec.today();
        double[] scores = wishedScores(wish, today);
        GameSpec.Builder builder = spec.toBuilder();
        double gamma = spec.people().gamma();
        if (share && spec.between() != null) {
            double low = declared.gammaOf(today, spec.between().mostShare());
            double high = declared.gammaOf(today, spec.between().leastShare());
            builder.settled(low, high);
            gamma = Math.sqrt(low) * Math.sqrt(high);
        } else if (share) {
            gamma = declared.gammaOf(today, spec.people().gammaShare());
        }
        // wishes beside a block have the name they were given, which needs no quotes to be told from an expression
        boolean given = wish.column().isPresent() && rows.block().isPresent();
        String text = given
                ? spec.wish()
                : wish.freeze(rows, y, declared.shown(scores)).text();
        GameSpec settled = builder.resolved(gamma, today).wish(text).build();
        return new Settled(new World(settled, declared.encoding(), declared.costs()), scores, y);
    }

    /** The rule in force: the one that was given or found before, otherwise learned from these people. */
    Today today() {
        Today today = declared.spec().today();
        if (today.known()) {
            return today;
        }
        TodayFit.Learned learned =
                fit().of(declared.spec().weight() == null ? new double[] {1} : declared.weights(rows));
        return today.found(published(learned, declared.encoding(), raw()), learned.source());
    }

    /** The same learned from those of each of these weights, whatever is known, and what it scores everybody. */
    Sample.InForce[] learnedFrom(double[][] weights) {
        Sample.InForce[] found = new Sample.InForce[weights.length];
        Today today = declared.spec().today().anew();
        if (today.known()) {
            Arrays.fill(found, new Sample.InForce(today, scores(today)));
            return found;
        }
        TodayFit fit = fit();
        List<int[]> groups = fit.groups(weights.length);
        int together = Math.min(fit.together(), groups.size());
        TodayFit each = together > 1 ? fit.alone() : fit;
        IntConsumer some = first -> {
            for (int g = first; g < groups.size(); g += together) {
                int[] group = groups.get(g);
                List<TodayFit.Learned> learned =
                        each.of(Arrays.stream(group).mapToObj(f -> weights[f]).toList());
                for (int k = 0; k < group.length; k++) {
                    found[group[k]] = inForce(learned.get(k), weights[group[k]], today, each);
                }
            }
        };
        if (together > 1) {
            workers.run(together, some);
        } else {
            some.accept(0);
        }
        return found;
    }

    private Sample.InForce inForce(TodayFit.Learned learned, double[] weights, Today today, TodayFit fit) {
        double[] scores = today.kind() == Today.Kind.CROSS_FITTED ? fit.crossFitted(weights) : fit.scores(learned);
        PublishedRule rule = published(learned, declared.encoding(), raw());
        return new Sample.InForce(today.found(rule, learned.source()), scores);
    }

    /** Regression by the game's loss with a penalty that people who are held out choose. */
    Sample.Penalised penalised(int[][] parts, double[] lambdas) {
        boolean intercept = declared.intercept() != GameSpec.Intercept.NONE;
        TodayNewton newton =
                new TodayNewton(learnable(), y, intercept, declared.spec().loss(), workers);
        TodayNewton.Penalised found = newton.penalised(weights(), parts, lambdas);
        PublishedRule rule = published(found.rule(), declared.encoding(), raw());
        return new Sample.Penalised(
                new PublishedRule(found.rule().source(), rule.intercept(), rule.coefficients()), found.lambda());
    }

    private TodayFit fit() {
        boolean intercept = declared.intercept() != GameSpec.Intercept.NONE;
        return new TodayFit(learnable(), y, intercept, declared.spec().loss(), workers);
    }

    /** The columns that a rule is learned from: those of a block as they are, unless there is no intercept to take up what is subtracted from them. */
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

    /** What was learned on encoded columns, or on a block, in the units of the data. */
    static PublishedRule published(TodayFit.Learned learned, Encoding encoding, boolean raw) {
        Map<String, Double> coefficients = new LinkedHashMap<>();
        List<EncodedColumn> encoded = encoding.columns();
        double constant = learned.constant();
        for (int j = 0; j < encoded.size(); j++) {
            double coefficient =
                    raw ? learned.w()[j] : learned.w()[j] / encoded.get(j).scale();
            constant -= raw ? 0 : coefficient * encoded.get(j).shift();
            coefficients.put(encoded.get(j).name(), coefficient);
        }
        return new PublishedRule(Today.NAME, constant, coefficients);
    }

    /** The scores that a wish asks for: who was learned from is scored without what was learned of them, if that was declared; null if it asks for none. */
    double[] wishedScores(Wish wish) {
        return wish.usesToday() ? wishedScores(wish, today()) : null;
    }

    private double[] wishedScores(Wish wish, Today today) {
        if (!wish.usesToday()) {
            return null;
        }
        return today.kind() == Today.Kind.CROSS_FITTED ? fit().crossFitted(weights()) : scores(today);
    }

    /** What the rule in force scores everybody. */
    double[] scores(Today today) {
        if (!block) {
            return declared.scores(today, rows);
        }
        PublishedRule rule = today.rule();
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

    /** Whether a term is about a column that the encoding does not have; a level that nobody has is of its column all the same. */
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

    /** The terms of a rule that are about columns which the encoding does not have, with these. */
    static Map<String, String> outside(PublishedRule rule, Encoding encoding, Table table) {
        Map<String, String> outside = new TreeMap<>();
        rule.coefficients().keySet().stream()
                .filter(outside(encoding))
                .forEach(term -> outside.put(term, PublishedRule.columnOf(term, table)));
        outside.forEach((term, column) -> {
            if (column == null) {
                throw new DataException("Today's rule has a coefficient for '" + term
                        + "', but the data have no such column.\nMaybe the name is misspelt; a level of a category is"
                        + " written column=level.");
            }
        });
        return outside;
    }
}
