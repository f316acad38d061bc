package stackelberg.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import stackelberg.data.DataException;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Feature;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.Intercept;
import stackelberg.game.PullThrough;

/**
 * People as any published rule meets them: moving encoded column j by delta costs gamma c_j delta^2, and everybody closes the fraction t =
 * omega/(gamma + omega) of the gap to its wish, omega = sum_j (beta_j scale_j)^2 / c_j.
 *
 * @param encoding how columns become encoded columns
 * @param costs c_j of every encoded column, infinite for an immutable one
 * @param intercept who can move the constant term
 * @param gamma how hard it is to move
 * @param target the column that holds the truth, or null
 * @param wish the wish rule, or null
 * @param weight the weight column, or null
 * @param wishNoise the standard deviation with which the wishes are known
 */
public record World(
        Encoding encoding,
        double[] costs,
        Intercept intercept,
        double gamma,
        String target,
        String wish,
        String weight,
        double wishNoise) {
    public World {
        costs = costs.clone();
    }

    @Override
    public double[] costs() {
        return costs.clone();
    }

    /** The world a model was fitted for, where everybody has the same gamma. */
    public static World of(StackelbergModel model) {
        if (model.game().mixed()) {
            throw new DataException(
                    "The model is for a mixed population, in which people close different fractions of the gap to"
                            + " their wish; here everybody has the same gamma.\nMaybe use evaluate, which knows everybody's, or fit"
                            + " the model without truthful share and row gammas.");
        }
        return typical(model);
    }

    /** What a move by one unit of the data costs, by the name of the column, gamma included; in a mixed population, at the typical gamma. */
    public static Map<String, Double> moveCosts(StackelbergModel model) {
        return typical(model).moveCosts();
    }

    /**
     * The world a model was fitted for, whose gamma is the typical one where people differ: how they do is their {@link
     * StackelbergModel#population population}'s business.
     */
    public static World typical(StackelbergModel model) {
        double[] costs = model.terms().stream()
                .mapToDouble(t -> t.manipulable() ? t.cost() : Double.POSITIVE_INFINITY)
                .toArray();
        StackelbergModel.Game game = model.game();
        return new World(
                model.encoding(),
                costs,
                game.intercept(),
                model.gamma(),
                game.target(),
                game.wish(),
                game.weight(),
                game.wishNoise());
    }

    /** The world that the choices declare for the columns of a rule; scales and levels are those of the table. */
    public static World declared(Table table, PublishedRule rule, StackelbergRegression.Builder choices) {
        Optional<String> wish = Optional.ofNullable(choices.wish).filter(table::has);
        Roles.refuseClashes(choices, wish);
        List<String> features = Coefficients.columnsOf(rule, table);
        Table rows = choices.missing.apply(table, features, List.of()).table();
        Set<String> immutable = Assembly.immutableColumns(rows, features, choices);
        List<Encoding.Choice> ordered = new ArrayList<>();
        for (boolean fixed : new boolean[] {false, true}) {
            for (String column : features) {
                if (immutable.contains(column) == fixed) {
                    ordered.add(new Encoding.Choice(column, choices.scaling, false));
                }
            }
        }
        Encoding encoding = Encoding.fit(rows, ordered, choices.missing);
        int manipulable = encoding.features().stream()
                .filter(f -> !immutable.contains(f.column()))
                .mapToInt(f -> f.columns().size())
                .sum();
        double[] declared = Assembly.costs(encoding, manipulable, choices);
        double[] costs = new double[encoding.columns().size()];
        for (int j = 0; j < costs.length; j++) {
            costs[j] = j < manipulable ? declared[j] : Double.POSITIVE_INFINITY;
        }
        return new World(
                encoding,
                costs,
                choices.intercept,
                choices.gamma,
                choices.target,
                choices.wish,
                choices.weight,
                choices.wishNoise);
    }

    public World withGamma(double newGamma) {
        if (!(newGamma > 0) || Double.isInfinite(newGamma)) {
            throw new IllegalArgumentException("gamma is " + newGamma + "; it must be positive and finite.");
        }
        return new World(encoding, costs, intercept, newGamma, target, wish, weight, wishNoise);
    }

    /** The same world with another answer to missing values. */
    public World withMissing(Missing missing) {
        return with(new Encoding(encoding.features(), missing, encoding.constantColumns()), costs);
    }

    /** The same world with an indicator for every level, for rules that have another base level. */
    public World withAllLevels() {
        List<Feature> features = new ArrayList<>();
        List<Double> all = new ArrayList<>();
        int j = 0;
        for (Feature feature : encoding.features()) {
            List<EncodedColumn> columns = new ArrayList<>();
            if (feature.categorical()
                    && feature.columns().size() < feature.levels().size()) {
                // the base level is dropped where nobody can move, so the new indicator is immutable too
                String base = feature.levels().get(0);
                columns.add(new EncodedColumn(feature.column() + "=" + base, base, 0, 1));
                all.add(Double.POSITIVE_INFINITY);
            }
            columns.addAll(feature.columns());
            for (int k = 0; k < feature.columns().size(); k++) {
                all.add(costs[j++]);
            }
            features.add(new Feature(
                    feature.column(),
                    feature.levels(),
                    feature.mean(),
                    feature.mostFrequentLevel(),
                    columns,
                    feature.range()));
        }
        return with(
                new Encoding(features, encoding.missing(), encoding.constantColumns()),
                all.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private World with(Encoding newEncoding, double[] newCosts) {
        return new World(newEncoding, newCosts, intercept, gamma, target, wish, weight, wishNoise);
    }

    public boolean manipulable(int column) {
        return Double.isFinite(costs[column]);
    }

    /** omega = w'C^{-1}w of a rule, in encoded units; a manipulable intercept costs 1. */
    public double omega(PublishedRule rule) {
        double omega = 0;
        if (intercept == Intercept.MANIPULABLE) {
            double constant = rule.encodedConstant(encoding);
            omega = constant * constant;
        }
        List<EncodedColumn> columns = encoding.columns();
        for (int j = 0; j < costs.length; j++) {
            double w = rule.coefficient(columns.get(j)) * columns.get(j).scale();
            omega += w * w / costs[j];
        }
        return omega;
    }

    /** t, the fraction of the gap to their wish that people close under the rule. */
    public double pullThrough(PublishedRule rule) {
        return PullThrough.of(omega(rule), gamma);
    }

    /** C^{-1}w in the units of the data, beta_j scale_j^2 / c_j: a person of gamma moves along it by (z - p)/(gamma + omega). */
    public double[] direction(PublishedRule rule) {
        List<EncodedColumn> columns = encoding.columns();
        double[] direction = new double[costs.length];
        for (int j = 0; j < direction.length; j++) {
            double scale = columns.get(j).scale();
            direction[j] = rule.coefficient(columns.get(j)) * scale * scale / costs[j];
        }
        return direction;
    }

    /** The rows that the policy on missing values leaves; columns the table lacks are not this step's business. */
    public Missing.RowsInUse rowsInUse(Table table, List<String> required) {
        List<String> features = encoding.features().stream()
                .map(Feature::column)
                .filter(table::has)
                .toList();
        return encoding.missing().apply(table, features, required);
    }

    /** The columns whose values cannot be made up: target, weight and what the wish needs, as far as they are known and there. */
    public List<String> required(Table table) {
        List<String> required = new ArrayList<>();
        if (target != null && table.has(target)) {
            required.add(target);
        }
        if (weight != null && table.has(weight)) {
            required.add(weight);
        }
        wishRule(table).ifPresent(rule -> required.addAll(rule.columns()));
        return required;
    }

    /** How much each row counts: the weight column, or 1. */
    public double[] weights(Table rows) {
        if (weight != null) {
            return Assembly.weights(rows, weight);
        }
        double[] ones = new double[rows.rows()];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** This world's wish rule, where the table has what the rule needs. */
    public Optional<Wish> wishRule(Table table) {
        if (wish == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Wish.parse(wish, table.names(), true))
                    .filter(w -> !w.usesTarget() || target != null && table.has(target));
        } catch (DataException e) {
            return Optional.empty();
        }
    }

    /** z by a rule, whose statistics are those of these rows. */
    public double[] wishes(Wish rule, Table rows, double[] predictions) {
        double[] y = rule.usesTarget() && target != null && rows.has(target)
                ? rows.numeric(target).values()
                : null;
        return rule.freeze(rows, y).evaluate(rows, y, predictions);
    }

    /** The names of the columns people can move, with what a move by one unit of the data costs, gamma included. */
    public Map<String, Double> moveCosts() {
        Map<String, Double> map = new LinkedHashMap<>();
        List<EncodedColumn> columns = encoding.columns();
        for (int j = 0; j < costs.length; j++) {
            if (manipulable(j)) {
                double scale = columns.get(j).scale();
                map.put(columns.get(j).name(), gamma * costs[j] / (scale * scale));
            }
        }
        return map;
    }
}
