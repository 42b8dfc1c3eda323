/** The log of a crawl, read from the database. */
import { grouped } from '../core/grouped.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import { entriesIn, type LogEntry } from '../frontier/log-entry.ts';
import type { SqlClient } from './sql-client.ts';

/** Bytes of steps that are read at one time, compressed: some 15,000 links, which a frontier takes in a fifth of a second (`npm run bench -- engine`). */
const BYTES_AT_ONCE = 2 ** 21;
/** Rows of a partition that are looked at for that: of small commits, some 2 MB. */
const ROWS_AT_ONCE = 500;

/** Steps of a crawl, and the number of the commit up to which they go. */
export interface LogPart {
  readonly entries: readonly LogEntry[];
  readonly upTo: number;
  /** The least number of activated models, of those that judged its pages. */
  readonly models: number;
}

/**
 * The steps that a view lacks of some partitions, some commits at a time.
 * @param heads by partition, the last commit that the view has
 * @param end the last commit to read
 */
export async function* entriesAfter(
  client: Pick<SqlClient, 'query'>,
  { id }: { readonly id: string },
  heads: ReadonlyMap<number, number>,
  partitions: readonly number[],
  end = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<LogPart> {
  const scope = [id, [...partitions], partitions.map((one) => heads.get(one) ?? 0)];
  for (let after = 0; ; ) {
    // A partition with all the rows that are looked at may have more: later commits than its last of them wait.
    const [last] = await client.query<{ upto: string | null }>(
      `with ahead as (
         select h.no, l.commit, l.bytes from unnest($2::integer[], $3::bigint[]) h(no, head) cross join lateral (
           select commit, octet_length(body) as bytes from forager.log
           where crawl = $1 and partition = h.no and commit > greatest(h.head, $4::bigint) and commit <= $5 order by commit limit ${ROWS_AT_ONCE}) l),
       cut as (select max(commit) as upto from ahead group by no having count(*) = ${ROWS_AT_ONCE})
       select max(commit) as upto from (
         select commit, sum(sum(bytes)) over (order by commit) - sum(bytes) as before from ahead
         where commit <= all (select upto from cut) group by commit) one where before < ${BYTES_AT_ONCE}`,
      [...scope, after, end],
      'log-part',
    );
    if (!last?.upto) return;
    const rows = await client.query<{ commit: string; models: number; body: Uint8Array; texts: Uint8Array | null }>(
      `select l.commit, l.models, l.body, t.body as texts from unnest($2::integer[], $3::bigint[]) h(no, head) cross join lateral (
         select commit, models, body from forager.log
         where crawl = $1 and partition = h.no and commit > greatest(h.head, $4::bigint) and commit <= $5 offset 0) l
       left join lateral (select body from forager.log_text where crawl = $1 and partition = h.no and commit = l.commit offset 0) t on true
       order by l.commit`,
      [...scope, after, last.upto],
      'log-rows',
    );
    after = Number(last.upto);
    const models = Math.min(...rows.map((row) => row.models));
    yield { entries: [...grouped(rows, ({ commit }) => commit).values()].flatMap((some) => entriesIn(some)), upTo: after, models };
  }
}

/** The pages of one worker: a folder of a machine. */
export interface EngineCorpus {
  readonly id: string;
  readonly host: string;
  readonly path: string;
  /** Of each file, the bytes that belong to the commit. */
  readonly sizes: CorpusOffsets;
}

/** The corpora of a crawl as of a commit. */
export async function corporaAt(
  client: Pick<SqlClient, 'query'>,
  { id }: { readonly id: string },
  commit: number,
): Promise<readonly EngineCorpus[]> {
  return client.query<EngineCorpus>(
    `select c.id, c.host, c.path, s.sizes from forager.corpus c
     join lateral (select sizes from forager.corpus_size where crawl = c.crawl and corpus = c.id and commit <= $2 order by commit desc limit 1) s on true
     where c.crawl = $1 order by c.id`,
    [id, commit],
  );
}

/** The moment of a crawl: its last commit, and its workers. */
export interface EngineMoment {
  readonly commits: number;
  readonly begunAt: Date;
  /** Workers that were seen within the time of a lease. */
  readonly live: number;
}

/** @param lease in milliseconds */
export async function momentOf(client: Pick<SqlClient, 'query'>, { id }: { readonly id: string }, lease: number): Promise<EngineMoment> {
  const [row] = await client.query<{ commits: string; begunAt: Date; live: number }>(
    `select commits, begun_at as "begunAt",
       (select count(*)::integer from forager.worker w where w.crawl = c.id and not gone and seen_at > now() - $2::interval) as live
     from forager.crawl c where id = $1`,
    [id, `${lease} ms`],
  );
  return { commits: Number(row?.commits ?? 0), begunAt: row?.begunAt ?? new Date(0), live: row?.live ?? 0 };
}
