package stackelberg.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * One run of one solver on one game, with everything that tables and figures need. An unknown value is NaN, an unknown count -1, an unknown text empty.
 *
 * @param memory the resident memory of the process
 * @param machine the machine and the commit of the code
 */
public record Row(Task task, Player player, Outcome outcome, Memory memory, Machine machine) {
    /** The status of a run that was not made because of its time or memory. */
    public static final String SKIPPED = "SKIPPED";

    /** How a solver is stopped and timed. */
    public enum Protocol {
        /** As in the paper: as published, with its own stopping rule, without the time of the certificate. */
        PAPER,
        /** Every solver to the same certified accuracy, with every phase timed. */
        FAIR,
        /** A solver that both protocols run in the same way; its row counts for both. */
        BOTH;

        /** Whether a row of this protocol is shown in tables of the other. */
        public boolean countsFor(Protocol wanted) {
            return this == wanted || this == BOTH;
        }
    }

    /**
     * The task of a run.
     *
     * @param experiment the experiment, such as {@code dense} or {@code wine}; several tables may show the same one
     * @param seed the seed that makes the game or draws the subsample
     * @param trial the number of the trial, from 1
     * @param trials how many trials were planned
     */
    public record Task(String experiment, Game game, long seed, int trial, int trials) {}

    /**
     * The solver of a run.
     *
     * @param solver its name on the command line
     * @param protocol how it was stopped and timed
     * @param options options other than the defaults, such as {@code rho=50}; empty for the defaults
     */
    public record Player(String solver, Protocol protocol, String options) {}

    /**
     * The result of a run.
     *
     * @param status why the solver stopped, or SKIPPED
     * @param note a remark, such as the reason why the run was skipped
     */
    public record Outcome(String status, Proof proof, Effort effort, String note) {
        static Outcome skipped(String why) {
            double none = Double.NaN;
            return new Outcome(
                    SKIPPED,
                    new Proof(false, none, none, none),
                    new Effort(new Seconds(none, none, none, none, none), -1, -1),
                    why);
        }
    }

    /**
     * The certificate of a run.
     *
     * @param certified whether it proves a relative gap of at most 1e-9: only then the game counts as solved
     * @param objective f at the solver's point, as the certificate computes it
     * @param gapBound a proven upper bound of f minus its minimum
     * @param relativeGap gapBound / max(f, 1e-9 p0), p0 the loss of the best rule with w = 0
     */
    public record Proof(boolean certified, double objective, double gapBound, double relativeGap) {}

    /**
     * The effort of a run.
     *
     * @param iterations the number of iterations, in the solver's own unit
     * @param passes the number of passes over the data, or of products with H
     */
    public record Effort(Seconds seconds, int iterations, int passes) {}

    /**
     * The game of a run.
     *
     * @param family dense, sparse or real
     * @param name the name of a real game, such as {@code wine modest}; empty for synthetic ones
     * @param m the number of rows
     * @param n the number of features, without the column of ones
     * @param density the share of nonzeros; 1 for dense and real games
     */
    public record Game(String family, String name, int m, int n, double density, double gamma) {
        static Game dense(int m, int n, double gamma) {
            return new Game("dense", "", m, n, 1, gamma);
        }

        static Game sparse(int m, int n, double density, double gamma) {
            return new Game("sparse", "", m, n, density, gamma);
        }

        /** m / n, by which the paper's tables group their lines. */
        public double multiple() {
            return (double) m / n;
        }
    }

    /**
     * The seconds of each phase.
     *
     * @param assemble from matrices in memory to the reduced problem
     * @param factor forming and factorising a matrix
     * @param solve the rest of the solver
     * @param certify the certificate
     * @param recover from the point on the sphere to the rule
     */
    public record Seconds(double assemble, double factor, double solve, double certify, double recover) {
        /** The seconds of all phases but the certificate, which the paper does not have. */
        public double withoutCertificate() {
            return assemble + factor + solve + recover;
        }

        public double total() {
            return withoutCertificate() + certify;
        }
    }

    /** Resident memory in MB (10^6 bytes): before the run, with the data in memory, and at its peak during the run. */
    public record Memory(double before, double peak) {}

