import type { Unit } from '../core/types.ts';
import { CARD_FILE } from '../disk/own-names.ts';
import { harmless } from '../text/harmless.ts';
import type { TextCounts } from '../text/word-counts.ts';
import type { CorpusCard } from './corpus-card.ts';
import type { LinkFacts } from './corpus-links.ts';
import type { LabelFacts, RunFacts, TrainingFacts } from './crawl-facts.ts';
import { HARVEST_COLUMNS, HARVEST_FILTERS } from './harvest-filters.ts';
import { precisionLine } from './precision-text.ts';

/** The card as JSON, in the root of a harvest. */
export { CARD_FILE };

const TOP_SEEDS = 50;
const TOP_LICENCES = 20;

/** A corpus card for people. */
export function cardMarkdown(card: CorpusCard): string {
  return [
    `# Corpus card: ${cell(card.topic.name)}`,
    cell(card.cite),
    section('Records', table(['', 'pages'], recordRows(card))),
    section('Precision', list(precisionLines(card))),
    ...(card.topics
      ? [section('Topics', table(['topic', 'model', 'on topic from', 'pages', 'precision of the kept pages'], topicRows(card.topics)))]
      : []),
    ...(card.corpora
      ? [section('Merged from', table(['corpus', 'pages', 'topic', 'model', 'on topic from', 'version'], partRows(card.corpora)))]
      : []),
    section('Selection', list(selectionLines(card))),
    ...(card.crawl.training ?? []).map((training) => section(`Training of ${cell(training.name)}`, trainingText(training))),
    section('Crawl', list(crawlLines(card))),
    ...seedSections(card.crawl),
    section('URLs by state', table(['state', 'URLs'], rowsOf(card.crawl.ledger))),
    section(`Hosts (${card.hosts.count})`, table(['host', 'pages', 'share', 'words'], hostRows(card))),
    section('Languages', `${table(['language', 'pages', 'words', 'tokens', 'characters'], languageRows(card))}\n\n${COUNTED}`),
    ...(Object.keys(card.fields).length === 0 ? [] : [section('Fields', table(['field', 'pages'], rowsOf(card.fields)))]),
    section('Relevance', relevanceText(card)),
    ...(card.links ? [section('Links', list(linkLines(card.links)))] : []),
    section('Files', table(['file', 'bytes', 'SHA-256'], fileRows(card))),
    section('How to cite', cell(card.cite)),
    section('Text and data mining', reservationText(card)),
    section('Licence', `${card.licence}\n\n${licenceText(card)}`),
    '',
  ].join('\n\n');
}

function recordRows({ harvest, records, damaged }: CorpusCard): string[][] {
  const asked = HARVEST_FILTERS.filter((filter) => !('describe' in filter) || filter.describe(harvest.filters) !== null);
  return [
    ['kept by the crawl', String(records.read)],
    ...asked.map(({ name, leaves }) => [`omitted: ${leaves}`, String(records.leftOut[name])]),
    ['in this corpus', String(records.kept)],
    ...(damaged.records > 0 ? [['LOST: kept by the crawl, but its stored data are damaged', String(damaged.records)]] : []),
    ...(damaged.warc > 0 ? [['without a WARC record, which is damaged', String(damaged.warc)]] : []),
  ];
}

/** Of the pages of this corpus; that of all kept pages is another figure, of the crawl. */
function precisionLines({ precision, crawl, topics }: CorpusCard): string[] {
  if (precision !== null) return [precisionLine('corpus', precision), ...givenLines(crawl.labels)];
  if (crawl.labels !== null) return ['precision of the pages in this corpus: not measured'];
  if (topics !== undefined) return ['precision: see the topics'];
  return ['precision: not measured; the pages are on topic by the model alone (forager label on the crawl measures it)'];
}

function givenLines(labels: LabelFacts | null): string[] {
  const given = labels?.given;
  if (!given) return [];
  const by = given.people.length === 0 ? '' : `, by ${given.people.join(', ')}`;
  return [`answers to pages drawn at random: ${span(given.first.slice(0, 10), given.last.slice(0, 10))}${by}`];
}

function linkLines({ links, inside, pagesWithout }: LinkFacts): string[] {
  return [
    `links of the pages: ${links}, of which ${inside} to pages of this corpus`,
    'pageRank: of the graph of the latter, with damping 0.85',
    ...(pagesWithout > 0
      ? [`pages whose links are unknown, since their WARC record is damaged or missing, or their body cannot be unpacked: ${pagesWithout}`]
      : []),
  ];
}

/** A page on two topics counts for both. */
function topicRows(topics: NonNullable<CorpusCard['topics']>): string[][] {
  return topics.map(({ name, modelId, threshold, pages, precision }) => [
    name,
    modelId,
    String(rounded(threshold)),
    String(pages),
    precision === null ? 'not measured' : `${percent(precision.share)} (${percent(precision.low)} to ${percent(precision.high)})`,
  ]);
}

function partRows(parts: NonNullable<CorpusCard['corpora']>): string[][] {
  return parts.map(({ name, version, topic, pages }) => [
    name,
    String(pages),
    topic.name,
    topic.modelId,
    String(rounded(topic.threshold)),
    version,
  ]);
}

