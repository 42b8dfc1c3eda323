import type { Bytes, EpochMs, IsoTime, Ms, Topic, Unit, UrlState } from '../core/types.ts';
import { cardMarkdown, rounded, span } from './card-markdown.ts';

/** What people have said of a crawl's pages. */
export interface LabelFacts {
  readonly yes: number;
  readonly no: number;
  /** Answers `y` or `n` to pages drawn at random: of those kept, and of those read and left out; and how many of the kept measure the precision. */
  readonly drawn: { readonly kept: number; readonly leftOut: number; readonly needed: number };
  /** Share on topic of the pages the crawl kept, from as many answers to pages drawn at random, at 95 %; null while there are fewer than needed. */
  readonly precision: { readonly share: Unit; readonly low: Unit; readonly high: Unit; readonly answers: number } | null;
}

/** One run of a crawl: what it was allowed, and why it ended. */
export interface RunFacts {
  readonly startedAt: IsoTime;
  /** null where it was killed, or goes on. */
  readonly endedAt: IsoTime | null;
  /** Visits in all, those of earlier runs included; null where there was no limit. */
  readonly maxPages: number | null;
  /** Of this run; null where there was no limit. */
  readonly maxTimeMs: Ms | null;
  /** null where it was killed, or goes on. */
  readonly stopReason: string | null;
}

/** A seed that gave no page: why. */
export interface SeedWithoutPage {
  readonly url: string;
  readonly state: 'refused' | 'failed' | 'not-reached';
  readonly reason: string;
}

/** What a crawl was, as its corpus card tells it. Comes from outside the corpus. */
export interface CrawlFacts {
  readonly topicName: string;
  /** Hash of the topic model. */
  readonly modelId: string;
  readonly threshold: Unit;
  /** Each topic of a crawl of several, also where the corpus is of one of them. Left out of all others. */
  readonly topics?: readonly Topic[];
  /** The query of the topic the crawl was begun with; null of one of examples. */
  readonly query: string | null;
  /** null when no page has a label. */
  readonly labels: LabelFacts | null;
  /** The first thousand. */
  readonly seeds: readonly string[];
  /** Those of `seeds` that gave no page, nor what they redirect to. */
  readonly seedsWithoutPage: readonly SeedWithoutPage[];
  /** How many there are, where that is more. Left out of all others. */
  readonly seedCount?: number;
  readonly strategy: string;
  /** In their order. */
  readonly runs: readonly RunFacts[];
  /** URLs that a request was spent on: pages, redirects, failures, sitemaps and feeds. It is they that count against `maxPages`. */
  readonly visited: number;
  /** Pages that labels put on topic after they were read and left out: they wait to be visited again. */
  readonly reopened: number;
  /** Requests for `tdmrep.json` files, which are no visits. */
  readonly reservationFiles: number;
  /** Of the last run; null where there was no limit. */
  readonly budget: { readonly pages: number | null; readonly ms: Ms | null; readonly bytes: Bytes | null };
  /** Why the crawl ended, in a word; `running` while it has not. */
  readonly stopReason: string;
  /** Discovered URLs by the state they are in. */
  readonly ledger: Readonly<Partial<Record<UrlState | 'not-reached' | 'parked', number>>>;
  /** What the crawl did about robots.txt, e.g. `obey`. */
  readonly robots: string;
  readonly robotsRefusals: number;
  /** Name and version of what crawled. */
  readonly software: string;
  readonly userAgent: string;
}

export type Dedupe = 'exact' | 'none';
/** Pages whose rights to be mined are reserved: left out, or taken all the same. */
export type Reserved = 'omit' | 'include';

/** The rules a harvest selected by. */
export interface HarvestFilters {
  readonly minRelevance: Unit | null;
  /** Primary language subtags; empty for all languages. */
  readonly languages: readonly string[];
  readonly reserved: Reserved;
  readonly dedupe: Dedupe;
}

/** How the records of the crawl were told apart. The last five add up to `read`. */
export interface RecordTallies {
  readonly read: number;
  readonly kept: number;
  readonly belowRelevance: number;
  readonly otherLanguage: number;
  /** Left out since the rights to mine them are reserved; 0 where such pages are taken. */
  readonly reserved: number;
  readonly duplicates: number;
}

/** Pages that the crawl kept and this corpus has not, since what is stored of them is damaged. */
export interface DamagedCounts {
  /** With no whole record: they are in none of its files. */
  readonly records: number;
  /** Chosen, with no whole WARC record: they are in all but the WARC files. */
  readonly warc: number;
}

export interface CorpusFileFacts {
  /** Path inside the corpus folder. */
  readonly name: string;
  readonly bytes: Bytes;
  /** Hex. */
  readonly sha256: string;
}

