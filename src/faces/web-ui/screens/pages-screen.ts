/** The ledger: each discovered URL with its fate, by filters. */

import { UsageError } from '../../../base/core/errors.ts';
import { countText } from '../../../base/text/number-text.ts';
import { OLD_STATES } from '../../../crawling/settings/settings.ts';
import type { CrawlLedgerLine } from '../../../study/inspect/ledger-lines.ts';
import type { LedgerQuery } from '../ledger-page.ts';
import { html, type Markup } from '../markup.ts';
import { addressOf, choiceField, filterForm, table, textField, unitField, urlLink } from '../pieces.ts';
import { firstLineIn } from '../query.ts';
import type { LedgerReading } from '../readings.ts';
import { get, type Route } from '../route.ts';
import { STRINGS, unitText } from '../strings.ts';

const TEXT = STRINGS.pages;

export const pagesScreen: readonly Route[] = [
  get('/pages', async ({ place, query }) => {
    const asked = queryIn(query);
    const found = await place.reader.ask('ledger', asked);
    const main = html`<h1>${TEXT.title}</h1>${form(asked, found)}${lines(found)}${more(asked, found)}`;
    return { kind: 'screen', title: TEXT.title, main, still: true };
  }),
];

/** @throws UsageError */
function queryIn(query: URLSearchParams): LedgerQuery {
  const text = (name: string) => query.get(name)?.trim() ?? '';
  return {
    state: nowOf(text('state')),
    reason: text('reason'),
    host: text('host'),
    text: text('text'),
    least: unitIn(text('least')),
    most: unitIn(text('most')),
    from: firstLineIn(query),
  };
}

/** @throws UsageError */
function unitIn(given: string): number | null {
  if (given === '') return null;
  const value = Number(given);
  if (!(value >= 0 && value <= 1)) throw new UsageError(TEXT.noRelevance(given));
  return value;
}

function form(asked: LedgerQuery, { states, reasons }: LedgerReading): Markup {
  const all = ['', TEXT.all] as const;
  const stateNames = Object.entries(states).sort(([, a], [, b]) => b - a);
  return filterForm(
    '/pages',
    html`${choiceField(TEXT.state, 'state', asked.state, [all, ...stateNames.map(([one, urls]) => [one, TEXT.stateOf(one, countText(urls))] as const)])}
${choiceField(TEXT.reason, 'reason', asked.reason, [all, ...reasons.map((one) => [one, one] as const)])}
${textField(TEXT.host, 'host', asked.host)}
${unitField(TEXT.least, 'least', asked.least)}
${unitField(TEXT.most, 'most', asked.most)}
${textField(TEXT.text, 'text', asked.text)}`,
  );
}

function lines({ matching, before, discovered, lines: shown }: LedgerReading): Markup {
  if (matching === 0) return html`<p>${TEXT.noMatch}</p>`;
  const all = TEXT.matching(countText(matching), countText(discovered));
  if (shown.length === 0) return html`<p>${all}</p>`;
  return table<CrawlLedgerLine>(
    `${all} ${TEXT.shown(countText(before + 1), countText(before + shown.length))}`,
    [
      { head: TEXT.url, cell: ({ url }) => urlLink(url) },
      { head: TEXT.state, cell: ({ state }) => state },
      { head: TEXT.reason, cell: ({ reason }) => textOf(reason) },
      { head: TEXT.relevance, cell: ({ relevance }) => (relevance === null ? STRINGS.none : unitText(relevance)), isNumber: true },
      { head: TEXT.priority, cell: ({ priority }) => unitText(priority), isNumber: true },
      { head: TEXT.depth, cell: ({ depth }) => countText(depth), isNumber: true },
      { head: TEXT.visit, cell: ({ order }) => (order === null ? STRINGS.none : countText(order)), isNumber: true },
      { head: TEXT.anchor, cell: ({ anchorText }) => textOf(anchorText) },
    ],
    shown,
  );
}

function more({ from: _, least, most, ...texts }: LedgerQuery, { next }: LedgerReading): Markup | null {
  if (next === null) return null;
  const fields = { ...texts, least: least === null ? '' : String(least), most: most === null ? '' : String(most), from: String(next) };
  return html`<p><a rel="next" href="${addressOf('/pages', fields)}">${STRINGS.more}</a></p>`;
}

/** Text of the web, or of a reason with a URL. */
function textOf(text: string): Markup | null {
  return text === '' ? null : html`<bdi>${text}</bdi>`;
}

/** Addresses of the version before have its words. */
function nowOf(state: string): string {
  return Object.entries(OLD_STATES).find(([old]) => old === state)?.[1] ?? state;
}
