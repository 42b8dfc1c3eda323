/** A later topic model's judgements of pages and links that were judged before. They are kept in addition to the stored data, which stay unchanged. */

import { StoreError } from '../../base/core/errors.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Fate, LinkText, Revisit, Unit } from '../../base/core/types.ts';
import type { CheckedTable } from './checked-table.ts';
import type { StoredDiscovery, StoredFate } from './store.ts';
import type { Slot } from './url-table.ts';

/**
 * Keys of a model: its head, the relevances of all slots, and for each discovery the scores of its links. With several topics also the
 * relevances of all slots to each topic, and the topics that a kept page was kept for (see `KeptFor`). With a wish for more of a subtopic, 1 for each page
 * of it.
 */
export type RejudgementKey = [modelId: string, part: 'head' | 'pages' | 'links' | 'topics' | 'kept-for' | 'wanted', index: number];
export type RejudgementTable = CheckedTable<Uint8Array, RejudgementKey>;

export interface RejudgementHead {
  /** The relevance from which a page is on topic. */
  readonly threshold: Unit;
  /** URLs that were settled when it was made: the model itself judged those settled later. */
  readonly settled: number;
}

/** The judgements of several topics, by slot. */
export interface TopicRejudgements {
  /** Relevances to each topic; NaN without a judgement. */
  readonly relevances: readonly Float64Array[];
  /** Topics that a page was kept for before any later model: the sum of 2^i for each topic i; NaN for a page that was not kept. */
  readonly keptFor: Float64Array;
}

/** The active rejudgement. */
export class Rejudgement {
  readonly #modelId: string;
  readonly #table: RejudgementTable;
  readonly #head: RejudgementHead;
  /** NaN without a judgement. */
  readonly #relevances: Float64Array;
  /** null for one topic. */
  readonly #topics: TopicRejudgements | null;
  /** 1 for a page of a wanted subtopic; null without a wish. */
  readonly #wanted: Float64Array | null;

  private constructor(
    modelId: string,
    table: RejudgementTable,
    head: RejudgementHead,
    relevances: Float64Array,
    topics: TopicRejudgements | null,
    wanted: Float64Array | null,
  ) {
    this.#modelId = modelId;
    this.#table = table;
    this.#head = head;
    this.#relevances = relevances;
    this.#topics = topics;
    this.#wanted = wanted;
  }

  /** @throws StoreError if the table has none of this model */
  static load(table: RejudgementTable, modelId: string, path: string): Rejudgement {
    const head = table.get([modelId, 'head', 0]);
    const pages = table.get([modelId, 'pages', 0]);
    if (head !== undefined && pages !== undefined)
      return new Rejudgement(
        modelId,
        table,
        JSON.parse(Buffer.from(head).toString('utf8')) as RejudgementHead,
        numbersOf(pages),
        topicsIn(table, modelId),
        wantedIn(table, modelId),
      );
    throw new StoreError(
      'STORE_CORRUPT',
      `${path}: has no judgements of model ${modelId}; restore it from a copy of the same time as crawl.json`,
    );
  }

  /** The model's relevance of a page that it did not judge at settlement; null for other pages. */
  relevance(slot: Slot): Unit | null {
    const relevance = this.#relevances[slot];
    return relevance === undefined || Number.isNaN(relevance) ? null : relevance;
  }

