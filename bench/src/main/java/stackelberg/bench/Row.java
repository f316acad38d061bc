package stackelberg.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * One run of one solver on one game: what was asked, what it took, what came out. Everything a table or a figure needs; a value that is not
 * known is NaN, a count -1, a text empty.
 *
 * @param experiment the set of runs it belongs to, such as {@code dense} or {@code wine}; several tables may show one set
 * @param protocol who is timed how
 * @param game what was solved
 * @param seed makes the game, or draws the subsample
 * @param trial from 1
 * @param trials how many of them the run planned
 * @param solver its name on the command line
 * @param options what it was told beyond its defaults, such as {@code rho=50}; empty for the defaults
 * @param status why the solver stopped, or SKIPPED with the reason in the note
 * @param certified whether the certificate proves a relative gap of at most 1e-9: only then is a row solved
 * @param seconds the phases
 * @param iterations in the solver's own unit
 * @param passes over the data, or products with H
 * @param objective f at the point, as the certificate computes it
 * @param gapBound the certificate's absolute bound
 * @param relativeGap gapBound / max(f, 1e-9 p)
 * @param memory of the process
 * @param machine where it ran
 * @param note what else should be known
 */
public record Row(
        String experiment,
        Protocol protocol,
        Game game,
        long seed,
        int trial,
        int trials,
        String solver,
        String options,
        String status,
        boolean certified,
        Seconds seconds,
        int iterations,
        int passes,
        double objective,
        double gapBound,
        double relativeGap,
        Memory memory,
        Machine machine,
        String note) {
    /** The status of a run that was not made, because it would not fit. */
    public static final String SKIPPED = "SKIPPED";

    /** How a solver is run and timed. */
    public enum Protocol {
        /** Each solver plain, with its own stopping rule. */
        PAPER,
        /** Every solver to the same certified accuracy. */
        FAIR,
        /** A solver that has one way only; its row counts for both. */
        BOTH;

        /** Whether a row of this protocol has a say in tables of the other. */
        public boolean countsFor(Protocol wanted) {
            return this == wanted || this == BOTH;
        }
    }

    /**
     * What was solved.
     *
     * @param family dense, sparse or real
     * @param name of a real game such as {@code wine modest}; empty for synthetic ones
     * @param n features without the column of ones
     * @param density of the nonzeros; 1 for dense and real games
     */
    public record Game(String family, String name, int m, int n, double density, double gamma) {
        /** m / n: what the paper's tables group their rows by. */
        public double multiple() {
            return (double) m / n;
        }
    }

    /**
     * The phases: from matrices in memory to the reduced problem; forming and factorising a matrix; the rest of the solver; the certificate; from
     * the sphere to the rule.
     */
    public record Seconds(double assemble, double factor, double solve, double certify, double recover) {
        /** What the paper's experiments would have timed. */
        public double withoutCertificate() {
            return assemble + factor + solve + recover;
        }

        public double total() {
            return withoutCertificate() + certify;
        }
    }

    /** Resident memory in MB (10^6 bytes) before the run, the data included, and at its peak. */
    public record Memory(double before, double peak) {}

    /** Threads, virtual machine, processor and the commit of the code. */
    public record Machine(int threads, String jvm, String cpu, String commit) {}

    private static final List<String> HEADER = List.of(
            "experiment",
            "protocol",
            "family",
            "game",
            "m",
            "n",
            "density",
            "gamma",
            "seed",
            "trial",
            "trials",
            "solver",
            "options",
            "status",
            "certified",
            "assemble_s",
            "factor_s",
            "solve_s",
            "certify_s",
            "recover_s",
            "iterations",
            "passes",
            "objective",
            "gap_bound",
            "relative_gap",
            "memory_before_mb",
            "memory_peak_mb",
            "threads",
            "jvm",
            "cpu",
            "commit",
            "note");

    /** What tells this run from every other: a run that is there already is not made again. */
    public String key() {
        return key(experiment, protocol, game, trial, solver, options);
    }

    public static String key(
            String experiment, Protocol protocol, Game game, int trial, String solver, String options) {
        return String.join("|", experiment, protocol.name(), game.toString(), "" + trial, solver, options);
    }

    public boolean skipped() {
        return status.equals(SKIPPED);
    }

    public static List<String> header() {
        return HEADER;
    }

    /** The fields in the order of {@link #header}. */
    public List<String> fields() {
        return List.of(
                experiment,
                protocol.name().toLowerCase(java.util.Locale.ROOT),
                game.family,
                game.name,
                "" + game.m,
                "" + game.n,
                "" + game.density,
                "" + game.gamma,
                "" + seed,
                "" + trial,
                "" + trials,
                solver,
                options,
                status,
                "" + certified,
                rounded(seconds.assemble),
                rounded(seconds.factor),
                rounded(seconds.solve),
                rounded(seconds.certify),
                rounded(seconds.recover),
                "" + iterations,
                "" + passes,
                number(objective),
                rounded(gapBound),
                rounded(relativeGap),
                rounded(memory.before),
                rounded(memory.peak),
                "" + machine.threads,
                machine.jvm,
                machine.cpu,
                machine.commit,
                note);
    }

    /** The row whose fields these are. */
    public static Row of(List<String> fields) {
        if (fields.size() != HEADER.size()) {
            throw new IllegalArgumentException(
                    "A row of results has " + fields.size() + " fields instead of " + HEADER.size() + ".");
        }
        var next = fields.iterator();
        return new Row(
                next.next(),
                Protocol.valueOf(next.next().toUpperCase(java.util.Locale.ROOT)),
                new Game(
                        next.next(),
                        next.next(),
                        Integer.parseInt(next.next()),
                        Integer.parseInt(next.next()),
                        Double.parseDouble(next.next()),
                        Double.parseDouble(next.next())),
                Long.parseLong(next.next()),
                Integer.parseInt(next.next()),
                Integer.parseInt(next.next()),
                next.next(),
                next.next(),
                next.next(),
                Boolean.parseBoolean(next.next()),
                new Seconds(
                        toNumber(next.next()),
                        toNumber(next.next()),
                        toNumber(next.next()),
                        toNumber(next.next()),
                        toNumber(next.next())),
                Integer.parseInt(next.next()),
                Integer.parseInt(next.next()),
                toNumber(next.next()),
                toNumber(next.next()),
                toNumber(next.next()),
                new Memory(toNumber(next.next()), toNumber(next.next())),
                new Machine(Integer.parseInt(next.next()), next.next(), next.next(), next.next()),
                next.next());
    }

    private static String number(double value) {
        return Double.isFinite(value) ? "" + value : "";
    }

    /** Four digits are more than a clock can tell twice. */
    private static String rounded(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value)
                        .round(new MathContext(4))
                        .stripTrailingZeros()
                        .toString()
                : "";
    }

    private static double toNumber(String text) {
        return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
    }
}
