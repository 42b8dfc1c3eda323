/** The share on topic of the pages that a harvest takes, where the model that chooses them has learned labels. */
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Unit } from '../../base/core/types.ts';
import type { TopicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { readHeldOut } from './held-out-file.ts';
import type { CrawlPage } from './judged-pages.ts';
import { estimateShares, type ShareEstimate, type StratumPart } from './label-estimate.ts';
import type { LabelLog } from './label-log.ts';
import { learnedLabels, madeBy } from './learned-labels.ts';

/** Is a kept page in a harvest? `below`: its relevance is too low. `not-drawn`: a random sample omits it. `out`: the harvest omits it otherwise. */
export type Taken = 'in' | 'below' | 'not-drawn' | 'out';

export interface HarvestedShare {
  /** The least relevance of the harvest. */
  readonly least: Unit;
  /** State of a kept page in the harvest. */
  readonly takenOf: (page: CrawlPage) => Taken;
}

/** The kept pages from a relevance on: of a harvest, apart from copies and reserved pages. */
export function takenFrom(least: Unit): HarvestedShare {
  return { least, takenOf: ({ relevance }) => (isOnTopic(relevance, least) ? 'in' : 'below') };
}

/**
 * The share on topic of the pages that a harvest with the defaults takes now; null if it cannot be told, and if the topic was not trained again: then it is
 * that of all kept pages. @throws DamageError
 */
export function shareNow(pages: readonly CrawlPage[], part: TopicPart, log: LabelLog): ShareEstimate | null {
  return madeBy(part.manifest) === undefined ? null : harvestShare(pages, part, log, takenFrom(part.topic.threshold));
}

/**
 * The share on topic of the pages that a harvest takes. null if it cannot be told from the answers: an earlier version of Forager trained the model, and
 * did not store how models without the labels judge the labelled pages. @throws DamageError
 */
export function harvestShare(pages: readonly CrawlPage[], part: TopicPart, log: LabelLog, harvested: HarvestedShare): ShareEstimate | null {
  const selection = selectionOf(part, log, harvested);
  return (
    selection &&
    estimateShares(
      pages.filter(({ kept }) => kept),
      log.state,
      log.seed,
      selection,
    ).kept
  );
}

function selectionOf(part: TopicPart, log: LabelLog, { least, takenOf }: HarvestedShare): StratumPart<CrawlPage> | null {
  const learned = new Set(learnedLabels(part.manifest, log).keys());
  const heldOut = learned.size === 0 ? new Map<string, Unit>() : readHeldOut(part.paths, part.manifest.topic.id);
  if (heldOut === null) return null;
  return {
    has: (page) => takenOf(page) === 'in',
    learned,
    represents: (page) => {
      const taken = takenOf(page);
      if (taken === 'out') return false;
      return learned.has(page.url) ? isOnTopic(heldOut.get(page.url) ?? page.relevance, least) : taken !== 'below';
    },
  };
}
