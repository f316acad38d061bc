// A yes or a no: how well the fitted rule and the one it is held against tell them apart, whether probabilities are true, and of whom the event is predicted.

/** What is known of both in the world of the slider, or in the only one that is. */
function answersNow() {
  const at = nearest(state.world, answers.worlds);
  return {world: answers.worlds[at], honest: answers.honest, moved: answers.moved[at], today: answers.today, todayMoved: answers.todayMoved?.[at]};
}

const MEASURES = [
  ['auc', 'AUC', 'the chance that a yes has a higher probability than a no'],
  ['gini', 'Gini', 'twice the AUC, less one'],
  ['ks', 'KS', 'how far the distributions of a yes and of a no are apart at most'],
  ['accuracy', 'Accuracy', 'the share whom the cut-off judges rightly'],
  ['predictedYes', 'Predicted yes', 'the share at or above the cut-off'],
  ['meanProbability', 'Mean probability', 'what the rule says on average'],
  ['shareOfYes', 'Share of yes', 'what is true on average'],
  ['logLoss', 'Log loss', 'how surprised one is by the truth, on average'],
  ['brier', 'Brier', 'the mean square of what probabilities are off by'],
];

function writeAnswers() {
  $('answers-section').hidden = !answers;
  if (!answers) return;
  $('scores-title').textContent = 'Of whom ' + answers.event + ' is predicted';
  fill($('answers'), {
    head: ['', 'This rule, nobody moves', 'This rule, people move', ...(answers.today ? [capital(today) + ', nobody moves', capital(today) + ', people move'] : [])],
    rows: MEASURES.map(([key, name]) => [key === 'predictedYes' ? 'Predicted ' + answers.event : name, null, null, ...(answers.today ? [null, null] : [])]),
  });
  [...$('answers').querySelectorAll('thead th')].forEach((th, k) => { if (k) th.className = 'num'; });
  MEASURES.forEach(([, , meaning], k) => { $('answers').tBodies[0].rows[k].cells[0].append(element('span', {class: 'meaning'}, meaning)); });
}

function updateAnswers() {
  if (!answers) return;
  const {world, honest, moved, today: before, todayMoved: after} = answersNow();
  MEASURES.forEach(([key], k) => {
    const {cells} = $('answers').tBodies[0].rows[k];
    [honest, moved, ...(before ? [before, after] : [])].forEach((one, j) => showCell(cells[j + 1], one.measures[key]));
  });
  $('answers-words').textContent = 'How well the rule that was fitted, for gamma ' + number(game.gamma) + ', ' + (before ? 'and ' + today + ' tell' : 'tells') + ' people with ' + answers.event + ' from the others, of all people and not of a sample: if nobody moves, and once people have moved at gamma ' + number(world)
    + '. Of somebody whose probability is at least ' + number(answers.cutoff) + ', the cut-off, ' + answers.event + ' is predicted.'
    + ($('controls').hidden ? '' : answers.worlds.length < 2 ? ' The sliders do not touch this section.' : points.length > 1 ? ' Of the sliders only that of the people’s gamma touches this section.' : '');
  $('calibration-words').textContent = 'People in ten groups by their probability: what the rule says of each group, and how many of it are a yes. On the dashed line both agree. '
    + meanWords(moved);
  $('scores-words').textContent = 'How many people have which probability, before and after the move. At the cut-off ' + answers.event + ' is predicted of ' + predictedWords('this rule', honest, moved)
    + (before ? ', and of ' + predictedWords(today, before, after) : '') + '.';
}

/** What the rule promises of everybody together after the move, beside what is true. */
function meanWords({measures: {meanProbability, shareOfYes}}) {
  const more = meanProbability - shareOfYes;
  return 'Once people have moved the rule says ' + percent(meanProbability) + ' on average, and ' + percent(shareOfYes) + ' are a yes'
    + (Math.abs(more) < 0.005 ? '.' : more > 0 ? ': it promises too much.' : ': it promises too little.');
}

const predictedWords = (rule, before, after) => percent(before.measures.predictedYes) + ' before and ' + percent(after.measures.predictedYes) + ' after the move under ' + rule;

