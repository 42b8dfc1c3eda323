/** The workers of a crawl on several machines: which there are, and one word to all of them. */

import { UsageError } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { dropEngineCrawl, findEngineCrawl } from '../../crawling/cluster/crawl-list.ts';
import { checkSchema } from '../../crawling/cluster/database-tables.ts';
import { readEngineAddress } from '../../crawling/cluster/engine-address.ts';
import { SqlClient } from '../../crawling/cluster/sql-client.ts';
import { LEASE } from '../../crawling/cluster/worker.ts';
import type { WorkerAction } from '../../crawling/settings/commands.ts';

export interface WorkersOptions {
  /** Address of the crawl, as `--at` of a crawl. */
  readonly at: string;
  /** Default: none. */
  readonly action?: WorkerAction;
}

export interface WorkerFacts {
  /** Host and process. */
  readonly name: string;
  readonly version: string;
  /** Time since the worker last looked at the crawl: twice a second, while it lives. */
  readonly seen: Ms;
  readonly partitions: number;
  readonly visits: number;
}

export interface WorkersReport {
  readonly crawl: string;
  readonly state: 'running' | 'paused' | 'stopping' | 'dropped';
  readonly visited: number;
  readonly partitions: number;
  /** Workers that have not left, the one that was seen last first. */
  readonly workers: readonly WorkerFacts[];
}

const STATE_AFTER = { pause: 'paused', resume: 'running', stop: 'stopping' } as const;

/**
 * Workers follow within a second.
 * @throws UsageError without such a crawl, and for dropping one that has workers; StoreError, CrawlerError
 */
export async function workers({ at, action }: WorkersOptions): Promise<WorkersReport> {
  const address = readEngineAddress(at);
  const client = await SqlClient.connect(address);
  try {
    await checkSchema(client);
    const crawl = await findEngineCrawl(client, address.crawl);
    if (crawl === null) throw new UsageError(`${address.shown}: there is no crawl of this name; correct --at`);
    if (action !== undefined && action !== 'drop')
      await client.query('update forager.crawl set state = $2 where id = $1', [crawl.id, STATE_AFTER[action]]);
    const report = await reportOf(client, crawl.id);
    const found = { crawl: crawl.name, partitions: crawl.partitions, ...report };
    if (action !== 'drop') return found;
    const live = report.workers.filter(({ seen }) => seen < LEASE);
    if (live.length > 0)
      throw new UsageError(
        `${address.shown}: ${live.length} workers are in it; stop them first: ${foragerCommand('workers', 'stop', '--at', at)}`,
      );
    await dropEngineCrawl(client, crawl);
    return { ...found, state: 'dropped' };
  } finally {
    await client.close();
  }
}

async function reportOf(client: SqlClient, id: string): Promise<Pick<WorkersReport, 'state' | 'visited' | 'workers'>> {
  const [crawl] = await client.query<{ state: WorkersReport['state']; visited: string }>(
    'select state, visited from forager.crawl where id = $1',
    [id],
  );
  const rows = await client.query<Omit<WorkerFacts, 'visits'> & { visits: string }>(
    `select name, version, greatest(0, extract(epoch from now() - seen_at) * 1000)::float8 as seen, visits,
       (select count(*)::integer from forager.partition p where p.worker = w.id) as partitions
     from forager.worker w where crawl = $1 and not gone order by seen_at desc limit 1000`,
    [id],
  );
  const found = rows.map(({ visits, ...row }) => ({ ...row, visits: Number(visits) }));
  return { state: crawl?.state ?? 'dropped', visited: Number(crawl?.visited ?? 0), workers: found };
}
