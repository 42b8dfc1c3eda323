/** Reports of a watch that was never made, for the screen that shows them. */
import type { WatchItem, WatchReport } from '../../dist/study/watch/watch-report.js';

const HOSTS = ['bog.example', 'mire.example', 'peat.example'];

/** @param number of the report. @param words of the titles */
export function madeReport(number: number, words = 'Sphagnum on raised bogs'): WatchReport {
  const day = (of: number) => new Date(Date.UTC(2026, 0, 1 + 7 * of, 4, 15)).toISOString();
  const url = (i: number, path = 'a') => `http://${HOSTS[i % HOSTS.length]}/${path}/${number}-${i}.html` as WatchItem['url'];
  const item = (i: number, rest: Pick<WatchItem, 'kind'> & Partial<WatchItem>): WatchItem => ({
    url: url(i),
    title: `${words}, part ${i}`,
    at: day(number - 1),
    before: `urn:uuid:before-${number}-${i}` as NonNullable<WatchItem['before']>,
    after: `urn:uuid:after-${number}-${i}` as NonNullable<WatchItem['after']>,
    ...rest,
  });
  const edits = [
    { removed: 'In most years the water', added: 'In the two dry years since, the water' },
    { removed: '', added: 'The sluices were closed in August.' },
    { removed: 'Nothing else is known of it.', added: '' },
    { removed: 'one', added: 'two' },
  ];
  const items: WatchItem[] = [
    ...[0, 1, 2].map((i) => item(i, { kind: 'new', before: null, onTopic: true })),
    item(3, { kind: 'changed', onTopic: true, words: { added: 13, removed: 10, edits, editCount: 7 } }),
    item(4, { kind: 'changed', onTopic: false, words: { added: 200, removed: 180, edits: edits.slice(0, 1), editCount: 1 } }),
    item(5, { kind: 'moved', status: 301, to: url(5, 'archive') }),
    item(6, { kind: 'gone', status: 410, after: null }),
    item(7, { kind: 'back', status: 200 }),
  ];
  const terms = {
    now: 5,
    before: 340,
    more: [
      { term: 'drought', now: 5, before: 12, g2: 31.4 },
      { term: 'sluice', now: 3, before: 2, g2: 22.9 },
    ],
    less: [{ term: 'meadow', now: 0, before: 310, g2: 19.2 }],
  };
  const place = { lines: 0, tail: [] };
  const covers = { records: place, absences: place };
  const isFirst = number === 0;
  return {
    format: 'forager-watch/1',
    number,
    crawl: '0b0a1c6e-6b1c-4a57-9f0a-d3b8f3a1c111',
    startedAt: day(number),
    from: isFirst ? null : day(number - 1),
    to: day(number),
    pages: 345,
    covers,
    terms: isFirst ? { now: 0, before: 0, more: [], less: [] } : terms,
    items: isFirst ? [] : items,
  };
}
