/** Likeness of two pages in two languages: shared marks, like lines, lengths. Nothing of it reads the languages. */
import { shareOf } from '../../base/core/share.ts';
import type { Unit } from '../../base/core/types.ts';
import { LENGTH_STEPS, MAX_LINES, MAX_MARKS } from './page-marks.ts';
import type { PageSketch, Side } from './page-sketch.ts';

/** Buckets for counts of marks: two of a hundred thousand pages rarely share one. 16 MB at most. */
const MAX_BUCKETS = 1 << 22;
const MAX_COUNT = 0xffff;
/** Lines that one page may have more than the other, for their order to be compared. */
const BAND = 12;
/** Lengths of a line and its translation differ by a third in most pairs of the bench. */
const LENGTH_SPREAD = 0.45 * LENGTH_STEPS;
/** Likeness of two lines by the difference of their lengths, in steps: `exp` would take most of the time of a pairing. */
const LENGTH_LIKENESS = Float32Array.from({ length: 512 }, (_, steps) => Math.exp(-((steps / LENGTH_SPREAD) ** 2) / 2));

/** Number of pages of each language that have a mark. */
export class MarkCounts {
  readonly #counts: readonly [Uint16Array, Uint16Array];
  readonly #mask: number;
  readonly #pages: [number, number] = [0, 0];

  /** @param pages number of pages that will be added */
  constructor(pages: number) {
    let buckets = 1 << 10;
    while (buckets < Math.min(MAX_BUCKETS, pages * MAX_MARKS * 2)) buckets *= 2;
    this.#counts = [new Uint16Array(buckets), new Uint16Array(buckets)];
    this.#mask = buckets - 1;
  }

  /** @param marks each once */
  addPage(marks: Iterable<number>, side: Side): void {
    this.#pages[side] += 1;
    const counts = this.#counts[side];
    for (const mark of marks) {
      const at = mark & this.#mask;
      const count = counts[at] as number;
      if (count < MAX_COUNT) counts[at] = count + 1;
    }
  }

  of(mark: number, side: Side): number {
    return this.#counts[side][mark & this.#mask] as number;
  }

