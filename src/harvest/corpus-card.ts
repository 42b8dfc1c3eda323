import type { Bytes, EpochMs, IsoTime, Ms, Topic, Unit, UrlState } from '../core/types.ts';
import type { TextCounts } from '../text/word-counts.ts';
import { rounded, span } from './card-markdown.ts';
import type { LinkFacts } from './corpus-links.ts';
import type { FilterOptions } from './harvest-filter.ts';
import type { LeftOutReason } from './harvest-filters.ts';

/** The labels that people gave to the pages of a crawl. */
export interface LabelFacts {
  readonly yes: number;
  readonly no: number;
  /**
   * Number of answers `y` or `n` to randomly drawn pages: kept ones, and pages that were read and not kept; and the number of kept pages needed to
   * measure precision.
   */
  readonly drawn: { readonly kept: number; readonly leftOut: number; readonly needed: number };
  /** Share of on-topic pages among the kept pages, from that many answers to randomly drawn pages, at 95 %; null while there are too few. */
  readonly precision: { readonly share: Unit; readonly low: Unit; readonly high: Unit; readonly answers: number } | null;
}

/** One run of a crawl: its limits, and why it ended. */
export interface RunFacts {
  readonly startedAt: IsoTime;
  /** null if it was killed or is still running. */
  readonly endedAt: IsoTime | null;
  /** Total number of visits, earlier runs included; null without a limit. */
  readonly maxPages: number | null;
  /** For this run; null without a limit. */
  readonly maxTimeMs: Ms | null;
  /** null if it was killed or is still running. */
  readonly stopReason: string | null;
}

/** A seed that gave no page, with the reason. */
export interface SeedWithoutPage {
  readonly url: string;
  readonly state: 'refused' | 'failed' | 'not-reached';
  readonly reason: string;
}

/** One of several topics of a crawl. */
export interface TopicFacts extends Pick<LabelFacts, 'precision'> {
  readonly name: string;
  readonly modelId: string;
  readonly threshold: Unit;
  /** In this corpus. */
  readonly pages: number;
}

/** The examples of a topic model and its validation, from its model card. */
export interface TrainingFacts {
  readonly name: string;
  readonly modelId: string;
  readonly created: IsoTime;
  readonly method: string;
  /** SHA-256 of the training pages, hex. */
  readonly dataSha256: string;
  readonly examples: number;
  /** Pages that a person gave as irrelevant. */
  readonly irrelevant: number;
  readonly background: number;
  /** Most examples first. */
  readonly examplesByHost: readonly { readonly host: string; readonly examples: number }[];
  /** Of held-out pages; a figure is null if it was not measured. */
  readonly validation: {
    /** How pages were held out: `by-host`, `by-example` or `none`. */
    readonly folds: string;
    readonly pages: number;
    readonly averagePrecision: Unit | null;
    readonly precision: Unit | null;
    readonly recall: Unit | null;
  };
}

/** How the crawl treated hosts. */
export interface PolitenessFacts {
  /** URL or mail address that it sent with every request; null without one. */
  readonly contact: string | null;
  /** Least gap between two requests to a host. */
  readonly delay: Ms;
  /** The gap is also at least this multiple of the last response time. */
  readonly delayFactor: number;
}

