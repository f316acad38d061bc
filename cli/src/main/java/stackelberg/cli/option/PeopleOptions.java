package stackelberg.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/** Options for applying an existing rule to new data: the wishes, and what to do with unknown categories and missing values. */
public final class PeopleOptions {
    /** The largest number of names in a note. */
    private static final int NAMES_SHOWN = 50;

    @Option(
            names = "--wish",
            paramLabel = "RULE",
            description =
                    "The score that these people want: a column, or an expression in p (their prediction), y and other columns (default: the model's "
                            + "wish, if the data have the columns it needs).")
    @Nullable
    String wish;

    @Option(
            names = "--unknown",
            paramLabel = "error|zero",
            converter = Words.OfUnknownLevel.class,
            completionCandidates = Words.OfUnknownLevel.class,
            description = "What to do with categories the model does not know (default: error).")
    private Encoding.UnknownLevel unknown = Encoding.UnknownLevel.ERROR;

    @Option(
            names = "--missing",
            paramLabel = "error|drop|mean",
            converter = Words.OfMissing.class,
            completionCandidates = Words.OfMissing.class,
            description = "What to do with missing values (default: as when the model was fitted, otherwise error).")
    @Nullable
    Missing missing;

    public boolean wishGiven() {
        return wish != null;
    }

    public Encoding.UnknownLevel unknown() {
        return unknown;
    }

    public World applyTo(World world) {
        return missing == null ? world : world.withMissing(missing);
    }

    /** The wish of these people: the given one, or else the model's; empty if the data lack the columns it needs. */
    public Optional<Wish> wishRule(World world, Table table) {
        return wish == null ? world.wishRule(table) : Optional.of(Wish.parse(wish, table.names(), true));
    }

    /** Returns the wish of these people, for a command that needs one; refuses data without it. */
    public Wish requireWish(World world, Table table) {
        return wishRule(world, table)
                .orElseThrow(() -> DataException.of(
                        "wishes-unknown",
                        "The score that these people want is not known: {}\n"
                                + "Maybe give it with --wish, as a column or in terms of p, their " + "prediction{}",
                        world.wish() == null
                                ? "the wishes were given as numbers when the rule was fitted."
                                : "the data lack columns that the wish " + world.wish() + " needs.",
                        table.block().isPresent() ? ", or as numbers with --z Z.npy." : "."));
    }

    /** The rows that remain under the policy on missing values, with a note on dropped and filled ones. */
    public Table rowsInUse(World world, Table table, List<String> required, OutputOptions output, CommandLine command) {
        Missing.RowsInUse used = world.rowsInUse(table, required);
        if (used.dropped() > 0) {
            output.note(command, "Rows left out because a value is missing: " + used.dropped() + ".");
        }
        world.filledInWords(world.filled(used.table())).ifPresent(note -> output.note(command, note));
        return used.table();
    }

    public double[] predictions(World world, PublishedRule rule, Table rows) {
        return rule.predict(world.encoding(), rows, unknown);
    }

    /** The group column: the given one, or the model's if the data have it. */
    public static Optional<String> group(@Nullable String asked, @Nullable StackelbergModel model, Table table) {
        if (asked != null) {
            table.column(asked);
            return Optional.of(asked);
        }
        return Optional.ofNullable(model)
                .map(m -> m.provenance().options().get("group"))
                .filter(table::has);
    }

    /**
     * Prints a note on columns that are not used.
     *
     * @param whose the owner in the message: rule or model
     */
    public static void noteIgnored(
            String whose, World world, Table table, Set<String> looked, OutputOptions output, CommandLine command) {
        List<String> ignored = new ArrayList<>(world.encoding().ignored(table));
        ignored.remove(world.target());
        ignored.remove(world.spec().weight());
        ignored.remove(world.spec().id());
        ignored.removeAll(looked);
        if (!ignored.isEmpty()) {
            int more = ignored.size() - NAMES_SHOWN;
            List<String> shown = ignored.subList(0, Math.min(NAMES_SHOWN, ignored.size()));
            output.note(
                    command,
                    "Ignored columns, which the " + whose + " does not use: " + String.join(", ", shown)
                            + (more > 0 ? " and " + more + " more." : "."));
        }
    }
}
