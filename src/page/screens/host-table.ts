/** All hosts of a crawl: kept, visited, yield, waiting URLs. */
import type { SurveyedHost } from '../../inspect/survey.ts';
import { wilson } from '../../topic/wilson.ts';
import { html, type Markup } from '../markup.ts';
import { field, filterForm, options, table } from '../pieces.ts';
import { surveyOf } from '../place.ts';
import type { DatedSurvey } from '../readings.ts';
import { get, type Route } from '../route.ts';
import { countText, STRINGS, shareText } from '../strings.ts';

const TEXT = STRINGS.hosts;
/** More would be a slow page; the filter finds the others. */
const ROWS = 200;

const ORDERS = ['kept', 'visited', 'waiting', 'failed', 'refused', 'parked'] as const;
type Order = (typeof ORDERS)[number];

export const hosts: readonly Route[] = [
  get('/hosts', async ({ place, query }) => {
    const survey = await surveyOf(place);
    const [name, order] = [(query.get('host') ?? '').trim().toLowerCase(), orderOf(query.get('by'))];
    const found = survey.hosts.filter(({ host }) => host.includes(name)).sort((a, b) => b[order] - a[order]);
    return { kind: 'screen', title: TEXT.title, main: html`<h1>${TEXT.title}</h1>${filters(name, order)}${lines(found, survey)}` };
  }),
];

function orderOf(text: string | null): Order {
  return ORDERS.find((one) => one === text) ?? 'kept';
}

function filters(name: string, order: Order): Markup {
  return filterForm('/hosts', [
    field(TEXT.host, html`<input name="host" type="search" value="${name}">`),
    field(
      TEXT.by,
      options(
        'by',
        ORDERS.map((one) => [one, TEXT[one]] as const),
        order,
      ),
    ),
  ]);
}

function lines(found: readonly SurveyedHost[], { moreHosts, status: { retried, givenUp } }: DatedSurvey): Markup {
  const next = new Map(retried.map((one) => [one.host, one.notBefore]));
  const lost = new Set(givenUp.map(({ host }) => host));
  const rows = table(
    TEXT.title,
    [
      { head: TEXT.host, cell: ({ host }) => html`<a href="/pages?host=${encodeURIComponent(host)}"><bdi>${host}</bdi></a>` },
      { head: TEXT.kept, cell: ({ kept }) => countText(kept), isNumber: true },
      { head: TEXT.visited, cell: ({ visited }) => countText(visited), isNumber: true },
      { head: TEXT.yield, cell: ({ kept, visited }) => yieldText(kept, visited), isNumber: true },
      { head: TEXT.waiting, cell: ({ waiting }) => countText(waiting), isNumber: true },
      { head: TEXT.parked, cell: ({ parked }) => countText(parked), isNumber: true },
      { head: TEXT.failed, cell: ({ failed }) => countText(failed), isNumber: true },
      { head: TEXT.refused, cell: ({ refused }) => countText(refused), isNumber: true },
      { head: TEXT.next, cell: ({ host }) => (lost.has(host) ? TEXT.givenUp : (next.get(host) ?? '')) },
    ],
    found.slice(0, ROWS),
  );
  const omitted = Math.max(0, found.length - ROWS) + moreHosts;
  return html`${found.length === 0 ? html`<p>${TEXT.none}</p>` : rows}${omitted > 0 && html`<p><small>${TEXT.omitted(countText(omitted))}</small></p>`}`;
}

/** Kept of visited, with the 95 % interval. A kept page may be reached by a redirect, so both counts are of the host that has the page. */
function yieldText(kept: number, visited: number): string {
  if (visited === 0) return '–';
  const { low, high } = wilson(Math.min(kept, visited), visited);
  return TEXT.interval(shareText(kept / visited), shareText(low), shareText(high));
}
