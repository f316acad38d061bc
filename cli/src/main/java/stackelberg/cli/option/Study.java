package stackelberg.cli.option;

import java.util.List;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.StackelbergRegression.FitOptions;

/**
 * Training data, and the game that the options declare for them.
 *
 * @param readSeconds the time to read the data
 */
public record Study(Table table, GameSpec game, double readSeconds) {
    public StackelbergRegression regression(FitOptions options) {
        return new StackelbergRegression(game, options);
    }

    /** The models, each with the time to read the data added to its phases. */
    public List<StackelbergModel> timed(List<StackelbergModel> models) {
        return models.stream().map(this::timed).toList();
    }

    public StackelbergModel timed(StackelbergModel model) {
        return model.withReadSeconds(readSeconds);
    }

    /** Returns the same game on another table. */
    public Study on(Table some) {
        return new Study(some, game, readSeconds);
    }

    /** The name of the data. */
    public String name() {
        return table.source().map(Table.Source::name).orElse("arrays");
    }
}
