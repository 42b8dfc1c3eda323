/** Parts of a crawl that a program puts in place of Forager's. Frontier, manifest, resume and `why` stay Forager's. */
import { UsageError } from '../../base/core/errors.ts';
import type { PageFetcher } from '../../base/core/parts/fetching.ts';
import type { SeedSource } from '../../base/core/parts/reading.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { teachReplacedScorer } from '../../crawling/crawl-dir/crawl-scorer.ts';

const REPLACEABLE = [
  'fetcher',
  'robots',
  'reader',
  'scorer',
  'lists',
  'seeds',
  'reservations',
  'scope',
  'fileNames',
  'hostPolicy',
  'corpus',
  'beforeKeep',
] as const;
export type ReplaceablePart = (typeof REPLACEABLE)[number];

/** Gets the parts of a crawl as they open, and returns those that replace some of them. A training opens the parts again. */
export type ReplaceParts = (parts: Parts) => Partial<Pick<Parts, ReplaceablePart>> | Promise<Partial<Pick<Parts, ReplaceablePart>>>;

/** The replaced parts of one run. */
export class Replacement {
  readonly #replace: ReplaceParts;
  readonly #dir: string;
  readonly #before: CrawlManifest['replaced'];
  readonly #isNew: boolean;
  #names: CrawlManifest['replaced'];

  /** @param manifest before this run */
  constructor(replace: ReplaceParts, { replaced, runs }: Pick<CrawlManifest, 'replaced' | 'runs'>, dir: string) {
    [this.#replace, this.#before, this.#names, this.#isNew, this.#dir] = [replace, replaced, replaced, runs.length === 0, dir];
  }

  /** Parts that some run has replaced, with the names of their replacements, for the manifest. */
  get names(): CrawlManifest['replaced'] {
    return this.#names;
  }

  /** @throws UsageError for a part that may not be replaced, and for a scorer other than that of the crawl; the error of the program */
  async apply(parts: Parts, manifest: CrawlManifest, paths: CrawlPaths): Promise<Parts> {
    const given = await this.#replace(parts);
    const names = REPLACEABLE.filter((name) => given[name] !== undefined && given[name] !== parts[name]);
    this.#refuse(given, parts);
    this.#names = { ...this.#names, ...Object.fromEntries(names.map((name) => [name, nameOf(given, name)])) };
    if (names.includes('scorer') && given.scorer) teachReplacedScorer(given.scorer, manifest, paths, parts.frontier);
    return { ...parts, ...withSeeds(parts, given) };
  }

  /** A crawl has one scorer from its start to its end: its priorities follow from all of them. */
  #refuse(given: Partial<Parts>, { scorer }: Parts): void {
    const fixed = Object.keys(given).find((name) => !REPLACEABLE.some((one) => one === name) && given[name as keyof Parts] !== undefined);
    if (fixed !== undefined) throw new UsageError(`crawlWith: ${fixed} cannot be replaced; replace one of ${REPLACEABLE.join(', ')}`);
    const before = this.#before['scorer'] ?? null;
    const now = given.scorer === undefined || given.scorer === scorer ? null : nameOf(given, 'scorer');
    if (!this.#isNew && before !== now)
      throw new UsageError(
        `${this.#dir}: this crawl was started with ${before === null ? 'the scorer of its strategy' : `the scorer ${before} of a program`}; use that one, or start a new crawl directory`,
      );
    if (given.scorer && given.scorer.judgement !== 'none' && given.scorer.judgement !== scorer.judgement)
      throw new UsageError(
        `crawlWith: the scorer ${given.scorer.strategy} reads scores of link words (${given.scorer.judgement}), and the strategy of the crawl has others read (${scorer.judgement}); give a strategy with the same ones`,
      );
  }
}

/** @throws UsageError if a program replaced the scorer of the crawl, and this run is not from that program */
export function refuseWithoutScorer({ replaced }: Pick<CrawlManifest, 'replaced'>, dir: string): void {
  const scorer = replaced['scorer'];
  if (scorer === undefined) return;
  throw new UsageError(`${dir}: this crawl was started with the scorer ${scorer} of a program; resume it with crawlWith of forager/parts`);
}

function nameOf(given: Partial<Parts>, name: ReplaceablePart): string {
  if (name === 'scorer') return given.scorer?.strategy ?? '';
  const part = given[name];
  return typeof part === 'function' ? part.name || 'function' : (part?.constructor.name ?? 'none');
}

/** Seeds that are pages are requested by a replaced fetcher too; those that may be sitemaps or feeds by Forager's own, which reads files of any type. */
function withSeeds({ seeds }: Parts, given: Partial<Parts>): Partial<Parts> {
  const { fetcher } = given;
  return fetcher === undefined || given.seeds !== undefined || seeds === null ? given : { ...given, seeds: seedsBy(fetcher, seeds) };
}

function seedsBy(fetcher: PageFetcher, seeds: SeedSource): SeedSource {
  return { ...seeds, fetch: (url, signal) => (seeds.mayBeList(url) ? seeds.fetch(url, signal) : fetcher.fetch(url, signal)) };
}
