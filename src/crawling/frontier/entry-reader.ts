import { InvariantError } from '../../base/core/errors.ts';
import { givenUpAt } from '../../base/core/failure-policy.ts';
import type { Standing } from '../../base/core/parts/queueing.ts';
import { type Reason, reasonText } from '../../base/core/reason.ts';
import {
  type CanonicalUrl,
  type DiscoveredLink,
  type Fate,
  type FrontierEntry,
  type KeptVersion,
  type LedgerLine,
  REOPENED,
  type RecordId,
  type TextPrint,
  type Unit,
} from '../../base/core/types.ts';
import { linkAt } from './packed-discovery.ts';
import type { FrontierStore, StoredDiscovery, StoredFate, StoredRetry } from './store.ts';
import type { FoundUrl } from './trap-guard.ts';
import type { Slot, UrlTable } from './url-table.ts';

/** Discovered URLs as other code sees them: combined from the columns and the store. */
export class EntryReader {
  readonly #urls: UrlTable;
  readonly #store: FrontierStore;

  constructor(urls: UrlTable, store: FrontierStore) {
    this.#urls = urls;
    this.#store = store;
  }

  entry(slot: Slot): FrontierEntry {
    const { discovery, link } = this.#edgeOf(slot);
    const learnedFrom = this.#urls.learnedFromOf(slot);
    return {
      url: link.url,
      task: link.task,
      host: link.host,
      priority: this.#urls.priorityOf(slot),
      depth: this.#urls.depthOf(slot),
      offTopicDepth: this.#urls.offTopicDepthOf(slot),
      edge: discovery.referrer && { referrer: discovery.referrer, link: link.text, learnedFrom },
      attempts: this.#urls.attemptsOf(slot),
      redirects: discovery.redirects,
    };
  }

  /** A URL and the page of its edge. Unlike `entry`, it unpacks no links. */
  found(slot: Slot, url: CanonicalUrl): FoundUrl {
    const referrer = this.#store.referrer(this.#urls.discoveryOf(slot));
    return { url, edge: referrer === null ? null : { referrer: { url: referrer } } };
  }

  /** The priority of a URL by its link, as rescored. That of a reopened page differs. */
  linkPriority(slot: Slot): Unit {
    const rescored = this.#store.priorities(this.#urls.discoveryOf(slot))?.priorities[this.#urls.positionOf(slot)] ?? Number.NaN;
    return Number.isNaN(rescored) ? this.#edgeOf(slot).link.priority : rescored;
  }

  #edgeOf(slot: Slot): { readonly discovery: StoredDiscovery; readonly link: DiscoveredLink } {
    const discovery = this.#store.discovery(this.#urls.discoveryOf(slot));
    const link = linkAt(discovery, this.#urls.positionOf(slot));
    if (!link) throw new InvariantError(`frontier: URL ${slot} is not where its discovery says`);
    return { discovery, link };
  }

  /** The entry of a settled URL at the time of its lease; of any other URL, the current entry. */
  asLeased(slot: Slot, stored: StoredFate | null): FrontierEntry {
    const entry = this.entry(slot);
    if (!stored) return entry;
    const edge = entry.edge && { ...entry.edge, learnedFrom: stored.learnedFrom };
    return {
      ...entry,
      priority: stored.priority,
      edge,
      ...(stored.explored && { explored: true }),
      ...(stored.warmUp && { warmUp: true }),
    };
  }

  /** The newest version of a page in the corpus; null for a page that is not in the corpus. */
  kept(slot: Slot): KeptVersion | null {
    const version = this.#store.revisit(slot)?.version;
    if (version) return versionOf(version.recordId, version.payloadSha256, version.print);
    const { recordId = null, payloadSha256 = null, simhash, lines } = this.#store.fate(slot)?.fate ?? {};
    if (recordId === null || payloadSha256 === null) return null;
    return versionOf(recordId, payloadSha256, simhash && lines !== undefined ? { simhash, lines } : undefined);
  }

  /** The outcome of a URL; null for a URL that waits, was reopened or was never visited. */
  ended(slot: Slot): StoredFate | null {
    return this.#store.reopened(slot) === null ? this.#store.fate(slot) : null;
  }

