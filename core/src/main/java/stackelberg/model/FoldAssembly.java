package stackelberg.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Feature;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.Intercept;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.CrossValidation;
import stackelberg.model.tuning.FoldData;
import stackelberg.model.tuning.FoldData.FoldGame;
import stackelberg.model.tuning.Folds;
import stackelberg.model.tuning.TuningPlan;

/** A table, or a matrix, made into the games of all folds: what {@link Assembly} is to a fit. */
final class FoldAssembly {
    private FoldAssembly() {}

    static FoldData ofTable(Table table, StackelbergRegression.Builder original, TuningPlan plan, Workers workers) {
        StackelbergRegression.Builder choices = withoutGroup(original, plan, table);
        Assembly.Chosen chosen = Assembly.choose(table, choices);
        Table rows = chosen.rows();
        Folds folds = plan.group() == null
                ? Folds.random(rows.rows(), plan.folds(), plan.seed())
                : Folds.grouped(rows, plan.group(), plan.folds(), plan.seed());
        List<Encoding.Choice> standardised = chosen.features().stream()
                .map(f -> new Encoding.Choice(f.column(), Scaling.STANDARD, f.dropFirstLevel()))
                .toList();
        Encoding base = Encoding.fit(rows, standardised, choices.missing);
        Map<String, Integer> missing = missingColumns(rows, base);
        Matrix columns = columns(base.apply(rows), rows, missing);
        int[] missingOf = base.features().stream()
                .flatMapToInt(f -> f.columns().stream().mapToInt(c -> missing.getOrDefault(f.column(), -1)))
                .toArray();
        boolean needed = choices.scaling != Scaling.NONE || !missing.isEmpty();
        FoldStatistics statistics = needed ? new FoldStatistics(columns, folds, missingOf, workers) : null;
        FoldEncodings encodings = new FoldEncodings(base, choices.scaling, folds, statistics, rows);
        int manipulable = base.features().stream()
                .filter(f -> !chosen.immutable().contains(f.column()))
                .mapToInt(f -> f.columns().size())
                .sum();
        List<FoldGame> games = new ArrayList<>();
        for (int f = 0; f < folds.count(); f++) {
            games.add(game(base, encodings.of(f), missing, manipulable, columns.cols(), choices));
        }
        double[] y = rows.numeric(choices.target).values();
        double[] weights = Assembly.weights(rows, choices.weight);
        List<String> warnings = new ArrayList<>();
        Assembly.warnAboutRows(chosen.dropped(), rows.rows(), warnings);
        Roles.warnAboutIdentifiers(base, rows.rows(), warnings);
        double[][] z = wishes(rows, chosen.wish(), choices.target, y, folds);
        return data(folds, columns, y, z, enough(weights, folds), games, warnings, choices);
    }

    /** Features that are numbers already; the columns are centred where the sums of products will be formed. */
    static FoldData ofMatrix(
            Matrix x,
            double[] y,
            Function<Folds, double[][]> wishes,
            StackelbergRegression.Builder choices,
            TuningPlan plan,
            Workers workers) {
        if (plan.group() != null) {
            throw new IllegalArgumentException("A matrix has no column '" + plan.group() + "' to group by.");
        }
        Assembly.requireRows(x.rows());
        Folds folds = Folds.random(x.rows(), plan.folds(), plan.seed());
        // refuses targets and wishes of another length, or that are not numbers
        PredictionGame.of(x, y, y, 1);
        double[][] z = wishes.apply(folds);
        for (double[] own : z) {
            PredictionGame.of(x, y, own, 1);
        }
        boolean centred = CrossValidation.formsSums(x, folds);
        ColumnStatistics all = centred ? ColumnStatistics.of(x, workers) : null;
        List<Feature> features = new ArrayList<>();
        double[] factors = new double[x.cols()];
        for (int j = 0; j < x.cols(); j++) {
            double scale = centred && all.sd()[j] > 0 ? all.sd()[j] : 1;
            factors[j] = 1 / scale;
            String name = String.valueOf(j + 1);
            EncodedColumn column = new EncodedColumn(name, null, centred ? all.mean()[j] : 0, scale);
            features.add(new Feature(name, List.of(), 0, null, List.of(column)));
        }
        Encoding base = new Encoding(features, Missing.ERROR, List.of());
        Matrix columns = centred ? new AffineMatrix(x, all.mean(), factors, false) : x;
        int[] none = new int[x.cols()];
        Arrays.fill(none, -1);
        FoldStatistics statistics =
                choices.scaling == Scaling.NONE ? null : new FoldStatistics(columns, folds, none, workers);
        FoldEncodings encodings = new FoldEncodings(base, choices.scaling, folds, statistics, null);
        List<FoldGame> games = new ArrayList<>();
        for (int f = 0; f < folds.count(); f++) {
            games.add(game(base, encodings.of(f), Map.of(), x.cols(), x.cols(), choices));
        }
        return data(folds, columns, y.clone(), z, enough(null, folds), games, List.of(), choices);
    }

    private static FoldData data(
            Folds folds,
            Matrix columns,
            double[] y,
            double[][] z,
            double[] weights,
            List<FoldGame> games,
            List<String> warnings,
            StackelbergRegression.Builder choices) {
        boolean intercept = choices.intercept == Intercept.IMMUTABLE;
        return new FoldData(folds, columns, y, z, weights, intercept, choices.wishNoise, games, warnings);
    }

    static double[][] sameInEveryFold(double[] z, Folds folds) {
        double[][] wishes = new double[folds.count()][];
        Arrays.fill(wishes, z.clone());
        return wishes;
    }

