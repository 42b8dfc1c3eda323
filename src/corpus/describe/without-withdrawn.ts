import type { Withdrawals } from '../records/withdrawals.ts';
import type { CrawlFacts } from '../select/crawl-facts.ts';

/** The facts of a crawl without the names of pages that were taken back: seeds, and examples of models. Counts stay. */
export function withoutWithdrawn(facts: CrawlFacts, withdrawals: Withdrawals): CrawlFacts {
  if (withdrawals.size === 0) return facts;
  const { seeds, seedsWithoutPage, seedCount = seeds.length, training } = facts;
  const stays = (url: string) => !withdrawals.has(url);
  const named = seeds.filter(stays);
  return {
    ...facts,
    seeds: named,
    seedsWithoutPage: seedsWithoutPage.filter(({ url }) => stays(url)),
    ...(seedCount > named.length && { seedCount }),
    ...(training && {
      training: training.map((one) => ({ ...one, ...(one.exampleNames && { exampleNames: one.exampleNames.filter(stays) }) })),
    }),
  };
}
