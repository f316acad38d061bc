/**
 * The sphere problem of an arrow matrix, solved by its secular equation with O(n) per evaluation, the hard case included. {@code direct}, {@code krylov} and
 * others reduce their problems to it. This package works on arrays of numbers and knows neither data nor games.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.secular;
