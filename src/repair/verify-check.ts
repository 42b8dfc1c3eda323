/** What the checks of a whole crawl share. */
import { messageOf, StoreError } from '../core/errors.ts';
import type { CorpusOffsets, Frontier } from '../core/parts/queueing.ts';
import type { CorpusRecord, EpochMs } from '../core/types.ts';
import { readMarks, type StoredMark } from '../corpus/commit-marks.ts';
import type { CrawlManifest, CrawlPaths } from '../crawl-dir/crawl-directory.ts';

/** Called with how many things were looked at; lets others have their turn. */
export type Look = (examined: number) => Promise<void>;

/** Called for each thing that is looked at; `again` for one that is counted already. */
export type LookAt = (again?: 'again') => Promise<void>;

/** Why a check is left out that later ones can do without. */
export const AT_WORK = 'a crawl is at work';

/** One piece of looking through a crawl. */
export interface Check {
  readonly name: string;
  /** Names of earlier checks that must have found nothing. */
  readonly needs?: readonly string[];
  /** Why there is nothing it could look at; null where there is. */
  readonly skips?: (crawl: Examined) => string | null;
  /** What is wrong, one line each. */
  readonly faults: (crawl: Examined, look: LookAt) => AsyncGenerator<string>;
}

/** What is kept of a record to hold others against it. */
export type KnownRecord = Pick<CorpusRecord, 'url' | 'payloadSha256'> & { readonly at: EpochMs };

/** A crawl that is looked through: what checks have read of it, for those after them. */
export class Examined {
  readonly paths: CrawlPaths;
  readonly running: boolean;
  /** Is it not known whether one is at work? Then `running` is true too. */
  readonly unclear: boolean;
  /** As the corpus noted its last commits before anything else was read. */
  readonly marks: readonly StoredMark[];
  /** null where it cannot be read. */
  manifest: CrawlManifest | null = null;
  /** Open; null where it cannot be opened. */
  frontier: Frontier | null = null;
  /** Lines of `records.jsonl` that are whole, by id. */
  readonly records = new Map<string, KnownRecord>();
  /** Ids of WARC responses. */
  readonly responses = new Set<string>();
  /** Earlier versions of kept pages that no WARC file has. */
  earlierWithoutResponse = 0;

  constructor(paths: CrawlPaths, running: boolean, unclear: boolean) {
    this.paths = paths;
    this.running = running;
    this.unclear = unclear;
    this.marks = readMarks(paths.corpus);
  }

  /** Bytes of the corpus that are committed: by the frontier, else by the corpus itself. null where nobody says. */
  get committed(): CorpusOffsets | null {
    return this.frontier?.committedOffsets() ?? this.marks[0]?.offsets ?? null;
  }

  async close(): Promise<void> {
    await this.frontier?.close();
  }
}

/** What a step throws, as the fault that it is. */
export async function* faultOf(step: () => unknown): AsyncGenerator<string> {
  try {
    await step();
  } catch (error) {
    // A full disk, or a lock of another process, is no damage.
    if (error instanceof StoreError && error.code !== 'STORE_CORRUPT') throw error;
    yield messageOf(error);
  }
}
