package stackelberg.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

/**
 * One run of one solver on one game, with everything that tables and figures need. An unknown value is NaN, an unknown count -1, an unknown text empty. The order
 * of all components is that of the columns of {@code rows.csv}.
 *
 * @param memory the resident memory of the process
 * @param machine the machine and the commit of the code
 * @param note a remark, such as the reason why the run was skipped
 */
public record Row(Task task, Player player, Outcome outcome, Memory memory, Machine machine, String note) {
    /** The status of a run that was not made because of its time or memory. */
    public static final String SKIPPED = "SKIPPED";

    static final List<String> HEADER = List.of("""
            experiment protocol family game m n density gamma seed trial trials solver options status certified
            assemble_s factor_s solve_s certify_s recover_s iterations passes objective gap_bound relative_gap
            memory_before_mb memory_peak_mb threads jvm cpu commit note""".split("\\s+"));

    /** Marks a measured number, which is written with four significant digits: repeated measurements agree in fewer. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface Measured {}

    /** How a solver is stopped and timed. */
    public enum Protocol {
        /** The paper's protocol: every solver as published, with its own stopping rule, without the time of the certificate. */
        PAPER,
        /** The fair protocol: every solver to the same certified accuracy, with every phase timed. */
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
     * @param protocol how the solver was stopped and timed
     * @param seed the seed that makes the game or draws the subsample
     * @param trial the number of the trial, from 1
     * @param trials how many trials were planned
     */
    public record Task(String experiment, Protocol protocol, Game game, long seed, int trial, int trials) {}

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
     * The solver of a run.
     *
     * @param solver its name on the command line
     * @param options options other than the defaults, such as {@code rho=50}; empty for the defaults
     */
    public record Player(String solver, String options) {}

    /**
     * The result of a run.
     *
     * @param status why the solver stopped, or SKIPPED
     * @param certified whether the certificate proves a relative gap of at most 1e-9: only then the game counts as solved
     * @param iterations the number of iterations, in the solver's own unit
     * @param passes the number of passes over the data, or of products with H
     */
    public record Outcome(String status, boolean certified, Seconds seconds, int iterations, int passes, Proof proof) {
        static Outcome skipped() {
            double none = Double.NaN;
            Seconds seconds = new Seconds(none, none, none, none, none);
            return new Outcome(SKIPPED, false, seconds, -1, -1, new Proof(none, none, none));
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
    public record Seconds(
            @Measured double assemble,
            @Measured double factor,
            @Measured double solve,
            @Measured double certify,
            @Measured double recover) {
        /** The seconds of all phases but the certificate, which the paper does not have. */
        public double withoutCertificate() {
            return assemble + factor + solve + recover;
        }

        public double total() {
            return withoutCertificate() + certify;
        }
    }

    /**
     * The certificate of a run.
     *
     * @param objective f at the solver's point, as the certificate computes it
     * @param gapBound a proven upper bound on f minus its minimum
     * @param relativeGap gapBound / max(f, 1e-9 p0), p0 the loss of the best rule with w = 0
     */
    public record Proof(
            double objective,
            @Measured double gapBound,
            @Measured double relativeGap) {}

    /** Resident memory in MB (10^6 bytes): before the run, with the data in memory, and at its peak during the run. */
    public record Memory(@Measured double before, @Measured double peak) {}

    /** The number of threads, the Java version, the processor and the commit of the code. */
    public record Machine(int threads, String jvm, String cpu, String commit) {}

    public String experiment() {
        return task.experiment;
    }

    public Protocol protocol() {
        return task.protocol;
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

    public String options() {
        return player.options;
    }

    public boolean certified() {
        return outcome.certified;
    }

    public Seconds seconds() {
        return outcome.seconds;
    }

    public double objective() {
        return outcome.proof.objective;
    }

    public double relativeGap() {
        return outcome.proof.relativeGap;
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
                task.protocol.name(),
                task.game.toString(),
                "" + task.trial,
                player.solver,
                player.options);
    }
}
