import { sigmoid } from '../core/odds.ts';
import type { Contribution, LinkExplanation, LinkScorer, ScorableLink } from '../core/parts.ts';
import type { Edge, Unit } from '../core/types.ts';
import { FEATURE_BITS, KINDS, LinkFeatures } from './features.ts';
import { HubYields } from './hub-yields.ts';
import { decodeLinkModel, type LinkWeights } from './link-model.ts';
import { Yields } from './yields.ts';

/** Rate of the first step of each weight of a feature. .03, .1 and .3 were level in the design's pilot. */
const RATE = 0.1;
/** The same for numbers: they are few, and where one misleads (words that are on topic in every menu of a host) it has to be unlearned soon. */
const NUMBER_RATE = 0.3;
/** Start of each squared-gradient sum. Near 0 the first steps are sign-like and models on small data are at chance (pilot). */
const START_ACCUMULATOR = 1;

/** What a number is made of. */
interface Evidence {
  readonly edge: Edge;
  readonly placeYield: number;
  readonly hubYield: number;
  readonly threshold: Unit;
}

/**
 * The numbers a link brings besides its hashed features, with the weights they start from. Before anything is learned the priority is thus a
 * mix of the referrer's relevance and the page model's opinion of anchor and context; from the first visit on the weights are the learner's
 * own. Chosen on the topics of bench:focus that are kept for it (`--split dev`).
 */
const NUMBERS = [
  { name: 'referrer relevance', start: 2, of: ({ edge }: Evidence) => edge.referrer.relevance },
  { name: 'relevance of anchor and context', start: 1, of: ({ edge }: Evidence) => edge.link.contextScore ?? 0 },
  {
    name: 'anchor and context on topic',
    start: 1.5,
    of: ({ edge, threshold }: Evidence) => Number((edge.link.contextScore ?? 0) >= threshold),
  },
  { name: 'yield of the place', start: 0.5, of: ({ placeYield }: Evidence) => placeYield },
  { name: 'yield of the referrer', start: 0.5, of: ({ hubYield }: Evidence) => hubYield },
] as const;
const START_BIAS = -2;
const BIAS = 'bias';

/** What may be left out, to see what it is worth: kinds of features, and numbers by their names. */
export const PARTS = [...KINDS, ...NUMBERS.map(({ name }) => name)] as const;
export type Part = (typeof PARTS)[number];

export interface ApprenticeOptions {
  /** Of the topic. */
  readonly threshold: Unit;
  /** Parts to leave out, to see what they are worth. */
  readonly without?: ReadonlySet<Part>;
  /** What another crawl learned, to begin with. */
  readonly linkModel?: LinkWeights | null;
  /** Share of its credit that a page on the way gets for each hop that a good page lies further ahead; 0 (the default) credits the referrer alone. */
  readonly gamma?: Unit;
}

/** Weights of hashed features. */
export const LINK_BUCKETS = 2 ** FEATURE_BITS;

/** A link model from a file's bytes. @throws DataError naming `path` */
export function readLinkModel(bytes: Uint8Array, path: string): LinkWeights {
  return decodeLinkModel(bytes, path, LINK_BUCKETS, START_ACCUMULATOR);
}

/**
 * Online logistic regression on the links that were followed (the "apprentice" of Chakrabarti et al. 2002): the
 * features of a link predict the relevance of the page it leads to. Per-coordinate rates RATE/√(1+Σg²) (Duchi et al.
 * 2011, AdaGrad). Deterministic: the same lessons in the same order give the same weights to the bit.
 */
export class Apprentice implements LinkScorer {
  readonly strategy = 'apprentice';
  readonly judgement = 'context';
  learnedFrom = 0;
  readonly #weights = new Float32Array(LINK_BUCKETS);
  readonly #squares = new Float32Array(LINK_BUCKETS).fill(START_ACCUMULATOR);
  readonly #numbers = NUMBERS.map(({ start }) => ({ weight: start as number, squares: START_ACCUMULATOR }));
  readonly #bias = { weight: START_BIAS, squares: START_ACCUMULATOR };
  readonly #features: LinkFeatures;
  readonly #yields = new Yields(LINK_BUCKETS);
  readonly #hubs: HubYields;
  /** Of the link model it began with. */
  #earlierLessons = 0;
  /** Of the link whose features were read last. */
  #placeYield = 0;
  #hubYield = 0;
  readonly #without: ReadonlySet<string>;
  readonly #threshold: Unit;

  constructor({ threshold, without = new Set(), linkModel = null, gamma = 0 }: ApprenticeOptions) {
    this.#threshold = threshold;
    this.#without = without;
    this.#features = new LinkFeatures(without);
    this.#hubs = new HubYields(LINK_BUCKETS, gamma);
    if (linkModel !== null) this.#beginWith(linkModel);
  }

  /** What was learned, less the yields of places and referrers: those are of this crawl. A copy. */
  linkModel(): LinkWeights {
    const named = NUMBERS.map(({ name }, i) => [name, this.#numbers[i] ?? this.#bias] as const);
    const numbers = Object.fromEntries(
      [...named, [BIAS, this.#bias] as const].map(([name, { weight, squares }]) => [name, { weight, squares }]),
    );
    const lessons = this.#earlierLessons + this.learnedFrom;
    return { weights: this.#weights.slice(), squares: this.#squares.slice(), numbers, lessons };
  }

  /** A number that the earlier program had not keeps its start. */
  #beginWith({ weights, squares, numbers, lessons }: LinkWeights): void {
    this.#weights.set(weights);
    this.#squares.set(squares);
    for (const [i, { name }] of NUMBERS.entries()) Object.assign(this.#numbers[i] ?? {}, numbers[name]);
    Object.assign(this.#bias, numbers[BIAS]);
    this.#earlierLessons = lessons;
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
    this.#hubs.add(link.url, link.edge.referrer.url, relevance);
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
    return number.of({ edge, placeYield: this.#placeYield, hubYield: this.#hubYield, threshold: this.#threshold });
  }

  /** Log odds of the page behind the link being on topic; leaves its features in `#features`. */
  #logit(link: ScorableLink & { readonly edge: Edge }, naming = false): number {
    const count = this.#features.read(link, naming);
    const { indices, places, placeCount } = this.#features;
    this.#placeYield = this.#yields.of(places, placeCount);
    this.#hubYield = this.#hubs.of(link.edge.referrer.url);
    let sum = this.#bias.weight;
    for (let i = 0; i < NUMBERS.length; i++) sum += (this.#numbers[i]?.weight ?? 0) * this.#number(i, link.edge);
    for (let i = 0; i < count; i++) sum += this.#weights[indices[i] ?? 0] ?? 0;
    return sum;
  }
}

/** One AdaGrad step of the weight of a number, or of the bias. */
function step(at: { weight: number; squares: number } | undefined, gradient: number): void {
  if (!at) return;
  at.squares += gradient * gradient;
  at.weight -= (NUMBER_RATE * gradient) / Math.sqrt(at.squares);
}

function hasEdge(link: ScorableLink): link is ScorableLink & { readonly edge: Edge } {
  return link.edge !== null;
}
