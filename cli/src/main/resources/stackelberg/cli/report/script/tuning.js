// Charts of the losses of a tuning and of the iterations of a solver.

const {tuning} = judged;
const heldOutLoss = say('heldOut');
const curve = tuning && {
  option() {
    const rows = tuning.gammas.map((g, i) => [g, tuning.mean[i], tuning.standardError?.[i]]).sort((a, b) => a[0] - b[0]);
    const marked = [['smallest', tuning.minimum, 'circle', ink.pull, 'top'], ['chosen', tuning.oneStandardError, 'diamond', ink.rule, 'bottom']];
    return base({
      grid: {left: 64, right: 34, top: 78, bottom: 48},
      legend: legend({data: [{name: heldOutLoss, icon: 'path://M0 0H18V2H0Z'}, {name: 'smallest', icon: 'circle'}, {name: 'chosen', icon: 'diamond'}], itemHeight: 10}),
      xAxis: {...gammaAxis('gamma the rule expects'), min: rows[0][0], max: rows.at(-1)[0]},
      yAxis: valueAxis(heldOutLoss, {scale: true, boundaryGap: ['20%', '10%']}),
      tooltip: tooltip('item', item => tip(['gamma ' + number(item.value[0]), heldOutLoss + ' ' + number(item.value[1])])),
      series: [
        {type: 'line', name: 'within', silent: true, showSymbol: false, color: ink.line, lineStyle: {width: 1.5}, 
          data: rows.filter(row => row.every(isNumber)).flatMap(([g, m, s]) => [[g, m - s], [g, m + s], [g, null]])},
        {type: 'line', name: heldOutLoss, color: ink.soft, symbolSize: 5, symbol: 'circle', data: rows.map(([g, m]) => [g, m])},
        ...marked.map(([name, i, symbol, color, position]) => ({type: 'scatter', name, symbol, symbolSize: 15, color, itemStyle: {opacity: 1}, data: [[tuning.gammas[i], tuning.mean[i]]],
          label: {show: true, position, formatter: () => name + ' ' + number(tuning.gammas[i]), color, fontSize: 12, fontWeight: 600}})),
      ],
    });
  },
  table: () => ({
    head: ['gamma', heldOutLoss, 'standard error', ''],
    rows: tuning.gammas.map((g, i) => [g, tuning.mean[i], tuning.standardError?.[i], [i === tuning.minimum ? 'smallest' : '', i === tuning.oneStandardError ? 'chosen' : ''].filter(Boolean).join(', ')]),
  }),
};
const regret = tuning && {
  option(width) {
    const cells = tuning.regret.flatMap((row, i) => row.map((value, k) => [k, i, Math.sqrt(Math.max(0, value)), value])).filter(c => isNumber(c[3]));
    const most = cells.reduce((sofar, c) => Math.max(sofar, c[2]), 0);
    const category = (name, values, more) => axis(name, {type: 'category', data: values.map(g => g >= 1e5 || g < 1e-3 ? g.toExponential(1).replace('e+', 'e') : number(g, 2)), splitLine: {show: false}, ...more});
    return base({
      grid: {left: 84, right: 16, top: 48, bottom: 48},
      xAxis: category('gamma of the world', tuning.worldGammas, {nameGap: 30}),
      yAxis: category(narrow(width) ? '' : 'gamma the rule expects', tuning.modelGammas, {nameGap: 62, axisLabel: {...axisText(),
        formatter: (text, i) => i === tuning.chosen ? '▶ ' + text : text}}),
      visualMap: {type: 'continuous', dimension: 2, min: 0, max: most || 1, orient: 'horizontal', left: 0, top: 0, itemWidth: 14, itemHeight: 130,
        text: ['regret ' + number(most), 'none'], textStyle: {color: ink.soft, fontSize: 12}, inRange: {color: [ink.heat, ink.pull]}, calculable: false, hoverLink: false},
      tooltip: tooltip('item', item => tip(['rule for gamma ' + number(tuning.modelGammas[item.value[1]]), 'in a world of gamma ' + number(tuning.worldGammas[item.value[0]]),
        'regret ' + number(item.value[3]), 'loss ' + number(tuning.loss?.[item.value[1]]?.[item.value[0]])])),
      series: [{type: 'heatmap', name: 'regret', data: cells, emphasis: {itemStyle: {borderColor: ink.ink, borderWidth: 1.5}},
        markLine: {symbol: 'none', silent: true, lineStyle: {color: ink.ink, type: 'solid', width: 1}, label: {show: false}, data: [{yAxis: tuning.chosen}]}}],
    });
  },
  table: () => ({
    caption: 'Regret of the rule (row) in the world (column).',
    head: ['gamma the rule expects', 'worst regret', ...tuning.worldGammas.map(g => 'in ' + number(g))],
    rows: tuning.modelGammas.map((g, i) => [g, tuning.worstRegret?.[i], ...tuning.regret[i]]),
    best: tuning.chosen,
  }),
};
if (tuning) {
  const view = tuning.kind === 'regret' ? regret : curve;
  views.tuning = {...view, show: () => true};
}

const {trace} = hood;
views.convergence = {
  show: () => trace?.some(s => s.gap > 0) ?? false,
  // decades on a plain axis, because the logarithmic axis of the library rounds ticks below 1e-10 to 0, which it cannot show
  option: () => base({
    grid: {left: 74, right: 34, top: 48, bottom: 48},
    xAxis: axis('iteration', {type: 'value', minInterval: 1, nameGap: 30, min: 'dataMin', max: 'dataMax', splitLine: {show: false},
      axisLine: {onZero: false, lineStyle: {color: ink.line}}}),
    yAxis: axis('distance', {type: 'value', scale: true, minInterval: 1, nameLocation: 'end', nameGap: 14, axisLine: {show: false}, axisLabel: {...axisText(), formatter: v => '1e' + v}}),
    tooltip: tooltip('item', item => tip(['iteration ' + item.value[0], 'distance ' + number(10 ** item.value[1], 3)])),
    series: [{type: 'line', name: 'distance', color: ink.rule, symbolSize: 5, symbol: 'circle', data: trace.map(s => [s.iteration, s.gap > 0 ? Math.log10(s.gap) : null])}],
  }),
  table: () => ({head: ['iteration', 'loss', 'distance'], rows: trace.map(s => [s.iteration, s.objective, s.gap])}),
};
