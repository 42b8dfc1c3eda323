/** A strategy with a wish: links that promise pages of the wanted subtopics come first. */
import { logOdds, sigmoid } from '../../base/core/odds.ts';
import type { LinkEvidence, LinkExplanation, LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Unit } from '../../base/core/types.ts';
import { Apprentice, type Part } from './apprentice.ts';

/** Parts of the apprentice that are about the topic, and say nothing about one of its subtopics. */
const OF_TOPIC: readonly Part[] = [
  'referrer relevance',
  'relevance of anchor and context',
  'anchor and context on topic',
  'new host on a list of links',
  'from a list',
];
/**
 * The term of a link that is wanted with probability p is ln(1 + p / SMALL): at most 3.9. It takes nothing from links that are not wanted, so that they keep
 * their order once no wanted link is left.
 */
const SMALL: Unit = 0.02;
const LEAST: Unit = 1e-6;
const TERM = 'more of the wanted subtopics';

/**
 * Adds a term to the log-odds of a strategy: it grows with the probability that the page behind a link is of a wanted subtopic, learned by a second apprentice
 * from all followed links of the crawl. A strategy without odds has those of its priority. Seeds keep theirs.
 */
export class SteeredScorer implements LinkScorer {
  readonly strategy: string;
  readonly judgement: LinkScorer['judgement'];
  readonly observer?: NonNullable<LinkScorer['observer']>;
  readonly evidenceOf?: (links: readonly ScorableLink[]) => LinkEvidence;
  readonly scoreAgain?: (evidence: LinkEvidence, only?: readonly number[]) => Float32Array;
  learnedFrom = 0;
  readonly #inner: LinkScorer;
  readonly #wish = new Apprentice({ threshold: 1, without: new Set(OF_TOPIC) });

  constructor(inner: LinkScorer) {
    this.#inner = inner;
    this.strategy = inner.strategy;
    this.judgement = inner.judgement;
    if (inner.observer) this.observer = inner.observer;
    // Both apprentices read the same evidence.
    if (!(inner instanceof Apprentice)) return;
    this.evidenceOf = (links) => inner.evidenceOf(links);
    this.scoreAgain = (evidence, only) => this.#joined(inner.scoreAgain(evidence, only), this.#wish.scoreAgain(evidence, only));
  }

  score(links: readonly ScorableLink[]): Float32Array {
    return this.#joined(this.#inner.score(links), this.#wish.score(links));
  }

  /** @param wanted whether the page is of a wanted subtopic */
  learn(link: ScorableLink, relevance: Unit, wanted = false): void {
    this.learnedFrom += 1;
    this.#inner.learn?.(link, relevance);
    this.#wish.learn(link, wanted ? 1 : 0);
  }

  explain(link: ScorableLink): LinkExplanation {
    const inner = this.#inner.explain(link);
    if (link.edge === null) return inner;
    const isOdds = Math.abs(sigmoid(inner.logit) - inner.priority) < LEAST;
    const own = isOdds
      ? { logit: inner.logit, bias: inner.bias, contributions: inner.contributions }
      : ofPriority(inner.priority, this.strategy);
    const term = termOf(this.#wish.score([link])[0] ?? 0);
    const contributions = [...own.contributions, { feature: TERM, contribution: term }];
    contributions.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
    const priority = withTerm(inner.priority, term);
    return { logit: own.logit + term, bias: own.bias, contributions, priority, rule: 'priority = 1 / (1 + exp(-logit))' };
  }

  /** The priority with the wish; a seed has 1 by both. */
  #joined(priorities: Float32Array, wished: Float32Array): Float32Array {
    return priorities.map((priority, i) => (wished[i] === 1 ? priority : withTerm(priority, termOf(wished[i] ?? 0))));
  }
}

function ofPriority(priority: Unit, strategy: string): Pick<LinkExplanation, 'logit' | 'bias' | 'contributions'> {
  const logit = logOdds(priority, LEAST);
  return { logit, bias: 0, contributions: [{ feature: `priority by ${strategy}`, contribution: logit }] };
}

function withTerm(priority: Unit, term: number): Unit {
  return Math.fround(sigmoid(logOdds(priority, LEAST) + term));
}

function termOf(wished: Unit): number {
  return Math.log(1 + wished / SMALL);
}