/** The crawl, as its corpus card describes it. Comes from outside the corpus. */
export interface CrawlFacts {
  readonly topicName: string;
  /** Hash of the topic model. */
  readonly modelId: string;
  readonly threshold: Unit;
  /** All topics of a crawl with several, even if the corpus contains one of them. Absent for a crawl with one topic. */
  readonly topics?: readonly (Topic & Pick<LabelFacts, 'precision'>)[];
  /** The query of the first topic model of the crawl; null for a model from examples. */
  readonly query: string | null;
  /** The active model of each topic. Absent if no model card can be read. */
  readonly training?: readonly TrainingFacts[];
  readonly politeness?: PolitenessFacts;
  /** null if no page has a label. */
  readonly labels: LabelFacts | null;
  /** The first thousand. */
  readonly seeds: readonly string[];
  /** Those of `seeds` that gave no page, and whose redirects gave none. */
  readonly seedsWithoutPage: readonly SeedWithoutPage[];
  /** Their number, if it is larger than the list. Otherwise absent. */
  readonly seedCount?: number;
  readonly strategy: string;
  /** In their order. */
  readonly runs: readonly RunFacts[];
  /** URLs that cost a request: pages, redirects, failures, sitemaps and feeds. They count against `maxPages`. */
  readonly visited: number;
  /** Pages that were read and not kept, and that labels made on topic later: they wait for another visit. */
  readonly reopened: number;
  /** Requests for `tdmrep.json` files, which do not count as visits. */
  readonly reservationFiles: number;
  /** Of the last run; null without a limit. */
  readonly budget: { readonly pages: number | null; readonly ms: Ms | null; readonly bytes: Bytes | null };
  /** The reason why the crawl ended, as one word; `running` if it has not ended. */
  readonly stopReason: string;
  /** Number of discovered URLs by state. */
  readonly ledger: Readonly<Partial<Record<UrlState | 'not-reached' | 'parked', number>>>;
  /** How the crawl treated robots.txt, e.g. `obey`. */
  readonly robots: string;
  readonly robotsRefusals: number;
  /** Name and version of the program that crawled. */
  readonly software: string;
  readonly userAgent: string;
}

/** `near` includes `exact`, and `contained` includes `near`. */
export type Dedupe = 'exact' | 'near' | 'contained' | 'none';
/** Pages with reserved mining rights: omit or include them. */
export type Reserved = 'omit' | 'include';

/** Counts of the crawl's records: `read` less each of `leftOut` is `kept`. */
export interface RecordTallies {
  readonly read: number;
  /** By reason, in the order of the filters: a page is omitted for the first. */
  readonly leftOut: Readonly<Record<LeftOutReason, number>>;
  readonly kept: number;
}

/** Pages that the crawl kept and this corpus lacks, because their stored data are damaged. */
export interface DamagedCounts {
  /** Without an undamaged record: they are in no file of the corpus. */
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
  /** As in the column `corpus` of its pages. */
  readonly name: string;
  readonly version: string;
  readonly topic: { readonly name: string; readonly modelId: string; readonly threshold: Unit };
  /** Its pages, whether they are in the merged corpus or not. */
  readonly pages: number;
}

