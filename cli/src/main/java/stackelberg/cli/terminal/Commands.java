package stackelberg.cli.terminal;

import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;

/** All commands by name. To start fast, a run creates at first only the command that was asked for. */
public interface Commands {
    Map<String, CommandLine> all();

    /** The commands of the same program as the given one; those that do not exist yet are created now. */
    static Map<String, CommandLine> beside(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return ((Commands) root.getCommand()).all();
    }

    /** The command of this name beside the given one. */
    static CommandLine beside(CommandLine command, String name) {
        return Objects.requireNonNull(beside(command).get(name), name);
    }
}
