/** The first stage: which pages belong together, and why the others are in no pair. */
import { createHash, type Hash } from 'node:crypto';
import { grown } from '../../base/core/columns.ts';
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CanonicalUrl, CorpusRecord, EpochMs, Unit } from '../../base/core/types.ts';
import { tsvLine } from '../../base/text/table-cells.ts';
import { hostNameOf } from '../../base/web/url.ts';
import { byteLines, type RecordPlace } from '../records/records.ts';
import { HashedFile } from '../select/hashed-file.ts';
import type { Obeyable } from '../select/obeyed-names.ts';
import { reservedBy } from '../select/obeyed-statements.ts';
import type { StoredSource } from '../select/stored-source.ts';
import type { OnLeftPage } from './page-edges.ts';
import type { PairedBy } from './page-evidence.ts';
import { NO_PARTNER_WORDS, type NoPartnerReason } from './page-no-partner.ts';
import { declaredTag, PagePairing } from './page-pairing.ts';
import type { LanguagePattern } from './page-url-patterns.ts';
import type { PairsWork } from './pairs-work.ts';
import { WorkLines } from './work-lines.ts';

/** Reasons for which a page is in no pair before or after its partner is looked for, in words. */
const OWN_REASONS = {
  withdrawn: 'taken back',
  rights: 'mining rights reserved',
  relevance: 'both pages of the pair are below the threshold of the model',
} as const;

/** All reasons for which a page is in no pair, in words. */
export const PAGE_REASONS: Readonly<Record<PageReason, string>> = { ...OWN_REASONS, ...NO_PARTNER_WORDS };
export type PageReason = NoPartnerReason | keyof typeof OWN_REASONS;

/** A page pair by the places of its records. */
export interface PlacedPair {
  readonly left: RecordPlace;
  readonly right: RecordPlace;
  readonly by: PairedBy;
  readonly isReciprocal: boolean;
  readonly score: Unit;
}

/** Number of pages by reason, and of those in pairs as `paired`. */
export type PageCounts = Readonly<Partial<Record<PageReason | 'paired', number>>>;

export interface PairedFacts {
  readonly pages: PageCounts;
  readonly hosts: Readonly<Record<string, PageCounts>>;
  readonly pagePairs: number;
  /** Page pairs by their evidence, and those of which both pages declare the other. */
  readonly by: Readonly<Partial<Record<PairedBy, number>>>;
  readonly reciprocal: number;
  /** Patterns of URLs that were learned. */
  readonly patterns: readonly LanguagePattern[];
  /** Places of damage that were skipped. */
  readonly damaged: number;
}

/** The finished first stage. */
interface FinishedPairing {
  /** Digest of the pages and damage that were read. */
  readonly read: string;
  readonly facts: PairedFacts;
}

export interface PairingOptions {
  readonly source: StoredSource;
  readonly langs: readonly [string, string];
  readonly reserved: 'omit' | 'include';
  readonly obey: readonly Obeyable[];
  /** Pairs of which both pages are below it are omitted; null for none. */
  readonly minRelevance: Unit | null;
  /** Detects the language of a text; null if it cannot. */
  readonly detect: (text: string) => string | null;
  readonly onDamaged?: OnDamaged;
  readonly now: EpochMs;
}

export interface PairingProgress {
  /** Receives the number of pages read. */
  readonly onPage: (done: number) => void;
  readonly onLeftPage: OnLeftPage;
}

/** Id, URL and language of a page, and its number among the candidates or the reason why it is none. */
type PageLine = readonly [id: string, url: CanonicalUrl | '', lang: string, candidate: number | PageReason];

/**
 * Finds the page pairs, unless that is done. Reads the records once, also to learn whether pages, rights, relevances and damage are those of the finished
 * work; otherwise all work starts again. Memory: that of the pairing, and 13 bytes a page.
 * @throws DataError, StoreError
 */
export async function pairPages(work: PairsWork, options: PairingOptions, { onPage, onLeftPage }: PairingProgress): Promise<PairedFacts> {
  const done = await finishedIn(work);
  if (done !== null && (await areThose(done.read, options, onPage))) return done.facts;
  work.startAgain(options.now);
  const candidates = new Candidates(options);
  const pages = new PagesRead(options);
  await readPages(work, options, pages, candidates, onPage);
  const { pairs, without, patterns } = await candidates.pairing.pair(onLeftPage);
  const reasons = new Map<number, PageReason>(without);
  const lines = await WorkLines.open<PlacedPair>(work.path('pairs'));
  const by: Partial<Record<PairedBy, number>> = {};
  let reciprocal = 0;
  for (const { left, right, ...pair } of pairs) {
    if (options.minRelevance !== null && candidates.areBelow(left, right, options.minRelevance)) {
      reasons.set(left, 'relevance').set(right, 'relevance');
      continue;
    }
    lines.append({ left: candidates.place(left), right: candidates.place(right), ...pair });
    by[pair.by] = (by[pair.by] ?? 0) + 1;
    if (pair.by === 'hreflang' && pair.isReciprocal) reciprocal++;
  }
  lines.close();
  const counts = await writeTable(work, reasons);
  const facts: PairedFacts = { ...counts, pagePairs: lines.count, by, reciprocal, patterns, damaged: pages.damaged };
  const finished: FinishedPairing = { read: pages.digest(), facts };
  work.write('paired', JSON.stringify(finished));
  return facts;
}

