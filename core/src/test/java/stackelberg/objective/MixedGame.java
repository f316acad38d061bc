package stackelberg.objective;

import java.util.List;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;

/** A game whose rows respond differently, without a sample behind it. */
public final class MixedGame implements PreparedGame.Source {
    private static final Workers ONE = Workers.of(1);

    private final PredictionGame game;
    private final PopulationObjective objective;

    public MixedGame(PredictionGame game) {
        this.game = game;
        this.objective = new PopulationObjective(GameSpec.builder()
                .target("y")
                .wish("z")
                .gamma(game.gamma())
                .truthfulShare(0.5)
                .build());
    }

    private PreparedGame prepared() {
        PredictionGame alike =
                game.withPopulation(Population.ofOneGamma(game.x().rows(), game.gamma(), 0));
        return new PreparedGame(alike, null, this, null, ONE);
    }

    private static Objective.Options options(SolverOptions limits) {
        return new Objective.Options(null, limits, ProgressListener.NONE, 0);
    }

    public Solution solve(SolverOptions limits) {
        return objective.solve(prepared(), options(limits)).first();
    }

    public Solution recheck(Solution found) {
        var claim = new Objective.Claim(found.result().r(), found.gamma(), found::rule, 0, 0, 1e-9);
        return objective.recheck(prepared(), options(SolverOptions.DEFAULT), claim);
    }

    @Override
    public Population population(double gamma) {
        return game.population();
    }

    @Override
    public List<LinearRule> starts() {
        return List.of();
    }
}
