/**
 * A crawl on several machines: pages a second with 1, 2 and 4 workers, CPU time of a page in worker and database, bytes and commits a page. All run on this
 * machine: workers and database as processes, the web in this one. Its hosts answer after 200 ms and are asked once a second, so hosts and concurrency
 * bound the speed, as on the web.
 *
 *   npm run bench -- machines [--workers 1,2,4] [--seconds 40] [--hosts 400] [--concurrency 16]
 *
 * Commits are durable (fsync, synchronous_commit).
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readEngineAddress } from '../../src/crawling/cluster/engine-address.ts';
import { SqlClient } from '../../src/crawling/cluster/sql-client.ts';
import { Cluster } from '../../test/machines/cluster.ts';
import { cpuOf } from '../../test/support/process-facts.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4' },
    seconds: { type: 'string', default: '40' },
    hosts: { type: 'string', default: '400' },
    concurrency: { type: 'string', default: '16' },
  },
});
const seconds = Number(values.seconds);
/** The crawl has found most hosts by then. */
const WARM_PAGES = 1_500;

interface Measured {
  readonly workers: number;
  readonly pagesPerSecond: number;
  readonly workerMs: number;
  readonly databaseMs: number;
  readonly commitsPerPage: number;
  readonly bytesPerPage: number;
}

async function measured(workers: number): Promise<Measured> {
  const cluster = await Cluster.start({
    pages: 60_000,
    hosts: Number(values.hosts),
    latency: 200,
    delay: 1_000,
    concurrency: Number(values.concurrency),
  });
  const client = await SqlClient.connect(readEngineAddress(cluster.address));
  try {
    for (let i = 0; i < workers; i++) await cluster.join();
    while (cluster.web.answered < WARM_PAGES) await sleep(200);
    // Partitions have moved by then.
    await sleep(3_000);
    const facts = async () => {
      const [row] = await client.query<{ commits: string; bytes: string }>(
        `select (select commits from forager.crawl) as commits, pg_database_size(current_database()) as bytes`,
      );
      return {
        at: performance.now(),
        pages: cluster.web.answered,
        workers: cluster.workers.reduce((sum, { process: child }) => sum + cpuOf(child?.pid ?? 0), 0),
        database: cpuOf(cluster.database.pid),
        commits: Number(row?.commits),
        bytes: Number(row?.bytes),
      };
    };
    const before = await facts();
    await sleep(seconds * 1_000);
    const after = await facts();
    const pages = after.pages - before.pages;
    return {
      workers,
      pagesPerSecond: (1_000 * pages) / (after.at - before.at),
      workerMs: (1_000 * (after.workers - before.workers)) / pages,
      databaseMs: (1_000 * (after.database - before.database)) / pages,
      commitsPerPage: (after.commits - before.commits) / pages,
      bytesPerPage: (after.bytes - before.bytes) / pages,
    };
  } finally {
    await client.close();
    await cluster.close();
  }
}

console.log(
  `${values.hosts} hosts, answers after 200 ms, delay 1 s, ${values.concurrency} requests at once a worker; load ${loadavg()[0]?.toFixed(1)}\n`,
);
console.log(
  '| workers | pages a second | of linear | worker CPU ms a page | database CPU ms a page | commits a page | database bytes a page | load |',
);
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
let alone: number | null = null;
for (const workers of values.workers.split(',').map(Number)) {
  const one = await measured(workers);
  alone ??= one.pagesPerSecond / workers;
  const share = one.pagesPerSecond / (workers * alone);
  console.log(
    `| ${workers} | ${one.pagesPerSecond.toFixed(1)} | ${(100 * share).toFixed(0)} % | ${one.workerMs.toFixed(2)} | ${one.databaseMs.toFixed(2)} | ${one.commitsPerPage.toFixed(3)} | ${one.bytesPerPage.toFixed(0)} | ${loadavg()[0]?.toFixed(1)} |`,
  );
}
