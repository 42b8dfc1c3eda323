/** When a model's own word on what is on topic is known to mean nothing. Pure. */
import { type ModelCard, UNKNOWN_HOST } from './card.ts';
import { MIN_HOSTS } from './folds.ts';

/**
 * - `one-host`, `two-hosts`: the examples are of so few hosts that none could be held out. All pages of those look on topic: a model of 20 pages of one host had a
 *   precision of .04 to .17 on the whole host where its held-out pages said .93 to 1.
 * - `unknown-hosts`: as these, for all that is known.
 * - `unlike-training`: the crawl's relevances are spread unlike those of training, see `estimatePrior`. Where its estimate is not trusted, the share
 *   called on topic was off by .18 on average, and within .1 in 39 % of 207 cases; else by .07, and within .1 in 80 % (`npm run bench -- truth`). The distance
 *   of accepted pages to held-out examples (Kolmogorov, Smirnov) told it worse: .13 against .15.
 */
export type Doubt = 'one-host' | 'two-hosts' | 'unknown-hosts' | 'unlike-training';

/** What the hosts of a model's examples say against its own figures; null for nothing, as of a topic of keywords, which has no examples. */
export function hostDoubt({
  method,
  examplesByHost,
}: Pick<ModelCard, 'method' | 'examplesByHost'>): Exclude<Doubt, 'unlike-training'> | null {
  const known = examplesByHost.filter(({ host }) => host !== UNKNOWN_HOST).length;
  if (method === 'keywords' || known >= MIN_HOSTS) return null;
  if (known < examplesByHost.length || known === 0) return 'unknown-hosts';
  return known === 1 ? 'one-host' : 'two-hosts';
}
