// The sliders, and the parts of the page that follow them.

function writeCoefficients() {
  const head = ['Feature', 'Coefficient', 'Effect of ' + oneUnit, '', 'Mean move'];
  const table = $('coefficients');
  fill(table, {head, rows: largest.map(j => [named(features[j].name), null, null, '', null])});
  [...table.querySelectorAll('thead th')].forEach((th, k) => { if (k && k !== 3) th.className = 'num'; });
  [...table.tBodies[0].rows].forEach((row, k) => {
    const feature = features[largest[k]];
    row.dataset.feature = largest[k];
    if (feature.immutable) row.cells[0].append(element('span', {class: 'tag'}, 'immutable'));
    if (isNumber(feature.cost) && feature.cost !== 1) row.cells[0].append(element('span', {class: 'tag'}, 'cost ' + number(feature.cost)));
    row.cells[3].className = 'effect';
    row.cells[3].append(element('span', {'aria-hidden': 'true'}, element('i')));
  });
  table.append(element('tfoot', {}, element('tr', {}, element('th', {scope: 'row'}, 'intercept'), cell(null), element('td', {colspan: 3}))));
}

/** Sets the height of scrolling tables so that they end with a whole row: the last one if it nearly fits, otherwise the last that fits. */
function wholeRows() {
  for (const box of document.querySelectorAll('.scroll.tall')) {
    const table = box.firstElementChild;
    box.style.removeProperty('--whole-rows');
    if (table.offsetHeight <= box.clientHeight) continue;
    const top = table.getBoundingClientRect().top;
    const ends = [...table.rows].map(row => row.getBoundingClientRect().bottom - top);
    const all = ends.at(-1);
    const height = all <= 1.5 * box.clientHeight ? all : ends.findLast(end => end <= box.clientHeight);
    // the height includes the border of the box
    box.style.setProperty('--whole-rows', Math.ceil(height) + 1 + 'px');
  }
}

function updateCoefficients(current) {
  const {point} = current;
  const table = $('coefficients');
  const widest = Math.max(...features.map((_, j) => Math.abs(effect(typical, j) || 0)), ...features.map((_, j) => Math.abs(effect(point, j) || 0))) || 1;
  [...table.tBodies[0].rows].forEach((row, k) => {
    const j = largest[k];
    const size = effect(point, j);
    showCell(row.cells[1], point.rule?.coefficients[j]);
    showCell(row.cells[2], size);
    const bar = row.cells[3].querySelector('i');
    const width = 50 * Math.abs(size || 0) / widest;
    bar.className = size < 0 ? 'down' : '';
    bar.style.width = width + '%';
    bar.style.left = (size < 0 ? 50 - width : 50) + '%';
    showCell(row.cells[4], meanMove(current, j));
  });
  showCell(table.tFoot.rows[0].cells[1], point.rule?.intercept);
}

/** The features that people can change, sorted by what they close or earn at the fitted rule, so that rows keep their places. */
function writeIncentives() {
  $('incentives-figure').hidden = !real;
  if (!real) return;
  const at = {point: typical, world: typical.gamma};
  const size = j => { const {closed, earned} = incentive(at, j); return Math.max(Math.abs(closed), Math.abs(earned)); };
  rewarded.push(...features.map((_, j) => j).filter(j => incentive(at, j)).sort((i, j) => size(j) - size(i)));
  fill($('incentives'), {head: ['Feature', 'Really does', 'Coefficient', 'Closes', 'Earns'], rows: rewarded.map(j => [named(features[j].name), features[j].effect, null, null, null])});
  [...$('incentives').querySelectorAll('thead th')].forEach((th, k) => { if (k) th.className = 'num'; });
}
const rewarded = [];

function updateIncentives(current) {
  rewarded.forEach((j, k) => {
    const {cells} = $('incentives').tBodies[0].rows[k];
    const share = incentive(current, j);
    showCell(cells[2], current.point.rule?.coefficients[j]);
    show(cells[3], share?.closed, percent(share?.closed));
    show(cells[4], share?.earned, percent(share?.earned));
  });
}

