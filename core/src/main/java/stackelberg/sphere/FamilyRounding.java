package stackelberg.sphere;

/**
 * How large the terms of the sums of a {@link SphereFamily} are and how many, which is what their rounding grows with.
 *
 * @param squaredNorm an upper bound of ||X||_F^2 as it is used in the products
 * @param removedNorm ||y - Py|| + ||z - Pz||
 * @param projectionGrowth by how many roundings P may be off; 1 or more
 * @param rows how many rows were summed
 */
public record FamilyRounding(double squaredNorm, double removedNorm, double projectionGrowth, long rows) {
    /** Sums over m rows: measured up to 3.1 times the rounding of short ones at m = 100,000, so the fourth root, with room. */
    double growth() {
        return 1 + Math.sqrt(Math.sqrt(Math.max(0, rows) / 1000.0));
    }
}
