import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Bytes, CorpusRecord, CrawlRecord } from '../../base/core/types.ts';
import { isWarcName, warcNamesOf } from '../records/corpus-writer.ts';
import { RECORDS_FILE } from '../records/records.ts';
import { RESERVATIONS_FILE, ReservationFiles } from '../records/reservation-files.ts';
import { Withdrawals } from '../records/withdrawals.ts';
import type { WarcFile } from './corpus-source.ts';
import { SiblingVotes } from './sibling-votes.ts';
import { StoredSource } from './stored-source.ts';

export interface CrawlSourceOptions {
  readonly corpusDir: string;
  /** The frontier's committed offsets, so that the incomplete end of a crawl that died is not read; null for all bytes. */
  readonly committed: CorpusOffsets | null;
  /** Is it the newest version of its page? If absent, all are. */
  readonly isNewest?: (record: CorpusRecord) => boolean;
  /** Each record as it is selected and written, e.g. with the relevance by a later model. If absent, records stay as they are. */
  readonly present?: (record: CorpusRecord) => CorpusRecord;
  /** Pages that were taken back from the crawl. Default: none. */
  readonly withdrawals?: Withdrawals;
}

/** The corpus folder of a crawl. */
export class CrawlSource extends StoredSource {
  readonly reservations: ReservationFiles;
  readonly withdrawals: Withdrawals;
  readonly #options: CrawlSourceOptions;
  #siblings = new SiblingVotes();

  private constructor(options: CrawlSourceOptions, end: Bytes, reservations: ReservationFiles) {
    super(options.corpusDir, join(options.corpusDir, RECORDS_FILE), end);
    this.#options = options;
    this.reservations = reservations;
    this.withdrawals = options.withdrawals ?? new Withdrawals();
  }

  /** Fixes the end of its files: the crawl may continue. Counts the votes of its pages, in a pass over the records. @throws DataError */
  static async open(options: CrawlSourceOptions): Promise<CrawlSource> {
    const end = await recordsEnd(options);
    const reservations = await ReservationFiles.read(options.corpusDir, await reservationsEnd(options));
    const source = new CrawlSource(options, end, reservations);
    // The next pass reports damage.
    source.#siblings = await SiblingVotes.of(source.stored(() => undefined));
    return source;
  }

  protected override has(record: CorpusRecord): boolean {
    return this.#options.isNewest?.(record) ?? true;
  }

  protected presented(record: CrawlRecord): CorpusRecord {
    const { present } = this.#options;
    const whole = this.#siblings.present(record);
    return this.reservations.present(present ? present(whole) : whole);
  }

  async warcFiles(): Promise<readonly WarcFile[]> {
    const { committed } = this.#options;
    const names = committed === null ? (await readdir(this.dir)).filter(isWarcName) : Object.keys(committed);
    return warcNamesOf(Object.fromEntries(names.map((name) => [name, 0]))).map((name) => ({
      path: join(this.dir, name),
      end: committed?.[name] ?? Number.POSITIVE_INFINITY,
    }));
  }
}

async function recordsEnd({ corpusDir, committed }: CrawlSourceOptions): Promise<Bytes> {
  if (committed !== null) return committed[RECORDS_FILE] ?? 0;
  const path = join(corpusDir, RECORDS_FILE);
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); is this the folder of a crawl's corpus?`, { cause: error });
  }
}

/** @returns 0 for a corpus of a crawl that asked no host */
async function reservationsEnd({ corpusDir, committed }: CrawlSourceOptions): Promise<Bytes> {
  if (committed !== null) return committed[RESERVATIONS_FILE] ?? 0;
  return stat(join(corpusDir, RESERVATIONS_FILE)).then(
    ({ size }) => size,
    () => 0,
  );
}