function selectionLines({ version, harvest, fetched, published }: CorpusCard): string[] {
  const { minRelevance, languages, dedupe } = harvest.filters;
  return [
    ...(version === undefined ? [] : [`version: ${version} (SHA-256 of the sorted record ids)`]),
    `harvested: ${harvest.at}, as ${harvest.formats.join(', ')}`,
    `minimum relevance: ${minRelevance ?? 'none'}`,
    `languages: ${languages.length === 0 ? 'all' : languages.join(', ')}`,
    `deduplication: ${dedupe === 'none' ? 'none' : 'one page for each main text, the first fetched'}`,
    ...[...HARVEST_FILTERS, ...HARVEST_COLUMNS].flatMap((one) => ('describe' in one ? (one.describe(harvest.filters) ?? []) : [])),
    ...(harvest.notes ?? []),
    `fetched: ${fetched === null ? 'nothing' : span(fetched.first, fetched.last)}`,
    `published, as declared: ${published === null ? 'no readable dates' : `${span(published.first, published.last)} (${published.pages} pages)`}`,
  ];
}

function crawlLines({ crawl, topic, topics = [] }: CorpusCard): string[] {
  const isOfSeveral = topics.length > 0 && topics.every(({ modelId }) => modelId !== topic.modelId);
  return [
    ...(topics.length === 0 ? [] : [`crawled for ${topics.length} topics together: ${topics.map(({ name }) => name).join(', ')}`]),
    ...(isOfSeveral ? [] : [`topic model: ${topic.modelId}, on topic from ${rounded(topic.threshold)}`]),
    ...(crawl.query === null ? [] : [`query of the topic at the start: ${crawl.query}`]),
    ...labelsLines(crawl.labels),
    `strategy: ${crawl.strategy}`,
    `visits: ${crawl.visited} (pages, redirects, failed requests, sitemaps and feeds; these count against the budget); not counted: robots.txt files, and ${crawl.reservationFiles} tdmrep.json files`,
    ...(crawl.reopened > 0
      ? [`on topic since labels were given, not in the corpus, and to be visited again: ${crawl.reopened} pages`]
      : []),
    ...crawl.runs.map(runText),
    `stop reason: ${crawl.stopReason}`,
    `robots.txt: ${crawl.robots}, ${crawl.robotsRefusals} URLs refused`,
    `software: ${crawl.software}`,
    `user agent: ${crawl.userAgent}`,
    ...politenessLines(crawl),
  ];
}

function politenessLines({ politeness }: CorpusCard['crawl']): string[] {
  if (politeness === undefined) return [];
  const { contact, delay, delayFactor } = politeness;
  return [
    `contact: ${contact ?? 'none'}`,
    `delay between requests to a host: at least ${delay / 1000} s, and ${delayFactor} times the last response time`,
  ];
}

const TOP_EXAMPLE_HOSTS = 20;

function trainingText({ examples, irrelevant, background, examplesByHost, validation, ...model }: TrainingFacts): string {
  const figure = (value: Unit | null) => (value === null ? 'not measured' : value.toFixed(3));
  const held = validation.pages === 0 ? 'none' : `${validation.pages} pages, ${validation.folds}`;
  const lines = [
    `model: ${model.modelId}, method ${model.method}, trained ${model.created}`,
    `training pages: ${examples} examples, ${irrelevant} irrelevant, ${background} background; SHA-256 ${model.dataSha256}`,
    `held-out pages: ${held}`,
    `average precision: ${figure(validation.averagePrecision)}; at the threshold: precision ${figure(validation.precision)}, recall ${figure(validation.recall)}; on held-out training pages, not on this corpus`,
  ];
  const rows = examplesByHost.slice(0, TOP_EXAMPLE_HOSTS).map((row) => [row.host, String(row.examples)]);
  const others = examplesByHost.slice(TOP_EXAMPLE_HOSTS);
  if (others.length > 0) rows.push([`${others.length} more`, String(others.reduce((sum, row) => sum + row.examples, 0))]);
  return rows.length === 0 ? list(lines) : `${list(lines)}\n\n${table(['host', 'examples'], rows)}`;
}

function runText({ startedAt, maxPages, maxTimeMs, stopReason }: RunFacts, i: number): string {
  const limits = [maxPages === null ? [] : `${maxPages} visits in all`, maxTimeMs === null ? [] : `${maxTimeMs / 1000} s`].flat();
  const end = stopReason === null ? 'no end written down' : `ended: ${stopReason}`;
  return `run ${i + 1}, from ${startedAt}: budget ${limits.length === 0 ? 'none' : limits.join(', ')}; ${end}`;
}

