/** The crawls in a database. */
import { UsageError } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { LogRow } from '../frontier/log-rows.ts';
import { type CorpusSums, sharedPath } from './database-texts.ts';
import { PARTITIONS } from './partition-of.ts';
import type { SqlClient } from './sql-client.ts';
import { type EngineCrawl, LEASE, LONGEST_REQUEST } from './worker.ts';

/** null if there is none of that name. */
export async function findEngineCrawl(client: SqlClient, name: string): Promise<EngineCrawl | null> {
  const [row] = await client.query<EngineCrawl>('select id, name, manifest, partitions from forager.crawl where name = $1', [name]);
  return row ?? null;
}

/**
 * Begins a crawl. If another worker began it a moment before, that one is returned.
 * @param files by path in a crawl directory, those that each worker needs
 */
export async function beginEngineCrawl(
  client: SqlClient,
  name: string,
  manifest: string,
  files: ReadonlyMap<string, Uint8Array>,
  partitions = PARTITIONS,
): Promise<EngineCrawl> {
  await client.transaction(async (query) => {
    await query('select forager.begin_crawl($1, $2, $3)', [name, manifest, partitions]);
    for (const [path, body] of files)
      await query(
        'insert into forager.crawl_file (crawl, path, body) select id, $2, $3 from forager.crawl where name = $1 on conflict do nothing',
        [name, path, body],
      );
  });
  const crawl = await findEngineCrawl(client, name);
  if (crawl === null) throw new UsageError(`${client.shown}: the crawl ${name} was dropped a moment ago; begin it again`);
  return crawl;
}

/**
 * Files of a crawl, by path in a crawl directory. @param beginning of their paths; default: all. @throws StoreError for a path that no
 * crawl shares
 */
export async function engineFiles(client: SqlClient, { id }: EngineCrawl, beginning = ''): Promise<ReadonlyMap<string, Uint8Array>> {
  const rows = await client.query<{ path: string; body: Uint8Array }>(
    'select path, body from forager.crawl_file where crawl = $1 and starts_with(path, $2)',
    [id, beginning],
  );
  return new Map(rows.map(({ path, body }) => [sharedPath(path, client.shown), body]));
}

/**
 * Adds steps of no worker to the log of a crawl.
 * @throws UsageError while workers are in the crawl
 */
export async function giveUpRecords(client: SqlClient, { id }: EngineCrawl, rows: readonly LogRow[]): Promise<void> {
  await client.query('select forager.give_up_records($1, $2, $3, $4, $5)', [
    ...[id, `${LEASE} ms`, `${LONGEST_REQUEST} ms`],
    ...[rows.map(({ partition }) => partition), rows.map(({ body }) => body)],
  ]);
}

/**
 * Tells that a corpus was repaired.
 * @param corpus its id, and the sizes and sums that its files have now
 * @param rows steps of no worker: its lost records. Workers that hold their partitions join again
 */
export async function repairCorpus(
  client: SqlClient,
  { id }: EngineCrawl,
  corpus: { readonly id: string; readonly sizes: CorpusOffsets; readonly sums: CorpusSums },
  rows: readonly LogRow[],
): Promise<void> {
  await client.query('select forager.repair_corpus($1, $2, $3, $4, $5, $6, $7)', [
    ...[id, `${LONGEST_REQUEST} ms`, corpus.id, JSON.stringify(corpus.sizes), JSON.stringify(corpus.sums)],
    ...[rows.map(({ partition }) => partition), rows.map(({ body }) => body)],
  ]);
}

/** Replaces a file for all workers. @returns the number of such changes */
export async function putFile(client: SqlClient, { id }: EngineCrawl, path: string, body: Uint8Array): Promise<number> {
  const [row] = await client.query<{ notices: number }>('select forager.put_file($1, $2, $3) as notices', [id, path, body]);
  return row?.notices ?? 0;
}

/**
 * Activates a model for all workers.
 * @param before number of models that were activated before
 * @param models number of them now
 * @returns false if there were others meanwhile: then nothing has changed
 */
export async function putModel(
  client: SqlClient,
  { id }: EngineCrawl,
  before: number,
  models: number,
  manifest: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<boolean> {
  return client.transaction(async (query) => {
    const changed = (await query('update forager.crawl set manifest = $4, models = $3 where id = $1 and models = $2 returning id', [
      id,
      before,
      models,
      manifest,
    ])) as { rows: unknown[] };
    if (changed.rows.length === 0) return false;
    for (const [path, body] of files) await query(PUT_FILE, [id, path, body]);
    return true;
  });
}

const PUT_FILE =
  'insert into forager.crawl_file (crawl, path, body) values ($1, $2, $3) on conflict (crawl, path) do update set body = excluded.body';

/** A crawl that was moved here is complete: it gets its name. @throws StoreError if another one has the name by now */
export async function nameMoved(
  client: SqlClient,
  { id }: EngineCrawl,
  { name, visited, models }: { readonly name: string; readonly visited: number; readonly models: number },
): Promise<void> {
  await client.query('update forager.crawl set name = $2, visited = $3, models = $4 where id = $1', [id, name, visited, models]);
}

/** Removes a crawl with all its data. Workers that are still in it end. */
export async function dropEngineCrawl(client: SqlClient, { id }: EngineCrawl): Promise<void> {
  await client.query('select forager.drop_crawl($1)', [id]);
}
