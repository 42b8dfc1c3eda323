import { isListed } from '../../base/core/listed-links.ts';
import type { ScorableLink } from '../../base/core/parts/scoring.ts';
import type { CanonicalUrl, Edge, Unit } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { type LinkFeatures, MAX_FEATURES } from './link-features.ts';

/** A seed names its host. */
export const NAMED_BY_SEED = 1;
export const FROM_LIST = 2;

export type LinkWithEdge = ScorableLink & { readonly edge: Edge };

/** One link as the apprentice reads it. One instance is reused, and refers to the numbers of the page where they are, so that no link of a page is an object. */
export class HashedLink {
  /** Hashed features are `numbers[start, places)`, then the first `binCount` of `bins`. Host and directories, from the root down, are `numbers[places, end)`. */
  numbers: Uint32Array = new Uint32Array();
  start = 0;
  places = 0;
  end = 0;
  readonly bins = new Uint32Array(2);
  binCount = 0;
  /** The page that contains the link, as a number of `HubYields.placeOf`. */
  hub = 0;
  /** `NAMED_BY_SEED` for a link of a seed to another host, `FROM_LIST` for one from a sitemap, a feed or a list of the user. */
  marks = 0;
  /** Relevance of the referrer. */
  relevance: Unit = 0;
  contextScore: Unit = 0;
  readonly #features: LinkFeatures;
  readonly #hubOf: (referrer: CanonicalUrl) => number;

  constructor(features: LinkFeatures, hubOf: (referrer: CanonicalUrl) => number) {
    this.#features = features;
    this.#hubOf = hubOf;
  }

  /** Reads a link. About 3 µs; less where it has hashes. */
  read(link: LinkWithEdge): void {
    const { link: text, referrer } = link.edge;
    const hashes = this.#features.known(text) ?? this.#features.hashesOf(link.url, text);
    this.numbers = hashes.numbers;
    this.start = hashes.start;
    this.places = hashes.places;
    this.end = hashes.end;
    this.relevance = referrer.relevance;
    this.contextScore = text.contextScore ?? 0;
    this.binCount = 0;
    this.#addBin('relevance', this.relevance);
    this.#addBin('words', this.contextScore);
    this.hub = this.#hubOf(referrer.url);
    this.marks = (namesAnotherHost(link) ? NAMED_BY_SEED : 0) | (isListed(text) ? FROM_LIST : 0);
  }

  /** Number of features. */
  get count(): number {
    return this.places - this.start + this.binCount;
  }

  /** Copies the features, then the places, to an array. @returns the end of the copy */
  copyTo(out: Uint32Array, from: number): number {
    let to = from;
    for (let at = this.start; at < this.places; at++) out[to++] = this.numbers[at] as number;
    for (let bin = 0; bin < this.binCount; bin++) out[to++] = this.bins[bin] as number;
    for (let at = this.places; at < this.end; at++) out[to++] = this.numbers[at] as number;
    return to;
  }

  #addBin(kind: 'relevance' | 'words', relevance: Unit): void {
    const bin = this.#features.binOf(kind, relevance);
    if (bin !== null && this.count < MAX_FEATURES) this.bins[this.binCount++] = bin;
  }
}

/** The user gave the page of this link, and it leads away from there. */
function namesAnotherHost({ url, edge: { referrer } }: LinkWithEdge): boolean {
  return referrer.depth === 0 && hostKeyOf(url) !== hostKeyOf(referrer.url);
}

export function hasEdge(link: ScorableLink): link is LinkWithEdge {
  return link.edge !== null;
}
