/** What reaches all workers of a crawl in PostgreSQL while it runs: a model put in force, and the opt-out list. */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, gather, ledger, openLabelling, shareModel, status, verify } from 'forager';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { crawlPaths, readManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { size } from '../../support/extent.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { type SmallWeb, smallWeb, trainedOn } from '../cli/small-web.ts';

describe.skipIf(!HAS_POSTGRES)('a crawl of several workers', () => {
  const small: SmallWeb = smallWeb(size(300, 100));
  let topic: string;
  let server: PostgresServer;
  beforeAll(async () => {
    [topic, server] = await Promise.all([trainedOn(small), PostgresServer.start()]);
  });
  afterAll(async () => {
    await Promise.all([small.close(), server?.close()]);
  });

  /** Answers truly for pages of a gathered crawl, and trains with the answers. */
  const train = async (dir: string, answers = 30): Promise<string> => {
    const labelling = await openLabelling({ dir });
    try {
      for (let i = 0; i < answers; i++) {
        const question = await labelling.next();
        if (question === null) break;
        await labelling.answer(small.web.topicOf(question.url) === small.topic ? 'y' : 'n');
      }
      return (await labelling.relabel({ evenIfWorse: true })).to;
    } finally {
      await labelling.close();
    }
  };

  wholeTest('follows a model that is trained in a gathered directory; a worker that joins later has it too', async () => {
    const served = await small.serve({ latency: 30 });
    const at = server.address('model');
    const [a, b, late, whole] = ['model-a', 'model-b', 'model-late', 'model-whole'].map((name) => small.path(name)) as [
      string,
      string,
      string,
      string,
    ];
    const stop = new AbortController();
    const { signal } = stop;
    const first = crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 100, concurrency: 4, workers: 1, at, dir: a, signal });
    await served.reached(30);
    const second = crawl({ dir: b, at, proxy: served.proxy, workers: 1, signal });
    await served.reached(60);
    await gather({ dir: whole, at });
    const model = await train(whole);
    expect(model).not.toBe(readManifest(a).topic.id);
    expect(await shareModel({ dir: whole, at })).toEqual({ model });
    expect(await shareModel({ dir: whole, at })).toEqual({ model: null });
    await vi.waitUntil(() => [a, b].every((dir) => readManifest(dir).topic.id === model), { timeout: HANGS });
    await expect(openLabelling({ dir: a })).rejects.toThrow('is the directory of one of several machines');
    await served.reached(served.pages.length + 20);
    stop.abort();
    await Promise.all([first, second]);

    // Its view is empty: it takes pages that the first model judged, and judges them again.
    const report = await crawl({ dir: late, at, proxy: served.proxy, workers: 1 });
    expect(report.stopReason).toBe('drained');
    expect(readManifest(late).topic.id).toBe(model);
    expect(new Set(served.pages).size).toBeGreaterThan(200);

    const { counts } = await gather({ dir: whole, at });
    expect(counts).toMatchObject({ waiting: 0, reopened: 0 });
    const again = small.path('model-again');
    expect((await gather({ dir: again, at })).counts).toEqual(counts);
    const gist = async (dir: string) => {
      const lines = [];
      for await (const { url, state, relevance } of ledger(dir)) lines.push(`${url} ${state} ${relevance?.toFixed(6)}`);
      return lines.sort();
    };
    expect(await gist(again)).toEqual(await gist(whole));
    expect((await status(again)).relabelled.map(({ to }) => to)).toEqual([model]);
    const verified = await verify({ dir: again });
    expect(verified.faults, JSON.stringify(verified)).toBe(0);

    // A gather that ends before the model has judged the pages is not at its end: the next one lets it judge them.
    const cut = small.path('model-cut');
    const { models } = crawlPaths(cut);
    const away = `${models}-away`;
    const onProgress = () => {
      if (existsSync(away)) return;
      renameSync(models, away);
      writeFileSync(models, '');
    };
    await expect(gather({ dir: cut, at, onProgress })).rejects.toThrow(models);
    rmSync(models);
    renameSync(away, models);
    expect((await status(cut)).stopReason).toBe('gathering');
    await gather({ dir: cut, at });
    expect(await gist(cut)).toEqual(await gist(whole));
  });

  wholeTest('a second model that was trained on the same state is refused', async () => {
    const served = await small.serve();
    const at = server.address('apart');
    await crawl({ topic, seeds: small.seeds, proxy: served.proxy, delay: 0, workers: 1, at, dir: small.path('apart'), maxPages: 80 });
    const [first, second] = [small.path('apart-first'), small.path('apart-second')];
    for (const dir of [first, second]) await gather({ dir, at });
    const model = await train(first);
    expect(await shareModel({ dir: first, at })).toEqual({ model });
    await train(second, 12);
    await expect(shareModel({ dir: second, at })).rejects.toThrow('another model was activated meanwhile');
  });

  wholeTest('obeys an opt-out on any machine; one that joins later knows it', async () => {
    const served = await small.serve({ latency: 20 });
    const at = server.address('opt-out');
    const [a, b, later] = [small.path('out-a'), small.path('out-b'), small.path('out-later')];
    const list = small.path('list.txt');
    const [host = ''] = [...new Set(small.web.urls().map((url) => new URL(url).host))].filter(
      (one) => !small.seeds.some((seed) => seed.includes(one)),
    );
    writeFileSync(list, '# nobody yet\n');
    const options = { proxy: served.proxy, workers: 1, at };
    const stop = new AbortController();
    const { signal } = stop;
    const first = crawl({ ...options, topic, seeds: small.seeds, delay: 300, concurrency: 4, dir: a, optOut: list, signal });
    await served.reached(5);
    const second = crawl({ ...options, dir: b, signal });
    await vi.waitUntil(() => findList(b) === '# nobody yet\n', { timeout: HANGS });
    appendFileSync(crawlPaths(b).optOut, `${host}\n`);
    await vi.waitUntil(() => findList(a).includes(host), { timeout: HANGS });
    stop.abort();
    await Promise.all([first, second]);
    const before = served.pages.length;
    const report = await crawl({ ...options, dir: later, delay: 0 });
    expect(report.stopReason).toBe('drained');
    expect(findList(later)).toContain(host);
    expect(served.pages.slice(before).filter((url) => new URL(url).host === host)).toEqual([]);
    const whole = small.path('out-whole');
    await gather({ dir: whole, at });
    expect((await status(whole)).reasons['refused:opt-out']).toBeGreaterThan(0);
    for (const dir of [a, b, later, whole])
      expect(JSON.parse(readFileSync(join(dir, 'crawl.json'), 'utf8'))).toMatchObject({ optOut: 'opt-out.txt' });
    await expect(gather({ dir: whole, at, s3Region: 'eu' })).rejects.toThrow('--s3-region has no effect');
  });

  const findList = (dir: string): string => {
    try {
      return readFileSync(join(dir, 'opt-out.txt'), 'utf8');
    } catch {
      return '';
    }
  };
});