  /** The fate, with the model's relevance of the page. */
  fate(slot: Slot, stored: StoredFate): StoredFate {
    const relevance = stored.order > this.#head.settled ? null : this.relevance(slot);
    if (relevance === null) return stored;
    const { wanted: _, ...fate } = stored.fate;
    return { ...stored, fate: { ...fate, relevance, ...this.#ofTopics(slot), ...(this.#wanted?.[slot] === 1 && { wanted: true }) } };
  }

  /** The revisit, with the model's relevance of the newest version if the model did not judge that version on arrival. */
  revisit(slot: Slot, revisit: Revisit): Revisit {
    const { version } = revisit;
    const relevance = version === null || version.modelId === this.#modelId ? null : this.relevance(slot);
    if (version === null || relevance === null) return revisit;
    const { relevances } = this.#ofTopics(slot);
    return { ...revisit, version: { ...version, relevance, ...(relevances && { relevances }) } };
  }

  /** Empty for one topic. */
  #ofTopics(slot: Slot): Pick<Fate, 'relevances' | 'keptFor'> {
    if (this.#topics === null) return {};
    const relevances = this.#topics.relevances.map((ofTopic) => ofTopic[slot] ?? Number.NaN);
    const bits = this.#topics.keptFor[slot] ?? Number.NaN;
    return { relevances, ...(!Number.isNaN(bits) && { keptFor: topicsOfBits(bits, relevances.length) }) };
  }

  /** Does the model find the page on topic? */
  accepts(slot: Slot): boolean {
    return isOnTopic(this.#relevances[slot], this.#head.threshold);
  }

  /** Is an accepted page missing from the corpus? Its bytes are not stored, so it must be fetched again. */
  reopens(slot: Slot, { fate, order }: StoredFate): boolean {
    return fate.state === 'off-topic' && order <= this.#head.settled && this.accepts(slot);
  }

  /** The discovery, with the model's relevance of the referrer and its scores of the links. */
  discovery(index: number, stored: StoredDiscovery): StoredDiscovery {
    const bytes = this.#table.get([this.#modelId, 'links', index]);
    if (bytes === undefined) return stored;
    const scores = numbersOf(bytes);
    const of = (at: number, was: Unit | null) => (Number.isNaN(scores[at] ?? Number.NaN) ? was : (scores[at] ?? was));
    const referrer = stored.referrer && { ...stored.referrer, relevance: of(0, stored.referrer.relevance) ?? 0 };
    const links = stored.links.map((link, i) => {
      const { anchorScore, contextScore } = link.text;
      return { ...link, text: { ...link.text, anchorScore: of(2 * i + 1, anchorScore), contextScore: of(2 * i + 2, contextScore) } };
    });
    return { ...stored, referrer, links };
  }
}

/** The value of a `links` key: the referrer's relevance, then anchor score and context score of each link; NaN without a judgement. */
export function linkScores(
  discovery: StoredDiscovery,
  referrer: Unit | null,
  scoresOf: (text: LinkText) => Pick<LinkText, 'anchorScore' | 'contextScore'>,
): Float64Array {
  const scores = new Float64Array(1 + 2 * discovery.links.length);
  scores[0] = referrer ?? Number.NaN;
  for (const [i, { text }] of discovery.links.entries()) {
    const { anchorScore, contextScore } = scoresOf(text);
    scores[2 * i + 1] = anchorScore ?? Number.NaN;
    scores[2 * i + 2] = contextScore ?? Number.NaN;
  }
  return scores;
}

/** @returns null for one topic */
function topicsIn(table: RejudgementTable, modelId: string): TopicRejudgements | null {
  const kept = table.get([modelId, 'kept-for', 0]);
  if (kept === undefined) return null;
  const relevances: Float64Array[] = [];
  for (let bytes = table.get([modelId, 'topics', 0]); bytes !== undefined; bytes = table.get([modelId, 'topics', relevances.length]))
    relevances.push(numbersOf(bytes));
  return { relevances, keptFor: numbersOf(kept) };
}

/** @returns null without a wish for more of a subtopic */
function wantedIn(table: RejudgementTable, modelId: string): Float64Array | null {
  const wanted = table.get([modelId, 'wanted', 0]);
  return wanted === undefined ? null : numbersOf(wanted);
}

/** The value of `TopicRejudgements.keptFor`: a crawl has at most 20 topics. */
export function bitsOfTopics(keptFor: readonly boolean[]): number {
  return keptFor.reduce((bits, isKept, i) => bits + (isKept ? 2 ** i : 0), 0);
}

function topicsOfBits(bits: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, i) => Math.floor(bits / 2 ** i) % 2 === 1);
}

export function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** A copy, because memory from LMDB can start at any address. */
function numbersOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(Uint8Array.from(bytes).buffer);
}