/** Shows the earned and the gamed share, as the two colours of the bar and in words. */
function updateEarned({point, t, earned}) {
  const known = isNumber(earned);
  const gamed = known ? t - earned : null;
  $('pull').style.setProperty('--u', known ? Math.max(0, Math.min(1, earned)) : 0);
  $('pull-key').hidden = !known;
  show($('earned-value'), earned, percent(earned));
  show($('gamed-value'), gamed, percent(gamed));
  const rise = known ? earned * point.reaction.meanGap : null;
  $('pull-earned').hidden = !known;
  if (!known) return;
  const shares = {earned: percent(Math.abs(earned)), gamed: percent(gamed)};
  show($('pull-earned'), rise, say(earned < 0 ? 'earnedBackwards' : gamed < 0 ? 'earnedMore' : 'earned', shares)
    + ' ' + say(rise < 0 ? 'falls' : 'rises', {rise: number(Math.abs(rise))}));
}

/** Shows the pull-through, or that there is no rule. */
function pullSentence({point, t}) {
  const here = own || mixture?.rowGamma || state.world === point.gamma;
  return say(!point.optimum.finite ? 'pullNone' : here ? 'pull' : 'pullElsewhere', {
    share: percent(t), pull: number(t), gamma: number(point.gamma), world: number(state.world),
    times: state.world === 1 ? '' : number(state.world, 3) + ' times the '});
}

function updateFirstScreen(current) {
  const {point, t, honest, believed, naive, anticipated} = current;
  if (has.pull) {
    $('pull').style.setProperty('--t', isNumber(t) ? t : 0);
    show($('pull-value'), t, percent(t));
    const sentence = pullSentence(current);
    $('pull').setAttribute('aria-label', sentence);
    $('pull-words').textContent = sentence;
  }
  if (has.pull && real) updateEarned(current);
  if (has.losses) {
    const top = Math.max(honest || 0, believed || 0, naive || 0, anticipated || 0) || 1;
    for (const [id, value] of [['loss-honest', honest], ['loss-naive', naive], ['loss-believed', believed], ['loss-anticipated', anticipated]]) {
      $(id).closest('.bar').hidden = value == null;
      showCell($(id), value);
      $(id).parentElement.querySelector('i').style.width = 100 * (value || 0) / top + '%';
    }
    // all bars have rails of equal length, whatever the length of their numbers
    $('loss-figure').style.setProperty('--digits', Math.max(...['honest', 'naive', 'believed', 'anticipated'].map(id => $('loss-' + id).textContent.length)));
    for (const [id, change, better, worse, same] of [
      ['cost-words', difference(believed, honest), 'gains', 'costs', 'costsNothing'], ['gain-words', difference(anticipated, naive), 'gains', 'loses', 'gainsNothing']]) {
      $(id).textContent = !change ? '' : say(!change.noticed ? same : change.many ? 'manyTimes' : change.more < 0 ? better : worse, change);
      $(id).className = 'verdict' + (change?.noticed ? change.more < 0 ? ' better' : ' worse' : '');
    }
    $('loss-words').textContent = balance(difference(believed, honest), difference(anticipated, naive));
  }
}

/** The sentence about the cost of the rule if nobody moves and its gain once people move. */
function balance(honest, moved) {
  if (!moved) return '';
  const kind = !moved.noticed ? 'Same' : moved.more > 0 ? 'Worse' : !honest ? 'Gain' : !honest.noticed ? 'Free' : honest.more > 0 ? 'Cost' : 'Both';
  return say('balance' + kind, {moved: moved.words, honest: honest?.words});
}

