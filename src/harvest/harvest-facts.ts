import { grown } from '../core/columns.ts';
import type { CorpusRecord, EpochMs, HostKey, Unit } from '../core/types.ts';
import type { ReservationFiles } from '../corpus/reservation-files.ts';
import { countText, type TextCounts } from '../text/word-counts.ts';
import { hostKeyOf } from '../web/url.ts';
import type { HarvestFacts } from './corpus-card.ts';
import { declaredDay } from './declared-date.ts';
import { primarySubtag } from './filters/page-languages.ts';
import type { HarvestedPage } from './harvested-page.ts';

/** Counts the pages that a harvest keeps, one at a time. */
export class HarvestCounts {
  readonly #hosts = new Map<string, number>();
  readonly #languages = new Map<string, number>();
  readonly #textsByHost = new Map<string, TextCounts>();
  readonly #textsByLanguage = new Map<string, TextCounts>();
  readonly #licences = new Map<string, number>();
  readonly #topics = new Map<string, number>();
  readonly #fields = new Map<string, number>();
  #relevances = new Float64Array(0);
  #pages = 0;
  #fetched: { first: EpochMs; last: EpochMs } | null = null;
  #published: { first: EpochMs; last: EpochMs; pages: number } | null = null;

  add(record: HarvestedPage): void {
    const { host } = new URL(record.url);
    const language = primarySubtag(record.lang);
    const text = countText(record.text);
    count(this.#hosts, host);
    count(this.#languages, language);
    addText(this.#textsByHost, host, text);
    addText(this.#textsByLanguage, language, text);
    for (const licence of record.metadata.licences) count(this.#licences, licence);
    for (const field of Object.keys(record.fields)) count(this.#fields, field);
    for (const { name, onTopic } of record.topics ?? []) if (onTopic) count(this.#topics, name);
    this.#relevances = grown(this.#relevances, this.#pages + 1, Float64Array);
    this.#relevances[this.#pages++] = record.relevance;
    const fetchedAt = Date.parse(record.fetchedAt);
    this.#fetched = widened(this.#fetched, fetchedAt);
    const day = record.metadata.published === null ? null : declaredDay(record.metadata.published, fetchedAt);
    if (day !== null) this.#published = { ...widened(this.#published, day), pages: (this.#published?.pages ?? 0) + 1 };
  }

  facts(): Pick<
    HarvestFacts,
    'hosts' | 'languages' | 'texts' | 'fetched' | 'published' | 'licences' | 'topics' | 'fields' | 'relevanceDeciles'
  > {
    return {
      hosts: this.#hosts,
      languages: this.#languages,
      texts: { languages: this.#textsByLanguage, hosts: this.#textsByHost },
      fetched: this.#fetched,
      published: this.#published,
      licences: this.#licences,
      topics: this.#topics,
      fields: this.#fields,
      relevanceDeciles: deciles(this.#relevances.subarray(0, this.#pages)),
    };
  }
}

/** Counts the reservations of pages. */
export class ReservationCounts {
  readonly #files: Pick<ReservationFiles, 'knows'>;
  readonly #by = new Map<string, number>();
  readonly #policies = new Map<string, number>();
  readonly #unknown = new Map<HostKey, number>();

  /** @param files the reservations files of the hosts */
  constructor(files: Pick<ReservationFiles, 'knows'>) {
    this.#files = files;
  }

  /** @returns whether the rights to mine the page are reserved */
  add({ url, reservation }: CorpusRecord): boolean {
    // A page with its own declaration needs no lookup.
    if (!reservation && !this.#files.knows(url)) this.#unknown.set(hostKeyOf(url), (this.#unknown.get(hostKeyOf(url)) ?? 0) + 1);
    if (!reservation?.reserved) return false;
    count(this.#by, reservation.by);
    if (reservation.policy !== null) count(this.#policies, reservation.policy);
    return true;
  }

  facts(): HarvestFacts['reservations'] {
    const pages = [...this.#unknown.values()].reduce((sum, n) => sum + n, 0);
    return { by: this.#by, policies: this.#policies, notAsked: { hosts: this.#unknown.size, pages } };
  }
}

/** Minimum, nine deciles (nearest rank) and maximum, shape [11]; [] without values. */
export function deciles(values: ArrayLike<Unit>): Unit[] {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return [];
  return Array.from({ length: 11 }, (_, tenth) => sorted[Math.round((tenth / 10) * (sorted.length - 1))] ?? 0);
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