/** The contents of a harvest. */
export interface HarvestFacts {
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
  readonly damaged: DamagedCounts;
  /** Kept pages by host name. */
  readonly hosts: ReadonlyMap<string, number>;
  /** Kept pages by primary subtag; `und` if the language is neither declared nor detected. */
  readonly languages: ReadonlyMap<string, number>;
  /** Texts of the kept pages by the same names, and by the same hosts. */
  readonly texts: { readonly languages: ReadonlyMap<string, TextCounts>; readonly hosts: ReadonlyMap<string, TextCounts> };
  /** null if nothing was kept. */
  readonly fetched: { readonly first: EpochMs; readonly last: EpochMs } | null;
  /** Of the kept pages with a readable declared date; null if there are none. */
  readonly published: { readonly first: EpochMs; readonly last: EpochMs; readonly pages: number } | null;
  /** Kept pages by the licence they declare; a page under two counts for both. */
  readonly licences: ReadonlyMap<string, number>;
  /** Of all pages that were read: those that reserve the rights to mine them, omitted or not. */
  readonly reservations: {
    /** By the source of the reservation: `meta`, `header`, `file`, `noai`. */
    readonly by: ReadonlyMap<string, number>;
    /** By the URL of the policy that explains how to obtain rights. */
    readonly policies: ReadonlyMap<string, number>;
    /** Pages without a declaration, on hosts whose file was not requested or not available. */
    readonly notAsked: { readonly hosts: number; readonly pages: number };
  };
  /** Kept pages by the topics they are on, for a crawl with several topics. */
  readonly topics?: ReadonlyMap<string, number>;
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

export interface CardFacts {
  readonly crawl: CrawlFacts;
  readonly harvest: HarvestFacts;
}

export const CARD_FORMAT = 'forager-corpus-card/2';
/** With those of earlier versions: a harvest may replace such a corpus. */
export const CARD_FORMATS: readonly string[] = [CARD_FORMAT, 'forager-corpus-card/1'];
/** Number of rows that a reader still scans; the rest is summed up. */
const TOP_HOSTS = 50;
const LICENCE =
  'The pages keep the rights of their authors and publishers; this corpus grants none of them. Check the terms of each source before you share or publish page text.';

/** The card as data; `format` names its layout and version. */
export interface CorpusCard {
  readonly format: typeof CARD_FORMAT;
  /** SHA-256 of the sorted record ids, each with a line feed. Absent in earlier versions of Forager. */
  readonly version?: string;
  /** For a merged corpus, those it was merged from, with the model of each. Otherwise absent. */
  readonly corpora?: readonly CorpusPart[];
  readonly topic: { readonly name: string; readonly modelId: string; readonly threshold: Unit };
  /** The topics of a crawl with several, each with its number of pages in this corpus; a page may be on two. Otherwise absent. */
  readonly topics?: readonly TopicFacts[];
  readonly crawl: Omit<CrawlFacts, 'topicName' | 'modelId' | 'threshold' | 'topics'>;
  readonly harvest: { readonly at: string } & Pick<HarvestFacts, 'formats' | 'filters' | 'notes'>;
  readonly records: RecordTallies;
  readonly damaged: DamagedCounts;
  /** The evidence that the corpus is on topic: `labels`, or the judgement of the `model` alone. */
  readonly basis: 'model' | 'labels';
  /** Share of on-topic pages among the kept pages, as in `crawl.labels`; null: not measured. */
  readonly precision: LabelFacts['precision'];
  readonly hosts: {
    readonly count: number;
    readonly top: readonly { readonly host: string; readonly pages: number; readonly share: Unit; readonly words: number }[];
    readonly rest: { readonly hosts: number; readonly pages: number; readonly share: Unit };
  };
  readonly languages: Readonly<Record<string, number>>;
  /** Size of the main texts: of all, and by language in the same order. */
  readonly texts: TextCounts & { readonly languages: Readonly<Record<string, TextCounts>> };
  readonly fetched: { readonly first: string; readonly last: string } | null;
  readonly published: { readonly first: string; readonly last: string; readonly pages: number } | null;
  readonly licences: Readonly<Record<string, number>>;
  readonly reservations: {
    readonly by: Readonly<Record<string, number>>;
    readonly policies: Readonly<Record<string, number>>;
    readonly notAsked: { readonly hosts: number; readonly pages: number };
  };
  readonly fields: Readonly<Record<string, number>>;
  readonly relevanceDeciles: readonly Unit[];
  readonly files: readonly CorpusFileFacts[];
  readonly textFiles: { readonly count: number; readonly bytes: Bytes } | null;
  /** Absent if the harvest read no links. */
  readonly links?: LinkFacts;
  readonly cite: string;
  readonly licence: string;
}

/** Describes the corpus, how it was made and how to cite it. Pure. `cardMarkdown` is the same for people. */
export function corpusCard({ crawl, harvest }: CardFacts): CorpusCard {
  const { topicName, modelId, threshold, topics, ...rest } = crawl;
  const precision = crawl.labels?.precision ?? null;
  return {
    format: CARD_FORMAT,
    ...(harvest.version !== undefined && { version: harvest.version }),
    ...(harvest.corpora && { corpora: harvest.corpora }),
    topic: { name: topicName, modelId, threshold },
    ...(topics && {
      topics: topics.map(({ name, id, threshold, precision }) => ({
        name,
        modelId: id,
        threshold,
        pages: harvest.topics?.get(name) ?? 0,
        precision,
      })),
    }),
    crawl: rest,
    harvest: {
      at: iso(harvest.at),
      formats: harvest.formats,
      filters: harvest.filters,
      ...(harvest.notes && harvest.notes.length > 0 && { notes: harvest.notes }),
    },
    records: harvest.records,
    damaged: harvest.damaged,
    basis: precision === null ? 'model' : 'labels',
    precision,
    hosts: hostShares(harvest.hosts, harvest.texts.hosts),
    languages: Object.fromEntries(byCount(harvest.languages)),
    texts: textSizes(harvest),
    fetched: harvest.fetched && { first: iso(harvest.fetched.first), last: iso(harvest.fetched.last) },
    published: harvest.published && {
      first: day(harvest.published.first),
      last: day(harvest.published.last),
      pages: harvest.published.pages,
    },
    licences: Object.fromEntries(byCount(harvest.licences)),
    reservations: {
      by: Object.fromEntries(byCount(harvest.reservations.by)),
      policies: Object.fromEntries(byCount(harvest.reservations.policies)),
      notAsked: harvest.reservations.notAsked,
    },
    fields: Object.fromEntries(byCount(harvest.fields)),
    relevanceDeciles: harvest.relevanceDeciles,
    files: harvest.files,
    textFiles: harvest.textFiles,
    ...(harvest.links && { links: harvest.links }),
    cite: citation({ crawl, harvest }),
    licence: LICENCE,
  };
}

function textSizes({ languages, texts }: HarvestFacts): CorpusCard['texts'] {
  const rows = byCount(languages).map(([name]): [string, TextCounts] => [name, texts.languages.get(name) ?? NO_TEXT]);
  const sum = (part: keyof TextCounts) => rows.reduce((total, [, counts]) => total + counts[part], 0);
  return { characters: sum('characters'), words: sum('words'), tokens: sum('tokens'), languages: Object.fromEntries(rows) };
}

const NO_TEXT: TextCounts = { characters: 0, words: 0, tokens: 0 };

function hostShares(hosts: ReadonlyMap<string, number>, texts: ReadonlyMap<string, TextCounts>): CorpusCard['hosts'] {
  const ranked = byCount(hosts);
  const total = ranked.reduce((sum, [, pages]) => sum + pages, 0);
  const share = (pages: number) => (total === 0 ? 0 : pages / total);
  const top = ranked.slice(0, TOP_HOSTS).map(([host, pages]) => ({ host, pages, share: share(pages), words: texts.get(host)?.words ?? 0 }));
  const others = ranked.slice(TOP_HOSTS);
  const pages = others.reduce((sum, [, count]) => sum + count, 0);
  return { count: ranked.length, top, rest: { hosts: others.length, pages, share: share(pages) } };
}

/** Largest first; equal counts by name, so that a card is always the same. */
function byCount(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function citation({ crawl, harvest }: CardFacts): string {
  const dates = harvest.fetched === null ? '' : `, fetched ${span(day(harvest.fetched.first), day(harvest.fetched.last))}`;
  const [file] = harvest.files;
  const sum = file === undefined ? '' : ` ${file.name} SHA-256 ${file.sha256}.`;
  return `Web corpus “${crawl.topicName}”: ${harvest.records.kept} pages${dates}, crawled with ${crawl.software} (${modelText(crawl)}, strategy ${crawl.strategy}), harvested ${day(harvest.at)}.${sum}`;
}

/** The models of all topics, for a corpus of several topics. */
function modelText({ modelId, threshold, topics = [] }: CrawlFacts): string {
  if (topics.length === 0 || topics.some(({ id }) => id === modelId)) return `topic model ${modelId}, threshold ${rounded(threshold)}`;
  return `topic models ${topics.map(({ name, id }) => `${name} ${id}`).join(', ')}`;
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

function day(at: EpochMs): string {
  return iso(at).slice(0, 10);
}
