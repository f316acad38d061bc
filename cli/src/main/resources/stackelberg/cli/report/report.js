'use strict';
// Draws the report from the JSON in #report-data. Strings of the data reach the page only as textContent, as chart data, or through escaped().
(() => {
  const $ = id => document.getElementById(id);
  const data = JSON.parse($('report-data').textContent);
  const features = data.features ?? [];
  const given = data.path?.points ?? [];
  // the slider and the curves run from easy to hard, in whatever order the gammas were asked for
  const order = given.map((_, i) => i).sort((i, j) => given[i].gamma - given[j].gamma);
  const points = order.map(i => given[i]);
  const fitted = Math.max(0, order.indexOf(data.selected ?? 0));
  // how people differ, null if all respond alike
  const mixture = data.mixture;
  const SHOWN = 12;
  const MOVES_SHOWN = 15;
  const SPAN = 1000;
  const LINE = 110;

  // ---- numbers and words

  const isNumber = v => typeof v === 'number' && Number.isFinite(v);
  const formats = least => Array.from({length: 9}, (_, n) => new Intl.NumberFormat('en', {minimumSignificantDigits: least ? n || 1 : 1, maximumSignificantDigits: n || 1}));
  const digits = formats(false);
  const allDigits = formats(true);

  /** The number to so many digits; in a column all of them are shown, so that its numbers can be compared. */
  function number(v, significant = 4, inColumn = false) {
    if (!isNumber(v)) return '–';
    const size = Math.abs(v);
    const text = size !== 0 && (size < 1e-4 || size >= 1e9)
      ? v.toExponential(Math.min(significant, 3) - 1).replace('e+', 'e')
      : size >= 10 ** significant ? Math.round(v).toLocaleString('en')
      : (inColumn && !Number.isInteger(v) ? allDigits : digits)[significant].format(v);
    return text.replace(/^-/, '−');
  }

  const percent = t => !isNumber(t) ? '–'
    : t > 0.995 && t < 1 ? 'over 99%' : t > 0 && t < 0.005 ? 'under 1%' : Math.round(100 * t) + '%';
  const count = v => isNumber(v) ? v.toLocaleString('en') : '–';
  const short = (text, limit) => text.length > limit ? text.slice(0, limit - 1) + '…' : text;
  const escaped = text => String(text).replace(/[&<>"']/g, c => '&#' + c.charCodeAt(0) + ';');
  const option = name => (data.options ?? []).find(o => o[0] === name)?.[1];
  const unit = {standard: 'standard deviations', range: 'shares of its range'}[option('scale')] ?? 'scaled units';
  const oneUnit = {standard: 'one standard deviation', range: 'its whole range'}[option('scale')] ?? 'one scaled unit';

  // ---- elements

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value != null) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function drawing(viewBox, ...paths) {
    const NS = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(NS, 'svg');
    svg.setAttribute('viewBox', viewBox);
    svg.setAttribute('aria-hidden', 'true');
    for (const attributes of paths) {
      const path = document.createElementNS(NS, 'path');
      for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value);
      svg.append(path);
    }
    return svg;
  }

  /** A number with its full precision beside what is shown. */
  function show(target, value, text = number(value)) {
    target.textContent = text;
    target.dataset.value = value ?? '';
  }

  const showCell = (target, value) => show(target, value, number(value, 4, true));

  /** A table cell: numbers right, with full precision in data-value; the first of a row is its header. */
  function cell(value, first) {
    const made = element(first ? 'th' : 'td', first ? {scope: 'row'} : {});
    if (typeof value === 'number' || value == null) {
      made.className = 'num';
      showCell(made, value);
    } else {
      made.append(value);
    }
    return made;
  }

  function fill(table, {caption, head, rows, best}) {
    const numeric = head.map((_, j) => rows.some(row => typeof row[j] === 'number'));
    table.replaceChildren();
    if (caption) table.append(element('caption', {}, caption));
    table.append(
      element('thead', {}, element('tr', {}, ...head.map((name, j) => element('th', {scope: 'col', class: numeric[j] ? 'num' : null}, name)))),
      element('tbody', {}, ...rows.map((row, i) => element('tr', {class: i === best ? 'best' : null}, ...row.map((value, j) => cell(value, j === 0))))));
  }

  function list(target, pairs) {
    for (const [name, value] of pairs) {
      if (value != null && value !== '') target.append(element('dt', {}, String(name)), element('dd', {}, String(value)));
    }
  }

  // ---- the game: what the rule of one gamma does in a world of another

  const state = {};
  const start = () => Object.assign(state, {
    index: fitted,
    world: data.worldGamma ?? points[fitted]?.gamma ?? data.gamma,
    follows: data.worldGamma == null,
  });
  start();

  /** How far people get when the rule stretches by a and the world has gamma G: a/(a + G). */
  function pull(point, G) {
    if (mixture) return mixture.pullThrough;
    if (isNumber(point?.stretch)) return point.stretch / (point.stretch + G);
    return point?.gamma === G ? point?.pullThrough : null;
  }

  /**
   * Root mean square error of a rule in a world of gamma G: the loss is (1-t)^2 A + 2t(1-t) E + t^2 D, where D is the loss of letting everybody have its wish.
   * With 1 - t = G/(a + G) it does not cancel where t is next to 1.
   */
  function error(rule, G) {
    if (!isNumber(rule?.stretch) || !isNumber(rule.A)) return null;
    const t = pull(rule, G);
    const rest = G / (rule.stretch + G);
    return Math.sqrt(Math.max(0, rest * rest * rule.A + 2 * t * rest * rule.E + t * t * data.wishLoss) / data.weight);
  }

  function now() {
    const point = points[state.index];
    const t = pull(point, state.world);
    return {point, world: state.world, t, honest: data.honest?.rmse ?? null, believed: point?.finite === false || !isNumber(point?.A) ? null : Math.sqrt(point.A / data.weight),
      naive: mixture ? mixture.naive : error(data.naive, state.world), anticipated: point?.finite === false ? null : mixture ? mixture.moved : error(point, state.world)};
  }

  const gammas = points.map(p => p.gamma);
  const known = [...gammas, data.worldGamma].filter(g => isNumber(g) && g > 0);
  const lowest = points.length > 1 ? Math.min(...known) : Math.min(...known) / SPAN;
  const highest = points.length > 1 ? Math.max(...known) : Math.max(...known) * SPAN;
  const worlds = Array.from({length: 61}, (_, k) => lowest * (highest / lowest) ** (k / 60));

  /** The fitted rule, or where that gamma has none the nearest that is one. */
  const typical = points.filter(p => p.coefficients).sort((p, q) => Math.abs(points.indexOf(p) - fitted) - Math.abs(points.indexOf(q) - fitted))[0];

  /** Features by the size of something at the fitted rule, so that no row jumps while a slider moves. */
  const bySize = values => features.map((_, j) => j).sort((i, j) => (values(j) || 0) - (values(i) || 0));
  const effect = (point, j) => isNumber(point?.coefficients?.[j]) ? point.coefficients[j] * features[j].scale : null;
  const largest = bySize(j => Math.abs(effect(typical, j)));
  const movers = bySize(j => typical?.moves?.[j]).filter(j => !features[j].immutable);
  /** How far people get on average, in units of the prediction: t times the mean gap where t is everybody's. */
  const meanWay = ({point, t}) => mixture ? mixture.meanWay : isNumber(t) ? t * point.meanWish : null;
  const meanMove = (current, j) => isNumber(meanWay(current)) && isNumber(current.point.moves?.[j]) ? meanWay(current) * current.point.moves[j] : null;
  const movesOf = current => movers.map(j => meanMove(current, j));
  const after = (p, z, t) => (1 - t) * p + t * z;

  /** What is said of the truth, where it is known. */
  const truth = value => data.people?.y ? [value] : [];

  // ---- people who differ

  /** The column of everybody's own gamma, unless these people all move at another. */
  const ownGamma = data.worldGamma == null ? mixture?.rowGamma : null;
  const truthful = mixture?.truthfulShare > 0 ? percent(mixture.truthfulShare) : null;

  /** As in "at gamma 0.1 and 30% truthful". */
  const whoMoves = () => (ownGamma ? ', everybody with a gamma from ' + ownGamma : ' at gamma ' + number(data.worldGamma ?? data.gamma))
    + (truthful ? ' and ' + truthful + ' truthful' : '');

  function pullCaption() {
    const easily = 'this share of the way to what they want they get on average.';
    if (truthful && ownGamma) return 'Some are truthful, the others change what they can, some more easily than others: ' + easily;
    if (ownGamma) return 'People change what they can, some more easily than others: ' + easily;
    if (truthful) return 'Some are truthful and change nothing; the others close one share of the way from what the rule would say to what they want. The pull-through is what both get on average.';
    return 'All change what they can, and close the same share of the way from what the rule would say to what they want: the pull-through.';
  }

  function ruleWords() {
    const sentences = [];
    if (!mixture) sentences.push('The rule is made for one gamma; the world may have another.');
    else if (mixture.rowGamma) sentences.push('The rule is made for people who each have their own, from the column ' + mixture.rowGamma + (truthful ? ', and of whom ' + truthful + ' are truthful.' : '.'));
    else sentences.push('The rule is made for people of whom ' + truthful + ' are truthful, while the others move at gamma ' + number(data.gamma) + '.');
    if (mixture && data.worldGamma != null) sentences.push('Here all who move do so at gamma ' + number(data.worldGamma) + '.');
    if (data.fittedRows != null) sentences.push('What it expects is of the ' + count(data.fittedRows) + ' people it was fitted to.');
    return sentences.join(' ');
  }

  // ---- what is written once

  function writeFirstScreen() {
    const made = data.made ?? {};
    $('title').textContent = data.title;
    $('kicker').textContent = ['Stackelberg ' + data.kind, made.data?.split(/[\\/]/).pop(), data.rows ? count(data.rows) + ' people' : null, made.when?.slice(0, 10)]
      .filter(Boolean).join(' · ');
    $('asked').textContent = data.asked ?? '';
    $('loss-caption').textContent = 'The typical error of a prediction (root mean square)'
      + (data.kind === 'compare' ? ' on the ' + count(data.rows) + ' people the rules were learned from' : '') + ': shorter is better.';
    $('furthest-unit').textContent = unit;
    $('furthest-if').textContent = truthful ? ', if they move' : '';
    $('pull-caption').textContent = pullCaption();
    $('rule-words').textContent = ruleWords();
    if (mixture) $('point-seal-name').textContent = 'Certificate';
    $('answer').append(...(data.answer ?? []).map(sentence => element('p', {}, sentence)));
    const seal = data.seal;
    if (seal) {
      const certified = {d: 'M26 3l6 5 8-1 3 7 7 3-1 8 5 6-5 6 1 8-7 3-3 7-8-1-6 5-6-5-8 1-3-7-7-3 1-8-5-6 5-6-1-8 7-3 3-7 8 1z', transform: 'scale(.92) translate(2 -2)', fill: 'none', stroke: 'currentColor', 'stroke-width': 3};
      const tick = {d: 'M16 27l7 7 14-15', fill: 'none', stroke: 'currentColor', 'stroke-width': 4.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round'};
      const triangle = {d: 'M26 5L49 46H3z', fill: 'none', stroke: 'currentColor', 'stroke-width': 3.5, 'stroke-linejoin': 'round'};
      const mark = {d: 'M26 19v13M26 38v2', fill: 'none', stroke: 'currentColor', 'stroke-width': 4.5, 'stroke-linecap': 'round'};
      $('seal').classList.toggle('open', !seal.certified);
      $('seal').append(
        seal.certified ? drawing('0 0 52 56', certified, tick) : drawing('0 0 52 52', triangle, mark),
        element('strong', {}, seal.headline), element('p', {}, seal.text ?? ''));
    }
    $('seal').hidden = !seal;
    const person = {d: 'M6 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM2 10h8l1 9H9l-1 9H4l-1-9H1z', fill: 'currentColor'};
    document.querySelector('.traveller').append(drawing('0 0 12 28', person));
    const warning = text => text.length <= 2 * LINE ? '⚠ ' + text
      : element('details', {}, element('summary', {}, '⚠ ' + short(text, LINE)), text);
    $('warnings').append(...(data.warnings ?? []).map(text => element('li', {}, warning(text))));
    $('warnings').hidden = !data.warnings?.length;
  }

  /** Where believing everybody is as good as any rule: why, what is approached, what to try. */
  function writeNone() {
    const none = data.noRule;
    $('none-section').hidden = !none;
    if (!none) return;
    const target = String(data.target);
    const size = number(Math.abs(none.shift));
    const fixedConstant = none.intercept === 'immutable';
    const why = none.shiftSpread > 0
      ? ['What people wish differs from the truth by ' + number(none.shift) + ' on average, with a standard deviation of ' + number(none.shiftSpread)
        + '. To believe everybody, and to correct for what ' + (fixedConstant ? 'the constant and the immutable columns tell' : 'the immutable columns tell') + ' of that difference, is as good as any rule.']
      : none.shift === 0 ? ['Everybody wishes for the truth. Whoever lets people have what they wish is therefore right.']
      : ['Everybody wishes for the truth ' + (none.shift > 0 ? 'plus ' : 'less ') + size + '. Whoever lets people have what they wish therefore knows the truth: believe everybody, then '
        + (none.shift > 0 ? 'subtract ' : 'add ') + size + '.'];
    why.push('A rule lets people have all they wish only as its coefficients grow without bound. Every rule that could be published falls short of that, so none is the best.');
    const finite = points.filter(p => p.finite !== false);
    const range = list => 'from ' + number(Math.min(...list.map(p => p.gamma))) + ' to ' + number(Math.max(...list.map(p => p.gamma)));
    if (points.length > 1) {
      why.push(finite.length ? 'Of the ' + points.length + ' gammas on this page ' + finite.length + ' have a rule, ' + range(finite) + ': move the slider there.'
        : 'Another gamma does not help: of the ' + points.length + ' gammas on this page, ' + range(points) + ', none has a rule.');
    }
    $('none-why').append(...why.map(text => element('p', {}, text)));
    const limit = none.limit === 0 ? '0, to rounding' : number(none.limit);
    for (const [id, name, value, text] of [
      ['none-limit', 'Error that ever larger rules approach', none.limit, limit],
      ['none-pull', 'Pull-through they approach', 1, '100%'],
      ['none-wishes', 'Error if everybody just gets its wish', Math.sqrt(data.wishLoss / data.weight)],
      ['none-spread', 'Standard deviation of ' + target, none.spread],
    ]) {
      const shown = element('dd', {id});
      show(shown, value, text ?? number(value));
      $('none-facts').append(element('div', {}, element('dt', {}, name), shown));
    }
    const code = text => element('code', {}, text);
    const noise = none.wishNoise > 0 ? 'Say that wishes are less certain than ' + number(none.wishNoise) + ', with ' : 'Say how uncertain the wishes are, with ';
    const tries = [
      [noise, code('--wish-noise'), ': nobody knows to the last digit what people want. A tenth of the standard deviation of ' + target + ' is ' + number(none.spread / 10)
        + ', all of it ' + number(none.spread) + '; the larger the noise, the more the rule holds people.'],
      ['Declare wishes that are not the truth in other words: a column with what each person wants, or a level that most want to reach, such as ', code('--wish "max(y,quantile(0.5))"'), '.'],
    ];
    if (fixedConstant) tries.push(['If people can move the constant too, say so with ', code('--intercept manipulable'), ': then it cannot take back what was given to everybody.']);
    if (features.some(f => f.immutable)) tries.push(['Do not declare more columns immutable: the more of them there are, the more of a wish they explain away.']);
    $('none-tries').append(...tries.map(parts => element('li', {}, ...parts)));
    const again = data.command && !/--wish-noise/.test(data.command) && none.spread > 0;
    $('none-command').parentElement.hidden = !again;
    if (again) $('none-command').textContent = data.command + ' --wish-noise ' + Number(none.spread.toPrecision(2));
  }

  function writePeople() {
    const {furthest, groups} = data;
    if (furthest?.length) {
      const change = m => m.feature + ' ' + (isNumber(m.from) ? number(m.from) : m.from) + ' → ' + (isNumber(m.to) ? number(m.to) : m.to);
      fill($('furthest'), {
        head: ['Who', 'Distance', 'Largest changes', ...truth('Truth'), 'Wants', 'Before', 'After'],
        rows: furthest.map(f => [f.label, f.distance, '', ...truth(f.y), f.wish, f.before, f.after]),
      });
      [...$('furthest').tBodies[0].rows].forEach((row, k) => {
        row.cells[2].className = 'changes';
        row.cells[2].append(...(furthest[k].moves ?? []).map(m => element('div', {}, change(m))));
      });
    }
    const populations = mixture?.populations;
    if (populations?.length) {
      $('populations-words').textContent = 'What the fitted rule says and does to those who respond alike, on average, and what moving costs them.'
        + (truthful ? ' Who is truthful is not known, so everybody counts among them and among those who move.' : '');
      fill($('populations'), {
        head: ['Population', 'Wants', 'Before', 'After', 'Cost'],
        rows: populations.map(p => [p.population, p.meanWish, p.meanBefore, p.meanAfter, p.meanCost]),
      });
    }
    if (groups?.rows?.length) {
      $('groups-words').textContent = 'What the fitted rule says and does, group by group of ' + groups.column + ': who has to move most, and who gains by it.'
        + (truthful ? ' Who is truthful is not known: these are expected values.' : '');
      fill($('groups'), {
        head: [groups.column, 'People', ...truth('Truth'), 'Before', 'After', 'Mean distance'],
        rows: groups.rows.map(g => [String(g.group), g.people, ...truth(g.meanTruth), g.meanBefore, g.meanAfter, g.meanDistance]),
      });
    }
    $('furthest-figure').hidden = !furthest?.length;
    $('groups-figure').hidden = !groups?.rows?.length;
    $('populations-figure').hidden = !populations?.length;
    $('people-section').hidden = !(populations?.length || has.people || has.moves || furthest?.length || groups?.rows?.length);
  }

  function writeComparison() {
    const rules = data.comparison?.rules;
    $('comparison-section').hidden = !rules?.length;
    if (!rules?.length) return;
    const attacked = rules.map(rule => rule.attacked ?? Infinity);
    fill($('comparison'), {
      head: ['Rule', 'Nobody moves', 'People move', 'Pull-through'],
      rows: rules.map(rule => [rule.name, rule.honest, rule.attacked, rule.pullThrough ?? null]),
      best: attacked.indexOf(Math.min(...attacked)),
    });
    rules.forEach((rule, i) => [rule.honestInterval, rule.attackedInterval].forEach((interval, k) => {
      if (interval) $('comparison').tBodies[0].rows[i].cells[k + 1].append(element('span', {class: 'between'}, interval.map(v => number(v)).join(' to ')));
    }));
  }

  function writeHood() {
    const {certificate: proof, solver, made} = data;
    const yes = v => v == null ? null : v ? 'yes' : 'no';
    if (proof) {
      $('certificate-words').textContent = {
        PROVEN: 'Proven: computed from the data and the rule alone, whoever found it, no rule can have a loss that is smaller by more than ' + number(proof.gapBound, 3) + '.',
        ESTIMATED: 'Estimated: nothing speaks against the rule being optimal, but the proof would need a factorisation that does not fit into memory.',
        REFUTED: 'Refuted: a better rule exists.',
      }[proof.proof] ?? '';
      list($('certificate'), [['proof', proof.proof], ['multiplier lambda', number(proof.multiplier, 6)], ['gap bound', number(proof.gapBound, 3)],
        ['relative gap', number(proof.relativeGap, 3)], ['tolerance', number(proof.tolerance, 1)], ['the only best rule', yes(proof.unique)]]);
    }
    if (solver) {
      list($('solver'), [['solver', solver.name], ['why', solver.note], ['stopped because', solver.status], ['iterations', count(solver.iterations)],
        ['passes over the data', count(solver.passes)],
        ...Object.entries(solver.seconds ?? {}).map(([phase, s]) => ['seconds to ' + phase, number(s, 3)])]);
    }
    list($('options'), data.options ?? []);
    list($('made'), [['data', made?.data], ['version', made?.version], ['Java', made?.java], ['made', made?.when]]);
    $('command').textContent = data.command ?? '';
    $('copy').addEventListener('click', async () => {
      getSelection().selectAllChildren($('command'));
      try {
        await navigator.clipboard.writeText(data.command);
        $('copy').textContent = 'Copied';
      } catch {
        $('copy').textContent = 'Selected: press Ctrl+C';
      }
    });
  }

  // ---- what follows the sliders

  function writeCoefficients() {
    const movable = typical.moves != null;
    const head = ['Feature', 'Coefficient', 'Effect of ' + oneUnit, '', ...(movable ? ['Mean move'] : [])];
    const table = $('coefficients');
    fill(table, {head, rows: largest.map(j => [features[j].name, null, null, '', ...(movable ? [null] : [])])});
    [...table.querySelectorAll('thead th')].forEach((th, k) => { if (k && k !== 3) th.className = 'num'; });
    [...table.tBodies[0].rows].forEach((row, k) => {
      const feature = features[largest[k]];
      row.dataset.feature = largest[k];
      if (feature.immutable) row.cells[0].append(element('span', {class: 'tag'}, 'immutable'));
      if (isNumber(feature.cost) && feature.cost !== 1) row.cells[0].append(element('span', {class: 'tag'}, 'cost ' + number(feature.cost)));
      row.cells[3].className = 'effect';
      row.cells[3].append(element('span', {'aria-hidden': 'true'}, element('i')));
    });
    table.append(element('tfoot', {}, element('tr', {}, element('th', {scope: 'row'}, 'intercept'), cell(null), element('td', {colspan: movable ? 3 : 2}))));
  }

  /** The table ends with a whole row: with the last if little is missing, and else with the last that fits. */
  function wholeRows() {
    const box = $('coefficients').parentElement;
    box.style.removeProperty('--whole-rows');
    if ($('coefficients').offsetHeight <= box.clientHeight) return;
    const top = $('coefficients').getBoundingClientRect().top;
    const ends = [...$('coefficients').rows].map(row => row.getBoundingClientRect().bottom - top);
    const all = ends.at(-1);
    const height = all <= 1.5 * box.clientHeight ? all : ends.findLast(end => end <= box.clientHeight);
    // the border of the box belongs to its height
    box.style.setProperty('--whole-rows', Math.ceil(height) + 1 + 'px');
  }

  function updateCoefficients(current) {
    const {point} = current;
    const table = $('coefficients');
    const widest = Math.max(...features.map((_, j) => Math.abs(effect(typical, j) || 0)), ...features.map((_, j) => Math.abs(effect(point, j) || 0))) || 1;
    [...table.tBodies[0].rows].forEach((row, k) => {
      const j = largest[k];
      const size = effect(point, j);
      showCell(row.cells[1], point.coefficients?.[j]);
      showCell(row.cells[2], size);
      const bar = row.cells[3].querySelector('i');
      const width = 50 * Math.abs(size || 0) / widest;
      bar.className = size < 0 ? 'down' : '';
      bar.style.width = width + '%';
      bar.style.left = (size < 0 ? 50 - width : 50) + '%';
      if (row.cells[4]) showCell(row.cells[4], meanMove(current, j));
    });
    showCell(table.tFoot.rows[0].cells[1], point.intercept);
  }

  function updateFirstScreen(current) {
    const {point, t, honest, believed, naive, anticipated} = current;
    if (has.pull) {
      $('pull').style.setProperty('--t', isNumber(t) ? t : 0);
      show($('pull-value'), t, percent(t));
      const sentence = point.finite === false ? 'At gamma ' + number(point.gamma) + ' believing everybody is as good as any rule, so there is none to publish'
        : 'People get ' + percent(t) + ' of the way to what they want' + (mixture ? ', on average' : '');
      $('pull').setAttribute('aria-label', sentence + '.');
      $('pull-words').textContent = point.finite === false ? sentence + '.'
        : sentence + (mixture ? ' (pull-through ' + number(t) + whoMoves() + ').'
        : state.world === point.gamma ? ' (pull-through ' + number(t) + ' at gamma ' + number(point.gamma) + ').'
        : ': the rule expects gamma ' + number(point.gamma) + ', they move at ' + number(state.world) + ' (pull-through ' + number(t) + ').');
    }
    if (has.losses) {
      const top = Math.max(honest || 0, believed || 0, naive || 0, anticipated || 0) || 1;
      for (const [id, value] of [['loss-honest', honest], ['loss-naive', naive], ['loss-believed', believed], ['loss-anticipated', anticipated]]) {
        $(id).closest('.bar').hidden = value == null;
        showCell($(id), value);
        $(id).parentElement.querySelector('i').style.width = 100 * (value || 0) / top + '%';
      }
      const saved = isNumber(naive) && isNumber(anticipated) && naive > 0 ? 1 - anticipated / naive : null;
      $('loss-words').textContent = saved == null ? ''
        : saved > 0.0005 ? 'Expecting the response makes the error ' + number(100 * saved, 2) + '% smaller than ignoring it.'
        : saved < -0.0005 ? 'In this world the rule does worse than least squares, by ' + number(-100 * saved, 2) + '%: it expects people who behave differently.'
        : 'In this world the rule and least squares do equally well.';
    }
  }

  function updateRule({point}) {
    show($('objective'), point.objective, number(point.objective, 6));
    show($('expected'), point.expected);
    // the loss of people with weights is a sum, and what the weights of those it was fitted to add up to is not known here
    $('expected').parentElement.hidden = !isNumber(point.expected);
    show($('expected-pull'), point.pullThrough);
    $('point-seal').textContent = point.finite === false ? '✗ no finite rule' : point.certified == null ? '–' : point.certified ? '✓ certified' : '✗ not certified';
    show($('point-gap'), point.gapBound, number(point.gapBound, 2));
  }

  function updateControls() {
    const point = points[state.index];
    const gammaText = number(point.gamma);
    $('gamma').value = state.index;
    $('gamma').setAttribute('aria-valuetext', 'gamma ' + gammaText);
    show($('gamma-value'), point.gamma, gammaText);
    $('world').value = Math.log10(state.world);
    $('world').setAttribute('aria-valuetext', 'gamma ' + number(state.world));
    show($('world-value'), state.world, number(state.world));
    $('world-follows').checked = state.follows;
    $('reset').disabled = state.index === fitted && state.follows === (data.worldGamma == null) && state.world === (data.worldGamma ?? point.gamma);
  }

  let announcing;
  function announce({point, t, anticipated}) {
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      $('status').textContent = 'Rule for gamma ' + number(point.gamma) + ', people move at ' + number(state.world) + ': they get ' + percent(t)
        + ' of the way, error ' + number(anticipated) + '.';
    }, 500);
  }

  let frame;
  function update(quiet) {
    if (!points.length) return;
    if (state.follows) state.world = points[state.index].gamma;
    const current = now();
    updateControls();
    updateFirstScreen(current);
    if (has.rule) {
      updateRule(current);
      updateCoefficients(current);
    }
    if (quiet) return;
    announce(current);
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => drawAll(false));
  }

  function listen() {
    if (!points.length) return;
    $('gamma-control').hidden = points.length < 2;
    $('world-control').hidden = !points.some(p => isNumber(p.stretch));
    $('world-follows-label').hidden = $('gamma-control').hidden || $('world-control').hidden;
    $('controls').hidden = $('gamma-control').hidden && $('world-control').hidden;
    $('invitation').hidden = $('untouched').hidden = $('controls').hidden;
    $('gamma').max = points.length - 1;
    $('world').min = Math.log10(lowest);
    $('world').max = Math.log10(highest);
    $('gamma').addEventListener('input', () => { state.index = Number($('gamma').value); update(); });
    $('world').addEventListener('input', () => { state.follows = false; state.world = 10 ** Number($('world').value); update(); });
    $('world-follows').addEventListener('change', () => { state.follows = $('world-follows').checked; update(); });
    $('reset').addEventListener('click', () => { start(); update(); });
  }

  // ---- charts

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
  const gammaAxis = name => axis(name, {
    type: 'log', min: lowest, max: highest, nameGap: 30, splitLine: {show: false},
    axisLabel: {...axisText(), hideOverlap: true, formatter: v => v >= 1e5 ? v.toExponential(0).replace('e+', 'e') : number(v, 2)},
  });
  const valueAxis = (name, more = {}) => axis(name, {
    type: 'value', nameLocation: 'end', nameGap: 24, nameTextStyle: {...axisText(), align: 'left'}, axisLine: {show: false},
    axisLabel: {...axisText(), formatter: v => Math.abs(v) >= 1e5 ? v.toExponential().replace('e+', 'e') : number(v, 3)}, ...more,
  });
  const tip = lines => '<div class="tip">' + lines.map(escaped).join('<br>') + '</div>';
  const tooltip = (trigger, formatter) => ({
    trigger, formatter, confine: true, transitionDuration: 0, backgroundColor: ink.card, borderColor: ink.line, textStyle: {color: ink.ink},
    axisPointer: {type: 'line', lineStyle: {color: ink.soft, type: 'dashed'}, label: {show: false}},
  });
  const base = more => ({animation: false, textStyle: {fontFamily: getComputedStyle(document.body).fontFamily}, ...more});
  const legend = more => ({top: 0, left: 0, icon: 'roundRect', itemWidth: 18, itemHeight: 4, textStyle: {color: ink.ink, fontSize: 12}, ...more});
  const DASHES = 'path://M0 0H7V2H0ZM11 0H18V2H11Z';
  /** Where a name at this gamma is to begin so that it stays within the picture, clear of the ticks. */
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

  /** How far to shift names that stand at these heights so that they are at least gap apart, in the same order, and none is below the floor. */
  function apart(heights, gap, floor) {
    const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
    const placed = [...heights];
    // neighbours that collide share the distance they lack, until nobody collides
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

  const views = {};

  views.path = {
    show: () => points.length > 1 && features.length > 0 && points.some(p => p.coefficients),
    words() {
      const hidden = features.length - SHOWN;
      $('path-words').textContent = 'What ' + oneUnit + ' of each feature adds to the prediction, for every gamma: where people move easily the rule trusts little of what they can change. '
        + (hidden > 0 ? 'Shown are the ' + SHOWN + ' of ' + count(features.length) + ' features that weigh most at the fitted gamma. ' : '')
        + (features.some(f => f.immutable) ? 'Dashed: nobody can change it. ' : '')
        + (this.range(Infinity).some((end, k) => end !== this.range()[k]) ? 'Lines that leave the picture go on in the table.' : '');
    },
    /** What the lines span, but no more than so many times what they usually do and do at the fitted gamma: where people hardly move, similar columns may cancel with huge coefficients. */
    range(times = 5) {
      const names = largest.slice(0, SHOWN);
      const values = points.filter(p => p.coefficients).map(p => names.map(j => effect(p, j)));
      const sizes = values.map(v => Math.max(...v.map(Math.abs))).sort((a, b) => a - b);
      const limit = times * Math.max(sizes[sizes.length >> 1], ...names.map(j => Math.abs(effect(typical, j))));
      return [Math.max(-limit, Math.min(0, ...values.flat())), Math.min(limit, Math.max(0, ...values.flat()))];
    },
    label: 'Line chart of the coefficients over gamma',
    option(width, height) {
      const small = narrow(width);
      const names = largest.slice(0, SHOWN);
      const last = points.findLast(p => p.coefficients);
      const grid = {left: 54, right: small ? 16 : 170, top: small ? 110 : 48, bottom: 48};
      const [low, high] = this.range();
      const pad = 0.04 * (high - low) || 1;
      const perPixel = (high - low + 2 * pad) / (height - grid.top - grid.bottom);
      const ends = names.map(j => Math.max(low, Math.min(high, effect(last, j))));
      const shift = apart(ends.map(end => -end / perPixel), 15, (pad - low) / perPixel - 4);
      return base({
        grid,
        legend: legend({type: small ? 'plain' : 'scroll', show: small, data: names.map(j => ({name: features[j].name, icon: features[j].immutable ? DASHES : 'roundRect'})), itemGap: 8, formatter: n => short(n, 18)}),
        xAxis: gammaAxis('gamma the rule expects'),
        yAxis: valueAxis(small ? '' : 'effect of ' + oneUnit + ' on ' + short(String(data.target), 24), {min: low - pad, max: high + pad,
          axisLabel: {...axisText(), showMinLabel: false, showMaxLabel: false, formatter: v => number(v, 3)}}),
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

  views.loss = {
    show: () => points.some(p => isNumber(p.A) && isNumber(p.stretch)),
    words() {
      $('worlds-words').textContent = 'The error of this rule' + (data.naive ? ' and of least squares' : '') + ' in every world'
        + (points.length > 1 ? '; the thin dashed line is the best that a rule made for that very world can do.' : '.');
    },
    label: 'Line chart of the error against the gamma of the world',
    lines() {
      const {point} = now();
      const lines = [['this rule', ink.rule, 2.5, 'solid', worlds.map(G => [G, error(point, G)])]];
      if (data.naive) lines.push(['least squares', ink.pull, 2.5, 'solid', worlds.map(G => [G, error(data.naive, G)])]);
      if (points.length > 1) lines.push(['best for each world', ink.soft, 1.3, 'dashed', points.map(p => [p.gamma, p.expected])]);
      return lines;
    },
    option() {
      const {world, anticipated, naive} = now();
      return base({
        grid: {left: 54, right: 34, top: 78, bottom: 48},
        legend: legend({data: this.lines().map(([name, , , type]) => ({name, icon: type === 'dashed' ? DASHES : 'roundRect'}))}),
        xAxis: gammaAxis('gamma of the world'),
        yAxis: valueAxis('error (RMSE)', {scale: true}),
        tooltip: tooltip('axis', items => tip(['people move at gamma ' + number(items[0].axisValue), ...items.filter(i => i.seriesType === 'line').map(i => i.seriesName + ': ' + number(i.value[1]))])),
        series: [
          ...this.lines().map(([name, color, width, type, values]) => ({type: 'line', name, color, data: values, showSymbol: false, lineStyle: {width, type}})),
          {id: 'here', type: 'scatter', symbolSize: 11, silent: true, tooltip: {show: false}, data: [
            {value: [world, anticipated], itemStyle: {color: ink.rule, opacity: 1}}, ...(data.naive ? [{value: [world, naive], itemStyle: {color: ink.pull, opacity: 1}}] : [])]},
          marker('now', world, 'people move at ' + number(world), ink.ink),
        ],
      });
    },
    table() {
      const {point} = now();
      return {
        head: ['gamma of the world', 'this rule', 'least squares'],
        rows: worlds.map(G => [G, error(point, G), error(data.naive, G)]),
      };
    },
  };

  views.people = {
    // in a mixed population everybody gets another part of the way, which the data do not have
    show: () => data.people?.z?.length > 0 && points.some(p => p.people?.length > 0 && isNumber(p.stretch)),
    words() {
      const {sampled, count: all} = data.people;
      $('people-words').textContent = 'Everybody twice: hollow where the rule would put them, filled where they end up once they have moved, pulled towards the dashed line on which they would get what they want.'
        + (sampled < all ? ' Shown are ' + count(sampled) + ' of ' + count(all) + ' people.' : '')
        + (this.spreads().size ? ' Those who want the same are spread a little sideways, so that they can be told apart.' : '');
    },
    /** Wishes that many share, each with half the width over which those people are spread so that they do not hide each other. */
    spreads() {
      const {z} = data.people;
      const crowd = new Map();
      z.forEach(wish => crowd.set(wish, (crowd.get(wish) ?? 0) + 1));
      const values = [...crowd.keys()].sort((a, b) => a - b);
      const range = values.at(-1) - values[0] || 1;
      const few = values.length <= 20 && values.length <= z.length / 4;
      const width = few ? 0.35 * Math.min(range, ...values.slice(1).map((v, i) => v - values[i])) : 0.02 * range;
      return new Map(values.filter(wish => few || crowd.get(wish) > z.length / 20).map(wish => [wish, width]));
    },
    label: 'Scatter plot of predictions against wishes, before and after people move',
    option(width) {
      const {point, t} = now();
      const {y, z, label} = data.people;
      const spreads = this.spreads();
      // multiples of the golden ratio fill the width evenly, and the same way each time
      const before = z.map((wish, i) => [wish + (spreads.get(wish) ?? 0) * (2 * (i * 0.618034 % 1) - 1), point.people?.[i]]);
      const moved = before.map(([x, p], i) => [x, isNumber(p) && isNumber(t) ? after(p, z[i], t) : null]);
      const wishes = [...new Set(z)].sort((a, b) => a - b);
      const wanted = wishes.every(wish => spreads.has(wish))
        ? wishes.flatMap(v => [[v - spreads.get(v), v], [v + spreads.get(v), v], [v + spreads.get(v), null]]) : [wishes[0], wishes.at(-1)].map(v => [v, v]);
      return base({
        grid: {left: 60, right: 34, top: 70, bottom: 48},
        legend: legend({icon: null, itemHeight: 10, data: [
          {name: 'before', icon: 'circle', itemStyle: {color: 'transparent', borderColor: ink.honest, borderWidth: 1.5}}, {name: 'after', icon: 'circle'},
          {name: 'what they want', icon: DASHES}]}),
        xAxis: axis('what they want', {type: 'value', scale: true, nameGap: 30, axisLabel: {...axisText(), hideOverlap: true, formatter: v => number(v, 3)}, splitLine: {show: false}}),
        yAxis: valueAxis('what the rule says', {scale: true}),
        tooltip: tooltip('item', item => item.seriesName === 'what they want' ? '' : tip([label?.[item.dataIndex] ?? 'person', ...(data.people.group ? [data.people.group[item.dataIndex]] : []),
          ...(y ? ['truth: ' + number(y[item.dataIndex])] : []), 'wants: ' + number(z[item.dataIndex]), 'before: ' + number(before[item.dataIndex][1]), 'after: ' + number(moved[item.dataIndex][1])])),
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
      const {point, t} = now();
      const {y, z, label, group} = data.people;
      return {
        head: ['Who', ...(group ? [data.groups?.column ?? 'group'] : []), ...truth('Truth'), 'Wants', 'Before', 'After'],
        rows: z.map((wish, i) => [label?.[i] ?? String(i + 1), ...(group ? [String(group[i])] : []), ...truth(y?.[i]), wish, point.people?.[i],
          isNumber(point.people?.[i]) && isNumber(t) ? after(point.people[i], wish, t) : null]),
      };
    },
  };

  views.moves = {
    show: () => typical?.moves?.length > 0 && isNumber(typical.meanWish) && movers.length > 0,
    words() {
      const hidden = movers.length - MOVES_SHOWN;
      $('chart-moves').style.height = 70 + 25 * Math.min(movers.length, MOVES_SHOWN) + 'px';
      $('moves-words').textContent = 'How far ' + (truthful ? 'those who move change' : 'the average person moves') + ' each feature, in ' + unit + ', so that they can be compared.'
        + (hidden > 0 ? ' Shown are the ' + MOVES_SHOWN + ' of ' + count(movers.length) + ' features that move most' + (mixture ? '.' : ' at the fitted gamma.') : '');
    },
    label: 'Bar chart of the mean move of each feature',
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

  const tuning = data.tuning;
  const curve = tuning && {
    words: () => 'The mean loss on people held out, for rules that expect different gammas, in the world of gamma ' + number(tuning.worldGamma)
      + '; whiskers are one standard error. The smallest and the chosen one (within one standard error of it, and pulled least) are marked.',
    label: 'Line chart of the held-out loss over gamma',
    option() {
      const rows = tuning.gammas.map((g, i) => [g, tuning.mean[i], tuning.standardError?.[i]]).sort((a, b) => a[0] - b[0]);
      const marked = [['smallest', tuning.minimum, 'circle', ink.pull, 'top'], ['chosen', tuning.oneStandardError, 'diamond', ink.rule, 'bottom']];
      return base({
        grid: {left: 64, right: 34, top: 78, bottom: 48},
        legend: legend({data: [{name: 'mean loss', icon: 'path://M0 0H18V2H0Z'}, {name: 'smallest', icon: 'circle'}, {name: 'chosen', icon: 'diamond'}], itemHeight: 10}),
        xAxis: {...gammaAxis('gamma the rule expects'), min: rows[0][0], max: rows.at(-1)[0]},
        yAxis: valueAxis('mean loss', {scale: true}),
        tooltip: tooltip('item', item => tip(['gamma ' + number(item.value[0]), 'mean loss ' + number(item.value[1])])),
        series: [
          {type: 'line', name: 'within', silent: true, showSymbol: false, color: ink.line, lineStyle: {width: 1.5}, 
            data: rows.filter(row => row.every(isNumber)).flatMap(([g, m, s]) => [[g, m - s], [g, m + s], [g, null]])},
          {type: 'line', name: 'mean loss', color: ink.soft, symbolSize: 5, symbol: 'circle', data: rows.map(([g, m]) => [g, m])},
          ...marked.map(([name, i, symbol, color, position]) => ({type: 'scatter', name, symbol, symbolSize: 15, color, itemStyle: {opacity: 1}, data: [[tuning.gammas[i], tuning.mean[i]]],
            label: {show: true, position, formatter: () => name + ' ' + number(tuning.gammas[i]), color, fontSize: 12, fontWeight: 600}})),
        ],
      });
    },
    table: () => ({
      head: ['gamma', 'mean loss', 'standard error', ''],
      rows: tuning.gammas.map((g, i) => [g, tuning.mean[i], tuning.standardError?.[i], [i === tuning.minimum ? 'smallest' : '', i === tuning.oneStandardError ? 'chosen' : ''].filter(Boolean).join(', ')]),
    }),
  };
  const regret = tuning && {
    words: () => 'Nobody knows what moving costs, so every rule meets every world: the stronger the colour, the more one would regret that rule there. Chosen is the row whose worst cell is best, gamma '
      + number(tuning.modelGammas?.[tuning.chosen]) + '.',
    label: 'Heat map of the regret of each rule in each world',
    option(width) {
      const cells = tuning.regret.flatMap((row, i) => row.map((value, k) => [k, i, Math.sqrt(Math.max(0, value)), value])).filter(c => isNumber(c[3]));
      const most = cells.reduce((sofar, c) => Math.max(sofar, c[2]), 0);
      const category = (name, values, more) => axis(name, {type: 'category', data: values.map(g => number(g, 2)), splitLine: {show: false}, ...more});
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
    views.tuning = {...view, show: () => true, words: () => { $('tuning-words').textContent = view.words(); }};
  }

  const trace = data.solver?.trace;
  views.convergence = {
    show: () => trace?.length > 0,
    words: () => { $('convergence-words').textContent = 'How far the loss after each iteration was from the loss in the end.'; },
    label: 'Line chart of the distance to the final loss over the iterations',
    option: () => base({
      grid: {left: 74, right: 34, top: 48, bottom: 48},
      xAxis: axis('iteration', {type: 'value', minInterval: 1, nameGap: 30, min: 'dataMin', max: 'dataMax', splitLine: {show: false}}),
      yAxis: axis('distance', {type: 'log', nameLocation: 'end', nameGap: 14, axisLine: {show: false}, axisLabel: {...axisText(), formatter: v => v.toExponential(0).replace('e+', 'e')}}),
      tooltip: tooltip('item', item => tip(['iteration ' + item.value[0], 'distance ' + number(item.value[1], 3)])),
      series: [{type: 'line', name: 'distance', color: ink.rule, symbolSize: 5, symbol: 'circle', data: trace.map(s => [s.iteration, s.gap > 0 ? s.gap : null])}],
    }),
    table: () => ({head: ['iteration', 'loss', 'distance'], rows: trace.map(s => [s.iteration, s.objective, s.gap])}),
  };

  const places = {path: 'path-section', loss: 'loss-section', tuning: 'tuning-section', people: 'people-figure', moves: 'moves-figure', convergence: 'convergence-figure'};
  const followsSliders = ['path', 'loss', 'people', 'moves'];
  const charts = {};
  const has = Object.fromEntries(Object.entries(views).map(([name, view]) => [name, view.show()]));
  has.rule = features.length > 0 && typical != null;
  has.pull = points.some(p => isNumber(pull(p, state.world)));
  has.losses = points.length > 0 && (points.some(p => isNumber(p.A)) || isNumber(data.honest?.rmse));

  function draw(name, anew) {
    const chart = charts[name];
    chart.setOption(views[name].option(chart.getWidth(), chart.getHeight()), {notMerge: anew});
    const table = $('table-' + name);
    if (table.closest('details').open) fill(table, views[name].table());
  }

  function drawAll(anew) {
    for (const name of Object.keys(charts)) {
      if (anew || followsSliders.includes(name)) draw(name, anew);
    }
  }

  function prepareCharts() {
    for (const [name, view] of Object.entries(views)) {
      if (!has[name]) continue;
      $(places[name]).hidden = false;
      $('chart-' + name).setAttribute('aria-label', view.label + '; its numbers are in the table that follows.');
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
      // a folded chart has no width yet
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
    if (has.rule) wholeRows();
    Object.values(charts).forEach(chart => chart.resize());
    drawAll(true);
  }

  /** Paper is light, 680 pixels wide, and cannot be unfolded. */
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
  writeNone();
  writePeople();
  writeComparison();
  writeHood();
  prepareCharts();
  if (has.rule) writeCoefficients();
  listen();
  update(true);
  document.documentElement.classList.remove('unready');
  if (has.rule) wholeRows();
  // the first screen has no chart: it is painted before they are drawn, by the library that stands behind this script
  addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(drawCharts)));
})();
