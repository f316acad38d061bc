/**
 * Matrices, their products, factorisations and eigenvalues: dense matrices in direct memory or mapped from a file, compressed sparse rows, and shifted and
 * scaled views of either.
 *
 * <p>A {@link stackelberg.linalg.Matrix} is used through its products with several vectors at once, so solvers do not depend on how it is stored. Results
 * depend on the data alone, not on the number of threads ({@link stackelberg.linalg.Workers}). This is the only package that calls native code; if OpenBLAS
 * cannot be loaded, the same operations run in plain Java. The package does not know tables, games or spheres.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.linalg;
