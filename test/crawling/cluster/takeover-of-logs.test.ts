import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { HostKey } from '../../../src/base/core/types.ts';
import { beginEngineCrawl } from '../../../src/crawling/cluster/crawl-list.ts';
import { migrate } from '../../../src/crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../../src/crawling/cluster/engine-address.ts';
import { entriesAfter } from '../../../src/crawling/cluster/engine-log.ts';
import { SharedSession } from '../../../src/crawling/cluster/shared-session.ts';
import { SqlClient } from '../../../src/crawling/cluster/sql-client.ts';
import { EngineWorker, LEASE } from '../../../src/crawling/cluster/worker.ts';
import { openLoggedFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { type LogRow, logRowsOf } from '../../../src/crawling/frontier/log-rows.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';

const none = new AbortController().signal;

/** A row of one step, which says its number. */
function rowIn(partition: number, settled: number, pattern = ''): LogRow {
  return logRowsOf([{ kind: 'unparking', unparking: { settled, pattern } }], () => partition, [partition])[0] as LogRow;
}

const BUSY = { best: null, wants: true, patience: 20_000 };

describe.skipIf(!HAS_POSTGRES)('the log of partitions', () => {
  let server: PostgresServer;
  let client: SqlClient;
  const folder = mkdtempSync(join(tmpdir(), 'forager-test-'));
  beforeAll(async () => {
    server = await PostgresServer.start();
    client = await SqlClient.connect(readEngineAddress(server.address()));
    await migrate(client);
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is read in the order of its commits, all of each at once, also where one partition has far more of them than another', async () => {
    const crawl = await beginEngineCrawl(client, 'order', '{}', new Map(), 3);
    const rows = [
      ...Array.from({ length: 1_201 }, (_, i) => ({ commit: i + 1, row: rowIn(0, i + 1) })),
      ...[700, 3_000].map((commit) => ({ commit, row: rowIn(1, commit) })),
      // Commits between those of partition 0 would be passed over if each partition were read by itself.
      ...Array.from({ length: 600 }, (_, i) => ({ commit: 5_000 + 2 * i, row: rowIn(2, 5_000 + 2 * i) })),
      { commit: 5_601, row: rowIn(0, 5_601) },
    ];
    await client.query(
      'insert into forager.log (crawl, models, commit, partition, body) select $1, 0, * from unnest($2::bigint[], $3::integer[], $4::bytea[])',
      [crawl.id, rows.map(({ commit }) => commit), rows.map(({ row }) => row.partition), rows.map(({ row }) => row.body)],
    );
    const read = async (heads: ReadonlyMap<number, number>, partitions: readonly number[], end?: number) => {
      const [settled, upTos] = [[] as number[], [] as number[]];
      for await (const { entries, upTo } of entriesAfter(client, crawl, heads, partitions, end)) {
        settled.push(...entries.map((entry) => (entry.kind === 'unparking' ? entry.unparking.settled : -1)));
        upTos.push(upTo.commit);
      }
      return { settled, upTos };
    };
    const all = [...new Set(rows.map(({ commit }) => commit))].sort((a, b) => a - b);
    const whole = await read(new Map(), [0, 1, 2]);
    expect(whole.settled).toEqual(all);
    expect(whole.upTos).toEqual([...whole.upTos].sort((a, b) => a - b));
    expect(whole.upTos.length).toBeGreaterThan(2);
    const some = await read(new Map([[0, 1_000]]), [0, 1], 5_600);
    expect(some.settled).toEqual(all.filter((commit) => commit === 700 || commit === 3_000 || (commit > 1_000 && commit < 1_202)));
  });

  test('is refused where a step cannot be read: a torn row, and a kind of a later version', async () => {
    const crawl = await beginEngineCrawl(client, 'unreadable', '{}', new Map(), 1);
    const torn = rowIn(0, 1, 'http://a.test/').body.slice(0, -3);
    const later = brotliCompressSync(new Packr({}).pack([[0, 'moved', 'http://a.test', 'http://a.test/']]));
    for (const [commit, body] of [torn, later].entries()) {
      await client.query('delete from forager.log where crawl = $1', [crawl.id]);
      await client.query('insert into forager.log (crawl, models, commit, partition, body) values ($1, 0, $2, 0, $3)', [
        ...[crawl.id, commit + 1, Buffer.from(body)],
      ]);
      await expect(entriesAfter(client, crawl, new Map(), [0]).next()).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringMatching(
          commit === 0
            ? /^unreadable: commit 1 of its log cannot be read \(/
            : /no step of this version is of kind moved\); use the version/,
        ),
      });
    }
  });

  test('is taken with its leases renewed after each part, and is in the view step by step', async () => {
    const crawl = await beginEngineCrawl(client, 'long', '{}', new Map(), 2);
    let looks = 0;
    const counted = {
      query<Row>(...[text, values, name]: Parameters<SqlClient['query']>): Promise<Row[]> {
        if (name === 'tend') looks += 1;
        return client.query<Row>(text, values, name);
      },
    };
    const joined = () => EngineWorker.join(counted, crawl, { id: randomUUID(), host: 'here', path: '/corpus' }, 'test', LEASE, 0);
    const writer = await joined();
    const held = new Map((await writer.tend(0, null, false, true, BUSY)).held.map(([partition, epoch]) => [partition, epoch]));
    // Each of them is more than is read at one time.
    for (let i = 1; i <= 3; i++) {
      const rows = [rowIn(0, i, randomBytes(2 ** 21).toString('base64'))];
      await writer.commit({ held, rows, passedOn: [], read: [], lessons: null, visits: 0, models: 0, sizes: {}, sums: {} }, none);
    }
    await writer.leave();

    let now = 0;
    const clock = { now: () => now, sleep: systemClock.sleep };
    const session = new SharedSession(await joined(), clock, { onLost: () => undefined });
    const options = { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };
    const frontier = openLoggedFrontier(join(folder, 'view'), options, null, session, session);
    const steps: (readonly [upTo: number | undefined, looks: number])[] = [];
    looks = 0;
    await session.open({
      frontier,
      busyHosts: () => [],
      added: () => undefined,
      async commit() {
        await frontier.commit({}, Promise.resolve());
        steps.push([frontier.heads.get(0), looks]);
        now += 600;
      },
    });
    expect(steps).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(session.isAway('http://host.example' as HostKey)).toBe(false);
    await session.close();
    await frontier.close();
  });
});
