import type { LinkEvidence, ScorableLink } from '../../base/core/parts/scoring.ts';
import type { Bytes } from '../../base/core/types.ts';
import { type HashedLink, hasEdge } from './hashed-link.ts';
import { MAX_FEATURES, MAX_PLACES } from './link-features.ts';

/** Bytes of the object and a small typed array with its buffer. */
const OWN_BYTES: Bytes = 350;
/** Numbers at the head of a link's block: its hub, its marks, the number of its features, and two each for the relevance of the referrer and the score of the context. */
const HEAD = 7;
const SCORES = 3;

/** A double as two numbers of a block. */
const DOUBLES = new Float64Array(2);
const HALVES = new Uint32Array(DOUBLES.buffer);

/**
 * Everything that the apprentice reads of some links and that does not change while it learns. A link without an edge has no features. Only one
 * array, because a crawl keeps one of these objects for each page with waiting links, often for a single link.
 */
export class PackedEvidence implements LinkEvidence {
  readonly size: number;
  /**
   * The start of each link's block, and the end of the last; then the blocks: head, hashed features, and host and directories from the root down. The
   * block of a link without an edge is empty.
   */
  readonly numbers: Uint32Array;

  /** @param hashed is overwritten */
  constructor(links: readonly ScorableLink[], hashed: HashedLink) {
    this.size = links.length;
    const numbers = new Uint32Array(links.reduce((sum, link) => sum + mostNumbersOf(link), this.size + 1));
    let at = this.size + 1;
    for (const [i, link] of links.entries()) {
      numbers[i] = at;
      if (!hasEdge(link)) continue;
      hashed.read(link);
      numbers[at] = hashed.hub;
      numbers[at + 1] = hashed.marks;
      numbers[at + 2] = hashed.count;
      DOUBLES[0] = hashed.relevance;
      DOUBLES[1] = hashed.contextScore;
      numbers.set(HALVES, at + SCORES);
      at = hashed.copyTo(numbers, at + HEAD);
    }
    numbers[this.size] = at;
    this.numbers = at === numbers.length ? numbers : numbers.slice(0, at);
  }

  get bytes(): Bytes {
    return OWN_BYTES + this.numbers.byteLength;
  }

  /** Has a link an edge? */
  hasEdge(i: number): boolean {
    return this.numbers[i] !== this.numbers[i + 1];
  }

  /** Shows a link with an edge to a hashed. */
  readTo(hashed: HashedLink, i: number): void {
    const { numbers } = this;
    const at = numbers[i] as number;
    hashed.numbers = numbers;
    hashed.start = at + HEAD;
    hashed.places = at + HEAD + (numbers[at + 2] as number);
    hashed.end = numbers[i + 1] as number;
    hashed.binCount = 0;
    hashed.hub = numbers[at] as number;
    hashed.marks = numbers[at + 1] as number;
    for (let half = 0; half < HALVES.length; half++) HALVES[half] = numbers[at + SCORES + half] as number;
    hashed.relevance = DOUBLES[0] as number;
    hashed.contextScore = DOUBLES[1] as number;
  }
}

/** Numbers of a link's block: as many if its hashes are known, otherwise at most. */
function mostNumbersOf({ edge }: ScorableLink): number {
  if (edge === null) return 0;
  const { hashes } = edge.link;
  return hashes ? HEAD + hashes.end - hashes.start + 2 : HEAD + MAX_FEATURES + MAX_PLACES;
}
