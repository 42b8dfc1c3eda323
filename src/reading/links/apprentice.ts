import { InvariantError } from '../../base/core/errors.ts';
import { sigmoid } from '../../base/core/odds.ts';
import type { Contribution } from '../../base/core/parts/reading.ts';
import type { LinkEvidence, LinkExplanation, LinkScorer, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Unit } from '../../base/core/types.ts';
import { PackedEvidence } from './evidence.ts';
import { FROM_LIST, HashedLink, hasEdge, type LinkWithEdge, NAMED_BY_SEED } from './hashed-link.ts';
import { HubYields } from './hub-yields.ts';
import { FEATURE_BITS, KINDS, LinkFeatures, MAX_PLACES } from './link-features.ts';
import { decodeLinkModel, type LinkWeights } from './link-model-file.ts';
import { Yields } from './yields.ts';

/** Learning rate of the first step of each feature weight. .03, .1 and .3 were level in the pilot of the design. */
const RATE = 0.1;
/**
 * Learning rate of the first step of numbers. They are few, and a misleading one (on-topic words in every menu of a host) has to be
 * unlearned soon.
 */
const NUMBER_RATE = 0.3;
/** Start of each sum of squared gradients. Near 0, the first steps depend only on the sign, and models from few data are no better than chance (pilot). */
const START_ACCUMULATOR = 1;

/**
 * A seed that is off topic by the model was given for its links: it is a list of links. Of the starts 3 to 6, this is the first at which all hosts of a
 * list were visited within 30 visits, beside a host that is a third on topic (test/study/eval/link-lists.test.ts). The learner lowers it where lists lead astray.
 */
const NEW_HOST = 5;

/**
 * A list names all pages of its place, and the visits so far were to the best of them: their yield says too much about the others. With true labels, a
 * list of 5,000 pages took a crawl from .57 to .25 without this number, and to .58 with it (`npm run bench -- focus --split dev --topics games
 * --strategies apprentice=truth,apprentice@list=truth`). The learner changes it soon, as each visit of a listed page is a lesson about it.
 */
const OF_LIST = -1;

/**
 * The numbers of a link next to its hashed features, with their initial weights; `#read` returns their values in this order. Before anything is
 * learned, the priority is a mix of the referrer's relevance and the page model's judgement of anchor and context. From the first visit on, the
 * learner changes the weights. Chosen on the development topics of `npm run bench -- focus` (`--split dev`).
 */
const NUMBERS = [
  { name: 'referrer relevance', start: 2 },
  { name: 'relevance of anchor and context', start: 1 },
  { name: 'anchor and context on topic', start: 1.5 },
  { name: 'yield of the place', start: 0.5 },
  { name: 'yield of the referrer', start: 0.5 },
  { name: 'new host on a list of links', start: NEW_HOST },
  { name: 'from a list', start: OF_LIST },
] as const;
const START_BIAS = -2;
const BIAS = 'bias';

/** Parts that can be omitted to measure their value: kinds of features, and numbers by name. */
export const PARTS = [...KINDS, ...NUMBERS.map(({ name }) => name)] as const;
export type Part = (typeof PARTS)[number];

export interface ApprenticeOptions {
  /** The threshold of the topic. */
  readonly threshold: Unit;
  /** Parts to omit, to measure their value. */
  readonly without?: ReadonlySet<Part>;
  /** The link model of another crawl to start with. */
  readonly linkModel?: LinkWeights;
}

/** Number of weights of hashed features. */
export const LINK_BUCKETS = 2 ** FEATURE_BITS;

/** Reads a link model from the bytes of a file. @throws DataError naming `path` */
export function readLinkModel(bytes: Uint8Array, path: string): LinkWeights {
  return decodeLinkModel(bytes, path, LINK_BUCKETS, START_ACCUMULATOR);
}

/**
 * Online logistic regression on the followed links (the "apprentice" of Chakrabarti et al. 2002): the features of a link predict the relevance of the
 * page behind it. Rates per coordinate are RATE/√(1+Σg²) (Duchi et al. 2011, AdaGrad). Deterministic: the same lessons in the same order give the
 * same weights, bit for bit.
 */
