/** One worker of a crawl in the database: every statement that it sends, in the terms of this program. */
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Ms, Unit } from '../../base/core/types.ts';
import { VERSION } from '../../base/core/version.ts';
import type { LogMark } from '../frontier/frontier-log.ts';
import type { LogRow, PassedOn } from '../frontier/log-rows.ts';
import type { CorpusSums } from './database-texts.ts';
import { type EngineCorpus, entriesAfter } from './engine-log.ts';
import { EngineGoneError, persistently, type SqlClient, type Tried } from './sql-client.ts';

/** A crawl in a database. */
export interface EngineCrawl {
  readonly id: string;
  readonly name: string;
  /** The text of its manifest. */
  readonly manifest: string;
  readonly partitions: number;
}

/** Links that wait for a partition, with their key. */
export interface ForwardedLinks extends PassedOn {
  readonly commit: string;
  readonly place: number;
}

/** Numbered from `first`, in their order. */
export interface LessonRow {
  readonly first: number;
  readonly count: number;
  /** The worker whose commit has them. */
  readonly worker: string;
  readonly body: Uint8Array;
}

/** One commit. */
export interface Batch {
  /** Partitions that this worker writes, with their epochs. */
  readonly held: ReadonlyMap<number, number>;
  readonly rows: readonly LogRow[];
  readonly passedOn: readonly PassedOn[];
  /** Sizes of the files of its corpus. */
  readonly sizes: CorpusOffsets;
  /** CRC-32 of these files. */
  readonly sums: CorpusSums;
  /** Links that are applied with it. */
  readonly read: readonly ForwardedLinks[];
  readonly lessons: Pick<LessonRow, 'count' | 'body'> | null;
  readonly visits: number;
  /** Number of activations of models: the judgements are of the last one. */
  readonly models: number;
}

/** A look at the crawl. */
export interface CrawlSnapshot {
  /** Workers that live, this one included. */
  readonly live: number;
  /** Number of partitions that this worker should hold. */
  readonly quota: number;
  /** The partitions that it holds, each with its epoch and how long its hosts must rest first. */
  readonly held: readonly (readonly [partition: number, epoch: number, rest: Ms])[];
  readonly state: 'running' | 'paused' | 'stopping';
  readonly commits: number;
  readonly lessons: number;
  readonly visited: number;
  /** Visits that this worker may make in all. */
  readonly granted: number;
  /**
   * The best URL of the other workers, by its priority, also of links that are on the way to them. A worker that could make visits and made none within the
   * patience does not count. null if there is none.
   */
  readonly elsewhere: Unit | null;
  readonly drained: boolean;
  /** Number of activations of models. */
  readonly models: number;
  /** Number of replacements of files of the crawl. */
  readonly notices: number;
  /** The number of the last address that is asked one after the other; 0 without any. */
  readonly turns: number;
}

/** The work of a worker. */
export interface WorkerOutlook {
  /** The priority of its best URL; null if it has none. */
  readonly best: Unit | null;
  /** Can it use more visits? */
  readonly wants: boolean;
  /** Time that other workers wait for this one if it makes no visit. */
  readonly patience: Ms;
}

export interface PayloadClaim {
  readonly key: string;
  readonly url: string;
}

/** Time for which a worker holds partitions after its last sign of life. It allows for a restart of the database. */
export const LEASE: Ms = 15_000;
/** The longest time that a request takes. */
export const LONGEST_REQUEST: Ms = 30_000;

/** Outlook of a worker that gives none: it takes its part of the visits, and nobody waits for it. */
const DEFAULT_OUTLOOK: WorkerOutlook = { best: null, wants: true, patience: 0 };

const LETTERS_AT_ONCE = 1_000;
const LESSONS_AT_ONCE = 100;

export class EngineWorker {
  readonly crawl: EngineCrawl;
  readonly #client: Pick<SqlClient, 'query'>;
  readonly id: string;
  readonly #lease: Ms;
  readonly #request: Ms;
  #batch = 0;
  /** The last commit that this worker knows by its id. */
  #known: LogMark | null = null;

  private constructor(client: Pick<SqlClient, 'query'>, crawl: EngineCrawl, id: string, lease: Ms, request: Ms) {
    this.#client = client;
    this.crawl = crawl;
    this.id = id;
    this.#lease = lease;
    this.#request = request;
  }

