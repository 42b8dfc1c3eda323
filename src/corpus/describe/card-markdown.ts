import { CARD_FILE } from '../../base/disk/own-names.ts';
import { markdownLine } from '../../base/text/markdown.ts';
import { counted, percentText } from '../../base/text/number-text.ts';
import type { TextCounts } from '../../base/text/word-counts.ts';
import type { LinkFacts } from '../select/corpus-links.ts';
import type { LabelFacts } from '../select/crawl-facts.ts';
import { HARVEST_COLUMNS, HARVEST_FILTERS } from '../select/harvest-filters.ts';
import { OBEYED_BY_DEFAULT } from '../select/obeyed-names.ts';
import { ageLines, unseenLines } from './age-words.ts';
import { crawlLines, seedSections, subjectLines, trainingText, troubleSections } from './card-crawl.ts';
import { dateSpan, list, rounded, rowsOf, section, textTable } from './card-tables.ts';
import type { CorpusCard, MergedCorpusFacts, TopicFacts } from './corpus-card.ts';
import { dominantHostText } from './dominant-host.ts';
import { biasText, stabilityText } from './measured-words.ts';
import { methodsParagraphs } from './methods-text.ts';
import { personalSection } from './personal-words.ts';
import { NO_COMMON_FIGURE, precisionLine } from './precision-text.ts';
import { completenessText } from './recall-words.ts';
import { rightsText } from './rights-words.ts';

/** The card as JSON, in the root of a harvest. */
export { CARD_FILE };

const TOP_LICENCES = 20;

/** A corpus card for people. */
export function cardMarkdown(card: CorpusCard): string {
  const stated = rightsText(card);
  return [
    `# Corpus card: ${markdownLine(card.topic.name)}`,
    markdownLine(card.cite),
    ...(card.crawl.training ? [section('Subject', list(subjectLines(card.crawl)))] : []),
    section('Records', textTable(['', 'pages'], recordRows(card))),
    section('Precision', list(precisionLines(card))),
    section('Completeness', list(completenessLines(card))),
    section('Bias and stability', list(measuredLines(card))),
    ...(card.crawl.ages ? [section('Age', list([...ageLines(card.crawl.ages), ...unseenLines(card.crawl.ages)]))] : []),
    ...(card.topics
      ? [section('Topics', textTable(['topic', 'model', 'on topic from', 'pages', 'precision of the kept pages'], topicRows(card.topics)))]
      : []),
    ...(card.corpora
      ? [
          section(
            'Merged from',
            textTable(['corpus', 'pages', 'taken', 'topic', 'model', 'on topic from', 'version'], partRows(card.corpora)),
          ),
        ]
      : []),
    section('Selection', list(selectionLines(card))),
    ...(card.crawl.training ?? []).map((training) => section(`Training of ${markdownLine(training.name)}`, trainingText(training))),
    section('Crawl', list(crawlLines(card))),
    ...seedSections(card.crawl),
    section('URLs by state', textTable(['state', 'URLs'], rowsOf(card.crawl.ledger))),
    ...troubleSections(card.crawl),
    section(`Hosts (${card.hosts.count})`, hostText(card)),
    section(
      'Languages',
      `${textTable(['language', 'pages', 'words', 'tokens', 'characters'], languageRows(card))}\n\n${quartilesText(card)}${COUNTED}`,
    ),
    ...(Object.keys(card.fields).length === 0 ? [] : [section('Fields', textTable(['field', 'pages'], rowsOf(card.fields)))]),
    section('Relevance', relevanceText(card)),
    ...(card.links ? [section('Links', list(linkLines(card.links)))] : []),
    section('Files', textTable(['file', 'bytes', 'SHA-256'], fileRows(card))),
    ...methodsSection(card),
    section('How to cite', markdownLine(card.cite)),
    section('Text and data mining', reservationText(card)),
    ...(stated === null ? [] : [section('Statements about rights and use', stated)]),
    section('Personal data', personalSection(card)),
    section('Licence', `${card.licence}\n\n${licenceText(card)}`),
    '',
  ].join('\n\n');
}

