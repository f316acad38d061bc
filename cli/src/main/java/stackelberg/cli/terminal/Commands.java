package stackelberg.cli.terminal;

import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;

/** All commands by name. To start fast, a run creates only the command that it needs; the others are created on demand. */
public interface Commands {
    Map<String, CommandLine> all();

    /** Returns all commands of the program that the given command belongs to; those that do not exist yet are created now. */
    static Map<String, CommandLine> beside(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return ((Commands) root.getCommand()).all();
    }

    /** Returns the command of this name in the program that the given command belongs to. */
    static CommandLine beside(CommandLine command, String name) {
        return Objects.requireNonNull(beside(command).get(name), name);
    }
}
