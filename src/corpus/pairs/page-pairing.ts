/** Page pairs: which pages of a corpus are one content in two languages. */
import type { CanonicalUrl, CorpusRecord, Unit } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import { type CandidateEdges, candidateEdges, type PairEdge, StatedPairs } from './page-edges.ts';
import { type PairedBy, pairedBy } from './page-evidence.ts';
import type { NoPartnerReason } from './page-no-partner.ts';
import { type PageSketch, pageSketch, type Side } from './page-sketch.ts';
import type { LanguagePattern } from './page-url-patterns.ts';
import { PairLanguages } from './pair-languages.ts';

/** Declared versions of a page in the other language that are followed: one, or one a region. */
const MAX_DECLARED = 4;
/** Links of a page that name the other language and are followed. */
const MAX_LINKED = 4;
/** Score above which two pages are a pair. */
const LEAST_SCORE: Unit = 0.5;

export interface PagePair {
  /** Ordinals of the records, in the order of `add`. */
  readonly left: number;
  readonly right: number;
  readonly by: PairedBy;
  /** True if both pages state it (`hreflang`, `link`), or if no other page is likelier for either (`url`, `structure`). */
  readonly isReciprocal: boolean;
  readonly score: Unit;
}

export interface PairedPages {
  /** Pairs in the order of their left pages. */
  readonly pairs: readonly PagePair[];
  /** The reason of each page without a partner, by its ordinal. */
  readonly without: ReadonlyMap<number, NoPartnerReason>;
  /** The patterns of URLs that were learned. */
  readonly patterns: readonly LanguagePattern[];
}

/** A link of a page. */
export interface PageLink {
  readonly url: CanonicalUrl;
  readonly anchorText: string;
}

/** A statement of a page about the version of itself in the other language: numbers of a sketch and of a URL. */
interface Statement {
  readonly from: number;
  readonly to: number;
  readonly kind: 'declarations' | 'links';
}

/** Pages are added one by one, and paired at the end. Memory: about a kilobyte a page of the two languages, some bytes for any other page. */
export class PagePairing {
  readonly #languages: PairLanguages;
  readonly #detect: (text: string) => string | null;
  readonly #urls = new UrlNumbers();
  /** Sketch of the page by number of its URL; -1 for a page in another language, or without text. */
  readonly #sketchOf = new Map<number, number>();
  readonly #sketches: PageSketch[] = [];
  readonly #ordinals: number[] = [];
  readonly #statements: Statement[] = [];
  /** Pages that were found by a link that names their language: numbers of URL and sketch. */
  readonly #found: { readonly by: number; readonly sketch: number }[] = [];
  readonly #without = new Map<number, NoPartnerReason>();
  #pages = 0;

  /**
   * @param langs BCP 47, e.g. `['en', 'zh-tw']`
   * @param detect language of a text, such as `languageDetector`; it wins over a declared one where it finds one of the two. Default: none
   */
  constructor(langs: readonly [string, string], detect: (text: string) => string | null = () => null) {
    this.#languages = new PairLanguages(langs);
    this.#detect = detect;
  }

  /** @param links of the page, if they are known: those whose text names the other language count */
  add(record: CorpusRecord, links: readonly PageLink[] = []): void {
    const ordinal = this.#pages;
    this.#pages += 1;
    const side = this.#sideOf(record);
    const isUsed = typeof side === 'number' && record.text.trim() !== '';
    this.#know(record.url, isUsed ? this.#sketches.length : -1);
    if (typeof side !== 'number') this.#without.set(ordinal, side);
    else if (!isUsed) this.#without.set(ordinal, 'empty-text');
    else this.#addSketch(record, side, ordinal, links);
  }

