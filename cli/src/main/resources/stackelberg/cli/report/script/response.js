// What people who move do to a rule, in closed form: the same numbers as the library's, which a test compares. Knows nothing of the page.

const response = {
  /** The share of the way to their wish that people get, when the rule stretches by omega and moving costs gamma: omega/(omega + gamma). */
  closed: (omega, gamma) => omega / (omega + gamma),

  /** What is left of the way; not 1 - closed, which cancels where that is next to 1. */
  left: (omega, gamma) => gamma / (omega + gamma),

  /** What the rule says of somebody after the move: it said p before, and the wish is z. */
  after: (p, z, omega, gamma) => response.left(omega, gamma) * p + response.closed(omega, gamma) * z,

  /** The share of that way which the truth goes along, where moves are real: what is closed besides is gamed. */
  earned: ({stretch, earned = 0}, gamma) => earned / (stretch + gamma),

  /** The loss of a rule: (1 - tau)^2 A + 2tau(1 - tau) E + tau^2 D where tau is what is gamed, and D the loss of letting everybody have its wish. */
  loss({stretch, earned = 0, A, E}, D, gamma) {
    const tau = (stretch - earned) / (stretch + gamma);
    const rest = (gamma + earned) / (stretch + gamma);
    return rest * rest * A + 2 * tau * rest * E + tau * tau * D;
  },
};
