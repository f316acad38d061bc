package stackelberg.cli.option;

import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** Which column names the people that a model meets. */
public final class IdOption {
    @Option(
            names = "--id",
            paramLabel = "COL",
            description =
                    "The column that names people: read as text, and written first (default: the model's, where the"
                            + " data have it).")
    private String id;

    /** Reads data in which people have these names. */
    public Table read(
            DataOptions input,
            String data,
            StackelbergModel model,
            PeopleOptions people,
            Workers workers,
            CommandLine command) {
        String column = id == null ? model.game().columns().id() : id;
        Table table = input.readTable(data, model, column, workers, command);
        if (id != null) {
            if (!table.has(id)) {
                table.column(id);
            }
            refuseUsed(model, people, table);
        }
        return table;
    }

    /** The same world, whose people have these names. */
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
            throw new DataException(
                    "Column '" + id + "' is a feature, the target, the wish, the weight or the gamma of the"
                            + " model and cannot name people too.\nMaybe another column was meant with --id.");
        }
    }
}
