package stackelberg.cli.option;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import stackelberg.cli.terminal.Failures;
import stackelberg.estimate.Resampling.Bootstrap;

/** The option for the number of bootstrap samples, of commands in which nothing else is random. */
public final class DrawOptions {
    @Option(
            names = "--bootstrap",
            paramLabel = "N",
            description = "The number of bootstrap samples for the intervals (default: ${DEFAULT-VALUE}).")
    private int replicates = 1000;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The seed of the bootstrap samples (default: ${DEFAULT-VALUE}).")
    private long seed;

    public Bootstrap bootstrap(CommandLine command) {
        return Failures.asUsage(command, () -> new Bootstrap(replicates, 0.95, seed));
    }
}
