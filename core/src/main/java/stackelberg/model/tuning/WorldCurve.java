package stackelberg.model.tuning;

import java.util.List;

/**
 * How each model gamma does among people for whom moving costs worldGamma.
 *
 * @param worldGamma what moving costs them
 * @param points one per model gamma
 * @param best the index of the smallest loss
 * @param oneStandardError the index of the rule that people can pull least (the smallest pull-through in this world) among those within one
 *     standard error of the best: if the data cannot tell two rules apart, the one that is gamed less is the safer
 */
public record WorldCurve(double worldGamma, List<Point> points, int best, int oneStandardError) {
    public WorldCurve {
        points = List.copyOf(points);
    }

    /**
     * One model gamma.
     *
     * @param gamma the model's gamma
     * @param loss the mean loss of a person held out
     * @param standardError of that mean, from the spread over the folds
     * @param pullThrough how much of the gap to their wish people close, mean over the folds
     */
    public record Point(double gamma, double loss, double standardError, double pullThrough) {}

    static WorldCurve of(double worldGamma, List<Point> points) {
        int best = 0;
        for (int j = 1; j < points.size(); j++) {
            best = points.get(j).loss() < points.get(best).loss() ? j : best;
        }
        double limit = points.get(best).loss() + points.get(best).standardError();
        int cautious = best;
        for (int j = 0; j < points.size(); j++) {
            boolean within = points.get(j).loss() <= limit;
            if (within && points.get(j).pullThrough() < points.get(cautious).pullThrough()) {
                cautious = j;
            }
        }
        return new WorldCurve(worldGamma, points, best, cautious);
    }
}
