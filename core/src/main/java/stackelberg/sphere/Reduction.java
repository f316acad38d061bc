package stackelberg.sphere;

import stackelberg.game.LinearRule;

/** The way from a game to the sphere and back, whatever is at hand of its rows: the rows themselves, sums over them, or products computed elsewhere. */
public interface Reduction {
    /** The sphere problems of the game, every gamma at once. */
    SphereFamily family();

    /** The rule of a point r on the sphere at one gamma; not finite where r = (0, ..., 0, 1). */
    LinearRule recover(double[] r, double gamma);

    /** The rule of a point r, divided by 1 + alpha: finite for every r, "believe everybody" included. */
    LinearRule recoverScaled(double[] r, double gamma);
}
