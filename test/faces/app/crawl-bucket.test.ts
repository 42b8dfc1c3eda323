/** Crawls on several machines whose pages are in a bucket: a lost disk, a store that is away, kills between store and commit, keys that are refused. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crawl, gather, records, refetchLost, repair, verify, workers } from 'forager';
import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';
import { HANGS } from '../../support/cpu-time.ts';
import { size } from '../../support/extent.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { S3Server } from '../../support/s3-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, start } from '../cli/forager.ts';
import { type SmallWeb, smallWeb, trainedOn } from '../cli/small-web.ts';

const KEYS = { accessKeyId: 'AKIAOFTHISTEST', secretAccessKey: 'wJalr/secret+KEY', sessionToken: 'tok+en/of=session' };
const ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  AWS_SESSION_TOKEN: KEYS.sessionToken,
};
const BUCKET = 's3://corpora/shared';

describe.skipIf(!HAS_POSTGRES)('a crawl whose pages are in a bucket', () => {
  const small: SmallWeb = smallWeb(size(300, 100));
  let topic: string;
  let server: PostgresServer;
  let store: S3Server;
  beforeAll(async () => {
    [topic, server, store] = await Promise.all([trainedOn(small), PostgresServer.start(), S3Server.start()]);
  });
  afterEach(() => {
    store.fault = () => null;
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await Promise.all([small.close(), server?.close(), store?.close()]);
  });

  const bucketed = (name: string) => ({
    ...{ topic, seeds: small.seeds, delay: 0, workers: 1, dir: small.path(name), at: server.address(name) },
    ...{ corpusBucket: BUCKET, s3Endpoint: store.endpoint, s3Credentials: KEYS },
  });
  const idsIn = async (dir: string) => {
    const ids = new Set<string>();
    for await (const { id } of records(dir)) ids.add(id);
    return ids;
  };
  /** Gathers into a directory, and compares its records and files with the ledger. */
  const gathered = async (dir: string, at: string) => {
    const report = await gather({ dir, at, s3Credentials: KEYS });
    expect((await idsIn(dir)).size).toBe(report.counts.kept);
    expect(report.counts.kept).toBeGreaterThan(0);
    expect(await verify({ dir })).toMatchObject({ faults: 0 });
    return report;
  };
  const puts = () => store.requests.filter(({ method }) => method === 'PUT').length;
  const textsBelow = (folder: string) =>
    (readdirSync(folder, { recursive: true }) as string[])
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path));

  wholeTest('of two workers loses no page with their disks, and its keys are nowhere', async () => {
    const served = await small.serve({ latency: 20 });
    const options = { ...bucketed('lost'), proxy: served.proxy, concurrency: 4 };
    const first = crawl(options);
    await served.reached(20);
    const { s3Credentials, at, proxy } = options;
    const joined = small.path('lost-b');
    const ended = await Promise.all([first, crawl({ dir: joined, at, proxy, workers: 1, s3Credentials })]);
    expect(ended.map(({ stopReason }) => stopReason)).toEqual(['drained', 'drained']);
    // The joined worker has the bucket from the database.
    expect(JSON.parse(readFileSync(join(joined, 'crawl.json'), 'utf8'))).toMatchObject({ corpusBucket: BUCKET });
    const here = await gathered(small.path('lost-here'), at);
    expect(here.corpora.map(({ reached }) => reached)).toEqual(['folder', 'folder']);
    const written = [...textsBelow(options.dir), ...textsBelow(joined), ...[...store.objects.values()].map(({ bytes }) => bytes)];
    for (const secret of Object.values(KEYS)) expect(written.some((bytes) => bytes.includes(secret))).toBe(false);

    rmSync(joined, { recursive: true });
    const one = await gathered(small.path('lost-one'), at);
    expect(one.corpora.map(({ reached }) => reached).sort()).toEqual(['bucket', 'folder']);
    rmSync(options.dir, { recursive: true });
    const both = await gathered(small.path('lost-both'), at);
    expect(both.corpora.map(({ reached }) => reached)).toEqual(['bucket', 'bucket']);
    expect([one.counts, both.counts]).toEqual([here.counts, here.counts]);
    expect(await idsIn(small.path('lost-both'))).toEqual(await idsIn(small.path('lost-here')));
    expect(await refetchLost({ dir: small.path('lost-both'), at, s3Credentials })).toMatchObject({ lost: [] });
    // The gathered crawl is one of one machine.
    await crawl({ dir: small.path('lost-both'), proxy: served.proxy, workers: 1 });
  });

  wholeTest('is whole in the bucket after a repair of its worker, which stores its files again', async () => {
    const served = await small.serve();
    const { dir, at, ...options } = bucketed('repaired');
    await crawl({ ...options, dir, at, proxy: served.proxy, maxPages: 40 });
    const path = join(dir, 'corpus', 'records.jsonl');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[2] = `${lines[2]?.slice(0, 80)}#${lines[2]?.slice(81)}`;
    writeFileSync(path, lines.join('\n'));
    await repair({ dir });
    await crawl({ dir, proxy: served.proxy, workers: 1, maxPages: 60, s3Credentials: KEYS });
    rmSync(dir, { recursive: true });
    expect((await gathered(small.path('repaired-whole'), at)).corpora).toMatchObject([{ reached: 'bucket', fault: null }]);
  });

  wholeTest('is gathered step by step, from a folder and then from the bucket', async () => {
    const served = await small.serve();
    const { dir, at, ...options } = bucketed('steps');
    await crawl({ ...options, dir, at, proxy: served.proxy, maxPages: 60 });
    const whole = small.path('steps-whole');
    expect((await gathered(whole, at)).corpora).toMatchObject([{ reached: 'folder' }]);
    // A worker that starts again waits for its store: both may start after a power cut.
    store.fault = () => 'cut';
    const again = crawl({ dir, proxy: served.proxy, workers: 1, maxPages: 120, s3Credentials: KEYS });
    await sleep(3000);
    expect(served.pages.length).toBe(60);
    store.fault = () => null;
    await again;
    rmSync(dir, { recursive: true });
    const later = await gathered(whole, at);
    expect(later).toMatchObject({ counts: { visited: 120 }, corpora: [{ reached: 'bucket' }] });
    // A worker with a new disk joins; the pages of the lost one stay.
    await crawl({ dir, at, proxy: served.proxy, workers: 1, maxPages: 160, s3Credentials: KEYS });
    rmSync(dir, { recursive: true });
    const last = await gathered(whole, at);
    expect(last).toMatchObject({ counts: { visited: 160 }, corpora: [{ reached: 'bucket' }, { reached: 'bucket' }] });
    expect(new Set(served.pages).size).toBe(served.pages.length);
  });

  wholeTest('does not begin while the store is away or refuses its keys, and nothing of it is in the database then', async () => {
    const served = await small.serve();
    const options = { ...bucketed('begin'), proxy: served.proxy, maxPages: 5 };
    store.fault = () => 'cut';
    await expect(crawl(options)).rejects.toThrow('check the network and --s3-endpoint');
    store.fault = () => 403;
    await expect(crawl(options)).rejects.toThrow('the store refuses PUT (AccessDenied); check AWS_ACCESS_KEY_ID');
    store.fault = () => null;
    const { s3Credentials: _, ...without } = options;
    await expect(crawl(without)).rejects.toThrow('needs credentials; set AWS_ACCESS_KEY_ID');
    await expect(workers({ at: options.at })).rejects.toThrow('there is no crawl of this name');
    expect(served.pages).toEqual([]);
    const { at: __, ...alone } = options;
    await expect(crawl(alone)).rejects.toThrow('--corpus-bucket is for crawls on several machines; give --at too, or omit it');
    expect((await crawl(options)).counts.visited).toBe(5);
    await expect(crawl({ ...options, corpusBucket: 's3://corpora/other' })).rejects.toThrow(
      'was started with --corpus-bucket s3://corpora/shared',
    );
  });

  wholeTest('requests nothing while the store is away, says so, and continues when it is back', async () => {
    const served = await small.serve({ latency: 20 });
    const options = { ...bucketed('away'), proxy: served.proxy, concurrency: 4, delay: 20 };
    const warnings: string[] = [];
    const running = crawl({ ...options, onEvent: (event) => event.type === 'warning' && warnings.push(event.message) });
    await served.reached(20);
    store.fault = () => 'cut';
    await vi.waitUntil(() => warnings.some((message) => message.includes('nothing is requested until the bucket is there again')), {
      timeout: HANGS,
    });
    // A slow commit holds requests after two seconds.
    await sleep(4000);
    const held = served.pages.length;
    await sleep(3000);
    expect(served.pages.length).toBe(held);
    expect(await workers({ at: options.at })).toMatchObject({ workers: [{ partitions: 64 }] });
    store.fault = () => null;
    const { stopReason, counts } = await running;
    expect(stopReason).toBe('drained');
    expect(counts.visited).toBeGreaterThan(held);
    expect(warnings).toContain('the bucket is there again');
    expect(new Set(served.pages).size).toBe(served.pages.length);
    rmSync(options.dir, { recursive: true });
    await gathered(small.path('away-whole'), options.at);
  });

  wholeTest('of workers killed between an object and its commit reads from the bucket as if nothing had been', async () => {
    for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
    const served = await small.serve({ latency: 5 });
    const { dir, at } = bucketed('killed');
    const line = ['crawl', dir, '--proxy', served.proxy, '--workers', '1'];
    const begin = ['--at', at, '--topic', topic, '--seeds', ...small.seeds, '--delay', '0', '--corpus-bucket', BUCKET];
    let kills = 0;
    for (const after of [3, 6, 9]) {
      const running = start([...line, ...(kills === 0 ? [...begin, '--s3-endpoint', store.endpoint] : [])]);
      const last = puts() + after;
      // The store has the object, and its worker never learns it.
      store.fault = ({ method }) => {
        if (method !== 'PUT' || puts() < last) return null;
        running.child.kill('SIGKILL');
        return 'after';
      };
      expect((await running.ended).code).toBeNull();
      store.fault = () => null;
      kills += 1;
    }
    await done(...line);
    expect(kills).toBe(3);
    // Some objects are of commits that never happened.
    const keys = [...store.objects.keys()].filter((key) => key.startsWith('shared/killed/'));
    const first = keys.flatMap((key) => /^(.*)-\d+-[0-9a-f]{8}$/.exec(key)?.[1] ?? []);
    expect(new Set(first).size).toBeLessThan(first.length);

    rmSync(dir, { recursive: true });
    await gathered(small.path('killed-whole'), at);
    const ran = await forager('gather', small.path('killed-cli'), '--at', at, '--s3-endpoint', store.endpoint);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('from 1 of 1 corpus (1 by the bucket)')]);
    for (const secret of Object.values(KEYS)) expect(ran.stdout + ran.stderr).not.toContain(secret);
  });

  wholeTest('ends when its keys are refused, and continues with others: nothing lost', async () => {
    const served = await small.serve();
    const options = { ...bucketed('revoked'), proxy: served.proxy };
    const running = crawl(options);
    await served.reached(50);
    store.fault = ({ method }) => (method === 'PUT' ? 403 : null);
    await expect(running).rejects.toThrow('check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the rights of that key');
    store.fault = () => null;
    const { stopReason } = await crawl({ dir: options.dir, proxy: served.proxy, workers: 1, s3Credentials: KEYS });
    expect(stopReason).toBe('drained');
    rmSync(options.dir, { recursive: true });
    await gathered(small.path('revoked-whole'), options.at);
    await expect(gather({ dir: small.path('revoked-keyless'), at: options.at })).rejects.toThrow(
      'needs credentials; set AWS_ACCESS_KEY_ID',
    );
  });
});
