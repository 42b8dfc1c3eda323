import { InvariantError } from '../../base/core/errors.ts';
import type { Parts } from '../../base/core/parts.ts';
import type { CanonicalUrl, Lease } from '../../base/core/types.ts';
import { lessonOf } from '../../crawling/crawl/lessons.ts';
import { discoverSeeds } from '../../crawling/crawl/page-records.ts';
import { RunningCrawl } from '../../crawling/crawl/running.ts';
import { visit } from '../../crawling/crawl/visit.ts';

/**
 * Makes the visits of an earlier run again, in their order, perhaps under another model: a resumed crawl learns from its settlements in the same way.
 * A URL that the other model would not have reached is visited like a seed. Then the scorer gives all waiting links new priorities.
 */
export async function repeatVisits(urls: readonly CanonicalUrl[], parts: Parts, signal: AbortSignal): Promise<void> {
  const { frontier, scorer } = parts;
  for (const url of urls) await repeat(leaseOf(url, parts), parts, signal);
  if (urls.length > 0 && scorer.learn) frontier.rescore(scorer, scorer.learnedFrom);
}

function leaseOf(url: CanonicalUrl, parts: Parts): Lease {
  const lease = parts.frontier.lease(url);
  if (lease) return lease;
  parts.frontier.add(discoverSeeds([url], parts));
  const asSeed = parts.frontier.lease(url);
  if (asSeed === null) throw new InvariantError(`eval: ${url} cannot be visited again`);
  return asSeed;
}

async function repeat(lease: Lease, parts: Parts, signal: AbortSignal): Promise<void> {
  const { frontier, scorer, clock } = parts;
  const { settlement, effects } = await visit(lease, parts, signal, new RunningCrawl(clock).begin(lease));
  const found = effects.flatMap((effect) => (effect.kind === 'links' ? [effect.discovery] : []));
  for (const discovery of found) frontier.add(discovery);
  frontier.settle(lease, settlement);
  const fate = settlement.kind === 'done' ? settlement.fate : null;
  const lesson = fate && lessonOf(fate, lease.entry);
  if (lesson !== null) scorer.learn?.(lease.entry, lesson, fate?.wanted);
  for (const { url, task } of found.flatMap(({ links }) => links)) {
    const list = task.kind === 'list' ? frontier.lease(url) : null;
    if (list !== null) await repeat(list, parts, signal);
  }
}
