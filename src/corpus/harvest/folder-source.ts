import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { DamageError, messageOf, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { isPlainPath } from '../../base/core/plain-names.ts';
import type { Bytes, CorpusRecord } from '../../base/core/types.ts';
import { PAIRS_CARD_FILE } from '../../base/disk/own-names.ts';
import { CARD_FILE } from '../describe/card-markdown.ts';
import { CARD_FORMATS, type CorpusCard } from '../describe/corpus-card.ts';
import { CHECKSUMS_FILE } from '../describe/descriptions/checksums.ts';
import { WARC_NAME } from '../formats/harvest-warc.ts';
import { CORPUS_FILE } from '../formats/jsonl.ts';
import { OMITTED_FILE } from '../formats/omitted-file.ts';
import type { ReservationFiles } from '../records/reservation-files.ts';
import { type Withdrawal, Withdrawals } from '../records/withdrawals.ts';
import type { WarcFile } from '../select/corpus-source.ts';
import { withoutColumns } from '../select/harvested-page.ts';
import { PageVersions } from '../select/page-versions.ts';
import { StoredSource } from '../select/stored-source.ts';

/** A card names 50 hosts and a thousand seeds at most; other tools may have added to it. */
const MAX_CARD: Bytes = 64 * 1024 * 1024;

interface FolderReading {
  /** Do records have the columns that hold for this harvest only, such as the split? Default: false. */
  readonly keepsColumns?: boolean;
  /** Versions to read of a corpus that has all. Default: newest. */
  readonly versions?: 'newest' | 'all';
  /** Pages that are taken back now, in addition to those of its list. */
  readonly withdrawing?: readonly Withdrawal[];
}

/** A harvest: `corpus.jsonl`, with its WARC files if it has some. */
export class FolderSource extends StoredSource {
  readonly card: CorpusCard;
  readonly withdrawals: Withdrawals;
  readonly #keepsColumns: boolean;
  /** null if all its records are read. */
  #newest: PageVersions | null = null;

  private constructor(dir: string, card: CorpusCard, end: Bytes, { keepsColumns = false, withdrawing = [] }: FolderReading) {
    super(dir, join(dir, CORPUS_FILE), end);
    this.card = card;
    this.withdrawals = Withdrawals.in(dir).with(withdrawing);
    this.#keepsColumns = keepsColumns;
  }

  /** @throws UsageError if it is no harvest with `corpus.jsonl`; DataError if its card is damaged */
  static async open(dir: string, reading: FolderReading = {}): Promise<FolderSource> {
    const card = await cardOf(dir);
    if (card === null && isThere(join(dir, PAIRS_CARD_FILE)))
      throw new UsageError(
        `${dir}: holds sentence pairs, not a harvest; give the corpus that they were made of, then make the pairs again`,
      );
    if (card === null) throw new UsageError(`${dir}: holds no harvest (no ${CARD_FILE}); give a crawl directory or the --out of a harvest`);
    const size = await stat(join(dir, CORPUS_FILE)).catch(() => null);
    if (size === null) throw new UsageError(`${dir}: has no ${CORPUS_FILE}; harvest again with --format jsonl`);
    const source = new FolderSource(dir, card, size.size, reading);
    const { versions = 'newest' } = reading;
    // The next pass reports damage.
    if (versions === 'newest' && source.hasVersions) source.#newest = await PageVersions.of(source.stored(() => undefined));
    return source;
  }

  /** Does the corpus have several versions of a page? */
  get hasVersions(): boolean {
    return this.card.harvest.filters?.versions === 'all';
  }

  protected override has({ id }: CorpusRecord): boolean {
    return this.#newest?.isNewest(id) ?? true;
  }

  /** Path of the list of omitted pages; null for a harvest of an earlier version, which has none. */
  async omittedPath(): Promise<string | null> {
    const path = join(this.dir, OMITTED_FILE);
    return stat(path).then(
      () => path,
      () => null,
    );
  }

  protected presented(record: CorpusRecord): CorpusRecord {
    return this.#keepsColumns ? record : withoutColumns(record);
  }

  /** The records of a harvest have the declarations of the files of their hosts. Which hosts were asked is only counted on its card. */
  get reservations(): Pick<ReservationFiles, 'knows' | 'present'> {
    return { knows: () => true, present: (record) => record };
  }

  async warcFiles(): Promise<readonly WarcFile[]> {
    const names = (await readdir(this.dir)).filter((name) => WARC_NAME.test(name));
    names.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    return names.map((name) => ({ path: join(this.dir, name), end: Number.POSITIVE_INFINITY }));
  }
}

/** Is it the folder of a harvest, by its files? */
export function isCorpus(dir: string): boolean {
  return !isThere(join(dir, 'crawl.json')) && [CARD_FILE, CHECKSUMS_FILE].some((name) => isThere(join(dir, name)));
}

/** The card of a harvest; null for a folder without one. @throws DataError if it is damaged */
export async function cardOf(dir: string): Promise<CorpusCard | null> {
  const path = join(dir, CARD_FILE);
  const size = await stat(path).catch(() => null);
  if (size === null) return null;
  if (size.size > MAX_CARD) throw new DamageError(`${path}: has ${size.size} bytes, and a card has at most ${MAX_CARD}; harvest again`);
  let card: unknown;
  try {
    card = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new DamageError(`${path}: cannot be read (${messageOf(error)}); harvest again`, { cause: error });
  }
  if (!isCard(card)) throw new DamageError(`${path}: is not a corpus card of Forager; harvest again`);
  return card;
}

/** The parts of a card that its readers rely on, of all versions. */
const cardSchema = z.looseObject({
  format: z.string().refine((format) => CARD_FORMATS.includes(format)),
  topic: z.looseObject({ name: z.string(), modelId: z.string(), threshold: z.number() }),
  crawl: z.looseObject({}),
  records: z.looseObject({ kept: z.number().int().nonnegative() }),
  harvest: z.looseObject({ formats: z.array(z.string()) }),
  files: z.array(z.looseObject({ name: z.string().refine(isPlainPath), bytes: z.number().int().nonnegative(), sha256: z.string() })),
});

function isCard(value: unknown): value is CorpusCard {
  return cardSchema.safeParse(value).success;
}
