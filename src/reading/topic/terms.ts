import type { Contribution } from '../../base/core/parts/reading.ts';
import type { PageText } from './features.ts';
import type { LinearTopicModel } from './model.ts';

/** Number of pages behind a mean: enough for a card; an explanation of a long page takes about 10 ms. */
const MAX_PAGES = 50;

/** The mean contribution of each named feature over the first pages, most positive first. */
export function meanContributions(model: LinearTopicModel, pages: readonly PageText[]): Contribution[] {
  const used = pages.slice(0, MAX_PAGES);
  const sums = new Map<string, number>();
  for (const page of used) {
    for (const { feature, contribution } of model.explain(page).contributions) sums.set(feature, (sums.get(feature) ?? 0) + contribution);
  }
  return [...sums]
    .map(([feature, sum]) => ({ feature, contribution: sum / used.length }))
    .sort((a, b) => b.contribution - a.contribution || (a.feature < b.feature ? -1 : 1));
}
