/** The pages of a harvest: each filter in turn, over all records. */
import { grown } from '../../base/core/columns.ts';
import type { CorpusRecord } from '../../base/core/types.ts';
import { ColumnsSeen, type HarvestColumns } from './corpus-columns.ts';
import { primarySubtag } from './filters/page-languages.ts';
import type { RecordTallies } from './harvest-facts.ts';
import type { FilterContext, FilterRun, OmissionGrounds } from './harvest-filter.ts';
import { HARVEST_COLUMNS, HARVEST_FILTERS, type OmissionReason } from './harvest-filters.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { NearIndex } from './near-index.ts';
import { PackedStrings } from './packed-strings.ts';
import { taggedLanguage } from './page-language-tag.ts';
import { SamePages } from './same-pages.ts';

/** Detects the language of a text; null if it cannot. */
export type DetectLanguage = (text: string) => Promise<string | null>;

export interface Omission {
  readonly reason: OmissionReason;
  readonly grounds: OmissionGrounds;
}

/** The decisions of a first pass over the records. Records are numbered by their place among them, from 0. */
export interface Selection {
  /** null for a page of the corpus. */
  leftOut(ordinal: number): Omission | null;
  /** A page of the corpus as it is written. Called in the order of the records. */
  present(ordinal: number, record: CorpusRecord): HarvestedPage;
  readonly tallies: RecordTallies;
  /** The columns of the pages that were read, those of the filters, and further ones. */
  columns(further?: readonly (keyof HarvestedPage)[]): HarvestColumns;
  /** Number of pages omitted because of their language, by its code. */
  readonly otherLanguages: ReadonlyMap<string, number>;
  /** Facts that the filters found out, for the card. */
  readonly notes: readonly string[];
  /** Releases files. After this, no page may be presented. */
  close(): void;
}

interface RunningFilter {
  /** null if it omits no page. */
  readonly reason: OmissionReason | null;
  readonly run: FilterRun;
}

/**
 * Shows all records to the filters, which see all pages before any of them is decided.
 * Memory: a byte or two for each record, and that of the filters; the grounds of the pages that are omitted.
 * @param detect for pages that declare no language; null leaves them `und`
 */
export async function selectRecords(
  records: AsyncIterable<CorpusRecord>,
  harvest: Omit<FilterContext, 'index' | 'pages'>,
  detect: DetectLanguage | null,
  onRecord: (done: number) => void,
): Promise<Selection> {
  const index = new NearIndex(harvest.scratchDir);
  const pages = new SamePages(harvest.versions === 'all');
  const running: RunningFilter[] = [];
  const close = () => {
    for (const { run } of running) run.close?.();
    index.close();
  };
  try {
    await begin({ ...harvest, index, pages }, running);
    return { ...(await decided(records, pages, running, detect, onRecord)), close };
  } catch (error) {
    close();
    throw error;
  }
}

async function begin(harvest: FilterContext, running: RunningFilter[]): Promise<void> {
  for (const filter of [...HARVEST_FILTERS, ...HARVEST_COLUMNS]) {
    const run = await filter.begin(harvest);
    if (run) running.push({ reason: 'leaves' in filter ? filter.name : null, run });
  }
}

