import type { LinkEvidence, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Bytes } from '../../base/core/types.ts';
import { type HashedLink, hasEdge } from './hashed-link.ts';
import { MAX_FEATURES, MAX_PLACES } from './link-features.ts';

/** Bytes of the object and two small typed arrays with their buffers. */
const OWN_BYTES: Bytes = 600;
/** Numbers at the head of a link's block: its hub, its marks, and the number of its features. */
const HEAD = 3;

/**
 * Everything that the apprentice reads of some links and that does not change while it learns. A link without an edge has no features. Only two
 * arrays, because a crawl keeps one of these objects for each page with waiting links, often for a single link.
 */
export class PackedEvidence implements LinkEvidence {
  readonly size: number;
  /**
   * The start of each link's block, and the end of the last; then the blocks: head, hashed features, and host and directories from the root down. The
   * block of a link without an edge is empty.
   */
  readonly numbers: Uint32Array;
  /** Relevance of the referrer and score of the context, for each link in turn. */
  readonly scores: Float64Array;

  /** @param reading is overwritten */
  constructor(links: readonly ScorableLink[], reading: HashedLink) {
    this.size = links.length;
    this.scores = new Float64Array(2 * this.size);
    const numbers = new Uint32Array(links.reduce((sum, link) => sum + mostNumbersOf(link), this.size + 1));
    let at = this.size + 1;
    for (const [i, link] of links.entries()) {
      numbers[i] = at;
      if (!hasEdge(link)) continue;
      reading.read(link);
      numbers[at] = reading.hub;
      numbers[at + 1] = reading.marks;
      numbers[at + 2] = reading.count;
      at = reading.copyTo(numbers, at + HEAD);
      this.scores[2 * i] = reading.relevance;
      this.scores[2 * i + 1] = reading.contextScore;
    }
    numbers[this.size] = at;
    this.numbers = at === numbers.length ? numbers : numbers.slice(0, at);
  }

  get bytes(): Bytes {
    return OWN_BYTES + this.numbers.byteLength + this.scores.byteLength;
  }

  /** Has a link an edge? */
  hasEdge(i: number): boolean {
    return this.numbers[i] !== this.numbers[i + 1];
  }

  /** Shows a link with an edge to a reading. */
  readTo(reading: HashedLink, i: number): void {
    const { numbers, scores } = this;
    const at = numbers[i] as number;
    reading.numbers = numbers;
    reading.start = at + HEAD;
    reading.places = at + HEAD + (numbers[at + 2] as number);
    reading.end = numbers[i + 1] as number;
    reading.binCount = 0;
    reading.hub = numbers[at] as number;
    reading.marks = numbers[at + 1] as number;
    reading.relevance = scores[2 * i] as number;
    reading.contextScore = scores[2 * i + 1] as number;
  }
}

/** Numbers of a link's block: as many if its hashes are known, otherwise at most. */
function mostNumbersOf({ edge }: ScorableLink): number {
  if (edge === null) return 0;
  const { hashes } = edge.link;
  return hashes ? HEAD + hashes.end - hashes.start + 2 : HEAD + MAX_FEATURES + MAX_PLACES;
}
