package stackelberg.cli.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import stackelberg.cli.answer.JsonText;
import stackelberg.cli.answer.ProofWords;
import stackelberg.data.Encoding;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/** Answers as JSON with stable keys; what is not a finite number is null. */
public final class Json {
    private Json() {}

    public static String write(Map<String, Object> object) {
        return JsonText.of(object);
    }

    /** The number, null if it is infinite or not a number. */
    public static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /** The share of the gap that who faces today's rule would close; null where that is not known. */
    static Double gammaShare(World world) {
        return finite(world.gammaShare().orElse(Double.NaN));
    }

    /** The object that {@code fit --json} prints. */
    public static Map<String, Object> of(StackelbergModel model) {
        var optimality = model.optimality();
        var solver = model.solver();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("objective", finite(optimality.objective()));
        object.put("multiplier", finite(optimality.multiplier()));
        object.put("gapBound", finite(optimality.gapBound()));
        object.put("proof", optimality.proof().name());
        object.put("certified", optimality.certified());
        object.put("claim", ProofWords.claim(model));
        object.put("finite", optimality.finite());
        object.put("finiteness", optimality.finiteness().name());
        object.put("unique", optimality.unique());
        object.put("pullThrough", finite(model.pullThrough()));
        object.putAll(EffectWords.object(model));
        object.put("solver", solver.name());
        object.put("iterations", solver.iterations());
        object.put("passes", solver.passes());
        object.put("status", solver.status());
        object.put("seconds", seconds(solver.seconds()));
        object.put("gamma", finite(model.gamma()));
        object.put("gammaShare", gammaShare(model.world()));
        object.put("today", GammaWords.object(model.game().today()));
        object.put("ridge", model.game().ridge());
        object.putAll(HedgeWords.object(model));
        object.putAll(LimitWords.object(model));
        object.putAll(RangeWords.object(model));
        object.put("rows", model.rows());
        object.put("features", model.terms().size());
        // without a finite equilibrium the numbers are only a far point on the way to infinity
        boolean ruled = optimality.finite();
        Map<String, Object> coefficients = new LinkedHashMap<>();
        model.coefficients().forEach((name, value) -> coefficients.put(name, ruled ? finite(value) : null));
        object.put("coefficients", coefficients);
        object.put("intercept", ruled ? finite(model.intercept()) : null);
        object.put("target", model.game().target());
        object.put(
                "immutable",
                model.terms().stream()
                        .filter(term -> !term.manipulable())
                        .map(StackelbergModel.Term::name)
                        .toList());
        object.putAll(PopulationWords.object(model.world()));
        object.put("solverNote", solver.note());
        object.put("relativeGap", finite(optimality.relativeGap()));
        object.put("weight", model.game().weight());
        object.put("losses", losses(model, loss -> loss));
        Map<String, Object> rmse = losses(model, loss -> model.rmse(loss).orElse(Double.NaN));
        rmse.put("moved", rmse.get("anticipated"));
        rmse.put("todayHonest", rmse.get("naive"));
        rmse.put("todayMoved", rmse.get("naiveAttacked"));
        object.put("rmse", model.game().loss().isSquared() ? rmse : null);
        object.put("loss", model.game().loss().inWords());
        object.put("meanLoss", losses(model, loss -> model.mean(loss).orElse(Double.NaN)));
        object.put(
                "yes", model.game().loss().isLogistic() ? model.game().answers().yes() : null);
        object.put(
                "standardErrors", ErrorWords.of(model).map(ErrorWords::object).orElse(null));
        object.put(
                "rSquared",
                ErrorWords.of(model)
                        .filter(words -> model.game().loss().isSquared())
                        .map(words -> losses(model, words.rSquared()))
                        .orElse(null));
        object.put("totalWeight", model.losses().totalWeight());
        object.put(
                "filled", filled(model.encoding(), model.provenance().prepared().filled()));
        object.put("warnings", model.warnings());
        object.put("notes", model.notes());
        return object;
    }

    /** What the rule and least squares lose, each if nobody moves and after people have moved. */
    private static Map<String, Object> losses(StackelbergModel model, DoubleUnaryOperator unit) {
        StackelbergModel.Losses losses = model.losses();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("anticipated", finite(unit.applyAsDouble(losses.anticipated())));
        // without a finite equilibrium there is no rule that people could not move under
        object.put("honest", model.optimality().finite() ? finite(unit.applyAsDouble(losses.honest())) : null);
        object.put("naive", losses.naive() == null ? null : finite(unit.applyAsDouble(losses.naive())));
        object.put(
                "naiveAttacked",
                losses.naiveAttacked() == null ? null : finite(unit.applyAsDouble(losses.naiveAttacked())));
        return object;
    }

    /** What missing values were filled in: by column, how many and with what. */
    public static Map<String, Object> filled(Encoding encoding, Map<String, Integer> counts) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (Encoding.Feature feature : encoding.features()) {
            if (counts.containsKey(feature.column())) {
                Object value = feature.categorical() ? feature.mostFrequentLevel() : finite(feature.mean());
                Map<String, Object> one = new LinkedHashMap<>();
                one.put("count", counts.get(feature.column()));
                one.put("value", value);
                object.put(feature.column(), one);
            }
        }
        return object;
    }

    static Map<String, Object> seconds(StackelbergModel.Phases phases) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("read", phases.read());
        object.put("assemble", phases.assemble());
        object.put("solve", phases.solve());
        object.put("certify", phases.certify());
        object.put("recover", phases.recover());
        object.put("judge", phases.judge());
        return object;
    }

    /**
     * The object of {@code fit} with all that was done since in its seconds.
     *
     * @param start what the command took before it read anything
     * @param doubt what is told beyond the model took, which is not in its file
     * @param write what was written before took; what the object itself takes is known when it comes to its seconds, its last
     */
    public static Map<String, Object> timed(
            Map<String, Object> object, StackelbergModel.Phases phases, double start, double doubt, double write) {
        Map<String, Object> seconds = new LinkedHashMap<>();
        seconds.put("start", start);
        seconds.putAll(seconds(phases));
        seconds.put("doubt", doubt);
        long before = System.nanoTime();
        DoubleSupplier written = () -> write + (System.nanoTime() - before) * 1e-9;
        seconds.put("write", written);
        object.remove("seconds");
        object.put("seconds", seconds);
        return object;
    }
}
