package stackelberg.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Chooses which variants of a contender to run, from the results on smaller games of the same kind. */
final class Choice {
    /**
     * If the best variant takes longer than this many seconds, its neighbours in the grid are not tried on larger games: the best value of a grid changes slowly
     * with the size, and each neighbour may take twice as long.
     */
    private static final double LONG = 20;

    /** The result of the best variant on the latest game, by {@link Unit#kin} and contender. */
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
        if (unit.trial() == 1 && !settled) {
            int at = all.indexOf(known.options());
            chosen.addAll(all.subList(at + 1, Math.min(all.size(), at + 2)));
            chosen.addAll(all.subList(Math.max(0, at - 1), at));
        }
        return chosen;
    }

    /** The variants from the middle of the grid outwards: the ends are seldom the best and take longest. */
    private static List<String> fromTheMiddle(List<String> all) {
        List<String> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(option -> Math.abs(all.indexOf(option) - all.size() / 2)));
        return sorted;
    }

    /** Records the best variant of a first trial; the results of later trials are ignored. */
    void learn(Unit unit, Contender contender, List<Row> rows) {
        if (unit.trial() == 1) {
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
