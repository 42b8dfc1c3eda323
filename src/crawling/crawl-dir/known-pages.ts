/** Pages known to be on topic: neither seeds nor examples, so that the share of them that a crawl keeps tells its recall. */
import { readFileSync, rmSync } from 'node:fs';
import * as z from 'zod';
import { DamageError, messageOf, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import type { DrawFacts, KnownOrigin } from '../../corpus/select/recall-facts.ts';
import type { CrawlPaths } from './crawl-directory.ts';

export interface KnownPages {
  readonly origin: KnownOrigin;
  /** The file as given. */
  readonly from: string;
  readonly urls: readonly CanonicalUrl[];
  /** Facts of the draw, if `forager known` drew them. */
  readonly drawn?: DrawFacts;
}

const drawnSchema: z.ZodType<DrawFacts> = z.strictObject({
  from: z.string(),
  listed: z.number(),
  seed: z.number(),
  drawn: z.number(),
  yes: z.number(),
  no: z.number(),
  skipped: z.number(),
  unread: z.number(),
  at: z.string(),
  names: z.array(z.string()).exactOptional(),
  followed: z.literal(true).exactOptional(),
});

const fileSchema = z.strictObject({
  origin: z.enum(['independent', 'listed']),
  from: z.string(),
  urls: z.array(z.string()),
  drawn: drawnSchema.exactOptional(),
});

/** Refuses known pages among others that shape the crawl. @throws UsageError that names the first of them */
export function refuseGiven(known: KnownPages, others: Iterable<CanonicalUrl>, what: string): void {
  const urls = new Set(known.urls);
  const both = [...others].filter((url) => urls.has(url));
  const [first] = both;
  if (first !== undefined)
    throw new UsageError(
      `--known ${known.from}: ${both.length} of its ${urls.size} pages are ${what}, e.g. ${first}; a known page tells the recall only if the crawl has to find it: take them out of the file`,
    );
}

/** Stores known pages in place of earlier ones; null removes those. @throws StoreError */
export function keepKnown({ known: path }: Pick<CrawlPaths, 'known'>, known: KnownPages | null): void {
  try {
    if (known === null) {
      rmSync(path, { force: true });
      return;
    }
    replaceFile(path, `${JSON.stringify(known)}\n`);
  } catch (error) {
    throw storeErrorFrom(error, 'storing the known pages', path);
  }
}

/** The known pages of a crawl; null for none. @throws DamageError */
export function knownOf({ known: path }: Pick<CrawlPaths, 'known'>): KnownPages | null {
  if (!isThere(path)) return null;
  const remedy = 'give the file again with --known';
  try {
    const { urls, ...rest } = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { ...rest, urls: urls.map((url) => canonicalizeWithRoute(url)).filter((url) => url !== null) };
  } catch (error) {
    throw new DamageError(`${path}: is damaged (${messageOf(error)}); ${remedy}`, { cause: error });
  }
}
