/** Anchor texts credited to their targets, also to those that were never fetched. */
import { appendFile, rm } from 'node:fs/promises';
import { storeErrorFrom } from '../core/errors.ts';
import type { Bytes, CanonicalUrl, RecordId } from '../core/types.ts';
import { byteLines } from '../corpus/records.ts';
import type { LinkRow } from './corpus-links.ts';
import type { HashedFile } from './hashed-file.ts';
import { jsonLine } from './json-line.ts';

/** One target: a row of `in-links.jsonl`. */
export interface InLinkRow {
  readonly target: CanonicalUrl;
  /** Record id if it is in the corpus, else null. */
  readonly targetId: RecordId | null;
  /** Number of pages of the corpus that link to it, and those of them whose link is `nofollow`. */
  readonly pages: number;
  readonly nofollow: number;
  /** Number of host names of these pages. */
  readonly hosts: number;
  /** Anchor texts by number of pages, then by text; at most `MAX_ANCHORS`. Links without a text are omitted. */
  readonly anchors: readonly { readonly text: string; readonly pages: number }[];
  /** Number of distinct anchor texts. */
  readonly anchorTexts: number;
}

/** A target of a million pages has no larger row. */
export const MAX_ANCHORS = 100;
/** Links of one part, which is in memory: some 5 MB. */
const PART_LINKS = 10_000;
/** More parts would take more memory for their buffers than a part takes. */
const MAX_PARTS = 256;
const BUFFER: Bytes = 32 * 1024;

type Entry = readonly [target: CanonicalUrl, targetId: RecordId | null, anchorText: string, nofollow: 0 | 1, host: string];

/**
 * Writes a row for each target. The links are divided into parts by a hash of the target, on disk, and one part is in memory at a time. Rows are sorted
 * by target within a part; corpora of up to 10,000 links are one part.
 * @param links number of links
 * @param scratch path of the files of parts, which end with a number and are removed
 * @returns number of targets
 * @throws StoreError
 */
export async function writeInLinks(rows: AsyncIterable<LinkRow>, links: number, scratch: string, out: HashedFile): Promise<number> {
  const parts = Array.from({ length: Math.min(MAX_PARTS, Math.ceil(links / PART_LINKS)) }, (_, i) => new LinkPart(`${scratch}-${i}`));
  for await (const { target, targetId, anchorText, nofollow, url } of rows)
    await parts[partOf(target, parts.length)]?.add([target, targetId, anchorText, nofollow ? 1 : 0, new URL(url).host]);
  let targets = 0;
  for (const part of parts) {
    const entries: Entry[] = [];
    for await (const entry of part.entries()) entries.push(entry);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    for (let start = 0; start < entries.length; targets++) {
      let end = start + 1;
      while (end < entries.length && entries[end]?.[0] === entries[start]?.[0]) end++;
      await out.write(jsonLine(rowOf(entries.slice(start, end))));
      start = end;
    }
  }
  return targets;
}

/** @param entries of one target, at least one */
function rowOf(entries: readonly Entry[]): InLinkRow {
  const [target, targetId] = entries[0] as Entry;
  const texts = new Map<string, number>();
  for (const [, , text] of entries) if (text !== '') texts.set(text, (texts.get(text) ?? 0) + 1);
  const anchors = [...texts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    target,
    targetId,
    pages: entries.length,
    nofollow: entries.filter(([, , , nofollow]) => nofollow === 1).length,
    hosts: new Set(entries.map(([, , , , host]) => host)).size,
    anchors: anchors.slice(0, MAX_ANCHORS).map(([text, pages]) => ({ text, pages })),
    anchorTexts: texts.size,
  };
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
function partOf(target: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < target.length; i++) hash = Math.imul(hash ^ target.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % parts;
}

class LinkPart {
  readonly #path: string;
  #held: string[] = [];
  #heldChars = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async add(entry: Entry): Promise<void> {
    const line = `${JSON.stringify(entry)}\n`;
    this.#held.push(line);
    this.#heldChars += line.length;
    if (this.#heldChars >= BUFFER) await this.#flush();
  }

  /** Reads all and removes the file. */
  async *entries(): AsyncGenerator<Entry> {
    await this.#flush();
    for await (const line of byteLines(this.#path, Number.POSITIVE_INFINITY)) yield JSON.parse(line.toString('utf8')) as Entry;
    await rm(this.#path);
  }

  async #flush(): Promise<void> {
    const text = this.#held.join('');
    this.#held = [];
    this.#heldChars = 0;
    await appendFile(this.#path, text).catch((error: unknown) => {
      throw storeErrorFrom(error, 'sorting links', this.#path);
    });
  }
}
