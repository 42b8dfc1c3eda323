import type { CanonicalUrl, Fate, LinkText, RecordId, Unit } from '../../base/core/types.ts';
import { LmdbStore } from './lmdb-store.ts';
import { bitsOfTopics, linkScores, type TopicRejudgements } from './rejudgement.ts';
import type { FrontierStore, StoredDiscovery } from './store.ts';
import { type Slot, UrlTable } from './url-table.ts';

/** The judgement of a page: with several topics, also the relevance to each; and whether it is of a wanted subtopic. */
export type RejudgedPage = Pick<Fate, 'relevances' | 'wanted'> & { readonly relevance: Unit };

/** A model other than the one that judged the pages of a frontier. */
export interface Rejudge {
  readonly modelId: string;
  readonly threshold: Unit;
  /** The model whose rejudgement is active now. That rejudgement stays until the frontier is opened with another model. null for none. */
  readonly active: string | null;
  /** Judgements of the pages in the corpus whose text is there. */
  readonly kept: ReadonlyMap<RecordId, RejudgedPage>;
  /** Judgements of the pages in the corpus by digest of the payload, for duplicates: a page may have several versions. */
  readonly payloads: ReadonlyMap<string, RejudgedPage>;
  /** Judgement of a page that is not in the corpus. */
  readonly judge: (page: NonNullable<Fate['page']>, url: CanonicalUrl) => RejudgedPage;
  /**
   * The number of several topics, and the topics that a page was kept for before (see `Fate`); null for a page that was not kept. Absent
   * for one topic.
   */
  readonly topics?: { readonly count: number; readonly keptFor: (url: CanonicalUrl) => readonly boolean[] | null };
  /** Scores of the words of a link, if they were judged before; null for the rest. */
  readonly scoresOf: (text: LinkText) => Pick<LinkText, 'anchorScore' | 'contextScore'>;
}

/**
 * Lets another model judge everything that a frontier in an LMDB directory has read: the relevance of each page and the words of each link. The
 * result is stored in addition to the existing data. It becomes active when the frontier is opened with the model's name. A duplicate gets the
 * relevance of its original, an alternate that of its kept page. Pages that asked not to be stored keep their relevance. No other process or frontier may use the directory meanwhile.
 * O(judged pages + links); judging the words of the links takes most of the time.
 * @returns how many URLs are settled: the model itself judges those that are settled later
 * @throws StoreError
 */
export async function rejudgeFrontier(path: string, rejudge: Rejudge): Promise<number> {
  const store = LmdbStore.open(path, null, null);
  try {
    const { urls, names } = urlsOf(store);
    const { relevances: pages, topics, wanted } = relevancesOf(store, urls, names, rejudge);
    let settled = 0;
    for (const [, { order }] of store.fates()) settled = Math.max(settled, order);
    const { modelId, active, threshold } = rejudge;
    const links = scores(store, urls, pages, rejudge.scoresOf);
    await store.putRejudgement({ modelId, active, head: { threshold, settled }, pages, links, topics, wanted });
    return settled;
  } finally {
    await store.close();
  }
}

/** The slots of a frontier, numbered as the frontier does: in order of discovery. */
function urlsOf(store: FrontierStore): { readonly urls: UrlTable; readonly names: readonly CanonicalUrl[] } {
  const urls = new UrlTable();
  const names: CanonicalUrl[] = [];
  for (const [, { links }] of store.discoveries()) for (const { url } of links) if (urls.claim(url).isNew) names.push(url);
  return { urls, names };
}

/** The judgements of all slots. */
interface Rejudged {
  readonly relevances: Float64Array;
  /** null for one topic. */
  readonly topics: TopicRejudgements | null;
  /** null without a page of a wanted subtopic. */
  readonly wanted: Float64Array | null;
}

function relevancesOf(store: FrontierStore, urls: UrlTable, names: readonly CanonicalUrl[], rejudge: Rejudge): Rejudged {
  const pages = new JudgedSlots(urls.size, rejudge.topics?.count ?? 0);
  const copies: (readonly [Slot, original: Slot])[] = [];
  for (const [slot, { fate }] of store.fates()) {
    // A hook's relevance stands.
    if (fate.relevance === null || fate.hooked?.modelRelevance !== undefined) continue;
    const page = fate.recordId === null ? store.page(slot) : null;
    if (typeof fate.reason === 'object' && fate.reason.kind === 'alternate') copies.push([slot, urls.find(fate.reason.of)]);
    else if (fate.recordId !== null) pages.put(slot, rejudge.kept.get(store.revisit(slot)?.version?.recordId ?? fate.recordId));
    else if (page !== null) pages.put(slot, rejudge.judge(page, names[slot] as CanonicalUrl));
    else if (fate.state !== 'duplicate') continue;
    else if (fate.payloadSha256 !== null) pages.put(slot, rejudge.payloads.get(fate.payloadSha256));
    else if (typeof fate.reason === 'object' && fate.reason.kind === 'copy') copies.push([slot, urls.find(fate.reason.of)]);
  }
  for (const [slot, original] of copies) pages.copy(slot, original);
  return {
    relevances: pages.relevances,
    topics: rejudge.topics ? { relevances: pages.topics, keptFor: keptForOf(names, rejudge.topics) } : null,
    wanted: pages.wanted.includes(1) ? pages.wanted : null,
  };
}

function keptForOf(names: readonly CanonicalUrl[], { keptFor }: NonNullable<Rejudge['topics']>): Float64Array {
  return Float64Array.from(names, (url) => {
    const topics = keptFor(url);
    return topics === null ? Number.NaN : bitsOfTopics(topics);
  });
}

/** Relevances by slot, NaN without a judgement. */
class JudgedSlots {
  readonly relevances: Float64Array;
  /** Relevances to each of several topics, by slot. */
  readonly topics: readonly Float64Array[];
  /** 1 for a page of a wanted subtopic. */
  readonly wanted: Float64Array;

  constructor(slots: number, topics: number) {
    this.relevances = new Float64Array(slots).fill(Number.NaN);
    this.wanted = new Float64Array(slots);
    this.topics = Array.from({ length: topics }, () => new Float64Array(slots).fill(Number.NaN));
  }

  put(slot: Slot, judged: RejudgedPage | undefined): void {
    this.relevances[slot] = judged?.relevance ?? Number.NaN;
    this.wanted[slot] = judged?.wanted ? 1 : 0;
    for (const [i, ofTopic] of this.topics.entries()) ofTopic[slot] = judged?.relevances?.[i] ?? Number.NaN;
  }

  copy(slot: Slot, original: Slot): void {
    for (const one of [this.relevances, this.wanted, ...this.topics]) one[slot] = one[original] ?? Number.NaN;
  }
}

function* scores(
  store: FrontierStore,
  urls: UrlTable,
  pages: Float64Array,
  scoresOf: Rejudge['scoresOf'],
): Generator<readonly [number, Float64Array]> {
  for (const [index, discovery] of store.discoveries()) yield [index, linkScores(discovery, referrerOf(discovery, urls, pages), scoresOf)];
}

function referrerOf({ referrer }: StoredDiscovery, urls: UrlTable, pages: Float64Array): Unit | null {
  const relevance = referrer === null ? undefined : pages[urls.find(referrer.url)];
  return relevance === undefined || Number.isNaN(relevance) ? null : relevance;
}