function updateRule({point}) {
  show($('objective'), point.optimum.objective, number(point.optimum.objective, 6));
  show($('expected'), point.expected);
  // the loss is a weighted sum, and the total weight of the people that the rule was fitted to is not known here
  $('expected').parentElement.hidden = !isNumber(point.expected);
  show($('expected-pull'), point.pullThrough);
  $('point-seal').textContent = say(!point.optimum.finite ? 'sealNone' : point.optimum.certified ? 'sealProven' : 'sealOpen');
  const {gapBound, objective} = point.optimum;
  const share = objective > 0 ? gapBound / objective : null;
  show($('point-gap'), gapBound, !isNumber(share) ? number(gapBound, 2) : say(share < 1e-6 ? 'gapTiny' : share >= 1 ? 'gapUnknown' : 'gapAtMost', {share: number(100 * share, 2) + '%'}));
  $('point-gap').title = say('gapTitle', {bound: number(gapBound, 2), loss: number(objective, 6)});
}

/** A gamma as a number and in words. */
function showGamma(id, gamma, text) {
  const words = own ? '' : shareWords(gamma);
  const share = own ? null : shareUnderToday(gamma);
  $(id).setAttribute('aria-valuetext', inWorld(gamma) + (words ? ', ' + words : ''));
  show($(id + '-value'), gamma, text);
  const shown = $(id + '-share');
  shown.hidden = share == null;
  shown.title = words;
  shown.dataset.value = share ?? '';
  const [before, after] = say('gap', {share: '\n'}).split('\n');
  const [gap, under] = after.split(/(?= under )/);
  shown.replaceChildren(element('span', {class: 'roomy'}, before), percent(share), element('span', {class: 'roomy'}, gap), under);
}

function updateControls() {
  const point = points[state.index];
  $('gamma').value = state.index;
  showGamma('gamma', point.gamma, number(point.gamma));
  $('world').value = loss ? nearest(state.world) : Math.log10(state.world);
  showGamma('world', state.world, own ? '× ' + number(state.world, 3) : number(state.world));
  $('world-follows').checked = state.follows;
  $('reset').disabled = state.index === fitted && state.follows === (!own && game.worldGamma == null) && state.world === (own ? 1 : game.worldGamma ?? point.gamma);
}

let announcing;
function announce(current) {
  const {point, earned, anticipated} = current;
  clearTimeout(announcing);
  announcing = setTimeout(() => {
    $('status').textContent = say('announce', {gamma: number(point.gamma), pull: pullSentence(current), earned: isNumber(earned) ? ' ' + $('pull-earned').textContent : '', value: number(anticipated)});
  }, 500);
}

let frame;
function update(quiet) {
  if (state.follows) state.world = points[state.index].gamma;
  const current = now();
  updateControls();
  updateFirstScreen(current);
  if (has.rule) {
    updateRule(current);
    updateCoefficients(current);
    updateIncentives(current);
  }
  updateAnswers(current);
  if (quiet) return;
  announce(current);
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => drawAll(false));
}

function listen() {
  $('gamma-control').hidden = points.length < 2;
  $('world-control').hidden = !points.some(p => isNumber(p.losses?.stretch));
  $('world-follows-label').hidden = $('gamma-control').hidden || $('world-control').hidden;
  $('controls').hidden = $('gamma-control').hidden && $('world-control').hidden;
  document.querySelectorAll('.on-screen').forEach(words => { words.hidden = $('controls').hidden; });
  $('gamma').max = points.length - 1;
  // gammas chosen by the user are not equally spaced, so the slider moves by their indices
  $('world').step = loss ? 1 : own ? 0.1 : grid ? 'any' : 0.02;
  $('world').min = loss ? 0 : Math.log10(lowest);
  $('world').max = loss ? stops.length - 1 : Math.log10(highest);
  $('gamma').addEventListener('input', () => { state.index = Number($('gamma').value); update(); });
  $('world').addEventListener('input', () => { state.follows = false; const at = Number($('world').value); state.world = loss ? stops[at] : grid ? stops[nearest(10 ** at)] : 10 ** at; update(); });
  $('world-follows').addEventListener('change', () => { state.follows = $('world-follows').checked; update(); });
  $('reset').addEventListener('click', () => { start(); update(); });
}
