import type { ReadLink } from '../core/parts/reading.ts';
import { type TextColumns, textColumns, textsOf, valuesOf } from '../core/text-columns.ts';
import type { CanonicalUrl } from '../core/types.ts';

/** The links of a page as columns, for another thread. */
export interface PackedLinks {
  readonly count: number;
  /** As in `TextColumns`. */
  readonly urls: string;
  readonly texts: TextColumns;
}

export function packLinks(links: readonly ReadLink[]): PackedLinks {
  return { count: links.length, urls: links.map(({ url }) => url).join('\n'), texts: textColumns(links) };
}

/** @throws InvariantError if a value contained a line feed */
export function unpackLinks({ count, urls, texts }: PackedLinks): ReadLink[] {
  if (count === 0) return [];
  const unpacked = textsOf(texts, count);
  return (valuesOf(urls, count) as CanonicalUrl[]).map((url, i) => ({ url, text: unpacked[i] as ReadLink['text'] }));
}
