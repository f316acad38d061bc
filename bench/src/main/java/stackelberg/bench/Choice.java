package stackelberg.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which variants of a contender are worth a run, from the rows that are there. */
final class Choice {
    /** Seconds above which neighbours are not tried on larger games: the best of a grid moves slowly, and each of them may take twice as long. */
    private static final double LONG = 20;

    /** The best variant of the latest game, by kin and contender. */
    private final Map<String, Row> best = new HashMap<>();

    /** The variants to run now, the most promising first. */
    List<String> variants(Unit unit, Contender contender) {
        List<String> all = List.copyOf(contender.variants().keySet());
        Row known = best.get(key(unit, contender));
        if (known == null) {
            return fromTheMiddle(all);
        }
        if (all.size() == 1) {
            return all;
        }
        List<String> chosen = new ArrayList<>(List.of(known.options()));
        boolean settled = known.certified() && known.seconds().total() > LONG;
        if (unit.task().trial() == 1 && !settled) {
            int at = all.indexOf(known.options());
            chosen.addAll(all.subList(at + 1, Math.min(all.size(), at + 2)));
            chosen.addAll(all.subList(Math.max(0, at - 1), at));
        }
        return chosen;
    }

    /** The ends of a grid are seldom any good, and take longest. */
    private static List<String> fromTheMiddle(List<String> all) {
        List<String> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(option -> Math.abs(all.indexOf(option) - all.size() / 2)));
        return sorted;
    }

    /** Learns from the rows of a first trial; others change nothing. */
    void learn(Unit unit, Contender contender, List<Row> rows) {
        if (unit.task().trial() == 1) {
            rows.stream()
                    .filter(row -> !row.skipped())
                    .min(Comparator.comparing((Row row) -> !row.certified())
                            .thenComparing(
                                    row -> row.certified() ? row.seconds().total() : row.relativeGap()))
                    .ifPresent(row -> best.put(key(unit, contender), row));
        }
    }

    private static String key(Unit unit, Contender contender) {
        return unit.kin() + "|" + contender.solver() + "|" + contender.protocol();
    }
}
