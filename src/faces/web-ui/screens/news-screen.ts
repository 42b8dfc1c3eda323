/** The reports of a watch, and the items of one of them. */
import { UsageError } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { crawlPaths } from '../../../crawling/crawl-dir/crawl-directory.ts';
import { readReport, reportNumbers } from '../../../study/watch/watch-files.ts';
import {
  type DriftingTerm,
  ITEM_KINDS,
  type ItemKind,
  itemCounts,
  type TermDrift,
  type WatchItem,
  type WatchReport,
} from '../../../study/watch/watch-report.ts';
import { commandLine } from '../command-line.ts';
import { html, type Markup } from '../markup.ts';
import { addressOf, type HtmlColumn, numberOf, outLink, table, urlLink } from '../pieces.ts';
import { type Asked, get, type Route } from '../route.ts';
import { STRINGS, timeText } from '../strings.ts';

const TEXT = STRINGS.news;
/** Reports of the list, and items of a kind; the files have all. */
const LISTED = 20;
const SHOWN = 100;
const SHOWN_EDITS = 3;

export const newsScreen: readonly Route[] = [get('/new', async (asked) => ({ kind: 'screen', title: TEXT.title, main: screen(asked) }))];

function screen({ place, query }: Asked): Markup {
  const paths = crawlPaths(place.dir);
  // Number 0 is the state at the start.
  const numbers = reportNumbers(paths).filter((number) => number > 0);
  const before = numberOf(query.get('before') ?? '') ?? Number.POSITIVE_INFINITY;
  const listed = numbers.filter((number) => number < before).slice(0, LISTED);
  const asked = numberOf(query.get('report') ?? '') ?? listed[0];
  const head = html`<h1>${TEXT.title}</h1><p>${TEXT.about}</p>`;
  if (asked === undefined) return html`${head}<p>${TEXT.noReport}</p>${commandLine(commandOn('watch', place.dir, '--every', '7d'))}`;
  if (!numbers.includes(asked)) throw new UsageError(TEXT.noSuchReport(String(asked)));
  const reports = listed.map((number) => readReport(paths, number));
  const last = listed.at(-1);
  const older =
    last !== undefined &&
    numbers.some((number) => number < last) &&
    html`<p><a href="${addressOf('/new', { before: String(last) })}">${TEXT.older}</a></p>`;
  const shown = reports.find(({ number }) => number === asked) ?? readReport(paths, asked);
  return html`${head}${table(TEXT.reports, REPORT_COLUMNS, reports)}${older}${reportParts(shown)}`;
}

const REPORT_COLUMNS: readonly HtmlColumn<WatchReport>[] = [
  { head: TEXT.report, cell: ({ number }) => html`<a href="${addressOf('/new', { report: String(number) })}">${number}</a>` },
  { head: TEXT.until, cell: ({ to }) => timeText(Date.parse(to)) },
  ...(['new', 'changed', 'moved', 'gone'] as const).map((kind) => ({
    head: TEXT.kinds[kind],
    cell: (report: WatchReport) => countText(itemCounts(report)[kind]),
    isNumber: true as const,
  })),
];

function reportParts(report: WatchReport): Markup {
  const { number, from, to, items, terms } = report;
  const period = TEXT.period(from === null ? STRINGS.none : timeText(Date.parse(from)), timeText(Date.parse(to)));
  const sections = ITEM_KINDS.map((kind) =>
    kindSection(
      kind,
      items.filter((item) => item.kind === kind),
    ),
  );
  return html`<section><h2>${TEXT.reportOf(String(number))}</h2><p>${period}</p>${items.length === 0 && html`<p>${TEXT.nothing}</p>`}
${sections}${termTable(TEXT.more, terms.more, terms)}${termTable(TEXT.less, terms.less, terms)}</section>`;
}

function kindSection(kind: ItemKind, items: readonly WatchItem[]): Markup | null {
  if (items.length === 0) return null;
  const more = items.length > SHOWN && html`<p>${TEXT.moreItems(countText(items.length - SHOWN))}</p>`;
  return html`${table(TEXT.heads[kind](countText(items.length)), PLAIN.has(kind) ? [PAGE_COLUMN] : [PAGE_COLUMN, CHANGE_COLUMN], items.slice(0, SHOWN))}${more}`;
}

const PAGE_COLUMN: HtmlColumn<WatchItem> = {
  head: TEXT.page,
  cell: ({ title, url, at }) => html`<strong><bdi>${title || url}</bdi></strong> <small>${TEXT.seen(timeText(Date.parse(at)))}</small>
<div>${urlLink(url)} ${outLink(url)}</div>`,
};
const CHANGE_COLUMN: HtmlColumn<WatchItem> = { head: TEXT.change, cell: changeCell };
/** Kinds whose name says the whole change. */
const PLAIN: ReadonlySet<ItemKind> = new Set(['new', 'back', 'noindex']);

function changeCell({ url, words, to, status, onTopic, kind }: WatchItem): Markup {
  const off = onTopic === false && html`<div>${TEXT.offTopic}</div>`;
  if (words === undefined)
    return html`${to !== undefined && html`<div>${TEXT.movedTo} ${urlLink(to)}</div>`}${status !== undefined && kind === 'gone' && html`<div>HTTP ${status}</div>`}${off}`;
  const edits = words.edits
    .slice(0, SHOWN_EDITS)
    .map(
      ({ removed, added }) =>
        html`<div class="edit">${removed !== '' && html`<del><bdi>${removed}</bdi></del> `}${added !== '' && html`<ins><bdi>${added}</bdi></ins>`}</div>`,
    );
  const more = words.editCount > SHOWN_EDITS && html`<div><small>${TEXT.moreEdits(countText(words.editCount - SHOWN_EDITS))}</small></div>`;
  return html`<div>${TEXT.words(countText(words.added), countText(words.removed))}</div>${edits}${more}${off}<div><a href="${addressOf('/diff', { url })}">${TEXT.compare}</a></div>`;
}

function termTable(caption: string, terms: readonly DriftingTerm[], { now, before }: TermDrift): Markup | null {
  if (terms.length === 0) return null;
  const columns: readonly HtmlColumn<DriftingTerm>[] = [
    { head: TEXT.term, cell: ({ term }) => html`<bdi>${term}</bdi>` },
    { head: TEXT.ofNow(counted(now, 'page')), cell: (one) => countText(one.now), isNumber: true },
    { head: TEXT.ofBefore(countText(before)), cell: (one) => countText(one.before), isNumber: true },
    { head: 'G²', cell: ({ g2 }) => g2.toFixed(1), isNumber: true },
  ];
  return table(caption, columns, terms);
}
