/**
 * The matrices that everything else works on: dense rows in direct memory or mapped from a file, compressed sparse rows, shifted and scaled views of
 * either, and the products, factorisations and eigenvalues of them.
 *
 * <p>A {@link stackelberg.linalg.Matrix} is known by its products with several vectors at once, so that whoever uses it need not know how it is
 * stored. Results depend on the data alone, not on the number of {@link stackelberg.linalg.Workers}. Only this package touches native code;
 * where OpenBLAS cannot be loaded, plain Java serves. It knows nothing of data, games or spheres.
 */
package stackelberg.linalg;
