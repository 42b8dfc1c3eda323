import type { Contribution, LinkExplanation, LinkScorer, ScorableLink } from '../core/parts.ts';
import type { Edge, Unit } from '../core/types.ts';
import { FEATURE_BITS, KINDS, LinkFeatures } from './features.ts';
import { Yields } from './yields.ts';

/** Rate of the first step of each weight. .03, .1 and .3 were level in the design's pilot. */
const RATE = 0.1;
/** Start of each squared-gradient sum. Near 0 the first steps are sign-like and models on small data are at chance (pilot). */
const START_ACCUMULATOR = 1;
/** Hops off topic that are told apart. */
const MAX_OFF_TOPIC = 4;

/**
 * The numbers a link brings besides its hashed words, with the weights they start from. Before anything is learned
 * the priority is thus a mix of the referrer's relevance and the page model's opinion of anchor and context, in equal
 * shares, less a share for each hop off topic; from the first visit on the weights are the learner's own.
 */
const NUMBERS = [
  { name: 'referrer relevance', start: 2, of: ({ referrer }: Edge) => referrer.relevance },
  { name: 'relevance of anchor and context', start: 2, of: ({ link }: Edge) => link.contextScore ?? 0 },
  { name: 'hops off topic', start: -1.5, of: ({ referrer }: Edge) => Math.min(referrer.offTopicDepth, MAX_OFF_TOPIC) / MAX_OFF_TOPIC },
  { name: 'yield of the place', start: 0.5, of: (_: Edge, placeYield: number) => placeYield },
] as const;
const START_BIAS = -2;

/** What may be left out, to see what it is worth: kinds of features, and numbers. */
export const PARTS = [...KINDS, ...NUMBERS.map(({ name }) => name)] as const;
export type Part = (typeof PARTS)[number];

/**
 * Online logistic regression on the links that were followed (the "apprentice" of Chakrabarti et al. 2002): the
 * features of a link predict the relevance of the page it leads to. Per-coordinate rates RATE/√(1+Σg²) (Duchi et al.
 * 2011, AdaGrad). Deterministic: the same lessons in the same order give the same weights to the bit.
 */
export class Apprentice implements LinkScorer {
  readonly strategy = 'apprentice';
  readonly judgement = 'context';
  learnedFrom = 0;
  readonly #weights = new Float32Array(2 ** FEATURE_BITS);
  readonly #squares = new Float32Array(2 ** FEATURE_BITS).fill(START_ACCUMULATOR);
  readonly #numbers = NUMBERS.map(({ start }) => ({ weight: start as number, squares: START_ACCUMULATOR }));
  readonly #bias = { weight: START_BIAS, squares: START_ACCUMULATOR };
  readonly #features: LinkFeatures;
  readonly #yields = new Yields(2 ** FEATURE_BITS);
  readonly #without: ReadonlySet<string>;

  constructor(without: ReadonlySet<Part> = new Set()) {
    this.#without = without;
    this.#features = new LinkFeatures(without);
  }

  score(links: readonly ScorableLink[]): Float32Array {
    const out = new Float32Array(links.length);
    for (let i = 0; i < links.length; i++) {
      const link = links[i];
      out[i] = link && hasEdge(link) ? sigmoid(this.#logit(link)) : 1;
    }
    return out;
  }

  learn(link: ScorableLink, relevance: Unit): void {
    this.learnedFrom += 1;
    if (!hasEdge(link)) return;
    const gradient = sigmoid(this.#logit(link)) - relevance;
    const { indices, count } = this.#features;
    for (let i = 0; i < count; i++) {
      const at = indices[i] ?? 0;
      const squares = (this.#squares[at] ?? START_ACCUMULATOR) + gradient * gradient;
      this.#squares[at] = squares;
      this.#weights[at] = (this.#weights[at] ?? 0) - (RATE * gradient) / Math.sqrt(squares);
    }
    step(this.#bias, gradient);
    for (let i = 0; i < NUMBERS.length; i++) step(this.#numbers[i], gradient * this.#number(i, link.edge));
    this.#yields.add(this.#features.places, this.#features.placeCount, relevance);
  }

  explain(link: ScorableLink): LinkExplanation {
    if (!hasEdge(link))
      return {
        logit: Number.POSITIVE_INFINITY,
        bias: Number.POSITIVE_INFINITY,
        contributions: [],
        priority: 1,
        rule: 'a seed has priority 1',
      };
    const logit = this.#logit(link, true);
    const { indices, count, names } = this.#features;
    const contributions: Contribution[] = NUMBERS.map((number, i) => ({
      feature: number.name,
      contribution: (this.#numbers[i]?.weight ?? 0) * this.#number(i, link.edge),
    }));
    for (let i = 0; i < count; i++) contributions.push({ feature: names[i] ?? '', contribution: this.#weights[indices[i] ?? 0] ?? 0 });
    const shown = contributions.filter(({ contribution }) => contribution !== 0);
    shown.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
    return {
      logit,
      bias: this.#bias.weight,
      contributions: shown,
      priority: Math.fround(sigmoid(logit)),
      rule: 'priority = 1 / (1 + exp(-logit))',
    };
  }

  /** One of `NUMBERS`, of the link whose features were read last. */
  #number(i: number, edge: Edge): number {
    const number = NUMBERS[i];
    if (number === undefined || this.#without.has(number.name)) return 0;
    const { places, placeCount } = this.#features;
    return number.of(edge, number.name === 'yield of the place' ? this.#yields.of(places, placeCount) : 0);
  }

  /** Log odds of the page behind the link being on topic; leaves its features in `#features`. */
  #logit(link: ScorableLink & { readonly edge: Edge }, naming = false): number {
    const count = this.#features.read(link, naming);
    const { indices } = this.#features;
    let sum = this.#bias.weight;
    for (let i = 0; i < NUMBERS.length; i++) sum += (this.#numbers[i]?.weight ?? 0) * this.#number(i, link.edge);
    for (let i = 0; i < count; i++) sum += this.#weights[indices[i] ?? 0] ?? 0;
    return sum;
  }
}

/** One AdaGrad step of a weight that is not hashed. */
function step(at: { weight: number; squares: number } | undefined, gradient: number): void {
  if (!at) return;
  at.squares += gradient * gradient;
  at.weight -= (RATE * gradient) / Math.sqrt(at.squares);
}

function hasEdge(link: ScorableLink): link is ScorableLink & { readonly edge: Edge } {
  return link.edge !== null;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
