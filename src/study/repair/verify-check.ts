/** The common part of the checks of a crawl. */
import { messageOf, StoreError } from '../../base/core/errors.ts';
import type { CorpusOffsets, OpenLedger } from '../../base/core/parts/queueing.ts';
import type { CorpusRecord, EpochMs, RecordId } from '../../base/core/types.ts';
import { readMarks, type StoredMark } from '../../corpus/records/commit-marks.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';

/** Called with the number of examined things; lets other work run. */
export type Look = (examined: number) => Promise<void>;

/** Called for each examined thing; `again` for one that is already counted. */
export type LookAt = (again?: 'again') => Promise<void>;

/** Reason to skip a check that later ones do not need. */
export const AT_WORK = 'a crawl is at work';

/** One check of a crawl, or of the corpus of a harvest. */
export interface Check<T = Examined> {
  readonly name: string;
  /** Names of earlier checks that must have found no faults. */
  readonly needs?: readonly string[];
  /** Reason why there is nothing to check; null if there is. */
  readonly skips?: (crawl: T) => string | null;
  /** The faults, one line each. */
  readonly faults: (crawl: T, look: LookAt) => AsyncGenerator<string>;
}

/** The part of a record that is kept for comparison with others. */
export type KnownRecord = Pick<CorpusRecord, 'url' | 'payloadSha256' | 'rendering'> & { readonly at: EpochMs };

/** The examined crawl: data from earlier checks for later ones. */
export class Examined {
  readonly paths: CrawlPaths;
  readonly running: boolean;
  /** Is it unknown whether a crawl is running? Then `running` is also true. */
  readonly unclear: boolean;
  /** The last commits as the corpus stored them, read before anything else. */
  readonly marks: readonly StoredMark[];
  /** null if it cannot be read. */
  manifest: CrawlManifest | null = null;
  /** Open; null if it cannot be opened. */
  frontier: OpenLedger | null = null;
  /** Undamaged lines of `records.jsonl`, by id. */
  readonly records = new Map<string, KnownRecord>();
  /** Ids of WARC responses of pages, each with that of the rendered document by which its page is kept; null for none. */
  readonly responses = new Map<string, RecordId | null>();
  /** Ids of the other WARC records of renderings. */
  readonly renderingParts = new Set<string>();
  /** Number of earlier versions of kept pages that no WARC file contains. */
  earlierWithoutResponse = 0;

  constructor(paths: CrawlPaths, running: boolean, unclear: boolean) {
    this.paths = paths;
    this.running = running;
    this.unclear = unclear;
    this.marks = readMarks(paths.corpus);
  }

  /** Committed bytes of the corpus: by the frontier, else by the corpus itself. null if neither is known. */
  get committed(): CorpusOffsets | null {
    return this.frontier?.committedOffsets() ?? this.marks[0]?.offsets ?? null;
  }

  /** Is the response of a page there, and the rendered document that it names? */
  hasPage(id: string): boolean {
    const document = this.responses.get(id);
    return document === null || (document !== undefined && this.renderingParts.has(document));
  }

  async close(): Promise<void> {
    await this.frontier?.close();
  }
}

/** Runs a step and turns its error into a fault. */
export async function* faultOf(step: () => unknown): AsyncGenerator<string> {
  try {
    await step();
  } catch (error) {
    // A full disk, or the lock of another process, is not damage.
    if (error instanceof StoreError && error.code !== 'STORE_CORRUPT') throw error;
    yield messageOf(error);
  }
}
