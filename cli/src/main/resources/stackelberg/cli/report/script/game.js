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

const state = {};
const start = () => Object.assign(state, {
  index: fitted,
  world: game.worldGamma ?? points[fitted].gamma,
  follows: game.worldGamma == null,
});
start();

/** How far people get under a rule when the world has gamma G. */
function pull(point, G) {
  if (mixture) return mixture.pullThrough;
  if (isNumber(point.losses?.stretch)) return response.closed(point.losses.stretch, G);
  return point.gamma === G ? point.pullThrough : null;
}

/** Root mean square error of a rule when the world has gamma G. */
function error(losses, G) {
  if (!isNumber(losses?.stretch) || !isNumber(losses.A)) return null;
  return Math.sqrt(Math.max(0, response.loss(losses, people.wishLoss, G)) / people.weight);
}

/** What the rule of the slider does in the world of the slider. */
function now() {
  const point = points[state.index];
  return {
    point, world: state.world, t: pull(point, state.world),
    honest: path.leastSquares?.honest ?? null,
    believed: isNumber(point.losses?.A) ? Math.sqrt(point.losses.A / people.weight) : null,
    naive: mixture ? mixture.naive : error(leastSquares, state.world),
    anticipated: !point.optimum.finite ? null : mixture ? mixture.moved : error(point.losses, state.world),
  };
}

/** What it says of a sampled person before the move and after it. */
function saidOf(i, {point, world}) {
  const p = point.reaction?.predictions[i];
  const known = isNumber(p) && isNumber(point.losses?.stretch);
  return [p, known ? response.after(p, people.sample.z[i], point.losses.stretch, world) : null];
}

const gammas = points.map(p => p.gamma);
const known = [...gammas, game.worldGamma].filter(g => isNumber(g) && g > 0);
const lowest = points.length > 1 ? Math.min(...known) : Math.min(...known) / SPAN;
const highest = points.length > 1 ? Math.max(...known) : Math.max(...known) * SPAN;
const worlds = Array.from({length: 61}, (_, k) => lowest * (highest / lowest) ** (k / 60));

/** The fitted rule, or where that gamma has none the nearest that is one. */
const typical = points.filter(p => p.rule).sort((p, q) => Math.abs(points.indexOf(p) - fitted) - Math.abs(points.indexOf(q) - fitted))[0];

/** Features by the size of something at the fitted rule, so that no row jumps while a slider moves. */
const bySize = values => features.map((_, j) => j).sort((i, j) => (values(j) || 0) - (values(i) || 0));
const effect = (point, j) => isNumber(point?.rule?.coefficients[j]) ? point.rule.coefficients[j] * features[j].scale : null;
const largest = bySize(j => Math.abs(effect(typical, j)));
const movers = bySize(j => typical?.reaction.moves[j]).filter(j => !features[j].immutable);
/** How far people get on average, in units of the prediction: t times the mean gap where t is everybody's. */
const meanWay = ({point, t}) => mixture ? mixture.meanWay : isNumber(t) ? t * point.reaction?.meanWish : null;
const meanMove = (current, j) => isNumber(meanWay(current)) && isNumber(current.point.reaction?.moves[j]) ? meanWay(current) * current.point.reaction.moves[j] : null;
const movesOf = current => movers.map(j => meanMove(current, j));
