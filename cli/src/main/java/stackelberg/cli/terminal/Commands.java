package stackelberg.cli.terminal;

import java.util.Map;
import picocli.CommandLine;

/** All commands by name, of which a run has at first only the one that it was asked for. */
public interface Commands {
    Map<String, CommandLine> all();

    /** Those beside the given command; the others are made now if they are not there. */
    static Map<String, CommandLine> beside(CommandLine command) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        return ((Commands) root.getCommand()).all();
    }
}
