// Draws the charts in their places, when they are needed.

const places = {path: 'path-section', loss: 'loss-section', frontier: 'frontier-section', tuning: 'tuning-section', people: 'people-figure', calibration: 'calibration-figure', scores: 'scores-figure', moves: 'moves-figure', convergence: 'convergence-figure'};
const followsSliders = ['path', 'loss', 'people', 'moves', 'calibration', 'scores'];
const charts = {};
const has = Object.fromEntries(Object.entries(views).map(([name, view]) => [name, view.show()]));
has.rule = features.length > 0 && typical != null;
has.pull = points.some(p => isNumber(pull(p, state.world)));
has.losses = points.some(p => isNumber(p.losses?.A)) || isNumber(path.leastSquares?.honest);

function draw(name, replace) {
  const chart = charts[name];
  chart.setOption(views[name].option(chart.getWidth(), chart.getHeight()), {notMerge: replace});
  const table = $('table-' + name);
  if (table.closest('details').open) fill(table, views[name].table());
}

function drawAll(replace) {
  for (const name of Object.keys(charts)) {
    if (replace || followsSliders.includes(name)) draw(name, replace);
  }
}

function prepareCharts() {
  for (const [name, view] of Object.entries(views)) {
    if (!has[name]) continue;
    $(places[name]).hidden = false;
    view.words?.();
    $('table-' + name).closest('details').addEventListener('toggle', event => {
      if (event.target.open) fill($('table-' + name), view.table());
    });
  }
}

function openChart(name) {
  charts[name] = echarts.init($('chart-' + name), null, {renderer: 'svg'});
  draw(name, true);
}

function drawCharts() {
  readColours();
  fittedWidth = document.querySelector('main').clientWidth;
  for (const name of Object.keys(views)) {
    // a chart in a folded section has no width yet
    if (has[name] && name !== 'convergence') openChart(name);
  }
  $('hood').addEventListener('toggle', () => { if (has.convergence && !charts.convergence && $('hood').open) openChart('convergence'); });
  new ResizeObserver(refit).observe(document.querySelector('main'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); drawAll(true); });
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
  document.documentElement.dataset.ready = 'true';
}

let fittedWidth;
function refit() {
  const width = document.querySelector('main').clientWidth;
  if (width === fittedWidth || document.documentElement.dataset.print) return;
  fittedWidth = width;
  wholeRows();
  Object.values(charts).forEach(chart => chart.resize());
  drawAll(true);
}

/** Prepares the page for printing (light colours, 680 pixels wide, sections unfolded), or restores it afterwards. */
function print(onPaper) {
  if (onPaper) {
    document.documentElement.dataset.print = 'true';
    $('hood').dataset.wasOpen = $('hood').open;
    $('hood').open = true;
    if (has.convergence && !charts.convergence) openChart('convergence');
  } else {
    delete document.documentElement.dataset.print;
    $('hood').open = $('hood').dataset.wasOpen === 'true';
  }
  readColours();
  Object.values(charts).forEach(chart => chart.resize({width: onPaper ? 680 : 'auto', silent: true}));
  drawAll(true);
}

window.stackelberg = {data, charts};
$('loss-figure').hidden = !has.losses;
$('pull-figure').hidden = !has.pull;
$('rule-section').hidden = !has.rule;
writeFirstScreen();
writePeople();
writeAnswers();
writeMade(hood.made);
prepareCharts();
if (has.rule) {
  writeCoefficients();
  writeIncentives();
}
listen();
update(true);
document.documentElement.classList.remove('unready');
wholeRows();
// the first screen has no charts, so it is shown before the chart library, which follows this script, is loaded
addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(drawCharts)));
