/** Pages that were taken back: the list that a crawl or a corpus has of them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { DamageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { Bytes, CanonicalUrl, CrawlRecord, RecordId } from '../../base/core/types.ts';
import { WITHDRAWN_FILE } from '../../base/disk/own-names.ts';
import { readGivenText } from '../../base/text/given-file.ts';

/** A million pages, with reasons of some words. */
const MAX_BYTES: Bytes = 512 * 1024 * 1024;

const withdrawalSchema = z.object({
  /** Id of the newest version of the page at that time; null for a page that a crawl read and did not keep. */
  id: z.string().nullable(),
  /** SHA-256 of the canonical URL, hex: the list does not name the page. */
  urlSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Time of the withdrawal, ISO 8601. */
  date: z.iso.datetime(),
  reason: z.string(),
});

/** A page that was taken back. */
export type Withdrawal = Readonly<z.infer<typeof withdrawalSchema>>;

export function withdrawalOf(page: { readonly id: RecordId | null; readonly url: CanonicalUrl }, date: string, reason: string): Withdrawal {
  return { id: page.id, urlSha256: urlSha256(page.url), date, reason };
}

/** Hex. */
export function urlSha256(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}

/** A list of withdrawals. Of two of one page, the first counts. Memory: some 300 bytes a page. */
export class Withdrawals {
  readonly #byUrl = new Map<string, Withdrawal>();

  constructor(list: Iterable<Withdrawal> = []) {
    for (const one of list) if (!this.#byUrl.has(one.urlSha256)) this.#byUrl.set(one.urlSha256, one);
  }

  /** The list in a folder; empty if it has none. @throws DamageError naming file and line */
  static in(dir: string): Withdrawals {
    return Withdrawals.at(join(dir, WITHDRAWN_FILE));
  }

  /** @param path of the file @throws as `in` */
  static at(path: string): Withdrawals {
    if (!isThere(path)) return new Withdrawals();
    const text = readGivenText(path, { maxBytes: MAX_BYTES, what: 'withdrawn pages', remedy: 'restore it from a copy' });
    return new Withdrawals(text.split('\n').flatMap((line, i) => (line === '' ? [] : [parsed(line, `${path}:${i + 1}`)])));
  }

  get size(): number {
    return this.#byUrl.size;
  }

  /** null for a page that was not withdrawn. */
  of(url: string): Withdrawal | null {
    return this.size === 0 ? null : (this.#byUrl.get(urlSha256(url)) ?? null);
  }

  has(url: string): boolean {
    return this.of(url) !== null;
  }

  /** The page without the link by which it was found and the page it is an alternate of, if they were taken back; the same object if none was. */
  unnamedIn<Page extends Pick<CrawlRecord, 'referrer' | 'anchorText' | 'alternateOf'>>(page: Page): Page {
    const { referrer, alternateOf } = page;
    const unlinked = referrer !== null && this.has(referrer) ? { ...page, referrer: null, anchorText: '' } : page;
    if (alternateOf === undefined || !this.has(alternateOf)) return unlinked;
    const { alternateOf: _, ...alone } = unlinked;
    return alone as Page;
  }

  with(more: Iterable<Withdrawal>): Withdrawals {
    return new Withdrawals([...this.#byUrl.values(), ...more]);
  }

  [Symbol.iterator](): Iterator<Withdrawal> {
    return this.#byUrl.values();
  }

  /** Content of the file. */
  lines(): string {
    return [...this].map((one) => `${JSON.stringify(one)}\n`).join('');
  }
}

/** @throws DamageError */
function parsed(line: string, where: string): Withdrawal {
  try {
    return withdrawalSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new DamageError(`${where}: is not a withdrawn page; restore the file from a copy`, { cause: error });
  }
}