    /** The number of threads, the Java version, the processor and the commit of the code. */
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

    public String experiment() {
        return task.experiment;
    }

    public Game game() {
        return task.game;
    }

    public int trial() {
        return task.trial;
    }

    public String solver() {
        return player.solver;
    }

    public Protocol protocol() {
        return player.protocol;
    }

    public String options() {
        return player.options;
    }

    public boolean certified() {
        return outcome.proof.certified;
    }

    public double objective() {
        return outcome.proof.objective;
    }

    public double relativeGap() {
        return outcome.proof.relativeGap;
    }

    public Seconds seconds() {
        return outcome.effort.seconds;
    }

    public int iterations() {
        return outcome.effort.iterations;
    }

    public int passes() {
        return outcome.effort.passes;
    }

    public String note() {
        return outcome.note;
    }

    public boolean skipped() {
        return outcome.status.equals(SKIPPED);
    }

    /** The key that identifies this run among all others: a run whose key has a row is not repeated. */
    public String key() {
        return key(task, player);
    }

    static String key(Task task, Player player) {
        return String.join(
                "|",
                task.experiment,
                player.protocol.name(),
                task.game.toString(),
                "" + task.trial,
                player.solver,
                player.options);
    }

    public static List<String> header() {
        return HEADER;
    }

    /** The fields in the order of {@link #header}. */
    public List<String> fields() {
        Game game = task.game;
        Seconds seconds = outcome.effort.seconds;
        Proof proof = outcome.proof;
        return List.of(
                task.experiment,
                player.protocol.name().toLowerCase(Locale.ROOT),
                game.family,
                game.name,
                "" + game.m,
                "" + game.n,
                "" + game.density,
                "" + game.gamma,
                "" + task.seed,
                "" + task.trial,
                "" + task.trials,
                player.solver,
                player.options,
                outcome.status,
                "" + proof.certified,
                rounded(seconds.assemble),
                rounded(seconds.factor),
                rounded(seconds.solve),
                rounded(seconds.certify),
                rounded(seconds.recover),
                "" + outcome.effort.iterations,
                "" + outcome.effort.passes,
                number(proof.objective),
                rounded(proof.gapBound),
                rounded(proof.relativeGap),
                rounded(memory.before),
                rounded(memory.peak),
                "" + machine.threads,
                machine.jvm,
                machine.cpu,
                machine.commit,
                outcome.note);
    }

    /** Parses a row from its fields. */
    public static Row of(List<String> fields) {
        if (fields.size() != HEADER.size()) {
            throw new IllegalArgumentException(
                    "A row of results has " + fields.size() + " fields instead of " + HEADER.size() + ".");
        }
        var next = fields.iterator();
        String experiment = next.next();
        Protocol protocol = Protocol.valueOf(next.next().toUpperCase(Locale.ROOT));
        Game game = new Game(next.next(), next.next(), count(next), count(next), number(next), number(next));
        Task task = new Task(experiment, game, Long.parseLong(next.next()), count(next), count(next));
        Player player = new Player(next.next(), protocol, next.next());
        String status = next.next();
        boolean certified = Boolean.parseBoolean(next.next());
        Seconds seconds = new Seconds(number(next), number(next), number(next), number(next), number(next));
        Effort effort = new Effort(seconds, count(next), count(next));
        Proof proof = new Proof(certified, number(next), number(next), number(next));
        Memory memory = new Memory(number(next), number(next));
        Machine machine = new Machine(count(next), next.next(), next.next(), next.next());
        return new Row(task, player, new Outcome(status, proof, effort, next.next()), memory, machine);
    }

    private static String number(double value) {
        return Double.isFinite(value) ? "" + value : "";
    }

    /** Four significant digits, more than repeated timings have in common. */
    private static String rounded(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value)
                        .round(new MathContext(4))
                        .stripTrailingZeros()
                        .toString()
                : "";
    }

    private static int count(Iterator<String> next) {
        return Integer.parseInt(next.next());
    }

    private static double number(Iterator<String> next) {
        String text = next.next();
        return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
    }
}
