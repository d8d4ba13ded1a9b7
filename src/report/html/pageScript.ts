/** Search, filter by tool, count, open all, keys. Everything is readable without it; the page allows it by its hash. */
export const pageScript = `
'use strict';
const texts = new Map();
const textOf = (entry) => {
  if (!texts.has(entry)) texts.set(entry, entry.textContent.toLowerCase());
  return texts.get(entry);
};
const setUp = (section) => {
  const find = (selector) => section.querySelector(selector);
  const entries = [...section.querySelectorAll('.entry')];
  const boxes = [...section.querySelectorAll('.box')];
  const [search, tool, count] = [find('input[type=search]'), find('select'), find('output')];
  const shown = () => {
    const off = boxes.filter((box) => !box.checked).map((box) => box.dataset.kind);
    return entries.filter((entry) => !entry.hidden && !off.some((kind) => entry.classList.contains(kind)));
  };
  const update = () => {
    const words = search.value.toLowerCase();
    const fits = (entry) => (tool.value === '' || entry.dataset.tool === tool.value) && (words === '' || textOf(entry).includes(words));
    for (const entry of entries) {
      const hide = !fits(entry);
      if (entry.hidden !== hide) entry.hidden = hide;
    }
    const now = shown().length;
    count.textContent = now === entries.length ? now + ' entries' : now + ' of ' + entries.length + ' entries';
  };
  const toggle = () => {
    const details = shown().slice(0, 500).map((entry) => entry.querySelector('details')).filter(Boolean);
    const open = details.some((each) => !each.open);
    for (const each of details) each.open = open;
  };
  let waiting;
  search.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(update, 120); });
  section.addEventListener('change', update);
  find('button').addEventListener('click', toggle);
  update();
  return { section, search, stops: () => shown().map((entry) => entry.querySelector('summary')).filter(Boolean) };
};
for (const part of document.querySelectorAll('[data-script]')) part.hidden = false;
const timelines = [...document.querySelectorAll('.filtered')].map(setUp);
const current = () => timelines.find(({ section }) => section.contains(document.activeElement)) || timelines[0];
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !timelines.length) return;
  if (event.target.matches('input[type=search], select')) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (event.key === '/') { event.preventDefault(); current().search.focus(); }
  if (event.key !== 'j' && event.key !== 'k') return;
  const stops = current().stops();
  const next = stops[stops.indexOf(document.activeElement) + (event.key === 'j' ? 1 : -1)] || stops[0];
  if (next) { next.focus(); next.scrollIntoView({ block: 'nearest' }); }
});
`
