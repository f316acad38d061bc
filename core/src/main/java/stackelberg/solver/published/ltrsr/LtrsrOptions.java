package stackelberg.solver.published.ltrsr;

/**
 * How the nested Lanczos method works.
 *
 * @param formed whether H is formed first (variant 1 of the paper) or every product goes through the data (variant 2)
 * @param basis how many vectors the basis may have before it is restarted; each costs two vectors of memory
 */
public record LtrsrOptions(boolean formed, int basis) {
    /** Matrix-free; the games of the paper need a tenth of this basis. */
    public static final LtrsrOptions DEFAULT = new LtrsrOptions(false, 250);

    /** Vectors kept at a restart, and room for as many new ones. */
    private static final int SMALLEST_BASIS = 12;

    public LtrsrOptions {
        if (basis < SMALLEST_BASIS) {
            throw new IllegalArgumentException("The Lanczos basis may have " + basis + " vectors; it needs at least "
                    + SMALLEST_BASIS + " to keep some over a restart.");
        }
    }

    public LtrsrOptions withFormed(boolean newFormed) {
        return new LtrsrOptions(newFormed, basis);
    }

    public LtrsrOptions withBasis(int newBasis) {
        return new LtrsrOptions(formed, newBasis);
    }
}
