// Charts of the people: their predictions before and after the move, and their moves.

const MOVES_SHOWN = 15; // and Points.MOVES_SHOWN

views.people = {
  show: () => points.some(p => p.reaction?.predictions.length > 0 && isNumber(p.losses.stretch)),
  words() {
    if (this.spreads().size) $('people-words').append(' ' + say('peopleSpread'));
  },
  /** Wishes that many people share, each with half the width over which these points are spread so that they do not hide each other. */
  spreads() {
    const z = people.sample.z.map(told);
    const crowd = new Map();
    z.forEach(wish => crowd.set(wish, (crowd.get(wish) ?? 0) + 1));
    const values = [...crowd.keys()].sort((a, b) => a - b);
    const range = values.at(-1) - values[0] || 1;
    const few = values.length <= 20 && values.length <= z.length / 4;
    const width = few ? 0.35 * Math.min(range, ...values.slice(1).map((v, i) => v - values[i])) : 0.02 * range;
    // a probability that someone wants lies between 0 and 1
    const within = wish => loss?.logistic ? Math.min(width, wish, 1 - wish) : width;
    return new Map(values.filter(wish => few || crowd.get(wish) > z.length / 20).map(wish => [wish, within(wish)]));
  },
  option(width) {
    const current = now();
    const {y, label, group} = people.sample;
    const z = people.sample.z.map(told);
    const spreads = this.spreads();
    // multiples of the golden ratio fill the width evenly and are the same each time
    const sideways = z.map((wish, i) => wish + (spreads.get(wish) ?? 0) * (2 * (i * 0.618034 % 1) - 1));
    const [before, moved] = [0, 1].map(k => z.map((_, i) => [sideways[i], saidOf(i, current)[k]]));
    const wishes = [...new Set(z)].sort((a, b) => a - b);
    const wanted = wishes.every(wish => spreads.has(wish))
      ? wishes.flatMap(v => [[v - spreads.get(v), v], [v + spreads.get(v), v], [v + spreads.get(v), null]]) : [wishes[0], wishes.at(-1)].map(v => [v, v]);
    return base({
      grid: {left: 60, right: 34, top: 70, bottom: 48},
      legend: legend({icon: null, itemHeight: 10, data: [
        {name: 'before', icon: 'circle', itemStyle: {color: 'transparent', borderColor: ink.honest, borderWidth: 1.5}}, {name: 'after', icon: 'circle'},
        {name: 'what they want', icon: DASHES}]}),
      xAxis: axis('what they want' + (loss?.logistic ? ', as a probability' : ''), {type: 'value', scale: true, nameGap: 30, splitNumber: narrow(width) ? 3 : 5, axisLabel: {...axisText(), hideOverlap: true, formatter: valueTick}, splitLine: {show: false}}),
      yAxis: valueAxis('prediction' + (loss?.logistic ? ': the probability of a yes' : ''), {scale: true}),
      tooltip: tooltip('item', item => item.seriesName === 'what they want' ? '' : tip([label[item.dataIndex], ...(group ? [group[item.dataIndex]] : []),
        ...(y ? ['truth: ' + (loss?.logistic ? truthOf(y[item.dataIndex]) : number(y[item.dataIndex]))] : []), 'wants: ' + number(z[item.dataIndex]), 'before: ' + number(before[item.dataIndex][1]), 'after: ' + number(moved[item.dataIndex][1])])),
      series: [
        {type: 'line', name: 'ways', silent: true, showSymbol: false, color: ink.line, lineStyle: {width: 1}, tooltip: {show: false},
          data: before.flatMap((b, i) => [b, moved[i], [b[0], null]])},
        {type: 'line', name: 'what they want', silent: true, showSymbol: false, color: ink.soft, lineStyle: {width: 1.3, type: 'dashed'}, data: wanted},
        {type: 'scatter', name: 'before', symbolSize: narrow(width) ? 5 : 7, data: before, itemStyle: {color: 'transparent', borderColor: ink.honest, borderWidth: 1.2}},
        {type: 'scatter', name: 'after', symbolSize: narrow(width) ? 4 : 6, data: moved, color: ink.pull, itemStyle: {color: ink.pull, opacity: 0.85}},
      ],
    });
  },
  table() {
    const current = now();
    const {y, label, group} = people.sample;
    return {
      head: ['Who', ...(group ? [people.groups?.column ?? 'group'] : []), ...truth(say('truth')), 'Wants', 'Before', 'After'],
      rows: people.sample.z.map((wish, i) => [label[i], ...(group ? [String(group[i])] : []), ...truthOf(y?.[i]), told(wish), ...saidOf(i, current)]),
    };
  },
};

views.moves = {
  show: () => isNumber(typical?.reaction.meanWish) && movers.length > 0,
  words() {
    $('chart-moves').style.height = 70 + 25 * Math.min(movers.length, MOVES_SHOWN) + 'px';
  },
  option(width) {
    const small = narrow(width);
    const moves = movesOf(now());
    const shown = movers.slice(0, MOVES_SHOWN);
    return base({
      grid: {left: small ? 110 : 190, right: 64, top: 8, bottom: 44},
      xAxis: axis('mean move, in ' + unit, {type: 'value', nameGap: 28, axisLabel: {...axisText(), hideOverlap: true, formatter: v => number(v, 3)}}),
      yAxis: axis('', {type: 'category', inverse: true, data: shown.map(j => features[j].name), splitLine: {show: false},
        axisLabel: {color: ink.ink, fontSize: 12, interval: 0, width: small ? 100 : 178, overflow: 'truncate'}}),
      tooltip: tooltip('item', item => tip([item.name, number(item.value) + ' ' + unit, number(item.value * features[shown[item.dataIndex]].scale) + ' in its own unit'])),
      series: [{type: 'bar', name: 'mean move', data: moves.slice(0, MOVES_SHOWN), barMaxWidth: 20, color: ink.pull,
        label: {show: true, position: 'right', color: ink.soft, fontSize: 12, formatter: item => number(item.value, 3)}}],
    });
  },
  table() {
    const moves = movesOf(now());
    return {
      head: ['Feature', 'Mean move, in ' + unit, 'In its own unit'],
      rows: movers.map((j, k) => [features[j].name, moves[k], isNumber(moves[k]) ? moves[k] * features[j].scale : null]),
    };
  },
};
