/** Anchor texts credited to their targets, also to those that were never fetched. */
import { appendFile, rm } from 'node:fs/promises';
import { storeErrorFrom } from '../../base/core/errors.ts';
import type { Bytes, CanonicalUrl, RecordId } from '../../base/core/types.ts';
import { byteLines } from '../records/records.ts';
import type { LinkRow } from './corpus-links.ts';
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
/** UTF-8 takes at most three bytes for a UTF-16 unit (RFC 3629 §3). */
const BYTES_A_CHAR = 3;

type Entry = readonly [target: CanonicalUrl, targetId: RecordId | null, anchorText: string, nofollow: 0 | 1, host: string];

/**
 * The lines of `in-links.jsonl`, a row for each target. The links are divided into parts by a hash of the target, on disk, and one part is in memory at a time. Rows are sorted
 * by target within a part; corpora of up to 10,000 links are one part.
 * @param links number of links
 * @param scratch path of the files of parts, which end with a number and are removed
 * @throws StoreError
 */
export async function* inLinkLines(rows: AsyncIterable<LinkRow>, links: number, scratch: string): AsyncGenerator<string> {
  const parts = Array.from({ length: Math.min(MAX_PARTS, Math.ceil(links / PART_LINKS)) }, (_, i) => new LinkPart(`${scratch}-${i}`));
  let page = { url: '', host: '' };
  for await (const { target, targetId, anchorText, nofollow, url } of rows) {
    // The links of a page follow each other.
    if (url !== page.url) page = { url, host: new URL(url).host };
    const full = parts[partOf(target, parts.length)]?.add([target, targetId, anchorText, nofollow ? 1 : 0, page.host]);
    if (full) await full;
  }
  for (const part of parts) {
    const table = new PartTable();
    for await (const entry of part.entries()) table.add(entry);
    for (const row of table.rows()) yield jsonLine(row);
  }
}

/** The links of one part. A string that many links have is here once. */
class PartTable {
  readonly #targets = new Map<string, { readonly id: RecordId | null; readonly links: number[] }>();
  readonly #texts = new Numbered();
  readonly #hosts = new Numbered();

  add([target, id, anchorText, nofollow, host]: Entry): void {
    let known = this.#targets.get(target);
    if (known === undefined) {
      known = { id, links: [] };
      this.#targets.set(target, known);
    }
    known.links.push(this.#texts.numberOf(anchorText), this.#hosts.numberOf(host), nofollow);
  }

  /** Rows by target, in the order of UTF-16 code units. */
  *rows(): Generator<InLinkRow> {
    const texts = this.#texts.strings();
    for (const [target, { id, links }] of [...this.#targets].sort(([a], [b]) => (a < b ? -1 : 1))) yield rowOf(target, id, links, texts);
  }
}

/** @param links text, host and `nofollow` of each */
function rowOf(target: string, targetId: RecordId | null, links: readonly number[], texts: readonly string[]): InLinkRow {
  const counts = new Map<string, number>();
  const hosts = new Set<number>();
  let nofollow = 0;
  for (let at = 0; at < links.length; at += 3) {
    const text = texts[links[at] as number] as string;
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
    hosts.add(links[at + 1] as number);
    nofollow += links[at + 2] as number;
  }
  const anchors = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    target: target as CanonicalUrl,
    targetId,
    pages: links.length / 3,
    nofollow,
    hosts: hosts.size,
    anchors: anchors.slice(0, MAX_ANCHORS).map(([text, pages]) => ({ text, pages })),
    anchorTexts: counts.size,
  };
}

/** Numbers of strings, from 0. */
class Numbered {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    if (number === this.#numbers.size) this.#numbers.set(text, number);
    return number;
  }

  strings(): readonly string[] {
    return [...this.#numbers.keys()];
  }
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
function partOf(target: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < target.length; i++) hash = Math.imul(hash ^ target.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % parts;
}

/** Lines wait outside of the heap: strings that wait would be moved to the old generation, which is collected late. */
class LinkPart {
  readonly #path: string;
  #held = Buffer.alloc(0);
  #heldBytes: Bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns null unless it writes to disk */
  add(entry: Entry): Promise<void> | null {
    const line = `${JSON.stringify(entry)}\n`;
    const room = BYTES_A_CHAR * line.length;
    if (this.#heldBytes + room <= this.#held.length) {
      this.#heldBytes += this.#held.write(line, this.#heldBytes);
      return null;
    }
    return this.#addAfterFlush(line, room);
  }

  /** Reads all and removes the file. */
  async *entries(): AsyncGenerator<Entry> {
    await this.#flush();
    this.#held = Buffer.alloc(0);
    for await (const line of byteLines(this.#path, Number.POSITIVE_INFINITY)) yield JSON.parse(line.toString('utf8')) as Entry;
    await rm(this.#path);
  }

  async #addAfterFlush(line: string, room: Bytes): Promise<void> {
    if (this.#heldBytes > 0) await this.#flush();
    if (this.#held.length < room) this.#held = Buffer.alloc(Math.max(BUFFER, room));
    this.#heldBytes = this.#held.write(line);
  }

  async #flush(): Promise<void> {
    const bytes = this.#held.subarray(0, this.#heldBytes);
    this.#heldBytes = 0;
    await appendFile(this.#path, bytes).catch((error: unknown) => {
      throw storeErrorFrom(error, 'sorting links', this.#path);
    });
  }
}
