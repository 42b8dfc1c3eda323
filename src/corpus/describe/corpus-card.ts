import type { Bytes, EpochMs, Unit } from '../../base/core/types.ts';
import type { TextCounts } from '../../base/text/word-counts.ts';
import type { LinkFacts } from '../select/corpus-links.ts';
import type { CrawlFacts, LabelFacts, PrecisionFacts } from '../select/crawl-facts.ts';
import type { CorpusFileFacts, CorpusPart, DamagedCounts, HarvestFacts, PersonalFacts, RecordTallies } from '../select/harvest-facts.ts';
import type { ProtocolPages } from '../select/protocol-counts.ts';
import type { VersionFigures } from '../select/version-counts.ts';
import { dateSpan, rounded } from './card-tables.ts';

export interface CardFacts {
  readonly crawl: CrawlFacts;
  readonly harvest: HarvestFacts;
}

export const CARD_FORMAT = 'forager-corpus-card/2';
/** Formats of cards, with those of earlier versions: a harvest may replace such a corpus. */
export const CARD_FORMATS: readonly string[] = [CARD_FORMAT, 'forager-corpus-card/1'];
/** Number of rows that a reader still scans; the rest is summed up. */
const TOP_HOSTS = 50;
const LICENCE =
  'The pages keep the rights of their authors and publishers; this corpus grants none of them. Check the terms of each source before you share or publish page text.';

/** One of several topics of a crawl. */
export interface TopicFacts extends Pick<LabelFacts, 'precision'> {
  readonly name: string;
  readonly modelId: string;
  readonly threshold: Unit;
  /** Number of pages of the topic in this corpus. */
  readonly pages: number;
  /** Share on topic of those pages. Absent if it is not measured; `precision` is of all pages that the crawl kept for the topic. */
  readonly inCorpus?: PrecisionFacts;
}

/** One of the corpora of a merged one, with the number of its pages in the merged corpus. */
export interface MergedCorpusFacts extends CorpusPart {
  readonly taken: number;
}

/** The card as data; `format` names its layout and version. */
export interface CorpusCard extends VersionFigures {
  readonly format: typeof CARD_FORMAT;
  /** SHA-256 of the sorted record ids, each with a line feed. Absent in earlier versions of Forager. */
  readonly version?: string;
  /** Corpora from which a corpus was merged, with the model of each. Absent for a corpus that was not merged. */
  readonly corpora?: readonly MergedCorpusFacts[];
  readonly topic: { readonly name: string; readonly modelId: string; readonly threshold: Unit };
  /** The topics of a crawl with several, each with its number of pages in this corpus; a page may be on two. Otherwise absent. */
  readonly topics?: readonly TopicFacts[];
  readonly crawl: Omit<CrawlFacts, 'topicName' | 'modelId' | 'threshold' | 'topics'>;
  readonly harvest: { readonly at: string } & Pick<HarvestFacts, 'formats' | 'filters' | 'notes'>;
  readonly records: RecordTallies;
  readonly damaged: DamagedCounts;
  /** The evidence that the corpus is on topic: `labels`, or the judgement of the `model` alone. */
  readonly basis: 'model' | 'labels';
  /** Share of on-topic pages among the pages of this corpus; null: not measured. `crawl.labels` has that of all pages the crawl kept. */
  readonly precision: LabelFacts['precision'];
  readonly hosts: {
    readonly count: number;
    readonly top: readonly { readonly host: string; readonly pages: number; readonly share: Unit; readonly words: number }[];
    readonly rest: { readonly hosts: number; readonly pages: number; readonly share: Unit };
  };
  readonly languages: Readonly<Record<string, number>>;
  /** Size of the main texts: of all, and by language in the same order. */
  readonly texts: TextCounts & { readonly languages: Readonly<Record<string, TextCounts>> };
  /** Words of a page: minimum, the three quartiles, maximum: shape [5]; [] without pages. */
  readonly wordQuartiles: readonly number[];
  readonly fetched: { readonly first: string; readonly last: string } | null;
  readonly published: { readonly first: string; readonly last: string; readonly pages: number } | null;
  readonly licences: Readonly<Record<string, number>>;
  /** Pages by the protocol of their statements about rights and use. Absent without any, and in earlier versions. */
  readonly rights?: readonly ProtocolPages[];
  readonly reservations: {
    readonly by: Readonly<Record<string, number>>;
    readonly policies: Readonly<Record<string, number>>;
    readonly notAsked: { readonly hosts: number; readonly pages: number };
  };
  /** Pages whose text is that of their rendered document. Absent without any, and in earlier versions. */
  readonly rendered?: number;
  /** Personal data of the pages. Absent if no column has it: `harvest.filters.personal` says if its pages are omitted. */
  readonly personal?: PersonalFacts;
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
  const { precision } = harvest;
  return {
    format: CARD_FORMAT,
    ...(harvest.version !== undefined && { version: harvest.version }),
    ...(harvest.corpora && { corpora: harvest.corpora.map((part) => ({ ...part, taken: harvest.parts?.get(part.name) ?? 0 })) }),
    topic: { name: topicName, modelId, threshold },
    ...(topics && {
      topics: topics.map(({ name, id, threshold, precision }) => ({
        name,
        modelId: id,
        threshold,
        pages: harvest.topics?.get(name) ?? 0,
        precision,
        ...inCorpus(name, harvest),
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
    wordQuartiles: harvest.wordQuartiles,
    fetched: harvest.fetched && { first: iso(harvest.fetched.first), last: iso(harvest.fetched.last) },
    published: harvest.published && {
      first: day(harvest.published.first),
      last: day(harvest.published.last),
      pages: harvest.published.pages,
    },
    licences: Object.fromEntries(byCount(harvest.licences)),
    ...(harvest.rights && { rights: harvest.rights }),
    reservations: {
      by: Object.fromEntries(byCount(harvest.reservations.by)),
      policies: Object.fromEntries(byCount(harvest.reservations.policies)),
      notAsked: harvest.reservations.notAsked,
    },
    ...(harvest.rendered !== undefined && { rendered: harvest.rendered }),
    ...(harvest.versionedPages !== undefined && { versionedPages: harvest.versionedPages }),
    ...(harvest.gone !== undefined && { gone: harvest.gone }),
    ...(harvest.personal && { personal: harvest.personal }),
    fields: Object.fromEntries(byCount(harvest.fields)),
    relevanceDeciles: harvest.relevanceDeciles,
    files: harvest.files,
    textFiles: harvest.textFiles,
    ...(harvest.links && { links: harvest.links }),
    cite: citation({ crawl, harvest }),
    licence: LICENCE,
  };
}

function inCorpus(name: string, { topicPrecisions }: HarvestFacts): Pick<TopicFacts, 'inCorpus'> {
  const precision = topicPrecisions?.get(name);
  return precision ? { inCorpus: precision } : {};
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
  const dates = harvest.fetched === null ? '' : `, fetched ${dateSpan(day(harvest.fetched.first), day(harvest.fetched.last))}`;
  const [file] = harvest.files;
  const sum = file === undefined ? '' : ` ${file.name} SHA-256 ${file.sha256}.`;
  return `Web corpus “${crawl.topicName}”: ${sizeText(harvest)}${dates}, crawled with ${crawl.software} (${modelText(crawl)}, strategy ${crawl.strategy}), harvested ${day(harvest.at)}.${sum}`;
}

/** `9 pages`, or `14 versions of 9 pages`. */
function sizeText({ records: { kept }, versionedPages }: HarvestFacts): string {
  return versionedPages === undefined ? `${kept} pages` : `${kept} versions of ${versionedPages} pages`;
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
