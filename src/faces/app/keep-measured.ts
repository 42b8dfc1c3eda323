/** Stores the results of `corpus bias` and `stability` in the crawl, for the card and the columns of its next harvest. */
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { dateOf, isoTime, systemClock } from '../../base/core/clock.ts';
import { cardOf } from '../../corpus/harvest/folder-source.ts';
import { FACETS, type Facet } from '../../corpus/select/facet-names.ts';
import { hashOfFile } from '../../corpus/select/hashed-file.ts';
import type { BiasFacts } from '../../corpus/select/measured-facts.ts';
import { keepMeasurement } from '../../crawling/crawl-dir/measured-files.ts';
import { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { CorpusBias } from './corpus-bias.ts';
import type { StabilityReport } from './crawl-stability.ts';

/** Gaps on a card: they show the direction of the bias, and `--json` has all. */
const CARD_GAPS = 10;

/** @param weights of the pages of the crawl by URL @throws StoreError */
export async function keepBias(dir: string, bias: CorpusBias, weightedBy: Facet, weights: ReadonlyMap<string, number>): Promise<void> {
  const { frame, facets, gaps, pages, framePages } = bias;
  const distances = FACETS.flatMap((facet) => {
    const found = facets[facet];
    return found === undefined ? [] : [{ facet, distance: found.distance, low: found.low, high: found.high }];
  });
  const facts = { ...(await frameFacts(frame)), pages, framePages, distances, gaps: gaps.slice(0, CARD_GAPS), weightedBy };
  await inCrawl(dir, (crawl) => keepMeasurement(crawl.paths.bias, { facts: { ...momentOf(crawl), ...facts }, pages: weights }));
}

async function frameFacts(frame: string): Promise<Pick<BiasFacts, 'frame' | 'frameDigest'>> {
  const name = basename(resolve(frame));
  if (frame === 'random') return { frame: { kind: 'random', name: frame }, frameDigest: null };
  if (statSync(frame).isDirectory()) return { frame: { kind: 'corpus', name }, frameDigest: (await cardOf(frame))?.version ?? null };
  return { frame: { kind: 'urls', name }, frameDigest: (await hashOfFile(frame)).sha256 };
}

/** @param times number of runs that keep each page: a kept page of the crawl that none keeps has 0 @throws StoreError */
export async function keepStability(report: StabilityReport, times: ReadonlyMap<string, number>): Promise<void> {
  const { dir, ...facts } = report;
  await inCrawl(dir, (crawl) => {
    const pages = new Map<string, number>();
    for (const { url, state } of crawl.frontier.ledger()) if (state === 'kept') pages.set(url, times.get(url) ?? 0);
    keepMeasurement(crawl.paths.stability, { facts: { ...momentOf(crawl), ...facts }, pages });
  });
}

function momentOf({ frontier }: OpenCrawl): { readonly at: string; readonly visited: number } {
  return { at: isoTime(dateOf(systemClock)), visited: frontier.counts().visited };
}

async function inCrawl(dir: string, work: (crawl: OpenCrawl) => void): Promise<void> {
  const crawl = openCrawl(dir);
  try {
    work(crawl);
  } finally {
    await crawl.close();
  }
}
