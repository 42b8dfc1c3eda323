import type { Bytes, EpochMs, Ms, Topic, Unit, UrlState } from '../core/types.ts';

/** What people have said of a crawl's pages. */
export interface LabelFacts {
  readonly yes: number;
  readonly no: number;
  /** Share on topic of the pages the crawl kept, from as many answers to pages drawn at random, at 95 %; null without any. */
  readonly precision: { readonly share: Unit; readonly low: Unit; readonly high: Unit; readonly answers: number } | null;
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
  readonly seeds: readonly string[];
  readonly strategy: string;
  /** null where there was no limit. */
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

export type HarvestFormat = 'jsonl' | 'warc' | 'text';
export type Dedupe = 'exact' | 'none';

/** The rules a harvest selected by. */
export interface HarvestFilters {
  readonly minRelevance: Unit | null;
  /** Primary language subtags; empty for all languages. */
  readonly languages: readonly string[];
  readonly dedupe: Dedupe;
}

/** How the records of the crawl were told apart. The last four add up to `read`. */
export interface RecordTallies {
  readonly read: number;
  readonly kept: number;
  readonly belowRelevance: number;
  readonly otherLanguage: number;
  readonly duplicates: number;
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
  readonly formats: readonly HarvestFormat[];
  readonly filters: HarvestFilters;
  readonly records: RecordTallies;
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
/** The card as JSON, in the root of a harvest. */
export const CARD_FILE = 'corpus-card.json';
/** Rows a reader still scans; the rest is summed up. */
const TOP_HOSTS = 50;
const TOP_SEEDS = 50;
const TOP_LICENCES = 20;
const LICENCE =
  'The pages keep the rights of their authors and publishers; this corpus grants none of them. Check the terms of each source before you share or publish page text.';

/** The card as data; `format` names its layout and version. */
export interface CorpusCard {
  readonly format: typeof CARD_FORMAT;
  readonly topic: { readonly name: string; readonly modelId: string; readonly threshold: Unit };
  /** The topics of a crawl of several, each with the pages of this corpus that are on it; a page may be on two. Left out of all others. */
  readonly topics?: readonly { readonly name: string; readonly modelId: string; readonly threshold: Unit; readonly pages: number }[];
  readonly crawl: Omit<CrawlFacts, 'topicName' | 'modelId' | 'threshold' | 'topics'>;
  readonly harvest: { readonly at: string; readonly formats: readonly HarvestFormat[]; readonly filters: HarvestFilters };
  readonly records: RecordTallies;
  readonly hosts: {
    readonly count: number;
    readonly top: readonly { readonly host: string; readonly pages: number; readonly share: Unit }[];
    readonly rest: { readonly hosts: number; readonly pages: number; readonly share: Unit };
  };
  readonly languages: Readonly<Record<string, number>>;
  readonly fetched: { readonly first: string; readonly last: string } | null;
  readonly published: { readonly first: string; readonly last: string; readonly pages: number } | null;
  readonly licences: Readonly<Record<string, number>>;
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
  return {
    format: CARD_FORMAT,
    topic: { name: topicName, modelId, threshold },
    ...(topics && {
      topics: topics.map(({ name, id, threshold }) => ({ name, modelId: id, threshold, pages: harvest.topics?.get(name) ?? 0 })),
    }),
    crawl: rest,
    harvest: { at: iso(harvest.at), formats: harvest.formats, filters: harvest.filters },
    records: harvest.records,
    hosts: hostShares(harvest.hosts),
    languages: Object.fromEntries(byCount(harvest.languages)),
    fetched: harvest.fetched && { first: iso(harvest.fetched.first), last: iso(harvest.fetched.last) },
    published: harvest.published && {
      first: day(harvest.published.first),
      last: day(harvest.published.last),
      pages: harvest.published.pages,
    },
    licences: Object.fromEntries(byCount(harvest.licences)),
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

function cardMarkdown(card: CorpusCard): string {
  return [
    `# Corpus card: ${cell(card.topic.name)}`,
    cell(card.cite),
    section('Records', table(['', 'pages'], recordRows(card))),
    ...(card.topics ? [section('Topics', table(['topic', 'model', 'on topic from', 'pages'], topicRows(card.topics)))] : []),
    section('Selection', list(selectionLines(card))),
    section('Crawl', list(crawlLines(card))),
    section(`Seeds (${card.crawl.seeds.length})`, list(shortened(card.crawl.seeds))),
    section('URLs by state', table(['state', 'URLs'], rowsOf(card.crawl.ledger))),
    section(`Hosts (${card.hosts.count})`, table(['host', 'pages', 'share'], hostRows(card))),
    section('Languages', table(['language', 'pages'], rowsOf(card.languages))),
    ...(Object.keys(card.fields).length === 0 ? [] : [section('Fields', table(['field', 'pages'], rowsOf(card.fields)))]),
    section('Relevance', relevanceText(card)),
    section('Files', table(['file', 'bytes', 'SHA-256'], fileRows(card))),
    section('How to cite', cell(card.cite)),
    section('Licence', `${card.licence}\n\n${licenceText(card)}`),
    '',
  ].join('\n\n');
}

function recordRows({ records }: CorpusCard): string[][] {
  return [
    ['kept by the crawl', String(records.read)],
    ['in this corpus', String(records.kept)],
    ['left out: relevance too low', String(records.belowRelevance)],
    ['left out: other language', String(records.otherLanguage)],
    ['left out: same text as another page', String(records.duplicates)],
  ];
}

/** A page on two topics counts for both. */
function topicRows(topics: NonNullable<CorpusCard['topics']>): string[][] {
  return topics.map(({ name, modelId, threshold, pages }) => [name, modelId, String(rounded(threshold)), String(pages)]);
}

function selectionLines({ harvest, fetched, published }: CorpusCard): string[] {
  const { minRelevance, languages, dedupe } = harvest.filters;
  return [
    `harvested: ${harvest.at}, as ${harvest.formats.join(', ')}`,
    `minimum relevance: ${minRelevance ?? 'none'}`,
    `languages: ${languages.length === 0 ? 'all' : languages.join(', ')}`,
    `deduplication: ${dedupe === 'exact' ? 'one page for each main text, the first fetched' : 'none'}`,
    `fetched: ${fetched === null ? 'nothing' : span(fetched.first, fetched.last)}`,
    `published, as declared: ${published === null ? 'no readable dates' : `${span(published.first, published.last)} (${published.pages} pages)`}`,
  ];
}

function crawlLines({ crawl, topic, topics = [] }: CorpusCard): string[] {
  const { pages, ms, bytes } = crawl.budget;
  const isOfSeveral = topics.length > 0 && topics.every(({ modelId }) => modelId !== topic.modelId);
  const limits = [
    pages === null ? [] : `${pages} pages`,
    ms === null ? [] : `${ms / 1000} s`,
    bytes === null ? [] : `${bytes} bytes`,
  ].flat();
  return [
    ...(topics.length === 0 ? [] : [`crawled for ${topics.length} topics together: ${topics.map(({ name }) => name).join(', ')}`]),
    ...(isOfSeveral ? [] : [`topic model: ${topic.modelId}, on topic from ${rounded(topic.threshold)}`]),
    ...(crawl.query === null ? [] : [`query the crawl was begun with: ${crawl.query}`]),
    ...(crawl.labels === null ? [] : [labelsText(crawl.labels)]),
    `strategy: ${crawl.strategy}`,
    `budget: ${limits.length === 0 ? 'none' : limits.join(', ')}`,
    `stop reason: ${crawl.stopReason}`,
    `robots.txt: ${crawl.robots}, ${crawl.robotsRefusals} URLs refused`,
    `software: ${crawl.software}`,
    `user agent: ${crawl.userAgent}`,
  ];
}

function labelsText({ yes, no, precision }: LabelFacts): string {
  const labels = `labels: ${yes} on topic, ${no} off topic`;
  if (precision === null) return `${labels}; no page drawn at random is among them, so precision is not known`;
  const { share, low, high, answers } = precision;
  return `${labels}; precision of the pages the crawl kept: ${percent(share)} (95 % interval ${percent(low)} to ${percent(high)}), from ${answers} drawn at random`;
}

/** Three digits that count. */
function rounded(threshold: Unit): number {
  return Number(threshold.toPrecision(3));
}

function shortened(seeds: readonly string[]): readonly string[] {
  return seeds.length <= TOP_SEEDS ? seeds : [...seeds.slice(0, TOP_SEEDS), `${seeds.length - TOP_SEEDS} more in ${CARD_FILE}`];
}

function hostRows({ hosts }: CorpusCard): string[][] {
  const rows = hosts.top.map(({ host, pages, share }) => [host, String(pages), percent(share)]);
  if (hosts.rest.hosts > 0) rows.push([`${hosts.rest.hosts} more`, String(hosts.rest.pages), percent(hosts.rest.share)]);
  return rows;
}

function relevanceText({ relevanceDeciles }: CorpusCard): string {
  if (relevanceDeciles.length === 0) return 'No pages.';
  return `Minimum, deciles, maximum: ${relevanceDeciles.map((value) => value.toFixed(3)).join(' ')}`;
}

function licenceText({ licences }: CorpusCard): string {
  const rows = rowsOf(licences);
  if (rows.length === 0) return 'No page declares a licence.';
  const shown = table(['licence a page declares', 'pages'], rows.slice(0, TOP_LICENCES));
  return rows.length <= TOP_LICENCES ? shown : `${shown}\n\n${rows.length - TOP_LICENCES} more in ${CARD_FILE}.`;
}

function fileRows(card: CorpusCard): string[][] {
  const rows = card.files.map(({ name, bytes, sha256 }) => [name, String(bytes), sha256]);
  if (card.textFiles !== null) rows.push([`text/*.txt (${card.textFiles.count})`, String(card.textFiles.bytes), 'each in text/index.tsv']);
  return rows;
}

function rowsOf(counts: Readonly<Partial<Record<string, number>>>): string[][] {
  return Object.entries(counts).map(([name, count]) => [name, String(count ?? 0)]);
}

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? 'None.' : lines.map((line) => `- ${cell(line)}`).join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Names come from the web and from users: none may end a table cell, a line, or start markup. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\|<>`[\]]/g, '\\$&');
}

function span(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}

function percent(share: Unit): string {
  return `${(share * 100).toFixed(1)} %`;
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

function day(at: EpochMs): string {
  return iso(at).slice(0, 10);
}
