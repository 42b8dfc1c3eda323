/** The parts that order links. */

import type { Bytes, CanonicalUrl, FrontierEntry, Unit } from '../types.ts';
import type { Explanation, LinkJudgement } from './reading.ts';

/** A link as a scorer sees it. A frontier entry is one. */
export type ScorableLink = Pick<FrontierEntry, 'url' | 'depth' | 'offTopicDepth' | 'edge'>;

/** The part of some links that a link scorer reads and that stays the same while the scorer learns. Only that scorer can use it. */
export interface LinkEvidence {
  /** Memory that it uses. */
  readonly bytes: Bytes;
}

/** Gives waiting links new priorities: a link scorer. */
export interface Rescorer extends Pick<LinkScorer, 'scoreAgain'> {
  score(entries: readonly FrontierEntry[]): Float32Array;
  evidenceOf?(links: readonly ScorableLink[]): LinkEvidence;
}

/** A rescorer that may learn while it is used. */
export type LearningRescorer = Rescorer & Pick<LinkScorer, 'learnedFrom'>;

/**
 * Receiver of all links that a crawl sees, also of those that no frontier stores. A crawl with an observer is recorded, runs on one machine, and shows the
 * links again when it resumes: `crawling/crawl/all-links.ts`.
 */
export interface LinkObserver {
  /** Each page that was read, right before its links are scored. `urls` holds all of them, known or not; it is empty if the page asks crawlers not to follow its links. */
  page(page: ScorableLink, relevance: Unit, urls: readonly CanonicalUrl[]): void;
  /** Each redirect, right before its target is scored. */
  redirect(from: ScorableLink, to: CanonicalUrl): void;
}

export interface LinkScorer {
  /** Name of the strategy. */
  readonly strategy: string;
  /** Scores of `LinkText` that the scorer reads; the others may be null. */
  readonly judgement: LinkJudgement;
  /** Number of pages it has learned from so far. 0 for strategies that do not learn. */
  readonly learnedFrom: number;
  /** @returns one priority for each link, shape [links.length], each in [0, 1]. A link without an edge is a seed: 1. */
  score(links: readonly ScorableLink[]): Float32Array;
  /**
   * Evidence of links that are scored again and again: `score` equals `scoreAgain` of this evidence. `score` equals `scoreAgain` of this
   * evidence. Both are absent if nothing is worth keeping.
   */
  evidenceOf?(links: readonly ScorableLink[]): LinkEvidence;
  /**
   * @param only positions of the links to score, in the order in which the evidence was made. Default: all
   * @param into may be filled and returned, if it has room: its other places keep their numbers
   * @returns one priority for each of them, in that order. @throws InvariantError for evidence of another kind of scorer
   */
  scoreAgain?(evidence: LinkEvidence, only?: readonly number[], into?: Float32Array): Float32Array;
  /** Absent if the scorer ignores the graph of links. */
  readonly observer?: LinkObserver;
  /** The crawl calls it with the relevance of the page that a followed link led to, and whether the page is of a wanted subtopic. Queued priorities change only by `Queue.rescore` and `rescoring`. */
  learn?(link: ScorableLink, relevance: Unit, wanted?: boolean): void;
  /** Explains a link's priority: contributions sum to `logit`, and `priority` follows from it as `rule` says. */
  explain(link: ScorableLink): LinkExplanation;
}

/** The lesson of a settled URL for the link scorer. */
export interface Lesson {
  readonly entry: FrontierEntry;
  readonly relevance: Unit;
}

/** The order in which a scorer learns. */
export interface LessonQueue {
  /** Takes the lesson of a settled URL. @returns whether to learn it now */
  teach(lesson: Lesson): boolean;
  /** Lessons that have their place now, to be learned in this order. Each is returned once. */
  learned(): Iterable<Lesson>;
}

export interface LinkExplanation extends Explanation {
  readonly priority: Unit;
  /** Rule by which `priority` follows from `logit`. */
  readonly rule: string;
}
