// What people who move do to a rule, in closed form: the same numbers as the library's, which a test compares. Knows nothing of the page.

const response = {
  /** The share of the way to their wish that people get, when the rule stretches by omega and moving costs gamma: omega/(omega + gamma). */
  closed: (omega, gamma) => omega / (omega + gamma),

  /** What is left of the way; not 1 - closed, which cancels where that is next to 1. */
  left: (omega, gamma) => gamma / (omega + gamma),

  /** What the rule says of somebody after the move: it said p before, and the wish is z. */
  after: (p, z, omega, gamma) => response.left(omega, gamma) * p + response.closed(omega, gamma) * z,

  /** The loss of a rule: (1 - t)^2 A + 2t(1 - t) E + t^2 D with t = closed, where D is the loss of letting everybody have its wish. */
  loss({stretch, A, E}, D, gamma) {
    const t = response.closed(stretch, gamma);
    const rest = response.left(stretch, gamma);
    return rest * rest * A + 2 * t * rest * E + t * t * D;
  },
};
