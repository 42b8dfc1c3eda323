/** The facts of a published corpus that all its descriptions share. */
import type { IsoTime } from '../../base/core/types.ts';
import type { CorpusFileFacts } from '../select/harvest-facts.ts';
import type { CorpusCard } from './corpus-card.ts';
import { precisionSentence } from './precision-text.ts';

/** The statements of the user about the publication. */
export interface PublicationOptions {
  /** Names of persons or organisations. Absent or empty: the operator of the crawl. */
  readonly creators?: readonly string[];
  /** URL of the page where the corpus is published. */
  readonly corpusUrl?: string;
}

export interface Publication {
  readonly title: string;
  readonly abstract: string;
  /** Named by the user? Otherwise the only creator is the operator of the crawl. */
  readonly isNamed: boolean;
  /** Authors; at least one. */
  readonly creators: readonly string[];
  /** `./` while it is not published: the folder of the description. */
  readonly url: string;
  /** `YYYY-MM-DD`: the day of the harvest. */
  readonly date: string;
  /** Day of publication as a semantic version: `2024.5.7`. */
  readonly version: string;
  readonly keywords: readonly string[];
  /** Primary subtags of the languages that are known, most pages first. */
  readonly languages: readonly string[];
}

export function publicationOf(card: CorpusCard, { creators = [], corpusUrl }: PublicationOptions): Publication {
  const date = card.harvest.at.slice(0, 10);
  const contact = card.crawl.politeness?.contact ?? null;
  return {
    title: `Web corpus “${card.topic.name}”`,
    abstract: abstractOf(card),
    isNamed: creators.length > 0,
    creators: creators.length > 0 ? creators : [contact === null ? 'Operator of the crawl' : `Operator of the crawl (${contact})`],
    url: corpusUrl ?? './',
    date,
    version: date.split('-').map(Number).join('.'),
    keywords: [...new Set(['web corpus', 'focused crawl', card.topic.name, ...(card.topics ?? []).map(({ name }) => name)])],
    languages: Object.keys(card.languages).filter((code) => /^[a-z]{2,3}$/.test(code) && code !== 'und'),
  };
}

function abstractOf({ topic, records, hosts, texts, fetched, crawl }: CorpusCard): string {
  const dates = fetched === null ? '' : `, fetched from ${dayOf(fetched.first)} to ${dayOf(fetched.last)}`;
  const subjects = (crawl.training ?? []).flatMap(({ name, subject }) => (subject === undefined || subject === name ? [] : subject));
  const about = subjects.length === 0 ? '' : ` (${subjects.join('; ')})`;
  return `${records.kept} web pages on “${topic.name}”${about} from ${hosts.count} hosts, with ${texts.words} words of main text${dates}, by the focused crawler ${crawl.software}.`;
}

export function dayOf(at: IsoTime | string): string {
  return at.slice(0, 10);
}

/** Describes the way of pages into the corpus. */
export function collectionText({ crawl, harvest, topic }: CorpusCard): string {
  const runs = crawl.runs.map(({ startedAt, endedAt }) => `${startedAt} to ${endedAt ?? 'an unknown end'}`);
  return [
    `A focused crawl from ${crawl.seedCount ?? crawl.seeds.length} seeds with strategy ${crawl.strategy}, ${crawl.visited} visits.`,
    ...(crawl.rules ? [`Scope: ${crawl.rules.scope.length === 0 ? 'everywhere' : crawl.rules.scope.join(', ')}.`] : []),
    `Runs: ${runs.length === 0 ? 'none recorded' : runs.join('; ')}.`,
    `A page was kept if the topic model ${topic.modelId} gave it a relevance of at least ${topic.threshold}.`,
    `robots.txt: ${crawl.robots}, ${crawl.robotsRefusals} URLs refused.`,
    `Harvested ${harvest.at}.`,
  ].join(' ');
}

function precisionText({ precision, topics = [], corpora = [] }: CorpusCard): string {
  if (precision !== null) return precisionSentence('corpus', precision);
  const isKnown = [...topics.map(({ inCorpus }) => inCorpus), ...corpora.map((part) => part.precision)].some((one) => one !== undefined);
  if (!isKnown) return 'The share of on-topic pages is not measured: relevance is the judgement of a model.';
  return `The share of on-topic pages is measured by ${corpora.length > 0 ? 'part' : 'topic'} only; see the corpus card.`;
}

export function limitationTexts(card: CorpusCard): string[] {
  const { crawl, records, damaged, reservations } = card;
  const reserved = Object.values(reservations.by).reduce((sum, pages) => sum + pages, 0);
  return [
    precisionText(card),
    'A focused crawl follows links from its seeds: it is not a random sample of the web.',
    `Stop reason of the crawl: ${crawl.stopReason}.`,
    ...(records.read > records.kept ? [`${records.read - records.kept} kept pages were omitted; left-out.jsonl has the reasons.`] : []),
    ...(damaged.records > 0 ? [`${damaged.records} pages are lost, since their stored data are damaged.`] : []),
    ...(reserved > 0 ? [`${reserved} pages reserve the rights to mine them; see the corpus card.`] : []),
  ];
}

/** Parquet files by their split, in the order of the files. */
export function parquetSplits(files: readonly CorpusFileFacts[]): ReadonlyMap<string, readonly string[]> {
  const splits = new Map<string, string[]>();
  for (const { name } of files) {
    const split = /^data\/(.+)-\d{5}-of-\d{5}\.parquet$/.exec(name)?.[1];
    if (split !== undefined) splits.set(split, [...(splits.get(split) ?? []), name]);
  }
  return splits;
}

/** Media types of the files of a harvest, by their endings (IANA registry where they are registered). */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  jsonl: 'application/jsonl',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  bib: 'application/x-bibtex',
  cff: 'application/yaml',
  'warc.gz': 'application/warc',
  txt: 'text/plain',
};

export function mediaTypeOf(name: string): string {
  const ending = Object.keys(MEDIA_TYPES).find((one) => name.endsWith(`.${one}`));
  return (ending && MEDIA_TYPES[ending]) ?? 'application/octet-stream';
}
