/** Page pairs: which pages of a corpus are one content in two languages. */
import type { CorpusRecord } from '../../base/core/types.ts';
import type { HarvestedPage } from '../select/harvested-page.ts';
import { mostDetected } from './detected-parts.ts';
import { assignedPairs, edgeReasons, type PagePair } from './page-assignment.ts';
import { candidateEdges, type OnLeftPage, type PairEdge } from './page-edges.ts';
import { LanguagePlaces } from './page-language-places.ts';
import type { NoPartnerReason } from './page-no-partner.ts';
import { type PageSketch, pageSketch, type Side } from './page-sketch.ts';
import { PageStatements } from './page-statements.ts';
import type { LanguagePattern } from './page-url-patterns.ts';
import { areOneLanguage, PairLanguages } from './pair-languages.ts';

export interface PairedPages {
  /** Pairs in the order of their left pages. */
  readonly pairs: readonly PagePair[];
  /** The reason of each page without a partner, by its ordinal. */
  readonly without: ReadonlyMap<number, NoPartnerReason>;
  /** The patterns of URLs that were learned. */
  readonly patterns: readonly LanguagePattern[];
}

/** The declared language of a page with its region, as a crawl and a harvest have it. */
export function declaredTag({ lang, langTag }: CorpusRecord & Pick<HarvestedPage, 'langTag'>): string | null {
  return langTag ?? lang;
}

/** Pages are added one by one, and paired at the end. Memory: about a kilobyte a page of the two languages, some bytes for any other page, and 30 MB. */
export class PagePairing {
  readonly #languages: PairLanguages;
  readonly #detect: (text: string) => string | null;
  readonly #statements = new PageStatements();
  readonly #places = new LanguagePlaces();
  readonly #sketches: PageSketch[] = [];
  readonly #ordinals: number[] = [];
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

  add(record: CorpusRecord): void {
    const ordinal = this.#pages;
    this.#pages += 1;
    const detected = mostDetected(record.text, this.#detect);
    const side = this.#sideOf(record, detected);
    this.#places.add(record.url, typeof side === 'number' ? this.#languages.tags[side] : (detected ?? ''));
    const isUsed = typeof side === 'number' && record.text.trim() !== '';
    this.#statements.know(record.url, isUsed ? this.#sketches.length : -1);
    if (typeof side !== 'number') this.#without.set(ordinal, side);
    else if (!isUsed) this.#without.set(ordinal, 'empty-text');
    else this.#addSketch(record, side, ordinal);
  }

  /** Pairs the pages that were added. */
  async pair(onLeftPage: OnLeftPage = () => undefined): Promise<PairedPages> {
    const stated = this.#statements.pairs((sketch) => this.#sketches[sketch]?.side);
    const homes = Float32Array.from(this.#sketches, ({ url, side }) => this.#places.home(url, this.#languages.tags[side]));
    const { edges, patterns } = await candidateEdges(this.#sketches, homes, stated, this.#languages, onLeftPage);
    const ordinal = (sketch: number) => this.#ordinals[sketch] as number;
    const pairs = assignedPairs(edges).map(({ left, right, ...rest }) => ({ left: ordinal(left), right: ordinal(right), ...rest }));
    const paired = new Set(pairs.flatMap(({ left, right }) => [left, right]));
    const without = new Map(this.#without);
    for (const [sketch, reason] of this.#reasons(edges)) if (!paired.has(ordinal(sketch))) without.set(ordinal(sketch), reason);
    return { pairs: pairs.sort((a, b) => a.left - b.left), without, patterns };
  }

  #sideOf(record: CorpusRecord, detected: string | null): Side | NoPartnerReason {
    const declared = declaredTag(record);
    if (detected !== null && this.#languages.asksForPartOf(detected)) {
      const side =
        declared !== null && areOneLanguage(declared, detected) ? this.#languages.sideOf(declared) : this.#languages.wholeSideOf(detected);
      return side ?? 'other-region';
    }
    const spoken = detected === null ? null : this.#languages.sideOf(detected);
    if (spoken !== null) return spoken;
    if (declared === null && detected === null) return 'unknown-language';
    return (declared === null ? null : this.#languages.sideOf(declared)) ?? 'other-language';
  }

  #addSketch(record: CorpusRecord, side: Side, ordinal: number): void {
    const { alternateOf, referrer, anchorText, metadata } = record;
    const sketch = this.#sketches.length;
    this.#sketches.push(pageSketch(record, side));
    this.#ordinals.push(ordinal);
    const other = (1 - side) as Side;
    const declared = metadata.alternates.filter(({ lang, url }) => this.#languages.declares(lang, other) && url !== record.url);
    this.#statements.declare(
      sketch,
      declared.map(({ url }) => url),
    );
    if (referrer !== null && this.#languages.namedBy(anchorText) === side) this.#statements.foundBy(referrer, sketch, 'links');
    if (alternateOf !== undefined) this.#statements.foundBy(alternateOf, sketch, 'declarations');
  }

  /** A reason for each sketch, if it has no partner. A declared partner that is missing says more than unlike pages. */
  #reasons(edges: readonly PairEdge[]): ReadonlyMap<number, NoPartnerReason> {
    const byEdge = edgeReasons(edges);
    const reasons = new Map<number, NoPartnerReason>(this.#statements.failed((sketch) => this.#sketches[sketch]?.side));
    for (let sketch = 0; sketch < this.#sketches.length; sketch++) {
      const reason = byEdge.get(sketch) ?? 'no-candidate';
      if (!reasons.has(sketch) || reason === 'partner-taken' || reason === 'same-text') reasons.set(sketch, reason);
    }
    return reasons;
  }
}
