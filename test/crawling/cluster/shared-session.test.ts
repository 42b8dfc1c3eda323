/** A worker's session over a real database: its clock is set, the database has no room, or it is an older copy. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EpochMs, Ms } from '../../../src/base/core/types.ts';
import { beginEngineCrawl } from '../../../src/crawling/cluster/crawl-list.ts';
import { migrate } from '../../../src/crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../../src/crawling/cluster/engine-address.ts';
import { SharedSession } from '../../../src/crawling/cluster/shared-session.ts';
import { EngineGoneError, SqlClient } from '../../../src/crawling/cluster/sql-client.ts';
import { EngineWorker, LEASE } from '../../../src/crawling/cluster/worker.ts';
import { openLoggedFrontier } from '../../../src/crawling/frontier/frontier.ts';
import type { LoggedFrontier } from '../../../src/crawling/frontier/logged-frontier.ts';
import { link, seeds } from '../../support/frontier-values.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const MINUTE: Ms = 60_000;

const seed = (number: number) => seeds(link(`http://host${number}.example/`, 1));

/** Its date can be set. */
class SetClock extends VirtualClock {
  ahead: Ms = 0;
  date(): EpochMs {
    return this.now() + this.ahead;
  }
}

describe.skipIf(!HAS_POSTGRES)('the session of a worker', () => {
  let server: PostgresServer;
  let client: SqlClient;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await PostgresServer.start();
    client = await SqlClient.connect(readEngineAddress(server.address()));
    await migrate(client);
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  /** A worker that holds all partitions of a new crawl. */
  async function opened() {
    const crawl = await beginEngineCrawl(client, randomUUID(), '{}', new Map(), 4);
    let full = (_text: string): boolean => false;
    let looks = 0;
    const query = async <Row>(...given: Parameters<SqlClient['query']>): Promise<Row[]> => {
      if (full(given[0])) throw new EngineGoneError('no space left');
      const rows = await client.query<Row>(...given);
      if (given[0].includes('forager.tend')) looks += 1;
      return rows;
    };
    const worker = await EngineWorker.join({ query }, crawl, { id: randomUUID(), host: 'here', path: '/corpus' }, 'test');
    const clock = new SetClock();
    const told: (string | null)[] = [];
    const lost: unknown[] = [];
    const session = new SharedSession(worker, clock, {
      onGone: (why) => void told.push(why),
      onLost: (why) => void lost.push(why),
    });
    const folder = mkdtempSync(join(tmpdir(), 'forager-session-'));
    const frontier: LoggedFrontier = openLoggedFrontier(
      folder,
      { clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY },
      null,
      session,
      session,
    );
    await session.open({ frontier, busyHosts: () => [], added: () => undefined, commit: () => frontier.commit({}, Promise.resolve()) });
    closers.push(async () => {
      await session.close();
      await frontier.close();
      rmSync(folder, { recursive: true, force: true });
    });
    /** The next look at the crawl has ended. */
    const looked = async () => {
      const before = looks;
      await vi.waitUntil(() => {
        clock.advance(500);
        return looks > before || lost.length > 0;
      });
    };
    const commit = () => frontier.commit({}, Promise.resolve());
    return { crawl, session, frontier, clock, told, lost, looked, commit, fill: (when: typeof full) => (full = when) };
  }

  test('requests nothing after its lease when the clock is set back; one that is set on costs one look, and no partition', async () => {
    const { crawl, session, clock, looked, lost } = await opened();
    expect(session.mayAsk).toBe(true);
    clock.ahead = 5 * MINUTE;
    expect(session.mayAsk).toBe(false);
    await looked();
    await vi.waitUntil(() => session.mayAsk);
    // Set back: the date says that there is time, the monotonic clock that there is none.
    clock.ahead = -5 * MINUTE;
    expect(session.mayAsk).toBe(true);
    clock.advance(LEASE);
    expect(session.mayAsk).toBe(false);
    await looked();
    await vi.waitUntil(() => session.mayAsk);
    expect(lost).toEqual([]);
    expect(await client.query('select distinct epoch::integer as epoch from forager.partition where crawl = $1', [crawl.id])).toEqual([
      { epoch: 1 },
    ]);
  });

  test('requests nothing while the database answers and stores nothing, says so once, and continues when there is room', async () => {
    const { session, frontier, told, looked, commit, fill } = await opened();
    fill((text) => text.includes('commit_batch'));
    frontier.add(seed(1));
    const stored = commit();
    await vi.waitUntil(() => told.length > 0);
    await looked();
    expect([session.mayAsk, told]).toEqual([false, ['no space left']]);
    fill(() => false);
    await stored;
    expect(told).toEqual(['no space left', null]);
    expect(session.mayAsk).toBe(true);
  });

  test('refuses a database that has fewer commits than it made: an older copy', async () => {
    const { crawl, frontier, lost, looked, commit } = await opened();
    for (const count of [1, 2]) {
      frontier.add(seed(count));
      await commit();
    }
    await client.query('update forager.crawl set commits = 1 where id = $1', [crawl.id]);
    await looked();
    await vi.waitUntil(() => lost.length > 0);
    expect(String(lost[0])).toMatch(
      /has 1 commits of the crawl, and 2 were made: it is an older copy of the database, or continued from one; restore a later one/,
    );
    expect(lost[0]).toMatchObject({ code: 'STORE_CORRUPT', exitCode: 3 });
  });

  test('refuses a commit that an older copy numbers again', async () => {
    const { crawl, frontier, commit } = await opened();
    for (const count of [1, 2]) {
      frontier.add(seed(count));
      await commit();
    }
    await client.query('update forager.crawl set commits = 0 where id = $1', [crawl.id]);
    await client.query('delete from forager.log where crawl = $1', [crawl.id]);
    frontier.add(seed(3));
    await expect(commit()).rejects.toThrow('older copy');
  });
});
