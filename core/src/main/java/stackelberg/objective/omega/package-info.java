/**
 * The search for the best rule if rows have different gammas or may be truthful: branch and bound over omega, with a
 * sphere problem at every omega and a bound that is a proof. It depends on the sphere; of the game it uses only the
 * rows and their weights.
 */
package stackelberg.objective.omega;
