package stackelberg.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.estimate.Loss;
import stackelberg.model.response.YesOrNo;

/** The option for the cut-off: the probability from which on a yes is predicted. */
public final class CutoffOption {
    @Option(
            names = "--cutoff",
            paramLabel = "P",
            description = "With --loss logistic: the smallest probability that is predicted as a yes (default: 0.5).")
    private @Nullable Double cutoff;

    /** The cut-off if the loss is logistic; other losses have none. */
    public double of(Loss loss, CommandLine command) {
        if (cutoff == null) {
            return YesOrNo.CUTOFF;
        }
        if (!loss.isLogistic()) {
            throw new ParameterException(
                    command,
                    "--cutoff is for targets that are yes or no, with --loss logistic; the loss here is " + loss
                            + ".\nMaybe leave it out.");
        }
        if (!(cutoff > 0 && cutoff < 1)) {
            throw new ParameterException(
                    command,
                    "The cut-off is " + cutoff
                            + "; it is a probability and must lie between 0 and 1, both excluded.\nMaybe write --cutoff 0.5.");
        }
        return cutoff;
    }
}
