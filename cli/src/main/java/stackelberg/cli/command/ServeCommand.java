package stackelberg.cli.command;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import stackelberg.cli.terminal.Conversation;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.AtomicFile;
import stackelberg.model.StackelbergModel;

/** {@code stackelberg serve}: runs many commands in one process, for other programs. */
@Command(
        name = "serve",
        description =
                "Run many commands in one process, for other programs: requests on standard input and answers on standard"
                        + " output, one JSON object per line.",
        sortOptions = false,
        footer = {
            "  stackelberg serve",
            "  echo '{\"id\":1,\"run\":[\"summary\",\"wine.json\",\"--json\"]}' | stackelberg serve",
            "  {\"cancel\":1} cancels request 1; {\"close\":true} ends the process at once, and what it is doing."
        })
public final class ServeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @ParentCommand
    private Conversation.Commands commands;

    @Override
    public Integer call() {
        InputStream requests = System.in;
        // standard input and output carry requests and answers only: everything else gets empty input and standard
        // error
        System.setIn(InputStream.nullInputStream());
        System.setOut(new PrintStream(System.err, true));
        // if one of its threads fails, the process could never answer again
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            String why = "Internal error";
            try {
                why += ": " + e + " (in " + thread.getName() + ")";
            } finally {
                // ends even if there is no memory for the message
                endNow(ExitCode.INTERNAL_ERROR, why);
            }
        });
        new Conversation(spec.commandLine().getOut(), commands, ServeCommand::endNow)
                .run(requests, StackelbergModel.libraryVersion());
        return ExitCode.CERTIFIED;
    }

    private static void endNow(int code, String why) {
        try {
            if (!why.isEmpty()) {
                System.err.println(why);
            }
        } finally {
            AtomicFile.abandon();
            Runtime.getRuntime().halt(code);
        }
    }
}