function recordRows({ harvest, records, damaged }: CorpusCard): string[][] {
  const isAsked = (filter: (typeof HARVEST_FILTERS)[number]) => !('describe' in filter) || filter.describe(harvest.filters) !== null;
  const asked = HARVEST_FILTERS.filter((filter) => isAsked(filter) || records.leftOut[filter.name] > 0);
  return [
    ['kept by the crawl', String(records.read)],
    ...asked.map(({ name, leaves }) => [`omitted: ${leaves}`, String(records.leftOut[name])]),
    ['in this corpus', String(records.kept)],
    ...(damaged.records > 0 ? [['LOST: kept by the crawl, but its stored data are damaged', String(damaged.records)]] : []),
    ...(damaged.warc > 0 ? [['without a WARC record, which is damaged', String(damaged.warc)]] : []),
  ];
}

/** Precision of the pages of this corpus. The precision of all kept pages is another figure, of the crawl. */
function precisionLines({ precision, crawl, topics, corpora, records }: CorpusCard): string[] {
  if (precision !== null) return [precisionLine('corpus', precision), ...givenLines(crawl.labels)];
  if (corpora !== undefined) return [NO_COMMON_FIGURE.parts, ...corpora.map((part) => partPrecision(part, records.kept))];
  if (crawl.labels !== null) return ['precision of the pages in this corpus: not measured'];
  if (topics !== undefined) return [NO_COMMON_FIGURE.topics, ...topics.map(topicPrecision)];
  return ['precision: not measured; the pages are on topic by the model alone (forager label on the crawl measures it)'];
}

function topicPrecision({ name, pages, inCorpus }: TopicFacts): string {
  return `${name} (${pages} pages): ${inCorpus ? precisionLine('corpus', inCorpus) : 'not measured'}`;
}

/** @param all pages of the merged corpus */
function partPrecision({ name, pages, taken, precision }: MergedCorpusFacts, all: number): string {
  const weight = all === 0 ? '' : `, ${percentText(taken / all)} of this corpus`;
  return `${name} (${taken} of its ${pages} pages${weight}): ${precision ? precisionLine('part', precision) : 'not measured'}`;
}

function givenLines(labels: LabelFacts | null): string[] {
  const given = labels?.given;
  if (!given) return [];
  const by = given.people.length === 0 ? '' : `, by ${given.people.join(', ')}`;
  return [`answers to pages drawn at random: ${dateSpan(given.first.slice(0, 10), given.last.slice(0, 10))}${by}`];
}

function completenessLines({ crawl: { recall }, corpora }: CorpusCard): string[] {
  if (corpora !== undefined) return ['recall: not known for a merged corpus; the cards of its parts may have it'];
  return recall === undefined
    ? ['recall: not measured (forager known draws pages from a list and asks about them, crawl --known measures by them)']
    : completenessText(recall);
}

function measuredLines({ crawl: { bias, stability, visited }, corpora }: CorpusCard): string[] {
  if (corpora !== undefined) return ['bias and stability: not known for a merged corpus; the cards of its parts may have them'];
  return [...biasText(bias, visited), ...stabilityText(stability, visited)];
}

function methodsSection(card: CorpusCard): string[] {
  const paragraphs = methodsParagraphs(card);
  return paragraphs.length === 0 ? [] : [section('Methods, for a paper', paragraphs.map(markdownLine).join('\n\n'))];
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
    precision === null
      ? 'not measured'
      : `${percentText(precision.share)} (${percentText(precision.low)} to ${percentText(precision.high)})`,
  ]);
}

function partRows(parts: NonNullable<CorpusCard['corpora']>): string[][] {
  return parts.map(({ name, version, topic, pages, taken }) => [
    name,
    String(pages),
    String(taken),
    topic.name,
    topic.modelId,
    String(rounded(topic.threshold)),
    version,
  ]);
}

function selectionLines({ version, harvest, fetched, published, rendered, records, versionedPages, gone }: CorpusCard): string[] {
  const { minRelevance, languages, dedupe } = harvest.filters;
  return [
    ...(version === undefined ? [] : [`version: ${version} (SHA-256 of the sorted record ids)`]),
    `harvested: ${harvest.at}, as ${harvest.formats.join(', ')}`,
    `minimum relevance: ${minRelevance ?? 'none'}`,
    `languages: ${languages.length === 0 ? 'all' : languages.join(', ')}`,
    `deduplication: ${dedupe === 'none' ? 'none' : 'one page for each main text, the first fetched'}`,
    ...[...HARVEST_FILTERS, ...HARVEST_COLUMNS].flatMap((one) => ('describe' in one ? (one.describe(harvest.filters) ?? []) : [])),
    ...(harvest.notes ?? []),
    ...(rendered === undefined ? [] : [`rendered by a browser: ${rendered} pages, whose text is that of the rendered document`]),
    ...(versionedPages === undefined ? [] : [`size: ${counted(records.kept, 'version')} of ${counted(versionedPages, 'page')}`]),
    ...(gone === undefined ? [] : [`gone at the last request: ${counted(gone, 'page')}; the column gone has the time`]),
    `fetched: ${fetched === null ? 'nothing' : dateSpan(fetched.first, fetched.last)}`,
    `published, as declared: ${published === null ? 'no readable dates' : `${dateSpan(published.first, published.last)} (${published.pages} pages)`}`,
  ];
}

