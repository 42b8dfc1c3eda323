/** The log of a crawl, read from the database. */
import { messageOf, StoreError } from '../../base/core/errors.ts';
import { grouped } from '../../base/core/grouped.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { LogMark } from '../frontier/frontier-log.ts';
import type { LogEntry } from '../frontier/log-entry.ts';
import { entriesIn } from '../frontier/log-rows.ts';
import { type CorpusSums, corpusSizesIn, corpusSumsIn } from './database-texts.ts';
import { otherLogError, type SqlClient } from './sql-client.ts';

/** Bytes of steps that are read at one time, compressed: some 15,000 links, which a frontier takes in a fifth of a second (`npm run bench -- engine`). */
const BYTES_AT_ONCE = 2 ** 21;
/** Rows of a partition that are looked at for that: of small commits, some 2 MB. */
const ROWS_AT_ONCE = 500;
/** Commits that are read at one time for a corpus: some MB. */
const COMMITS_AT_ONCE = 500;

/** Steps of a crawl, and the commit up to which they go. */
export interface LogPart {
  readonly entries: readonly LogEntry[];
  readonly upTo: LogMark;
  /** The least number of activated models, of those that judged its pages. */
  readonly models: number;
}

/**
 * The steps that a view lacks of some partitions, some commits at a time.
 * @param heads by partition, the last commit that the view has
 * @param end the last commit to read
 * @throws StoreError for a step that cannot be read
 */
