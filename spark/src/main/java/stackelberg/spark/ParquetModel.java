package stackelberg.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import stackelberg.certificate.Certificate;
import stackelberg.data.Table;
import stackelberg.game.LinearRule;
import stackelberg.game.World;
import stackelberg.linalg.Vectors;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;
import stackelberg.objective.Solution;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereGeometry;

/**
 * A model as it was saved before there was a model file in it: one Parquet row with the rule and its summary. Values of the core's model that the row lacks are
 * taken from the params, or computed from the rule, or are NaN: the loss if nobody moves, the residual and the curvature.
 */
final class ParquetModel {
    private ParquetModel() {}

    static StackelbergModel read(SparkSession session, String path, StackelbergParams params) {
        Row row = session.read().parquet(path + "/data").first();
        Vector coefficients = row.getAs("coefficients");
        double gamma = row.getAs("gamma");
        World world = params.own()
                .world(params, Table.positions(coefficients.size()), DistributedFit.quoted(params.getWishCol()))
                .at(gamma);
        double[] encoded = world.encoding().names().stream()
                .mapToDouble(position -> coefficients.apply(Integer.parseInt(position) - 1))
                .toArray();
        double[] w = Arrays.copyOf(encoded, world.manipulable());
        double[] q = Arrays.copyOfRange(encoded, w.length, encoded.length);
        var effort = new SphereResult.Effort(row.getAs("iterations"), row.getAs("passes"), 0, 0);
        var result = new SphereResult(
                pointOf(w, world.costs(), gamma),
                SphereResult.Status.valueOf(row.getAs("status")),
                effort,
                row.getAs("note"));
        LinearRule rule = new LinearRule(w, q, row.getAs("intercept"));
        Certificate certificate = certificate(row);
        var seconds = new StackelbergModel.Phases(0, 0, 0, 0, 0);
        var background = new StackelbergModel.Background(
                StackelbergModel.SolverRecord.of(row.getAs("solver"), result, seconds),
                new StackelbergModel.Losses(certificate.objective(), Double.NaN, null, null),
                new StackelbergModel.Provenance(
                        null, row.getAs("rows"), 0, Training.provenanceOf(world.spec(), params.getTol()), "unknown", 0),
                List.of());
        return StackelbergModel.of(
                world,
                new Solution(gamma, rule, result, certificate, 0),
                row.getAs("pullThrough"),
                params.getTol(),
                background);
    }

    private static Certificate certificate(Row row) {
        double objective = row.getAs("objective");
        double gap = row.getAs("gapBound");
        double relativeGap = row.getAs("relativeGap");
        // the gap was divided by the objective, or where that is nearly 0 by 1e-9 of the scale
        double scale = gap / Math.abs(objective) == relativeGap ? 0 : 1e9 * gap / relativeGap;
        return new Certificate(
                objective,
                new Certificate.Bound(row.getAs("multiplier"), Double.NaN, Double.NaN, gap),
                Certificate.Proof.valueOf(row.getAs("proof")),
                row.getAs("unique"),
                row.<Boolean>getAs("finite") ? Certificate.Finiteness.FINITE : Certificate.Finiteness.NONE,
                scale,
                Optional.empty());
    }

    /** The point on the sphere from which the rule was recovered, up to rounding; the limit point if the rule is too large to recover it. */
    private static double[] pointOf(double[] w, double[] costs, double gamma) {
        double[] scaled = new double[w.length];
        Arrays.setAll(scaled, j -> w[j] / Math.sqrt(costs[j]));
        double[] r = SphereGeometry.pointOf(scaled, gamma);
        double norm = Vectors.norm(r);
        if (!(norm > 0) || Double.isInfinite(norm)) {
            Arrays.fill(r, 0);
            r[w.length] = 1;
            return r;
        }
        Vectors.scale(1 / norm, r);
        return r;
    }
}
