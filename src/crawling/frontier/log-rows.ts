/** The rows of a log that several frontiers write: the entries of one commit, split by partition. A partition's log has all that concerns its hosts, and nothing else. */
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import type { DiscoveredLink, Discovery, HostKey, Unit } from '../../base/core/types.ts';
import { type LogEntry, type PackedEntry, packEntry, unpackEntry } from './log-entry.ts';
import { joinParts, type PackedDiscovery, packDiscovery, StoredLinks, unpackDiscovery } from './packed-discovery.ts';
import type { StoredDiscovery } from './store.ts';
import { BROTLI, packTexts, unpackTexts } from './stored-texts.ts';

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
type RowEntry =
  | readonly [at: number, kind: 'discovery', part: PackedDiscovery, places: readonly number[] | null]
  | readonly [at: number, ...entry: Exclude<PackedEntry, readonly ['discovery', ...unknown[]]>];

interface OpenRow {
  readonly entries: RowEntry[];
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
    else if (entry.kind === 'unparking') for (const partition of held) addTo(rowOf(partition), at, entry);
    else addTo(rowOf(partitionOf(entry.host)), at, entry);
  }
  return [...rows].map(([partition, row]) => ({
    partition,
    body: compressed(row.entries),
    texts: row.texts.length === 0 ? null : packr.pack(row.texts),
  }));
}

function addTo({ entries, texts }: OpenRow, at: number, entry: Exclude<LogEntry, { kind: 'discovery' }>): void {
  const page = entry.kind === 'fate' ? entry.stored.fate.page : null;
  if (page) texts.push([at, packTexts(page)]);
  const packed = packEntry(entry);
  if (packed[0] !== 'discovery') entries.push([at, ...packed]);
}

/**
 * The entries of one commit in their order, from its rows in the logs of some partitions. Parts of a discovery are joined.
 * @throws Error of any kind for rows that `rowsOf` did not make
 */
export function entriesIn(rows: readonly Pick<LogRow, 'body' | 'texts'>[]): LogEntry[] {
  const texts = new Map(rows.flatMap((row) => (row.texts === null ? [] : (packr.unpack(row.texts) as OpenRow['texts']))));
  const packed = rows.flatMap(({ body }) => decompressed(body) as RowEntry[]).sort(([a], [b]) => a - b);
  const entries: LogEntry[] = [];
  for (let i = 0; i < packed.length; ) {
    const first = packed[i] as RowEntry;
    let end = i + 1;
    while (packed[end]?.[0] === first[0]) end += 1;
    const parts = packed.slice(i, end);
    entries.push(entryOf(first, parts, texts.get(first[0])));
    i = end;
  }
  return entries;
}

function entryOf(first: RowEntry, parts: readonly RowEntry[], texts: Uint8Array | undefined): LogEntry {
  if (isPart(first)) return { kind: 'discovery', discovery: joined(parts.filter(isPart)) };
  const [, ...packed] = first;
  const entry = unpackEntry(packed);
  if (entry.kind !== 'fate' || texts === undefined) return entry;
  return { ...entry, stored: { ...entry.stored, fate: { ...entry.stored.fate, page: unpackTexts(texts, true) } } };
}

type RowPart = Extract<RowEntry, readonly [number, 'discovery', ...unknown[]]>;

function isPart(entry: RowEntry): entry is RowPart {
  return entry[1] === 'discovery';
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

/** A discovery from the parts of it that are there. A part of all links has no places. */
function joined(parts: readonly RowPart[]): StoredDiscovery {
  const [, , first] = parts[0] as RowPart;
  return new StoredLinks(parts.length === 1 ? first : joinParts(parts.map(([, , part, places]) => ({ part, places: places ?? [] }))));
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