  /**
   * Partitions of an earlier worker with this corpus are free at once.
   * @param corpus where the worker keeps pages; its folder belongs to this process
   * @param name of the worker, for people
   * @throws as `SqlClient.query`
   */
  static async join(
    client: Pick<SqlClient, 'query'>,
    crawl: EngineCrawl,
    corpus: Pick<EngineCorpus, 'id' | 'host' | 'path'>,
    name: string,
    lease = LEASE,
    request = LONGEST_REQUEST,
  ): Promise<EngineWorker> {
    const [row] = await client.query<{ id: string }>('select forager.join_crawl($1, $2, $3, $4, $5, $6) as id', [
      crawl.id,
      corpus.id,
      corpus.host,
      corpus.path,
      name,
      VERSION,
    ]);
    return new EngineWorker(client, crawl, String(row?.id), lease, request);
  }

  get lease(): Ms {
    return this.#lease;
  }

  get longestRequest(): Ms {
    return this.#request;
  }

  /**
   * Renews all leases, and takes partitions that are free, up to the quota.
   * @param claimed visits that were made, are being made or may start before the answer, in all
   * @param maxVisits of the whole crawl; null: no limit
   * @throws FencedError, EngineGoneError; StoreError also for a log that has another commit than `known`
   */
  async tend(
    claimed: number,
    maxVisits: number | null,
    idle: boolean,
    takes: boolean,
    outlook: WorkerOutlook = DEFAULT_OUTLOOK,
  ): Promise<CrawlSnapshot> {
    const { best, wants, patience } = outlook;
    const [row] = await this.#client.query<{ tend: CrawlSnapshot }>(
      'select forager.tend($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as tend, forager.check_commit($1, $12, $13)',
      [
        ...[this.crawl.id, this.id, `${this.#lease} ms`, `${this.#request} ms`, claimed, maxVisits],
        ...[idle, takes, best, wants, `${patience} ms`, this.#known?.commit ?? null, this.#known?.id ?? null],
      ],
      'tend',
    );
    if (row === undefined) throw new EngineGoneError('the database answered nothing');
    return row.tend;
  }

  /**
   * Stores a batch. While the database is gone it tries again: sent twice, a batch happens once.
   * @param signal ends the attempts
   * @param tried is called after each attempt
   * @returns the commit, and the number of the first of its lessons
   * @throws FencedError; StoreError also for a log that has another commit than one that this worker knows; EngineGoneError when `signal` aborts
   */
  async commit(batch: Batch, signal: AbortSignal, tried?: Tried): Promise<{ readonly mark: LogMark; readonly firstLesson: number }> {
    const { held, rows, passedOn, read, lessons, visits, sizes, sums, models } = batch;
    const texts = rows.flatMap(({ partition, texts: body }) => (body === null ? [] : [{ partition, body }]));
    const bodies = new JoinedBodies();
    const placed = [rows, texts, passedOn].flatMap((some) => bodies.add(some));
    this.#batch += 1;
    const values = [
      ...[this.crawl.id, this.id, this.#batch, [...held.keys()], [...held.values()]],
      ...[bodies.bytes, ...placed, passedOn.map(({ best }) => best)],
      ...[read.map(({ partition }) => partition), read.map(({ commit }) => commit), read.map(({ place }) => place)],
      ...[lessons?.body ?? null, lessons?.count ?? 0, visits, JSON.stringify(sizes), models, JSON.stringify(sums)],
      ...[this.#known?.commit ?? null, this.#known?.id ?? null],
    ];
    const places = values.map((_, i) => `$${i + 1}`).join(', ');
    const [row] = await persistently(
      () =>
        this.#client.query<{ commit: string; first_lesson: string; id: string }>(
          `select * from forager.commit_batch(${places})`,
          values,
          'commit',
        ),
      signal,
      tried,
    );
    const mark = { commit: Number(row?.commit), id: row?.id ?? null };
    this.knows(mark);
    return { mark, firstLesson: Number(row?.first_lesson) };
  }

  /** The log has this commit: from now on each commit and each look asks whether it still has. Earlier ones, and those without an id, tell nothing. */
  knows(mark: LogMark): void {
    if (mark.id !== null && mark.commit >= (this.#known?.commit ?? 0)) this.#known = mark;
  }

  /** See `entriesAfter`. */
  entriesAfter(heads: ReadonlyMap<number, number>, partitions: readonly number[]): ReturnType<typeof entriesAfter> {
    return entriesAfter(this.#client, this.crawl, heads, partitions);
  }

  /** Links that wait for some partitions, oldest first; at most a thousand. */
  async letters(partitions: readonly number[]): Promise<ForwardedLinks[]> {
    return await this.#client.query<ForwardedLinks>(
      `select partition, commit, place, body, best from forager.inbox where crawl = $1 and partition = any ($2) order by commit, place limit ${LETTERS_AT_ONCE}`,
      [this.crawl.id, [...partitions]],
      'letters',
    );
  }

  /** Lessons from a number on, some at a time. */
  async lessonsFrom(first: number): Promise<LessonRow[]> {
    const rows = await this.#client.query<{ first: string; count: number; worker: string; body: Uint8Array }>(
      `select first, count, worker, body from forager.lesson where crawl = $1 and first >= $2 order by first limit ${LESSONS_AT_ONCE}`,
      [this.crawl.id, first],
      'lessons',
    );
    return rows.map(({ first: at, ...row }) => ({ ...row, first: Number(at) }));
  }

  /** @returns for each claim, the other URL that has the payload; null if the claim holds */
  async claimPayloads(claims: readonly PayloadClaim[]): Promise<readonly (string | null)[]> {
    const rows = await this.#client.query<{ place: string; url: string }>(
      'select * from forager.claim_payloads($1, $2, $3)',
      [this.crawl.id, claims.map(({ key }) => key), claims.map(({ url }) => url)],
      'claim',
    );
    const others = new Map(rows.map(({ place, url }) => [Number(place) - 1, url]));
    return claims.map((_, i) => others.get(i) ?? null);
  }

  /** A host of a partition has this address. */
  async noteAddress(ip: string, partition: number): Promise<void> {
    const scope = [this.crawl.id, this.id, ip, partition, `${this.#lease} ms`, `${this.#request} ms`];
    await this.#client.query('select forager.note_address($1, $2, $3, $4, $5, $6)', scope, 'address');
  }

  /** Addresses that workers ask one after the other, from a number on. */
  async turnsFrom(no: number): Promise<{ readonly no: number; readonly ip: string }[]> {
    const rows = await this.#client.query<{ no: string; ip: string }>(
      'select no, ip from forager.address_turn where crawl = $1 and no >= $2 order by no',
      [this.crawl.id, no],
    );
    return rows.map((row) => ({ ...row, no: Number(row.no) }));
  }

