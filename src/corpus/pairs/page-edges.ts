/** The candidate pairs of a corpus with their scores: by declarations, links, patterns of URLs, and texts. */
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

/** Two pages that may be a pair, by numbers of sketches. */
export interface PairEdge {
  readonly left: number;
  readonly right: number;
  /** Log-odds of being a pair. */
  readonly logit: number;
  readonly evidence: Evidence;
  readonly isSameText: boolean;
}

export interface CandidateEdges {
  readonly edges: readonly PairEdge[];
  readonly patterns: readonly LanguagePattern[];
}

/** The likeliest first; of equal ones those of earlier pages. */
export function byLogit(a: PairEdge, b: PairEdge): number {
  return b.logit - a.logit || a.left - b.left || a.right - b.right;
}

/** Every candidate pair: each left page with its likeliest partners. */
export function candidateEdges(sketches: readonly PageSketch[], stated: StatedPairs, languages: PairLanguages): CandidateEdges {
  const numbers = sketches.map((_, number) => number);
  const lefts = numbers.filter((number) => sketches[number]?.side === 0);
  const rights = numbers.filter((number) => sketches[number]?.side === 1);
  const texts = new TextCandidates(sketches, lefts, rights);
  const patterns = learnedPatterns(sketches, stated, lefts, texts);
  const index = new PatternIndex(patterns, languages);
  for (const right of rights) index.addRight(at(sketches, right).url, right);
  const edges = lefts.flatMap((left) => {
    const evidence = new Map(stated.of(left));
    for (const { page, ...url } of index.rightsOf(at(sketches, left).url)) {
      const known = evidence.get(page) ?? NO_EVIDENCE;
      evidence.set(page, { ...known, pattern: Math.max(known.pattern, url.pattern), isNamed: known.isNamed || url.isNamed });
    }
    for (const { right } of texts.of(left)) if (!evidence.has(right)) evidence.set(right, NO_EVIDENCE);
    const found = [...evidence].map(([right, known]) => edgeOf(left, right, known, sketches, texts));
    return found.sort(byLogit).slice(0, KEPT);
  });
  return { edges, patterns };
}

function edgeOf(left: number, right: number, evidence: Evidence, sketches: readonly PageSketch[], texts: TextCandidates): PairEdge {
  const logit = pairLogit(texts.logit(left, right), evidence);
  return { left, right, logit, evidence, isSameText: areSameText(at(sketches, left), at(sketches, right)) };
}

function at(sketches: readonly PageSketch[], number: number): PageSketch {
  return sketches[number] as PageSketch;
}

interface Candidate {
  readonly right: number;
  readonly logit: number;
}

/** The right pages most like each left page by text. */
class TextCandidates {
  readonly #sketches: readonly PageSketch[];
  readonly #counts: MarkCounts;
  readonly #candidates = new Map<number, readonly Candidate[]>();

  constructor(sketches: readonly PageSketch[], lefts: readonly number[], rights: readonly number[]) {
    this.#sketches = sketches;
    this.#counts = new MarkCounts(sketches.length);
    for (const sketch of sketches) this.#counts.addPage(keysOf(sketch), sketch.side);
    const index = new CandidateIndex(rights.length, (page) => keysOf(at(sketches, rights[page] as number)), this.#counts);
    for (const left of lefts) {
      const found = index.candidatesOf(keysOf(at(sketches, left)), COMPARED).map((page) => rights[page] as number);
      const compared = found.map((right) => ({ right, logit: this.logit(left, right) }));
      compared.sort((a, b) => b.logit - a.logit || a.right - b.right);
      if (compared.length > 0) this.#candidates.set(left, compared.slice(0, REMAINING));
    }
  }

  /** The most alike first. */
  of(left: number): readonly Candidate[] {
    return this.#candidates.get(left) ?? [];
  }

  logit(left: number, right: number): number {
    return contentLogit(likenessOf(at(this.#sketches, left), at(this.#sketches, right), this.#counts));
  }

  /** Pages that are each other's most alike, and clearly so. */
  *mutual(): Generator<{ readonly left: number; readonly right: number }> {
    const bestOfRight = new Map<number, { readonly left: number; readonly logit: number }>();
    for (const [left, candidates] of this.#candidates)
      for (const { right, logit } of candidates)
        if (logit > (bestOfRight.get(right)?.logit ?? TEACHING_LOGIT)) bestOfRight.set(right, { left, logit });
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
