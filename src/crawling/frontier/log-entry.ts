/**
 * The steps of a frontier as a log keeps them for other views of the same crawl. A view numbers URLs, hosts and discoveries in its own order, so an
 * entry names them. The entries of one commit are split by partition: a partition's log has all that concerns its hosts, and nothing else.
 */
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import type { CanonicalUrl, DiscoveredLink, Discovery, HostKey, RecordId, Revisit, Unit } from '../../base/core/types.ts';
import type { HostHealth } from './host-health.ts';
import { type PackedDiscovery, packDiscovery, unpackDiscovery } from './packed-discovery.ts';
import type { StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import { AS_FATE, AS_RETRY } from './stored-reasons.ts';
import { BROTLI, packTexts, unpackTexts } from './stored-texts.ts';

/** One step. `host` is that of the URL. */
export type LogEntry =
  | { readonly kind: 'discovery'; readonly discovery: StoredDiscovery }
  | { readonly kind: 'fate'; readonly host: HostKey; readonly url: CanonicalUrl; readonly stored: StoredFate }
  | { readonly kind: 'retry'; readonly host: HostKey; readonly url: CanonicalUrl; readonly retry: StoredRetry }
  | { readonly kind: 'revisit'; readonly host: HostKey; readonly url: CanonicalUrl; readonly revisit: Revisit }
  | { readonly kind: 'health'; readonly host: HostKey; readonly health: HostHealth }
  /** The record of a kept page is lost with its corpus: the page waits for another visit, unless it has another record by now. */
  | { readonly kind: 'lost'; readonly host: HostKey; readonly url: CanonicalUrl; readonly record: RecordId }
  /** The user released a pattern: it concerns every partition. */
  | { readonly kind: 'unparking'; readonly unparking: Unparking };

/** The steps of one commit that concern one partition. */
export interface LogRow {
  readonly partition: number;
  /** The entries, packed and compressed. */
  readonly body: Uint8Array;
  /** Titles and texts of judged pages, compressed. They are most of the bytes and seldom read. null without any. */
  readonly texts: Uint8Array | null;
}

/** Links for a partition of another worker, packed and compressed: discoveries, each with its links to hosts of that partition. */
export interface PassedOn {
  readonly partition: number;
  readonly body: Uint8Array;
  /** The highest priority of one of them; null if all are refused. */
  readonly best: Unit | null;
}

/** The partition of a host: an integer from 0. */
export type PartitionOf = (host: HostKey) => number;

/** An entry in a row: its place among the entries of its commit, and for a part of a discovery the places of its links in the whole. */
type PackedEntry =
  | readonly [at: number, kind: 'discovery', whole: PackedDiscovery, places: readonly number[] | null]
  | readonly [at: number, kind: 'fate' | 'retry', host: HostKey, url: CanonicalUrl, value: Uint8Array]
  | readonly [at: number, kind: 'revisit', host: HostKey, url: CanonicalUrl, revisit: Revisit]
  | readonly [at: number, kind: 'health', host: HostKey, health: HostHealth]
  | readonly [at: number, kind: 'lost', host: HostKey, url: CanonicalUrl, record: RecordId]
  | readonly [at: number, kind: 'unparking', unparking: Unparking];

interface OpenRow {
  readonly entries: PackedEntry[];
  readonly texts: (readonly [at: number, packed: Uint8Array])[];
}

const packr = new Packr({});

/**
 * The rows of one commit, one for each partition that it concerns.
 * @param held the partitions whose logs get the steps that concern all of them
 */
export function logRowsOf(entries: readonly LogEntry[], partitionOf: PartitionOf, held: Iterable<number>): LogRow[] {
  const rows = new Map<number, OpenRow>();
  const rowOf = (partition: number) => {
    const found = rows.get(partition) ?? { entries: [], texts: [] };
    rows.set(partition, found);
    return found;
  };
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'discovery')
      for (const [partition, part, places] of splitByPartition(entry.discovery, partitionOf))
        rowOf(partition).entries.push([at, 'discovery', packDiscovery(part), places]);
    else if (entry.kind === 'unparking') for (const partition of held) rowOf(partition).entries.push([at, 'unparking', entry.unparking]);
    else addTo(rowOf(partitionOf(entry.host)), at, entry);
  }
  return [...rows].map(([partition, row]) => ({
    partition,
    body: compressed(row.entries),
    texts: row.texts.length === 0 ? null : packr.pack(row.texts),
  }));
}

function addTo({ entries, texts }: OpenRow, at: number, entry: Exclude<LogEntry, { kind: 'discovery' | 'unparking' }>): void {
  if (entry.kind === 'fate') {
    const { page } = entry.stored.fate;
    if (page) texts.push([at, packTexts(page)]);
    const stored = page ? { ...entry.stored, fate: { ...entry.stored.fate, page: null } } : entry.stored;
    entries.push([at, 'fate', entry.host, entry.url, AS_FATE.encode(stored)]);
  } else if (entry.kind === 'retry') entries.push([at, 'retry', entry.host, entry.url, AS_RETRY.encode(entry.retry)]);
  else if (entry.kind === 'revisit') entries.push([at, 'revisit', entry.host, entry.url, entry.revisit]);
  else if (entry.kind === 'lost') entries.push([at, 'lost', entry.host, entry.url, entry.record]);
  else entries.push([at, 'health', entry.host, entry.health]);
}

/**
 * The entries of one commit in their order, from its rows in the logs of some partitions. Parts of a discovery are joined.
 * @throws Error of any kind for rows that `rowsOf` did not make
 */
