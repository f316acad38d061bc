package stackelberg.model;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import stackelberg.certificate.Certificate;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Loss;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.pipeline.Pipeline;

/** A model as its file lays it out, which stays as it is when the classes change. */
record ModelLayout(
        double gamma,
        double intercept,
        List<StackelbergModel.Term> terms,
        Encoding encoding,
        Game game,
        double pullThrough,
        double[] r,
        Pipeline.Hedged hedge,
        Limited limited,
        Pipeline.Between between,
        Optimality optimality,
        StackelbergModel.Losses losses,
        StackelbergModel.SolverRecord solver,
        StackelbergModel.Provenance provenance,
        List<String> warnings,
        List<String> notes,
        Sure standardErrors) {
    /** What was declared, in one level; the keys after the intercept's coefficient are not in files of version 1. */
    record Game(
            String target,
            String wish,
            String weight,
            double wishNoise,
            double truthfulShare,
            String rowGamma,
            GameSpec.Intercept intercept,
            double interceptCoefficient,
            String group,
            String id,
            List<String> features,
            Set<String> ignore,
            Set<String> immutable,
            Map<String, Double> costs,
            GameSpec.CostUnits costUnits,
            Scaling scaling,
            Missing missing,
            boolean fullOneHot,
            double ridge,
            Double gammaShare,
            InForce today,
            Double hedge,
            Map<String, Double> effects,
            List<String> limits,
            GameSpec.Side oneSided,
            String loss,
            GameSpec.WishUnits wishUnits,
            GameSpec.Answers answers,
            GameSpec.Between between) {
        static Game of(GameSpec spec, double interceptCoefficient) {
            return new Game(
                    spec.target(),
                    spec.wish(),
                    spec.weight(),
                    spec.wishNoise(),
                    spec.truthfulShare(),
                    spec.rowGamma(),
                    spec.intercept(),
                    interceptCoefficient,
                    spec.columns().group(),
                    spec.columns().id(),
                    spec.columns().features(),
                    spec.columns().ignore(),
                    spec.moves().immutable(),
                    spec.moves().costs(),
                    spec.moves().costUnits(),
                    spec.units().scaling(),
                    spec.units().missing(),
                    spec.units().fullOneHot(),
                    spec.ridge(),
                    spec.people().gammaShare(),
                    InForce.of(spec.today()),
                    spec.hedge(),
                    spec.effects().isEmpty() ? null : spec.effects(),
                    spec.limits().none() ? null : spec.limits().inWords(),
                    spec.limits().oneSided(),
                    spec.loss().inWords(),
                    spec.loss().isLogistic() ? spec.aim().wishUnits() : null,
                    spec.loss().isLogistic() ? spec.answers() : null,
                    spec.between());
        }

        private GameSpec.Limits limitsValue() {
            GameSpec.Limits all = new GameSpec.Limits(Map.of(), Map.of(), false, oneSided);
            for (String words : limits == null ? List.<String>of() : limits) {
                all = all.and(words);
            }
            return all;
        }

        GameSpec spec(double gamma) {
            return new GameSpec(
                    new GameSpec.Columns(target, wish, weight, group, id, features, ignore),
                    new GameSpec.People(
                            gamma, gammaShare, InForce.value(today), rowGamma, truthfulShare, wishNoise, between),
                    new GameSpec.Moves(
                            immutable,
                            costs,
                            costUnits,
                            intercept,
                            effects == null ? Map.of() : effects,
                            limitsValue()),
                    new GameSpec.Units(scaling, missing, fullOneHot),
                    new GameSpec.Aim(
                            ridge,
                            hedge,
                            Loss.of(loss),
                            wishUnits == null ? GameSpec.WishUnits.PROBABILITY : wishUnits,
                            answers == null ? GameSpec.Answers.UNSAID : answers));
        }
    }

    /** Today's rule; null in a file that does not know it. */
    record InForce(Today.Kind kind, String source, double intercept, Map<String, Double> coefficients) {
        static InForce of(Today today) {
            return today.known()
                    ? new InForce(
                            today.kind(),
                            today.source(),
                            today.rule().intercept(),
                            today.rule().coefficients())
                    : null;
        }

        static Today value(InForce today) {
            return today == null ? Today.LEARNED : today.value();
        }

        private Today value() {
            return new Today(kind, new PublishedRule(Today.NAME, intercept, coefficients), source);
        }
    }

    /** The certificate in plain values. */
    record Optimality(
            double objective,
            double multiplier,
            double residual,
            double curvature,
            double gapBound,
            double relativeGap,
            Certificate.Proof proof,
            boolean unique,
            boolean finite,
            Certificate.Finiteness finiteness,
            boolean certified,
            double tolerance) {
        static Optimality of(StackelbergModel.Optimality o) {
            return new Optimality(
                    o.objective(),
                    o.multiplier(),
                    o.bound().residual(),
                    o.bound().curvature(),
                    o.gapBound(),
                    o.relativeGap(),
                    o.proof(),
                    o.unique(),
                    o.finite(),
                    o.finiteness(),
                    o.certified(),
                    o.tolerance());
        }

        StackelbergModel.Optimality value() {
            var bound = new Certificate.Bound(multiplier, residual, curvature, gapBound);
            return new StackelbergModel.Optimality(objective, bound, relativeGap, tolerance, proof, unique, finiteness);
        }
    }

    /** What became of the rule that is best without limits; null in a file of a game without them. */
    record Limited(
            Optimality unlimited, double promised, double real, int heldBefore, int held, double earned, int starts) {
        static Limited of(StackelbergModel.Limited limited) {
            return new Limited(
                    Optimality.of(limited.unlimited()),
                    limited.promised(),
                    limited.real(),
                    limited.heldBefore(),
                    limited.held(),
                    limited.earned(),
                    limited.starts());
        }

        StackelbergModel.Limited value() {
            return new StackelbergModel.Limited(unlimited.value(), promised, real, heldBefore, held, earned, starts);
        }
    }

    /** How sure the rule is, coefficients in the order of the terms; null where nobody asked. */
    record Sure(
            String method,
            int people,
            int parameters,
            double totalSquares,
            StandardErrors.Intervals intervals,
            String reason) {
        static Sure of(StandardErrors errors) {
            return new Sure(
                    errors.method().inWords(),
                    errors.people(),
                    errors.parameters(),
                    errors.totalSquares(),
                    errors.intervals(),
                    errors.reason());
        }

        StandardErrors value() {
            return new StandardErrors(
                    StandardErrors.Method.of(method), people, parameters, totalSquares, intervals, reason);
        }
    }

    static ModelLayout of(StackelbergModel model) {
        return new ModelLayout(
                model.gamma(),
                model.intercept(),
                model.terms(),
                model.encoding(),
                Game.of(model.game(), model.interceptCoefficient()),
                model.pullThrough(),
                model.r(),
                model.hedged().orElse(null),
                model.limited().map(Limited::of).orElse(null),
                model.between().orElse(null),
                Optimality.of(model.optimality()),
                model.losses(),
                model.solver(),
                model.provenance(),
                model.warnings(),
                model.notes(),
                model.standardErrors().map(Sure::of).orElse(null));
    }

    /** The model, whose parts were checked before. */
    StackelbergModel model() {
        double[] costs = terms.stream()
                .mapToDouble(term -> term.manipulable() ? term.cost() : Double.POSITIVE_INFINITY)
                .toArray();
        double[] coefficients =
                terms.stream().mapToDouble(StackelbergModel.Term::coefficient).toArray();
        return new StackelbergModel(
                new World(game.spec(gamma), encoding, costs),
                new StackelbergModel.Answer(
                        intercept,
                        coefficients,
                        game.interceptCoefficient,
                        pullThrough,
                        r,
                        hedge,
                        limited == null ? null : limited.value(),
                        between),
                optimality.value(),
                new StackelbergModel.Background(
                        solver,
                        losses,
                        provenance,
                        warnings,
                        notes,
                        standardErrors == null ? null : standardErrors.value()),
                optimality.certified);
    }

    /**
     * What a file of an earlier version does not say of the game by its own keys, from its encoding and its terms: features, immutable columns and costs are
     * exact, if not in the words they were declared in.
     */
    static Map<String, Object> unsaid(
            List<StackelbergModel.Term> terms, Encoding encoding, Map<String, String> options) {
        Set<String> immutable = new LinkedHashSet<>();
        Map<String, Double> costs = new LinkedHashMap<>();
        boolean allLevels = false;
        int j = 0;
        for (Encoding.Feature feature : encoding.features()) {
            for (int k = 0; k < feature.columns().size() && j < terms.size(); k++, j++) {
                StackelbergModel.Term term = terms.get(j);
                if (!term.manipulable()) {
                    immutable.add(feature.column());
                    allLevels |= feature.categorical()
                            && feature.columns().size() == feature.levels().size();
                } else if (term.cost() != 1) {
                    costs.put(term.name(), term.cost());
                }
            }
        }
        Map<String, Object> unsaid = new LinkedHashMap<>();
        unsaid.put("group", options.get("group"));
        unsaid.put(
                "features",
                encoding.features().stream().map(Encoding.Feature::column).toList());
        unsaid.put("ignore", List.of());
        unsaid.put("immutable", immutable);
        unsaid.put("costs", costs);
        unsaid.put("costUnits", GameSpec.CostUnits.SCALED);
        unsaid.put("scaling", options.getOrDefault("scale", "standard").toUpperCase(Locale.ROOT));
        unsaid.put("missing", encoding.missing());
        unsaid.put("fullOneHot", allLevels);
        return unsaid;
    }
}
