/** `forager watch` of a served web with planted changes and with noise: what it reports, once each, also if it is killed. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrawlLedgerLine, crawl } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeLock } from '../../../src/base/disk/lock.ts';
import type { WatchReport } from '../../../src/study/watch/watch-report.ts';
import { type ChangingWeb, changingWeb, precisionAndRecall } from '../../support/changing-web.ts';
import { size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines, refused, start } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(size(240, 70), 2);
const { path, seeds, web: generated } = small;
let topic = '';
const webs: ChangingWeb[] = [];
beforeAll(async () => {
  topic = await trainedOn(small);
});
afterAll(async () => {
  for (const web of webs) await web.close();
  await small.close();
});

/** Pages of the topic that are in no crawl. */
const FRESH = generated.examples(small.topic, 60).slice(12);
const DROUGHT = 'The drought of this summer reached the upper valley, and the drought warden closed the sluices.';
/** A paragraph that no page has: the words of two examples, and a word of its own. */
const paragraph = (i: number) =>
  `${DROUGHT} ${(FRESH[i % FRESH.length] ?? '')
    .replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')
    .split(/\s+/)
    .slice(40, 90)
    .join(' ')}`;

/** A drained crawl of a web that has not changed yet. */
async function crawledWeb(name: string) {
  const web = await changingWeb(generated);
  webs.push(web);
  const dir = path(name);
  await crawl({ dir, topic, seeds, proxy: web.proxy, delay: 0, workers: 1, concurrency: 8 });
  const lines = jsonLines<CrawlLedgerLine>(await done('ledger', dir));
  return { web, dir, kept: lines.filter(({ state }) => state === 'kept').map(({ url }) => url) };
}

const newest = (dir: string) => JSON.parse(readFileSync(`${dir}/watch/${numberOf(dir)}.json`, 'utf8')) as WatchReport;
const numberOf = (dir: string) => {
  let number = 0;
  while (existsSync(`${dir}/watch/${number + 1}.json`)) number += 1;
  return number;
};
const reportsOf = (dir: string) =>
  Array.from({ length: numberOf(dir) }, (_, i) => JSON.parse(readFileSync(`${dir}/watch/${i + 1}.json`, 'utf8')) as WatchReport);
const keyed = (items: readonly { readonly kind: string; readonly url: string }[]) => items.map(({ kind, url }) => `${kind} ${url}`);

/** Plants changes: of ten, four paragraphs, three new pages, two that are gone and one that has moved. @param from number of the first */
function plant(web: ChangingWeb, kept: readonly string[], from: number, count: number): void {
  for (let i = from; i < from + count; i++) {
    const page = kept[i + seeds.length] ?? '';
    const kind = (['changed', 'new', 'changed', 'gone', 'changed', 'new', 'moved', 'changed', 'new', 'gone'] as const)[i % 10] ?? 'gone';
    if (kind === 'new')
      web.plant(kind, `${new URL(page).origin}/fresh-${i}`, withWords(FRESH[i % FRESH.length] ?? '', i), kept.at(-1 - i) ?? '');
    else web.plant(kind, page, paragraph(i));
  }
}

const withWords = (html: string, i: number) => html.replace('<p>', `<p>${DROUGHT} It is report number ${i} of the wardens. `);

wholeTest('fifty planted changes: each is reported once with its words, and no clock or counter is', async () => {
  const { web, dir, kept } = await crawledWeb('fifty');
  expect(kept.length).toBeGreaterThan(105);
  plant(web, kept, 0, 50);
  const printed = await done('watch', dir, '--revisit', '0s', '--format', 'json');
  const report = newest(dir);
  expect(JSON.parse(printed)).toEqual(report);
  const { precision, recall, missed, wrong } = precisionAndRecall(keyed(report.items), keyed(web.planted));
  expect({ precision, recall, missed, wrong }).toEqual({ precision: 1, recall: 1, missed: [], wrong: [] });
  for (const item of report.items) {
    if (item.kind === 'changed') expect(item.words?.edits.map(({ added }) => added).join(' ')).toContain('drought');
    if (item.kind === 'moved') expect(item).toMatchObject({ to: `${item.url}/moved-here`, status: 301 });
    if (item.kind === 'gone') expect(item).toMatchObject({ status: 410, after: null });
    expect([item.url, item.before === null]).toEqual([item.url, item.kind === 'new']);
  }
  expect(report.terms.more.map(({ term }) => term)).toEqual(expect.arrayContaining(['drought', 'warden']));

  const markdown = readFileSync(`${dir}/watch/1.md`, 'utf8');
  expect(markdown).toContain('15 new, 20 changed, 5 moved, 10 gone.');
  expect(markdown).toContain('| drought |');
  const feed = readFileSync(`${dir}/watch/feed.xml`, 'utf8');
  expect(feed.match(/<entry>/g)).toHaveLength(50);
  expect(new Set(feed.match(/<id>[^<]*<\/id>/g)).size).toBe(51);

  // Nothing more has changed: noise alone.
  await done('watch', dir, '--every', '0s', '--revisit', '0s');
  expect(newest(dir)).toMatchObject({ number: 2, items: [], from: report.to });
  expect(readFileSync(`${dir}/watch/2.md`, 'utf8')).toContain('Nothing has changed.');
});