export function entriesIn(rows: readonly Pick<LogRow, 'body' | 'texts'>[]): LogEntry[] {
  const texts = new Map(rows.flatMap((row) => (row.texts === null ? [] : (packr.unpack(row.texts) as OpenRow['texts']))));
  const packed = rows.flatMap(({ body }) => decompressed(body) as PackedEntry[]).sort(([a], [b]) => a - b);
  const entries: LogEntry[] = [];
  for (let i = 0; i < packed.length; ) {
    const first = packed[i] as PackedEntry;
    let end = i + 1;
    while (packed[end]?.[0] === first[0]) end += 1;
    const parts = packed.slice(i, end);
    entries.push(entryOf(first, parts, texts.get(first[0])));
    i = end;
  }
  return entries;
}

function entryOf(first: PackedEntry, parts: readonly PackedEntry[], texts: Uint8Array | undefined): LogEntry {
  switch (first[1]) {
    case 'discovery':
      return { kind: 'discovery', discovery: joined(parts.filter((part): part is typeof first => part[1] === 'discovery')) };
    case 'fate': {
      const [, kind, host, url, value] = first;
      const stored = AS_FATE.decode(value as Uint8Array);
      const page = texts === undefined ? null : unpackTexts(texts, true);
      return { kind: kind as 'fate', host, url, stored: page ? { ...stored, fate: { ...stored.fate, page } } : stored };
    }
    case 'retry': {
      const [, , host, url, value] = first;
      return { kind: 'retry', host, url, retry: AS_RETRY.decode(value as Uint8Array) };
    }
    case 'revisit': {
      const [, kind, host, url, revisit] = first;
      return { kind, host, url, revisit };
    }
    case 'health': {
      const [, kind, host, health] = first;
      return { kind, host, health };
    }
    case 'lost': {
      const [, kind, host, url, record] = first;
      return { kind, host, url, record };
    }
    case 'unparking': {
      const [, kind, unparking] = first;
      return { kind, unparking };
    }
  }
}

/** A discovery by the partitions of its links. `places` is null where one partition has all of them. */
function splitByPartition(
  discovery: StoredDiscovery,
  partitionOf: PartitionOf,
): (readonly [partition: number, part: StoredDiscovery, places: readonly number[] | null])[] {
  const byPartition = placesByPartition(discovery.links, partitionOf);
  const [only] = byPartition.keys();
  if (byPartition.size === 1 && only !== undefined) return [[only, discovery, null]];
  const shorter = new Set(discovery.shorterWayOnly);
  return [...byPartition].map(([partition, places]) => {
    const links = places.map((place) => discovery.links[place] as DiscoveredLink);
    const shorterWayOnly = places.flatMap((place, i) => (shorter.has(place) ? [i] : []));
    return [partition, { ...discovery, links, shorterWayOnly }, places];
  });
}

function placesByPartition(links: readonly DiscoveredLink[], partitionOf: PartitionOf): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const [place, { host }] of links.entries()) {
    const partition = partitionOf(host);
    const there = places.get(partition);
    if (there) there.push(place);
    else places.set(partition, [place]);
  }
  return places;
}

/** A discovery from the parts of it that are there. */
function joined(parts: readonly Extract<PackedEntry, readonly [number, 'discovery', ...unknown[]]>[]): StoredDiscovery {
  const whole = parts.map(([, , part, places]) => ({ part: unpackDiscovery(part), places }));
  const [only] = whole;
  if (whole.length === 1 && only) return only.part;
  const links = whole.flatMap(({ part, places }) => {
    const shorter = new Set(part.shorterWayOnly);
    return part.links.map((link, i) => ({ link, place: places?.[i] ?? i, isShorter: shorter.has(i) }));
  });
  links.sort((a, b) => a.place - b.place);
  const shorterWayOnly = links.flatMap(({ isShorter }, i) => (isShorter ? [i] : []));
  return { ...(only as NonNullable<typeof only>).part, links: links.map(({ link }) => link), shorterWayOnly };
}

/** Discoveries for the partitions of other workers: the links of one commit to a partition together. */
export function packPassedOn(discoveries: readonly Discovery[], partitionOf: PartitionOf): PassedOn[] {
  const byPartition = new Map<number, { readonly packed: PackedDiscovery[]; readonly links: DiscoveredLink[] }>();
  for (const discovery of discoveries)
    for (const [partition, part] of splitByPartition({ ...discovery, shorterWayOnly: [] }, partitionOf)) {
      const there = byPartition.get(partition) ?? { packed: [], links: [] };
      byPartition.set(partition, there);
      there.packed.push(packDiscovery(part));
      there.links.push(...part.links);
    }
  return [...byPartition].map(([partition, { packed, links }]) => ({ partition, body: compressed(packed), best: bestOf(links) }));
}

/** The highest priority of links that are not refused; null without any. */
export function bestOf(links: readonly DiscoveredLink[]): Unit | null {
  const priorities = links.flatMap(({ priority, refusal }) => (refusal === null ? [priority] : []));
  return priorities.length === 0 ? null : Math.max(...priorities);
}

/** @throws Error of any kind for bytes that `packPassedOn` did not make */
export function unpackPassedOn(body: Uint8Array): Discovery[] {
  return (decompressed(body) as PackedDiscovery[]).map((packed) => {
    const { shorterWayOnly: _, ...discovery } = unpackDiscovery(packed);
    return discovery;
  });
}

function compressed(value: unknown): Uint8Array {
  return brotliCompressSync(packr.pack(value), BROTLI);
}

function decompressed(body: Uint8Array): unknown {
  return packr.unpack(brotliDecompressSync(body));
}
