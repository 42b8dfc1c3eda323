import { grown } from '../../base/core/columns.ts';
import type { Bytes, CorpusRecord, EpochMs, HostKey, Unit } from '../../base/core/types.ts';
import { type TextCounts, textCounts } from '../../base/text/word-counts.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { PersonalCounts } from '../personal/personal-names.ts';
import type { ReservationFiles } from '../records/reservation-files.ts';
import type { LinkFacts } from './corpus-links.ts';
import type { PrecisionFacts } from './crawl-facts.ts';
import { declaredDay } from './declared-date.ts';
import { primarySubtag } from './filters/page-languages.ts';
import type { FilterOptions } from './harvest-filter.ts';
import type { OmissionReason } from './harvest-filters.ts';
import type { HarvestedPage } from './harvested-page.ts';
import { OBEYED_BY_DEFAULT, type Obeyable } from './obeyed-names.ts';
import { reservedBy } from './obeyed-statements.ts';
import { PersonalSums } from './personal-sums.ts';
import { ProtocolCounts, type ProtocolPages } from './protocol-counts.ts';
import { VersionCounts, type VersionFigures } from './version-counts.ts';

/** Counts of the crawl's records: `read` less each of `leftOut` is `kept`. */
export interface RecordTallies {
  readonly read: number;
  /** Omitted pages by reason, in the order of the filters: a page is omitted for the first. */
  readonly leftOut: Readonly<Record<OmissionReason, number>>;
  readonly kept: number;
}

/** Pages that the crawl kept and this corpus lacks, because their stored data are damaged. */
export interface DamagedCounts {
  /** Pages without an undamaged record: they are in no file of the corpus. */
  readonly records: number;
  /** Selected, but without an undamaged WARC record: they are in all files except the WARC files. */
  readonly warc: number;
}

export interface CorpusFileFacts {
  /** Path inside the corpus folder. */
  readonly name: string;
  readonly bytes: Bytes;
  /** Hex. */
  readonly sha256: string;
}

/** One of the corpora that a corpus was merged from. */
export interface CorpusPart {
  /** Name of the part, as in the column `corpus` of its pages. */
  readonly name: string;
  readonly version: string;
  readonly topic: { readonly name: string; readonly modelId: string; readonly threshold: Unit };
  /** Number of its pages, whether they are in the merged corpus or not. */
  readonly pages: number;
  /** Share on topic of its pages. Absent if it is not measured. */
  readonly precision?: PrecisionFacts;
}

