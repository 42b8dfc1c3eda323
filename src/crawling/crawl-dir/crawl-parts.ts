/** Parts of a crawl according to its manifest: the same for a run and for a repair. */
import { systemClock } from '../../base/core/clock.ts';
import type { Expansion, Scope } from '../../base/core/parts.ts';
import { pagesWithin, parseScope } from '../../base/web/scope.ts';
import { documentEndings } from '../../reading/documents/document-types.ts';
import { traitsOf } from '../../reading/links/strategy-names.ts';
import type { FrontierOptions } from '../frontier/frontier-parts.ts';
import type { CrawlManifest } from './crawl-directory.ts';

/** The options of the frontier in a run of the crawl. */
export function frontierOptionsOf(manifest: CrawlManifest): FrontierOptions {
  return {
    clock: systemClock,
    // Nobody waits for an archive.
    delay: isOfArchive(manifest) ? 0 : manifest.delay,
    delayFactor: isOfArchive(manifest) ? 0 : manifest.delayFactor,
    maxPagesPerHost: manifest.maxPagesPerHost ?? Number.POSITIVE_INFINITY,
    tie: traitsOf(manifest.strategy).tie,
    traps: manifest.traps,
    ...(manifest.explore + manifest.warmUp > 0 && {
      explore: { share: manifest.explore, seed: manifest.rngSeed, warmUp: manifest.warmUp },
    }),
    ...(manifest.id !== null && { crawl: manifest.id }),
  };
}

/** Does the crawl read an archive in place of the web? */
export function isOfArchive({ archive, archiveIndex }: Pick<CrawlManifest, 'archive' | 'archiveIndex'>): boolean {
  return archive.length > 0 || archiveIndex !== null;
}

/** Limits to following links. */
export function expansionOf({ maxDepth, tunnel, rounds }: CrawlManifest): Expansion {
  return { maxDepth: maxDepth ?? Number.POSITIVE_INFINITY, tunnel: tunnel ?? Number.POSITIVE_INFINITY, byRounds: rounds !== null };
}

/** URLs that the crawl may visit. */
export function scopeOf({ scope, documents }: Pick<CrawlManifest, 'scope' | 'documents'>): Scope {
  return pagesWithin(parseScope(scope), documentEndings(documents));
}