export async function* entriesAfter(
  client: Pick<SqlClient, 'query'>,
  crawl: { readonly id: string; readonly name: string },
  heads: ReadonlyMap<number, number>,
  partitions: readonly number[],
  end = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<LogPart> {
  const scope = [crawl.id, [...partitions], partitions.map((one) => heads.get(one) ?? 0)];
  for (let after = 0; ; ) {
    // A partition with all the rows that are looked at may have more: later commits than its last of them wait.
    const [last] = await client.query<{ upto: string | null; id: string | null }>(
      `with ahead as (
         select h.no, l.commit, l.bytes from unnest($2::integer[], $3::bigint[]) h(no, head) cross join lateral (
           select commit, octet_length(body) as bytes from forager.log
           where crawl = $1 and partition = h.no and commit > greatest(h.head, $4::bigint) and commit <= $5 order by commit limit ${ROWS_AT_ONCE}) l),
       cut as (select max(commit) as upto from ahead group by no having count(*) = ${ROWS_AT_ONCE})
       select upto, (select id from forager.commit_id i where i.crawl = $1 and i.commit = upto) from (select max(commit) as upto from (
         select commit, sum(sum(bytes)) over (order by commit) - sum(bytes) as before from ahead
         where commit <= all (select upto from cut) group by commit) one where before < ${BYTES_AT_ONCE}) last`,
      [...scope, after, end],
      'log-part',
    );
    if (!last?.upto) return;
    const rows = await client.query<CommitRow & { readonly models: number }>(
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
    yield {
      entries: [...grouped(rows, ({ commit }) => commit).values()].flatMap((some) => stepsOf(crawl.name, some)),
      upTo: { commit: after, id: last.id },
      models,
    };
  }
}

interface CommitRow {
  readonly commit: string;
  readonly body: Uint8Array;
  readonly texts: Uint8Array | null;
}

/** The steps of one commit. */
function stepsOf(crawl: string, rows: readonly CommitRow[]): LogEntry[] {
  try {
    return entriesIn(rows);
  } catch (error) {
    throw new StoreError(
      'STORE_CORRUPT',
      `${crawl}: commit ${rows[0]?.commit} of its log cannot be read (${messageOf(error)}); use the version of Forager that wrote it, or restore the database from a copy`,
      { cause: error },
    );
  }
}

/** The pages of one worker: a folder of a machine. */
export interface EngineCorpus {
  readonly id: string;
  readonly host: string;
  readonly path: string;
  /** The bytes of each file that belong to the commit. */
  readonly sizes: CorpusOffsets;
  /** CRC-32 of the files; null for a commit of Forager 0.2. */
  readonly sums: CorpusSums | null;
  /** Number of repairs: each changes the bytes. */
  readonly repairs: number;
}

/** The state of a corpus as of some commit. */
export type CorpusState = Pick<EngineCorpus, 'sizes' | 'sums' | 'repairs'>;

/** Checks the state of a corpus from the database. @throws StoreError for names of files that no corpus has */
function stateIn({ sizes, sums, repairs }: CorpusState, where: string): CorpusState {
  return { sizes: corpusSizesIn(sizes, where), sums: corpusSumsIn(sums, where), repairs };
}

/** The state of a corpus at its last commit in the log; null if it has none. @throws StoreError */
export async function corpusStateOf(
  client: Pick<SqlClient, 'query' | 'shown'>,
  { id }: { readonly id: string },
  corpus: string,
): Promise<CorpusState | null> {
  const [row] = await client.query<CorpusState>(
    'select sizes, sums, repairs from forager.corpus_size where crawl = $1 and corpus = $2 order by commit desc limit 1',
    [id, corpus],
  );
  return row === undefined ? null : stateIn(row, client.shown);
}

/** The machine and folder of a corpus of the crawl; null if the crawl has none of this id. */
export async function placeOfCorpus(
  client: Pick<SqlClient, 'query'>,
  { id }: { readonly id: string },
  corpus: string,
): Promise<Pick<EngineCorpus, 'host' | 'path'> | null> {
  const [row] = await client.query<Pick<EngineCorpus, 'host' | 'path'>>(
    'select host, path from forager.corpus where crawl = $1 and id::text = $2',
    [id, corpus],
  );
  return row ?? null;
}

/**
 * The steps of the commits that added something to a corpus: each page is in the corpus whose sizes its commit changed. A crawl that moved here from one
 * machine told the sizes after all of its steps.
 */
export async function* entriesOfCorpus(
  client: Pick<SqlClient, 'query'>,
  { id, name }: { readonly id: string; readonly name: string },
  corpus: string,
): AsyncGenerator<LogEntry> {
  const found = await client.query<{ commit: string }>(
    `with own as (select commit, sizes, lead(commit) over (order by commit) as next from forager.corpus_size where crawl = $1 and corpus = $2)
     select commit from own union select generate_series(commit, next) from own where sizes = '{}' and next is not null order by commit`,
    [id, corpus],
  );
  for (let from = 0; from < found.length; from += COMMITS_AT_ONCE) {
    const commits = found.slice(from, from + COMMITS_AT_ONCE).map(({ commit }) => commit);
    const rows = await client.query<CommitRow>(
      'select commit, body, null as texts from forager.log where crawl = $1 and commit = any ($2) order by commit',
      [id, commits],
    );
    for (const some of grouped(rows, ({ commit }) => commit).values()) yield* stepsOf(name, some);
  }
}

/** The states of a corpus at its commits up to one, oldest first. @throws StoreError */
export async function corpusStates(
  client: Pick<SqlClient, 'query' | 'shown'>,
  { id }: { readonly id: string },
  corpus: string,
  upTo: number,
): Promise<readonly CorpusState[]> {
  const rows = await client.query<CorpusState>(
    'select sizes, sums, repairs from forager.corpus_size where crawl = $1 and corpus = $2 and commit <= $3 order by commit',
    [id, corpus, upTo],
  );
  return rows.map((row) => stateIn(row, client.shown));
}

/** The corpora of a crawl as of a commit. @throws StoreError */
export async function corporaAt(
  client: Pick<SqlClient, 'query' | 'shown'>,
  { id }: { readonly id: string },
  commit: number,
): Promise<readonly EngineCorpus[]> {
  const rows = await client.query<EngineCorpus>(
    `select c.id, c.host, c.path, s.sizes, s.sums, s.repairs from forager.corpus c
     join lateral (select sizes, sums, repairs from forager.corpus_size where crawl = c.crawl and corpus = c.id and commit <= $2 order by commit desc limit 1) s on true
     where c.crawl = $1 order by c.id`,
    [id, commit],
  );
  return rows.map((row) => ({ ...row, ...stateIn(row, client.shown) }));
}

/**
 * Compares the log with the commits that a view of it has.
 * @param heads by partition, the last commit that the view has
 * @throws StoreError for a log that lacks some of them, or has others of their numbers
 */
export async function refuseOtherLog(
  client: Pick<SqlClient, 'query' | 'shown'>,
  { id, name }: { readonly id: string; readonly name: string },
  { heads, logged }: { readonly heads: ReadonlyMap<number, number>; readonly logged: LogMark | null },
  commits: number,
): Promise<void> {
  const known = Math.max(0, ...heads.values());
  if (commits < known) throw otherLogError(`${name}: the database has ${commits} commits of the crawl, and ${known} were made`);
  if (logged !== null) await client.query('select forager.check_commit($1, $2, $3)', [id, logged.commit, logged.id]);
}

/** The moment of a crawl: its last commit, and its workers. */
export interface EngineMoment {
  readonly commits: number;
  readonly startedAt: Date;
  /** Workers that were seen within the time of a lease. */
  readonly live: number;
}

/** @param lease in milliseconds */
export async function momentOf(client: Pick<SqlClient, 'query'>, { id }: { readonly id: string }, lease: number): Promise<EngineMoment> {
  const [row] = await client.query<{ commits: string; startedAt: Date; live: number }>(
    `select commits, begun_at as "startedAt",
       (select count(*)::integer from forager.worker w where w.crawl = c.id and not gone and seen_at > now() - $2::interval) as live
     from forager.crawl c where id = $1`,
    [id, `${lease} ms`],
  );
  return { commits: Number(row?.commits ?? 0), startedAt: row?.startedAt ?? new Date(0), live: row?.live ?? 0 };
}