/** null if the page pairs are not found yet, or if a loss of power took some of them. */
async function finishedIn(work: PairsWork): Promise<FinishedPairing | null> {
  const finished = JSON.parse(work.read('paired')?.toString('utf8') ?? 'null') as FinishedPairing | null;
  if (finished === null) return null;
  const lines = await WorkLines.open<PlacedPair>(work.path('pairs'));
  lines.close();
  return lines.count === finished.facts.pagePairs ? finished : null;
}

/** The pages of a source, with a digest of all that was read. */
class PagesRead {
  damaged = 0;
  readonly #options: PairingOptions;
  readonly #hash: Hash = createHash('sha256');

  constructor(options: PairingOptions) {
    this.#options = options;
  }

  /** @throws DataError for damage that the caller does not skip */
  async *pages(): ReturnType<StoredSource['placed']> {
    const { source, onDamaged } = this.#options;
    const skip = (message: string) => {
      this.damaged++;
      this.#hash.update(message);
      onDamaged?.(message);
    };
    for await (const page of source.placed(onDamaged && skip)) {
      // Records have their relevance and the rights of their host as they are now.
      this.#hash.update(JSON.stringify(page));
      yield page;
    }
  }

  /** Ends the digest. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Has the source the pages and damage of a digest? Tells the damage if so; otherwise the next pass does. */
async function areThose(digest: string, options: PairingOptions, onPage: (done: number) => void): Promise<boolean> {
  const messages: string[] = [];
  const read = new PagesRead({ ...options, ...(options.onDamaged && { onDamaged: (message: string) => messages.push(message) }) });
  let done = 0;
  for await (const _ of read.pages()) onPage(++done);
  if (read.digest() !== digest) return false;
  for (const message of messages) options.onDamaged?.(message);
  return true;
}

/** The pages that may be in a pair, numbered as they are added. */
class Candidates {
  readonly pairing: PagePairing;
  #count = 0;
  #starts = new Float64Array(0);
  #lengths = new Uint32Array(0);
  #relevances = new Float32Array(0);

  constructor({ langs, detect }: Pick<PairingOptions, 'langs' | 'detect'>) {
    this.pairing = new PagePairing(langs, detect);
  }

  /** @returns its number */
  add(record: CorpusRecord, { start, length }: RecordPlace): number {
    this.pairing.add(record);
    const number = this.#count++;
    this.#starts = grown(this.#starts, this.#count, Float64Array);
    this.#lengths = grown(this.#lengths, this.#count, Uint32Array);
    this.#relevances = grown(this.#relevances, this.#count, Float32Array);
    this.#starts[number] = start;
    this.#lengths[number] = length;
    this.#relevances[number] = record.relevance;
    return number;
  }

  place(number: number): RecordPlace {
    return { start: this.#starts[number] ?? 0, length: this.#lengths[number] ?? 0 };
  }

  areBelow(left: number, right: number, threshold: Unit): boolean {
    return Math.max(this.#relevances[left] ?? 0, this.#relevances[right] ?? 0) < Math.fround(threshold);
  }
}

/** Adds each page to the candidates, and notes it in the file of pages. */
async function readPages(
  work: PairsWork,
  { source, reserved, obey, detect }: PairingOptions,
  pages: PagesRead,
  candidates: Candidates,
  onPage: (done: number) => void,
): Promise<void> {
  const noted = await HashedFile.create(work.path('pages'));
  try {
    let read = 0;
    for await (const { record, place } of pages.pages()) {
      const lang = declaredTag(record) ?? detect(record.text);
      const line = (candidate: number | PageReason): PageLine => [record.id, record.url, lang ?? 'und', candidate];
      if (source.withdrawals.has(record.url)) await noted.write(lineOf([record.id, '', '', 'withdrawn']));
      else if (reserved === 'omit' && reservedBy(record, obey) !== null) await noted.write(lineOf(line('rights')));
      else await noted.write(lineOf(line(candidates.add(record, place))));
      onPage(++read);
    }
    await noted.finish();
  } finally {
    await noted.abandon();
  }
}

function lineOf(line: PageLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Writes the table of the pages that are in no pair, and counts. */
async function writeTable(work: PairsWork, reasons: ReadonlyMap<number, PageReason>): Promise<Pick<PairedFacts, 'pages' | 'hosts'>> {
  const table = await HashedFile.create(work.path('pagesTable'));
  const pages: Partial<Record<PageReason | 'paired', number>> = {};
  const hosts = new Map<string, Partial<Record<PageReason | 'paired', number>>>();
  try {
    await table.write(tsvLine(['id', 'url', 'lang', 'reason', 'explanation']));
    for await (const bytes of byteLines(work.path('pages'), Number.POSITIVE_INFINITY)) {
      const [id, url, lang, candidate] = JSON.parse(bytes.toString('utf8')) as PageLine;
      const reason = typeof candidate === 'number' ? (reasons.get(candidate) ?? 'paired') : candidate;
      pages[reason] = (pages[reason] ?? 0) + 1;
      const host = url === '' ? '' : hostNameOf(url);
      const ofHost = hosts.get(host) ?? {};
      ofHost[reason] = (ofHost[reason] ?? 0) + 1;
      hosts.set(host, ofHost);
      if (reason !== 'paired') await table.write(tsvLine([id, url, lang, reason, PAGE_REASONS[reason]]));
    }
    await table.finish();
  } finally {
    await table.abandon();
  }
  return { pages, hosts: Object.fromEntries([...hosts].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
