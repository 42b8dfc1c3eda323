import type { LinkExplanation, LinkScorer, ScorableLink } from '../core/parts/scoring.ts';
import { lastRescoring } from '../core/rescoring-schedule.ts';
import { type Rng, seededRng } from '../core/rng.ts';
import type { Unit } from '../core/types.ts';
import { betaSample } from './beta-sample.ts';

/** A strategy of the portfolio, and the result of the pages it chose. */
interface Arm {
  readonly scorer: LinkScorer;
  /** Sums of the relevance of its pages, and of 1 minus that relevance, both starting from 1: a Beta distribution of its yield, at first uniform. */
  good: number;
  bad: number;
}

/**
 * Several strategies in turn. Each rescoring draws one by Thompson sampling (Thompson 1933; as Beta counts Chapelle & Li 2011) on the relevance of
 * the pages it chose before. That strategy gives all priorities until the next rescoring. All strategies learn from every page. Nothing is forgotten:
 * a discount did better on one web and worse on another (pilot of the design). Deterministic for a given seed.
 */
export class Portfolio implements LinkScorer {
  readonly strategy = 'portfolio';
  readonly judgement = 'context';
  learnedFrom = 0;
  readonly #arms: readonly Arm[];
  readonly #first: Arm;
  readonly #rng: Rng;
  /** The arm that was drawn, and the number of lessons at that time; ascending. */
  readonly #draws: { readonly from: number; readonly arm: Arm }[] = [];

  /** @param scorers fresh; the first one starts. @throws RangeError without scorers */
  constructor(scorers: readonly LinkScorer[], seed: number) {
    this.#arms = scorers.map((scorer) => ({ scorer, good: 1, bad: 1 }));
    this.#rng = seededRng(seed);
    const [first] = this.#arms;
    if (!first) throw new RangeError('a portfolio needs a strategy');
    this.#first = first;
  }

  score(links: readonly ScorableLink[]): Float32Array {
    return this.#drawnAt(this.learnedFrom).scorer.score(links);
  }

  learn(link: ScorableLink, relevance: Unit): void {
    if (link.edge !== null) {
      const arm = this.#drawnAt(link.edge.learnedFrom);
      arm.good += relevance;
      arm.bad += 1 - relevance;
    }
    for (const { scorer } of this.#arms) scorer.learn?.(link, relevance);
    this.learnedFrom += 1;
    if (lastRescoring(this.learnedFrom) === this.learnedFrom) this.#draw();
  }

  explain(link: ScorableLink): LinkExplanation {
    const { scorer, good, bad } = this.#drawnAt(this.learnedFrom);
    const explained = scorer.explain(link);
    const yielded = `the relevances of the ${(good + bad - 2).toFixed(0)} pages it had chosen sum to ${(good - 1).toFixed(1)}`;
    return { ...explained, rule: `${explained.rule}; the strategy drawn was ${scorer.strategy}: ${yielded}` };
  }

  #draw(): void {
    const drawn = this.#arms.map((arm) => ({ arm, value: betaSample(arm.good, arm.bad, this.#rng) }));
    const best = drawn.reduce((a, b) => (b.value > a.value ? b : a));
    this.#draws.push({ from: this.learnedFrom, arm: best.arm });
  }

  /** The arm that gave priorities after that many lessons. There are about a hundred draws in ten thousand lessons, and mostly it is one of the last. */
  #drawnAt(lessons: number): Arm {
    return this.#draws.findLast(({ from }) => from <= lessons)?.arm ?? this.#first;
  }
}