export class Apprentice implements LinkScorer {
  readonly strategy = 'apprentice';
  readonly judgement = 'context';
  learnedFrom = 0;
  readonly #weights = new Float32Array(LINK_BUCKETS);
  readonly #squares = new Float32Array(LINK_BUCKETS).fill(START_ACCUMULATOR);
  /** Weights of the numbers. Shapes [NUMBERS.length]. */
  readonly #numberWeights = Float64Array.from(NUMBERS, ({ start }) => start);
  readonly #numberSquares = new Float64Array(NUMBERS.length).fill(START_ACCUMULATOR);
  readonly #bias = { weight: START_BIAS, squares: START_ACCUMULATOR };
  readonly #features: LinkFeatures;
  readonly #yields = new Yields(LINK_BUCKETS);
  readonly #hubs = new HubYields(LINK_BUCKETS);
  /** The link whose logit was computed last. */
  readonly #link: HashedLink;
  /** Number of lessons in the link model it started with. */
  #earlierLessons = 0;
  /** Logit of that link. A number that a function returns may become an object, and each link of each page has one. */
  readonly #logit = new Float64Array(1);
  /** Numbers of that link. Shape [NUMBERS.length]. */
  readonly #values = new Float64Array(NUMBERS.length);
  /** 0 for an omitted number, else 1. */
  readonly #used: Float64Array;
  readonly #threshold: Unit;

  constructor({ threshold, without = new Set(), linkModel }: ApprenticeOptions) {
    this.#threshold = threshold;
    this.#used = Float64Array.from(NUMBERS, ({ name }) => (without.has(name) ? 0 : 1));
    this.#features = new LinkFeatures(without);
    this.#link = new HashedLink(this.#features, (referrer) => this.#hubs.placeOf(referrer));
    if (linkModel) this.#beginWith(linkModel);
  }

