/** A strategy whose links have weights by a hook of the user. */
import type { LinkEvidence, LinkExplanation, LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Bytes, Unit } from '../../base/core/types.ts';

const TERM = 'weight by the hook onLinks';

/** Evidence of a strategy, with the weight of each link. */
class WeightedEvidence implements LinkEvidence {
  readonly inner: LinkEvidence;
  readonly weights: Float64Array;

  constructor(inner: LinkEvidence, weights: Float64Array) {
    [this.inner, this.weights] = [inner, weights];
  }

  get bytes(): Bytes {
    return this.inner.bytes + this.weights.byteLength;
  }
}

/** Multiplies the priorities of a strategy by the weights of their links. Seeds, and links without a weight, keep theirs. */
export class WeightedScorer implements LinkScorer {
  readonly strategy: string;
  readonly judgement: LinkScorer['judgement'];
  readonly observer?: NonNullable<LinkScorer['observer']>;
  readonly learn?: NonNullable<LinkScorer['learn']>;
  readonly evidenceOf?: NonNullable<LinkScorer['evidenceOf']>;
  readonly scoreAgain?: NonNullable<LinkScorer['scoreAgain']>;
  readonly #inner: LinkScorer;

  constructor(inner: LinkScorer) {
    this.#inner = inner;
    [this.strategy, this.judgement] = [inner.strategy, inner.judgement];
    if (inner.observer) this.observer = inner.observer;
    if (inner.learn) this.learn = (link, relevance, wanted) => inner.learn?.(link, relevance, wanted);
    const { evidenceOf, scoreAgain } = inner;
    if (!evidenceOf || !scoreAgain) return;
    this.evidenceOf = (links) => new WeightedEvidence(evidenceOf.call(inner, links), Float64Array.from(links, weightOf));
    this.scoreAgain = (evidence, only) => scoredAgain(evidence, only, (known) => scoreAgain.call(inner, known, only));
  }

  get learnedFrom(): number {
    return this.#inner.learnedFrom;
  }

  score(links: readonly ScorableLink[]): Float32Array {
    return this.#inner.score(links).map((priority, i) => priority * weightOf(links[i]));
  }

  explain(link: ScorableLink): LinkExplanation {
    const inner = this.#inner.explain(link);
    if (link.edge?.link.weight === undefined) return inner;
    const weight = weightOf(link);
    const priority = Math.fround(inner.priority * weight);
    const taken = priority - inner.priority;
    const contributions = [
      { feature: `priority by ${this.strategy}`, contribution: inner.priority },
      { feature: TERM, contribution: taken },
    ];
    return { logit: priority, bias: 0, contributions, priority, rule: `priority by ${this.strategy} × ${weight}, the weight of a hook` };
  }
}

function weightOf(link: ScorableLink | undefined): Unit {
  return link?.edge?.link.weight ?? 1;
}

function scoredAgain(
  evidence: LinkEvidence,
  only: readonly number[] | undefined,
  score: (known: LinkEvidence) => Float32Array,
): Float32Array {
  if (!(evidence instanceof WeightedEvidence)) return score(evidence);
  const { inner, weights } = evidence;
  return score(inner).map((priority, i) => priority * (weights[only?.[i] ?? i] ?? 1));
}
