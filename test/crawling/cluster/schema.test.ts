import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  beginEngineCrawl,
  dropEngineCrawl,
  findEngineCrawl,
  giveUpRecords,
  repairCorpus,
} from '../../../src/crawling/cluster/crawl-list.ts';
import { checkSchema, migrate } from '../../../src/crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../../src/crawling/cluster/engine-address.ts';
import { corpusStateOf, momentOf, refuseOtherLog } from '../../../src/crawling/cluster/engine-log.ts';
import { MIGRATIONS } from '../../../src/crawling/cluster/migrations.ts';
import { EngineGoneError, FencedError, SqlClient } from '../../../src/crawling/cluster/sql-client.ts';
import { type Batch, EngineWorker } from '../../../src/crawling/cluster/worker.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';

let corpora = 0;
const corpus = () => ({ id: `00000000-0000-4000-8000-${String(++corpora).padStart(12, '0')}`, host: 'here', path: '/corpus' });
const none = new AbortController().signal;
const BUSY = { best: 0.5, wants: true, patience: 20_000 };
const EMPTY: Batch = { held: new Map(), rows: [], passedOn: [], read: [], lessons: null, visits: 0, sizes: {}, sums: {}, models: 0 };

describe.skipIf(!HAS_POSTGRES)('the tables', () => {
  let server: PostgresServer;
  let client: SqlClient;
  let name = 0;
  beforeAll(async () => {
    server = await PostgresServer.start();
    client = await SqlClient.connect(readEngineAddress(server.address()));
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  const begun = async (partitions = 8) => {
    await migrate(client);
    return beginEngineCrawl(client, `crawl-${++name}`, '{}', new Map(), partitions);
  };
  const joined = async (crawl: Awaited<ReturnType<typeof begun>>, lease = 15_000) =>
    EngineWorker.join(client, crawl, corpus(), 'test', lease, 30_000);

  test('are made once, also by several at the same time', async () => {
    await expect(checkSchema(client)).rejects.toThrow('has no crawls');
    const others = await Promise.all([1, 2, 3].map(() => SqlClient.connect(readEngineAddress(server.address()))));
    await Promise.all([client, ...others].map((one) => migrate(one)));
    await Promise.all(others.map((one) => one.close()));
    await expect(checkSchema(client)).resolves.toBeUndefined();
    const applied = await client.query('select no from forager.migration');
    expect(applied).toHaveLength(MIGRATIONS.length);
  });

  test('of a later version are refused', async () => {
    await migrate(client);
    await client.query('insert into forager.migration (no) values (99)');
    await expect(migrate(client)).rejects.toThrow('made by a later version (schema 99');
    await expect(checkSchema(client)).rejects.toThrow('made by a later version');
    await client.query('delete from forager.migration where no = 99');
  });

  test('a crawl of a name is begun once, and leaves nothing when it is dropped', async () => {
    await migrate(client);
    const [a, b] = await Promise.all([1, 2].map((i) => beginEngineCrawl(client, 'same', `{"by":${i}}`, new Map())));
    expect(a).toEqual(b);
    await dropEngineCrawl(client, a as NonNullable<typeof a>);
    expect(await findEngineCrawl(client, 'same')).toBeNull();
    expect(await client.query("select 1 from pg_class where relname = 'log_' || $1", [a?.id])).toEqual([]);
  });

  test('partitions go to the live in equal shares, and only those of the leaver or for the newcomer move', async () => {
    const crawl = await begun(10);
    const held = async (worker: EngineWorker) => (await worker.tend(0, null, false, true, BUSY)).held.map(([no]) => no);
    const a = await joined(crawl);
    expect(await held(a)).toHaveLength(10);
    const b = await joined(crawl);
    const { quota } = await a.tend(0, null, false, true, BUSY);
    expect(quota).toBe(5);
    expect(await held(b)).toEqual([]);
    await a.release([7, 8, 9, 0, 1]);
    expect(await held(b)).toEqual([0, 1, 7, 8, 9]);
    expect(await held(a)).toEqual([2, 3, 4, 5, 6]);
    await b.leave();
    expect(await held(a)).toHaveLength(10);
    await expect(b.tend(0, null, false, true, BUSY)).rejects.toThrow(FencedError);
  });

  test('a partition of one that died is free after its lease, and its hosts rest the longest request', async () => {
    const crawl = await begun(1);
    const dead = await joined(crawl, 900);
    await dead.tend(0, null, false, true, BUSY);
    const other = await joined(crawl, 900);
    const held = async () => (await other.tend(0, null, false, true, BUSY)).held;
    expect(await held()).toEqual([]);
    const [[partition, epoch, rest] = [0, 0, 0]] = await vi.waitUntil(async () => held().then((some) => some.length > 0 && some));
    expect([partition, epoch]).toEqual([0, 2]);
    expect(rest).toBeGreaterThan(28_000);
    expect(rest).toBeLessThanOrEqual(30_000);
    // The dead one wakes: nothing of it is stored any more.
    await expect(dead.commit({ ...EMPTY, held: new Map([[0, 1]]) }, none)).rejects.toThrow(FencedError);
  });

  test('nobody loses a lease while nobody can look: after the database was gone, all get their time again', async () => {
    const crawl = await begun(2);
    const [a, b] = [await joined(crawl), await joined(crawl)];
    await a.tend(0, null, false, true, BUSY);
    expect((await b.tend(0, null, false, true, BUSY)).held).toEqual([[1, 1, 0]]);
    const gone = `update forager.crawl set looked_at = looked_at - interval '60 s' where id = ${crawl.id}`;
    const late = `update forager.partition set until = until - interval '60 s' where crawl = ${crawl.id}`;
    const unseen = `update forager.worker set seen_at = seen_at - interval '60 s' where crawl = ${crawl.id}`;
    for (const text of [gone, late, unseen]) await client.query(text);
    expect(await a.tend(0, null, false, true, BUSY)).toMatchObject({ live: 2, quota: 1, held: [[0, 1, 0]] });
    expect(await b.tend(0, null, false, true, BUSY)).toMatchObject({ live: 2, quota: 1, held: [[1, 1, 0]] });
    // A lease that had run out before is over.
    for (const text of [late, unseen, late, unseen]) await client.query(text);
    expect(await a.tend(0, null, false, true, BUSY)).toMatchObject({
      live: 1,
      held: [
        [0, 1, 0],
        [1, 2, expect.any(Number)],
      ],
    });
  });

  test('a worker that starts again with its corpus has its partitions at once, and its former self stores nothing', async () => {
    const crawl = await begun(2);
    const own = corpus();
    const before = await EngineWorker.join(client, crawl, own, 'test');
    await before.tend(0, null, false, true, BUSY);
    const after = await EngineWorker.join(client, crawl, own, 'test');
    const { held, live } = await after.tend(0, null, false, true, BUSY);
    expect([held, live]).toEqual([
      [
        [0, 2, 0],
        [1, 2, 0],
      ],
      1,
    ]);
    await expect(before.commit({ ...EMPTY, held: new Map([[0, 1]]) }, none)).rejects.toThrow(FencedError);
  });

  test('a batch that is sent twice happens once; commits, lessons and visits are numbered without a gap', async () => {
    const crawl = await begun(2);
    const lossy = {
      losesAnswer: false,
      async query<Row>(...given: Parameters<SqlClient['query']>): Promise<Row[]> {
        const rows = await client.query<Row>(...given);
        if (!this.losesAnswer) return rows;
        this.losesAnswer = false;
        throw new EngineGoneError('the answer was lost');
      },
    };
    const worker = await EngineWorker.join(lossy, crawl, corpus(), 'test', 15_000, 30_000);
    await worker.tend(0, null, false, true, BUSY);
    const held = new Map([
      [0, 1],
      [1, 1],
    ]);
    const body = Buffer.from('x');
    const batch = { ...EMPTY, held, rows: [{ partition: 1, body, texts: body }], lessons: { count: 3, body }, visits: 4 };
    expect(await worker.commit(batch, none)).toMatchObject({ mark: { commit: 1 }, firstLesson: 1 });
    lossy.losesAnswer = true;
    expect(await worker.commit(batch, none)).toMatchObject({
      mark: { commit: 2, id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      firstLesson: 4,
    });
    expect(lossy.losesAnswer).toBe(false);
    const tended = await worker.tend(8, null, false, true, BUSY);
    expect(tended).toMatchObject({ commits: 2, lessons: 6, visited: 8 });
    expect((await worker.lessonsFrom(1)).map(({ first, count }) => [first, count])).toEqual([
      [1, 3],
      [4, 3],
    ]);
  });

  test('one worker commits while it looks at the crawl, and neither waits for the other without end', async () => {
    const crawl = await begun(1);
    const worker = await joined(crawl);
    await worker.tend(0, null, false, true, BUSY);
    const often = async (what: () => Promise<unknown>) => {
      for (let i = 0; i < 100; i++) await what();
    };
    await Promise.all([
      often(() => worker.commit({ ...EMPTY, held: new Map([[0, 1]]) }, none)),
      often(() => worker.tend(0, null, false, true, BUSY)),
      often(() => worker.tend(0, null, false, true, BUSY)),
    ]);
    expect((await worker.tend(0, null, false, true, BUSY)).commits).toBe(100);
  });

  test('links wait in the inbox until the commit that applies them', async () => {
    const crawl = await begun(2);
    const worker = await joined(crawl);
    await worker.tend(0, null, false, true, BUSY);
    const held = new Map([[0, 1]]);
    const passedOn = [1, 0, 1].map((partition, i) => ({ partition, body: Buffer.from([i]), best: null }));
    await worker.commit({ ...EMPTY, held, passedOn }, none);
    const letters = await worker.letters([1]);
    expect(letters.map(({ body }) => [...body])).toEqual([[0], [2]]);
    expect((await worker.tend(0, null, true, true, BUSY)).drained).toBe(false);
    await worker.commit({ ...EMPTY, held, read: letters }, none);
    expect(await worker.letters([0, 1])).toHaveLength(1);
    await worker.commit({ ...EMPTY, held, read: await worker.letters([0]) }, none);
    const other = await joined(crawl);
    await other.tend(0, null, true, false, BUSY);
    expect((await worker.tend(0, null, true, true, BUSY)).drained).toBe(true);
    // One that has just taken links is busy until its next look, whatever it said before.
    await worker.commit({ ...EMPTY, held }, none);
    expect((await other.tend(0, null, true, false, BUSY)).drained).toBe(false);
    await worker.tend(0, null, true, true, BUSY);
    expect((await other.tend(0, null, true, false, BUSY)).drained).toBe(true);
  });

  test('visits of a limit are granted once, and come back from those that leave', async () => {
    const crawl = await begun(4);
    const [a, b] = [await joined(crawl), await joined(crawl)];
    expect((await a.tend(0, 100, false, true, BUSY)).granted).toBe(50);
    expect((await b.tend(0, 100, false, true, BUSY)).granted).toBe(25);
    await a.commit({ ...EMPTY, visits: 50 }, none);
    expect((await a.tend(50, 100, false, true, BUSY)).granted).toBe(63);
    await b.leave();
    expect((await a.tend(50, 100, false, true, BUSY)).granted).toBe(100);
  });

  test('visits are granted to those that can use them, and what a worker holds too many of comes back', async () => {
    const crawl = await begun(4);
    const [a, b] = [await joined(crawl), await joined(crawl)];
    const idle = { ...BUSY, best: null, wants: false };
    expect((await a.tend(0, 10, false, true, BUSY)).granted).toBe(5);
    expect((await b.tend(0, 10, false, true, BUSY)).granted).toBe(3);
    expect((await b.tend(0, 10, true, true, idle)).granted).toBe(0);
    expect((await a.tend(0, 10, false, true, BUSY)).granted).toBe(10);
    // b has something again: it gets its part of what a has given back.
    expect((await b.tend(0, 10, false, true, BUSY)).granted).toBe(0);
    expect((await a.tend(2, 10, false, true, BUSY)).granted).toBe(6);
    expect((await b.tend(0, 10, false, true, BUSY)).granted).toBe(2);
  });

  test('a worker hears of the best URL of the others, but not of one that makes no visits', async () => {
    const crawl = await begun(4);
    const [a, b, c] = [await joined(crawl), await joined(crawl), await joined(crawl)];
    expect((await a.tend(0, null, false, true, { ...BUSY, best: 0.9 })).elsewhere).toBeNull();
    await b.tend(0, null, false, true, { ...BUSY, best: 0.25 });
    await c.tend(0, null, false, true, { ...BUSY, best: null, wants: false });
    expect((await a.tend(0, null, false, true, BUSY)).elsewhere).toBe(0.25);
    const afterPause = async () => {
      await sleep(60);
      return (await a.tend(0, null, false, true, { ...BUSY, patience: 50 })).elsewhere;
    };
    expect(await afterPause()).toBeNull();
    await b.commit({ ...EMPTY, visits: 1 }, none);
    expect((await a.tend(0, null, false, true, { ...BUSY, patience: 5_000 })).elsewhere).toBe(0.25);
    // It waits for a itself: it is not the one that makes no visits.
    expect(await afterPause()).toBeNull();
    await b.tend(0, null, false, true, { ...BUSY, best: 0.25, wants: false });
    expect((await a.tend(0, null, false, true, { ...BUSY, patience: 5_000 })).elsewhere).toBe(0.25);
    await b.leave();
    expect((await a.tend(0, null, false, true, BUSY)).elsewhere).toBeNull();
  });

  test('links on the way to a worker count as its best URL for the others, until it has them', async () => {
    const crawl = await begun(2);
    const [a, b] = [await joined(crawl), await joined(crawl)];
    await a.tend(0, null, false, true, BUSY);
    await b.tend(0, null, false, true, { ...BUSY, best: 0.25 });
    const held = new Map([[0, 1]]);
    const passedOn = [0.5, 0.75, null].map((best) => ({ partition: 1, body: Buffer.from([1]), best }));
    await a.commit({ ...EMPTY, held, passedOn }, none);
    expect((await a.tend(0, null, false, true, BUSY)).elsewhere).toBe(0.75);
    // Its own links count by its queue, which has them after the next look.
    expect((await b.tend(0, null, false, true, { ...BUSY, best: 0.25 })).elsewhere).toBe(0.5);
    const read = await b.letters([1]);
    await b.commit({ ...EMPTY, held: new Map([[1, 1]]), read }, none);
    expect((await a.tend(0, null, false, true, BUSY)).elsewhere).toBe(0.25);
  });

  test('a payload is of the URL that claimed it first', async () => {
    const worker = await joined(await begun(1));
    const claims = (keys: readonly string[], url: string) => keys.map((key) => ({ key, url }));
    expect(await worker.claimPayloads(claims(['a', 'b'], 'http://one/'))).toEqual([null, null]);
    expect(await worker.claimPayloads(claims(['b', 'c'], 'http://two/'))).toEqual(['http://one/', null]);
    await worker.releasePayloads(['b'], 'http://one/');
    expect(await worker.claimPayloads(claims(['b', 'c'], 'http://two/'))).toEqual([null, null]);
    // Of two in one statement, the first has it.
    expect(await worker.claimPayloads([...claims(['d'], 'http://two/'), ...claims(['d'], 'http://one/')])).toEqual([null, 'http://two/']);
  });

  describe('of another history', () => {
    /** A worker and its crawl, after some commits. */
    const committed = async () => {
      const crawl = await begun(1);
      const worker = await joined(crawl);
      await worker.tend(0, null, false, true, BUSY);
      const batch = { ...EMPTY, held: new Map([[0, 1]]) };
      const { mark } = await worker.commit(batch, none);
      return { crawl, worker, batch, mark };
    };
    /** As if the database had been restored from an older copy, and another worker had brought it to the same number of commits. */
    const continuedElsewhere = (crawl: { readonly id: string }) =>
      client.query('update forager.commit_id set id = gen_random_uuid() where crawl = $1', [crawl.id]);
    const other = {
      code: 'STORE_CORRUPT',
      exitCode: 3,
      message: expect.stringContaining('its commit 1 is another than the one that was made'),
    };

    test('the moment of a crawl has its commits, and the time at which it started', async () => {
      const { crawl } = await committed();
      const { commits, startedAt } = await momentOf(client, crawl, 0);
      expect(commits).toBe(1);
      expect(Math.abs(startedAt.getTime() - Date.now())).toBeLessThan(600_000);
    });

    test('with as many commits are refused at the next commit, and nothing of it is stored', async () => {
      const { crawl, worker, batch } = await committed();
      await continuedElsewhere(crawl);
      await expect(worker.commit({ ...batch, sizes: { 'records.jsonl': 9 } }, none)).rejects.toMatchObject(other);
      expect(await momentOf(client, crawl, 0)).toMatchObject({ commits: 1 });
      expect(await corpusStateOf(client, crawl, '00000000-0000-4000-8000-000000000000')).toBeNull();
    });

    test('are refused at the next look, by a later worker of the directory, and by who gathers', async () => {
      const { crawl, worker, mark } = await committed();
      const view = { heads: new Map([[0, 1]]), logged: mark };
      await expect(refuseOtherLog(client, crawl, view, 1)).resolves.toBeUndefined();
      await continuedElsewhere(crawl);
      await expect(worker.tend(0, null, false, true, BUSY)).rejects.toMatchObject(other);
      await expect(refuseOtherLog(client, crawl, view, 1)).rejects.toMatchObject(other);
      await expect(refuseOtherLog(client, crawl, { ...view, heads: new Map([[0, 2]]) }, 1)).rejects.toThrow(
        '1 commits of the crawl, and 2 were made',
      );
      // A view of Forager 0.2 knows no ids.
      await expect(refuseOtherLog(client, crawl, { ...view, logged: null }, 1)).resolves.toBeUndefined();
    });

    test('have other ids: each commit, one that is sent twice, one of no worker, one that was read', async () => {
      const { crawl, worker, batch, mark } = await committed();
      const second = await worker.commit(batch, none);
      await giveUpRecords(client, crawl, []).catch((error: unknown) => expect(String(error)).toContain('workers are in the crawl'));
      await worker.leave();
      await giveUpRecords(client, crawl, [{ partition: 0, body: Buffer.from('x'), texts: null }]);
      await repairCorpus(client, crawl, { id: corpus().id, sizes: {}, sums: {} }, []);
      const ids = await client.query<{ commit: string; id: string }>(
        'select commit, id from forager.commit_id where crawl = $1 order by commit',
        [crawl.id],
      );
      expect(ids.map(({ commit }) => Number(commit))).toEqual([1, 2, 3, 4]);
      expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
      expect(ids.slice(0, 2).map(({ id }) => id)).toEqual([mark.id, second.mark.id]);
    });
  });

  test('of the first version go on: their crawls get ids and sums with the next commit, and a dropped one leaves nothing', async () => {
    await client.query('create database first');
    const first = await SqlClient.connect(readEngineAddress(server.address().replace('/postgres?', '/first?')));
    try {
      await first.transaction(async (query) => {
        await query('create schema forager');
        await query('create table forager.migration (no integer primary key, at timestamptz not null default now())');
        await query(MIGRATIONS[0] ?? '');
        await query('insert into forager.migration (no) values (1)');
      });
      const crawl = await beginEngineCrawl(first, 'old', '{}', new Map(), 1);
      const own = corpus();
      await first.query('update forager.crawl set commits = 3 where id = $1', [crawl.id]);
      await first.query('insert into forager.corpus_size (crawl, corpus, commit, sizes) values ($1, $2, 3, \'{"records.jsonl": 4}\')', [
        crawl.id,
        own.id,
      ]);
      await migrate(first);
      await expect(refuseOtherLog(first, crawl, { heads: new Map([[0, 3]]), logged: null }, 3)).resolves.toBeUndefined();
      expect(await corpusStateOf(first, crawl, own.id)).toEqual({ sizes: { 'records.jsonl': 4 }, sums: null, repairs: 0 });
      const worker = await EngineWorker.join(first, crawl, own, 'test');
      await worker.tend(0, null, false, true, BUSY);
      const { mark } = await worker.commit(
        { ...EMPTY, held: new Map([[0, 1]]), sizes: { 'records.jsonl': 6 }, sums: { 'records.jsonl': 77 } },
        none,
      );
      expect(mark).toEqual({ commit: 4, id: expect.any(String) });
      expect(await corpusStateOf(first, crawl, own.id)).toEqual({
        sizes: { 'records.jsonl': 6 },
        sums: { 'records.jsonl': 77 },
        repairs: 0,
      });
      await dropEngineCrawl(first, crawl);
      expect(await first.query("select relname from pg_class where relname ~ '_\\d+$' and relkind = 'r'")).toEqual([]);
    } finally {
      await first.close();
    }
  });

  test('a worker of a dropped crawl is told so', async () => {
    const crawl = await begun(1);
    const worker = await joined(crawl);
    await dropEngineCrawl(client, crawl);
    await expect(worker.tend(0, null, false, true, BUSY)).rejects.toThrow('was dropped');
    await expect(worker.commit(EMPTY, none)).rejects.toThrow('dropped');
  });
});
