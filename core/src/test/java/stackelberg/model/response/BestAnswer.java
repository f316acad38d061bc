package stackelberg.model.response;

import java.util.List;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;

/**
 * A follower's best answer found without its formula: the moves that minimise (p + sum_j beta_j delta_j - z)^2 + gamma sum_j c_j
 * (delta_j/scale_j)^2, by trying steps along every column and halving them when none helps.
 */
final class BestAnswer {
    private BestAnswer() {}

    /** The moves of all encoded columns, in the units of the data; immutable ones stay. */
    static double[] moves(World world, PublishedRule rule, double p, double z, double gamma) {
        List<EncodedColumn> columns = world.encoding().columns();
        double[] moves = new double[columns.size()];
        if (Double.isInfinite(gamma)) {
            return moves;
        }
        double least = disutility(world, rule, p, z, gamma, moves);
        for (double step = Math.max(1, Math.abs(z - p)); step > 1e-8; step /= 2) {
            boolean better = true;
            while (better) {
                better = false;
                for (int j = 0; j < moves.length; j++) {
                    for (int sign = -1; sign <= 1 && world.manipulable(j); sign += 2) {
                        double before = moves[j];
                        moves[j] += sign * step * columns.get(j).scale();
                        double value = disutility(world, rule, p, z, gamma, moves);
                        if (value < least) {
                            least = value;
                            better = true;
                        } else {
                            moves[j] = before;
                        }
                    }
                }
            }
        }
        return moves;
    }

    static double disutility(World world, PublishedRule rule, double p, double z, double gamma, double[] moves) {
        double miss = predicted(world, rule, p, moves) - z;
        return miss * miss + cost(world, gamma, moves);
    }

    static double cost(World world, double gamma, double[] moves) {
        double cost = 0;
        for (int j = 0; j < moves.length; j++) {
            if (moves[j] != 0) {
                double scaled = moves[j] / world.encoding().columns().get(j).scale();
                cost += gamma * world.costs()[j] * scaled * scaled;
            }
        }
        return cost;
    }

    static double predicted(World world, PublishedRule rule, double p, double[] moves) {
        double moved = p;
        for (int j = 0; j < moves.length; j++) {
            moved += rule.coefficient(world.encoding().columns().get(j)) * moves[j];
        }
        return moved;
    }
}
