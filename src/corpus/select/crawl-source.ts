import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DamageError, messageOf } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Bytes, CorpusRecord, CrawlRecord, EpochMs } from '../../base/core/types.ts';
import { ABSENCES_FILE, readAbsences } from '../records/absences.ts';
import { isWarcName, warcNamesOf } from '../records/corpus-writer.ts';
import { RECORDS_FILE, readRecords } from '../records/records.ts';
import { RESERVATIONS_FILE, ReservationFiles } from '../records/reservation-files.ts';
import { Withdrawals } from '../records/withdrawals.ts';
import type { WarcFile } from './corpus-source.ts';
import { GonePages } from './gone-pages.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { PageVersions, type VersionChoice } from './page-versions.ts';
import { SiblingVotes } from './sibling-votes.ts';
import { StoredSource } from './stored-source.ts';

export interface CrawlSourceOptions {
  readonly corpusDir: string;
  /** The frontier's committed offsets, so that the incomplete end of a crawl that died is not read; null for all bytes. */
  readonly committed: CorpusOffsets | null;
  /** Is it the newest version of its page? If absent, all are. */
  readonly isNewest?: (record: CorpusRecord) => boolean;
  /** The versions to read. Default: newest. */
  readonly versions?: VersionChoice;
  /** Is it a version of a page of the crawl? For versions other than the newest. If absent, all are. */
  readonly isVersion?: (record: CorpusRecord) => boolean;
  /** Leave out pages whose URLs give no page at that time. Default: false. */
  readonly withoutGone?: boolean;
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
  /** null if the newest version of each page is read. */
  readonly #versions: PageVersions | null;
  readonly #gone: GonePages;
  #siblings = new SiblingVotes();

  private constructor(
    options: CrawlSourceOptions,
    end: Bytes,
    read: { readonly reservations: ReservationFiles; readonly versions: PageVersions | null; readonly gone: GonePages },
  ) {
    super(options.corpusDir, join(options.corpusDir, RECORDS_FILE), end);
    this.#options = options;
    this.#versions = read.versions;
    this.#gone = read.gone;
    this.reservations = read.reservations;
    this.withdrawals = options.withdrawals ?? new Withdrawals();
  }

  /** Fixes the end of its files: the crawl may continue. Counts the votes of its pages, in a pass over the records. @throws DataError */
  static async open(options: CrawlSourceOptions): Promise<CrawlSource> {
    const { corpusDir } = options;
    const end = await recordsEnd(options);
    const until = momentOf(options.versions);
    const source = new CrawlSource(options, end, {
      reservations: await ReservationFiles.read(corpusDir, await sizeIn(options, RESERVATIONS_FILE), until),
      versions: await versionsIn(options, end, until),
      gone: await GonePages.of(readAbsences(corpusDir, await sizeIn(options, ABSENCES_FILE)), until),
    });
    // The next pass reports damage.
    source.#siblings = await SiblingVotes.of(source.#voters());
    return source;
  }

  protected override has(record: CorpusRecord): boolean {
    if (this.#options.withoutGone && this.#gone.since(record.id) !== null) return false;
    return this.#options.versions === 'all' ? (this.#versions?.numberOf(record.id) ?? 0) > 0 : this.#isNewest(record);
  }

  protected presented(record: CrawlRecord): CorpusRecord & Pick<HarvestedPage, 'version' | 'gone'> {
    const { present, versions } = this.#options;
    const whole = this.#siblings.present(record);
    const page = this.reservations.present(present ? present(whole) : whole);
    const gone = this.#isNewest(record) ? this.#gone.since(record.id) : null;
    return {
      ...page,
      ...(versions === 'all' && { version: this.#versions?.numberOf(record.id) ?? 0 }),
      ...(gone !== null && { gone }),
    };
  }

  get until(): EpochMs {
    return momentOf(this.#options.versions);
  }

  async warcFiles(): Promise<readonly WarcFile[]> {
    const { committed } = this.#options;
    const names = committed === null ? (await readdir(this.dir)).filter(isWarcName) : Object.keys(committed);
    return warcNamesOf(Object.fromEntries(names.map((name) => [name, 0]))).map((name) => ({
      path: join(this.dir, name),
      end: committed?.[name] ?? Number.POSITIVE_INFINITY,
    }));
  }

  /** Newest versions alone vote: with earlier ones, pages would count twice. */
  async *#voters(): AsyncGenerator<CrawlRecord> {
    for await (const record of this.stored(() => undefined)) if (this.#isNewest(record)) yield record;
  }

  #isNewest(record: CorpusRecord): boolean {
    return this.#versions === null ? (this.#options.isNewest?.(record) ?? true) : this.#versions.isNewest(record.id);
  }
}

/** The last moment that counts. */
function momentOf(versions: VersionChoice | undefined): EpochMs {
  return typeof versions === 'object' ? Date.parse(versions.at) : Number.POSITIVE_INFINITY;
}

/** @returns null if the newest version of each page is read. */
async function versionsIn(options: CrawlSourceOptions, end: Bytes, until: EpochMs): Promise<PageVersions | null> {
  const { corpusDir, versions = 'newest', isVersion = () => true } = options;
  if (versions === 'newest') return null;
  async function* counted(): AsyncGenerator<CorpusRecord> {
    // A later pass reports damage.
    for await (const record of readRecords(corpusDir, end, () => undefined))
      if (Date.parse(record.fetchedAt) <= until && isVersion(record)) yield record;
  }
  return PageVersions.of(counted());
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

/** @returns 0 for a crawl that has no such file */
async function sizeIn({ corpusDir, committed }: CrawlSourceOptions, name: string): Promise<Bytes> {
  if (committed !== null) return committed[name] ?? 0;
  return stat(join(corpusDir, name)).then(
    ({ size }) => size,
    () => 0,
  );
}
