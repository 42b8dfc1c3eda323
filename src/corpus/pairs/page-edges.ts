/** The candidate pairs of a corpus with their scores: by declarations, links, patterns of URLs, and texts. */
import { EventLoopYielder } from '../../base/core/event-loop-yielder.ts';
import { CandidateIndex, keysOf } from './page-candidates.ts';
import { contentLogit, type Evidence, NO_EVIDENCE, pairLogit } from './page-evidence.ts';
import { areSameText, likenessOf, MarkCounts } from './page-likeness.ts';
import type { PageSketch } from './page-sketch.ts';
import type { StatedPairs } from './page-statements.ts';
import { type LanguagePattern, PatternIndex, PatternLearner } from './page-url-patterns.ts';
import type { PairLanguages } from './pair-languages.ts';

/** Candidates by text that a page is compared with, and those that remain. */
const COMPARED = 12;
const REMAINING = 4;
/** Candidates of a page after all, so that memory stays small. */
const KEPT = 6;
/** Log-odds by text alone above which a pair teaches patterns of URLs. */
const TEACHING_LOGIT = 1;

/**
 * Log-odds by which a page among pages of its language is preferred to one among pages of another: that is a copy which nobody has translated yet, often of the
 * edition that the other translations have. Chosen on Debian's handbook, where 4 to 20 give nearly the same pairs; with 20, a page of a folder in two languages
 * loses its twin there to a page of another folder.
 */
const HOME = 8;

/** Two pages that may be a pair, by numbers of sketches. */
export interface PairEdge {
  readonly left: number;
  readonly right: number;
  /** Log-odds of being a pair. */
  readonly logit: number;
  /** Log-odds for the comparison with other candidates of both pages. */
  readonly rank: number;
  readonly evidence: Evidence;
  readonly isSameText: boolean;
}

export interface CandidateEdges {
  readonly edges: readonly PairEdge[];
  readonly patterns: readonly LanguagePattern[];
}

/** The best first; of equal ones those of earlier pages. */
export function byRank(a: PairEdge, b: PairEdge): number {
  return b.rank - a.rank || a.left - b.left || a.right - b.right;
}

/** Receives the number of left pages that are done, and their total. Throws to end the work. */
export type OnLeftPage = (done: number, total: number) => void;

/** Every candidate pair: each left page with its best partners. Leaves time for timers and signals. */
export async function candidateEdges(
  sketches: readonly PageSketch[],
  homes: Float32Array,
  stated: StatedPairs,
  languages: PairLanguages,
  onLeftPage: OnLeftPage,
): Promise<CandidateEdges> {
  const numbers = sketches.map((_, number) => number);
  const lefts = numbers.filter((number) => sketches[number]?.side === 0);
  const rights = numbers.filter((number) => sketches[number]?.side === 1);
  const turns = new EventLoopYielder();
  let steps = 0;
  const next = () => {
    onLeftPage(++steps >> 1, lefts.length);
    return turns.take();
  };
  const texts = new TextCandidates(sketches, homes, rights);
  for (const left of lefts) {
    texts.compare(left);
    await next();
  }
  const patterns = learnedPatterns(sketches, stated, lefts, texts);
  const index = new PatternIndex(patterns, languages);
  for (const right of rights) index.addRight(at(sketches, right).url, right);
  const edges: PairEdge[] = [];
  for (const left of lefts) {
    const evidence = new Map(stated.of(left));
    for (const { page, ...url } of index.rightsOf(at(sketches, left).url)) {
      const known = evidence.get(page) ?? NO_EVIDENCE;
      evidence.set(page, { ...known, pattern: Math.max(known.pattern, url.pattern), isNamed: known.isNamed || url.isNamed });
    }
    for (const { right } of texts.of(left)) if (!evidence.has(right)) evidence.set(right, NO_EVIDENCE);
    const found = [...evidence].map(([right, known]) => edgeOf(left, right, known, sketches, texts));
    edges.push(...found.sort(byRank).slice(0, KEPT));
    await next();
  }
  return { edges, patterns };
}

