/** The report of a watch as a person reads it. */
import { markdownLine, numberTable } from '../../base/text/markdown.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import {
  type DriftingTerm,
  ITEM_KINDS,
  type ItemKind,
  itemCounts,
  type TermDrift,
  type WatchItem,
  type WatchReport,
} from './watch-report.ts';

/** Items of a kind in the text; the JSON has all. */
const SHOWN = 200;
const SHOWN_EDITS = 3;

const HEADS: Readonly<Record<ItemKind, string>> = {
  new: 'New pages',
  changed: 'Changed pages',
  moved: 'Moved pages',
  gone: 'Pages that are gone',
  noindex: 'Pages that ask not to be kept',
  back: 'Pages that are back',
};

/** @param name of the crawl */
export function reportMarkdown(name: string, report: WatchReport): string {
  const counts = itemCounts(report);
  const sections = ITEM_KINDS.filter((kind) => counts[kind] > 0).map((kind) => section(kind, report));
  return [
    `# ${markdownLine(name)}: report ${report.number}`,
    `${periodText(report)} The corpus has ${counted(report.pages, 'page')}.`,
    reportCountsText(report),
    ...sections,
    ...termSections(report.terms),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The period in a sentence. */
export function periodText({ from, to }: Pick<WatchReport, 'from' | 'to'>): string {
  return from === null ? `The watch begins at ${to}.` : `From ${from} to ${to}.`;
}

/** The counts of a report in a line. */
export function reportCountsText(report: Pick<WatchReport, 'items'>): string {
  const counts = itemCounts(report);
  const words = ITEM_KINDS.flatMap((kind) => (counts[kind] === 0 ? [] : [`${countText(counts[kind])} ${COUNTED[kind]}`]));
  return words.length === 0 ? 'Nothing has changed.' : `${words.join(', ')}.`;
}

const COUNTED: Readonly<Record<ItemKind, string>> = {
  new: 'new',
  changed: 'changed',
  moved: 'moved',
  gone: 'gone',
  noindex: 'that ask not to be kept',
  back: 'back',
};

function section(kind: ItemKind, { items, number }: WatchReport): string {
  const ofKind = items.filter((item) => item.kind === kind);
  const lines = ofKind.slice(0, SHOWN).flatMap(itemLines);
  const more = ofKind.length > SHOWN ? [`- and ${countText(ofKind.length - SHOWN)} more in ${number}.json`] : [];
  return [`## ${HEADS[kind]}`, [...lines, ...more].join('\n')].join('\n\n');
}

function itemLines(item: WatchItem): string[] {
  const facts = [item.at.slice(0, 16).replace('T', ' '), ...(item.onTopic === false ? ['off topic now'] : []), ...changeFacts(item)];
  return [`- [${markdownLine(item.title || item.url)}](<${item.url}>) (${facts.join('; ')})`, ...editLines(item)];
}

/** The change of an item in a few words each. */
export function changeFacts({ kind, words, status, to }: WatchItem): string[] {
  if (words !== undefined) return [`${counted(words.added, 'word')} added, ${countText(words.removed)} removed`];
  if (kind === 'moved' && to !== undefined) return [`to <${to}>`];
  return status === undefined || kind === 'back' ? [] : [`HTTP ${status}`];
}

function editLines({ words }: WatchItem): string[] {
  if (words === undefined) return [];
  const more = words.editCount > SHOWN_EDITS ? [`  - and ${countText(words.editCount - SHOWN_EDITS)} more edits`] : [];
  return [...words.edits.slice(0, SHOWN_EDITS).map((edit) => `  - ${editText(edit)}`), ...more];
}

function editText({ removed, added }: { readonly removed: string; readonly added: string }): string {
  return [removed === '' ? '' : `~~${markdownLine(removed)}~~`, added === '' ? '' : `**${markdownLine(added)}**`].filter(Boolean).join(' ');
}

function termSections(terms: TermDrift): string[] {
  const sections = [
    ['Terms in a larger share of these pages', terms.more],
    ['Terms in a smaller share of these pages', terms.less],
  ] as const;
  return sections.flatMap(([head, list]) => (list.length === 0 ? [] : [`## ${head}`, termTable(list, terms)]));
}

function termTable(list: readonly DriftingTerm[], { now, before }: TermDrift): string {
  return numberTable(
    ['term', `of ${counted(now, 'page')}`, `of ${countText(before)} before`, 'G²'],
    list.map((one) => [markdownLine(one.term), countText(one.now), countText(one.before), one.g2.toFixed(1)]),
  );
}