/** A host with most of the pages is named before the table. */
function hostText(card: CorpusCard): string {
  const { top, count } = card.hosts;
  const dominant = dominantHostText(top[0], card.records.kept, count);
  const table = textTable(['host', 'pages', 'share', 'words'], hostRows(card));
  return dominant === null ? table : `CAUTION: ${markdownLine(dominant)}.\n\n${table}`;
}

function hostRows({ hosts }: CorpusCard): string[][] {
  const rows = hosts.top.map(({ host, pages, share, words }) => [host, String(pages), percentText(share), String(words)]);
  if (hosts.rest.hosts > 0) rows.push([`${hosts.rest.hosts} more`, String(hosts.rest.pages), percentText(hosts.rest.share), '']);
  return rows;
}

function quartilesText({ wordQuartiles: [least, lower, median, upper, most] }: CorpusCard): string {
  if (most === undefined) return '';
  return `Words of a page: at least ${least}, quartiles ${lower}, ${median} and ${upper}, at most ${most}.\n\n`;
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
  const shown = textTable(['licence a page declares', 'pages'], rows.slice(0, TOP_LICENCES));
  return rows.length <= TOP_LICENCES ? shown : `${shown}\n\n${rows.length - TOP_LICENCES} more in ${CARD_FILE}.`;
}

/** Forms in which a page declares its reservation, in words. */
const RESERVED_BY: Readonly<Record<string, string>> = {
  meta: 'a meta element of the page (TDM Reservation Protocol)',
  header: 'a header field of its response (TDM Reservation Protocol)',
  file: 'the tdmrep.json of its host (TDM Reservation Protocol)',
  noai: 'noai in its robots meta or X-Robots-Tag',
  'content-usage': 'Content-Usage in a header field or robots.txt (IETF AIPREF, a draft)',
  'content-signal': 'Content-Signal in robots.txt or a header field',
  rsl: 'a document of Really Simple Licensing',
};

function reservationText(card: CorpusCard): string {
  const { by, policies, notAsked } = card.reservations;
  const rows = Object.entries(by).map(([source, pages]) => [RESERVED_BY[source] ?? source, String(pages ?? 0)]);
  const parts = [
    reservationSummary(card),
    ...(rows.length === 0 ? [] : [textTable(['reserved by', 'pages'], rows)]),
    ...(Object.keys(policies).length === 0 ? [] : [textTable(['how to obtain rights', 'pages'], rowsOf(policies).slice(0, TOP_LICENCES))]),
  ];
  if (notAsked.pages > 0)
    parts.push(
      `${notAsked.pages} pages of ${notAsked.hosts} hosts declare nothing, and the file of their host was not requested or not available.`,
    );
  return parts.join('\n\n');
}

function reservationSummary({ harvest, reservations }: CorpusCard): string {
  const pages = Object.values(reservations.by).reduce((sum, n) => sum + n, 0);
  const { obey = OBEYED_BY_DEFAULT } = harvest.filters;
  const obeyed = obey.length === 0 ? 'No protocol is obeyed.' : `Protocols that are obeyed: ${obey.join(', ')}.`;
  if (pages === 0) return `${obeyed} No page is known to reserve its rights by them.`;
  if (harvest.filters.reserved === 'omit') return `${obeyed} ${pages} pages reserve their rights by them, and are omitted.`;
  return `CAUTION: ${pages} pages reserve their rights, and were taken all the same (--reserved include). Do not mine or share them without leave or an exception in law.`;
}

function fileRows(card: CorpusCard): string[][] {
  const rows = card.files.map(({ name, bytes, sha256 }) => [name, String(bytes), sha256]);
  if (card.textFiles !== null) rows.push([`text/*.txt (${card.textFiles.count})`, String(card.textFiles.bytes), 'each in text/index.tsv']);
  return rows;
}
