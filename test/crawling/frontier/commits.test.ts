/** What a commit makes durable: flushed when it resolves, whole, and nothing of what is written while it runs is lost. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Revisit } from '../../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { HEALTHY } from '../../../src/crawling/frontier/host-health.ts';
import { activeMeta } from '../../../src/crawling/frontier/lmdb-meta.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { fate, link, NAME, NO_TEXT, outlinks, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-commits-'));
  folders.push(folder);
  return folder;
}

const clock = new VirtualClock();
const open = (folder: string) => openLmdbFrontier(folder, { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY });
const ready = Promise.resolve();
/** Of no machine that ran: after a power cut only what was flushed counts. */
const ANOTHER_BOOT = 4711n;

/** The number of the newest transaction, and of the one a power cut at this moment would leave. */
function transactions(folder: string): { readonly newest: number | undefined; readonly afterPowerCut: number | undefined } {
  const fd = openSync(join(folder, 'data.mdb'), 'r');
  try {
    return { newest: activeMeta(fd)?.transaction, afterPowerCut: activeMeta(fd, ANOTHER_BOOT)?.transaction };
  } finally {
    closeSync(fd);
  }
}

test('when a commit resolves, a power cut would leave it', async () => {
  const folder = newFolder();
  const store = LmdbStore.open(folder, null, null);
  for (let i = 0; i < 10; i++) {
    const links = Array.from({ length: 300 }, (_, k) =>
      link(`http://h${k}.test/${i}`, 0.5, null, { ...NO_TEXT, context: `${i} ${k}`.repeat(9) }),
    );
    store.appendDiscovery(i, { ...outlinks('http://p.test/', links), shorterWayOnly: [] });
    await store.commit({ 'records.jsonl': i }, ready);
    const { newest, afterPowerCut } = transactions(folder);
    expect(newest).toBeGreaterThan(i);
    expect(afterPowerCut).toBe(newest);
  }
  await store.close();
});

/** Debian's `strace`, allowed to trace. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

test.skipIf(!canTrace)('the system was told to flush the database before a commit resolves (needs strace)', () => {
  const folder = newFolder();
  const script = `
    import { writeSync } from 'node:fs';
    import { LmdbStore } from ${JSON.stringify(new URL('../../../dist/crawling/frontier/lmdb-store.js', import.meta.url).href)};
    const store = LmdbStore.open(${JSON.stringify(folder)}, null, null);
    for (let i = 0; i < 4; i++) {
      store.putRetry(i, { attempts: 1, notBefore: 1 }, { url: 'http://a.test/', host: 'http://a.test' });
      writeSync(1, 'commit begins');
      await store.commit({}, Promise.resolve());
      writeSync(1, 'commit resolved');
    }
    await store.close();`;
  const log = join(folder, 'calls');
  const calls = ['-f', '-y', '-e', 'trace=fsync,fdatasync,msync,write', '-o', log];
  expect(spawnSync('strace', [...calls, process.execPath, '--input-type=module', '-e', script]).status).toBe(0);
  const commits = readFileSync(log, 'utf8').split('commit begins').slice(1);
  expect(commits.length).toBe(4);
  for (const commit of commits) expect(commit.split('commit resolved')[0]).toMatch(/(fsync|fdatasync)\(\d+<[^>]*data\.mdb>\)/);
});

const REVISIT: Revisit = { at: 1, status: 200, result: 'same', version: null };
const page = (text: string) => ({ title: '', text, lang: null });
const settled = (text: string) => ({
  fate: fate('off-topic', { relevance: 0.1, page: page(text) }),
  order: 1,
  priority: 0.5,
  learnedFrom: 0,
});

test('what is written again while a commit runs joins the next one', async () => {
  const folder = newFolder();
  const store = LmdbStore.open(folder, null, null);
  const write = (turn: number) => {
    store.appendDiscovery(0, { ...seeds(link(`http://a.test/${turn}`, 1)), shorterWayOnly: [] });
    store.putFate(0, settled(`text ${turn}`), NAME);
    store.putRetry(1, { attempts: turn, notBefore: turn }, NAME);
    store.putRevisit(2, { ...REVISIT, at: turn }, NAME);
    store.putHost(3, { ...HEALTHY, faults: turn }, NAME.host);
    store.putUnparking({ settled: turn, pattern: `p${turn}` });
  };
  let corpusIsFlushed = () => {};
  const corpus = new Promise<void>((resolve) => {
    corpusIsFlushed = resolve;
  });
  write(1);
  const first = store.commit({ 'records.jsonl': 1 }, corpus);
  write(2);
  corpusIsFlushed();
  await first;
  expect(store.page(0)).toEqual(page('text 2'));
  await store.commit({ 'records.jsonl': 2 }, ready);
  await store.close();

  const again = LmdbStore.open(folder, null, null);
  expect(again.discovery(0).links.map(({ url }) => url)).toEqual(['http://a.test/2']);
  expect(again.page(0)).toEqual(page('text 2'));
  expect([...again.retries()]).toEqual([[1, { attempts: 2, notBefore: 2 }]]);
  expect([...again.revisits()]).toEqual([[2, { ...REVISIT, at: 2 }]]);
  expect([...again.hosts()]).toEqual([[3, { ...HEALTHY, faults: 2 }]]);
  expect(again.unparkings().map(({ pattern }) => pattern)).toEqual(['p1', 'p2']);
  expect(again.lastCommit()?.offsets).toEqual({ 'records.jsonl': 2 });
  await again.close();
});

test('what is written while a commit runs is not part of that commit', async () => {
  const folder = newFolder();
  const store = LmdbStore.open(folder, null, null);
  store.putRetry(1, { attempts: 1, notBefore: 1 }, NAME);
  const commit = store.commit({}, ready);
  store.putRetry(1, { attempts: 2, notBefore: 2 }, NAME);
  store.putRetry(2, { attempts: 1, notBefore: 1 }, NAME);
  store.putUnparking({ settled: 1, pattern: 'late' });
  await commit;
  await store.close();
  const again = LmdbStore.open(folder, null, null);
  expect([...again.retries()]).toEqual([[1, { attempts: 1, notBefore: 1 }]]);
  expect(again.unparkings()).toEqual([]);
  await again.close();
});

test.each([
  ['off topic', { depth: 3, offTopicDepth: 1 }],
  ['from the seeds', { depth: 1, offTopicDepth: 4 }],
])('a way that is shorter %s alone is found again', async (_which, shorter) => {
  const folder = newFolder();
  const before = open(folder);
  before.add(outlinks('http://p.test/', [link('http://a.test/', 0.9)], { depth: 3, offTopicDepth: 4 }));
  await before.commit({}, ready);
  before.add(outlinks('http://q.test/', [link('http://a.test/', 0.2)], shorter));
  await before.commit({}, ready);
  await before.close();

  const after = open(folder);
  const next = after.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  expect(next.lease.entry).toMatchObject({ ...shorter, priority: Math.fround(0.9), edge: { referrer: { url: 'http://p.test/' } } });
  after.settle(next.lease, { kind: 'done', fate: fate('kept'), discovered: null, host: WELL });
  await after.close();
});
