/** Documents of Really Simple Licensing: the uses that an owner permits and prohibits (RSL 1.0 §3, recommendation of November 2025). */
import { type StatedUses, USES, type Use, type UseTerms } from '../../base/core/types.ts';
import { MAX_URL_CHARS } from '../../base/web/url.ts';
import { RSL_WORDS } from '../../base/web/use-words.ts';
import { xmlDecoder } from './xml-decoder.ts';
import { attributeOf, type XmlHandlers, XmlScanner } from './xml-scanner.ts';

/** Number of contents read of one document. Each is matched against each kept page of the host. */
const MAX_CONTENTS = 1000;
/** Characters of one list of usages. */
const MAX_LIST_CHARS = 1000;
/** The name space of its elements, and the prefix that a tag declares for it. */
const NAME_SPACE = 'https://rslstandard.org/rsl';
const DECLARATION = /\sxmlns(?::([\w.-]+))?\s*=\s*["']https:\/\/rslstandard\.org\/rsl["']/;
/** Payments of a licence that a crawler satisfies without an account: a name in the card, or nothing. */
const FREE: ReadonlySet<string> = new Set(['free', 'attribution']);

/** One `<license>`. */
interface Licence {
  /** null without a list of permits: then all that is not prohibited is. */
  permits: string[] | null;
  readonly prohibits: string[];
  isFree: boolean;
}

/** The terms of a document or of a feed, in its order; [] for any other file, and without a `<content>`. A damaged document has those up to the damage. Never throws; O(length). */
export function readRslTerms(document: Uint8Array | string): readonly UseTerms[] {
  const reader = new RslReader();
  const scanner = new XmlScanner(reader);
  scanner.push(typeof document === 'string' ? document : xmlDecoder(document).decode(document));
  return reader.terms;
}

/** Prefix that a tag declares for the name space, '' for the default one; null if it declares none. */
function declaredPrefix(tag: string): string | null {
  const found = DECLARATION.exec(tag);
  return found === null ? null : (found[1] ?? '').toLowerCase();
}

class RslReader implements XmlHandlers {
  readonly terms: UseTerms[] = [];
  /** Prefix of its elements; null before the first tag that names it. */
  #prefix: string | null = null;
  /** Pattern of the open content; null outside of one. */
  #location: string | null = null;
  /** Does the open content want a licence of a server, even a free one (§3.3)? */
  #isServed = false;
  #licences: Licence[] = [];
  #list: string[] | null = null;
  #value = '';

  open(name: string, prefix: string, tag: string): void {
    if (name === 'rsl') this.#prefix = prefix;
    // A feed declares the name space, and has contents in its items.
    else if (tag.includes(NAME_SPACE)) this.#prefix = declaredPrefix(tag) ?? this.#prefix;
    if (prefix !== this.#prefix || this.terms.length >= MAX_CONTENTS) return;
    if (name === 'content') this.#openContent(tag);
    else if (name === 'license') this.#licences.push({ permits: null, prohibits: [], isFree: !this.#isServed });
    else this.#inLicence(name, tag);
  }

  #openContent(tag: string): void {
    this.#location = attributeOf(tag, 'url')?.trim() ?? '';
    this.#isServed = attributeOf(tag, 'server') !== null;
    this.#licences = [];
  }

  #inLicence(name: string, tag: string): void {
    const licence = this.#licences.at(-1);
    const type = attributeOf(tag, 'type')?.trim() ?? '';
    if (licence === undefined) return;
    if (name === 'payment') licence.isFree &&= FREE.has(type);
    if ((name === 'permits' || name === 'prohibits') && type === 'usage') {
      if (name === 'permits') licence.permits ??= [];
      [this.#list, this.#value] = [name === 'permits' ? licence.permits : licence.prohibits, ''];
    }
  }

  text(piece: string): void {
    if (this.#list !== null && this.#value.length < MAX_LIST_CHARS) this.#value += piece.slice(0, MAX_LIST_CHARS);
  }

  close(name: string, prefix: string): void {
    if (prefix !== this.#prefix) return;
    if (name === 'permits' || name === 'prohibits') {
      // The recommendation separates by blanks, its drafts by commas.
      this.#list?.push(...this.#value.split(/[\s,]+/).filter((word) => word !== ''));
      this.#list = null;
    }
    if (name !== 'content' || this.#location === null) return;
    const location = this.#location;
    this.#location = null;
    if (location !== '' && location.length <= MAX_URL_CHARS) this.terms.push({ location, uses: usesOf(this.#licences) });
  }
}

/**
 * The uses by all licences of a content, which are offers beside each other. A use that one prohibits is disallowed. A list of permits is closed: a
 * use that none of them permits is disallowed. A permit for money, or of a licence server, is none here: nobody pays, and nobody asks.
 */
function usesOf(licences: readonly Licence[]): StatedUses {
  const uses: Partial<Record<Use, 'allow' | 'disallow'>> = {};
  for (const use of USES) {
    const names = (words: readonly string[]) => words.some((word) => Object.hasOwn(RSL_WORDS, word) && RSL_WORDS[word]?.includes(use));
    if (licences.some(({ prohibits }) => names(prohibits))) uses[use] = 'disallow';
    else if (licences.some(({ permits, isFree }) => isFree && permits !== null && names(permits))) uses[use] = 'allow';
    else if (licences.some(({ permits, isFree }) => permits !== null || !isFree)) uses[use] = 'disallow';
  }
  return uses;
}