/** The contents of a harvest. */
export interface HarvestFacts extends VersionFigures {
  /** SHA-256 of the sorted record ids: see `CorpusVersion`. */
  readonly version?: string;
  /** Absent for the corpus of one crawl. */
  readonly corpora?: readonly CorpusPart[];
  readonly at: EpochMs;
  readonly formats: readonly string[];
  readonly filters: FilterOptions;
  /** Facts that the filters found out, one line each. Absent if there are none. */
  readonly notes?: readonly string[];
  readonly records: RecordTallies;
  /** Share on topic of the pages of this corpus; null: not measured. */
  readonly precision: PrecisionFacts | null;
  /** Precision of the pages on each of several topics that is measured. */
  readonly topicPrecisions?: ReadonlyMap<string, PrecisionFacts>;
  readonly damaged: DamagedCounts;
  /** Kept pages by host name. */
  readonly hosts: ReadonlyMap<string, number>;
  /** Kept pages by primary subtag; `und` if the language is neither declared nor detected. */
  readonly languages: ReadonlyMap<string, number>;
  /** Texts of the kept pages by the same names, and by the same hosts. */
  readonly texts: { readonly languages: ReadonlyMap<string, TextCounts>; readonly hosts: ReadonlyMap<string, TextCounts> };
  /** Words of a page: minimum, the three quartiles, maximum: shape [5], or [] if nothing was kept. */
  readonly wordQuartiles: readonly number[];
  /** null if nothing was kept. */
  readonly fetched: { readonly first: EpochMs; readonly last: EpochMs } | null;
  /** Declared dates of the kept pages with a readable one; null if there are none. */
  readonly published: { readonly first: EpochMs; readonly last: EpochMs; readonly pages: number } | null;
  /** Kept pages by the licence they declare; a page under two counts for both. */
  readonly licences: ReadonlyMap<string, number>;
  /** Kept pages by the protocol of their statements about rights and use. Absent without any. */
  readonly rights?: readonly ProtocolPages[];
  /** Pages among all that were read that reserve the rights to mine them, omitted or not. */
  readonly reservations: {
    /** Pages by the source of the reservation: `meta`, `header`, `file`, `noai`, `content-usage`, `content-signal`, `rsl`. */
    readonly by: ReadonlyMap<string, number>;
    /** Pages by the URL of the policy that explains how to obtain rights. */
    readonly policies: ReadonlyMap<string, number>;
    /** Pages without a declaration, on hosts whose file was not requested or not available. */
    readonly notAsked: { readonly hosts: number; readonly pages: number };
  };
  /** Kept pages by the part of a merged corpus that they come from; empty otherwise. */
  readonly parts?: ReadonlyMap<string, number>;
  /** Kept pages by the topics they are on, for a crawl with several topics. */
  readonly topics?: ReadonlyMap<string, number>;
  /** Kept pages whose text is that of their rendered document. Absent without any. */
  readonly rendered?: number;
  /** Personal data of the kept pages, by kind. Absent if no column has it. */
  readonly personal?: PersonalFacts;
  /** Kept pages that have a value, by field of the field rules. */
  readonly fields: ReadonlyMap<string, number>;
  /** Minimum, the nine deciles between, maximum: shape [11], or [] if nothing was kept. */
  readonly relevanceDeciles: readonly Unit[];
  readonly files: readonly CorpusFileFacts[];
  /** The pages under text/; null if that format was not requested. */
  readonly textFiles: { readonly count: number; readonly bytes: Bytes } | null;
  /** Absent if the harvest read no links. */
  readonly links?: LinkFacts;
}

/** Finds by kind, and pages that have such data: of that kind, of any kind, and in their URL, where it stays. */
export interface PersonalFacts {
  readonly finds: PersonalCounts;
  readonly pages: PersonalCounts;
  readonly pagesWithAny: number;
  readonly urls: number;
}

/** The part of a merged corpus that supplies a page; null for a corpus of one. */
export type PartOf = (page: Pick<HarvestedPage, 'url' | 'corpus'>) => string | null;

/** Counts the pages that a harvest keeps, one at a time. */
export class HarvestCounts {
  readonly #hosts = new Map<string, number>();
  readonly #languages = new Map<string, number>();
  readonly #textsByHost = new Map<string, TextCounts>();
  readonly #textsByLanguage = new Map<string, TextCounts>();
  readonly #licences = new Map<string, number>();
  readonly #rights = new ProtocolCounts();
  readonly #topics = new Map<string, number>();
  readonly #fields = new Map<string, number>();
  readonly #parts = new Map<string, number>();
  readonly #personal = new PersonalSums();
  readonly #versions = new VersionCounts();
  readonly #partOf: PartOf;
  #relevances = new Float64Array(0);
  #words = new Uint32Array(0);
  #pages = 0;
  #rendered = 0;
  #fetched: { first: EpochMs; last: EpochMs } | null = null;
  #published: { first: EpochMs; last: EpochMs; pages: number } | null = null;

  constructor(partOf: PartOf = () => null) {
    this.#partOf = partOf;
  }

