// What the page knows, and what the rule of one gamma does in a world of another.

const data = JSON.parse($('report-data').textContent);
const {heading, game, people, path, judged, hood} = data;
const {features} = path;
// the slider and the curves run from easy to hard, in whatever order the gammas were asked for
const order = path.points.map((_, i) => i).sort((i, j) => path.points[i].gamma - path.points[j].gamma);
const points = order.map(i => path.points[i]);
const fitted = order.indexOf(path.selected);
// how people differ, null if all respond alike
const {mixture} = game;
const leastSquares = path.leastSquares?.losses;
// what the rule is held against
const today = path.leastSquares?.name ?? 'least squares';
const SPAN = 1000;
// the probability of not moving, whatever gamma says
const truthfulShare = mixture?.truthfulShare ?? 0;
// what the rule does if everybody's own gamma is multiplied by a factor: where people have their own, a world is such a factor and not a gamma
const grid = game.worlds;
const own = grid?.own ? grid : null;
// how far people can go, null if as far as they like: then what they do is known for the worlds of the grid alone
const {limits} = game;
// the gammas that the rule was made for where gamma is known roughly, null if it is known
const {between} = path;
// whether moves really change the target: then some of what people close is earned
const {real} = game;
// what an error costs where that is not its square: then what rules lose is known for some worlds alone
const {loss} = path;
// how well a yes is told from a no, null where nobody asks that
const {answers} = judged;
/** The error of a sum of losses. */
const errorOfSum = sum => loss ? sum / people.weight : Math.sqrt(Math.max(0, sum) / people.weight);
/** A score as people read it: where it is log-odds, the probability of a yes. */
const told = score => loss?.logistic && isNumber(score) ? 1 / (1 + Math.exp(-score)) : score;
// the worlds that the handle stops at, null if anywhere
const stops = grid?.factors ?? loss?.worlds ?? null;
const firstWorld = own ? 1 : game.worldGamma ?? points[fitted].gamma;

const state = {};
const start = () => Object.assign(state, {index: fitted, world: firstWorld, follows: !own && game.worldGamma == null});
start();

/** The entry of a world among some. */
const nearest = (world, among = stops) => among.reduce((best, f, k) => Math.abs(Math.log(f / world)) < Math.abs(Math.log(among[best] / world)) ? k : best, 0);

/** How far people get on average under a rule in a world. */
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

/** What the rule of the slider does in the world of the slider. */
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

/** What it says of a sampled person before the move and, if it moves, after it, as people read it. */
function saidOf(i, {point, world}) {
  const p = point.reaction?.predictions[i];
  const known = isNumber(p) && isNumber(point.losses?.stretch);
  if (!known) return [told(p), null];
  if (grid?.asked) return [p, grid.asked.after[nearest(world)][i]];
  const gamma = own ? people.sample.gamma[i] : world;
  // whoever has no gamma never moves
  return [p, gamma == null ? p : response.after(p, people.sample.z[i], point.losses.stretch, own ? gamma * world : gamma)].map(told);
}

/** The share of the gap that people would close under the rule it is held against, if moving costs gamma: gamma in words. */
const shareUnderToday = gamma => leastSquares?.stretch > 0 ? response.closed(leastSquares.stretch, gamma) : null;

const known = stops ?? [...points.map(p => p.gamma), game.worldGamma, between?.low, between?.high].filter(g => isNumber(g) && g > 0);
const lowest = stops || points.length > 1 ? Math.min(...known) : Math.min(...known) / SPAN;
const highest = stops || points.length > 1 ? Math.max(...known) : Math.max(...known) * SPAN;
const worlds = stops ?? Array.from({length: 61}, (_, k) => lowest * (highest / lowest) ** (k / 60));

/** The fitted rule, or where that gamma has none the nearest that is one. */
const typical = points.filter(p => p.rule).sort((p, q) => Math.abs(points.indexOf(p) - fitted) - Math.abs(points.indexOf(q) - fitted))[0];

/** Features by the size of something at the fitted rule, so that no row jumps while a slider moves. */
const bySize = values => features.map((_, j) => j).sort((i, j) => (values(j) || 0) - (values(i) || 0));
const effect = (point, j) => isNumber(point?.rule?.coefficients[j]) ? point.rule.coefficients[j] * features[j].scale : null;
const largest = bySize(j => Math.abs(effect(typical, j)));
const movers = bySize(j => typical?.reaction.moves[j]).filter(j => !features[j].immutable);
/** How far people who move get on average, in units of the prediction: t times the mean gap where t is everybody's. */
const meanWay = ({point, world}) => grid ? grid.meanWay[nearest(world)]
  : isNumber(point.losses?.stretch) ? response.closed(point.losses.stretch, world) * point.reaction?.meanWish : null;
const meanMove = (current, j) => grid?.asked ? grid.asked.moves[nearest(current.world)][j] : isNumber(meanWay(current)) && isNumber(current.point.reaction?.moves[j]) ? meanWay(current) * current.point.reaction.moves[j] : null;
const movesOf = current => movers.map(j => meanMove(current, j));

/** What the rule rewards in a feature, as shares of everybody's gap: what its moves close, and what they earn; null where nobody can move it. */
function incentive({point, world}, j) {
  const {cost, scale, effect: beta} = features[j];
  if (!isNumber(cost) || !point.rule) return null;
  const w = point.rule.coefficients[j];
  const step = w * scale * scale / cost / (point.losses.stretch + world);
  return {closed: w * step, earned: beta * step};
}
