/** Puts code of the user around the parts of a crawl: first the judge, then the hooks, which see its word, and then the strategy, which sees theirs. */
import type { Parts } from '../../base/core/parts.ts';
import type { CrawlManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import type { Requests } from '../../crawling/fetch/requests.ts';
import { hookedParts } from '../../crawling/openings/hooked-parts.ts';
import { type JudgeOwner, judgedReader } from '../../crawling/openings/open-judge.ts';
import { OwnStrategy } from '../../crawling/openings/own-strategy.ts';
import { ScoredReader, scoredLists } from '../../crawling/openings/scored-reader.ts';
import { seedSource } from '../../crawling/reader/list-source.ts';

/** @param fetcher of the parts. @throws UsageError for a module that cannot be loaded; DamageError */
export async function withOwnCode(parts: Parts, fetcher: Requests, manifest: CrawlManifest, owner: JudgeOwner): Promise<Parts> {
  const reader = await judgedReader(parts.reader, manifest, owner);
  const hooked = await withHooks({ ...parts, reader }, fetcher, manifest, owner.warn);
  return withStrategy(hooked, manifest, owner.warn);
}

async function withHooks(parts: Parts, fetcher: Requests, manifest: CrawlManifest, warn: JudgeOwner['warn']): Promise<Parts> {
  if (manifest.hooks === null) return parts;
  const hooked = await hookedParts(manifest, warn);
  const pages = hooked.fetcher(fetcher, parts.frontier);
  return {
    ...parts,
    fetcher: pages,
    seeds: seedSource(pages, manifest.documents),
    reader: hooked.reader(parts.reader),
    corpus: hooked.corpus(parts.corpus),
    beforeKeep: hooked.beforeKeep,
  };
}

async function withStrategy(
  parts: Parts,
  { strategy: file, ownStrategy, topic, rngSeed: seed }: CrawlManifest,
  warn: JudgeOwner['warn'],
): Promise<Parts> {
  if (ownStrategy === null) return parts;
  const strategy = await OwnStrategy.open(file, { threshold: topic.threshold, seed }, warn);
  const lists = parts.lists && scoredLists(parts.lists, strategy, parts);
  return { ...parts, lists, reader: new ScoredReader(parts.reader, strategy, parts) };
}