  /** @returns 0 if this worker may ask the address now, else the time to wait */
  async takeTurn(ip: string): Promise<Ms> {
    const scope = [this.crawl.id, this.id, ip, `${this.#request} ms`];
    const [row] = await this.#client.query<{ wait: number }>('select forager.take_turn($1, $2, $3, $4) as wait', scope, 'turn');
    return row?.wait ?? 0;
  }

  /** @param delay until the next worker may ask the address */
  async endTurn(ip: string, delay: Ms): Promise<void> {
    await this.#client.query('select forager.end_turn($1, $2, $3, $4)', [this.crawl.id, this.id, ip, `${delay} ms`], 'end turn');
  }

  async releasePayloads(keys: readonly string[], url: string): Promise<void> {
    await this.#client.query('delete from forager.payload where crawl = $1 and key = any ($2) and url = $3', [
      this.crawl.id,
      [...keys],
      url,
    ]);
  }

  /** Gives partitions back, whose steps are all committed. */
  async release(partitions: readonly number[]): Promise<void> {
    await this.#client.query('select forager.release($1, $2, $3)', [this.crawl.id, this.id, [...partitions]]);
  }

  /** Gives all partitions back, for good. */
  async leave(): Promise<void> {
    await this.#client.query('select forager.leave($1, $2)', [this.crawl.id, this.id]);
  }
}

/** Bodies as one value, which `pg` sends as it is: an array of them would go as text, with two digits a byte. */
class JoinedBodies {
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  get bytes(): Uint8Array {
    return Buffer.concat(this.#parts, this.#size);
  }

  /** @returns their partitions, their first bytes (from 1) and their lengths */
  add(some: readonly Pick<PassedOn, 'partition' | 'body'>[]): [partitions: number[], starts: number[], lengths: number[]] {
    const starts = some.map(({ body }) => {
      const start = this.#size + 1;
      this.#parts.push(body);
      this.#size += body.length;
      return start;
    });
    return [some.map(({ partition }) => partition), starts, some.map(({ body }) => body.length)];
  }
}