  /** A URL with its place in the order of settlement; null for a URL that is not settled or was reopened. */
  settledAt(url: CanonicalUrl): { readonly entry: FoundUrl; readonly order: number } | null {
    const slot = this.#urls.find(url);
    const stored = slot < 0 ? null : this.ended(slot);
    return stored && { entry: this.found(slot, url), order: stored.order };
  }

  /**
   * Settled URLs with their fates, in order of settlement, without reopened URLs that wait.
   * @param upTo last place in that order: another process may have settled more since this one opened the store
   */
  *settled(
    upTo = Number.POSITIVE_INFINITY,
  ): Generator<{ readonly entry: FrontierEntry; readonly stored: StoredFate; readonly slot: Slot }> {
    const inOrder = [...this.#store.fates()]
      .filter(([slot, { order }]) => order <= upTo && this.#store.reopened(slot) === null)
      .sort(([, a], [, b]) => a.order - b.order);
    for (const [slot, stored] of inOrder) yield { entry: this.asLeased(slot, stored), stored, slot };
  }

  /** The state of a URL. The store has at most the last failure of a waiting URL, and nothing of a URL that was never requested. */
  standing(slot: Slot): Standing {
    const fate = this.ended(slot)?.fate;
    const reason = fate?.reason ?? this.#urls.refusal(slot) ?? '';
    return { state: this.#urls.state(slot), reason, status: fate?.status ?? null, reopened: this.reopened(slot) };
  }

  /** The earlier judgement of a page that waits to be read again. */
  #judgedBefore(slot: Slot): Pick<Fate, 'relevance' | 'relevances'> | null {
    return this.#store.fate(slot)?.fate ?? null;
  }

  /** Was it read and not kept, and then found on topic by a later model? */
  reopened(slot: Slot): boolean {
    return this.#store.reopened(slot) !== null || this.#store.fate(slot)?.reopened === true;
  }

  /**
   * @param whyParked why a waiting URL may not be requested; null if it may
   * @param placeOf the place of a visit among all visits; null for anything else
   */
  line(
    slot: Slot,
    whyParked: (slot: Slot, entry: FrontierEntry) => string | null,
    placeOf: (slot: Slot, stored: StoredFate | null) => number | null,
  ): LedgerLine {
    const stored = this.ended(slot);
    const entry = this.asLeased(slot, stored);
    const state = this.#urls.state(slot);
    const parked = state === 'waiting' ? whyParked(slot, entry) : null;
    const retry = state === 'waiting' && this.#urls.attemptsOf(slot) > 0 ? this.#store.retry(slot) : null;
    const revisit = state === 'kept' ? this.#store.revisit(slot) : null;
    const reopened = this.#store.reopened(slot);
    const judged = revisit?.version ?? stored?.fate ?? (reopened === null ? null : this.#judgedBefore(slot));
    const keptFor = state === 'kept' ? stored?.fate.keptFor : undefined;
    return {
      url: entry.url,
      state: parked === null ? state : 'parked',
      reason: parked ?? (stored && reasonText(stored.fate.reason)) ?? this.#urls.refusal(slot) ?? (reopened === null ? '' : REOPENED),
      order: placeOf(slot, stored),
      depth: entry.depth,
      priority: entry.priority,
      relevance: judged?.relevance ?? reopened,
      ...(judged?.relevances && { relevances: judged.relevances }),
      ...(keptFor && { keptFor }),
      ...(stored?.fate.hooked && { hooked: stored.fate.hooked }),
      ...(stored?.fate.rendered && { rendered: stored.fate.rendered }),
      ...(stored?.fate.simhash && { simhash: stored.fate.simhash }),
      referrer: entry.edge?.referrer.url ?? null,
      anchorText: entry.edge?.link.anchorText ?? '',
      status: stored?.fate.status ?? null,
      fetchedAt: stored?.fate.fetchedAt ?? null,
      ...(retry?.reason !== undefined && { retry: retryIn(retry, retry.reason) }),
      ...(revisit && { revisit }),
    };
  }
}

function versionOf(recordId: RecordId, payloadSha256: string, print: TextPrint | undefined): KeptVersion {
  return { recordId, payloadSha256, ...(print && { print }) };
}

function retryIn({ attempts, notBefore, pause = 0 }: StoredRetry, reason: Reason): NonNullable<LedgerLine['retry']> {
  return { reason: reasonText(reason), attempts, notBefore, givenUp: givenUpAt({ reason, attempts, notBefore, pause }) };
}
