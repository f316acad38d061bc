// Charts of the rules: coefficients over gamma, errors over the gamma of the world.

const SHOWN = 12; // and Points.PATHS_SHOWN
const views = {};

views.path = {
  show: () => points.length > 1 && features.length > 0 && points.some(p => p.rule),
  words() {
    if (this.range(Infinity).some((end, k) => end !== this.range()[k])) $('path-words').append(' ' + say('pathLeaves'));
  },
  /** The range of the lines, limited to a multiple of their usual range and of the range at the fitted gamma: where people hardly move, similar columns may have huge coefficients that cancel. */
  range(times = 5) {
    const names = largest.slice(0, SHOWN);
    const values = points.filter(p => p.rule).map(p => names.map(j => effect(p, j)));
    const sizes = values.map(v => Math.max(...v.map(Math.abs))).sort((a, b) => a - b);
    const limit = times * Math.max(sizes[sizes.length >> 1], ...names.map(j => Math.abs(effect(typical, j))));
    return [Math.max(-limit, Math.min(0, ...values.flat())), Math.min(limit, Math.max(0, ...values.flat()))];
  },
  option(width, height) {
    const small = narrow(width);
    const names = largest.slice(0, SHOWN);
    const last = points.findLast(p => p.rule);
    const grid = {left: 64, right: small ? 16 : 170, top: small ? 110 : 48, bottom: 48};
    const [low, high] = this.range();
    const pad = 0.04 * (high - low) || 1;
    const perPixel = (high - low + 2 * pad) / (height - grid.top - grid.bottom);
    const ends = names.map(j => Math.max(low, Math.min(high, effect(last, j))));
    const shift = apart(ends.map(end => -end / perPixel), 15, (pad - low) / perPixel - 4);
    return base({
      grid,
      legend: legend({type: small ? 'plain' : 'scroll', show: small, data: names.map(j => ({name: features[j].name, icon: features[j].immutable ? DASHES : 'roundRect'})), itemGap: 8, formatter: n => short(n, 18)}),
      xAxis: gammaAxis('gamma the rule expects'),
      yAxis: valueAxis(small ? '' : 'effect of ' + oneUnit + ' on ' + (loss?.logistic ? 'the log-odds' : short(game.target, 24)), {min: low - pad, max: high + pad,
        axisLabel: {...axisText(), showMinLabel: false, showMaxLabel: false, formatter: valueTick}}),
      tooltip: tooltip('axis', items => tip(['gamma ' + number(items[0].value[0]),
        ...items.filter(i => i.seriesType === 'line' && isNumber(i.value[1])).sort((a, b) => b.value[1] - a.value[1]).map(i => short(i.seriesName, 30) + ': ' + number(i.value[1]))])),
      series: [
        ...names.map((j, k) => ({
          type: 'line', name: features[j].name, showSymbol: false, color: ink.series[k % ink.series.length],
          data: points.map(p => [p.gamma, effect(p, j)]), lineStyle: {width: 2, type: features[j].immutable ? 'dashed' : 'solid'},
          emphasis: {focus: 'series'},
        })),
        {id: 'names', type: 'scatter', silent: true, symbolSize: 0, itemStyle: {opacity: 1}, data: small ? [] : names.map((j, k) => ({value: [last.gamma, ends[k]],
          label: {show: true, position: 'right', distance: 8, offset: [0, shift[k]], formatter: () => short(features[j].name, 22), color: ink.series[k % ink.series.length], fontSize: 12}}))},
        marker('now', points[state.index].gamma, 'gamma ' + number(points[state.index].gamma), ink.ink),
      ],
    });
  },
  table: () => ({
    head: ['gamma', ...largest.slice(0, SHOWN).map(j => features[j].name)],
    rows: points.map(p => [p.gamma, ...largest.slice(0, SHOWN).map(j => effect(p, j))]),
  }),
};

/** Whether the rule for the gamma in the middle of the interval is known. */
const nominal = () => isNumber(between?.losses?.stretch);

views.loss = {
  show: () => points.some(p => isNumber(errorOf(p, state.world))),
  lines() {
    const {point} = now();
    const lines = [['this rule', ink.rule, 2.5, 'solid', worlds.map(G => [G, errorOf(point, G)])]];
    if (leastSquares) lines.push([today, ink.pull, 2.5, 'solid', worlds.map(G => [G, errorOfToday(G)])]);
    if (nominal()) lines.push(['rule for the middle gamma', ink.series[2], 1.8, 'dashed', worlds.map(G => [G, error(between.losses, G)])]);
    if (points.length > 1) lines.push(['best for each world', ink.soft, 1.3, 'dashed', points.map(p => [p.gamma, p.expected])]);
    return lines;
  },
  option() {
    const {world, anticipated, naive} = now();
    return base({
      grid: {left: 64, right: 34, top: 78, bottom: 48},
      legend: legend({data: this.lines().map(([name, , , type]) => ({name, icon: type === 'dashed' ? DASHES : 'roundRect'}))}),
      xAxis: gammaAxis(own ? 'multiple of their own gamma' : 'gamma of the world'),
      yAxis: valueAxis(loss ? errorName : 'error (RMSE)', {scale: true}),
      tooltip: tooltip('axis', items => tip(['people move at ' + inWorld(items[0].axisValue), ...items.filter(i => i.seriesType === 'line').map(i => i.seriesName + ': ' + number(i.value[1]))])),
      series: [
        ...this.lines().map(([name, color, width, type, values]) => ({type: 'line', name, color, data: values, showSymbol: false, lineStyle: {width, type}})),
        ...(between ? [{id: 'between', type: 'line', data: [], silent: true, tooltip: {show: false}, markArea: {silent: true, animation: false, itemStyle: {color: ink.rule, opacity: 0.1}, data: [[{xAxis: between.low}, {xAxis: between.high}]]}}] : []),
        {id: 'here', type: 'scatter', symbolSize: 11, silent: true, tooltip: {show: false}, data: [
          {value: [world, anticipated], itemStyle: {color: ink.rule, opacity: 1}}, ...(leastSquares ? [{value: [world, naive], itemStyle: {color: ink.pull, opacity: 1}}] : [])]},
        marker('now', world, 'people move at ' + (own ? '× ' : '') + number(world, own ? 3 : 4), ink.ink),
      ],
    });
  },
  table() {
    const {point} = now();
    return {
      head: [own ? 'multiple of their own gamma' : 'gamma of the world', 'this rule', today, ...(nominal() ? ['rule for the middle gamma'] : [])],
      rows: worlds.map(G => [G, errorOf(point, G), errorOfToday(G), ...(nominal() ? [error(between.losses, G)] : [])]),
    };
  },
};
