package stackelberg.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import stackelberg.data.DataException;
import stackelberg.data.io.Database;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** Loads the model of a command that takes MODEL and DATA, and notices if the two are swapped. */
public final class ModelArgument {
    private ModelArgument() {}

    /** @param data the value of DATA, if it is given */
    public static StackelbergModel load(Path model, @Nullable String data, CommandLine command) {
        try {
            return ModelFile.load(model);
        } catch (DataException e) {
            if (data != null && !Database.isAddress(data) && isModel(Path.of(data))) {
                throw new ParameterException(
                        command,
                        "The model comes first, but '" + model + "' is no model and '" + data + "' is one.\nMaybe "
                                + command.getCommandName() + " " + data + " " + model + ".",
                        e);
            }
            throw e;
        }
    }

    private static boolean isModel(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try {
            ModelFile.load(file);
            return true;
        } catch (DataException e) {
            return false;
        }
    }
}
