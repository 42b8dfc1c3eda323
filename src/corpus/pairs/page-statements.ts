/** Statements of pages about their versions in the other language: declarations, and links that name the language of their target. */
import { grouped } from '../../base/core/grouped.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { UrlNumbers } from '../../base/core/url-numbers.ts';
import { type Evidence, NO_EVIDENCE } from './page-evidence.ts';
import type { NoPartnerReason } from './page-no-partner.ts';
import type { Side } from './page-sketch.ts';

export type StatementKind = 'declarations' | 'links';

/** Pages that may name one page as their version. More, and it is the front page of the other language, to which menus lead. */
const MAX_STATING = 3;

interface Statement {
  /** Number of a sketch. */
  readonly from: number;
  /** Number of a URL. */
  readonly to: number;
  readonly kind: StatementKind;
}

/** A statement whose pages are both in the corpus, one in each language. */
interface Resolved {
  readonly left: number;
  readonly right: number;
  readonly isByLeft: boolean;
  readonly kind: StatementKind;
}

/** Statements are added in any order, and read when all pages are known. 40 bytes a statement, and 20 a URL. */
export class PageStatements {
  readonly #urls = new UrlNumbers();
  /** Sketch of the page by number of its URL; -1 for a page without one. */
  readonly #sketchOf = new Map<number, number>();
  readonly #statements: Statement[] = [];
  /** Pages that were found by a statement of another page: number of the URL of that page, and sketch. */
  readonly #found: { readonly by: number; readonly sketch: number; readonly kind: StatementKind }[] = [];

  /** Takes the URL of a page. The first page of a URL has it. @param sketch -1 for a page that is not sketched */
  know(url: CanonicalUrl, sketch: number): void {
    const number = this.#urls.of(url);
    if (!this.#sketchOf.has(number)) this.#sketchOf.set(number, sketch);
  }

  state(from: number, url: CanonicalUrl, kind: StatementKind): void {
    this.#statements.push({ from, to: this.#urls.of(url), kind });
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

  /** Reasons of pages whose declared partner is none. */
  *failed(sideOf: (sketch: number) => Side | undefined): Generator<readonly [sketch: number, NoPartnerReason]> {
    for (const { from, to, kind } of this.#statements) {
      const partner = this.#sketchOf.get(to);
      if (kind !== 'declarations') continue;
      if (partner === undefined) yield [from, 'partner-missing'];
      else if (sideOf(partner) === undefined || sideOf(partner) === sideOf(from)) yield [from, 'partner-other-language'];
    }
  }

  #resolved(sideOf: (sketch: number) => Side | undefined): readonly Resolved[] {
    const found = this.#found.flatMap(({ by, sketch, kind }) => {
      const from = this.#sketchOf.get(by);
      return from === undefined ? [] : [{ from, to: sketch, kind }];
    });
    const stated = this.#statements.flatMap(({ from, to, kind }) => {
      const target = this.#sketchOf.get(to);
      return target === undefined ? [] : [{ from, to: target, kind }];
    });
    return [...stated, ...found].flatMap(({ from, to, kind }) => {
      const [a, b] = [sideOf(from), sideOf(to)];
      if (a === undefined || b === undefined || a === b) return [];
      return [{ left: a === 0 ? from : to, right: a === 0 ? to : from, isByLeft: a === 0, kind }];
    });
  }
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
