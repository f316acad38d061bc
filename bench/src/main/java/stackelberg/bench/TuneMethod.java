package stackelberg.bench;

import java.util.List;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.tuning.Tuning;

/** Times the estimator as a user calls it: one fit, or a cross-validation with the whole table of model gammas by world gammas. */
final class TuneMethod {
    private TuneMethod() {}

    static Method.Played fit(PredictionGame game, Workers workers, double limit) {
        long start = System.nanoTime();
        StackelbergModel model = regression(workers).fit(game.x(), game.y(), game.z());
        double seconds = (System.nanoTime() - start) * 1e-9;
        return played(
                model.solver().status(),
                model.certified(),
                seconds,
                model.optimality().objective());
    }

    static Method tune(int folds, double[] gammas) {
        return (game, workers, limit) -> {
            long start = System.nanoTime();
            Tuning tuning = regression(workers)
                    .tune(
                            game.x(),
                            game.y(),
                            game.z(),
                            Tuning.Plan.of(gammas).withFolds(folds),
                            (phase, fraction) -> true);
            tuning.regret(gammas);
            return played(
                    tuning.settled() ? "SETTLED" : "NOT_SETTLED",
                    tuning.settled(),
                    (System.nanoTime() - start) * 1e-9,
                    Double.NaN);
        };
    }

    private static StackelbergRegression regression(Workers workers) {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .gamma(1)
                .threads(workers.threads())
                .build();
    }

    private static Method.Played played(String status, boolean certified, double seconds, double objective) {
        Row.Seconds phases = new Row.Seconds(0, 0, seconds, 0, 0);
        Row.Proof proof = new Row.Proof(objective, Double.NaN, Double.NaN);
        return new Method.Played(new Row.Outcome(status, certified, phases, -1, -1, proof), List.of(), "");
    }
}
