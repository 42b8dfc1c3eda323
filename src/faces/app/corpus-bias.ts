/** Compares the pages of a corpus with a frame: a list of URLs, another corpus, or the random visits of the crawl. */
import { statSync } from 'node:fs';
import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import { isPathThere } from '../../base/core/on-disk.ts';
import { seededRng } from '../../base/core/rng.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { publishFile, withOutput } from '../../base/disk/output.ts';
import { csvCell } from '../../base/text/table-cells.ts';
import { hostNameOf } from '../../base/web/url.ts';
import { byGap, type Counts, type FacetBias, facetBias, frameWeights, type ShareGap } from '../../corpus/search/frame-bias.ts';
import { type Facets, facetsOf, facetsOfUrl } from '../../corpus/search/page-facets.ts';
import { FACETS, type Facet } from '../../corpus/select/facet-names.ts';
import { isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { urlsIn } from '../../crawling/input/url-list-file.ts';
import { keepBias } from './keep-measured.ts';
import { openCorpus } from './open-corpora.ts';

export interface BiasOptions {
  /** `random` (the random visits of a crawl), a file of URLs as for `urlList`, or the folder of a harvest or crawl. */
  readonly frame: string;
  /** New CSV file for the weight of each page. Default: none. */
  readonly weights?: string;
  /** Property by which pages are weighted. Default: the one with the largest distance. */
  readonly weightBy?: Facet;
  /** Receives damaged records, which are skipped. Without it, damage is an error. */
  readonly onDamaged?: OnDamaged;
  /** Receives the number of records and URLs that were read. */
  readonly progress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** A value whose share differs, with its property. */
export interface NamedGap extends ShareGap {
  readonly facet: Facet;
}

export interface CorpusBias {
  readonly frame: string;
  /** Pages of the corpus, and of the frame. */
  readonly pages: number;
  readonly framePages: number;
  /** Properties that the frame has. A list of URLs has no language, year, length and kind. */
  readonly facets: Readonly<Partial<Record<Facet, FacetBias>>>;
  /** Values of all properties whose shares differ by more than chance: those that the corpus lacks first, then by the gap. */
  readonly gaps: readonly NamedGap[];
  /** Property by which pages were weighted; null without weights. */
  readonly weightedBy: Facet | null;
}

const RANDOM = 'random';
/** Fewer pages make an interval that says nothing. */
const LEAST_FRAME = 30;
/** Largest weight, and its inverse the least: larger ones make a few pages stand for all. */
const CAP = 5;
const SEED = 1;

/** See `corpusBias` of the library. */
export async function corpusBias(corpus: string, options: BiasOptions): Promise<CorpusBias> {
  const { frame, weights, signal, progress } = options;
  if (corpus === '' || (frame ?? '') === '')
    throw new UsageError('corpus bias: needs a corpus and --frame; give random, a file of URLs, or a corpus');
  if (options.weightBy !== undefined && weights === undefined && !isCrawlIn(corpus))
    throw new UsageError('--weight-by: changes the weights alone; give --weights too, or a crawl, which keeps them for harvest --columns');
  let done = 0;
  const onPage = () => {
    signal?.throwIfAborted();
    progress?.(++done);
  };
  const random = frame === RANDOM ? await randomPages(corpus) : null;
  const pages = await pagesOf(corpus, options, onPage);
  const own = random === null ? pages : pages.filter(({ url }) => !random.has(url));
  const framed = random === null ? await frameOf(frame, pages, options, onPage) : pages.filter(({ url }) => random.has(url));
  refuseSmall(frame, framed.length, own.length);
  const tables = new Map(FACETS.flatMap((facet) => tableOf(facet, own, framed)));
  const facets = Object.fromEntries(
    [...tables].map(([facet, { corpus: one, frame: other }]) => [facet, facetBias(one, other, seededRng(SEED))]),
  );
  const bias: CorpusBias = { frame, pages: own.length, framePages: framed.length, facets, gaps: gapsIn(facets), weightedBy: null };
  const by = options.weightBy ?? largest(facets);
  const table = tables.get(by);
  if (table === undefined)
    throw new UsageError(`--weight-by ${by}: the frame has URLs alone; give one of ${[...tables.keys()].join(', ')}`);
  const weighted = weightsOf(pages, by, frameWeights(table.corpus, table.frame, CAP));
  if (isCrawlIn(corpus)) await keepBias(corpus, bias, by, weighted);
  if (weights === undefined) return bias;
  await withOutput(weights, { form: 'file', mayReplace: false }, { as: '--weights', ...(signal && { signal }) }, (output) =>
    publishFile(output, weightsCsv(weighted)),
  );
  return { ...bias, weightedBy: by };
}

interface FacetPage {
  readonly url: CanonicalUrl;
  readonly facets: Facets;
}

async function pagesOf(
  dir: string,
  { onDamaged }: BiasOptions,
  onPage: () => void,
  sizes?: ReadonlyMap<string, number>,
): Promise<FacetPage[]> {
  const { source } = await openCorpus(dir, onDamaged);
  const hosts = new Map<string, number>();
  if (sizes === undefined)
    for await (const { url } of source.records(onDamaged)) {
      hosts.set(hostNameOf(url), (hosts.get(hostNameOf(url)) ?? 0) + 1);
      onPage();
    }
  const pages: FacetPage[] = [];
  const sizeOf = (host: string) => (sizes ?? hosts).get(host) ?? 0;
  for await (const record of source.records(onDamaged === undefined ? undefined : () => undefined)) {
    pages.push({ url: record.url, facets: facetsOf(record, sizeOf) });
    onPage();
  }
  return pages;
}

async function frameOf(frame: string, pages: readonly FacetPage[], options: BiasOptions, onPage: () => void): Promise<FacetPage[]> {
  const sizes = new Map<string, number>();
  for (const { url } of pages) sizes.set(hostNameOf(url), (sizes.get(hostNameOf(url)) ?? 0) + 1);
  if (!isPathThere(frame)) throw new UsageError(`--frame ${frame}: no such file or folder; give random, a file of URLs, or a corpus`);
  if (statSync(frame).isDirectory()) return pagesOf(frame, options, onPage, sizes);
  const found = new Set<CanonicalUrl>();
  for await (const { urls } of urlsIn(frame)) {
    for (const { url } of urls) found.add(url);
    onPage();
  }
  return [...found].map((url) => ({ url, facets: facetsOfUrl(url, (host) => sizes.get(host) ?? 0) }));
}

/** Kept pages that the crawl visited at random. @throws UsageError for a harvest */
async function randomPages(dir: string): Promise<ReadonlySet<CanonicalUrl>> {
  if (!isCrawlIn(dir))
    throw new UsageError(`--frame random: ${dir} is not a crawl; give a crawl directory, or a file of URLs as the frame`);
  const crawl = openCrawl(dir);
  try {
    return new Set(
      [...crawl.frontier.settled()].flatMap(({ entry, fate }) => (entry.explored && fate.recordId !== null ? [entry.url] : [])),
    );
  } finally {
    await crawl.close();
  }
}

function refuseSmall(frame: string, framed: number, pages: number): void {
  if (pages === 0) throw new UsageError('corpus bias: the corpus has no page to compare; harvest some first');
  if (framed >= LEAST_FRAME) return;
  const remedy = frame === RANDOM ? 'crawl with --explore 5%, or give a file of URLs' : 'give a larger list';
  throw new UsageError(`--frame ${frame}: has ${framed} pages, too few to compare with; at least ${LEAST_FRAME} are needed: ${remedy}`);
}

function tableOf(
  facet: Facet,
  own: readonly FacetPage[],
  framed: readonly FacetPage[],
): [Facet, { readonly corpus: Counts; readonly frame: Counts }][] {
  const frame = countsOf(facet, framed);
  return frame.size === 0 ? [] : [[facet, { corpus: countsOf(facet, own), frame }]];
}

function countsOf(facet: Facet, pages: readonly FacetPage[]): Counts {
  const counts = new Map<string, number>();
  for (const { facets } of pages) {
    const value = facets[facet];
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function gapsIn(facets: CorpusBias['facets']): NamedGap[] {
  const all = FACETS.flatMap((facet) => (facets[facet]?.gaps ?? []).map((gap) => ({ facet, ...gap })));
  return all.sort(byGap);
}

function largest(facets: CorpusBias['facets']): Facet {
  const ranked = FACETS.filter((facet) => facets[facet] !== undefined).sort(
    (a, b) => (facets[b]?.distance ?? 0) - (facets[a]?.distance ?? 0),
  );
  return ranked[0] ?? 'host';
}

/** Weights whose mean is 1. */
function weightsOf(pages: readonly FacetPage[], by: Facet, weights: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const raw = pages.map(({ facets }) => weights.get(facets[by] ?? '') ?? 1);
  const mean = raw.reduce((sum, weight) => sum + weight, 0) / raw.length;
  return new Map(pages.map(({ url }, i) => [url, Number(((raw[i] ?? 1) / mean).toFixed(4))]));
}

function weightsCsv(weights: ReadonlyMap<string, number>): string {
  return `url,frameWeight\n${Array.from(weights, ([url, weight]) => `${csvCell(url)},${weight.toFixed(4)}\n`).join('')}`;
}