/** Seeds without a page are listed apart, with the reason. */
function seedSections({ seeds, seedsWithoutPage, seedCount = seeds.length }: CorpusCard['crawl']): string[] {
  const without = new Set(seedsWithoutPage.map(({ url }) => url));
  const served = seeds.filter((seed) => !without.has(seed));
  const reasons = seedsWithoutPage.map(({ url, state, reason }) => `${url}: ${state}${reason === '' ? '' : ` (${reason})`}`);
  return [
    section(`Seeds (${seedCount - seedsWithoutPage.length})`, list(shortened(served, seedCount - seeds.length))),
    ...(reasons.length === 0 ? [] : [section(`Seeds that gave no page (${reasons.length})`, list(shortened(reasons)))]),
  ];
}

function labelsLines(facts: LabelFacts | null): string[] {
  if (facts === null) return [];
  const { yes, no, drawn, precision } = facts;
  const labels = `labels: ${yes} on topic, ${no} off topic`;
  if (precision !== null) return [labels, precisionLine('kept', precision)];
  return [
    `${labels}; precision: not measured. Answers to pages drawn at random among those kept: ${drawn.kept}; needed: ${drawn.needed}. To pages drawn among those not kept: ${drawn.leftOut}`,
  ];
}

/** @param unnamed number of further ones that the card does not list */
function shortened(lines: readonly string[], unnamed = 0): readonly string[] {
  const more = Math.max(0, lines.length - TOP_SEEDS);
  const rest = [more > 0 ? `${more} more in ${CARD_FILE}` : [], unnamed > 0 ? `${unnamed} more that no card names` : []].flat();
  return [...lines.slice(0, TOP_SEEDS), ...rest];
}

function hostRows({ hosts }: CorpusCard): string[][] {
  const rows = hosts.top.map(({ host, pages, share, words }) => [host, String(pages), percent(share), String(words)]);
  if (hosts.rest.hosts > 0) rows.push([`${hosts.rest.hosts} more`, String(hosts.rest.pages), percent(hosts.rest.share), '']);
  return rows;
}

const COUNTED = 'Words and tokens of the main texts, by the word boundaries of Unicode (UAX 29). Tokens include punctuation marks.';

function languageRows({ languages, texts }: CorpusCard): string[][] {
  const row = (name: string, pages: number, { words, tokens, characters }: TextCounts) => [
    name,
    ...[pages, words, tokens, characters].map(String),
  ];
  const rows = Object.entries(texts.languages).map(([name, counts]) => row(name, languages[name] ?? 0, counts));
  const pages = Object.values(languages).reduce((sum, count) => sum + count, 0);
  return [...rows, row('all', pages, texts)];
}

function relevanceText({ relevanceDeciles }: CorpusCard): string {
  if (relevanceDeciles.length === 0) return 'No pages.';
  return `By the model; not measured. Minimum, deciles, maximum: ${relevanceDeciles.map((value) => value.toFixed(3)).join(' ')}`;
}

function licenceText({ licences }: CorpusCard): string {
  const rows = rowsOf(licences);
  if (rows.length === 0) return 'No page declares a licence.';
  const shown = table(['licence a page declares', 'pages'], rows.slice(0, TOP_LICENCES));
  return rows.length <= TOP_LICENCES ? shown : `${shown}\n\n${rows.length - TOP_LICENCES} more in ${CARD_FILE}.`;
}

/** How a page declares its reservation, in words. */
const RESERVED_BY: Readonly<Record<string, string>> = {
  meta: 'a meta element of the page (TDM Reservation Protocol)',
  header: 'a header field of its response (TDM Reservation Protocol)',
  file: 'the tdmrep.json of its host (TDM Reservation Protocol)',
  noai: 'noai in its robots meta or X-Robots-Tag',
};

function reservationText(card: CorpusCard): string {
  const { by, policies, notAsked } = card.reservations;
  const rows = Object.entries(by).map(([source, pages]) => [RESERVED_BY[source] ?? source, String(pages ?? 0)]);
  const parts = [
    reservationSummary(card),
    ...(rows.length === 0 ? [] : [table(['reserved by', 'pages'], rows)]),
    ...(Object.keys(policies).length === 0 ? [] : [table(['how to obtain rights', 'pages'], rowsOf(policies).slice(0, TOP_LICENCES))]),
  ];
  if (notAsked.pages > 0)
    parts.push(
      `${notAsked.pages} pages of ${notAsked.hosts} hosts declare nothing, and the file of their host was not requested or not available.`,
    );
  return parts.join('\n\n');
}

function reservationSummary({ harvest, reservations }: CorpusCard): string {
  const pages = Object.values(reservations.by).reduce((sum, n) => sum + n, 0);
  if (pages === 0) return 'No page is known to reserve the rights to mine it.';
  if (harvest.filters.reserved === 'omit') return `${pages} pages reserve the rights to mine them, and are omitted.`;
  return `CAUTION: ${pages} pages reserve the rights to mine them, and were taken all the same (--reserved include). Do not mine or share them without leave or an exception in law.`;
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

/** Names come from the web and from users: none may end a table cell or a line, or start markup. */
function cell(text: string): string {
  return harmless(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\|<>`[\]]/g, '\\$&');
}

function percent(share: Unit): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Three significant digits. */
export function rounded(threshold: Unit): number {
  return Number(threshold.toPrecision(3));
}

export function span(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}
