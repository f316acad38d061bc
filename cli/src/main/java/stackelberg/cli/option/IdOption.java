package stackelberg.cli.option;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** The option for the identifier column of new data. */
public final class IdOption {
    @Option(
            names = "--id",
            paramLabel = "COL",
            description =
                    "The column that identifies people: read as text, and written first (default: the model's column, if the data have it).")
    private @Nullable String id;

    /** Reads data with this identifier column. */
    public Table read(
            DataOptions input,
            @Nullable String data,
            StackelbergModel model,
            PeopleOptions people,
            Workers workers,
            CommandLine command) {
        String column = id == null ? model.game().id() : id;
        Table table = input.readTable(data, model, column, workers, command);
        if (id != null) {
            if (!table.has(id)) {
                table.column(id);
            }
            refuseUsed(model, people, table);
        }
        return table;
    }

    /** Returns the world with this identifier column. */
    public World applyTo(World world) {
        return id == null ? world : new World(world.spec().toBuilder().id(id).build(), world.encoding(), world.costs());
    }

    private void refuseUsed(StackelbergModel model, PeopleOptions people, Table table) {
        GameSpec game = model.game();
        Set<String> used = new HashSet<>();
        model.encoding().features().stream().map(Encoding.Feature::column).forEach(used::add);
        used.add(game.target());
        used.add(game.weight());
        used.add(game.rowGamma());
        people.wishRule(model.world(), table).ifPresent(wish -> used.addAll(wish.columns()));
        if (used.contains(id)) {
            throw DataException.of(
                    "id-has-other-role",
                    "Column '{}' is a feature, the target, the wish, the weight or the gamma of the model and cannot name people "
                            + "too.\n"
                            + "Maybe another column was meant with --id.",
                    id);
        }
    }
}
