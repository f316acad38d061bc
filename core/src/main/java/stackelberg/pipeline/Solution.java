package stackelberg.pipeline;

import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.solver.SphereResult;

/**
 * The answer at one gamma.
 *
 * @param gamma how hard it is to move
 * @param rule in the units of the game; not finite where the certificate is not
 * @param result the point of the sphere, and why the solver stopped there
 * @param certificate what is proven of the point
 * @param recoverSeconds what the way back from the sphere took
 */
public record Solution(
        double gamma, LinearRule rule, SphereResult result, Certificate certificate, double recoverSeconds) {}
