/** Statements of pages about their versions in the other language: declarations, and the links by which a crawl found pages, if they name the language of their target. */
import { grouped } from '../../base/core/grouped.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import { type Evidence, NO_EVIDENCE } from './page-evidence.ts';
import type { NoPartnerReason } from './page-no-partner.ts';
import type { Side } from './page-sketch.ts';

export type StatementKind = 'declarations' | 'links';

/** Declared versions of a page in the other language that count, of those in the corpus: one, or one a region. */
const MAX_DECLARED = 4;
/** Pages that may name one page as their version. More, and it is the front page of the other language, to which menus lead. */
const MAX_STATING = 3;

/** A statement whose pages are both in the corpus, one in each language. */
interface Resolved {
  readonly left: number;
  readonly right: number;
  readonly isByLeft: boolean;
  readonly kind: StatementKind;
}

/** Statements are added in any order, and read when all pages are known. 8 bytes a declaration, 40 any other statement, and 20 a URL. */
export class PageStatements {
  readonly #urls = new UrlNumbers();
  /** Sketch of the page by number of its URL; -1 for a page without one. */
  readonly #sketchOf = new Map<number, number>();
  /** Numbers of the URLs that a sketch declares, in its order. */
  readonly #declared = new Map<number, readonly number[]>();
  /** Pages that were found by a statement of another page: number of the URL of that page, and sketch. */
  readonly #found: { readonly by: number; readonly sketch: number; readonly kind: StatementKind }[] = [];

  /** Takes the URL of a page. The first page of a URL has it. @param sketch -1 for a page that is not sketched */
  know(url: CanonicalUrl, sketch: number): void {
    const number = this.#urls.of(url);
    if (!this.#sketchOf.has(number)) this.#sketchOf.set(number, sketch);
  }

  /** Takes the versions in the other language that a page declares. */
  declare(from: number, urls: readonly CanonicalUrl[]): void {
    if (urls.length > 0) this.#declared.set(from, [...new Set(urls.map((url) => this.#urls.of(url)))]);
  }

  /** Takes a page that was found by such a statement: of another page, or of a list about it. */
  foundBy(referrer: CanonicalUrl, sketch: number, kind: StatementKind): void {
    this.#found.push({ by: this.#urls.of(referrer), sketch, kind });
  }

  /** The statements about two pages, by left and right sketch. */
  pairs(sideOf: (sketch: number) => Side | undefined): StatedPairs {
    const resolved = this.#resolved(sideOf);
    const keyOf = ({ left, right, kind }: Resolved) => `${left} ${right} ${kind}`;
    const statingOf = ({ left, right, isByLeft }: Resolved) => (isByLeft ? left : right);
    const targetOf = ({ left, right, isByLeft, kind }: Resolved) => `${isByLeft ? right : left} ${kind}`;
    const both = grouped(resolved, keyOf);
    const stating = new Map([...grouped(resolved, targetOf)].map(([target, some]) => [target, new Set(some.map(statingOf)).size]));
    const stated = new StatedPairs();
    for (const ofPair of both.values()) {
      const [first] = ofPair;
      if (first === undefined) continue;
      const count = new Set(ofPair.map(({ isByLeft }) => isByLeft)).size;
      if (count > 1 || (stating.get(targetOf(first)) ?? 0) <= MAX_STATING) stated.set(first.left, first.right, first.kind, count);
    }
    return stated;
  }

  /** Reasons of pages none of whose declared partners can be one. */
  *failed(sideOf: (sketch: number) => Side | undefined): Generator<readonly [sketch: number, NoPartnerReason]> {
    for (const [from, urls] of this.#declared) {
      const known = this.#known(urls);
      if (known.length === 0) yield [from, 'partner-missing'];
      else if (!known.some((partner) => isOther(sideOf(partner), sideOf(from)))) yield [from, 'partner-other-language'];
    }
  }

  /** Sketches of those URLs that the corpus has; -1 for a page without one. */
  #known(urls: readonly number[]): readonly number[] {
    return urls.flatMap((url) => this.#sketchOf.get(url) ?? []);
  }

  #resolved(sideOf: (sketch: number) => Side | undefined): readonly Resolved[] {
    const found = this.#found.flatMap(({ by, sketch, kind }) => {
      const from = this.#sketchOf.get(by);
      return from === undefined ? [] : [{ from, to: sketch, kind }];
    });
    const stated = [...this.#declared].flatMap(([from, urls]) => {
      const partners = this.#known(urls).filter((partner) => isOther(sideOf(partner), sideOf(from)));
      return partners.slice(0, MAX_DECLARED).map((to) => ({ from, to, kind: 'declarations' as const }));
    });
    return [...stated, ...found].flatMap(({ from, to, kind }) => {
      const [a, b] = [sideOf(from), sideOf(to)];
      if (!isOther(a, b)) return [];
      return [{ left: a === 0 ? from : to, right: a === 0 ? to : from, isByLeft: a === 0, kind }];
    });
  }
}

function isOther(one: Side | undefined, other: Side | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Evidence of statements, by left and right sketch. */
export class StatedPairs {
  readonly #stated = new Map<number, Map<number, Evidence>>();

  set(left: number, right: number, kind: StatementKind, count: number): void {
    const ofLeft = this.#stated.get(left) ?? new Map<number, Evidence>();
    ofLeft.set(right, { ...(ofLeft.get(right) ?? NO_EVIDENCE), [kind]: count });
    this.#stated.set(left, ofLeft);
  }

  of(left: number): ReadonlyMap<number, Evidence> {
    return this.#stated.get(left) ?? NONE;
  }
}
const NONE: ReadonlyMap<number, Evidence> = new Map();
