package stackelberg.cli.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stackelberg.cli.answer.SummaryAnswer;
import stackelberg.cli.option.OutputOptions;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** {@code stackelberg summary}: prints everything in a model file. */
@Command(
        name = "summary",
        description = "Print what a model file contains: the rule, the game it is for, the proof, and its origin.",
        sortOptions = false,
        footer = {
            "  stackelberg summary wine.json",
            "  stackelberg summary wine.json --json",
            "  stackelberg summary wine.json --html > wine-summary.html"
        })
public final class SummaryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "A model file, as fit -o writes it.")
    private Path modelFile;

    @Option(names = "--html", description = "Print an HTML fragment, as notebooks show it.")
    private boolean html;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        CommandLine command = spec.commandLine();
        output.refuseJsonWith(command, html, "--html");
        StackelbergModel model = ModelFile.load(modelFile);
        if (html) {
            output.printHtml(command, SummaryAnswer.of(model));
        } else {
            output.print(command, () -> SummaryAnswer.of(model));
        }
        return ExitCode.of(model.certified());
    }
}
