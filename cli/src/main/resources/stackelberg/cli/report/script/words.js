// What the first screen says.

const option = name => hood.options.find(o => o[0] === name)?.[1];
const unit = {standard: 'standard deviations', range: 'shares of its range'}[option('scale')] ?? 'scaled units';
const oneUnit = {standard: 'one standard deviation', range: 'its whole range'}[option('scale')] ?? 'one scaled unit';

/** From here on an error is so many times as large, and not so many percent larger. */
const MANY = 9;

/** As in "24% smaller", of one error beside another. */
function difference(value, than) {
  const more = isNumber(value) && than > 0 ? value / than - 1 : null;
  if (more == null) return null;
  const many = more >= MANY;
  const share = many ? count(Math.round(1 + more)) + ' times' : number(100 * Math.abs(more), 2) + '%';
  return {more, many, share, noticed: Math.abs(more) > 0.0005, words: share + (many ? ' as large' : more > 0 ? ' larger' : ' smaller')};
}

/** Where moves are real the truth of before is not that of after. */
const TRUTH = real ? 'Truth before' : 'Truth';
/** What is said of the truth, where it is known. */
const truth = value => people.sample.y ? [value] : [];
/** The truth of one person. */
const truthOf = y => truth(loss?.logistic && isNumber(y) ? (y === 1 ? 'yes' : 'no') : y);

/** The column of everybody's own gamma, unless these people all move at another. */
const ownGamma = game.worldGamma == null ? mixture?.rowGamma : null;
const truthful = mixture?.truthfulShare > 0 ? percent(mixture.truthfulShare) : null;

/** The world of the slider, as in "gamma 0.1" or "twice their own gamma". */
const inWorld = world => own ? (world === 1 ? 'their own gamma' : number(world, 3) + ' times their own gamma') : 'gamma ' + number(world);

/** As in "at gamma 0.1 and 30% truthful". */
const whoMoves = world => (own ? ', everybody with ' + (world === 1 ? '' : number(world, 3) + ' times ') + 'a gamma from ' + ownGamma : ' at gamma ' + number(world))
  + (truthful ? ' and ' + truthful + ' truthful' : '');

/** As in "people would close 30% of the gap under least squares". */
function shareWords(gamma) {
  const share = shareUnderToday(gamma);
  return share == null ? '' : (truthful ? 'those who move' : 'people') + ' would close ' + percent(share) + ' of the gap under ' + today;
}

/** Whom limits stop, and who is stuck. */
function limitWords() {
  const {held, stopped, stuck} = limits;
  if (!held) return 'The limits hold back nobody.';
  return 'The limits hold back ' + count(held) + ' of ' + count(people.rows) + ' people: a limit stops ' + count(stopped) + ' with at least one feature, and ' + count(stuck) + (stuck === 1 ? ' is stuck and stays as it is' : ' are stuck and stay as they are') + ', although they wish otherwise.';
}

function pullCaption() {
  const easily = 'this share of the way to what they want they get on average.';
  if (limits) return (truthful ? 'Some are truthful; the others' : 'People') + ' change what they can, as far as limits let them (' + limits.words.join(', ') + '): ' + easily + ' ' + limitWords();
  if (truthful && ownGamma) return 'Some are truthful, the others change what they can, some more easily than others: ' + easily;
  if (ownGamma) return 'People change what they can, some more easily than others: ' + easily;
  if (truthful) return 'Some are truthful and change nothing; the others close one share of the way from what the rule would say to what they want. The pull-through is what both get on average.';
  if (real) return 'All change what they can, and close the same share of the way from what the rule would say to what they want. Of that share the truth itself goes a part: that much is earned, and the rest is gamed.';
  return 'All change what they can, and close the same share of the way' + (loss?.logistic ? ', in log-odds,' : '') + ' from what the rule would say to what they want: the pull-through.';
}

function ruleWords() {
  const sentences = [];
  if (!mixture) sentences.push('The rule is made for one gamma; the world may have another.');
  else if (mixture.rowGamma) sentences.push('The rule is made for people who each have their own, from the column ' + mixture.rowGamma + (truthful ? ', and of whom ' + truthful + ' are truthful.' : '.'));
  else sentences.push('The rule is made for people of whom ' + truthful + ' are truthful, while the others move at gamma ' + number(game.gamma) + '.');
  if (mixture && game.worldGamma != null) sentences.push('Here all who move do so at gamma ' + number(game.worldGamma) + '.');
  if (own) sentences.push('A slider asks what this rule does if moving is easier or harder for all of them.');
  const share = mixture?.rowGamma ? '' : shareWords(game.gamma);
  if (share) sentences.push('At gamma ' + number(game.gamma) + ' ' + share + '.');
  if (mixture && points.length < 2 && people.fittedRows == null) {
    sentences.push(mixture.rowGamma ? 'How the rule would change with gamma is not shown: there is none that all share.'
      : 'How the rule would change with gamma is not shown: where some are truthful every gamma needs a search of its own, and with so many figures that takes too long for a page.');
  }
  if (loss && points.length < 2 && people.fittedRows == null) sentences.push('How the rule would change with gamma is not shown: by this loss every gamma is a solution of its own, and with so many figures that takes too long for a page.');
  if (limits && people.fittedRows == null) sentences.push('How the rule would change with gamma is not shown: under limits every gamma needs a search of its own.');
  if (people.fittedRows != null) sentences.push('What it expects is of the ' + count(people.fittedRows) + ' people it was fitted to.');
  return sentences.join(' ');
}

const lossCaption = () => !loss ? 'The typical error of a prediction (root mean square)'
  : loss.logistic ? 'The log loss of a prediction, on average: how surprised one is by the truth'
  : 'The mean Huber loss of a prediction (' + loss.words + ': errors beyond that count no more than in proportion)';

function writeFirstScreen() {
  const {made} = hood;
  $('title').textContent = heading.title;
  const facts = ['Stackelberg ' + heading.kind, made.data.split(/[\\/]/).pop(), count(people.rows) + ' people', made.when.slice(0, 10)].filter(Boolean);
  $('kicker').append(...facts.flatMap((fact, k) => [k ? ' · ' : '', element('span', {class: 'word'}, fact)]));
  $('asked').textContent = heading.asked;
  $('loss-caption').textContent = lossCaption()
    + (heading.kind === 'compare' ? ' on the ' + count(people.rows) + ' people the rules were learned from' : '') + ': shorter is better.';
  if (loss) $('expected-name').textContent = capital(errorName) + ' it expects';
  $('furthest-unit').textContent = unit;
  $('furthest-if').textContent = truthful ? ', if they move' : '';
  $('pull-caption').textContent = pullCaption();
  $('rule-words').textContent = ruleWords();
  if (mixture) $('point-seal-name').textContent = 'Certificate';
  $('answer').append(...heading.answer.map(sentence => element('p', {}, ...spoken(sentence))));
  writeSeal(heading.seal);
  document.querySelectorAll('.today').forEach(name => { name.textContent = today; });
  const person = {d: 'M6 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM2 10h8l1 9H9l-1 9H4l-1-9H1z', fill: 'currentColor'};
  document.querySelector('.traveller').append(drawing('0 0 12 28', person));
  writeWarnings(heading.warnings);
}
