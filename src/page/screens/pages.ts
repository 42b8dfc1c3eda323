/** The ledger of a crawl with filters, a screen of lines at a time. */
import type { CrawlLedgerLine } from '../../inspect/ledger-lines.ts';
import type { LedgerPage, LedgerQuery } from '../ledger-page.ts';
import { html, type Markup } from '../markup.ts';
import { field, filterForm, hidden, numberOf, options, table, urlLink } from '../pieces.ts';
import { surveyOf } from '../place.ts';
import type { DatedSurvey } from '../readings.ts';
import { get, type Route } from '../route.ts';
import { countText, STRINGS, unitText } from '../strings.ts';

const TEXT = STRINGS.pages;

export const pages: readonly Route[] = [
  get('/pages', async ({ place, query }) => {
    const asked = queryOf(query);
    const [survey, page] = [await surveyOf(place), await place.reader.ask('ledger', asked)];
    return {
      kind: 'screen',
      title: TEXT.title,
      main: html`<h1>${TEXT.title}</h1>${filters(survey, asked)}${lines(page)}${more(page, query)}`,
    };
  }),
];

function queryOf(query: URLSearchParams): LedgerQuery {
  const text = (name: string) => (query.get(name) ?? '').trim();
  return {
    state: text('state'),
    reason: text('reason'),
    host: text('host'),
    text: text('text'),
    least: numberOf(text('least')),
    most: numberOf(text('most')),
    after: Math.max(0, numberOf(text('after')) ?? 0),
  };
}

function filters({ status: { states, reasons } }: DatedSurvey, { state, reason, host, text, least, most }: LedgerQuery): Markup {
  const known = [...new Set(Object.keys(reasons).map((key) => key.slice(key.indexOf(':') + 1)))].sort();
  return filterForm('/pages', [
    field(
      TEXT.state,
      options(
        'state',
        [
          ['', TEXT.any],
          ...Object.keys(states)
            .sort()
            .map((name) => [name, name] as const),
        ],
        state,
      ),
    ),
    field(TEXT.reason, options('reason', [['', TEXT.any], ...known.map((name) => [name, name] as const)], reason)),
    field(TEXT.host, html`<input name="host" value="${host}">`),
    field(TEXT.text, html`<input name="text" type="search" value="${text}">`),
    field(TEXT.least, html`<input name="least" inputmode="decimal" size="5" value="${least}">`),
    field(TEXT.most, html`<input name="most" inputmode="decimal" size="5" value="${most}">`),
  ]);
}

function lines({ lines: found }: LedgerPage): Markup {
  if (found.length === 0) return html`<p>${TEXT.none}</p>`;
  return table(
    TEXT.lines,
    [
      { head: TEXT.order, cell: ({ order }) => (order === null ? '–' : countText(order)), isNumber: true },
      { head: TEXT.state, cell: ({ state }) => html`<span class="word">${state}</span>` },
      { head: TEXT.reason, cell: ({ reason }) => html`<bdi>${reason}</bdi>` },
      { head: TEXT.relevance, cell: ({ relevance }) => unit(relevance), isNumber: true },
      { head: TEXT.priority, cell: ({ priority }) => unit(priority), isNumber: true },
      { head: TEXT.depth, cell: ({ depth }) => countText(depth), isNumber: true },
      { head: TEXT.url, cell: ({ url }: CrawlLedgerLine) => urlLink(url) },
      { head: TEXT.anchor, cell: ({ anchorText }) => html`<bdi>${anchorText}</bdi>` },
    ],
    found,
  );
}

/** Continues behind the last line that was read. */
function more({ read, more: isMore }: LedgerPage, query: URLSearchParams): Markup {
  const kept = [...query].filter(([name]) => name !== 'after').map(([name, value]) => hidden(name, value));
  return html`<p><small>${TEXT.read(countText(read))}</small></p>
${isMore && html`<form action="/pages">${kept}${hidden('after', String(read))}<button>${TEXT.more}</button></form>`}`;
}

function unit(value: number | null): string {
  return value === null ? '–' : unitText(value);
}