  add(record: HarvestedPage): void {
    const { host } = new URL(record.url);
    const language = primarySubtag(record.lang);
    const text = textCounts(record.text);
    count(this.#hosts, host);
    count(this.#languages, language);
    addText(this.#textsByHost, host, text);
    addText(this.#textsByLanguage, language, text);
    for (const licence of record.metadata.licences) count(this.#licences, licence);
    this.#rights.add(record);
    for (const field of Object.keys(record.fields)) count(this.#fields, field);
    for (const { name, onTopic } of record.topics ?? []) if (onTopic) count(this.#topics, name);
    this.#relevances = grown(this.#relevances, this.#pages + 1, Float64Array);
    this.#words = grown(this.#words, this.#pages + 1, Uint32Array);
    this.#words[this.#pages] = text.words;
    this.#relevances[this.#pages++] = record.relevance;
    this.#personal.add(record);
    this.#versions.add(record);
    if (record.rendered) this.#rendered += 1;
    const part = this.#partOf(record);
    if (part !== null) count(this.#parts, part);
    const fetchedAt = Date.parse(record.fetchedAt);
    this.#fetched = widened(this.#fetched, fetchedAt);
    const day = record.metadata.published === null ? null : declaredDay(record.metadata.published, fetchedAt);
    if (day !== null) this.#published = { ...widened(this.#published, day), pages: (this.#published?.pages ?? 0) + 1 };
  }

  facts(): Pick<
    HarvestFacts,
    | 'hosts'
    | 'languages'
    | 'texts'
    | 'wordQuartiles'
    | 'fetched'
    | 'published'
    | 'licences'
    | 'rights'
    | 'parts'
    | 'topics'
    | 'rendered'
    | keyof VersionFigures
    | 'personal'
    | 'fields'
    | 'relevanceDeciles'
  > {
    const rights = this.#rights.pages();
    return {
      hosts: this.#hosts,
      languages: this.#languages,
      texts: { languages: this.#textsByLanguage, hosts: this.#textsByHost },
      wordQuartiles: quantiles(this.#words.subarray(0, this.#pages), 4),
      parts: this.#parts,
      fetched: this.#fetched,
      published: this.#published,
      licences: this.#licences,
      ...(rights.length > 0 && { rights }),
      topics: this.#topics,
      ...(this.#rendered > 0 && { rendered: this.#rendered }),
      ...this.#personal.facts(),
      ...this.#versions.figures(),
      fields: this.#fields,
      relevanceDeciles: quantiles(this.#relevances.subarray(0, this.#pages), 10),
    };
  }
}

/** Counts the reservations of pages. */
export class ReservationCounts {
  readonly #files: Pick<ReservationFiles, 'knows'>;
  readonly #obeyed: readonly Obeyable[];
  readonly #by = new Map<string, number>();
  readonly #policies = new Map<string, number>();
  readonly #unknown = new Map<HostKey, number>();

  /** @param files the reservations files of the hosts. @param obeyed protocols that can reserve a page */
  constructor(files: Pick<ReservationFiles, 'knows'>, obeyed: readonly Obeyable[] = OBEYED_BY_DEFAULT) {
    [this.#files, this.#obeyed] = [files, obeyed];
  }

  /** @returns the source by which the page is reserved; null if it is not */
  add(record: CorpusRecord): ReturnType<typeof reservedBy> {
    const { url, reservation } = record;
    // A page with its own declaration needs no lookup.
    if (!reservation && !this.#files.knows(url)) this.#unknown.set(hostKeyOf(url), (this.#unknown.get(hostKeyOf(url)) ?? 0) + 1);
    const by = reservedBy(record, this.#obeyed);
    if (by === null) return null;
    count(this.#by, by);
    if (reservation?.reserved && reservation.policy !== null) count(this.#policies, reservation.policy);
    return by;
  }

  facts(): HarvestFacts['reservations'] {
    const pages = [...this.#unknown.values()].reduce((sum, n) => sum + n, 0);
    return { by: this.#by, policies: this.#policies, notAsked: { hosts: this.#unknown.size, pages } };
  }
}

/** Minimum, the quantiles between (nearest rank) and maximum, shape [parts + 1]; [] without values. @param parts 10 for deciles */
export function quantiles(values: ArrayLike<number>, parts: number): number[] {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return [];
  return Array.from({ length: parts + 1 }, (_, part) => sorted[Math.round((part / parts) * (sorted.length - 1))] ?? 0);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function addText(counts: Map<string, TextCounts>, key: string, { characters, words, tokens }: TextCounts): void {
  const before = counts.get(key);
  const sum = { characters, words, tokens };
  if (before) for (const part of ['characters', 'words', 'tokens'] as const) sum[part] += before[part];
  counts.set(key, sum);
}

function widened(range: { readonly first: EpochMs; readonly last: EpochMs } | null, at: EpochMs): { first: EpochMs; last: EpochMs } {
  return range === null ? { first: at, last: at } : { first: Math.min(range.first, at), last: Math.max(range.last, at) };
}
