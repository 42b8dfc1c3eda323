/** What orders links. */

import type { Bytes, CanonicalUrl, FrontierEntry, Unit } from '../types.ts';
import type { Explanation, LinkJudgement } from './reading.ts';

/** A link as a scorer sees it. A frontier entry is one. */
export type ScorableLink = Pick<FrontierEntry, 'url' | 'depth' | 'offTopicDepth' | 'edge'>;

/** What a link scorer reads of some links that stays as it is while the scorer learns. Of use to that scorer alone. */
export interface LinkEvidence {
  /** Memory it takes. */
  readonly bytes: Bytes;
}

/** What gives waiting links new priorities: a link scorer. */
export interface Rescorer extends Pick<LinkScorer, 'scoreAgain'> {
  score(entries: readonly FrontierEntry[]): Float32Array;
  evidenceOf?(entries: readonly FrontierEntry[]): LinkEvidence;
}

/** A rescorer that may learn meanwhile. */
export type LearningRescorer = Rescorer & Pick<LinkScorer, 'learnedFrom'>;

export interface LinkScorer {
  /** Its name. */
  readonly strategy: string;
  /** Which of `LinkText`'s scores it reads; the others may be null. */
  readonly judgement: LinkJudgement;
  /** How many pages it has learned from so far. 0 for strategies that do not learn. */
  readonly learnedFrom: number;
  /** @returns one priority for each link, shape [links.length], each in [0, 1]. A link without an edge is a seed: 1. */
  score(links: readonly ScorableLink[]): Float32Array;
  /** For links that are to be scored again and again: `score` is `scoreAgain` of this. Both are left out where nothing is worth keeping. */
  evidenceOf?(links: readonly ScorableLink[]): LinkEvidence;
  /** @returns one priority for each link that the evidence was made of. @throws InvariantError for evidence of another kind of scorer */
  scoreAgain?(evidence: LinkEvidence): Float32Array;
  /**
   * Told of each page that was read, right before its links are scored: all of them in `urls`, known or not; none of a page that asks for none to
   * be followed. A redirect is told with relevance null and its target alone. Left out where the graph of links means nothing.
   */
  see?(page: ScorableLink, relevance: Unit | null, urls: readonly CanonicalUrl[]): void;
  /** Told how a followed link turned out; the target is the page's relevance. Queued priorities change only by `Queue.rescore` and `rescoring`. */
  learn?(link: ScorableLink, relevance: Unit): void;
  /** Why this link has its priority: contributions sum to `logit`, and `priority` follows from it as `rule` says. */
  explain(link: ScorableLink): LinkExplanation;
}

export interface LinkExplanation extends Explanation {
  readonly priority: Unit;
  /** How `priority` follows from `logit`. */
  readonly rule: string;
}