  /** Information of a mark that both languages have, 0 for one that only one of them has. */
  weight(mark: number): number {
    const [left, right] = [this.of(mark, 0), this.of(mark, 1)];
    if (left === 0 || right === 0) return 0;
    return Math.log(((this.#pages[0] + 1) * (this.#pages[1] + 1)) / (left * right)) / 2 + 0.1;
  }
}

/** Share of something that two pages have in common, and the amount of it that was compared: a little proves nothing. */
export interface CommonShare {
  readonly share: Unit;
  readonly amount: number;
}

export interface PageLikeness {
  /** Numbers and code, by their information. */
  readonly firm: CommonShare;
  /** Plain words, in the same way. */
  readonly words: CommonShare;
  /** Lines that have a partner of like length in the same order. */
  readonly lines: CommonShare;
  /** Lines with firm marks whose partner has the same ones. */
  readonly marked: CommonShare;
  /** Difference of the logarithms of both lengths. */
  readonly lengthApart: number;
}

export function likenessOf(left: PageSketch, right: PageSketch, counts: MarkCounts): PageLikeness {
  return {
    firm: sharedMarks(left.firm, right.firm, counts),
    words: sharedMarks(left.words, right.words, counts),
    ...linesAlike(left, right),
    lengthApart: Math.abs(Math.log((1 + left.length) / (1 + right.length))),
  };
}

/** Are both texts one text in one language? */
export function areSameText(left: PageSketch, right: PageSketch): boolean {
  if (left.textHash === right.textHash && left.length === right.length) return true;
  if (Math.min(left.words.length, right.words.length) < 20) return false;
  return shareOfSample(left.words, right.words) >= 0.9;
}

/** Both samples hold the lowest hashes: above the end of the shorter one nothing is known. */
function endOfSample(marks: Uint32Array): number {
  return marks.length < MAX_MARKS ? Number.POSITIVE_INFINITY : (marks[marks.length - 1] as number);
}

function shareOfSample(a: Uint32Array, b: Uint32Array): Unit {
  let [both, all] = [0, 0];
  eachMark(a, b, (_, isBoth) => {
    all += 1;
    if (isBoth) both += 1;
  });
  return shareOf(both, all);
}

function sharedMarks(a: Uint32Array, b: Uint32Array, counts: MarkCounts): CommonShare {
  let [both, amount] = [0, 0];
  eachMark(a, b, (mark, isBoth) => {
    const weight = counts.weight(mark);
    amount += weight;
    if (isBoth) both += weight;
  });
  return { share: shareOf(both, amount), amount };
}

function eachMark(a: Uint32Array, b: Uint32Array, visit: (mark: number, isBoth: boolean) => void): void {
  const end = Math.min(endOfSample(a), endOfSample(b));
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [x, y] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY];
    const mark = Math.min(x, y);
    if (mark > end) return;
    visit(mark, x === y);
    if (x === mark) i += 1;
    if (y === mark) j += 1;
  }
}

type LinesAlike = Pick<PageLikeness, 'lines' | 'marked'>;

/** The best order-keeping match of both sequences of lines, in a band around the diagonal. At most 64 × 25 steps. */
function linesAlike(left: PageSketch, right: PageSketch): LinesAlike {
  const [n, m] = [left.lines.length / 2, right.lines.length / 2];
  if (n === 0 || m === 0 || Math.abs(left.lineCount - right.lineCount) > Math.max(BAND, 0.5 * Math.max(left.lineCount, right.lineCount)))
    return { lines: { share: 0, amount: Math.min(left.lineCount, right.lineCount) }, marked: { share: 0, amount: 0 } };
  const shift = Math.round(meanLength(right) - meanLength(left));
  const width = MAX_LINES + 1;
  const best = new Float32Array((n + 1) * width);
  for (let i = 1; i <= n; i++)
    for (let j = Math.max(1, i - BAND); j <= Math.min(m, i + BAND); j++) {
      const gain = (best[(i - 1) * width + j - 1] as number) + lineGain(left, right, i - 1, j - 1, shift);
      const up = j - i + 1 > BAND ? 0 : (best[(i - 1) * width + j] as number);
      best[i * width + j] = Math.max(gain, up, best[i * width + j - 1] as number);
    }
  return traced(left, right, best, width, shift);
}

function meanLength({ lines }: PageSketch): number {
  let sum = 0;
  for (let i = 0; i < lines.length; i += 2) sum += lines[i] as number;
  return sum / Math.max(1, lines.length / 2);
}

function lineGain(left: PageSketch, right: PageSketch, i: number, j: number, shift: number): number {
  const [a, b] = [left.lines[2 * i + 1], right.lines[2 * j + 1]];
  const marks = a === b ? (a === 0 ? 1 : 1.5) : 0.6;
  return marks * lengthLikeness(left, right, i, j, shift);
}

function lengthLikeness(left: PageSketch, right: PageSketch, i: number, j: number, shift: number): Unit {
  const apart = (left.lines[2 * i] as number) + shift - (right.lines[2 * j] as number);
  return LENGTH_LIKENESS[Math.abs(apart)] ?? 0;
}

/** Goes back through the table of best matches. */
function traced(left: PageSketch, right: PageSketch, best: Float32Array, width: number, shift: number): LinesAlike {
  let [i, j] = [left.lines.length / 2, right.lines.length / 2];
  const longer = Math.max(i, j);
  let [length, marked, markedLines] = [0, 0, 0];
  while (i > 0 && j > 0) {
    const here = best[i * width + j] as number;
    if (Math.abs(i - j) <= BAND && here === (best[i * width + j - 1] as number)) j -= 1;
    else if (here === (best[(i - 1) * width + j] as number)) i -= 1;
    else {
      const [a, b] = [left.lines[2 * i - 1], right.lines[2 * j - 1]];
      if (a !== 0 || b !== 0) markedLines += 1;
      if (a !== 0 && a === b) marked += 1;
      length += lengthLikeness(left, right, i - 1, j - 1, shift);
      i -= 1;
      j -= 1;
    }
  }
  const amount = Math.min(left.lineCount, right.lineCount);
  return { lines: { share: length / longer, amount }, marked: { share: shareOf(marked, markedLines), amount: markedLines } };
}
