/** Who is not asked, who says who runs a crawl, and what a crawl remembers of its host policy. */
import { readFileSync, writeFileSync } from 'node:fs';
import { crawl, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resetMarks } from '../../../src/corpus/records/commit-marks.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { fate, report, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
const seeds = small.seeds;
let served: Served;
let topic: string;
beforeAll(async () => {
  served = await small.serve();
  topic = await trainedOn(small);
});
afterAll(() => small.close());

const args = (dir: string, ...more: string[]) => ['crawl', path(dir), '--topic', topic, '--seeds', ...seeds, ...more];
const manifestOf = (dir: string) => JSON.parse(readFileSync(path(dir, 'crawl.json'), 'utf8')) as Record<string, unknown>;

wholeTest('a crawl that may go everywhere says who runs it', async () => {
  const needed = ['--contact', '--scope'];
  await refused(2, needed, ...args('anonymous'));
  await refused(2, needed, ...args('anonymous', '--scope', 'not:host:elsewhere.example'));
  await refused(2, needed, ...args('anonymous', '--contact', ' '));
  for (const contact of [
    'bob',
    'bob@',
    '@example.org',
    'bob@example..org',
    'ftp://example.org/',
    'http://',
    'mailto:bob@example.org',
    'bob at example.org',
  ])
    await refused(2, [`--contact ${contact}: is neither a mail address nor an http(s) URL`], ...args('unreachable', '--contact', contact));
  await refused(2, needed, ...args('anonymous', '--allow-private'));
  const base = { topic, maxPages: 1, delay: 0, workers: 1 };
  // Nothing answers there: what counts is that it is let begin.
  const begun = async (more: object) =>
    (await crawl({ ...base, dir: path('begun'), force: true, seeds: ['http://127.0.0.1:1/'], ...more })).stopReason;
  expect(await begun({})).toBe('drained');
  expect(await begun({ seeds, scope: ['host:none.example'] })).toBe('drained');
  expect(await begun({ seeds, proxy: served.proxy })).toBe('max-pages');
  await refused(2, needed, 'crawl', path('begun'), '--proxy', 'none');
});

test('a crawl remembers its host policy; what is said again replaces them, and a crawl of 0.1 has none', async () => {
  const list = path('remembered.txt');
  writeFileSync(list, '# nobody\n');
  await done(...args('kept', '--proxy', served.proxy, '--max-pages', '2', '--opt-out', list, '--per-domain', '--delay', '1ms'));
  expect(manifestOf('kept')).toMatchObject({ delay: 1, delayFactor: 1, perIp: true, perDomain: true, optOut: list });
  await done('crawl', path('kept'), '--max-pages', '3', '--delay-factor', '0.5', '--per-ip', 'off', '--opt-out', 'none');
  expect(manifestOf('kept')).toMatchObject({ delay: 1, delayFactor: 0.5, perIp: false, perDomain: true, optOut: null });
  const { delayFactor, perIp, perDomain, optOut, crc32: _, ...old } = manifestOf('kept');
  writeFileSync(path('kept', 'crawl.json'), JSON.stringify(old));
  await crawl({ dir: path('kept'), maxPages: 3 });
  expect(manifestOf('kept')).toMatchObject({ delayFactor: 0, perIp: false, perDomain: false, optOut: null });
  await refused(2, ['--delay-factor -1', 'at least 0'], ...args('wrong', '--delay-factor', '-1'));
  await refused(2, ['--per-ip maybe', 'on, off'], ...args('wrong', '--per-ip=maybe'));
});

test('a crawl with --delay 0 rests for nothing, unless it is told to', async () => {
  await crawl({ dir: path('quick'), topic, seeds, proxy: served.proxy, delay: 0, maxPages: 1, workers: 1 });
  expect(manifestOf('quick')).toMatchObject({ delay: 0, delayFactor: 0 });
});

