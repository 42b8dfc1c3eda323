/** Brings the frontier and the corpus of a damaged crawl back to one state, from their remains. */

import { appendFileSync, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, StoreError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import { flushAtOnce, isThere } from '../../base/core/on-disk.ts';
import type { CommitMark, CorpusOffsets, Frontier } from '../../base/core/parts/queueing.ts';
import type { Bytes } from '../../base/core/types.ts';
import { type LockOptions, takeLock } from '../../base/disk/lock.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { commandOn, foragerCommand } from '../../base/text/forager-command.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { readMarks, resetMarks, sameOffsets, whyNotOf, writeMark } from '../../corpus/records/commit-marks.ts';
import { leaveOutRecords, type MendedFile, type MendOptions, mendFile } from '../../corpus/records/corpus-mend.ts';
import { corpusSizes, FileCorpusWriter, refuseOtherWarcs } from '../../corpus/records/corpus-writer.ts';
import { responsesIn } from '../../corpus/records/kept-pages.ts';
import { RECORDS_FILE } from '../../corpus/records/records.ts';
import { discoverSeeds } from '../../crawling/crawl/page-records.ts';
import { refuseEmptyFrontier } from '../../crawling/crawl-dir/corpus-soundness.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  readManifest,
  refuseLostFrontier,
  refuseOlderManifest,
  rejudgedBy,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { frontierOptionsOf, scopeOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { openLmdbFrontier } from '../../crawling/frontier/frontier.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import { putInPlace } from '../../crawling/frontier/lmdb-compact.ts';
import { LmdbStore } from '../../crawling/frontier/lmdb-store.ts';
import { unsettle } from '../../crawling/frontier/unsettle.ts';
import { withoutJudgements } from '../../crawling/frontier/write-rejudgement.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import { type Restored, restoreFrontier } from './restore-frontier.ts';

export interface RepairOptions extends Pick<LockOptions, 'warn'> {
  /** Crawl directory; no crawl may run on it meanwhile. */
  readonly dir: string;
  /** Cut the corpus to the last commit of the frontier, instead of adding missing visits to the frontier. Default false. */
  readonly cut?: boolean;
  /** Give up the records of pages whose WARC records are lost, so that the next run fetches these pages again. Default false: their texts stay. */
  readonly refetch?: boolean;
  readonly onProgress?: (step: RepairStep, done: number) => void;
  /** Ends the repair with the reason of the signal; the next repair starts again. */
  readonly signal?: AbortSignal;
}

const REPAIR: OptionTable<RepairOptions> = { ...without(checksOf(COMMANDS.repair), 'json'), warn: call, onProgress: call, signal };

export type RepairStep = 'checking' | 'mending files' | 'reading the records' | 'reading the recording' | 'reading kept pages';

export interface RepairReport {
  readonly dir: string;
  /** The faults found, in words; empty without faults. */
  readonly faults: readonly string[];
  /** `made again`: from corpus and recording; the old one is next to it. */
  readonly frontier: 'kept' | 'made again';
  /** The visits added to the frontier, and the records written again. */
  readonly restored: Pick<Restored, 'kept' | 'versions' | 'absences' | 'others' | 'records'>;
  /** Number of kept pages whose WARC records are lost: `records.jsonl` has their texts, and `refetch` lets the next run fetch them again. */
  readonly withoutResponse: number;
  /** Number of kept pages that are completely lost: their URLs wait for another request. */
  readonly lost: number;
  /** Folder of cut-off or removed parts, and of old files; null if there are none. */
  readonly aside: string | null;
  /** Files in that folder, by name: `<name>.from-<byte>` contains the bytes of `<name>` from that byte on. */
  readonly moved: readonly { readonly name: string; readonly bytes: Bytes }[];
  /** @deprecated The former name of `moved`; it goes with version 0.4. */
  readonly putAside: RepairReport['moved'];
}

/** See `repair` of the library. */
export async function repair(options: RepairOptions): Promise<RepairReport> {
  checkOptions('repair', REPAIR, options, 'dir');
  const { dir } = options;
  const manifest = readManifest(dir);
  const paths = crawlPaths(dir);
  if (manifest.runs.length === 0)
    throw new UsageError(
      `${dir}: the crawl has not started, so nothing of it can be lost; run the same ${foragerCommand('crawl')} command again`,
    );
  if (options.cut && options.refetch)
    throw new UsageError('--cut undoes everything after a commit, and --refetch makes the crawl fetch pages again: give one of them');
  const lock = await takeLock(paths.lock, dir, options);
  try {
    mkdirSync(paths.corpus, { recursive: true });
    const signal = AbortSignal.any([lock.lost, ...(options.signal ? [options.signal] : [])]);
    return await new Repair(manifest, paths, { ...options, signal }, () => lock.check()).run();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw error instanceof Error && 'syscall' in error ? storeErrorFrom(error, 'repairing the crawl', dir) : error;
  } finally {
    await lock.release();
  }
}

type FrontierReport = Pick<RepairReport, 'faults' | 'frontier' | 'restored' | 'withoutResponse' | 'lost'>;

class Repair {
  readonly #manifest: CrawlManifest;
  readonly #paths: CrawlPaths;
  readonly #options: RepairOptions;
  /** Called immediately before anything is written. @throws StoreError if the lock is lost */
  readonly #mayWrite: () => void;
  readonly #turns = new EventLoopYielder();
  /** Number of runs that the frontier knows. */
  #runs = 0;
  /** Time stamp of this repair, for names of moved files. */
  readonly #stamp = new Date().toISOString().replaceAll(':', '-');

  constructor(manifest: CrawlManifest, paths: CrawlPaths, options: RepairOptions, mayWrite: () => void) {
    this.#manifest = manifest;
    this.#paths = paths;
    this.#options = options;
    this.#mayWrite = mayWrite;
  }

  async run(): Promise<RepairReport> {
    this.#options.onProgress?.('checking', 0);
    if (this.#manifest.at !== null) this.#noteRepaired();
    const unusable = await this.#whyUnusable();
    refuseOlderManifest({ runs: this.#runs }, this.#paths.dir);
    if (this.#options.cut) return this.#cut(unusable);
    await refuseOtherWarcs(this.#paths.corpus, this.#manifest.id);
    const mended = await this.#mendFiles();
    const given = this.#options.refetch ? await this.#giveUpTexts() : [];
    const faults = [...(unusable === null ? [] : [unusable]), ...mended.flatMap(({ damage }) => damage), ...given];
    const report =
      this.#manifest.at !== null
        ? await this.#mendWorker(unusable)
        : unusable === null
          ? await this.#mendFrontier()
          : await this.#makeAgain();
    return { ...report, dir: this.#paths.dir, faults: [...faults, ...report.faults], ...movedAside(this.#asideIfThere()) };
  }

  get #aside(): string {
    return join(this.#paths.corpus, `cut-${this.#stamp}`);
  }

  #asideIfThere(): string | null {
    return isThere(this.#aside) ? this.#aside : null;
  }

  /**
   * Reason in words why the frontier is unusable; null if it can be opened and every value in it read. @throws StoreError if that cannot be
   * decided
   */
  async #whyUnusable(): Promise<string | null> {
    try {
      refuseLostFrontier(this.#manifest, this.#paths);
      refuseBrokenTrees(this.#paths.database);
      const frontier = this.#open(this.#paths.frontier);
      try {
        this.#runs = frontier.runs;
        refuseEmptyFrontier(this.#paths, frontier);
        for (const { url } of frontier.ledger()) {
          frontier.find(url);
          await this.#turns.take();
          this.#options.signal?.throwIfAborted();
        }
        return null;
      } finally {
        await frontier.close();
      }
    } catch (error) {
      if (error instanceof StoreError && error.code === 'STORE_CORRUPT') return withoutAdvice(messageOf(error));
      throw error;
    }
  }

  #open(folder: string, judgedBy = rejudgedBy(this.#manifest)): Frontier {
    return openLmdbFrontier(folder, frontierOptionsOf(this.#manifest), judgedBy);
  }

  /** @throws StoreError if the frontier is not usable: there is no commit to cut to */
  async #cut(unusable: string | null): Promise<RepairReport> {
    const { dir, corpus } = this.#paths;
    if (unusable !== null)
      throw new StoreError('STORE_CORRUPT', `${unusable}; without --cut, ${commandOn('repair', dir)} makes it again from the corpus`);
    const frontier = this.#open(this.#paths.frontier);
    const cut: string[] = [];
    try {
      const info = { software: '', robots: '', description: '', userAgent: null };
      this.#mayWrite();
      const { id } = this.#manifest;
      const onCut = (folder: string) => cut.push(folder);
      const options = { cut: true, onCut, mayWrite: this.#mayWrite, ...(id !== null && { crawl: id }) };
      await (await FileCorpusWriter.open(corpus, frontier.lastCommit(), info, options)).close();
    } finally {
      await frontier.close();
    }
    const restored = { kept: 0, versions: 0, absences: 0, others: 0, records: 0 };
    return { dir, faults: [], frontier: 'kept', restored, withoutResponse: 0, lost: 0, ...movedAside(cut[0] ?? null) };
  }

  async #mendFiles(): Promise<MendedFile[]> {
    const mended: MendedFile[] = [];
    this.#mayWrite();
    // If the whole file is lost, its lines may be written again.
    appendFileSync(join(this.#paths.corpus, RECORDS_FILE), '');
    for (const name of Object.keys(await corpusSizes(this.#paths.corpus))) {
      this.#options.onProgress?.('mending files', mended.length);
      this.#options.signal?.throwIfAborted();
      mended.push(await mendFile(this.#paths.corpus, name, this.#mending));
    }
    return mended;
  }

  get #mending(): MendOptions {
    const { signal } = this.#options;
    return { aside: this.#aside, mayWrite: this.#mayWrite, ...(signal && { signal }) };
  }

  /** Removes the records of pages whose WARC records are lost. */
  async #giveUpTexts(): Promise<string[]> {
    const responses = await responsesIn(this.#paths.corpus, this.#options.signal);
    const count = await leaveOutRecords(this.#paths.corpus, ({ id }) => responses.has(id), this.#mending);
    return count === 0 ? [] : [`${count} records had no WARC record, and were taken out to be fetched again`];
  }

  async #mendFrontier(): Promise<FrontierReport> {
    const folder = this.#paths.frontier;
    const frontier = this.#open(folder);
    const other = whyNotOf(readMarks(this.#paths.corpus), frontier.lastCommit(), this.#manifest.id);
    const { lost, faults, ...report } = await this.#restore(frontier, false);
    this.#mayWrite();
    if (lost.size > 0) await unsettle(folder, lost);
    const missing = lost.size > 0 ? [`${lost.size} kept pages are not in the corpus`] : [];
    return { ...report, faults: [...(other === null ? [] : [other]), ...faults, ...missing], frontier: 'kept', lost: lost.size };
  }

  /** The database learns of it when the worker joins again. The note comes before the first change. */
  #noteRepaired(): void {
    this.#mayWrite();
    replaceFile(this.#paths.repaired, `${this.#stamp}\n`);
    flushAtOnce(this.#paths.dir);
  }

  /**
   * The frontier of a worker is a view of the log: it is not changed on its own, and made again from the log if it cannot be read. Records are written again by
   * means of a copy. Which pages are lost is known when the worker joins: the log tells which ones its corpus had.
   */
  async #mendWorker(unusable: string | null): Promise<FrontierReport> {
    const { frontier: folder, database, corpus } = this.#paths;
    const made = join(folder, 'repair');
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
    if (unusable === null) copyFileSync(database, join(made, 'data.mdb'));
    const frontier = this.#open(made, unusable === null ? rejudgedBy(this.#manifest) : null);
    const { lost: _, ...report } = await this.#restore(frontier, unusable !== null);
    this.#mayWrite();
    if (unusable !== null && isThere(database)) renameSync(database, join(folder, `lost-${this.#stamp}.mdb`));
    await this.#noteSizes(await corpusSizes(corpus), unusable === null);
    rmSync(made, { recursive: true, force: true });
    return { ...report, frontier: unusable === null ? 'kept' : 'made again', lost: 0 };
  }

  /** View and corpus folder store the same commit. */
  async #noteSizes(sizes: CorpusOffsets, hasView: boolean): Promise<void> {
    const { frontier: folder, corpus } = this.#paths;
    let committed: CommitMark | null = { number: 1, offsets: sizes };
    if (hasView) {
      const store = LmdbStore.open(folder, null, this.#manifest.id);
      try {
        if (!sameOffsets(store.lastCommit() ?? { offsets: {} }, committed)) await store.commit(sizes, this.#noteNext(store, sizes));
        committed = store.lastCommit();
      } finally {
        await store.close();
      }
    }
    await resetMarks(corpus, committed, this.#manifest.id);
  }

  /**
   * The corpus notes a commit before the frontier has it, as in a crawl: a kill between the two leaves a crawl that can be read. Not if the two disagreed before, or
   * after earlier commits of this repair: a crawl that is repaired in half must not continue.
   */
  async #noteNext(frontier: Pick<Frontier, 'lastCommit'>, offsets: CorpusOffsets): Promise<void> {
    const [{ corpus }, { id }, last] = [this.#paths, this.#manifest, frontier.lastCommit()];
    if (whyNotOf(readMarks(corpus), last, id) === null) await writeMark(corpus, { number: (last?.number ?? 0) + 1, offsets }, id);
  }

  /** Rebuilds the frontier in a separate folder, which then replaces the old one. */
  async #makeAgain(): Promise<FrontierReport> {
    const { frontier: folder, database } = this.#paths;
    const made = join(folder, 'repair');
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
    const frontier = this.#open(made, null);
    const seeds = seedsOf(this.#paths, this.#manifest);
    frontier.add(discoverSeeds(seeds, { hostKeyOf, scope: scopeOf(this.#manifest), seeds: null }));
    frontier.noteRuns(this.#manifest.runs.length);
    const { lost, ...report } = await this.#restore(frontier, true);
    await this.#noteActiveModel(made);
    this.#mayWrite();
    if (isThere(database)) renameSync(database, join(folder, `lost-${this.#stamp}.mdb`));
    putInPlace(folder, join(made, 'data.mdb'));
    rmSync(made, { recursive: true, force: true });
    return { ...report, frontier: 'made again', lost: lost.size };
  }

  /** The model of a relabelled crawl has judged all restored pages: it has no other judgements. */
  async #noteActiveModel(folder: string): Promise<void> {
    const judgedBy = rejudgedBy(this.#manifest);
    if (judgedBy === null) return;
    const store = LmdbStore.open(folder, null, null);
    try {
      await store.putRejudgement(withoutJudgements(judgedBy, this.#manifest.topic.threshold));
    } finally {
      await store.close();
    }
  }

  /** Closes the frontier; then it and the corpus folder store the same commit. */
  async #restore(frontier: Frontier, isNew: boolean): Promise<Omit<FrontierReport, 'frontier' | 'lost'> & Pick<Restored, 'lost'>> {
    const { corpus } = this.#paths;
    try {
      const options = { ...this.#options, isNew, mayWrite: this.#mayWrite };
      const { lost, withoutResponse, isKnown, ...restored } = await restoreFrontier(frontier, this.#manifest, this.#paths, options);
      const strays = await leaveOutRecords(corpus, isKnown, this.#mending);
      this.#mayWrite();
      const sizes = await corpusSizes(corpus);
      await frontier.commit(sizes, this.#noteNext(frontier, sizes));
      await resetMarks(corpus, frontier.lastCommit(), this.#manifest.id);
      const faults = strays === 0 ? [] : [`${strays} records were of pages that neither frontier nor WARC files know, and were taken out`];
      return { faults, restored, withoutResponse, lost };
    } finally {
      await frontier.close();
    }
  }
}

/** The fault, without the advice to run this command. */
function withoutAdvice(fault: string): string {
  return fault.replace(/; [^;]* repair .*$/s, '');
}

function movedAside(aside: string | null): Pick<RepairReport, 'aside' | 'moved' | 'putAside'> {
  const names = aside === null ? [] : readdirSync(aside).sort();
  const moved = names.map((name) => ({ name, bytes: statSync(join(aside ?? '', name)).size }));
  return { aside, moved, putAside: moved };
}
