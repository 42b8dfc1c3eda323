/** Places of URLs that tell the language of a page, such as the first folder: learned from the languages of the texts. */
import { shareOf } from '../../base/core/share.ts';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { urlParts } from './page-url-patterns.ts';

/** Places from the start and from the end of a URL that are looked at. */
const FROM_START = 8;
const FROM_END = 4;
/** Words at one place. More, and they are names of pages. */
const MAX_WORDS = 1000;
/** Domains whose places are counted. */
const MAX_DOMAINS = 10_000;
/** Pages with one word below which their languages say nothing of it. */
const LEAST_PAGES = 5;
/** Least share of the entropy of a place that is information about the language: a folder of languages has most of it, names of pages hardly any. */
const LEAST_INFORMATIVE: Unit = 0.3;

/** Number of pages by word and language. */
type Place = Map<string, Map<string, number>>;

/** Counts each page of a corpus. Memory: some 100 bytes a word, place and language. */
export class LanguagePlaces {
  readonly #domains = new Map<string, Map<number, Place>>();
  readonly #chosen = new Map<string, number | null>();

  add(url: CanonicalUrl, lang: string): void {
    const domain = registrableDomain(url);
    const places = this.#domains.get(domain) ?? new Map<number, Place>();
    if (!this.#domains.has(domain) && this.#domains.size < MAX_DOMAINS) this.#domains.set(domain, places);
    for (const [at, word] of wordsOf(url)) {
      const place: Place = places.get(at) ?? new Map();
      places.set(at, place);
      if (place.size > MAX_WORDS) continue;
      const langs = place.get(word) ?? new Map<string, number>();
      place.set(word, langs);
      langs.set(lang, (langs.get(lang) ?? 0) + 1);
    }
  }

  /** Share of the pages with its word at the place of languages that are in its language; 1 if its URL has no such place. Asked when all pages are added. */
  home(url: CanonicalUrl, lang: string): Unit {
    const domain = registrableDomain(url);
    const at = this.#placeOf(domain);
    if (at === null) return 1;
    const word = wordsOf(url).find(([place]) => place === at)?.[1];
    const langs = word === undefined ? undefined : this.#domains.get(domain)?.get(at)?.get(word);
    const pages = langs === undefined ? 0 : sumOf(langs);
    return pages < LEAST_PAGES ? 1 : shareOf(langs?.get(lang) ?? 0, pages);
  }

  /** The place with the most information about the language, as a share of its own. */
  #placeOf(domain: string): number | null {
    const known = this.#chosen.get(domain);
    if (known !== undefined) return known;
    const shares = [...(this.#domains.get(domain) ?? [])].map(([at, place]) => [at, informationOf(place)] as const);
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

/** Mutual information of words and languages as a share of the entropy of the words; 0 for too many words, and if there is one alone. */
function informationOf(place: Place): Unit {
  if (place.size < 2 || place.size > MAX_WORDS) return 0;
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
