package stackelberg.cli.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import stackelberg.data.Table;
import stackelberg.game.Population;
import stackelberg.game.ResponseGroup;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/**
 * How people differ in their response, as a model knows it and an option may overrule it.
 *
 * @param model the model, or null: then everybody moves at the world's gamma
 * @param oneGamma whether the world's gamma was given, and replaces everybody's own
 */
public record Mixture(StackelbergModel model, World world, boolean oneGamma) {
    /** More different gammas than this are shown in quarters. */
    private static final int KINDS_SHOWN = 8;

    double truthfulShare() {
        return model == null ? 0 : model.game().truthfulShare();
    }

    /** The column of everybody's own gamma, where it counts. */
    Optional<String> column() {
        return oneGamma || model == null
                ? Optional.empty()
                : Optional.ofNullable(model.game().rowGamma());
    }

    boolean mixed() {
        return truthfulShare() > 0 || column().isPresent();
    }

    /** The column that the data cannot do without, if there is one. */
    public Optional<String> required(Table table) {
        Optional<String> column = column();
        column.ifPresent(name -> model.world().requireGammas(table));
        return column;
    }

    public Population population(Table rows) {
        return column().isPresent()
                ? model.world().population(rows)
                : Population.ofOneGamma(rows.rows(), world.gamma(), truthfulShare());
    }

    public static List<ResponseGroup> kinds(Population population) {
        return ResponseGroup.of(population, KINDS_SHOWN);
    }

    /** As in "gamma 0.1 and 30% truthful". */
    String words() {
        String who = column().map(name -> "everybody's own gamma (column " + name + ")")
                .orElse("gamma " + Numbers.plain(world.gamma()));
        return who + (truthfulShare() > 0 ? " and " + Numbers.percent(truthfulShare()) + " truthful" : "");
    }

    static String name(ResponseGroup kind) {
        if (kind.truthful()) {
            return "truthful";
        }
        if (kind.neverMoves()) {
            return "never move";
        }
        return kind.oneGamma()
                ? "gamma " + Numbers.plain(kind.from())
                : "gamma " + Numbers.number(kind.from()) + " to " + Numbers.number(kind.to());
    }

    /** The name with how many they are; of how many, where nobody knows who they are. */
    static String counted(ResponseGroup kind) {
        String share = kind.share() < 1 ? Numbers.percent(kind.share()) + " of " : "";
        return String.format(Locale.ROOT, "%s (%s%,d)", name(kind), share, kind.people().length);
    }

    /** The kinds by their names, in their order. */
    public static Map<String, ResponseGroup> named(List<ResponseGroup> kinds) {
        Map<String, ResponseGroup> named = new LinkedHashMap<>();
        kinds.forEach(kind -> named.put(counted(kind), kind));
        return named;
    }

    /** The keys of a kind; gammas that do not count or are infinite are null. */
    static Map<String, Object> object(ResponseGroup kind) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("population", name(kind));
        object.put("share", kind.share());
        object.put("gammaFrom", Json.finite(kind.from()));
        object.put("gammaTo", Json.finite(kind.to()));
        return object;
    }

    /** What an answer says of the mixture, nothing where there is none. */
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        if (mixed()) {
            object.put("truthfulShare", truthfulShare());
            object.put("rowGamma", column().orElse(null));
        }
        return object;
    }
}
