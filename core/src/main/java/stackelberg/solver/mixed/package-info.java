/**
 * The search for the best rule where not everybody responds alike: branch and bound over omega, a sphere problem at every omega, a bound that is a
 * proof. It knows the sphere, not who the people are.
 */
package stackelberg.solver.mixed;
