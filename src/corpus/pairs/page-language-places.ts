/** Places of URLs that tell the language of a page, such as the first folder: learned from the languages of the texts. */
import { shareOf } from '../../base/core/share.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { urlParts } from './page-url-patterns.ts';

/** Places from the start and from the end of a URL that are looked at. */
const FROM_START = 6;
const FROM_END = 3;
/** Words at one place. More, and they are names of pages. Sites have a hundred languages and regions at most. */
const MAX_WORDS = 300;
/** Words at all places of all domains: with 300 bytes each, 30 MB. Domains that come later have none. */
const MAX_ALL_WORDS = 100_000;
/** Pages with one word below which their languages say nothing of it. */
const LEAST_PAGES = 5;
/** Least share of the entropy of a place that is information about the language: a folder of languages has most of it, names of pages hardly any. */
const LEAST_INFORMATIVE: Unit = 0.3;

/** Number of pages by word and language. */
type Place = Map<string, Map<string, number>>;

/** Counts each page of a corpus. Memory: at most 30 MB. */
export class LanguagePlaces {
  /** Places by domain; null for one with too many words. */
  readonly #domains = new Map<string, Map<number, Place | null>>();
  readonly #chosen = new Map<string, number | null>();
  #words = 0;

  /** Number of words that are held. */
  get words(): number {
    return this.#words;
  }

  add(url: CanonicalUrl, lang: string): void {
    const domain = registrableDomain(url);
    const places = this.#domains.get(domain) ?? new Map<number, Place | null>();
    for (const [at, word] of wordsOf(url)) {
      const place = places.get(at);
      if (place === null) continue;
      const langs = place?.get(word) ?? this.#newWord();
      if (langs === null) continue;
      langs.set(lang, (langs.get(lang) ?? 0) + 1);
      const grown = (place ?? new Map<string, Map<string, number>>()).set(word, langs);
      places.set(at, grown.size > MAX_WORDS ? this.#forgotten(grown) : grown);
      this.#domains.set(domain, places);
    }
  }

  /** @returns null if there are too many */
  #newWord(): Map<string, number> | null {
    if (this.#words === MAX_ALL_WORDS) return null;
    this.#words += 1;
    return new Map();
  }

  #forgotten(place: Place): null {
    this.#words -= place.size;
    return null;
  }

  /**
   * Share of the pages with the word of this URL at the place of languages that are in its language; 1 if the URL has no such place. Asked when all pages are
   * added.
   */
  home(url: CanonicalUrl, lang: string): Unit {
    const domain = registrableDomain(url);
    const at = this.#placeOf(domain);
    const word = at === null ? undefined : wordsOf(url).find(([place]) => place === at)?.[1];
    const langs = at === null || word === undefined ? undefined : this.#domains.get(domain)?.get(at)?.get(word);
    return langs === undefined || sumOf(langs) < LEAST_PAGES ? 1 : shareOf(langs.get(lang) ?? 0, sumOf(langs));
  }

  /** The place with the most information about the language, as a share of its own. */
  #placeOf(domain: string): number | null {
    const known = this.#chosen.get(domain);
    if (known !== undefined) return known;
    const shares = [...(this.#domains.get(domain) ?? [])].map(([at, place]) => [at, place === null ? 0 : informationOf(place)] as const);
    const [best] = shares.filter(([, share]) => share >= LEAST_INFORMATIVE).sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    this.#chosen.set(domain, best?.[0] ?? null);
    return best?.[0] ?? null;
  }
}

/** The words of a URL by their places: from 0 on from its start, from -1 down from its end. */
function wordsOf(url: CanonicalUrl): readonly (readonly [place: number, word: string])[] {
  const parts = urlParts(url);
  const start = parts.slice(0, FROM_START).map((word, i) => [i, word] as const);
  const end = parts.slice(-FROM_END).map((word, i, last) => [i - last.length, word] as const);
  return [...start, ...end];
}

/** Mutual information of words and languages as a share of the entropy of the words; 0 for one word alone. */
function informationOf(place: Place): Unit {
  if (place.size < 2) return 0;
  const all = new Map<string, number>();
  for (const langs of place.values()) for (const [lang, count] of langs) all.set(lang, (all.get(lang) ?? 0) + count);
  const total = sumOf(all);
  const words = new Map([...place].map(([word, langs]) => [word, sumOf(langs)]));
  const known = [...place.values()].reduce((sum, langs) => sum + (sumOf(langs) / total) * entropyOf(langs), 0);
  return shareOf(entropyOf(all) - known, entropyOf(words));
}

function entropyOf(counts: ReadonlyMap<string, number>): number {
  const total = sumOf(counts);
  return [...counts.values()].reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
