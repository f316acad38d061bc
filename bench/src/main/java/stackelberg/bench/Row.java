package stackelberg.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * One run of one solver on one game: what was asked, who played, what came out. Everything a table or a figure needs; a value that is not known
 * is NaN, a count -1, a text empty.
 *
 * @param memory of the process
 * @param machine where it ran
 */
public record Row(Task task, Player player, Outcome outcome, Memory memory, Machine machine) {
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
     * What was asked.
     *
     * @param experiment the set of runs it belongs to, such as {@code dense} or {@code wine}; several tables may show one set
     * @param seed makes the game, or draws the subsample
     * @param trial from 1
     * @param trials how many of them the run planned
     */
    public record Task(String experiment, Game game, long seed, int trial, int trials) {}

    /**
     * Who played, and how.
     *
     * @param solver its name on the command line
     * @param protocol who is timed how
     * @param options what it was told beyond its defaults, such as {@code rho=50}; empty for the defaults
     */
    public record Player(String solver, Protocol protocol, String options) {}

    /**
     * What came out.
     *
     * @param status why the solver stopped, or SKIPPED with the reason in the note
     * @param note what else should be known
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
     * What the certificate says.
     *
     * @param certified whether it proves a relative gap of at most 1e-9: only then is a row solved
     * @param objective f at the point, as the certificate computes it
     * @param gapBound its absolute bound
     * @param relativeGap gapBound / max(f, 1e-9 p0)
     */
    public record Proof(boolean certified, double objective, double gapBound, double relativeGap) {}

    /**
     * What it took.
     *
     * @param iterations in the solver's own unit
     * @param passes over the data, or products with H
     */
    public record Effort(Seconds seconds, int iterations, int passes) {}

    /**
     * What was solved.
     *
     * @param family dense, sparse or real
     * @param name of a real game such as {@code wine modest}; empty for synthetic ones
     * @param n features without the column of ones
     * @param density of the nonzeros; 1 for dense and real games
     */
    public record Game(String family, String name, int m, int n, double density, double gamma) {
        static Game dense(int m, int n, double gamma) {
            return new Game("dense", "", m, n, 1, gamma);
        }

        static Game sparse(int m, int n, double density, double gamma) {
            return new Game("sparse", "", m, n, density, gamma);
        }

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

    public boolean skipped() {
        return outcome.status.equals(SKIPPED);
    }

    /** What tells this run from every other: a run that is there already is not made again. */
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

    /** The row whose fields these are. */
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

    /** Four digits are more than a clock can tell twice. */
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
