package stackelberg.objective.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;

/** Small games with one to four of what a program may have, against local searches in (w, q) under the same bound, which know nothing of a program. */
class RandomProgramsTest {
    /** What the rule is asked to be. */
    private enum Wanted {
        PURE,
        HEDGED,
        BALANCED
    }

    /** How often something was tried, and how often the answer was certified to 1e-9. */
    private record Share(AtomicInteger tried, AtomicInteger certified) {
        static void count(Map<String, Share> shares, String kind, boolean sure) {
            Share share = shares.computeIfAbsent(kind, any -> new Share(new AtomicInteger(), new AtomicInteger()));
            share.tried.incrementAndGet();
            share.certified.addAndGet(sure ? 1 : 0);
        }

        @Override
        public String toString() {
            return certified + " of " + tried;
        }
    }

    private static Loss loss(int k, Random random) {
        return switch (k % 4) {
            case 0 -> Loss.LOGISTIC;
            case 1 -> Loss.huber(0.3 + random.nextDouble());
            default -> Loss.SQUARED;
        };
    }

    private static Program program(PredictionGame game) {
        return game.loss().isSquared() ? SquaredProgramTest.program(game) : ConvexProgramTest.program(game);
    }

    private static Program.Hedged solve(Program program, Wanted wanted, Random random) {
        return switch (wanted) {
            case PURE -> program.hedged(1e6);
            case HEDGED -> program.hedged(0.1 * random.nextDouble());
            case BALANCED -> program.balanced();
        };
    }

    private static String kind(PredictionGame game, Wanted wanted) {
        String loss = game.loss().isSquared() ? "squared" : game.loss().isLogistic() ? "logistic" : "huber";
        return loss
                + (game.effects().isPresent() ? ", effects" : "")
                + (game.ridge() > 0 ? ", ridge" : "")
                + (game.wishNoiseVariance() > 0 ? ", noise" : "")
                + (wanted == Wanted.PURE ? "" : ", " + wanted.name().toLowerCase(Locale.ROOT));
    }

    /** What is wrong with the answer to one game; its certified share goes to where it belongs. */
    private static Optional<String> wrong(int k, Map<String, Share> natural, Map<String, Share> other) {
        Random random = new Random(37_000 + k);
        Loss loss = loss(k, random);
        boolean isNatural = k % 15 != 14;
        Wanted wanted = Wanted.values()[k / 4 % 3];
        PredictionGame game = ProgramGame.of(random, loss, isNatural);
        Program.Hedged found = solve(program(game), wanted, random);
        Program.Losses losses = found.losses();
        PlainProgram plain = new PlainProgram(game);
        double[] theta = plain.theta(found.rule());
        double best = plain.best(losses.bound(), plain.theta(found.reference().rule()), 6, random);
        double scale = losses.moved();
        Share.count(isNatural ? natural : other, kind(game, wanted), found.gap() <= 1e-9 * scale);
        double kept = loss.isSquared() ? 1e-11 : 1e-9;
        boolean right = Math.abs(plain.moved(theta) - losses.moved()) <= 1e-9 * scale
                && Math.abs(plain.honest(theta) - losses.honest()) <= 1e-9 * losses.honest()
                && losses.honest() <= losses.bound() * (1 + kept)
                && best >= losses.lower() - 1e-10 * scale
                && best >= losses.moved() - found.gap() - 1e-9 * scale
                && found.regretBound() >= found.regret() - 1e-15;
        return right
                ? Optional.empty()
                : Optional.of(kind(game, wanted) + ": searches " + best + ", own " + plain.moved(theta) + ", honest "
                        + plain.honest(theta) + ", gamma " + game.gamma() + ", " + losses + ", " + found.point()
                        + found.reference());
    }

    /** The minimum over the ball lies next to the limit point, where 1 - tau is known by a few digits: its rule once lost 0.2% more than the bound if nobody moves. */
    @Test
    void theRuleOfAPointNextToTheLimitPointKeepsTheBound() {
        assertThat(wrong(573, new ConcurrentSkipListMap<>(), new ConcurrentSkipListMap<>()))
                .isEmpty();
    }

    /** 2,000 games in a long run, -Dstackelberg.long=2000, which prints the certified share of each kind. */
    @Test
    void noLocalSearchUnderTheSameBoundBeatsTheAnswerBeyondItsGap() {
        Map<String, Share> natural = new ConcurrentSkipListMap<>();
        Map<String, Share> other = new ConcurrentSkipListMap<>();

        assertThat(LongRun.failures(LongRun.tries(64, 320), 120, k -> wrong((int) k, natural, other)))
                .isEmpty();

        natural.forEach((kind, share) -> LongRun.print("natural wishes, " + kind + ": " + share));
        other.forEach((kind, share) -> LongRun.print("any wishes, " + kind + ": " + share));
        int tried =
                natural.values().stream().mapToInt(share -> share.tried.get()).sum();
        int sure = natural.values().stream()
                .mapToInt(share -> share.certified.get())
                .sum();
        LongRun.print("certified of games with natural wishes: " + sure + " of " + tried);
        assertThat(sure).isGreaterThanOrEqualTo((int) (0.9 * tried));
    }
}
