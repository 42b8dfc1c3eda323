/** Puts code of the user around the parts of a crawl: first the judge, then the hooks, which see its word. */
import type { Parts } from '../../base/core/parts.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { Requests } from '../../crawling/fetch/requests.ts';
import { hookedParts } from '../../crawling/openings/hooked-parts.ts';
import { type JudgeOwner, judgedReader } from '../../crawling/openings/open-judge.ts';
import { seedSource } from '../../crawling/reader/list-source.ts';

/** @param fetcher of the parts. @throws UsageError for a module that cannot be loaded; DamageError */
export async function withOwnCode(parts: Parts, fetcher: Requests, manifest: CrawlManifest, owner: JudgeOwner): Promise<Parts> {
  const reader = await judgedReader(parts.reader, manifest, owner);
  if (manifest.hooks === null) return { ...parts, reader };
  const hooked = await hookedParts(manifest, owner.warn);
  const pages = hooked.fetcher(fetcher, parts.frontier);
  return {
    ...parts,
    fetcher: pages,
    seeds: seedSource(pages, manifest.documents),
    reader: hooked.reader(reader),
    corpus: hooked.corpus(parts.corpus),
    beforeKeep: hooked.beforeKeep,
  };
}
