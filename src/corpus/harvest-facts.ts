import type { CorpusRecord, EpochMs, Unit } from '../core/types.ts';
import type { HarvestFacts } from './corpus-card.ts';
import { declaredDay } from './declared-date.ts';

/** Counts what a harvest keeps, one page at a time. */
export class HarvestCounts {
  readonly #hosts = new Map<string, number>();
  readonly #languages = new Map<string, number>();
  readonly #licences = new Map<string, number>();
  readonly #topics = new Map<string, number>();
  readonly #fields = new Map<string, number>();
  readonly #relevances: Unit[] = [];
  #fetched: { first: EpochMs; last: EpochMs } | null = null;
  #published: { first: EpochMs; last: EpochMs; pages: number } | null = null;

  add(record: CorpusRecord, language: string): void {
    count(this.#hosts, new URL(record.url).host);
    count(this.#languages, language);
    for (const licence of record.metadata.licences) count(this.#licences, licence);
    for (const field of Object.keys(record.fields)) count(this.#fields, field);
    for (const { name, onTopic } of record.topics ?? []) if (onTopic) count(this.#topics, name);
    this.#relevances.push(record.relevance);
    this.#fetched = widened(this.#fetched, record.fetchedAt);
    const day = record.metadata.published === null ? null : declaredDay(record.metadata.published, record.fetchedAt);
    if (day !== null) this.#published = { ...widened(this.#published, day), pages: (this.#published?.pages ?? 0) + 1 };
  }

  facts(): Pick<HarvestFacts, 'hosts' | 'languages' | 'fetched' | 'published' | 'licences' | 'topics' | 'fields' | 'relevanceDeciles'> {
    return {
      hosts: this.#hosts,
      languages: this.#languages,
      fetched: this.#fetched,
      published: this.#published,
      licences: this.#licences,
      topics: this.#topics,
      fields: this.#fields,
      relevanceDeciles: deciles(this.#relevances),
    };
  }
}

/** Minimum, nine deciles (nearest rank) and maximum, shape [11]; [] of nothing. */
export function deciles(values: readonly Unit[]): Unit[] {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return [];
  return Array.from({ length: 11 }, (_, tenth) => sorted[Math.round((tenth / 10) * (sorted.length - 1))] ?? 0);
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function widened(range: { readonly first: EpochMs; readonly last: EpochMs } | null, at: EpochMs): { first: EpochMs; last: EpochMs } {
  return range === null ? { first: at, last: at } : { first: Math.min(range.first, at), last: Math.max(range.last, at) };
}
