package stackelberg.cli.option;

import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Missing;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression;

/** What every command that learns from data is told: which column is what, what people can do, and how the data are read. */
public final class LearningOptions {
    @Mixin
    ColumnOptions columns;

    @Mixin
    GameOptions game;

    @Mixin
    private DataOptions input;

    /** What the command chooses and what these options do, in this order; what the library refuses in it is wrong usage. */
    public StackelbergRegression.Builder choices(CommandLine command, Consumer<StackelbergRegression.Builder> special) {
        return Failures.asUsage(command, () -> {
            StackelbergRegression.Builder choices = StackelbergRegression.builder();
            special.accept(choices);
            columns.applyTo(choices);
            game.applyTo(choices);
            return choices;
        });
    }

    public DataOptions input() {
        return input;
    }

    /** The column to report by, may be null. */
    public String group() {
        return columns.group;
    }

    public Missing missing() {
        return columns.missing;
    }

    /** The files that will be read, null for those that are not. */
    public Object[] files(String data) {
        return new Object[] {data, input.x, input.y, input.z, game.costsFile};
    }

    /** @param byName whether the command itself speaks of columns by name */
    public TrainingData read(String data, boolean byName, Workers workers, CommandLine command) {
        boolean named = byName || columns.chooseColumns() || game.chooseColumns();
        return input.readTraining(data, columns, named, workers, command);
    }
}