async function decided(
  records: AsyncIterable<CorpusRecord>,
  pages: SamePages,
  running: readonly RunningFilter[],
  detect: DetectLanguage | null,
  onRecord: (done: number) => void,
): Promise<Omit<Selection, 'close'>> {
  const detected = new DetectedLanguages();
  const out = new OmittedPages();
  const languageOf = (ordinal: number, { lang, langTag }: Pick<HarvestedPage, 'langTag'> & Pick<CorpusRecord, 'lang'>) =>
    taggedLanguage(langTag ?? lang ?? detected.of(ordinal) ?? 'und');
  let hasTags = false;

  const columns = new ColumnsSeen();
  let read = 0;
  for await (const record of records) {
    columns.see(record);
    const ordinal = read++;
    pages.add(ordinal, record.url);
    if (record.lang === null && detect !== null) detected.add(ordinal, (await detect(record.text)) ?? 'und');
    const { lang, langTag } = languageOf(ordinal, record);
    hasTags ||= langTag !== undefined;
    const page = { ordinal, record, lang };
    for (const { reason, run } of running) {
      const grounds = run.see?.(page) ?? null;
      if (grounds === null || reason === null) continue;
      out.add(ordinal, reason, grounds);
      break;
    }
    onRecord(read);
  }
  for (const { reason, run } of running) {
    const omitted = (await run.settle?.((one) => !out.has(one))) ?? [];
    if (reason !== null) for (const [ordinal, grounds] of omitted) out.add(ordinal, reason, grounds);
  }

  return {
    leftOut: (ordinal) => out.of(ordinal),
    present: (ordinal, record) =>
      running.reduce<HarvestedPage>((page, { run }) => run.present?.(page, ordinal) ?? page, {
        ...record,
        ...languageOf(ordinal, record),
      }),
    tallies: tally(read, out),
    columns: (further = []) =>
      columns.columns([...(hasTags ? (['langTag'] as const) : []), ...running.flatMap(({ run }) => run.adds ?? []), ...further]),
    otherLanguages: otherLanguagesOf(out),
    notes: running.flatMap(({ run }) => run.notes?.() ?? []),
  };
}

/** Memory: four bytes a page, and each language. */
class DetectedLanguages {
  /** One more than the number of its language; 0 for none. */
  #pages = new Uint32Array(0);
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  add(ordinal: number, name: string): void {
    const number = this.#numbers.get(name) ?? this.#names.push(name);
    this.#numbers.set(name, number);
    this.#pages = grown(this.#pages, ordinal + 1, Uint32Array);
    this.#pages[ordinal] = number;
  }

  of(ordinal: number): string | null {
    return this.#names[(this.#pages[ordinal] ?? 0) - 1] ?? null;
  }
}

/** Pages that are omitted. Memory: eight bytes a page, and the grounds as JSON outside of the heap; equal ones that follow each other once. */
class OmittedPages {
  /** One more than the number of its reason; 0 for a page that is in. */
  #reasons = new Uint32Array(0);
  #grounds = new Uint32Array(0);
  readonly #texts = new PackedStrings();
  #last: OmissionGrounds | null = null;
  /** Number of pages. */
  size = 0;

  add(ordinal: number, reason: OmissionReason, grounds: OmissionGrounds): void {
    if (!this.has(ordinal)) this.size++;
    if (grounds !== this.#last) this.#texts.add(JSON.stringify(grounds));
    this.#last = grounds;
    this.#reasons = grown(this.#reasons, ordinal + 1, Uint32Array);
    this.#grounds = grown(this.#grounds, ordinal + 1, Uint32Array);
    this.#reasons[ordinal] = REASONS.indexOf(reason) + 1;
    this.#grounds[ordinal] = this.#texts.count - 1;
  }

  has(ordinal: number): boolean {
    return (this.#reasons[ordinal] ?? 0) > 0;
  }

  of(ordinal: number): Omission | null {
    const reason = REASONS[(this.#reasons[ordinal] ?? 0) - 1];
    if (reason === undefined) return null;
    return { reason, grounds: JSON.parse(this.#texts.at(this.#grounds[ordinal] as number)) as OmissionGrounds };
  }

  *all(): Generator<Omission> {
    for (let ordinal = 0; ordinal < this.#reasons.length; ordinal++) {
      const one = this.of(ordinal);
      if (one !== null) yield one;
    }
  }
}

const REASONS: readonly OmissionReason[] = HARVEST_FILTERS.map(({ name }) => name);

function tally(read: number, out: OmittedPages): RecordTallies {
  const leftOut = noOmissions();
  for (const { reason } of out.all()) leftOut[reason]++;
  return { read, leftOut, kept: read - out.size };
}

/** Counts of 0 for each reason, in the order of the filters. */
export function noOmissions(): Record<OmissionReason, number> {
  return Object.fromEntries(HARVEST_FILTERS.map(({ name }) => [name, 0])) as Record<OmissionReason, number>;
}

function otherLanguagesOf(out: OmittedPages): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason, grounds } of out.all()) {
    if (reason !== 'language') continue;
    const code = primarySubtag(String(grounds['lang']));
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}
