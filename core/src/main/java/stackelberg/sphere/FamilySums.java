package stackelberg.sphere;

/**
 * The sums over the rows that every gamma of a {@link SphereFamily} shares, by the names they have there.
 *
 * @param zz wish noise included, as in p and believeEverybodyLoss
 */
public record FamilySums(
        double[] xy, double[] xz, double yy, double yz, double zz, double p, double believeEverybodyLoss) {
    public FamilySums {
        xy = xy.clone();
        xz = xz.clone();
    }

    @Override
    public double[] xy() {
        return xy.clone();
    }

    @Override
    public double[] xz() {
        return xz.clone();
    }

    /** n, the length of X'Py. */
    int features() {
        return xy.length;
    }

    /** Refuses points of another sphere. */
    void requirePoints(double[][] r) {
        for (double[] point : r) {
            if (point.length != features() + 1) {
                throw new IllegalArgumentException(
                        "A point of this sphere has " + (features() + 1) + " coordinates, not " + point.length + ".");
            }
        }
    }
}
