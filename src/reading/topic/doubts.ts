/** Cases in which a model's own judgement of pages is known to mean nothing. Pure. */
import { type ModelCard, UNKNOWN_HOST } from './card.ts';
import { MIN_HOSTS } from './folds.ts';

/**
 * - `one-host`, `two-hosts`: the examples come from so few hosts that none could be held out. All pages of those hosts look on topic: a model from 20
 *   pages of one host had a precision of .04 to .17 on the whole host, while its held-out pages said .93 to 1.
 * - `unknown-hosts`: perhaps the same, because the hosts are unknown.
 * - `unlike-training`: the relevances of the crawl are distributed unlike those of training, see `estimatePrior`. If its estimate is not trusted, the
 *   share called on topic was wrong by .18 on average, and within .1 in 39 % of 207 cases; otherwise by .07, and within .1 in 80 % (`npm run bench --
 *   truth`). The distance of accepted pages to held-out examples (Kolmogorov, Smirnov) was a worse sign: .13 against .15.
 */
export type Doubt = 'one-host' | 'two-hosts' | 'unknown-hosts' | 'unlike-training';

/** The doubt that the hosts of a model's examples cast on its own figures; null without one, as for a topic of keywords, which has no examples. */
export function hostDoubt({
  method,
  examplesByHost,
}: Pick<ModelCard, 'method' | 'examplesByHost'>): Exclude<Doubt, 'unlike-training'> | null {
  const known = examplesByHost.filter(({ host }) => host !== UNKNOWN_HOST).length;
  if (method === 'keywords' || known >= MIN_HOSTS) return null;
  if (known < examplesByHost.length || known === 0) return 'unknown-hosts';
  return known === 1 ? 'one-host' : 'two-hosts';
}
