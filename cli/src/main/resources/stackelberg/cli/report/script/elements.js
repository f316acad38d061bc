// Elements of the page, and numbers as text. Strings of the data reach the page only as textContent, as chart data, or through escaped().

const $ = id => document.getElementById(id);
const isNumber = v => typeof v === 'number' && Number.isFinite(v);
const formats = least => Array.from({length: 9}, (_, n) => new Intl.NumberFormat('en', {minimumSignificantDigits: least ? n || 1 : 1, maximumSignificantDigits: n || 1}));
const digits = formats(false);
const allDigits = formats(true);

/** A number with this many digits; in a column, trailing zeros are kept so that its numbers can be compared. */
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
const capital = text => text.replace(/^./u, c => c.toUpperCase());
const escaped = text => String(text).replace(/[&<>"']/g, c => '&#' + c.charCodeAt(0) + ';');

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A name from the data that lines break at separators, and within a run of characters only if the run does not fit in a line. */
const LONGEST_RUN = 18;
function named(name) {
  const made = element('span', {class: 'name'});
  for (const part of String(name).split(/(?<=[=_./:,;|-])(?=[^=_./:,;|\s-])|(?<=[a-z])(?=[A-Z])/)) {
    for (const run of part.split(/(?<=\s)/)) {
      for (let at = 0; at < run.length; at += LONGEST_RUN) made.append(element('wbr'), run.slice(at, at + LONGEST_RUN));
    }
  }
  return made;
}

/** Words of a command line, which are not broken at hyphens. */
const shell = text => text.split(/(?<= )/).map(word => element('span', {class: 'word'}, word));

/** A sentence in which options of the command line are not broken across lines. */
const spoken = text => text.split(/(--[a-z][a-z-]*)/).map((part, k) => k % 2 ? element('span', {class: 'word'}, part) : part);

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

/** A number as shown, together with its full precision. */
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
