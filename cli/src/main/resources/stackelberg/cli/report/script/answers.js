// Yes-or-no targets: how well the fitted rule and today's rule separate yes from no, the calibration of the probabilities, and the people predicted a yes.

/** The measures of both rules at the world gamma of the slider, or at the only one for which they were computed. */
function answersNow() {
  const at = nearest(state.world, answers.worlds);
  return {world: answers.worlds[at], honest: answers.honest, moved: answers.moved[at], today: answers.today, todayMoved: answers.todayMoved?.[at]};
}

function writeAnswers() {
  $('answers-section').hidden = !answers;
  if (!answers) return;
  fill($('answers'), {
    head: ['', 'This rule, nobody moves', 'This rule, people move', ...(answers.today ? [capital(today) + ', nobody moves', capital(today) + ', people move'] : [])],
    rows: judged.measures.map(({name}) => [name, null, null, ...(answers.today ? [null, null] : [])]),
  });
  [...$('answers').querySelectorAll('thead th')].forEach((th, k) => { if (k) th.className = 'num'; });
  judged.measures.forEach(({meaning}, k) => { $('answers').tBodies[0].rows[k].cells[0].append(element('span', {class: 'meaning'}, meaning)); });
}

function updateAnswers() {
  if (!answers) return;
  const {world, honest, moved, today: before, todayMoved: after} = answersNow();
  judged.measures.forEach(({key}, k) => {
    const {cells} = $('answers').tBodies[0].rows[k];
    [honest, moved, ...(before ? [before, after] : [])].forEach((one, j) => showCell(cells[j + 1], one.measures[key]));
  });
  $('answers-words').textContent = say('answers', {world: number(world)});
  const {meanProbability, shareOfYes} = moved.measures;
  const more = meanProbability - shareOfYes;
  $('mean-words').textContent = say(Math.abs(more) < 0.005 ? 'meanRight' : more > 0 ? 'meanHigh' : 'meanLow', {predicted: percent(meanProbability), yes: percent(shareOfYes)});
  const shares = (rule, one, other) => say('predicted', {rule, before: percent(one.measures.predictedYes), after: percent(other.measures.predictedYes)});
  $('scores-words').textContent = say('scores', {rule: shares('this rule', honest, moved), other: before && shares(today, before, after)});
}

const cutoffLine = () => ({
  id: 'cutoff', type: 'line', data: [], silent: true, tooltip: {show: false},
  markLine: {symbol: 'none', silent: true, precision: 20, animation: false, lineStyle: {color: ink.ink, type: 'solid', width: 1.5},
    label: {formatter: () => 'cut-off ' + number(answers.cutoff), color: ink.ink, fontSize: 12, position: 'end', align: answers.cutoff < 0.35 ? 'left' : answers.cutoff > 0.65 ? 'right' : 'center'},
    data: [{xAxis: answers.cutoff}]},
});
const probabilityAxis = name => axis(name, {type: 'value', min: 0, max: 1, interval: 0.2, nameGap: 30, splitLine: {show: false}, axisLabel: {...axisText(), formatter: v => number(v, 2)}});

views.calibration = {
  show: () => answers != null,
  series() {
    const {honest, moved, todayMoved} = answersNow();
    return [['before', ink.honest, 'emptyCircle', honest], ['after', ink.rule, 'circle', moved], ...(todayMoved ? [[today + ', after', ink.pull, 'diamond', todayMoved]] : [])];
  },
  option() {
    return base({
      grid: {left: 60, right: 34, top: 70, bottom: 48},
      legend: legend({itemHeight: 10, data: [...this.series().map(([name, , icon]) => ({name, icon})), {name: 'calibrated', icon: DASHES}]}),
      xAxis: probabilityAxis('mean predicted probability'),
      yAxis: valueAxis('share of yes', {min: 0, max: 1, interval: 0.2}),
      tooltip: tooltip('item', item => item.seriesName === 'calibrated' ? '' : tip([item.seriesName, count(item.value[2]) + ' people', 'predicted ' + number(item.value[0]), 'a yes are ' + number(item.value[1])])),
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
  series() {
    const {honest, moved} = answersNow();
    return [['before', ink.honest, honest.shares, 'dashed'], ['after', ink.rule, moved.shares, 'solid']];
  },
  option() {
    return base({
      grid: {left: 60, right: 34, top: 78, bottom: 48},
      legend: legend({itemHeight: 10, data: this.series().map(([name]) => ({name, icon: 'roundRect'}))}),
      xAxis: probabilityAxis('predicted probability'),
      yAxis: valueAxis('share of people', {min: 0}),
      tooltip: tooltip('axis', items => {
        const lines = items.filter(i => i.seriesType === 'line' && isNumber(i.value?.[1]));
        return !lines.length ? '' : tip(['probability from ' + number(lines[0].value[0], 2), ...lines.map(i => i.seriesName + ': ' + number(100 * i.value[1], 3) + '% of people')]);
      }),
      series: [
        // each share holds until the next one begins
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
