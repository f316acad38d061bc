// The top and the bottom of every page.

/** The number of characters in a line. */
const LINE = 110;

function writeSeal(seal) {
  const certified = {d: 'M26 3l6 5 8-1 3 7 7 3-1 8 5 6-5 6 1 8-7 3-3 7-8-1-6 5-6-5-8 1-3-7-7-3 1-8-5-6 5-6-1-8 7-3 3-7 8 1z', transform: 'scale(.92) translate(2 -2)', fill: 'none', stroke: 'currentColor', 'stroke-width': 3};
  const tick = {d: 'M16 27l7 7 14-15', fill: 'none', stroke: 'currentColor', 'stroke-width': 4.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round'};
  const triangle = {d: 'M26 5L49 46H3z', fill: 'none', stroke: 'currentColor', 'stroke-width': 3.5, 'stroke-linejoin': 'round'};
  const mark = {d: 'M26 19v13M26 38v2', fill: 'none', stroke: 'currentColor', 'stroke-width': 4.5, 'stroke-linecap': 'round'};
  $('seal').classList.toggle('open', !seal.certified);
  $('seal').append(
    seal.certified ? drawing('0 0 52 56', certified, tick) : drawing('0 0 52 52', triangle, mark),
    element('strong', {}, seal.headline), element('p', {}, ...spoken(seal.text)),
    element('details', {}, element('summary', {}, 'The exact figures'), element('p', {}, seal.exact)));
}

function writeWarnings(warnings) {
  const warning = text => text.length <= 2 * LINE ? spoken('⚠ ' + text)
    : [element('details', {}, element('summary', {}, ...spoken('⚠ ' + short(text, LINE))), ...spoken(text))];
  $('warnings').append(...warnings.map(text => element('li', {}, ...warning(text))));
  $('warnings').hidden = !warnings.length;
}

function writeMade(made) {
  list($('made'), [['data', made.data], ['version', made.version], ['Java', made.java], ['made', made.when]]);
  $('command').append(...shell(made.command));
  $('copy').addEventListener('click', async () => {
    getSelection().selectAllChildren($('command'));
    try {
      await navigator.clipboard.writeText(made.command);
      $('copy').textContent = 'Copied';
    } catch {
      $('copy').textContent = 'Selected: press Ctrl+C';
    }
  });
}
