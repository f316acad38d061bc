// Fills numbers into the sentences of the data, and writes the first screen.

/** The sentence of that name with its placeholders filled; placeholders within values are not filled. */
const say = (name, values = {}) => {
  const all = {today, error: errorName, target: game.target, event: answers?.event, column: mixture?.rowGamma, ...values};
  return heading.words.templates[name].replace(/\{(\w+)\}/g, (place, key) => all[key] ?? '');
};
const {unit, oneUnit, error: errorName} = heading.words.templates;

/** From this ratio on, an error is described as a multiple instead of in percent. */
const MANY = 9;

/** How one error compares with another, as in "24% smaller". */
function difference(value, than) {
  const more = isNumber(value) && than > 0 ? value / than - 1 : null;
  if (more == null) return null;
  const many = more >= MANY;
  const times = count(Math.round(1 + more));
  const share = number(100 * Math.abs(more), 2) + '%';
  return {more, many, times, share, noticed: Math.abs(more) > 0.0005, words: say(many ? 'many' : more > 0 ? 'larger' : 'smaller', {share, times})};
}

/** A list with the value if the truth is known, otherwise an empty list. */
const truth = value => people.sample.y ? [value] : [];
/** The truth of one person. */
const truthOf = y => truth(loss?.logistic && isNumber(y) ? (y === 1 ? 'yes' : 'no') : y);

/** The world of the slider, as in "gamma 0.1" or "twice their own gamma". */
const inWorld = world => own && world === 1 ? say('ownWorld') : say('world', {gamma: number(world), times: number(world, 3)});

/** As in "people would close 30% of the gap under least squares". */
function shareWords(gamma) {
  const share = shareUnderToday(gamma);
  return share == null ? '' : say('people') + ' ' + say('gap', {share: percent(share)});
}

function writeFirstScreen() {
  const {made} = hood;
  $('title').textContent = heading.title;
  const facts = ['Stackelberg ' + heading.kind, made.data.split(/[\\/]/).pop(), count(people.rows) + ' people', made.when.slice(0, 10)].filter(Boolean);
  $('kicker').append(...facts.flatMap((fact, k) => [k ? ' · ' : '', element('span', {class: 'word'}, fact)]));
  $('asked').textContent = heading.asked;
  $('answer').append(...heading.answer.map(sentence => element('p', {}, ...spoken(sentence))));
  for (const [id, text] of Object.entries(heading.words.texts)) {
    $(id).replaceChildren(...($(id).matches('pre') ? shell(text) : [text]));
    $(id).hidden = !text;
  }
  writeSeal(heading.seal);
  document.querySelectorAll('.today').forEach(name => { name.textContent = today; });
  const person = {d: 'M6 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM2 10h8l1 9H9l-1 9H4l-1-9H1z', fill: 'currentColor'};
  document.querySelector('.traveller').append(drawing('0 0 12 28', person));
  writeWarnings(heading.warnings);
}
