/**
 * The sphere problem of an arrow matrix, O(n) per evaluation, the hard case included: what direct, krylov and others end in. It knows numbers only.
 */
package stackelberg.solver.secular;
