import type { ReadLink } from '../../base/core/parts/reading.ts';
import { type TextColumns, textColumns, textsOf, valuesOf } from '../../base/core/text-columns.ts';
import type { CanonicalUrl, LinkHashes } from '../../base/core/types.ts';

/** The links of a page as columns, for another thread. */
export interface PackedLinks {
  readonly count: number;
  /** URLs, joined as in `TextColumns`. */
  readonly urls: string;
  readonly texts: TextColumns;
  /** null if links are not hashed. */
  readonly hashes: PackedHashes | null;
  /** Statements of a list about its pages, by position: their last changes and alternates. */
  readonly stated: readonly (readonly [position: number, stated: Omit<ReadLink, 'url' | 'text'>])[];
}

/** The hashes of all links in one array, and for each link where its places start and end. */
interface PackedHashes {
  readonly numbers: Uint32Array;
  readonly ends: Uint32Array;
}

export function packLinks(links: readonly ReadLink[]): PackedLinks {
  const urls = links.map(({ url }) => url).join('\n');
  return { count: links.length, urls, texts: textColumns(links), hashes: packHashes(links), stated: statedIn(links) };
}

function statedIn(links: readonly ReadLink[]): PackedLinks['stated'] {
  const stated: [number, PackedLinks['stated'][number][1]][] = [];
  for (const [i, { modified, alternates }] of links.entries())
    if (modified !== undefined || alternates !== undefined)
      stated.push([i, { ...(modified !== undefined && { modified }), ...(alternates && { alternates }) }]);
  return stated;
}

/** @throws InvariantError if a value contained a line feed */
export function unpackLinks({ count, urls, texts, hashes, stated }: PackedLinks): ReadLink[] {
  if (count === 0) return [];
  const unpacked = textsOf(texts, count, hashes && hashesOf(hashes));
  const links: ReadLink[] = (valuesOf(urls, count) as CanonicalUrl[]).map((url, i) => ({ url, text: unpacked[i] as ReadLink['text'] }));
  for (const [at, of] of stated) links[at] = { ...(links[at] as ReadLink), ...of };
  return links;
}

function packHashes(links: readonly ReadLink[]): PackedHashes | null {
  const all: LinkHashes[] = [];
  for (const { text } of links) {
    if (text.hashes === undefined) return null;
    all.push(text.hashes);
  }
  if (all.length === 0) return null;
  const ends = new Uint32Array(2 * all.length);
  let size = 0;
  let at = 0;
  for (const { start, places, end } of all) {
    ends[at++] = size + places - start;
    size += end - start;
    ends[at++] = size;
  }
  const [first] = all;
  // Most pages have all their hashes in one array, one link behind the other.
  if (first !== undefined && first.numbers.length === size && all.every(({ numbers }) => numbers === first.numbers))
    return { numbers: first.numbers, ends };
  const numbers = new Uint32Array(size);
  for (const [i, { numbers: from, start, end }] of all.entries())
    numbers.set(from.subarray(start, end), (ends[2 * i + 1] as number) - (end - start));
  return { numbers, ends };
}

function hashesOf({ numbers, ends }: PackedHashes): LinkHashes[] {
  const hashes: LinkHashes[] = [];
  for (let i = 0; i < ends.length; i += 2)
    hashes.push({ numbers, start: i === 0 ? 0 : (ends[i - 1] as number), places: ends[i] as number, end: ends[i + 1] as number });
  return hashes;
}
