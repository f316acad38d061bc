// The tables of people, which do not follow the sliders.

const FLAGS = {outside: '⚠', between: '½', limit: '■'};

function writePeople() {
  const {furthest, groups} = people;
  if (furthest?.length) {
    const change = m => [named(m.feature), ' ' + number(m.from) + ' → ' + number(m.to)];
    fill($('furthest'), {
      head: ['Who', 'Distance', 'Largest changes', ...truth(say('truth')), 'Wants', 'Before', 'After'],
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
  }
  const populations = mixture?.populations;
  if (populations?.length) {
    fill($('populations'), {
      head: ['Population', 'Wants', 'Before', 'After', 'Cost'],
      rows: populations.map(p => [p.population, p.meanWish, p.meanBefore, p.meanAfter, p.meanCost]),
    });
  }
  if (groups?.rows?.length) {
    fill($('groups'), {
      head: [groups.column, 'People', ...truth(loss?.logistic ? 'Share of yes' : say('truth')), 'Before', 'After', 'Mean distance'],
      rows: groups.rows.map(g => [String(g.group), g.people, ...truth(g.meanTruth), g.meanBefore, g.meanAfter, g.meanDistance]),
    });
  }
  $('furthest-figure').hidden = !furthest?.length;
  $('groups-figure').hidden = !groups?.rows?.length;
  $('populations-figure').hidden = !populations?.length;
  $('people-section').hidden = !(populations?.length || has.people || has.moves || furthest?.length || groups?.rows?.length);
}
