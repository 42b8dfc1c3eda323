/** Recognises the pages that a person gave for a training: by URL, and by text, because a saved file has no URL. Pure. */

import { distance } from '../../base/core/same-text.ts';
import type { Simhash } from '../../base/core/types.ts';
import { NEAR_BITS, SAME_BITS, simhash } from '../../base/text/simhash.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import type { StoredRow } from './training-file.ts';

/** Shorter texts are notices that different pages share: consent, a missing page, a script that did not run. */
const LEAST_CHARS = 200;

/** Fingerprint by which a text is recognised; null for a text that is too short for that. O(4,000 characters). */
export function textPrint(text: string): Simhash | null {
  return text.length < LEAST_CHARS ? null : simhash(text);
}

/** A page that may have been given. */
export interface FoundPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

/** A row may have only so many characters of a title. */
const TITLE_CHARS = 200;

export class GivenPages {
  readonly #byUrl = new Map<string, StoredRow[]>();
  readonly #prints: (readonly [row: StoredRow, print: Simhash])[] = [];

  readonly rows: readonly StoredRow[];

  /** @param rows of a training. Those of earlier versions have no `simhash`: they are recognised by URL alone */
  constructor(rows: readonly StoredRow[]) {
    this.rows = rows;
    for (const row of rows) {
      const url = row.url === null ? null : canonicalizeWithRoute(row.url);
      if (url !== null) this.#byUrl.set(url, [...(this.#byUrl.get(url) ?? []), row]);
      if (row.simhash) this.#prints.push([row, row.simhash]);
    }
  }

  /** The rows of that page: those of its URL, then those of its text, the nearest first. */
  rowsOf(page: FoundPage): StoredRow[] {
    return [...new Set([...this.ofUrl(page.url), ...this.ofText(page)])];
  }

  /** @param url canonical */
  ofUrl(url: string): readonly StoredRow[] {
    return this.#byUrl.get(url) ?? [];
  }

  /**
   * The rows with that text, the nearest first: at most a clock or a counter differs, or the title is the same and the text a near-duplicate. Pages of
   * one template may differ in a few words, but they have titles of their own.
   */
  ofText({ title, text }: Pick<FoundPage, 'title' | 'text'>): StoredRow[] {
    const print = this.#prints.length === 0 ? null : textPrint(text);
    if (print === null) return [];
    return this.#near(print).flatMap(([row, bits]) => (bits <= SAME_BITS || isSameTitle(row.title, title) ? [row] : []));
  }

  /** Is its URL that of a row, or its simhash near one? Then it may be one of them. */
  mayBe({ url, simhash: print }: { readonly url: string; readonly simhash?: Simhash }): boolean {
    return this.ofUrl(url).length > 0 || (print !== undefined && this.#near(print).length > 0);
  }

  #near(print: Simhash): [StoredRow, bits: number][] {
    return this.#prints
      .map(([row, known]): [StoredRow, number] => [row, distance(known, print)])
      .filter(([, bits]) => bits <= NEAR_BITS)
      .sort(([, a], [, b]) => a - b);
  }
}

/** Separator of a title and the name of its site. */
const SEPARATOR = /\s[-–—|·•»/:]+\s|:\s/u;

/** Equal, or one with the name of its site. A missing title tells nothing. */
function isSameTitle(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)];
  return a !== '' && b !== '' && (partsOf(a).includes(b) || partsOf(b).includes(a));
}

function partsOf(title: string): string[] {
  return [title, ...title.split(SEPARATOR)];
}

function plain(title: string): string {
  return title.toLowerCase().split(/\s+/u).filter(Boolean).join(' ').slice(0, TITLE_CHARS);
}
