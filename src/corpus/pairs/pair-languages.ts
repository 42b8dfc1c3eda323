/** The languages of a pair, and words that name them in URLs and links. */
import { languageCode } from '../../base/text/language-code.ts';
import { UNSPACED_LETTERS } from '../../base/text/unspaced-scripts.ts';
import type { Side } from './page-sketch.ts';

/** Longest text of a link that can be the name of a language: `Version française`. */
const MAX_NAME_CHARS = 40;

const SIDES: readonly Side[] = [0, 1];

export class PairLanguages {
  /** Tags as given, lower case: `fr`, `zh-tw`. */
  readonly tags: readonly [string, string];
  readonly #names: readonly [ReadonlySet<string>, ReadonlySet<string>];
  readonly #sides = new Map<string, Side | null>();

  constructor(tags: readonly [string, string]) {
    this.tags = [tags[0].toLowerCase(), tags[1].toLowerCase()];
    this.#names = [namesOf(this.tags[0], this.tags[1]), namesOf(this.tags[1], this.tags[0])];
  }

  /** The side whose language a BCP 47 tag is of; null for another language, and for another region or script than the one that is asked for. */
  sideOf(tag: string): Side | null {
    let side = this.#sides.get(tag);
    if (side === undefined) {
      // Of `pt` and `pt-br`, Brazilian pages are of the second alone.
      const order = this.tags[1].includes('-') ? SIDES.toReversed() : SIDES;
      side = order.find((one) => isOf(tag, this.tags[one])) ?? null;
      if (this.#sides.size < 10_000) this.#sides.set(tag, side);
    }
    return side;
  }

  /** Whether a side asks for the language with a region or script, which no text tells. @param code of a language */
  asksForPartOf(code: string): boolean {
    return this.tags.some((tag) => tag.includes('-') && areOneLanguage(tag, code));
  }

  /** The side that asks for a whole language; null for none. @param code of that language */
  wholeSideOf(code: string): Side | null {
    return SIDES.find((side) => !this.tags[side].includes('-') && areOneLanguage(this.tags[side], code)) ?? null;
  }

  /** Whether a declared version can be in the language: `en` may be `en-gb`, and the other way round. */
  declares(tag: string, side: Side): boolean {
    return this.sideOf(tag) === side || this.tags[side].startsWith(`${tag}-`);
  }

  /** Whether a folder, a label of a host or a value of a query names the language: `fr`, `fra`, `french`, `français`. @param word in lower case */
  isName(word: string, side: Side): boolean {
    return this.#names[side].has(word);
  }

  /** The side that the text of a link names, by one of its words; null for none and for both. */
  namedBy(linkText: string): Side | null {
    if (linkText.length > MAX_NAME_CHARS) return null;
    const words = linkText.toLowerCase().split(/[^\p{L}\p{M}]+/u);
    const named = ([0, 1] as const).filter((side) => words.some((word) => this.isName(word, side) || this.#beginsWithName(word, side)));
    return named.length === 1 ? (named[0] as Side) : null;
  }

  /** `française` for `français`, `中文版` for `中文`. */
  #beginsWithName(word: string, side: Side): boolean {
    for (const name of this.#names[side]) if ((name.length > 4 || UNSPACED.test(name)) && word.startsWith(name)) return true;
    return false;
  }
}

const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, 'u');

function isOf(tag: string, wanted: string): boolean {
  if (!areOneLanguage(tag, wanted)) return false;
  if (!wanted.includes('-')) return true;
  const [has, asks] = [localeOf(tag), localeOf(wanted)];
  if (has === null || asks === null) return false;
  // A script without a region names the likeliest one (CLDR): `zh-hant` is of Taiwan. `en` is of no region.
  const likely = has.maximize();
  const region = has.region ?? (has.script === undefined ? undefined : likely.region);
  return (asks.script ?? likely.script) === likely.script && (asks.region ?? region) === region;
}

/** Whether two tags are of one language, in any regions and scripts. */
export function areOneLanguage(one: string, other: string): boolean {
  return oneNorwegian(languageCode(one)) === oneNorwegian(languageCode(other));
}

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-'));
  } catch {
    return null;
  }
}

/** `nb` for `no`: pages in Bokmål declare either. */
function oneNorwegian(code: string | null): string | null {
  return code === 'no' ? 'nb' : code;
}

/** Codes, and names in English, in the language itself and in the other one. */
function namesOf(tag: string, other: string): ReadonlySet<string> {
  const primary = tag.split('-', 1)[0] ?? tag;
  const names = ['en', primary, other].flatMap((locale) => nameIn(locale, primary));
  return new Set([primary, ...(LONG_CODES[primary] ?? []), ...names]);
}

function nameIn(locale: string, code: string): readonly string[] {
  try {
    const name = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }).of(code)?.toLowerCase();
    return name === undefined || /\s/.test(name) ? [] : [name];
  } catch {
    return [];
  }
}

/** ISO 639-2, both forms, of languages that sites name with three letters; and country codes that sites use for languages. */
const LONG_CODES: Readonly<Record<string, readonly string[]>> = {
  en: ['eng', 'uk', 'us', 'gb'],
  fr: ['fra', 'fre'],
  de: ['deu', 'ger'],
  es: ['spa', 'esp'],
  it: ['ita'],
  pt: ['por', 'br'],
  nl: ['nld', 'dut'],
  ru: ['rus'],
  zh: ['zho', 'chi', 'cn'],
  ja: ['jpn', 'jp'],
  ko: ['kor', 'kr'],
  cs: ['ces', 'cze', 'cz'],
  pl: ['pol'],
  sv: ['swe', 'se'],
  da: ['dan', 'dk'],
  fi: ['fin'],
  el: ['ell', 'gre', 'gr'],
  uk: ['ukr', 'ua'],
  ar: ['ara'],
  ca: ['cat'],
};
