package stackelberg.adversary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.data.DataException;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;

/**
 * Nasty small games, every solver, against an oracle with more digits: no answer is farther above the optimum than its bound, nothing is called certified
 * that is not, and nothing fails but by a refusal that says why.
 */
class AdversaryTest {
    private static final Workers ONE = Workers.of(1);
    private static final SolverOptions OPTIONS = SolverOptions.DEFAULT;

    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    @Test
    void noAnswerIsFartherFromTheOptimumThanItsBound() {
        long games = LongRun.tries(600);
        Collection<String> failures = LongRun.failures(games, 120, this::play);
        LongRun.print("Adversary: " + games + " games, " + counts + ", failed games " + failures.size() + ".");
        assertThat(failures).isEmpty();
    }

    private Optional<String> play(long k) {
        PredictionGame game = Nasty.game(k);
        Reduction reduction;
        try {
            reduction = Pipeline.reduce(game, ONE, game.gamma());
        } catch (DataException e) {
            count("refused games");
            return e.getMessage() != null && !e.getMessage().isBlank()
                    ? Optional.empty()
                    : Optional.of("refused without a word: " + e);
        }
        // what is wrong, by its kind: the same complaint about several solvers is one
        Map<String, String> wrong = new LinkedHashMap<>();
        Judge judge = new Judge(game, OPTIONS.tolerance());
        for (String name : Solvers.names()) {
            if (name.equals(System.getProperty("adv.skip"))) continue;
            count("runs");
            Pipeline pipeline = new Pipeline(Solvers.named(name, ONE), OPTIONS);
            Pipeline.Solution solution;
            long start = System.nanoTime();
            try {
                solution = pipeline.run(reduction, game.gamma()).solutions().get(0);
            } catch (RuntimeException e) {
                count("crashes");
                wrong.merge(
                        "CRASH " + name,
                        e + " at " + e.getStackTrace()[0] + e.getStackTrace()[1] + e.getStackTrace()[2],
                        String::concat);
                continue;
            }
            counts.computeIfAbsent("us " + name, key -> new LongAdder()).add((System.nanoTime() - start) / 1000);
            if (solution.certificate().certified(OPTIONS.tolerance())) {
                count("certified");
                count("certified " + name);
            }
            if (!solution.certificate().finite()) count("not finite");
            start = System.nanoTime();
            judge.wrong(solution).forEach((kind, what) -> {
                count(kind);
                wrong.merge(kind, name + " " + what, (before, more) -> before + "; also " + name);
            });
            counts.computeIfAbsent("us judge", key -> new LongAdder()).add((System.nanoTime() - start) / 1000);
        }
        counts.computeIfAbsent("undecided", key -> new LongAdder()).add(judge.undecided());
        if (System.getProperty("adv.only") != null && !wrong.containsKey(System.getProperty("adv.only")))
            return Optional.empty();
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(wrong.entrySet().stream()
                                .map(e -> e.getKey() + " " + e.getValue())
                                .collect(Collectors.joining("\n  "))
                        + "\n  " + Nasty.describe(game));
    }

    private void count(String what) {
        counts.computeIfAbsent(what, key -> new LongAdder()).increment();
    }
}