test('a call before the next look requests nothing; a report alone begins where the last one ended', async () => {
  const { web, dir, kept } = await crawledWeb('calls');
  const begun = await forager('watch', dir, '--report-only');
  expect([begun.code, begun.stdout]).toEqual([0, '']);
  expect(begun.stderr).toContain(`the watch begins with ${kept.length} pages`);
  plant(web, kept, 0, 10);
  // A crawl of one's own in the same directory.
  await crawl({ dir, revisit: 0, workers: 1 });
  const out = path('news.xml');
  expect(await done('watch', dir, '--report-only', '--format', 'feed', '--out', out)).toContain(
    'report 1: 3 new, 4 changed, 1 moved, 2 gone',
  );
  expect(readFileSync(out, 'utf8')).toBe(readFileSync(`${dir}/watch/feed.xml`, 'utf8'));
  expect(precisionAndRecall(keyed(newest(dir).items), keyed(web.planted))).toMatchObject({ precision: 1, recall: 1 });

  const early = await forager('watch', dir, '--every', '1h');
  expect([early.code, early.stdout]).toEqual([0, '']);
  expect(early.stderr).toMatch(/the last look began at \S+; the next one is due at /);
  expect(numberOf(dir)).toBe(1);
  rmSync(`${dir}/watch/feed.xml`);
  await done('watch', dir, '--every', '1h');
  expect(existsSync(`${dir}/watch/feed.xml`)).toBe(true);

  await refused(2, ['no crawl is here'], 'watch', path('nothing'));
  const lock = await takeLock(`${dir}/lock`, dir);
  await refused(3, [`${dir}: `, 'to report beside it, give --report-only'], 'watch', dir, '--every', '0s');
  await lock.release();
  const taken = newest(dir).items.find(({ kind }) => kind === 'changed')?.url ?? '';
  const files = () => ['1.json', '1.md', 'feed.xml'].map((name) => readFileSync(`${dir}/watch/${name}`, 'utf8').includes(taken));
  expect(files()).toEqual([true, true, true]);
  await done('corpus', 'withdraw', dir, '--url', taken, '--reason', 'asked', '--purge');
  expect([newest(dir).items.length, ...files()]).toEqual([9, false, false, false]);
  await done('watch', dir, '--report-only');
  expect(newest(dir)).toMatchObject({ number: 2, items: [] });
  await done('verify', dir);
});

wholeTest('killed at twenty moments, no change is lost and none is told twice', async () => {
  const { web, dir, kept } = await crawledWeb('killed');
  const look = ['watch', dir, '--every', '0s', '--revisit', '0s'];
  for (let i = 0; i < 20; i++) {
    plant(web, kept, 3 * i, 3);
    const run = start(look);
    await sleep(350 + 90 * i);
    run.child.kill('SIGKILL');
    await run.ended;
  }
  await done(...look);
  await done(...look);
  const told = reportsOf(dir).flatMap(({ items }) => keyed(items));
  expect(precisionAndRecall(told, keyed(web.planted))).toMatchObject({ missed: [], wrong: [] });
  const [first, ...others] = reportsOf(dir);
  others.reduce((before, report) => {
    expect(report.from).toBe(before?.to);
    return report;
  }, first);
});

wholeTest('over four weeks on a fast clock: precision, recall and delay in days', async () => {
  const DAY = 1500;
  const { web, dir, kept } = await crawledWeb('weeks');
  let planted = 0;
  for (let day = 0; day < 28 + 8; day++) {
    const began = Date.now();
    const changes = Math.min(50, Math.floor(((day + 1) * 50) / 28)) - planted;
    plant(web, kept, planted, changes);
    planted += changes;
    // Cron calls each day.
    await done('watch', dir, '--every', `${7 * DAY}ms`);
    await sleep(Math.max(0, DAY - (Date.now() - began)));
  }
  const reports = reportsOf(dir);
  const items = reports.flatMap((report) => report.items);
  const { precision, recall, missed, wrong } = precisionAndRecall(keyed(items), keyed(web.planted));
  const seen = new Map(items.map((item) => [`${item.kind} ${item.url}`, Date.parse(item.at)]));
  const delays = web.planted.flatMap(({ kind, url, at }) => {
    const first = seen.get(`${kind} ${url}`);
    return first === undefined ? [] : [(first - at) / DAY];
  });
  const mean = delays.reduce((sum, days) => sum + days, 0) / delays.length;
  const longest = Math.max(...reports.map(({ startedAt, to }) => Date.parse(to) - Date.parse(startedAt))) / DAY;
  process.stdout.write(
    `watch of 28 days, a look in 7, calls each day, a look takes up to ${longest.toFixed(1)}: ${web.planted.length} changes, ${reports.length} reports, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, delay ${mean.toFixed(1)} days, at most ${Math.max(...delays).toFixed(1)}\n`,
  );
  expect({ precision, recall, missed, wrong }).toEqual({ precision: 1, recall: 1, missed: [], wrong: [] });
  // A change waits half a period in the mean; at most a period, the time to the next call, and that of the look.
  expect(mean).toBeLessThan(4 + longest);
  expect(Math.max(...delays)).toBeLessThan(8 + longest);
});
