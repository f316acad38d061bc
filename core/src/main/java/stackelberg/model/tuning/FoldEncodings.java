package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;

/**
 * The encoding that each fold's training rows would have got alone: scaling, fill-in values and all, but with the levels of all rows, since a
 * level that only people held out have must have a place (its coefficient is 0).
 */
final class FoldEncodings {
    private final Encoding base;
    private final GameSpec spec;
    private final Folds folds;
    private final FoldStatistics statistics;
    /** By feature: [fold][level], the last one counting missing values; null for numbers. */
    private final int[][][] counts;

    /**
     * @param base the encoding of all rows, whose columns the statistics are of
     * @param statistics null if columns are not scaled and nothing is filled in
     * @param table the rows in use; null if all features are numbers
     */
    FoldEncodings(Encoding base, GameSpec spec, Folds folds, FoldStatistics statistics, Table table) {
        this.base = base;
        this.spec = spec;
        this.folds = folds;
        this.statistics = statistics;
        this.counts = new int[base.features().size()][][];
        for (int i = 0; i < counts.length; i++) {
            Encoding.Feature feature = base.features().get(i);
            if (feature.categorical()) {
                counts[i] = count((CategoricalColumn) table.column(feature.column()), feature);
            }
        }
    }

    private int[][] count(CategoricalColumn column, Encoding.Feature feature) {
        int levels = feature.levels().size();
        int[] place =
                column.levels().stream().mapToInt(feature.levels()::indexOf).toArray();
        int[][] result = new int[folds.count()][levels + 1];
        for (int row = 0; row < column.rows(); row++) {
            int code = column.code(row);
            result[folds.of(row)][code < 0 ? levels : place[code]]++;
        }
        return result;
    }

    /** The encoding of the training rows of one fold. */
    Encoding of(int fold) {
        List<Encoding.Feature> features = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < counts.length; i++) {
            Encoding.Feature feature = base.features().get(i);
            features.add(counts[i] == null ? number(feature, fold, first) : categories(feature, fold, counts[i]));
            first += feature.columns().size();
        }
        return new Encoding(features, base.missing(), base.constantColumns());
    }

    private Encoding.Feature number(Encoding.Feature feature, int fold, int column) {
        EncodedColumn all = feature.columns().get(0);
        if (statistics == null) {
            EncodedColumn raw = Scaling.NONE.column(all.name(), null, null, false);
            return new Encoding.Feature(feature.column(), List.of(), feature.mean(), null, List.of(raw));
        }
        Scaling.Spread spread = statistics.training(fold, column);
        if (spread.count() == 0) {
            throw new DataException(Message.of(
                    "fold-without-value",
                    "Column '{}' has no value in the training rows of fold {}.\n"
                            + "Maybe leave it out, or use fewer {}.",
                    feature.column(),
                    (fold + 1),
                    Message.Choice.any("folds")));
        }
        Scaling.Spread raw = new Scaling.Spread(
                spread.count(),
                all.shift() + all.scale() * spread.mean(),
                all.scale() * spread.sd(),
                all.shift() + all.scale() * spread.min(),
                all.scale() * spread.width());
        EncodedColumn encoded = scaled(all.name(), null, raw);
        return new Encoding.Feature(feature.column(), List.of(), raw.mean(), null, List.of(encoded));
    }

    private EncodedColumn scaled(String name, String level, Scaling.Spread spread) {
        return spec.scaling().column(name, level, spread, spec.hasConstant());
    }

    private Encoding.Feature categories(Encoding.Feature feature, int fold, int[][] counted) {
        int levels = feature.levels().size();
        int[] training = new int[levels + 1];
        for (int f = 0; f < counted.length; f++) {
            for (int k = 0; f != fold && k <= levels; k++) {
                training[k] += counted[f][k];
            }
        }
        int rows = Arrays.stream(training).sum();
        int mode = 0;
        for (int k = 1; k < levels; k++) {
            mode = training[k] > training[mode] ? k : mode;
        }
        training[mode] += training[levels];
        List<EncodedColumn> columns = new ArrayList<>();
        for (EncodedColumn column : feature.columns()) {
            int ones = training[feature.levels().indexOf(column.level())];
            boolean constant = ones == 0 || ones == rows;
            double share = (double) ones / rows;
            Scaling.Spread spread = new Scaling.Spread(
                    rows, share, Math.sqrt(share * (1 - share)), constant ? share : 0, constant ? 0 : 1);
            columns.add(scaled(column.name(), column.level(), spread));
        }
        return new Encoding.Feature(
                feature.column(), feature.levels(), 0, feature.levels().get(mode), columns);
    }
}
