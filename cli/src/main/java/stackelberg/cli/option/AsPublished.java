package stackelberg.cli.option;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import stackelberg.linalg.Workers;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.published.admm.AdmmSolver;

/** Options of {@code admm}, {@code cd-admm} and {@code rtr-newton}: whether they run as published or, by default, with safeguards that lead to the global optimum. */
final class AsPublished {
    @Option(
            names = "--plain",
            description =
                    "Run admm, cd-admm or rtr-newton as published: with its own start and stopping rule, without acceleration, and without the "
                            + "safeguards that lead to the global optimum. The first two need --rho fixed:VALUE.")
    boolean plain;

    @Option(
            names = "--rho",
            paramLabel = "adaptive|fixed:VALUE",
            converter = OfPenalty.class,
            description =
                    "The penalty of admm and cd-admm (default: adaptive). They converge for every accepted value, fastest for one near the "
                            + "multiplier; with --plain they may not converge.")
    AdmmSolver.@Nullable Penalty rho;

    @Option(
            names = "--eps",
            paramLabel = "EPS",
            description = "The residual at which plain admm and cd-admm stop (default: 1e-8).")
    @Nullable
    Double eps;

    /** Returns the solver that these options select; empty if none of them is given. */
    Optional<SphereSolver> solver(@Nullable String name, Workers workers) {
        if (!plain && rho == null && eps == null) {
            return Optional.empty();
        }
        SphereSolver named = name == null ? null : Solvers.named(name, workers);
        boolean plainOnly = rho == null && eps == null;
        if (named != null && plainOnly && named.asPublished().isPresent()) {
            return named.asPublished();
        }
        if (named instanceof AdmmSolver admm) {
            return Optional.of(admm.with(options()));
        }
        List<String> withRho = Solvers.names(AdmmSolver.class::isInstance);
        List<String> without = Solvers.names(solver -> solver.asPublished().isPresent());
        throw new IllegalArgumentException(given() + " is about the solvers "
                + withRho.stream().sorted().collect(Collectors.joining(" and "))
                + (plainOnly ? ", or " + String.join(" or ", without) + ", but " : ", but ")
                + (name == null ? "no solver is named" : "the solver is " + name)
                + ".\nMaybe add --solver " + withRho.get(0) + ".");
    }

    private AdmmSolver.Options options() {
        AdmmSolver.Penalty.Fixed fixed = rho instanceof AdmmSolver.Penalty.Fixed given ? given : null;
        if (plain && fixed == null) {
            throw new IllegalArgumentException((rho == null
                            ? "--plain needs a rho, because the published algorithm leaves its choice open."
                            : "--plain is the published algorithm, whose rho is not adaptive.")
                    + "\nMaybe use --rho fixed:VALUE, with twice the multiplier as the value if it is known.");
        }
        if (eps != null && !plain) {
            throw new IllegalArgumentException(
                    "--eps is the stopping rule of the published algorithm; otherwise the certificate decides.\nMaybe use"
                            + " --tolerance instead, or add --plain" + (fixed != null ? "." : " --rho fixed:VALUE."));
        }
        if (fixed == null || !plain) {
            return rho == null ? AdmmSolver.Options.DEFAULT : AdmmSolver.Options.DEFAULT.withPenalty(rho);
        }
        AdmmSolver.Options options = AdmmSolver.Options.plain(fixed.rho());
        return eps == null ? options : options.withEps(eps);
    }

    private String given() {
        return plain ? "--plain" : rho != null ? "--rho" : "--eps";
    }

    /** Reads a penalty parameter rho: {@code adaptive}, or a constant such as {@code fixed:50}. */
    static final class OfPenalty implements ITypeConverter<AdmmSolver.Penalty> {
        private static final String FIXED = "fixed:";

        @Override
        public AdmmSolver.Penalty convert(String text) {
            if (text.equals("adaptive")) {
                return AdmmSolver.Penalty.adaptive();
            }
            if (!text.startsWith(FIXED)) {
                throw new TypeConversionException(
                        "\"" + text + "\" is neither adaptive nor fixed:VALUE, such as fixed:50");
            }
            String value = text.substring(FIXED.length());
            try {
                return AdmmSolver.Penalty.fixed(Double.parseDouble(value));
            } catch (NumberFormatException e) {
                throw new TypeConversionException("\"" + value + "\" is not a number, as in fixed:50");
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