/** What a harvest holds. */
export interface HarvestFacts {
  readonly at: EpochMs;
  readonly formats: readonly string[];
  readonly filters: HarvestFilters;
  readonly records: RecordTallies;
  readonly damaged: DamagedCounts;
  /** Kept pages by host name. */
  readonly hosts: ReadonlyMap<string, number>;
  /** Kept pages by primary subtag, `und` where neither declared nor detected. */
  readonly languages: ReadonlyMap<string, number>;
  /** null when nothing was kept. */
  readonly fetched: { readonly first: EpochMs; readonly last: EpochMs } | null;
  /** Of the kept pages whose declared date can be read; null when there is none. */
  readonly published: { readonly first: EpochMs; readonly last: EpochMs; readonly pages: number } | null;
  /** Kept pages by the licence they declare; a page under two counts for both. */
  readonly licences: ReadonlyMap<string, number>;
  /** Of the pages that relevance and language let through, those that reserve the rights to mine them, left out or not. */
  readonly reservations: {
    /** By who says so: `meta`, `header`, `file`, `noai`. */
    readonly by: ReadonlyMap<string, number>;
    /** By the URL that says how rights are to be had. */
    readonly policies: ReadonlyMap<string, number>;
    /** Pages that say nothing, of hosts whose file was not asked for or could not be had. */
    readonly notAsked: { readonly hosts: number; readonly pages: number };
  };
  /** Kept pages by the topics they are on, of a crawl of several. */
  readonly topics?: ReadonlyMap<string, number>;
  /** Kept pages that have a value, by field of the field rules. */
  readonly fields: ReadonlyMap<string, number>;
  /** Minimum, the nine deciles between, maximum: shape [11], or [] when nothing was kept. */
  readonly relevanceDeciles: readonly Unit[];
  readonly files: readonly CorpusFileFacts[];
  /** The pages under text/; null when that format was not asked for. */
  readonly textFiles: { readonly count: number; readonly bytes: Bytes } | null;
}

export interface CardFacts {
  readonly crawl: CrawlFacts;
  readonly harvest: HarvestFacts;
}

export const CARD_FORMAT = 'forager-corpus-card/1';
/** Rows a reader still scans; the rest is summed up. */
const TOP_HOSTS = 50;
const LICENCE =
  'The pages keep the rights of their authors and publishers; this corpus grants none of them. Check the terms of each source before you share or publish page text.';

/** The card as data; `format` names its layout and version. */
export interface CorpusCard {
  readonly format: typeof CARD_FORMAT;
  readonly topic: { readonly name: string; readonly modelId: string; readonly threshold: Unit };
  /** The topics of a crawl of several, each with the pages of this corpus that are on it; a page may be on two. Left out of all others. */
  readonly topics?: readonly { readonly name: string; readonly modelId: string; readonly threshold: Unit; readonly pages: number }[];
  readonly crawl: Omit<CrawlFacts, 'topicName' | 'modelId' | 'threshold' | 'topics'>;
  readonly harvest: { readonly at: string; readonly formats: readonly string[]; readonly filters: HarvestFilters };
  readonly records: RecordTallies;
  readonly damaged: DamagedCounts;
  /** What the corpus is known by to be on topic: `labels`, or the word of the `model` alone. */
  readonly basis: 'model' | 'labels';
  /** Share on topic of the pages the crawl kept, as in `crawl.labels`; null: not measured. */
  readonly precision: LabelFacts['precision'];
  readonly hosts: {
    readonly count: number;
    readonly top: readonly { readonly host: string; readonly pages: number; readonly share: Unit }[];
    readonly rest: { readonly hosts: number; readonly pages: number; readonly share: Unit };
  };
  readonly languages: Readonly<Record<string, number>>;
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
  readonly cite: string;
  readonly licence: string;
}

/** What the corpus is, how it was made and how to cite it: for programs and for people. Pure. */
export function corpusCard(facts: CardFacts): { readonly json: CorpusCard; readonly markdown: string } {
  const json = cardData(facts);
  return { json, markdown: cardMarkdown(json) };
}

function cardData({ crawl, harvest }: CardFacts): CorpusCard {
  const { topicName, modelId, threshold, topics, ...rest } = crawl;
  const precision = crawl.labels?.precision ?? null;
  return {
    format: CARD_FORMAT,
    topic: { name: topicName, modelId, threshold },
    ...(topics && {
      topics: topics.map(({ name, id, threshold }) => ({ name, modelId: id, threshold, pages: harvest.topics?.get(name) ?? 0 })),
    }),
    crawl: rest,
    harvest: { at: iso(harvest.at), formats: harvest.formats, filters: harvest.filters },
    records: harvest.records,
    damaged: harvest.damaged,
    basis: precision === null ? 'model' : 'labels',
    precision,
    hosts: hostShares(harvest.hosts),
    languages: Object.fromEntries(byCount(harvest.languages)),
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
    cite: citation({ crawl, harvest }),
    licence: LICENCE,
  };
}

function hostShares(hosts: ReadonlyMap<string, number>): CorpusCard['hosts'] {
  const ranked = byCount(hosts);
  const total = ranked.reduce((sum, [, pages]) => sum + pages, 0);
  const share = (pages: number) => (total === 0 ? 0 : pages / total);
  const top = ranked.slice(0, TOP_HOSTS).map(([host, pages]) => ({ host, pages, share: share(pages) }));
  const others = ranked.slice(TOP_HOSTS);
  const pages = others.reduce((sum, [, count]) => sum + count, 0);
  return { count: ranked.length, top, rest: { hosts: others.length, pages, share: share(pages) } };
}

/** Largest first; equal counts by name, so that a card is the same each time. */
function byCount(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function citation({ crawl, harvest }: CardFacts): string {
  const dates = harvest.fetched === null ? '' : `, fetched ${span(day(harvest.fetched.first), day(harvest.fetched.last))}`;
  const [file] = harvest.files;
  const sum = file === undefined ? '' : ` ${file.name} SHA-256 ${file.sha256}.`;
  return `Web corpus “${crawl.topicName}”: ${harvest.records.kept} pages${dates}, crawled with ${crawl.software} (${modelText(crawl)}, strategy ${crawl.strategy}), harvested ${day(harvest.at)}.${sum}`;
}

/** Of a corpus of several topics together all their models. */
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
