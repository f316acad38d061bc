// The parts that all charts share.

let ink = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue('--' + name).trim();
  ink = Object.fromEntries(['paper', 'card', 'ink', 'soft', 'line', 'rule', 'pull', 'honest', 'heat'].map(name => [name, colour(name)]));
  ink.series = colour('series').split(' ');
}

const axisText = () => ({color: ink.soft, fontSize: 12});
const axis = (name, more = {}) => ({
  name, nameLocation: 'middle', nameTextStyle: axisText(), axisLabel: {...axisText(), hideOverlap: true}, axisTick: {show: false},
  axisLine: {lineStyle: {color: ink.line}}, splitLine: {lineStyle: {color: ink.line, opacity: 0.6}}, minorTick: {show: false}, ...more,
});
/** A short text for a gamma, for the ticks of an axis. */
const tick = v => v !== 0 && (v >= 1e4 || v < 1e-3) ? v.toExponential(0).replace('e+', 'e') : number(v, 2);
const gammaAxis = name => axis(name, {
  type: 'log', min: lowest, max: highest, nameGap: 30, splitLine: {show: false},
  axisLabel: {...axisText(), hideOverlap: true, formatter: tick},
});
const valueTick = v => Math.abs(v) >= 1e5 ? v.toExponential().replace('e+', 'e').replace(/^-/, '−') : number(v, 3);
const valueAxis = (name, more = {}) => axis(name, {
  type: 'value', nameLocation: 'end', nameGap: 24, nameTextStyle: {...axisText(), align: 'left'}, axisLine: {show: false},
  axisLabel: {...axisText(), formatter: valueTick}, ...more,
});
const tip = lines => '<div class="tip">' + lines.map(escaped).join('<br>') + '</div>';
const tooltip = (trigger, formatter) => ({
  trigger, formatter, confine: true, transitionDuration: 0, backgroundColor: ink.card, borderColor: ink.line, textStyle: {color: ink.ink},
  axisPointer: {type: 'line', lineStyle: {color: ink.soft, type: 'dashed'}, label: {show: false}},
});
const base = more => ({animation: false, textStyle: {fontFamily: getComputedStyle(document.body).fontFamily}, ...more});
const legend = more => ({top: 0, left: 0, icon: 'roundRect', itemWidth: 18, itemHeight: 4, textStyle: {color: ink.ink, fontSize: 12}, ...more});
const DASHES = 'path://M0 0H7V2H0ZM11 0H18V2H11Z';
/** The position at which the label of this gamma must begin to stay within the chart and clear of the ticks. */
const side = x => {
  const share = Math.log(x / lowest) / Math.log(highest / lowest);
  return share < 0.35 ? 'left' : share > 0.65 ? 'right' : 'center';
};
const marker = (id, x, text, colour) => ({
  id, type: 'line', data: [], silent: true, tooltip: {show: false},
  // the default precision of two decimals would turn a small gamma into zero
  markLine: {symbol: 'none', silent: true, precision: 20, animation: false, lineStyle: {color: colour, type: 'solid', width: 1.5},
    label: {formatter: () => text, color: colour, fontSize: 12, position: 'end', align: side(x)}, data: [{xAxis: x}]},
});
const narrow = width => width < 640;

/** The shifts for labels at these heights, so that they are at least gap apart, in the same order, and none is below the floor. */
function apart(heights, gap, floor) {
  const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  // two labels that overlap share the missing distance, until no labels overlap
  for (let round = 0; round < 200; round++) {
    let moved = false;
    const lowest = order.at(-1);
    placed[lowest] = Math.min(placed[lowest], floor);
    for (let i = 1; i < order.length; i++) {
      const lack = gap - (placed[order[i]] - placed[order[i - 1]]);
      if (lack > 0.1) {
        placed[order[i - 1]] -= lack / 2;
        placed[order[i]] += lack / 2;
        moved = true;
      }
    }
    if (!moved) break;
  }
  return placed.map((height, k) => height - heights[k]);
}
