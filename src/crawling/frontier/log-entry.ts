/** One step of a frontier: the log of a crawl is made of them. A view of the crawl numbers URLs, hosts and discoveries in its own order, so an entry names them. */
import { InvariantError } from '../../base/core/errors.ts';
import type { CanonicalUrl, HostKey, RecordId, Revisit } from '../../base/core/types.ts';
import type { HostHealth } from './host-health.ts';
import { type PackedDiscovery, packDiscovery, StoredLinks } from './packed-discovery.ts';
import type { StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import { AS_FATE, AS_RETRY } from './stored-reasons.ts';

/** The names of a URL in the log. `host` is that of the URL. */
export interface UrlName {
  readonly host: HostKey;
  readonly url: CanonicalUrl;
}

/** One step. */
export type LogEntry =
  | { readonly kind: 'discovery'; readonly discovery: StoredDiscovery }
  | (UrlName & { readonly kind: 'fate'; readonly stored: StoredFate })
  | (UrlName & { readonly kind: 'retry'; readonly retry: StoredRetry })
  | (UrlName & { readonly kind: 'revisit'; readonly revisit: Revisit })
  | { readonly kind: 'health'; readonly host: HostKey; readonly health: HostHealth }
  /**
   * A page waits for another visit, unless it has another record by now: its record is lost with its corpus. null for a page that was off topic, and is now
   * an alternate of a kept page.
   */
  | (UrlName & { readonly kind: 'lost'; readonly record: RecordId | null })
  /** The user released a pattern: it concerns every partition. */
  | { readonly kind: 'unparking'; readonly unparking: Unparking }
  /** The URL waits as if it had never been requested. */
  | (UrlName & { readonly kind: 'unsettled' });

/** A step in its stored form. Fates and retries are bytes in themselves, as the reasons in them are texts there. The texts of a page are stored apart. */
export type PackedEntry =
  | readonly [kind: 'discovery', discovery: PackedDiscovery]
  | readonly [kind: 'fate' | 'retry', host: HostKey, url: CanonicalUrl, value: Uint8Array]
  | readonly [kind: 'revisit', host: HostKey, url: CanonicalUrl, revisit: Revisit]
  | readonly [kind: 'health', host: HostKey, health: HostHealth]
  | readonly [kind: 'lost', host: HostKey, url: CanonicalUrl, record: RecordId | null]
  | readonly [kind: 'unparking', unparking: Unparking]
  | readonly [kind: 'unsettled', host: HostKey, url: CanonicalUrl];

/** The stored form of a step, without the texts of its page. */
export function packEntry(entry: LogEntry): PackedEntry {
  switch (entry.kind) {
    case 'discovery':
      return ['discovery', packDiscovery(entry.discovery)];
    case 'fate':
      return ['fate', entry.host, entry.url, AS_FATE.encode(withoutPage(entry.stored))];
    case 'retry':
      return ['retry', entry.host, entry.url, AS_RETRY.encode(entry.retry)];
    case 'revisit':
      return ['revisit', entry.host, entry.url, entry.revisit];
    case 'health':
      return ['health', entry.host, entry.health];
    case 'lost':
      return ['lost', entry.host, entry.url, entry.record];
    case 'unparking':
      return ['unparking', entry.unparking];
    case 'unsettled':
      return ['unsettled', entry.host, entry.url];
  }
}

/** @throws Error of any kind for data that `packEntry` did not make; so may the links of a discovery */
export function unpackEntry(packed: PackedEntry): LogEntry {
  switch (packed[0]) {
    case 'discovery':
      return { kind: packed[0], discovery: new StoredLinks(packed[1]) };
    case 'fate':
      return { kind: 'fate', host: packed[1], url: packed[2], stored: AS_FATE.decode(packed[3]) };
    case 'retry':
      return { kind: 'retry', host: packed[1], url: packed[2], retry: AS_RETRY.decode(packed[3]) };
    case 'revisit':
      return { kind: packed[0], host: packed[1], url: packed[2], revisit: packed[3] };
    case 'health':
      return { kind: packed[0], host: packed[1], health: packed[2] };
    case 'lost':
      return { kind: packed[0], host: packed[1], url: packed[2], record: packed[3] };
    case 'unparking':
      return { kind: packed[0], unparking: packed[1] };
    case 'unsettled':
      return { kind: packed[0], host: packed[1], url: packed[2] };
    default:
      throw new InvariantError(`no step of this version is of kind ${String(packed[0])}`);
  }
}

/** The fate without title and text of its page. */
export function withoutPage(stored: StoredFate): StoredFate {
  return stored.fate.page === null ? stored : { ...stored, fate: { ...stored.fate, page: null } };
}
