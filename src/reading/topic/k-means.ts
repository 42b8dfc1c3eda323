/** Spherical k-means: groups of vectors of length 1 by their directions (Dhillon and Modha 2001). */
import { type Rng, seededRng } from '../../base/core/rng.ts';
import type { Unit } from '../../base/core/types.ts';
import { dot } from './eigenvectors.ts';

/** Groups of vectors. */
export interface Clusters {
  /** The group of each vector. */
  readonly of: Int32Array;
  /** Mean directions, each of length 1. Shape [groups][dimensions]. */
  readonly centres: readonly Float64Array[];
  /** Mean cosine of the vectors to the centre of their group. */
  readonly fit: Unit;
}

/** Starts, of which the best counts; k-means++ needs few (Arthur and Vassilvitskii 2007). */
const STARTS = 4;
/** Most documents keep their group after ten rounds (Dhillon and Modha 2001). */
const MOST_ROUNDS = 30;

/** Deterministic for equal seeds. O(vectors × groups × dimensions) a round. Groups may be fewer than asked for, if vectors are equal. */
export function clustersOf(vectors: readonly Float64Array[], groups: number, seed: number): Clusters {
  const rng = seededRng(seed);
  let best = oneStart(vectors, groups, rng);
  for (let start = 1; start < STARTS; start++) {
    const other = oneStart(vectors, groups, rng);
    if (other.fit > best.fit) best = other;
  }
  return best;
}

function oneStart(vectors: readonly Float64Array[], groups: number, rng: Rng): Clusters {
  let centres = firstCentres(vectors, groups, rng);
  let found = nearest(vectors, centres);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    centres = meansOf(vectors, found.of, centres);
    const next = nearest(vectors, centres);
    const isSettled = next.of.every((group, i) => group === found.of[i]);
    found = next;
    if (isSettled) break;
  }
  return { ...found, centres };
}

/** k-means++: each further centre is a vector drawn by its squared distance to the centres before. */
function firstCentres(vectors: readonly Float64Array[], groups: number, rng: Rng): Float64Array[] {
  const first = vectors[Math.floor(rng() * vectors.length)] as Float64Array;
  const centres = [first];
  const distances = Float64Array.from(vectors, (vector) => Math.max(0, 1 - dot(vector, first)));
  while (centres.length < groups) {
    const sum = distances.reduce((all, one) => all + one, 0);
    if (sum <= 1e-9) break;
    let rest = rng() * sum;
    let at = 0;
    while (at < vectors.length - 1 && rest >= (distances[at] as number)) rest -= distances[at++] as number;
    const centre = vectors[at] as Float64Array;
    centres.push(centre);
    for (const [i, vector] of vectors.entries()) distances[i] = Math.max(0, Math.min(distances[i] as number, 1 - dot(vector, centre)));
  }
  return centres;
}

function nearest(vectors: readonly Float64Array[], centres: readonly Float64Array[]): Pick<Clusters, 'of' | 'fit'> {
  let sum = 0;
  const of = Int32Array.from(vectors, (vector) => {
    let [best, most] = [0, Number.NEGATIVE_INFINITY];
    for (let group = 0; group < centres.length; group++) {
      const cosine = dot(vector, centres[group] as Float64Array);
      if (cosine > most) [best, most] = [group, cosine];
    }
    sum += most;
    return best;
  });
  return { of, fit: vectors.length === 0 ? 0 : sum / vectors.length };
}

/** A group without vectors keeps its centre. */
function meansOf(vectors: readonly Float64Array[], of: Int32Array, before: readonly Float64Array[]): Float64Array[] {
  const sums = before.map((centre) => new Float64Array(centre.length));
  for (const [i, vector] of vectors.entries()) {
    const sum = sums[of[i] as number] as Float64Array;
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] as number) + (vector[d] as number);
  }
  return sums.map((sum, group) => ofLengthOne(sum) ?? (before[group] as Float64Array));
}

/** The vector with length 1; null for one of length 0. */
export function ofLengthOne(vector: Float64Array): Float64Array | null {
  const length = Math.sqrt(dot(vector, vector));
  return length > 1e-12 ? vector.map((part) => part / length) : null;
}

/**
 * The mean silhouette by centres: how much nearer each vector is to its own centre than to the next one, from 0 to 1 (Rousseeuw 1987, simplified by
 * Hruschka, Campello and Castro 2006). 0 for a single group.
 */
export function silhouette(vectors: readonly Float64Array[], { of, centres }: Pick<Clusters, 'of' | 'centres'>): Unit {
  if (centres.length < 2 || vectors.length === 0) return 0;
  let sum = 0;
  for (const [i, vector] of vectors.entries()) {
    const own = 1 - dot(vector, centres[of[i] as number] as Float64Array);
    let other = Number.POSITIVE_INFINITY;
    for (let group = 0; group < centres.length; group++)
      if (group !== of[i]) other = Math.min(other, 1 - dot(vector, centres[group] as Float64Array));
    const longest = Math.max(own, other);
    sum += longest > 1e-12 ? (other - own) / longest : 0;
  }
  return sum / vectors.length;
}
