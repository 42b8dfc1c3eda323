/** Hosts of one address that several workers have: asked one at a time, with the delay in between. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { HostKey } from '../../../src/base/core/types.ts';
import { beginEngineCrawl } from '../../../src/crawling/cluster/crawl-list.ts';
import { migrate } from '../../../src/crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../../src/crawling/cluster/engine-address.ts';
import { SharedAddresses } from '../../../src/crawling/cluster/shared-addresses.ts';
import { SqlClient } from '../../../src/crawling/cluster/sql-client.ts';
import { EngineWorker } from '../../../src/crawling/cluster/worker.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';

const [LEASE, REQUEST, DELAY] = [300, 200, 60];
const BUSY = { best: 0.5, wants: true, patience: 20_000 };
/** `http://2.test` is in partition 2. */
const partitionOf = (host: HostKey) => Number(/\d+/.exec(host)?.[0]);
const hostIn = (partition: number) => `http://${partition}.test` as HostKey;

describe.skipIf(!HAS_POSTGRES)('addresses of several workers', () => {
  let server: PostgresServer;
  let client: SqlClient;
  beforeAll(async () => {
    server = await PostgresServer.start();
    client = await SqlClient.connect(readEngineAddress(server.address('any')));
    await migrate(client);
  });
  afterAll(async () => {
    await client?.close();
    await server?.close();
  });

  /** Two workers, with two partitions each. */
  const two = async (name: string) => {
    const crawl = await beginEngineCrawl(client, name, '{}', new Map(), 4);
    const ended = new AbortController();
    const join = async (id: string) => {
      const corpus = { id: `0b6d1c1e-0000-4000-8000-00000000000${id}`, host: 'here', path: `/${id}` };
      const worker = await EngineWorker.join(client, crawl, corpus, id, LEASE, REQUEST);
      return { worker, addresses: new SharedAddresses(worker, systemClock, DELAY, partitionOf, ended.signal) };
    };
    const [a, b] = [await join('1'), await join('2')];
    const { held } = await a.worker.tend(0, null, false, true, BUSY);
    await b.worker.tend(0, null, false, true, BUSY);
    const ofA = held.map(([partition]) => partition);
    const ofB = [0, 1, 2, 3].filter((partition) => !ofA.includes(partition));
    return { a, b, ofA, ofB, ended };
  };

  test('are asked by turns: never by two at once, nor before the delay', async () => {
    const { a, b, ofA, ofB, ended } = await two('turns');
    const [here, there] = [hostIn(ofA[0] ?? 0), hostIn(ofB[0] ?? 0)];
    await a.addresses.know(here, ['domain x', 'ip 192.0.2.1']);
    await a.addresses.enter(here);
    a.addresses.leave(here);
    const startedAt = performance.now();
    await b.addresses.know(there, ['ip 192.0.2.1']);
    const { turns } = await a.worker.tend(0, null, false, true, BUSY);
    expect(turns).toBe(1);
    await a.addresses.learn(turns);
    const asked: (readonly [from: number, to: number])[] = [];
    const ask = async ({ addresses }: typeof a, host: HostKey) => {
      for (let i = 0; i < 5; i++) {
        await addresses.enter(host);
        const from = performance.now();
        await sleep(10);
        asked.push([from, performance.now()]);
        addresses.leave(host);
        // The turn is given back in the background.
        await sleep(5);
      }
    };
    await Promise.all([ask(a, here), ask(b, there)]);
    asked.sort(([x], [y]) => x - y);
    expect(asked).toHaveLength(10);
    // The first turn waits for a request that the other worker may have begun before it learned of this one.
    expect((asked[0]?.[0] ?? 0) - startedAt).toBeGreaterThan(LEASE + REQUEST - 20);
    const gaps = asked.slice(1).map(([from], i) => from - (asked[i]?.[1] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(DELAY - 2);
    ended.abort();
  });

  test('a worker that died in its turn loses it after the longest request', async () => {
    const { a, b, ofA, ofB, ended } = await two('died');
    const [here, there] = [hostIn(ofA[0] ?? 0), hostIn(ofB[0] ?? 0)];
    await a.addresses.know(here, ['ip 192.0.2.2']);
    await b.addresses.know(there, ['ip 192.0.2.2']);
    await b.addresses.enter(there);
    await a.addresses.learn(1_000);
    const before = performance.now();
    await a.addresses.enter(here);
    expect(performance.now() - before).toBeGreaterThan(REQUEST - 20);
    ended.abort();
  });

  test('of one worker alone, or of other addresses, wait for nobody', async () => {
    const { a, b, ofA, ofB, ended } = await two('alone');
    await a.addresses.know(hostIn(ofA[0] ?? 0), ['ip 192.0.2.3']);
    await a.addresses.know(hostIn(ofA[1] ?? 0), ['ip 192.0.2.3']);
    await b.addresses.know(hostIn(ofB[0] ?? 0), ['ip 192.0.2.4']);
    await b.addresses.know(hostIn(ofB[1] ?? 0), ['domain x']);
    expect((await a.worker.tend(0, null, false, true, BUSY)).turns).toBe(0);
    const before = performance.now();
    for (const partition of ofA) await a.addresses.enter(hostIn(partition));
    for (const partition of ofB) await b.addresses.enter(hostIn(partition));
    expect(performance.now() - before).toBeLessThan(REQUEST);
    ended.abort();
  });
});
