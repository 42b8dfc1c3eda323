/** Dynamic programming over the sentences of two texts, inside of a corridor. */
import { InvariantError } from '../../base/core/errors.ts';

/** Sentences of a bead, as numbers of the left and the right text. */
export const BEAD_KINDS = [
  [1, 1],
  [1, 0],
  [0, 1],
  [2, 1],
  [1, 2],
  [2, 2],
  [3, 1],
  [1, 3],
] as const;
export const LEFTS = Int32Array.from(BEAD_KINDS, ([left]) => left);
export const RIGHTS = Int32Array.from(BEAD_KINDS, ([, right]) => right);
/** The most sentences that a bead has on a side. */
export const MAX_BEAD = 3;

/** Ranges of sentences, as `[first, end)` of the left and the right text. */
export interface BeadRange {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
  /** Index in `BEAD_KINDS`. */
  readonly kind: number;
}

/** The gaps between sentences that a path may cross: after `i` sentences of the left text, those of the right text from `from[i]` to `to[i]`. */
export interface Corridor {
  readonly from: Int32Array;
  /** The last one, inclusive. */
  readonly to: Int32Array;
}

/** Gain of beads, in nats, over leaving their sentences without partner. */
export interface BeadGains {
  /** Called for each number of left sentences, in order, before `gain` is called for beads that end there. */
  prepare(leftEnd: number): void;
  gain(kind: number, leftEnd: number, rightEnd: number): number;
}

/** A corridor along the diagonal. @param cells most gaps that it may have, if the texts are not longer than that */
export function diagonalCorridor(left: number, right: number, cells: number): Corridor {
  const slope = right / Math.max(1, left);
  const half = Math.max(cells / (left + 1) / 2, slope / 2 + MAX_BEAD + 1);
  const from = new Int32Array(left + 1);
  const to = new Int32Array(left + 1);
  for (let i = 0; i <= left; i++) {
    from[i] = Math.max(0, Math.floor(i * slope - half));
    to[i] = Math.min(right, Math.ceil(i * slope + half));
  }
  from[0] = 0;
  to[left] = right;
  return { from, to };
}

/** Whether the corridor has every gap. */
export function isWhole({ from, to }: Corridor, right: number): boolean {
  return from.at(-1) === 0 && to[0] === right;
}

/** The gaps at most `margin` sentences from a path. */
export function corridorAlong(beads: readonly BeadRange[], left: number, right: number, margin: number): Corridor {
  const first = new Int32Array(left + 1).fill(right);
  const last = new Int32Array(left + 1);
  for (const bead of beads)
    for (let i = bead.left[0]; i <= bead.left[1]; i++) {
      first[i] = Math.min(first[i] as number, bead.right[0]);
      last[i] = Math.max(last[i] as number, bead.right[1]);
    }
  const from = new Int32Array(left + 1);
  const to = new Int32Array(left + 1);
  for (let i = 0; i <= left; i++) {
    from[i] = Math.max(0, (first[Math.max(0, i - margin)] as number) - margin);
    to[i] = Math.min(right, (last[Math.min(left, i + margin)] as number) + margin);
  }
  return { from, to };
}

/** The beads with the highest sum of gains, in order. O(gaps); memory: a byte a gap. */
export function searchBeads(left: number, right: number, corridor: Corridor, gains: BeadGains): BeadRange[] {
  const { from, to } = corridor;
  const offsets = new Float64Array(left + 2);
  for (let i = 0; i <= left; i++) offsets[i + 1] = (offsets[i] as number) + (to[i] as number) - (from[i] as number) + 1;
  const chosen = new Uint8Array(offsets[left + 1] as number);
  const rows: Float64Array[] = Array.from({ length: MAX_BEAD + 1 }, () => new Float64Array(0));
  for (let i = 0; i <= left; i++) {
    gains.prepare(i);
    const low = from[i] as number;
    const row = new Float64Array((to[i] as number) - low + 1).fill(Number.NEGATIVE_INFINITY);
    rows[i % rows.length] = row;
    if (i === 0) row[0] = 0;
    const at = offsets[i] as number;
    for (let j = low; j <= (to[i] as number); j++) {
      for (let kind = 0; kind < BEAD_KINDS.length; kind++) {
        const a = LEFTS[kind] as number;
        const b = RIGHTS[kind] as number;
        if (a > i || j - b < (from[i - a] as number) || j - b > (to[i - a] as number)) continue;
        const before = (rows[(i - a) % rows.length] as Float64Array)[j - b - (from[i - a] as number)] as number;
        if (before === Number.NEGATIVE_INFINITY) continue;
        const value = before + gains.gain(kind, i, j);
        if (value > (row[j - low] as number)) {
          row[j - low] = value;
          chosen[at + j - low] = kind;
        }
      }
    }
  }
  return pathOf(left, right, (i, j) => chosen[(offsets[i] as number) + j - (from[i] as number)] as number);
}

function pathOf(left: number, right: number, chosen: (i: number, j: number) => number): BeadRange[] {
  const beads: BeadRange[] = [];
  for (let i = left, j = right; i > 0 || j > 0; ) {
    const kind = chosen(i, j);
    const [a, b] = BEAD_KINDS[kind] as readonly [number, number];
    if (a > i || b > j) throw new InvariantError('the corridor of an alignment has no path');
    beads.push({ left: [i - a, i], right: [j - b, j], kind });
    i -= a;
    j -= b;
  }
  return beads.reverse();
}