  /** Pairs the pages that were added. */
  pair(): PairedPages {
    const stated = this.#stated();
    const { edges, patterns } = candidateEdges(this.#sketches, stated, this.#languages);
    const pairs = assigned(edges);
    const ordinal = (sketch: number) => this.#ordinals[sketch] as number;
    const without = new Map(this.#without);
    for (const [sketch, reason] of this.#reasons(edges, pairs)) without.set(ordinal(sketch), reason);
    return {
      pairs: pairs
        .map(({ left, right, ...rest }) => ({ left: ordinal(left), right: ordinal(right), ...rest }))
        .sort((a, b) => a.left - b.left),
      without,
      patterns,
    };
  }

  #sideOf({ lang, text }: CorpusRecord): Side | NoPartnerReason {
    const detected = this.#detect(text);
    const spoken = detected === null ? null : this.#languages.sideOf(detected);
    if (spoken !== null) return spoken;
    if (lang === null && detected === null) return 'unknown-language';
    return (lang === null ? null : this.#languages.sideOf(lang)) ?? 'other-language';
  }

  /** The first page of a URL has it. */
  #know(url: string, sketch: number): void {
    const number = this.#urls.of(url);
    if (!this.#sketchOf.has(number)) this.#sketchOf.set(number, sketch);
  }

  #addSketch(record: CorpusRecord, side: Side, ordinal: number, links: readonly PageLink[]): void {
    const { referrer, anchorText, metadata } = record;
    const sketch = this.#sketches.length;
    this.#sketches.push(pageSketch(record, side));
    this.#ordinals.push(ordinal);
    const other = (1 - side) as Side;
    const declared = metadata.alternates.filter(({ lang, url }) => this.#languages.declares(lang, other) && url !== record.url);
    for (const { url } of declared.slice(0, MAX_DECLARED)) this.#state(sketch, url, 'declarations');
    const linked = links.filter(({ anchorText }) => this.#languages.namedBy(anchorText) === other);
    for (const { url } of linked.slice(0, MAX_LINKED)) this.#state(sketch, url, 'links');
    if (referrer !== null && this.#languages.namedBy(anchorText) === side) this.#found.push({ by: this.#urls.of(referrer), sketch });
  }

  #state(from: number, url: CanonicalUrl, kind: Statement['kind']): void {
    this.#statements.push({ from, to: this.#urls.of(url), kind });
  }

  #stated(): StatedPairs {
    const stated = new StatedPairs();
    const seen = new Set<string>();
    const state = (from: number, to: number | undefined, kind: Statement['kind']) => {
      if (to === undefined || to < 0 || this.#sketches[from]?.side === this.#sketches[to]?.side) return;
      const key = `${from} ${to} ${kind}`;
      if (seen.has(key)) return;
      seen.add(key);
      if (this.#sketches[from]?.side === 0) stated.add(from, to, kind);
      else stated.add(to, from, kind);
    };
    for (const { from, to, kind } of this.#statements) state(from, this.#sketchOf.get(to), kind);
    for (const { by, sketch } of this.#found) {
      const from = this.#sketchOf.get(by);
      if (from !== undefined && from >= 0) state(from, sketch, 'links');
    }
    return stated;
  }

  /** The reason of each sketch without a partner. */
  #reasons(edges: CandidateEdges['edges'], pairs: readonly PagePair[]): ReadonlyMap<number, NoPartnerReason> {
    const paired = new Set(pairs.flatMap(({ left, right }) => [left, right]));
    const reasons = new Map<number, NoPartnerReason>();
    for (const { from, to, kind } of this.#statements)
      if (kind === 'declarations' && !paired.has(from)) {
        const reason = this.#declaredReason(from, this.#sketchOf.get(to));
        if (reason !== null) reasons.set(from, reason);
      }
    const best = new Map<number, PairEdge>();
    for (const edge of edges)
      for (const page of [edge.left, edge.right]) if (edge.score > (best.get(page)?.score ?? -1)) best.set(page, edge);
    for (let sketch = 0; sketch < this.#sketches.length; sketch++) {
      if (paired.has(sketch)) continue;
      const edge = best.get(sketch);
      const reason = edge === undefined ? 'no-candidate' : edgeReason(edge);
      // A stated partner that is missing says more than unlike pages.
      if (!reasons.has(sketch) || (reason !== 'no-candidate' && reason !== 'too-unlike')) reasons.set(sketch, reason);
    }
    return reasons;
  }

  /** Reason why a declared partner is none; null if it can be one. */
  #declaredReason(from: number, to: number | undefined): NoPartnerReason | null {
    if (to === undefined) return 'partner-missing';
    return this.#sketches[to]?.side === 1 - (this.#sketches[from]?.side ?? 0) ? null : 'partner-other-language';
  }
}

/** Reason of a page without a partner, by its best candidate. */
function edgeReason({ isSameText, score }: PairEdge): NoPartnerReason {
  if (isSameText) return 'same-text';
  return score > LEAST_SCORE ? 'partner-taken' : 'too-unlike';
}

/** One partner for each page, the likeliest pairs first. */
function assigned(edges: readonly PairEdge[]): readonly PagePair[] {
  const sorted = edges
    .filter(({ score, isSameText }) => score > LEAST_SCORE && !isSameText)
    .sort((a, b) => b.score - a.score || a.left - b.left || a.right - b.right);
  const taken = new Set<number>();
  const seen = new Set<number>();
  const pairs: PagePair[] = [];
  for (const { left, right, score, evidence } of sorted) {
    const isFirst = !seen.has(left) && !seen.has(right);
    seen.add(left).add(right);
    if (taken.has(left) || taken.has(right)) continue;
    taken.add(left).add(right);
    const by = pairedBy(evidence);
    const stated = by === 'hreflang' ? evidence.declarations : evidence.links;
    pairs.push({ left, right, by, score, isReciprocal: by === 'hreflang' || by === 'link' ? stated > 1 : isFirst });
  }
  return pairs;
}