function edgeOf(left: number, right: number, evidence: Evidence, sketches: readonly PageSketch[], texts: TextCandidates): PairEdge {
  const logit = pairLogit(texts.logit(left, right), evidence);
  // A statement says more than the pages around.
  const isStated = evidence.declarations + evidence.links > 0;
  const rank = logit + (isStated ? 0 : texts.preference(left, right));
  return { left, right, logit, rank, evidence, isSameText: areSameText(at(sketches, left), at(sketches, right)) };
}

function at(sketches: readonly PageSketch[], number: number): PageSketch {
  return sketches[number] as PageSketch;
}

interface Candidate {
  readonly right: number;
  readonly logit: number;
  readonly rank: number;
}

/** The right pages that fit each left page best by text. */
class TextCandidates {
  readonly #sketches: readonly PageSketch[];
  readonly #homes: Float32Array;
  readonly #rights: readonly number[];
  readonly #counts: MarkCounts;
  readonly #index: CandidateIndex;
  readonly #candidates = new Map<number, readonly Candidate[]>();

  constructor(sketches: readonly PageSketch[], homes: Float32Array, rights: readonly number[]) {
    [this.#sketches, this.#homes, this.#rights] = [sketches, homes, rights];
    this.#counts = new MarkCounts(sketches.length);
    for (const sketch of sketches) this.#counts.addPage(keysOf(sketch), sketch.side);
    this.#index = new CandidateIndex(rights.length, (page) => keysOf(at(sketches, rights[page] as number)), this.#counts);
  }

  /** Finds the candidates of a left page. */
  compare(left: number): void {
    const found = this.#index.candidatesOf(keysOf(at(this.#sketches, left)), COMPARED).map((page) => this.#rights[page] as number);
    const compared = found.map((right) => {
      const logit = this.logit(left, right);
      return { right, logit, rank: logit + this.preference(left, right) };
    });
    compared.sort((a, b) => b.rank - a.rank || a.right - b.right);
    if (compared.length > 0) this.#candidates.set(left, compared.slice(0, REMAINING));
  }

  /** The best first. */
  of(left: number): readonly Candidate[] {
    return this.#candidates.get(left) ?? [];
  }

  /** Log-odds, 0 at most, that count for the order of candidates alone. */
  preference(left: number, right: number): number {
    return HOME * ((this.#homes[left] as number) + (this.#homes[right] as number) - 2);
  }

  logit(left: number, right: number): number {
    return contentLogit(likenessOf(at(this.#sketches, left), at(this.#sketches, right), this.#counts));
  }

  /** Pages that fit each other best, and are clearly alike. */
  *mutual(): Generator<{ readonly left: number; readonly right: number }> {
    const bestOfRight = new Map<number, { readonly left: number; readonly rank: number }>();
    for (const [left, candidates] of this.#candidates)
      for (const { right, logit, rank } of candidates)
        if (logit > TEACHING_LOGIT && rank > (bestOfRight.get(right)?.rank ?? Number.NEGATIVE_INFINITY))
          bestOfRight.set(right, { left, rank });
    for (const [right, { left }] of bestOfRight) if (this.of(left)[0]?.right === right) yield { left, right };
  }
}

/** Patterns of the URLs of pages that declare each other, and of pages without a declared partner whose texts agree. */
function learnedPatterns(
  sketches: readonly PageSketch[],
  stated: StatedPairs,
  lefts: readonly number[],
  texts: TextCandidates,
): readonly LanguagePattern[] {
  const learner = new PatternLearner();
  const teach = (left: number, right: number) => learner.add(at(sketches, left).url, at(sketches, right).url);
  for (const left of lefts) for (const [right, { declarations }] of stated.of(left)) if (declarations > 1) teach(left, right);
  for (const { left, right } of texts.mutual()) {
    const isSame = areSameText(at(sketches, left), at(sketches, right));
    if (!isSame && stated.of(left).size === 0) teach(left, right);
  }
  return learner.patterns();
}
