/** The first stage: which pages belong together, and why the others are in no pair. */
import { grown } from '../../base/core/columns.ts';
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CanonicalUrl, CorpusRecord, Unit } from '../../base/core/types.ts';
import { tsvLine } from '../../base/text/table-cells.ts';
import { hostNameOf } from '../../base/web/url.ts';
import { byteLines, type RecordPlace } from '../records/records.ts';
import { HashedFile } from '../select/hashed-file.ts';
import type { Obeyable } from '../select/obeyed-names.ts';
import { reservedBy } from '../select/obeyed-statements.ts';
import type { StoredSource } from '../select/stored-source.ts';
import type { PairedBy } from './page-evidence.ts';
import { NO_PARTNER_WORDS, type NoPartnerReason } from './page-no-partner.ts';
import { PagePairing } from './page-pairing.ts';
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
}

/** Id, URL and language of a page, and its number among the candidates or the reason why it is none. */
type PageLine = readonly [id: string, url: CanonicalUrl | '', lang: string, candidate: number | PageReason];

/**
 * Finds the page pairs, unless that is done. Reads the records once. Memory: that of the pairing, and 13 bytes a page.
 * @param onPage receives the number of pages read
 * @throws DataError, StoreError
 */
export async function pairPages(work: PairsWork, options: PairingOptions, onPage: (done: number) => void): Promise<PairedFacts> {
  const done = await factsIn(work);
  if (done !== null) return done;
  for (const name of ['pages', 'pagesTable', 'pairs'] as const) work.clear(name);
  const candidates = new Candidates(options);
  await readPages(work, options, candidates, onPage);
  const { pairs, without, patterns } = candidates.pairing.pair();
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
    if (pair.isReciprocal) reciprocal++;
  }
  lines.close();
  const counts = await writeTable(work, reasons);
  const facts: PairedFacts = { ...counts, pagePairs: lines.count, by, reciprocal, patterns };
  work.write('paired', JSON.stringify(facts));
  return facts;
}

/** null if the page pairs are not found yet, or if a loss of power took some of them. */
async function factsIn(work: PairsWork): Promise<PairedFacts | null> {
  const facts = JSON.parse(work.read('paired')?.toString('utf8') ?? 'null') as PairedFacts | null;
  if (facts === null) return null;
  const lines = await WorkLines.open<PlacedPair>(work.path('pairs'));
  lines.close();
  return lines.count === facts.pagePairs ? facts : null;
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
  { source, reserved, obey, detect, onDamaged }: PairingOptions,
  candidates: Candidates,
  onPage: (done: number) => void,
): Promise<void> {
  const noted = await HashedFile.create(work.path('pages'));
  try {
    let read = 0;
    for await (const { record, place } of source.placed(onDamaged)) {
      const lang = record.lang ?? detect(record.text);
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
