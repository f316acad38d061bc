package stackelberg.solver.krylov;

/**
 * What {@link KrylovSolver} understands beyond the options of every solver.
 *
 * @param basisBytes memory that the basis may take; when it is used up, the solver stops and says so
 */
public record KrylovOptions(long basisBytes) {
    /** 1 GiB: 134 vectors of a million features, more than any game measured so far has needed. */
    public static final KrylovOptions DEFAULT = new KrylovOptions(1L << 30);

    public KrylovOptions {
        if (basisBytes < 1) {
            throw new IllegalArgumentException("The memory for the basis is " + basisBytes
                    + " bytes; it must be positive.\nMaybe it was given in the wrong unit.");
        }
    }

    public KrylovOptions withBasisBytes(long newBasisBytes) {
        return new KrylovOptions(newBasisBytes);
    }
}
