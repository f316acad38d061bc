// The responses of people who move, in closed form. A test compares the numbers with the library's. This part does not use the page.

const response = {
  /** The pull-through, the share of the gap to the wish that people close: omega/(omega + gamma). */
  closed: (omega, gamma) => omega / (omega + gamma),

  /** The share of the gap that stays open; computed directly, because 1 - closed cancels if closed is near 1. */
  left: (omega, gamma) => gamma / (omega + gamma),

  /** The prediction for a person after the move, if it was p before and the wish is z. */
  after: (p, z, omega, gamma) => response.left(omega, gamma) * p + response.closed(omega, gamma) * z,

  /** The share of the gap that the target itself closes; the rest of the closed share is gamed. */
  earned: ({stretch, earned = 0}, gamma) => earned / (stretch + gamma),

  /** The loss of a rule: (1 - tau)^2 A + 2tau(1 - tau) E + tau^2 D, where tau is the gamed share and D the loss if every prediction equals the wish. */
  loss({stretch, earned = 0, A, E}, D, gamma) {
    const tau = (stretch - earned) / (stretch + gamma);
    const rest = (gamma + earned) / (stretch + gamma);
    return rest * rest * A + 2 * tau * rest * E + tau * tau * D;
  },
};
