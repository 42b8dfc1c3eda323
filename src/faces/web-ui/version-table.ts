/** The versions of a page with the times when it was gone, and links to their differences. */
import { countText } from '../../base/text/number-text.ts';
import type { HistoryEntry, HistoryVersion, PageHistory } from '../../study/inspect/page-history.ts';
import { type Content, html, type Markup } from './markup.ts';
import { addressOf, table, urlLink } from './pieces.ts';
import { STRINGS } from './strings.ts';

const TEXT = STRINGS.versions;

/** null for a page without a history. */
export function versionTable(history: PageHistory | null): Markup | null {
  if (history === null) return null;
  const { url, lastSeen, entries } = history;
  const columns = [
    { head: TEXT.version, cell: (entry: HistoryEntry) => ('words' in entry ? entry.version : STRINGS.none), isNumber: true },
    { head: TEXT.at, cell: ({ at }: HistoryEntry) => at },
    { head: TEXT.state, cell: stateOf },
    { head: TEXT.wordsOf, cell: (entry: HistoryEntry) => ('words' in entry ? countText(entry.words) : STRINGS.none), isNumber: true },
    { head: TEXT.changes, cell: (entry: HistoryEntry) => ('words' in entry ? changeOf(url, entry) : STRINGS.none) },
  ] as const;
  return html`<section><h2>${TEXT.title}</h2><p>${TEXT.lastSeen(lastSeen)}</p>${table(TEXT.history, columns, entries)}</section>`;
}

function stateOf(entry: HistoryEntry): Content {
  if ('words' in entry) return TEXT.states[entry.state];
  if (entry.state === 'moved' && entry.to !== null) return html`${TEXT.movedTo} ${urlLink(entry.to)}`;
  return entry.state === 'gone' && entry.status !== null ? TEXT.goneWith(String(entry.status)) : TEXT.states[entry.state];
}

function changeOf(url: string, { version, wordsAdded, wordsRemoved }: HistoryVersion): Content {
  if (wordsAdded === null || wordsRemoved === null) return STRINGS.none;
  const address = addressOf('/diff', { url, from: String(version - 1), to: String(version) });
  return html`<a href="${address}">${TEXT.change(countText(wordsAdded), countText(wordsRemoved))}</a>`;
}