const cutoffLine = () => ({
  id: 'cutoff', type: 'line', data: [], silent: true, tooltip: {show: false},
  markLine: {symbol: 'none', silent: true, precision: 20, animation: false, lineStyle: {color: ink.ink, type: 'solid', width: 1.5},
    label: {formatter: () => 'cut-off ' + number(answers.cutoff), color: ink.ink, fontSize: 12, position: 'end', align: answers.cutoff < 0.35 ? 'left' : answers.cutoff > 0.65 ? 'right' : 'center'},
    data: [{xAxis: answers.cutoff}]},
});
const probabilityAxis = name => axis(name, {type: 'value', min: 0, max: 1, interval: 0.2, nameGap: 30, splitLine: {show: false}, axisLabel: {...axisText(), formatter: v => number(v, 2)}});

views.calibration = {
  show: () => answers != null,
  label: 'Chart of the share of yes against the mean probability, in ten groups of people, before and after they move',
  series() {
    const {honest, moved, todayMoved} = answersNow();
    return [['before', ink.honest, 'emptyCircle', honest], ['after', ink.rule, 'circle', moved], ...(todayMoved ? [[today + ', after', ink.pull, 'diamond', todayMoved]] : [])];
  },
  option() {
    return base({
      grid: {left: 60, right: 34, top: 70, bottom: 48},
      legend: legend({itemHeight: 10, data: [...this.series().map(([name, , icon]) => ({name, icon})), {name: 'calibrated', icon: DASHES}]}),
      xAxis: probabilityAxis('mean probability that the rule says'),
      yAxis: valueAxis('share of yes', {min: 0, max: 1, interval: 0.2}),
      tooltip: tooltip('item', item => item.seriesName === 'calibrated' ? '' : tip([item.seriesName, count(item.value[2]) + ' people', 'the rule says ' + number(item.value[0]), 'a yes are ' + number(item.value[1])])),
      series: [
        {type: 'line', name: 'calibrated', silent: true, showSymbol: false, color: ink.soft, lineStyle: {width: 1.3, type: 'dashed'}, data: [[0, 0], [1, 1]]},
        ...this.series().map(([name, color, symbol, one]) => ({type: 'line', name, color, symbol, symbolSize: 9, lineStyle: {width: 1.5, type: name === 'before' ? 'dotted' : 'solid'},
          data: one.calibration.map(g => [g.meanProbability, g.shareOfYes, g.people])})),
      ],
    });
  },
  table() {
    return {
      head: ['Rule', 'People', 'Mean probability', 'Share of yes'],
      rows: this.series().flatMap(([name, , , one]) => one.calibration.map(g => [name, g.people, g.meanProbability, g.shareOfYes])),
    };
  },
};

views.scores = {
  show: () => answers != null,
  label: 'Histograms of the probabilities before and after people move, with the cut-off',
  series() {
    const {honest, moved} = answersNow();
    return [['before', ink.honest, honest.shares, 'dashed'], ['after', ink.rule, moved.shares, 'solid']];
  },
  option() {
    return base({
      grid: {left: 60, right: 34, top: 78, bottom: 48},
      legend: legend({itemHeight: 10, data: this.series().map(([name]) => ({name, icon: 'roundRect'}))}),
      xAxis: probabilityAxis('probability that the rule says'),
      yAxis: valueAxis('share of people', {min: 0}),
      tooltip: tooltip('axis', items => {
        const lines = items.filter(i => i.seriesType === 'line' && isNumber(i.value?.[1]));
        return !lines.length ? '' : tip(['probability from ' + number(lines[0].value[0], 2), ...lines.map(i => i.seriesName + ': ' + number(100 * i.value[1], 3) + '% of people')]);
      }),
      series: [
        // each share holds until the next begins
        ...this.series().map(([name, color, shares, type]) => ({type: 'line', step: 'end', name, color, showSymbol: false, lineStyle: {width: 2, type}, areaStyle: {color, opacity: 0.16},
          data: [...shares, shares.at(-1)].map((share, k) => [k / shares.length, share])})),
        cutoffLine(),
      ],
    });
  },
  table() {
    const {honest, moved, today: before, todayMoved: after} = answersNow();
    const all = [honest, moved, ...(before ? [before, after] : [])];
    const parts = honest.shares.length;
    return {
      head: ['Probability from', 'to', 'This rule, before', 'This rule, after', ...(before ? [capital(today) + ', before', capital(today) + ', after'] : [])],
      rows: honest.shares.map((_, k) => [k / parts, (k + 1) / parts, ...all.map(one => one.shares[k])]),
    };
  },
};