  /** A copy of the learned weights, without the yields of places and referrers: those belong to this crawl. */
  linkModel(): LinkWeights {
    const named = NUMBERS.map(({ name }, i) => {
      const [weight, squares] = [this.#numberWeights[i] as number, this.#numberSquares[i] as number];
      return [name, { weight, squares }] as const;
    });
    const numbers = Object.fromEntries([...named, [BIAS, { ...this.#bias }] as const]);
    const lessons = this.#earlierLessons + this.learnedFrom;
    return { weights: this.#weights.slice(), squares: this.#squares.slice(), numbers, lessons };
  }

  /** A number that the earlier program did not have keeps its initial weight. */
  #beginWith({ weights, squares, numbers, lessons }: LinkWeights): void {
    this.#weights.set(weights);
    this.#squares.set(squares);
    for (const [i, { name }] of NUMBERS.entries()) {
      this.#numberWeights[i] = numbers[name]?.weight ?? (this.#numberWeights[i] as number);
      this.#numberSquares[i] = numbers[name]?.squares ?? (this.#numberSquares[i] as number);
    }
    Object.assign(this.#bias, numbers[BIAS]);
    this.#earlierLessons = lessons;
  }

  score(links: readonly ScorableLink[]): Float32Array {
    const out = new Float32Array(links.length);
    for (let i = 0; i < links.length; i++) {
      const link = links[i] as ScorableLink;
      if (hasEdge(link)) {
        this.#link.read(link);
        this.#weigh();
        out[i] = sigmoid(this.#logit[0] as number);
      } else out[i] = 1;
    }
    return out;
  }

  evidenceOf(links: readonly ScorableLink[]): PackedEvidence {
    return new PackedEvidence(links, this.#link);
  }

  scoreAgain(evidence: LinkEvidence, only?: readonly number[], into?: Float32Array): Float32Array {
    if (!(evidence instanceof PackedEvidence)) throw new InvariantError('an apprentice was given evidence of another scorer');
    const size = only?.length ?? evidence.size;
    const out = into !== undefined && into.length >= size ? into : new Float32Array(size);
    for (let n = 0; n < size; n++) {
      const i = only === undefined ? n : (only[n] as number);
      if (evidence.hasEdge(i)) {
        evidence.readTo(this.#link, i);
        this.#weigh();
        out[n] = sigmoid(this.#logit[0] as number);
      } else out[n] = 1;
    }
    return out;
  }

  learn(link: ScorableLink, relevance: Unit): void {
    this.learnedFrom += 1;
    if (!hasEdge(link)) return;
    const gradient = sigmoid(this.#logitOf(link)) - relevance;
    const { numbers, start, places, end, bins, binCount } = this.#link;
    for (let at = start; at < places; at++) this.#teach(numbers[at] as number, gradient);
    for (let bin = 0; bin < binCount; bin++) this.#teach(bins[bin] as number, gradient);
    this.#step(gradient);
    this.#yields.add(numbers, places, end, relevance);
    this.#hubs.add(link.edge.referrer.url, relevance);
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
    const logit = this.#logitOf(link);
    const contributions: Contribution[] = NUMBERS.map((number, i) => ({
      feature: number.name,
      contribution: (this.#numberWeights[i] as number) * (this.#values[i] as number),
    }));
    const names = this.#features.namesOf(link);
    const features = new Uint32Array(this.#link.count + MAX_PLACES);
    this.#link.copyTo(features, 0);
    for (const [i, name] of names.entries()) contributions.push({ feature: name, contribution: this.#weights[features[i] ?? 0] ?? 0 });
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

  /** Log-odds that the page behind a link is on topic. */
  #logitOf(link: LinkWithEdge): number {
    this.#link.read(link);
    this.#weigh();
    return this.#logit[0] as number;
  }

  /** Leaves the logit of `#link` in `#logit`, and the values of its numbers in `#values`. */
  #weigh(): void {
    this.#value();
    const { numbers, start, places, bins, binCount } = this.#link;
    const weights = this.#weights;
    const values = this.#values;
    const numberWeights = this.#numberWeights;
    let sum = this.#bias.weight;
    for (let n = 0; n < values.length; n++) sum += (numberWeights[n] as number) * (values[n] as number);
    for (let at = start; at < places; at++) sum += weights[numbers[at] as number] as number;
    for (let bin = 0; bin < binCount; bin++) sum += weights[bins[bin] as number] as number;
    this.#logit[0] = sum;
  }

  /** The values of `NUMBERS` for a link; 0 for omitted ones. */
  #value(): void {
    const values = this.#values;
    const used = this.#used;
    const { numbers, places, end, hub, marks, relevance, contextScore } = this.#link;
    values[0] = relevance * (used[0] as number);
    values[1] = contextScore * (used[1] as number);
    values[2] = contextScore >= this.#threshold ? (used[2] as number) : 0;
    values[3] = this.#yields.of(numbers, places, end) * (used[3] as number);
    values[4] = this.#hubs.of(hub) * (used[4] as number);
    values[5] = this.#isNewHostOfList() ? (used[5] as number) : 0;
    values[6] = (marks & FROM_LIST) !== 0 ? (used[6] as number) : 0;
  }

  /** Does a seed that is off topic link to a host without any page read? Further links to the host wait for that first page. */
  #isNewHostOfList(): boolean {
    const { numbers, places, marks, relevance } = this.#link;
    return (marks & NAMED_BY_SEED) !== 0 && relevance < this.#threshold && !this.#yields.knows(numbers[places] as number);
  }

  /** One AdaGrad step for the weight of a feature. */
  #teach(at: number, gradient: number): void {
    const squares = (this.#squares[at] ?? START_ACCUMULATOR) + gradient * gradient;
    this.#squares[at] = squares;
    this.#weights[at] = (this.#weights[at] ?? 0) - (RATE * gradient) / Math.sqrt(squares);
  }

  /** One AdaGrad step for the bias and the weights of the numbers. */
  #step(gradient: number): void {
    const bias = this.#bias;
    bias.squares += gradient * gradient;
    bias.weight -= (NUMBER_RATE * gradient) / Math.sqrt(bias.squares);
    for (let i = 0; i < NUMBERS.length; i++) {
      const of = gradient * (this.#values[i] as number);
      const squares = (this.#numberSquares[i] as number) + of * of;
      this.#numberSquares[i] = squares;
      this.#numberWeights[i] = (this.#numberWeights[i] as number) - (NUMBER_RATE * of) / Math.sqrt(squares);
    }
  }
}
