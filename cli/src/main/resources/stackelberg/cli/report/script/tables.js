// What is written once, further down: why there is no rule, people, comparison, what if, what is under the hood.

/** Where believing everybody is as good as any rule: why, what is approached, what to try. */
function writeNone() {
  const none = path.noRule;
  $('none-section').hidden = !none;
  if (!none) return;
  const target = game.target;
  const size = number(Math.abs(none.shift));
  const fixedConstant = none.intercept === 'immutable';
  const why = none.shiftSpread > 0
    ? ['What people wish differs from the truth by ' + number(none.shift) + ' on average, with a standard deviation of ' + number(none.shiftSpread)
      + '. To believe everybody, and to correct for what ' + (fixedConstant ? 'the constant and the immutable columns tell' : 'the immutable columns tell') + ' of that difference, is as good as any rule.']
    : none.shift === 0 ? ['Everybody wishes for the truth. Whoever lets people have what they wish is therefore right.']
    : ['Everybody wishes for the truth ' + (none.shift > 0 ? 'plus ' : 'less ') + size + '. Whoever lets people have what they wish therefore knows the truth: believe everybody, then '
      + (none.shift > 0 ? 'subtract ' : 'add ') + size + '.'];
  why.push('A rule lets people have all they wish only as its coefficients grow without bound. Every rule that could be published falls short of that, so none is the best.');
  const finite = points.filter(p => p.optimum.finite);
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
    ['none-wishes', 'Error if everybody just gets its wish', Math.sqrt(people.wishLoss / people.weight)],
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
  const again = !/--wish-noise/.test(hood.made.command) && none.spread > 0;
  $('none-command').parentElement.hidden = !again;
  if (again) $('none-command').append(...shell(hood.made.command + ' --wish-noise ' + Number(none.spread.toPrecision(2))));
}

const FLAGS = {outside: '⚠', between: '½', limit: '■'};

/** How many of them could not do what the rule makes them wish to do. */
function doubtWords(furthest) {
  const {people: everybody, furthest: moves} = data.outside;
  const outside = moves.filter(m => m > 0).length;
  const between = furthest.filter(f => f.moves.some(m => m.doubt?.kind === 'between')).length;
  const those = k => (k === furthest.length && k > 1 ? 'All of these ' + k : k + ' of these ' + furthest.length);
  const sentences = [];
  if (outside) sentences.push(FLAGS.outside + ' ' + those(outside) + ' would need a figure that nobody in training had.');
  if (between) sentences.push(FLAGS.between + ' ' + those(between) + ' would need a fraction of what comes whole.');
  const stopped = furthest.filter(f => f.moves.some(m => m.doubt?.kind === 'limit')).length;
  if (stopped) sentences.push(FLAGS.limit + ' ' + those(stopped) + ' stop at a limit with what is shown.');
  if (isNumber(everybody) && people.rows > furthest.length) {
    sentences.push('Of all ' + count(people.rows) + ' people ' + (everybody === 0 ? 'nobody' : count(everybody)) + ' would need a figure that nobody in training had' + (truthful ? ', if they move.' : '.'));
  }
  return sentences.join(' ');
}

function writePeople() {
  const {furthest, groups} = people;
  if (furthest?.length) {
    const change = m => [named(m.feature), ' ' + number(m.from) + ' → ' + number(m.to)];
    fill($('furthest'), {
      head: ['Who', 'Distance', 'Largest changes', ...truth(TRUTH), 'Wants', 'Before', 'After'],
      rows: furthest.map(f => [f.label, f.distance, '', ...truthOf(f.y), f.wish, f.before, f.after]),
    });
    [...$('furthest').tBodies[0].rows].forEach((row, k) => {
      row.cells[2].className = 'changes';
      const {moves} = furthest[k];
      row.cells[2].append(...moves.map(m => !m.doubt ? element('div', {}, ...change(m))
        : element('details', {class: 'doubt ' + m.doubt.kind}, element('summary', {title: m.doubt.words}, FLAGS[m.doubt.kind] + ' ', ...change(m)), m.doubt.words)));
      const more = data.outside.furthest[k] - moves.filter(m => m.doubt?.kind === 'outside').length;
      if (more > 0) row.cells[2].append(element('div', {class: 'doubt outside'}, FLAGS.outside + ' and ' + count(more) + ' more'));
    });
    $('furthest-doubts').textContent = doubtWords(furthest);
    $('furthest-doubts').hidden = !$('furthest-doubts').textContent;
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
      head: [groups.column, 'People', ...truth(loss?.logistic ? 'Share of yes' : TRUTH), 'Before', 'After', 'Mean distance'],
      rows: groups.rows.map(g => [String(g.group), g.people, ...truth(g.meanTruth), g.meanBefore, g.meanAfter, g.meanDistance]),
    });
  }
  writeGroupFigures(groups);
  $('furthest-figure').hidden = !furthest?.length;
  $('groups-figure').hidden = !groups?.rows?.length;
  $('populations-figure').hidden = !populations?.length;
  $('people-section').hidden = !(populations?.length || has.people || has.moves || furthest?.length || groups?.rows?.length);
}

