/** Keeps a screen up to date: asks for it again when the server reports news. Nothing is counted here. */

import { contentOf, send } from './sending.ts';

/** A person reads at most so fast. */
const LEAST_MS = 1000;
let [asked, isNew] = [0, false];

async function renew(): Promise<void> {
  if (!isNew || document.hidden || document.querySelector('main[data-still]') !== null || Date.now() - asked < LEAST_MS || isBusy()) return;
  [asked, isNew] = [Date.now(), false];
  const answer = await fetch(location.href, { credentials: 'same-origin' }).catch(() => null);
  // Each request leaves an entry of its times, which nobody here reads.
  performance.clearResourceTimings();
  if (answer === null) return;
  const fresh = await contentOf(answer);
  if (answer.ok && fresh !== null && !isBusy()) show(fresh);
}

function show(fresh: HTMLElement): void {
  const main = document.querySelector('main');
  if (main === null) return;
  const opened = [...main.querySelectorAll('details')].map(({ open }) => open);
  const places = [...main.querySelectorAll('.table')].map((table) => table.scrollLeft);
  main.replaceChildren(...fresh.childNodes);
  for (const [i, table] of [...main.querySelectorAll('.table')].entries()) table.scrollLeft = places[i] ?? 0;
  for (const [i, details] of [...main.querySelectorAll('details')].entries()) details.open = opened[i] ?? details.open;
}

/** Something is filled in that was not sent. */
function isFilledIn(): boolean {
  return [...document.querySelectorAll<HTMLInputElement>('main input, main textarea')].some(
    ({ value, defaultValue, checked, defaultChecked }) => value !== defaultValue || checked !== defaultChecked,
  );
}

/** Somebody writes, marks text, or has the focus on something that would go. */
function isBusy(): boolean {
  const { activeElement } = document;
  const selects = (document.getSelection()?.toString() ?? '') !== '';
  return (
    selects ||
    isFilledIn() ||
    (activeElement !== null && activeElement !== document.body && activeElement.closest('main form, main table, main a') !== null)
  );
}

/** The row of a page that was labelled goes at once: a person goes through a list, and a large crawl is counted seldom. */
async function label(form: HTMLFormElement, row: HTMLTableRowElement): Promise<void> {
  const at = row.sectionRowIndex;
  const hadFocus = row.contains(document.activeElement);
  row.hidden = true;
  const fresh = await send(form);
  if (fresh === null) row.hidden = false;
  else show(fresh);
  if (hadFocus) (document.querySelectorAll('.last tbody tr')[at] ?? row).querySelector('a')?.focus();
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  const row = form instanceof HTMLFormElement && form.method === 'post' ? form.closest<HTMLTableRowElement>('.last tbody tr') : null;
  if (row === null || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  void label(form, row);
});

/** Keys in a table of pages: j and k go from row to row, w presses the button of the row. */
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
  const rows = [...document.querySelectorAll('.last tbody tr')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const { key } = event;
  if (key === 'j' || key === 'k') rows[Math.max(0, at + (key === 'j' ? 1 : -1))]?.querySelector('a')?.focus();
  else rows[at]?.querySelector<HTMLButtonElement>(`[data-row-key="${CSS.escape(key)}"]`)?.click();
});

const source = new EventSource('/events');
source.addEventListener('changed', () => {
  isNew = true;
  void renew();
});
// It tries again by itself where nobody answers. It gives up where the answer is no: then the screen asks why.
source.addEventListener('error', () => {
  isNew ||= source.readyState === EventSource.CLOSED;
  void renew();
});
setInterval(() => void renew(), LEAST_MS);
