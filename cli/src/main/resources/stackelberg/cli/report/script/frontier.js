// The frontier: the best rules for increasing truthful shares, by their error if nobody moves and once people move.

const frontier = [...(judged.frontier ?? [])].filter(f => isNumber(f.honest) && isNumber(f.moved)).sort((f, g) => f.share - g.share);
let hedged = 0;

/** Today's rule and the rule of this page, at the gamma that this rule was fitted for. */
const onFrontier = () => [
  [today, ink.pull, 'diamond', path.leastSquares?.honest, errorOfToday(firstWorld)],
  ['this rule', ink.rule, 'circle', points[fitted].losses && errorOfSum(points[fitted].losses.A), errorOf(points[fitted], firstWorld)],
].filter(([, , , honest, moved]) => isNumber(honest) && isNumber(moved));

views.frontier = {
  show: () => frontier.length > 1,
  words() {
    $('hedge').max = frontier.length - 1;
    $('hedge').addEventListener('input', () => {
      hedged = Number($('hedge').value);
      this.tell();
      draw('frontier', false);
    });
    this.tell();
  },
  tell() {
    const {share, honest, moved} = frontier[hedged];
    const [than] = onFrontier().filter(([name]) => name === today);
    const beside = (value, other) => {
      const change = than && difference(value, other);
      return !change ? '' : say(!change.noticed ? 'besideSame' : change.many ? 'besideMany' : 'besideOther', {...change, difference: change.words});
    };
    const words = say('frontier', {honest: number(honest), honestBeside: beside(honest, than?.[3]), moved: number(moved), movedBeside: beside(moved, than?.[4])});
    show($('hedge-value'), share, percent(share));
    $('hedge').setAttribute('aria-valuetext', say('frontierShare', {share: percent(share), words}));
    $('hedge-words').textContent = words;
  },
  option(width) {
    const chosen = frontier[hedged];
    return base({
      grid: {left: 60, right: 34, top: 70, bottom: 48},
      legend: legend({itemHeight: 10, data: [{name: 'best rules', icon: 'path://M0 0H18V2H0Z'}, ...onFrontier().map(([name, , icon]) => ({name, icon}))]}),
      xAxis: axis('error if nobody moves', {type: 'value', scale: true, nameGap: 30, splitNumber: narrow(width) ? 3 : 5, axisLabel: {...axisText(), hideOverlap: true, formatter: valueTick}, splitLine: {show: false}}),
      yAxis: valueAxis('error once people move', {scale: true}),
      tooltip: tooltip('item', item => tip([...(item.seriesName === 'best rules' ? [percent(frontier[item.dataIndex].share) + ' do not move'] : [item.seriesName]),
        'if nobody moves: ' + number(item.value[0]), 'once people move: ' + number(item.value[1])])),
      series: [
        {type: 'line', name: 'best rules', color: ink.soft, symbol: 'circle', symbolSize: 6, data: frontier.map(f => [f.honest, f.moved])},
        ...onFrontier().map(([name, color, symbol, honest, moved]) => ({type: 'scatter', name, color, symbol, symbolSize: 14, itemStyle: {opacity: 1}, data: [[honest, moved]]})),
        {id: 'hedged', type: 'scatter', silent: true, symbolSize: 20, tooltip: {show: false}, itemStyle: {color: 'transparent', borderColor: ink.ink, borderWidth: 2, opacity: 1}, data: [[chosen.honest, chosen.moved]]},
      ],
    });
  },
  table: () => ({
    head: ['share that does not move', 'nobody moves', 'people move'],
    rows: frontier.map(f => [f.share, f.honest, f.moved]),
  }),
};