test('hosts of an opt-out list are never asked; a list that cannot be read ends the command before anything is written', async () => {
  const none = path('none.txt');
  await refused(2, [`--opt-out ${none}`, 'cannot be read'], ...args('refused', '--proxy', served.proxy, '--opt-out', none));
  const list = path('opt-out.txt');
  writeFileSync(list, 'site-2.example\nftp://what\n');
  await refused(2, [list, 'line 2: "ftp://what"'], ...args('refused', '--proxy', served.proxy, '--opt-out', list));
  writeFileSync(list, 'site-2.example\nhttp://site-3.example/\n');
  const web = await small.serve();
  const dir = path('opted');
  const { counts } = await crawl({ dir, topic, seeds, proxy: web.proxy, delay: 0, maxPages: 60, optOut: list, workers: 1 });
  expect(counts.visited).toBe(60);
  expect(web.pages.filter((url) => /site-[23]\.example/.test(url))).toEqual([]);
  const lines = jsonLines<{ url: string; reason: string }>(await done('ledger', dir, '--state', 'refused'));
  const out = lines.filter(({ reason }) => reason === 'opt-out');
  expect(out.length).toBeGreaterThan(0);
  expect(out.every(({ url }) => /site-[23]\.example/.test(url))).toBe(true);
  expect((await status(dir)).reasons).toMatchObject({ 'refused:opt-out': out.length });
});

wholeTest('a list that becomes unreadable while the crawl runs is told of, once', async () => {
  const list = path('lost.txt');
  writeFileSync(list, 'elsewhere.example\n');
  const slow = await small.serve({ latency: 50 });
  const running = start(
    args('lost', '--proxy', slow.proxy, '--delay', '700ms', '--concurrency', '2', '--opt-out', list, '--max-time', '8s'),
  );
  await slow.reached(2);
  writeFileSync(list, 'no host at all\n');
  const { code, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(stderr.match(/forager: .*lost\.txt: line 1.*the list is used in its last version/g)).toHaveLength(1);
});

wholeTest('status names the hosts that were given up on, and the next run asks them again', async () => {
  const dir = path('trouble');
  await crawl({ dir, topic, seeds, proxy: served.proxy, delay: 0, maxPages: 10, workers: 1 });
  const clock = new VirtualClock(Date.now());
  const frontier = openLmdbFrontier(path('trouble', 'frontier'), {
    clock,
    delay: 0,
    maxPagesPerHost: Number.POSITIVE_INFINITY,
  });
  const first = frontier.next();
  if (first.kind !== 'lease') throw new Error('nothing waits');
  const { host } = first.lease.entry;
  for (let next: ReturnType<typeof frontier.next> = first, asked = 0; asked < 8; next = frontier.next()) {
    if (next.kind === 'wait') clock.advance(next.until - clock.now());
    else if (next.kind === 'lease') {
      const troubled = next.lease.entry.host === host;
      const ended = fate('failed', { reason: 'timeout' });
      frontier.settle(next.lease, { kind: 'done', fate: ended, discovered: null, host: troubled ? report('fault') : WELL });
      asked += Number(troubled);
    } else throw new Error(`only ${asked} requests were made`);
  }
  await frontier.commit(frontier.committedOffsets(), Promise.resolve());
  const { id } = manifestOf('trouble') as { id: string };
  await resetMarks(path('trouble', 'corpus'), frontier.lastCommit(), id);
  await frontier.close();

  const { givenUp, parked } = await status(dir);
  expect(givenUp).toEqual([{ host, waiting: parked['host-unreachable'] }]);
  expect(givenUp[0]?.waiting).toBeGreaterThan(0);
  const text = await done('status', dir);
  expect(text).toContain('hosts given up for this run');
  expect(text).toMatch(new RegExp(`^ +${givenUp[0]?.waiting}  ${host}$`, 'm'));
  await crawl({ dir, maxTime: 1, workers: 1 });
  expect((await status(dir)).givenUp).toEqual([]);
});
