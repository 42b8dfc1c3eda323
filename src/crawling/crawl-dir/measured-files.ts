/** The results of `corpus bias` and `stability` on a crawl, so that a later harvest has them on its card and as columns. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { DamageError, messageOf, storeErrorFrom } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import { replaceFile } from '../../base/disk/replaced-file.ts';
import { FACETS } from '../../corpus/select/facet-names.ts';
import type { BiasFacts, StabilityFacts } from '../../corpus/select/measured-facts.ts';
import type { CrawlPaths } from './crawl-directory.ts';

/** Facts for the card, and a number for each page: the column. */
export interface Measurement<Facts> {
  readonly facts: Facts;
  readonly pages: ReadonlyMap<string, number>;
}

const facet = z.enum(FACETS);
const biasSchema: z.ZodType<BiasFacts> = z.strictObject({
  at: z.string(),
  visited: z.number(),
  frame: z.strictObject({ kind: z.enum(['random', 'urls', 'corpus']), name: z.string() }),
  frameDigest: z.string().nullable(),
  pages: z.number(),
  framePages: z.number(),
  distances: z.array(z.strictObject({ facet, distance: z.number(), low: z.number(), high: z.number() })),
  gaps: z.array(z.strictObject({ facet, value: z.string(), corpus: z.number(), frame: z.number() })),
  weightedBy: facet,
});
const stabilitySchema: z.ZodType<StabilityFacts> = z.strictObject({
  at: z.string(),
  visited: z.number(),
  runs: z.number(),
  vary: z.array(z.string()),
  budget: z.number(),
  recorded: z.number(),
  kept: z.strictObject({ inAll: z.number(), inMost: z.number(), inSome: z.number() }),
  overlap: z.number(),
  terms: z.number(),
  hosts: z.number(),
});

/** The bias that was measured last; null without one. @throws DamageError */
export function biasOf({ bias }: Pick<CrawlPaths, 'bias'>): Measurement<BiasFacts> | null {
  return readMeasurement(bias, biasSchema);
}

/** The stability that was measured last; null without one. @throws DamageError */
export function stabilityMeasured({ stability }: Pick<CrawlPaths, 'stability'>): Measurement<StabilityFacts> | null {
  return readMeasurement(stability, stabilitySchema);
}

/** Stores a measurement in place of an earlier one. @throws StoreError */
export function keepMeasurement(path: string, { facts, pages }: Measurement<BiasFacts | StabilityFacts>): void {
  try {
    replaceFile(path, `${JSON.stringify({ facts, pages: [...pages] })}\n`);
  } catch (error) {
    throw storeErrorFrom(error, 'storing the measurement', path);
  }
}

/** Memory: a URL and a number for each page. */
function readMeasurement<Facts>(path: string, facts: z.ZodType<Facts>): Measurement<Facts> | null {
  if (!isThere(path)) return null;
  const schema = z.strictObject({ facts, pages: z.array(z.tuple([z.string(), z.number()])) });
  try {
    const read = schema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { facts: read.facts, pages: new Map(read.pages) };
  } catch (error) {
    throw new DamageError(`${path}: is damaged (${messageOf(error)}); delete it, and measure again`, { cause: error });
  }
}
