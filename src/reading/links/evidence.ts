import { isListed } from '../../base/core/listed-links.ts';
import type { LinkEvidence, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Bytes, Edge } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import type { LinkFeatures } from './link-features.ts';

/** Bytes of the object and two small typed arrays with their buffers. */
const OWN_BYTES: Bytes = 600;
/** Numbers at the head of a link in `numbers`: its hub, the start of its features, the start of its places, and `OF_SEED` and `OF_LIST`. */
const HEAD = 4;
/** A seed names its host. */
const OF_SEED = 1;
const OF_LIST = 2;
const NO_HUB = 0xffffffff;

/**
 * Everything that the apprentice reads of some links and that does not change while it learns. A link without an edge has no features. Only two
 * arrays, because a crawl keeps one of these objects for each page with waiting links, often for a single link.
 */
export class PackedEvidence implements LinkEvidence {
  readonly size: number;
  /**
   * First `HEAD` numbers for each link and for the position after the last; then the hashed features of all links; then hosts and directories of all
   * links, from the root down.
   */
  readonly numbers: Uint32Array;
  /** Relevance of the referrer and score of the context, for each link in turn. */
  readonly scores: Float64Array;

  /** @param hubOf a number for the page that contains a link */
  constructor(links: readonly ScorableLink[], features: LinkFeatures, hubOf: (edge: Edge) => number) {
    this.size = links.length;
    this.scores = new Float64Array(2 * this.size);
    const heads = new Uint32Array(HEAD * (this.size + 1));
    features.clear();
    for (let i = 0; i < this.size; i++) {
      const link = links[i];
      heads[HEAD * i] = NO_HUB;
      heads[HEAD * i + 1] = features.count;
      heads[HEAD * i + 2] = features.placeCount;
      if (!link || !hasEdge(link)) continue;
      features.read(link);
      heads[HEAD * i] = hubOf(link.edge);
      heads[HEAD * i + 3] = (namesAnotherHost(link) ? OF_SEED : 0) | (isListed(link.edge.link) ? OF_LIST : 0);
      this.scores[2 * i] = link.edge.referrer.relevance;
      this.scores[2 * i + 1] = link.edge.link.contextScore ?? 0;
    }
    heads[HEAD * this.size + 1] = features.count;
    heads[HEAD * this.size + 2] = features.placeCount;
    this.numbers = joined(heads, features);
  }

  get bytes(): Bytes {
    return OWN_BYTES + this.numbers.byteLength + this.scores.byteLength;
  }

  /** The page that contains a link, as a number of `HubYields.placeOf`; null for a link without an edge. */
  hub(i: number): number | null {
    const hub = this.numbers[HEAD * i];
    return hub === NO_HUB ? null : (hub ?? null);
  }

  /** Is it a link of a seed to another host? */
  isNamedBySeed(i: number): boolean {
    return ((this.numbers[HEAD * i + 3] as number) & OF_SEED) !== 0;
  }

  /** Is it from a sitemap, a feed or a list of the user, and from no page? */
  isListed(i: number): boolean {
    return ((this.numbers[HEAD * i + 3] as number) & OF_LIST) !== 0;
  }

  /** The index in `numbers` where the features of a link start; they end where those of the next link start. */
  featuresFrom(i: number): number {
    return this.numbers[HEAD * i + 1] as number;
  }

  /** Start of a link's places in `numbers`. */
  placesFrom(i: number): number {
    return this.numbers[HEAD * i + 2] as number;
  }
}

/** Heads, features and places in one array. Indexes in the heads count from the start of that array. */
function joined(heads: Uint32Array, { indices, count, places, placeCount }: LinkFeatures): Uint32Array {
  const out = new Uint32Array(heads.length + count + placeCount);
  for (let at = 0; at < heads.length; at += HEAD) {
    out[at] = heads[at] as number;
    out[at + 1] = heads.length + (heads[at + 1] as number);
    out[at + 2] = heads.length + count + (heads[at + 2] as number);
    out[at + 3] = heads[at + 3] as number;
  }
  out.set(indices.subarray(0, count), heads.length);
  out.set(places.subarray(0, placeCount), heads.length + count);
  return out;
}

/** The user gave the page of this link, and it leads away from there. */
function namesAnotherHost({ url, edge: { referrer } }: LinkWithEdge): boolean {
  return referrer.depth === 0 && hostKeyOf(url) !== hostKeyOf(referrer.url);
}

export type LinkWithEdge = ScorableLink & { readonly edge: Edge };

export function hasEdge(link: ScorableLink): link is LinkWithEdge {
  return link.edge !== null;
}
