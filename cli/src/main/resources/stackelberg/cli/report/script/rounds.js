// The chart of retraining round by round, which can be played.

const data = JSON.parse($('report-data').textContent);
const {heading, errors, rounds, rules, made} = data;
const total = rounds.number.length;
const charts = {};
// the index of the round that is shown; at first the last one, so that all rounds are drawn
let shown = total - 1;
let timer = null;

/** The time for which each round is shown, so that playing all rounds takes some seconds. */
const PAUSE = Math.min(700, Math.max(40, 12000 / total));

function writeRound() {
  const k = shown;
  $('round').value = k + 1;
  show($('round-value'), rounds.number[k], count(rounds.number[k]));
  const sentence = (name, values) => heading.words.templates[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const values = {round: count(rounds.number[k]), promised: number(rounds.promised[k]), error: number(rounds.error[k]), share: percent(rounds.pullThrough[k]), anticipated: number(rounds.anticipated[k])};
  $('round-words').textContent = sentence(k === 0 ? 'first' : 'round', values) + (isNumber(rounds.anticipated[k]) ? ' ' + sentence('beside', values) : '');
  rules.names.forEach((_, j) => showCell($('coefficients').tBodies[0].rows[j + 1].cells[2], rules.coefficients[k][j]));
  showCell($('coefficients').tBodies[0].rows[0].cells[2], rules.intercepts[k]);
}

function option(width) {
  const line = (name, values, colour, more = {}) => ({
    type: 'line', name, color: colour, showSymbol: total <= 60, symbolSize: 5, symbol: 'circle',
    data: values.map((v, k) => [rounds.number[k], k <= shown && isNumber(v) ? v : null]), ...more,
  });
  // the axes cover all rounds, so that they do not change while the rounds are played
  const all = [...rounds.error, ...rounds.promised, ...rounds.anticipated, errors.fixedPoint].filter(isNumber);
  const series = [
    line('after people answered', rounds.error, ink.pull, {lineStyle: {width: 2}}),
    line('promised', rounds.promised, ink.honest, {lineStyle: {type: 'dashed', width: 1.5}, showSymbol: false}),
  ];
  if (rounds.anticipated.some(isNumber)) series.push(line('the rule that anticipates', rounds.anticipated, ink.rule, {lineStyle: {width: 2}, showSymbol: false}));
  series.push({id: 'now', type: 'line', data: [], silent: true, tooltip: {show: false},
    markLine: {symbol: 'none', silent: true, animation: false, lineStyle: {color: ink.soft, type: 'solid', width: 1}, label: {show: false},
      data: [{xAxis: rounds.number[shown]}, ...(isNumber(errors.fixedPoint) ? [{yAxis: errors.fixedPoint, lineStyle: {type: 'dotted', color: ink.pull}, label: {show: true, position: 'insideEndTop', color: ink.pull, formatter: 'where retraining settles'}}] : [])]}});
  return base({
    grid: {left: 74, right: 24, top: narrow(width) ? 84 : 60, bottom: 48},
    legend: legend({data: series.slice(0, -1).map(s => s.name)}),
    xAxis: axis('round', {type: 'value', min: rounds.number[0], max: Math.max(2, rounds.number[total - 1]), minInterval: 1, nameGap: 30, splitLine: {show: false}}),
    yAxis: valueAxis(errors.unit, {min: Math.min(...all), max: Math.max(...all), nameGap: 14, axisLabel: {...axisText(), formatter: valueTick, showMinLabel: false, showMaxLabel: false}}),
    tooltip: tooltip('axis', items => tip(['round ' + items[0].value[0], ...items.filter(i => isNumber(i.value[1])).map(i => i.seriesName + ' ' + number(i.value[1]))])),
    series,
  });
}

const draw = replace => charts.rounds?.setOption(option(charts.rounds.getWidth()), {notMerge: replace});

function go(k) {
  shown = Math.min(total - 1, Math.max(0, k));
  writeRound();
  draw(false);
}

function stop() {
  clearInterval(timer);
  timer = null;
  $('play').textContent = 'Play';
}

function play() {
  if (timer) {
    stop();
    return;
  }
  if (shown === total - 1) go(0);
  $('play').textContent = 'Pause';
  timer = setInterval(() => {
    go(shown + 1);
    if (shown === total - 1) stop();
  }, PAUSE);
}

function write() {
  $('title').textContent = heading.title;
  const facts = ['Stackelberg ' + heading.kind, made.data.split(/[\\/]/).pop(), count(data.people) + ' people', made.when.slice(0, 10)];
  $('kicker').append(...facts.flatMap((fact, k) => [k ? ' · ' : '', element('span', {class: 'word'}, fact)]));
  $('asked').textContent = heading.asked;
  $('answer').append(...heading.answer.map(sentence => element('p', {}, ...spoken(sentence))));
  writeSeal(heading.seal);
  writeWarnings(heading.warnings);
  $('rounds-words').textContent = heading.words.templates.rounds;
  $('rule-words').textContent = heading.words.templates.rules;
  fill($('coefficients'), {
    head: ['', 'today’s rule', 'this round', 'anticipating'],
    rows: [['intercept', rules.intercepts[0], 0, rules.anticipating?.intercept ?? null],
      ...rules.names.map((name, j) => [named(name), rules.coefficients[0][j], 0, rules.anticipating?.coefficients[j] ?? null])],
  });
  writeMade(made);
  $('round').max = total;
  $('play').disabled = total < 2;
  $('play').addEventListener('click', play);
  $('round').addEventListener('input', event => { stop(); go(Number(event.target.value) - 1); });
  $('table-rounds').closest('details').addEventListener('toggle', event => {
    if (event.target.open) {
      fill($('table-rounds'), {
        head: ['round', 'promised', errors.unit, 'anticipating', 'pull-through', 'change'],
        rows: rounds.number.map((n, k) => [n, rounds.promised[k], rounds.error[k], rounds.anticipated[k], rounds.pullThrough[k], rounds.change[k]]),
      });
    }
  });
  writeRound();
}

window.stackelberg = {data, charts, shown: () => shown};
write();
document.documentElement.classList.remove('unready');
addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(() => {
  readColours();
  charts.rounds = echarts.init($('chart-rounds'), null, {renderer: 'svg'});
  draw(true);
  new ResizeObserver(() => { charts.rounds.resize(); draw(true); }).observe(document.querySelector('main'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); draw(true); });
  const print = onPaper => {
    document.documentElement.toggleAttribute('data-print', onPaper);
    readColours();
    charts.rounds.resize({width: onPaper ? 680 : 'auto', silent: true});
    draw(true);
  };
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
  document.documentElement.dataset.ready = 'true';
})));
