/** Crawls whose truth is in PostgreSQL. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crawl, gather, ledger, records, refetchLost, status, verify, workers } from 'forager';
import { openCrawl } from 'forager/parts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopReasonOf } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { startTcpGate } from '../../machines/tcp-gate.ts';
import { size } from '../../support/extent.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { cameToRest, type SmallWeb, smallWeb, trainedOn } from '../cli/small-web.ts';

describe.skipIf(!HAS_POSTGRES)('a crawl in PostgreSQL', () => {
  const small: SmallWeb = smallWeb(size(300, 140));
  let topic: string;
  let server: PostgresServer;
  beforeAll(async () => {
    [topic, server] = await Promise.all([trainedOn(small), PostgresServer.start()]);
  });
  afterAll(async () => {
    await Promise.all([small.close(), server?.close()]);
  });

  /** Pages whose records can be read. */
  const gathered = async (dir: string) => {
    const ids = new Set<string>();
    for await (const { id } of records(dir, { onDamaged: () => undefined })) ids.add(id);
    return { verified: ids.size };
  };
  /** Ended when the log has been read, before the pages are copied. */
  const stoppedGather = async (dir: string, at: string) => {
    const stop = new AbortController();
    await expect(gather({ dir, at, signal: stop.signal, onProgress: () => stop.abort() })).rejects.toThrow('abort');
  };
  const lines = async (dir: string) => {
    const all = [];
    for await (const { fetchedAt: _, ...line } of ledger(dir)) all.push(line);
    return all;
  };

  wholeTest('of one worker equals one without it: ledger and order, after the loss of its folder, and over a second run', async () => {
    const served = await small.serve();
    const options = { topic, seeds: small.seeds, proxy: served.proxy, delay: 0, concurrency: 1, workers: 1 };
    const plain = small.path('plain');
    let seen = 0;
    const fresh = () => {
      const pages = served.pages.slice(seen);
      seen += pages.length;
      return pages;
    };
    const shared = small.path('shared');
    const at = server.address('equal');
    await crawl({ ...options, dir: plain, maxPages: 60 });
    const plainOrder = fresh();
    const report = await crawl({ ...options, dir: shared, maxPages: 60, at });
    expect(report).toMatchObject({ stopReason: 'max-pages', counts: { visited: 60 } });
    expect(fresh()).toEqual(plainOrder);
    expect(await lines(shared)).toEqual(await lines(plain));

    rmSync(shared, { recursive: true, force: true });
    await crawl({ dir: plain, proxy: served.proxy, concurrency: 1, workers: 1, maxPages: 100 });
    const plainLater = fresh();
    await crawl({ dir: shared, at, proxy: served.proxy, concurrency: 1, workers: 1, maxPages: 100 });
    expect(fresh()).toEqual(plainLater);
    expect(await lines(shared)).toEqual(await lines(plain));
  });

  wholeTest('whose view was lost, or is an older copy, continues with the whole corpus', async () => {
    const served = await small.serve();
    const at = server.address('view');
    const dir = small.path('view');
    const further = (maxPages: number) => crawl({ dir, proxy: served.proxy, workers: 1, maxPages });
    await crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, dir, at, maxPages: 40 });
    cpSync(join(dir, 'frontier'), small.path('older'), { recursive: true });
    await further(80);
    rmSync(join(dir, 'frontier'), { recursive: true });
    cpSync(small.path('older'), join(dir, 'frontier'), { recursive: true });
    await further(100);
    rmSync(join(dir, 'frontier'), { recursive: true });
    await further(120);
    expect(new Set(served.pages).size).toBe(served.pages.length);
    const whole = small.path('view-whole');
    const { counts } = await gather({ dir: whole, at });
    expect(counts.visited).toBe(120);
    expect((await gathered(whole)).verified).toBe(counts.kept);
    expect(await verify({ dir: whole })).toMatchObject({ faults: 0 });
  });

  test('of two workers visits each page once, and both end when nothing waits', async () => {
    const served = await small.serve({ latency: 20 });
    const options = { topic, seeds: small.seeds, proxy: served.proxy, delay: 0, concurrency: 4, workers: 1, at: server.address('two') };
    const first = crawl({ ...options, dir: small.path('two-a') });
    await served.reached(20);
    const [a, b] = await Promise.all([first, crawl({ dir: small.path('two-b'), at: options.at, proxy: served.proxy, workers: 1 })]);
    expect([a.stopReason, b.stopReason]).toEqual(['drained', 'drained']);
    expect(new Set(served.pages).size).toBe(served.pages.length);
    const alone = small.path('two-alone');
    await crawl({ ...options, dir: alone, at: server.address('one') });
    const pages = new Set(served.pages);
    expect(pages.size).toBeGreaterThan(size(200, 90));
    const visited = (all: Awaited<ReturnType<typeof lines>>) => new Set(all.filter(({ order }) => order !== null).map(({ url }) => url));
    expect(visited(await lines(alone))).toEqual(pages);

    const whole = small.path('two-whole');
    const { corpora, counts } = await gather({ dir: whole, at: options.at });
    expect(corpora.map(({ reached }) => reached)).toEqual(['folder', 'folder']);
    expect(visited(await lines(whole))).toEqual(pages);
    expect(counts.kept).toBe((await lines(whole)).filter(({ state }) => state === 'kept').length);
    const { verified } = await gathered(whole);
    expect(verified).toBe(counts.kept);
    expect(await verify({ dir: whole })).toMatchObject({ faults: 0 });
  });

  test('is paused, resumed and stopped on all machines, continues when a worker joins, and is dropped when none is left', async () => {
    const served = await small.serve({ latency: 20 });
    const at = server.address('word');
    const options = { topic, seeds: small.seeds, proxy: served.proxy, delay: 50, workers: 1, at };
    const running = crawl({ ...options, dir: small.path('word') });
    await served.reached(10);
    expect(await workers({ at })).toMatchObject({ state: 'running', partitions: 64, workers: [{ partitions: 64 }] });
    await expect(workers({ at, action: 'drop' })).rejects.toThrow('1 workers are in it; stop them first');
    await workers({ at, action: 'pause' });
    const paused = await cameToRest(served);
    await sleep(600);
    expect(served.pages.length).toBe(paused);
    await workers({ at, action: 'resume' });
    await served.reached(paused + 10);
    await workers({ at, action: 'stop' });
    expect((await running).stopReason).toBe('interrupted');
    expect(await workers({ at })).toMatchObject({ state: 'stopping', workers: [] });
    const { stopReason } = await crawl({ dir: small.path('word'), proxy: served.proxy, workers: 1, maxPages: served.pages.length + 20 });
    expect(stopReason).toBe('max-pages');
    expect(new Set(served.pages).size).toBe(served.pages.length);
    expect(await workers({ at, action: 'drop' })).toMatchObject({ state: 'dropped' });
    await expect(workers({ at })).rejects.toThrow('there is no crawl of this name');
  });

  wholeTest('is gathered while it runs, step by step; a corpus that is not there is named, and its pages are missing', async () => {
    const served = await small.serve({ latency: 20 });
    const at = server.address('gathered');
    const [dir, whole] = [small.path('part'), small.path('part-whole')];
    const seen: ReturnType<typeof openCrawl>[] = [];
    await crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, dir, at, maxPages: 60 });
    const first = await gather({ dir: whole, at });
    expect(first.counts.visited).toBe(60);
    expect((await status(whole)).stopReason).toBe('gathered');
    await stoppedGather(small.path('part-stopped'), at);
    await expect(status(small.path('part-stopped'))).rejects.toThrow('was not gathered yet; run the same');
    const going = crawl({ dir, proxy: served.proxy, workers: 1, maxPages: 100 });
    await served.reached(served.pages.length + 1);
    await gather({ dir: whole, at });
    expect((await status(whole)).stopReason).toBe('running-elsewhere');
    await going;
    const before = (await status(whole)).counts;
    await stoppedGather(whole, at);
    expect((await status(whole)).counts).toEqual(before);
    expect(await verify({ dir: whole })).toMatchObject({ faults: 0 });
    // The page is read while it is gathered again.
    const second = await gather({ dir: whole, at, onProgress: () => seen.push(openCrawl(whole)) });
    for (const opened of seen) {
      expect(stopReasonOf(opened)).toBe('running-elsewhere');
      await opened.close();
    }
    expect(seen).not.toEqual([]);
    expect((await status(whole)).stopReason).toBe('gathered');
    expect(second.counts.visited).toBe(100);
    expect((await gathered(whole)).verified).toBe(second.counts.kept);
    await expect(gather({ dir, at })).rejects.toThrow('is the directory of a worker');
    await crawl({ dir: whole, proxy: served.proxy, workers: 1, maxPages: 105 });
    await expect(gather({ dir: whole, at })).rejects.toThrow('was changed since it was gathered');

    rmSync(dir, { recursive: true, force: true });
    const late = small.path('part-late');
    const { corpora, counts } = await gather({ dir: late, at });
    expect(corpora).toMatchObject([{ reached: null, path: expect.stringContaining('part') }]);
    expect(counts).toEqual(second.counts);
    expect((await gathered(late)).verified).toBe(0);
  });

  wholeTest('that lost the disk of a worker names its pages, and visits them again, and no others', async () => {
    const served = await small.serve({ latency: 20 });
    const at = server.address('lost');
    const [gone, stays, whole] = [small.path('lost-gone'), small.path('lost-stays'), small.path('lost-whole')];
    const options = { proxy: served.proxy, workers: 1, at };
    const first = crawl({ ...options, topic, seeds: small.seeds, delay: 20, concurrency: 4, dir: gone, maxPages: 120 });
    await served.reached(30);
    const second = crawl({ ...options, dir: stays, maxPages: 120 });
    await Promise.all([first, second]);
    expect(await refetchLost({ dir: whole, at })).toMatchObject({ lost: [], refetched: false });
    const before = [...served.pages];
    const kept = new Set((await lines(whole)).flatMap(({ url, state }) => (state === 'kept' ? [url] : [])));

    rmSync(gone, { recursive: true, force: true });
    const late = small.path('lost-late');
    const { lost, corpora } = await refetchLost({ dir: late, at });
    expect(corpora.filter(({ reached }) => !reached)).toMatchObject([{ path: expect.stringContaining('lost-gone') }]);
    expect(lost.length).toBeGreaterThan(5);
    expect(lost.length).toBeLessThan(kept.size);
    expect(lost.every((url) => kept.has(url))).toBe(true);
    const running = crawl({ dir: stays, proxy: served.proxy, workers: 1, maxPages: 160 });
    await served.reached(before.length + 1);
    await expect(refetchLost({ dir: late, at, refetch: true })).rejects.toThrow('workers are in the crawl; stop them first');
    await running;

    const { refetched, counts } = await refetchLost({ dir: late, at, refetch: true });
    expect(refetched).toBe(true);
    expect(counts.reopened).toBe(lost.length);
    const asked = served.pages.length;
    const visited = counts.visited;
    // One worker with a view that lacks the new steps, and one without any.
    await crawl({ dir: stays, proxy: served.proxy, workers: 1, maxPages: visited + 3 });
    await crawl({ dir: small.path('lost-new'), at, proxy: served.proxy, workers: 1 });
    const times = new Map<string, number>();
    for (const url of [...before, ...served.pages.slice(before.length)]) times.set(url, (times.get(url) ?? 0) + 1);
    expect(asked).toBe(new Set(served.pages.slice(0, asked)).size);
    expect(new Set([...times].flatMap(([url, n]) => (n > 1 ? [url] : [])))).toEqual(new Set(lost));
    expect(Math.max(...times.values())).toBe(2);
    const again = await refetchLost({ dir: late, at });
    expect(again.lost).toEqual([]);
    expect(again.counts).toMatchObject({ reopened: 0, earlierVisits: lost.length, visited: served.pages.length });
    expect(await verify({ dir: late })).toMatchObject({ faults: 0 });
  });

  wholeTest('is joined in a new directory although the database breaks the connection at each of the first statements', async () => {
    const served = await small.serve();
    const [dir, at] = [small.path('join-broken'), server.address('join-broken')];
    await crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, dir, at, maxPages: 10 });
    const gate = await startTcpGate(server.port, [
      ...['select 1', 'forager.migration', 'forager.crawl where name', 'forager.crawl_file where', 'begin_crawl'],
      ...['pg_control_system', 'join_crawl', 'forager.tend'],
    ]);
    try {
      const further = { at: server.address('join-broken', gate.port), proxy: served.proxy, workers: 1, maxPages: 20 };
      expect(await crawl({ dir: small.path('joins-broken'), ...further })).toMatchObject({ stopReason: 'max-pages' });
      expect(gate.left).toEqual([]);
    } finally {
      await gate.close();
    }
    // Where nobody answers, the address may be wrong: it is told at once.
    const startedAt = Date.now();
    await expect(crawl({ dir: small.path('joins-nobody'), at: server.address('x', gate.port) })).rejects.toMatchObject({
      code: 'ENVIRONMENT',
    });
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  });

  wholeTest('starts again although the database breaks the connection at each of its first statements', async () => {
    const served = await small.serve();
    const dir = small.path('broken');
    await crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, dir, at: server.address('broken'), maxPages: 10 });
    const gate = await startTcpGate(server.port, [
      'forager.migration',
      'forager.crawl where name',
      'begin_crawl',
      'join_crawl',
      'forager.tend',
    ]);
    try {
      const at = server.address('broken', gate.port);
      expect(await crawl({ dir, at, proxy: served.proxy, workers: 1, maxPages: 20 })).toMatchObject({ stopReason: 'max-pages' });
      expect(gate.left).toEqual([]);
    } finally {
      await gate.close();
    }
    expect(new Set(served.pages).size).toBe(20);
  });

  wholeTest('of one machine moves into the database, and continues as one without it; a gathered directory is the way back', async () => {
    const served = await small.serve();
    const options = { topic, seeds: small.seeds, proxy: served.proxy, delay: 0, concurrency: 1, workers: 1 };
    const [dir, plain, whole] = [small.path('moved'), small.path('moved-plain'), small.path('moved-whole')];
    const at = server.address('moved');
    await crawl({ ...options, dir, maxPages: 120 });
    cpSync(dir, plain, { recursive: true });
    const before = await lines(dir);
    const seen = served.pages.length;
    await crawl({ dir: plain, proxy: served.proxy, concurrency: 1, workers: 1, maxPages: 200 });
    const plainOrder = served.pages.slice(seen);

    const report = await crawl({ dir, at, proxy: served.proxy, concurrency: 1, workers: 1, maxPages: 200 });
    expect(report).toMatchObject({ stopReason: 'max-pages', resumed: true, counts: { visited: 200 } });
    expect(served.pages.slice(seen + plainOrder.length)).toEqual(plainOrder);
    const order = ({ url, order: place }: (typeof before)[number]) => `${place} ${url}`;
    expect((await lines(dir)).map(order).sort()).toEqual((await lines(plain)).map(order).sort());
    expect(await verify({ dir })).toMatchObject({ faults: 0 });

    const { counts } = await gather({ dir: whole, at });
    expect(counts.visited).toBe(200);
    expect(await verify({ dir: whole })).toMatchObject({ faults: 0 });
    await expect(crawl({ dir: whole, at, proxy: served.proxy })).rejects.toThrow('was gathered from this crawl');
    // And back: it continues without the database.
    expect(await crawl({ dir: whole, proxy: served.proxy, workers: 1, maxPages: 210 })).toMatchObject({ counts: { visited: 210 } });
    expect(new Set(served.pages.slice(seen + plainOrder.length)).size).toBe(plainOrder.length + 10);
  });
});
