// The data of the page, and the errors and moves under the rule for one gamma if people move at another gamma (the world's).

const data = JSON.parse($('report-data').textContent);
const {heading, game, people, path, judged, hood} = data;
const {features} = path;
// the slider and the curves run from easy to hard moves, whatever the order of the gammas in the data
const order = path.points.map((_, i) => i).sort((i, j) => path.points[i].gamma - path.points[j].gamma);
const points = order.map(i => path.points[i]);
const fitted = order.indexOf(path.selected);
// how people differ, null if all respond alike
const {mixture} = game;
const leastSquares = path.leastSquares?.losses;
// the name of the rule that this rule is compared with
const today = path.leastSquares?.name ?? 'least squares';
const SPAN = 1000;
// the probability of not moving, whatever gamma says
const truthfulShare = mixture?.truthfulShare ?? 0;
// errors and moves if each person's gamma is multiplied by a factor; where gammas differ by person, a world is such a factor instead of a gamma
const grid = game.worlds;
const own = grid?.own ? grid : null;
// the limits on moves, null if there are none; with limits, responses are known only for the worlds of the grid
const {limits} = game;
// the interval of gamma that the rule was fitted for, null if gamma is one number
const {between} = path;
// whether moves really change the target, so that a part of the closed gap is earned
const {real} = game;
// the loss if it is not squared, null otherwise; errors are then known only for some worlds
const {loss} = path;
// how well the rules separate yes from no, null unless the loss is logistic
const {answers} = judged;
/** The error that belongs to a sum of losses: the root of the mean squared loss, or the mean of another loss. */
const errorOfSum = sum => loss ? sum / people.weight : Math.sqrt(Math.max(0, sum) / people.weight);
/** A score as it is shown: with logistic loss the probability of a yes. */
const told = score => loss?.logistic && isNumber(score) ? 1 / (1 + Math.exp(-score)) : score;
// the worlds at which the slider stops, null if it moves freely
const stops = grid?.factors ?? loss?.worlds ?? null;
const firstWorld = own ? 1 : game.worldGamma ?? points[fitted].gamma;

const state = {};
const start = () => Object.assign(state, {index: fitted, world: firstWorld, follows: !own && game.worldGamma == null});
start();

/** The index of the world that is nearest to the given one, by ratio. */
const nearest = (world, among = stops) => among.reduce((best, f, k) => Math.abs(Math.log(f / world)) < Math.abs(Math.log(among[best] / world)) ? k : best, 0);

/** The mean pull-through of a rule in a world. */
function pull(point, world) {
  if (grid) return grid.pullThrough[nearest(world)];
  if (isNumber(point.losses?.stretch)) return (1 - truthfulShare) * response.closed(point.losses.stretch, world);
  return point.gamma === world ? point.pullThrough : null;
}

/** Root mean square error of a rule when all who move do so at gamma G. */
function error(losses, G) {
  if (!isNumber(losses?.stretch) || !isNumber(losses.A)) return null;
  const moved = response.loss(losses, people.wishLoss, G);
  return errorOfSum(truthfulShare * losses.A + (1 - truthfulShare) * moved);
}

const errorOf = (point, world) => loss ? point.losses?.moved[nearest(world)] ?? null : grid ? grid.moved[nearest(world)] : error(point.losses, world);
const errorOfToday = world => loss ? leastSquares?.moved[nearest(world)] ?? null : grid ? grid.naive?.[nearest(world)] ?? null : error(leastSquares, world);

/** The pull-through and the errors of the rule selected by its slider, in the world selected by its slider. */
function now() {
  const point = points[state.index];
  return {
    point, world: state.world, t: pull(point, state.world),
    earned: real && isNumber(point.losses?.earned) ? response.earned(point.losses, state.world) : null,
    honest: path.leastSquares?.honest ?? null,
    believed: isNumber(point.losses?.A) ? errorOfSum(point.losses.A) : null,
    naive: errorOfToday(state.world),
    anticipated: point.optimum.finite ? errorOf(point, state.world) : null,
  };
}

/** The predictions for a sampled person before the move and, if the person moves, after it, as they are shown. */
function saidOf(i, {point, world}) {
  const p = point.reaction?.predictions[i];
  const known = isNumber(p) && isNumber(point.losses?.stretch);
  if (!known) return [told(p), null];
  if (grid?.asked) return [p, grid.asked.after[nearest(world)][i]];
  const gamma = own ? people.sample.gamma[i] : world;
  // a person without a gamma never moves
  return [p, gamma == null ? p : response.after(p, people.sample.z[i], point.losses.stretch, own ? gamma * world : gamma)].map(told);
}

/** The share of the gap that people would close under today's rule if moving costs gamma. */
const shareUnderToday = gamma => leastSquares?.stretch > 0 ? response.closed(leastSquares.stretch, gamma) : null;

const known = stops ?? [...points.map(p => p.gamma), game.worldGamma, between?.low, between?.high].filter(g => isNumber(g) && g > 0);
const lowest = stops || points.length > 1 ? Math.min(...known) : Math.min(...known) / SPAN;
const highest = stops || points.length > 1 ? Math.max(...known) : Math.max(...known) * SPAN;
const worlds = stops ?? Array.from({length: 61}, (_, k) => lowest * (highest / lowest) ** (k / 60));

/** The point of the fitted rule, or of the nearest gamma with a finite rule. */
const typical = points.filter(p => p.rule).sort((p, q) => Math.abs(points.indexOf(p) - fitted) - Math.abs(points.indexOf(q) - fitted))[0];

/** The features sorted by a value at the fitted rule, so that rows keep their places while a slider moves. */
const bySize = values => features.map((_, j) => j).sort((i, j) => (values(j) || 0) - (values(i) || 0));
const effect = (point, j) => isNumber(point?.rule?.coefficients[j]) ? point.rule.coefficients[j] * features[j].scale : null;
const largest = bySize(j => Math.abs(effect(typical, j)));
const movers = bySize(j => typical?.reaction.moves[j]).filter(j => !features[j].immutable);
/** The mean change of the prediction of people who move: t times the mean gap if all have the same pull-through t. */
const meanWay = ({point, world}) => grid ? grid.meanWay[nearest(world)]
  : isNumber(point.losses?.stretch) ? response.closed(point.losses.stretch, world) * point.reaction?.meanWish : null;
const meanMove = (current, j) => grid?.asked ? grid.asked.moves[nearest(current.world)][j] : isNumber(meanWay(current)) && isNumber(current.point.reaction?.moves[j]) ? meanWay(current) * current.point.reaction.moves[j] : null;
const movesOf = current => movers.map(j => meanMove(current, j));

/** The shares of the gap that moves of a feature close in the score and in the target; null if people cannot move it. */
function incentive({point, world}, j) {
  const {cost, scale, effect: beta} = features[j];
  if (!isNumber(cost) || !point.rule) return null;
  const w = point.rule.coefficients[j];
  const step = w * scale * scale / cost / (point.losses.stretch + world);
  return {closed: w * step, earned: beta * step};
}