/** How right this rule and today's are for every group, and who moves: values, and what they lie between. */
function writeGroupFigures(groups) {
  const figures = groups?.figures;
  $('group-figures-figure').hidden = !figures;
  if (!figures) return;
  $('group-figures-words').textContent = 'How right the rules are for each group, and who moves; below each figure its 95% interval, the rules being given. ' + figures.sentences.join(' ');
  const shown = rule => [...rule.error, ...rule.bias, rule.cost, rule.distance, rule.moving, rule.move];
  const rows = figures.rows.flatMap(g => g.rules.map((rule, k) => ({g, rule, name: figures.rules[k]})));
  fill($('group-figures'), {
    head: [groups.column, 'Rule', figures.error + ', nobody moves', figures.error + ', people move', 'Bias, nobody moves', 'Bias, people move',
      'Pays for moving', 'How far', 'Moves by > ' + number(figures.threshold), figures.score[0].toUpperCase() + figures.score.slice(1) + ' rises by'],
    rows: rows.map(({g, rule, name}) => [g.group + ' (' + count(g.people) + ')' + (g.few ? ' *' : ''), name, ...shown(rule).map(([value]) => value)]),
  });
  rows.forEach(({rule}, i) => shown(rule).forEach((figure, k) => {
    const [value, low, high] = figure;
    const at = $('group-figures').tBodies[0].rows[i].cells[k + 2];
    const words = figure === rule.moving ? percent : v => number(v, 3);
    show(at, value, Math.abs(value) < 1e-9 * (high - low) ? '0' : words(value));
    if (isNumber(low) && isNumber(high)) at.append(element('span', {class: 'between below'}, words(low) + ' to ' + words(high)));
  }));
}

function writeComparison() {
  const rules = judged.comparison;
  $('comparison-section').hidden = !rules?.length;
  if (!rules?.length) return;
  $('comparison-words').prepend('The ' + errorName + ' of each rule on people held out: when nobody moves, and once they respond to that rule.');
  const attacked = rules.map(rule => rule.attacked ?? Infinity);
  fill($('comparison'), {
    head: ['Rule', 'Nobody moves', 'People move', 'Pull-through', ...(real ? ['Earned'] : [])],
    rows: rules.map(rule => [rule.name, rule.honest, rule.attacked, rule.pullThrough ?? null, ...(real ? [rule.earned] : [])]),
    best: attacked.indexOf(Math.min(...attacked)),
  });
  const within = (cells, intervals) => intervals.forEach((interval, k) => {
    if (interval) cells[k + 1].append(element('span', {class: 'between'}, interval.map(v => number(v)).join(' to ')));
  });
  rules.forEach((rule, i) => within($('comparison').tBodies[0].rows[i].cells, [rule.honestInterval, rule.attackedInterval]));
  const {comparedAnswers} = judged;
  $('compared-answers').parentElement.hidden = !comparedAnswers;
  if (!comparedAnswers) return;
  fill($('compared-answers'), {
    caption: 'How well each rule tells a yes from a no, on the same people.',
    head: ['Rule', ...comparedAnswers[0].flatMap(({name}) => [name + ', nobody moves', name + ', people move'])],
    rows: rules.map((rule, i) => [rule.name, ...comparedAnswers[i].flatMap(a => [a.honest, a.moved])]),
  });
  comparedAnswers.forEach((told, i) => within($('compared-answers').tBodies[0].rows[i].cells, told.flatMap(a => [a.honestInterval, a.movedInterval])));
}

function writeSure() {
  const {sure} = judged;
  $('sure-section').hidden = !sure;
  if (!sure) return;
  $('sure-words').textContent = (sure.rows.length ? 'How much the fitted rule would differ with other people of the same kind. ' : '') + sure.sentences.join(' ')
    + (sure.rows.length ? ' The sliders do not touch this table.' : '');
  const today = sure.rows.some(row => isNumber(row.today));
  $('sure').parentElement.hidden = !sure.rows.length;
  fill($('sure'), {
    head: ['Term', 'This rule', 'Std. error', 't', 'P>|t|', '95% from', 'to', ...(today ? ['Today’s rule'] : [])],
    rows: sure.rows.map(row => [named(row.name), row.coefficient, row.spread.error, row.spread.t, row.spread.p, row.spread.low, row.spread.high, ...(today ? [row.today] : [])]),
  });
}

function writeWhatIf() {
  const {whatIf} = judged;
  $('whatif-section').hidden = !whatIf;
  if (!whatIf) return;
  const [noise, worst] = whatIf.sentences;
  $('whatif-words').prepend('The ' + whatIf.unit + ' of the fitted rule and of today’s once people have moved, on ' + whatIf.on + '. ' + noise);
  fill($('whatif'), {
    head: ['The game', 'This rule', 'Today’s rule'],
    rows: whatIf.rows.map(row => [row.world, row.rule, row.today]),
  });
  $('whatif-worst').textContent = worst;
}

function writeHood() {
  const {certificate: proof, solver, made} = hood;
  const yes = v => v == null ? null : v ? 'yes' : 'no';
  $('certificate-words').textContent = {
    PROVEN: 'Proven: computed from the data and the rule alone, whoever found it, no rule can have a loss that is smaller by more than ' + number(proof.gapBound, 3) + '.',
    ESTIMATED: 'Estimated: nothing speaks against the rule being optimal, but the proof would need a factorisation that does not fit into memory.',
    REFUTED: 'Refuted: a better rule exists.',
  }[proof.proof] ?? '';
  list($('certificate'), [['proof', proof.proof], ['multiplier lambda', number(proof.multiplier, 6)], ['gap bound', number(proof.gapBound, 3)],
    ['relative gap', number(proof.relativeGap, 3)], ['tolerance', number(proof.tolerance, 1)], ['the only best rule', yes(proof.unique)]]);
  list($('solver'), [['solver', solver.name], ['why', solver.note], ['stopped because', solver.status], ['iterations', count(solver.iterations)],
    ['passes over the data', count(solver.passes)],
    ...Object.entries(solver.seconds).map(([phase, s]) => ['seconds to ' + phase, number(s, 3)])]);
  list($('options'), hood.options);
  writeMade(made);
}
