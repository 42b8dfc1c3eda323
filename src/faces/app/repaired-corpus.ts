/** The corpus of a worker was repaired: the database learns its sizes, and which of its records are lost. Their pages wait for another visit. */
import { rmSync } from 'node:fs';
import type { RecordId } from '../../base/core/types.ts';
import { corpusSizes } from '../../corpus/records/corpus-writer.ts';
import { readRecords } from '../../corpus/records/records.ts';
import { CorpusChecksums } from '../../crawling/cluster/corpus-checksums.ts';
import { repairCorpus } from '../../crawling/cluster/crawl-list.ts';
import { corpusStateOf, entriesOfCorpus } from '../../crawling/cluster/engine-log.ts';
import { partitionsOf } from '../../crawling/cluster/partition-of.ts';
import type { SqlClient } from '../../crawling/cluster/sql-client.ts';
import type { EngineCrawl } from '../../crawling/cluster/worker.ts';
import type { CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { LogEntry } from '../../crawling/frontier/log-entry.ts';
import { logRowsOf } from '../../crawling/frontier/log-rows.ts';

type Lost = Extract<LogEntry, { kind: 'lost' }>;

/** Changes nothing if the corpus has the bytes that the database knows. @throws StoreError, EngineGoneError, DataError */
export async function tellRepaired(client: SqlClient, crawl: EngineCrawl, { corpus, repaired }: CrawlPaths, id: string): Promise<void> {
  const known = await corpusStateOf(client, crawl, id);
  if (known !== null) {
    const sizes = await corpusSizes(corpus);
    const sums = await new CorpusChecksums(corpus, null).upTo(sizes);
    if (!isSame(known, { sizes, sums })) {
      const lost = await lostRecords(client, crawl, corpus, id);
      await repairCorpus(client, crawl, { id, sizes, sums }, logRowsOf(lost, partitionsOf(crawl.partitions), []));
    }
  }
  rmSync(repaired, { force: true });
}

/** The records that the log has from this corpus, and the corpus no longer has. */
async function lostRecords(client: SqlClient, crawl: EngineCrawl, folder: string, id: string): Promise<Lost[]> {
  const lost = new Map<RecordId, Lost>();
  for await (const entry of entriesOfCorpus(client, crawl, id)) {
    if (entry.kind !== 'fate' || entry.stored.fate.recordId === null) continue;
    const record = entry.stored.fate.recordId;
    lost.set(record, { kind: 'lost', host: entry.host, url: entry.url, record });
  }
  for await (const record of readRecords(folder, undefined, () => undefined)) lost.delete(record.id);
  return [...lost.values()];
}

type Known = Pick<NonNullable<Awaited<ReturnType<typeof corpusStateOf>>>, 'sizes' | 'sums'>;

function isSame(known: Known, here: Known): boolean {
  const text = ({ sizes, sums }: Known) =>
    JSON.stringify(
      Object.entries(sizes)
        .flatMap(([name, size]) => (size > 0 ? [[name, size, sums?.[name]]] : []))
        .sort(),
    );
  return text(known) === text(here);
}
