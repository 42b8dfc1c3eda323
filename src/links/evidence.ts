import type { LinkEvidence, ScorableLink } from '../core/parts.ts';
import type { Bytes, Edge } from '../core/types.ts';
import type { LinkFeatures } from './features.ts';

/** Of seven small typed arrays with their buffers, by a heap snapshot. */
const OWN_BYTES: Bytes = 1800;

/** What the apprentice reads of some links, as columns: all that does not change as it learns. A link without an edge has no features. */
export class PackedEvidence implements LinkEvidence {
  readonly size: number;
  /** Hashed features of link `i`: from `starts[i]` to `starts[i + 1]`. */
  readonly indices: Uint32Array;
  readonly starts: Uint32Array;
  /** Its host and directories, from the root on: from `placeStarts[i]` to `placeStarts[i + 1]`. */
  readonly places: Uint32Array;
  readonly placeStarts: Uint32Array;
  /** The page it stands on, as `HubYields.placeOf` has it; -1 for a link without an edge. */
  readonly hubs: Int32Array;
  readonly referrerRelevances: Float64Array;
  readonly contextScores: Float64Array;
  readonly bytes: Bytes;

  /** @param hubOf a number for the page a link stands on */
  constructor(links: readonly ScorableLink[], features: LinkFeatures, hubOf: (edge: Edge) => number) {
    this.size = links.length;
    this.starts = new Uint32Array(this.size + 1);
    this.placeStarts = new Uint32Array(this.size + 1);
    this.hubs = new Int32Array(this.size).fill(-1);
    this.referrerRelevances = new Float64Array(this.size);
    this.contextScores = new Float64Array(this.size);
    features.clear();
    for (let i = 0; i < this.size; i++) {
      const link = links[i];
      if (link && hasEdge(link)) {
        features.read(link);
        this.hubs[i] = hubOf(link.edge);
        this.referrerRelevances[i] = link.edge.referrer.relevance;
        this.contextScores[i] = link.edge.link.contextScore ?? 0;
      }
      this.starts[i + 1] = features.count;
      this.placeStarts[i + 1] = features.placeCount;
    }
    this.indices = features.indices.slice(0, features.count);
    this.places = features.places.slice(0, features.placeCount);
    this.bytes = OWN_BYTES + 4 * (this.indices.length + this.places.length) + 28 * this.size;
  }
}

export type LinkWithEdge = ScorableLink & { readonly edge: Edge };

export function hasEdge(link: ScorableLink): link is LinkWithEdge {
  return link.edge !== null;
}