    private static StackelbergRegression.Builder withoutGroup(
            StackelbergRegression.Builder original, TuningPlan plan, Table table) {
        StackelbergRegression.Builder choices = original.copy();
        if (plan.group() == null) {
            return choices;
        }
        table.column(plan.group());
        if (choices.features != null && choices.features.contains(plan.group())) {
            throw new DataException("Column '" + plan.group()
                    + "' is the group and cannot be a feature too.\nMaybe leave it out of the list of features.");
        }
        Set<String> ignore = new HashSet<>(choices.ignore);
        ignore.add(plan.group());
        return choices.ignore(ignore);
    }

    /** By feature with missing values the place of the column that says where, after the encoded ones. */
    private static Map<String, Integer> missingColumns(Table rows, Encoding base) {
        Map<String, Integer> places = new LinkedHashMap<>();
        int next = base.columns().size();
        for (Feature feature : base.features()) {
            Column column = rows.column(feature.column());
            for (int i = 0; i < rows.rows(); i++) {
                if (column.isMissing(i)) {
                    places.put(feature.column(), next++);
                    break;
                }
            }
        }
        return places;
    }

    private static Matrix columns(DenseMatrix encoded, Table rows, Map<String, Integer> missing) {
        if (missing.isEmpty()) {
            return encoded;
        }
        DenseMatrix all = DenseMatrix.zeros(encoded.rows(), encoded.cols() + missing.size());
        all.columns(0, encoded.cols()).setAll(encoded);
        missing.forEach((name, place) -> {
            Column column = rows.column(name);
            for (int i = 0; i < all.rows(); i++) {
                all.set(i, place, column.isMissing(i) ? 1 : 0);
            }
        });
        return all;
    }

    private static FoldGame game(
            Encoding base,
            Encoding own,
            Map<String, Integer> missing,
            int manipulable,
            int ones,
            StackelbergRegression.Builder choices) {
        List<int[]> sources = new ArrayList<>();
        List<double[]> factors = new ArrayList<>();
        for (int i = 0; i < base.features().size(); i++) {
            Feature from = base.features().get(i);
            Feature to = own.features().get(i);
            for (int k = 0; k < from.columns().size(); k++) {
                EncodedColumn a = from.columns().get(k);
                EncodedColumn b = to.columns().get(k);
                // an immutable intercept takes every constant, and nothing cancels
                double constant = choices.intercept == Intercept.IMMUTABLE ? 0 : (a.shift() - b.shift()) / b.scale();
                int place = missing.getOrDefault(from.column(), -1);
                double fill = place < 0 ? 0 : (fillIn(to, b) - fillIn(from, a)) / b.scale();
                sources.add(place < 0 ? new int[] {sources.size(), ones} : new int[] {sources.size(), ones, place});
                double factor = a.scale() / b.scale();
                factors.add(place < 0 ? new double[] {factor, constant} : new double[] {factor, constant, fill});
            }
        }
        int fixed = sources.size() - manipulable;
        double[] costs = Assembly.costs(own, manipulable, choices);
        List<int[]> order = new ArrayList<>(sources.subList(manipulable, sources.size()));
        List<double[]> orderFactors = new ArrayList<>(factors.subList(manipulable, factors.size()));
        order.addAll(sources.subList(0, manipulable));
        orderFactors.addAll(factors.subList(0, manipulable));
        if (choices.intercept == Intercept.IMMUTABLE) {
            order.add(0, new int[] {ones});
            orderFactors.add(0, new double[] {1});
            fixed++;
        } else if (choices.intercept == Intercept.MANIPULABLE) {
            order.add(new int[] {ones});
            orderFactors.add(new double[] {1});
            costs = Arrays.copyOf(costs, costs.length + 1);
            costs[costs.length - 1] = 1;
        }
        return new FoldGame(order.toArray(int[][]::new), orderFactors.toArray(double[][]::new), fixed, costs);
    }

    /** What a missing value becomes, before scaling. */
    private static double fillIn(Feature feature, EncodedColumn column) {
        return feature.categorical() ? (feature.mostFrequentLevel().equals(column.level()) ? 1 : 0) : feature.mean();
    }

    /** The wishes of everybody by the rule that each fold's training rows give; one array where rules are the same. */
    static double[][] wishes(Table rows, Wish wish, String target, double[] y, Folds folds) {
        Set<String> names = new HashSet<>(wish.columns());
        names.add(target);
        Table needed = Table.of(names.stream().sorted().map(rows::column).toList());
        // on all rows first, for messages that name the line
        wish.freeze(rows, y).evaluate(rows, y, null);
        Map<String, double[]> byRule = new LinkedHashMap<>();
        double[][] z = new double[folds.count()][];
        for (int f = 0; f < z.length; f++) {
            int[] training = folds.training(f);
            double[] targets = Arrays.stream(training).mapToDouble(i -> y[i]).toArray();
            Wish frozen = wish.freeze(needed.select(training), targets);
            z[f] = byRule.computeIfAbsent(frozen.text(), text -> frozen.evaluate(needed, y, null));
        }
        return z;
    }

    /** Weights, 1 where there are none, that leave every fold something to learn from. */
    private static double[] enough(double[] weights, Folds folds) {
        double[] result = weights;
        if (weights == null) {
            result = new double[folds.rows()];
            Arrays.fill(result, 1);
        }
        double[] sums = new double[folds.count()];
        for (int i = 0; i < result.length; i++) {
            sums[folds.of(i)] += result[i];
        }
        for (int f = 0; f < sums.length; f++) {
            if (!(FoldData.withoutFold(sums, f) > 0)) {
                throw new DataException("All rows that count are in fold " + (f + 1)
                        + ": without it nothing is left to learn from.\nMaybe use another seed, or fewer folds.");
            }
        }
        return result;
    }
}
