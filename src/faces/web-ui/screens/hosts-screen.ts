/** All hosts: pages, waiting URLs, failures; and opting one out. */

import { UsageError } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { countText, percentText } from '../../../base/text/number-text.ts';
import { canonicalize, hostKeyOf } from '../../../base/web/url.ts';
import { readManifest } from '../../../crawling/crawl-dir/crawl-directory.ts';
import { optOutHost } from '../../../crawling/fetch/opt-out.ts';
import { commandLine } from '../command-line.ts';
import { HOST_ORDERS, type HostOrder, type HostQuery } from '../host-page.ts';
import { type Content, html, type Markup } from '../markup.ts';
import { fetches } from '../opened-crawl.ts';
import { addressOf, button, choiceField, filterForm, type HtmlColumn, table, textField } from '../pieces.ts';
import { firstLineIn } from '../query.ts';
import type { HostReading } from '../readings.ts';
import { type Asked, get, post, type Route } from '../route.ts';
import { STRINGS } from '../strings.ts';

const TEXT = STRINGS.hosts;

type Line = HostReading['hosts'][number];

export const hostsScreen: readonly Route[] = [
  get('/hosts', async (asked) => {
    const query = queryIn(asked.query);
    const found = await asked.place.reader.ask('hosts', { ...query, fetches: await fetches(asked.place) });
    const main = html`<h1>${TEXT.title}</h1>${form(query)}${lines(found, asked)}${more(query, found)}${optOutText(found, asked)}`;
    return { kind: 'screen', title: TEXT.title, main };
  }),
  post('/hosts/opt-out', async ({ place, form: sent }) => {
    const given = sent.get('host') ?? '';
    const url = canonicalize(`${given}/`);
    if (url === null || hostKeyOf(url) !== given) throw new UsageError(TEXT.notHost(given));
    const { optOut } = readManifest(place.dir);
    if (optOut === null) throw new UsageError(TEXT.noFile);
    optOutHost(optOut, hostKeyOf(url));
    await place.run.acted('opt-out', [given]);
    return { kind: 'see', path: addressOf('/hosts', { host: sent.get('filter') ?? '', order: sent.get('order') ?? '' }) };
  }),
];

const FIRST: HostQuery = { host: '', order: 'kept', from: 0 };

function queryIn(query: URLSearchParams): HostQuery {
  return { host: query.get('host')?.trim() ?? '', order: orderIn(query.get('order')), from: firstLineIn(query) };
}

function orderIn(given: string | null): HostOrder {
  return HOST_ORDERS.find((one) => one === given) ?? FIRST.order;
}

function form({ host, order }: HostQuery): Markup {
  const orders = HOST_ORDERS.map((one) => [one, TEXT.orders[one]] as const);
  return filterForm('/hosts', html`${textField(TEXT.host, 'host', host)}${choiceField(TEXT.order, 'order', order, orders)}`);
}

function lines({ hosts, matching, optOut }: HostReading, { query, formToken }: Asked): Markup {
  if (hosts.length === 0) return html`<p>${TEXT.noMatch}</p>`;
  const { host: filter, order } = queryIn(query);
  const out: HtmlColumn<Line> = {
    head: TEXT.optOutColumn,
    cell: ({ host, optedOut }) => (optedOut ? TEXT.optedOut : button(formToken, '/hosts/opt-out', TEXT.optOut, { host, filter, order })),
  };
  return html`<p>${TEXT.yieldMeans}</p>${table(TEXT.matching(countText(matching)), [...COLUMNS, ...(optOut === null ? [] : [out])], hosts)}`;
}

const COLUMNS: readonly HtmlColumn<Line>[] = [
  { head: TEXT.host, cell: ({ host }) => html`<a href="${addressOf('/pages', { host })}"><bdi>${host}</bdi></a>` },
  { head: TEXT.kept, cell: ({ kept }) => countText(kept), isNumber: true },
  { head: TEXT.visited, cell: ({ visited }) => countText(visited), isNumber: true },
  { head: TEXT.yield, cell: (one) => (one.yield === null ? STRINGS.none : percentText(one.yield.share)), isNumber: true },
  { head: TEXT.interval, cell: intervalOf, isNumber: true },
  { head: TEXT.waiting, cell: ({ waiting }) => countText(waiting), isNumber: true },
  { head: TEXT.parked, cell: ({ parked }) => countText(parked), isNumber: true },
  { head: TEXT.failed, cell: ({ failed }) => countText(failed), isNumber: true },
  { head: TEXT.refused, cell: ({ refused }) => countText(refused), isNumber: true },
  { head: TEXT.retry, cell: retryOf },
];

function intervalOf(line: Line): string {
  return line.yield === null ? STRINGS.none : TEXT.intervalOf(percentText(line.yield.low), percentText(line.yield.high));
}

function retryOf({ retry, givenUp }: Line): Content {
  const next =
    retry && html`<span class="word">${retry.notBefore}</span> <small>${TEXT.tries(countText(retry.attempts), retry.reason)}</small>`;
  return html`${next}${givenUp && html`<span class="warning">${TEXT.givenUp}</span>`}`;
}

function more({ host, order }: HostQuery, { next }: HostReading): Markup | null {
  if (next === null) return null;
  return html`<p><a rel="next" href="${addressOf('/hosts', { host, order, from: String(next) })}">${STRINGS.more}</a></p>`;
}

function optOutText({ optOut }: HostReading, { place: { dir } }: Asked): Markup {
  if (optOut !== null) return html`<p><small>${TEXT.optOutFile(optOut)}</small></p>`;
  return html`<p><small>${TEXT.noOptOutFile}</small></p>${commandLine(commandOn('crawl', dir, '--opt-out', 'opt-out.txt'))}`;
}
