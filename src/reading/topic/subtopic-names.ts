/** Terms that tell a subtopic from the other pages of its crawl. */
import { foldWord } from '../../base/text/letters.ts';
import { scanWords } from '../../base/text/tokens.ts';
import { wordBucket } from './features.ts';

/** A page with its subtopic; null for none. */
export interface GroupedText {
  readonly title: string;
  readonly text: string;
  readonly subtopic: number | null;
}

/** Words that are read of a page: its start tells its subject. */
const READ_WORDS = 600;
const READ_CHARS = 8000;
/** Characters of a script with spaces; a word of two is often a variable or a unit. */
const LEAST_CHARS = 3;
/** Pages of a subtopic with a term, at least. */
const LEAST_PAGES = 3;
/** A phrase replaces its words if it is on so many of the pages with one of them. */
const PHRASE_SHARE = 0.4;
/** A term is so many times as frequent in its subtopic as outside. */
const LEAST_RATIO = 2;
/** A term in the titles of all its pages counts so many times more: authors name the subject there, and program code is not in titles. */
const TITLE_WEIGHT = 4;
/** Terms of a subtopic. */
const TERMS = 12;

/** Pages of each subtopic with a term. Shape [subtopics]. */
type Counts = Map<string, Int32Array>;

/**
 * Terms of each subtopic, the most telling first: words and phrases of two words by the pages with them, p·ln(p/q) with the shares p inside and q outside, more
 * if they are in titles.
 * No term repeats a word of one before. O(words of the pages).
 * @param isCommon whether the word of a bucket is common in pages about anything
 */
export function subtopicTerms(pages: Iterable<GroupedText>, subtopics: number, isCommon: (bucket: number) => boolean): string[][] {
  const sizes = new Int32Array(subtopics);
  const counts: Counts = new Map();
  const titles: Counts = new Map();
  for (const { title, text, subtopic } of pages) {
    if (subtopic === null) continue;
    sizes[subtopic] = (sizes[subtopic] ?? 0) + 1;
    for (const term of termsIn(`${title}\n${text.slice(0, READ_CHARS)}`, isCommon)) count(counts, term, subtopic, subtopics);
    for (const term of termsIn(title, isCommon)) count(titles, term, subtopic, subtopics);
  }
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return Array.from(sizes, (size, subtopic) => chosen(ranked(counts, titles, subtopic, size, all), counts, subtopic));
}

function count(counts: Counts, term: string, subtopic: number, subtopics: number): void {
  const of = counts.get(term) ?? new Int32Array(subtopics);
  of[subtopic] = (of[subtopic] ?? 0) + 1;
  counts.set(term, of);
}

/** Distinct words and phrases of two neighbouring words, folded. */
function termsIn(text: string, isCommon: (bucket: number) => boolean): Set<string> {
  const terms = new Set<string>();
  let [before, end, read] = ['', 0, 0];
  scanWords(text, (hash, start, to) => {
    if (read++ >= READ_WORDS) return;
    const word = foldWord(text.slice(start, to));
    const isTelling = word.length >= LEAST_CHARS && !/\d/.test(word) && !isCommon(wordBucket(hash));
    if (isTelling) terms.add(word);
    if (isTelling && before !== '' && /^[ \t-]$/.test(text.slice(end, start)) && before !== word) terms.add(`${before} ${word}`);
    [before, end] = [isTelling ? word : '', to];
  });
  return terms;
}

function ranked(counts: Counts, titles: Counts, subtopic: number, size: number, all: number): string[] {
  const rest = all - size;
  const scored: (readonly [string, number])[] = [];
  for (const [term, of] of counts) {
    const inside = of[subtopic] ?? 0;
    if (inside < Math.min(LEAST_PAGES, size)) continue;
    const outside = of.reduce((sum, count) => sum + count, 0) - inside;
    const p = inside / size;
    const ratio = p / ((outside + 0.5) / (rest + 1));
    const titled = (titles.get(term)?.[subtopic] ?? 0) / size;
    if (ratio >= LEAST_RATIO) scored.push([term, p * Math.log(ratio) * (1 + TITLE_WEIGHT * titled)]);
  }
  return scored.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([term]) => term);
}

/** Replaces a word by the most frequent phrase with it, if that is nearly as frequent. */
function chosen(terms: readonly string[], counts: Counts, subtopic: number): string[] {
  const of = (term: string) => counts.get(term)?.[subtopic] ?? 0;
  const phrases = terms.filter((term) => term.includes(' '));
  const out: string[] = [];
  const used = new Set<string>();
  for (const term of terms) {
    if (out.length === TERMS) break;
    const longer = phrases.filter((phrase) => phrase.split(' ').includes(term) && of(phrase) >= PHRASE_SHARE * of(term));
    const best = longer.sort((a, b) => of(b) - of(a))[0] ?? term;
    const words = best.split(' ');
    if (words.some((word) => isUsed(word, used))) continue;
    for (const word of words) used.add(word);
    out.push(best);
  }
  return out;
}

/** Was the word, or its plural or singular, named before? */
function isUsed(word: string, used: ReadonlySet<string>): boolean {
  return used.has(word) || used.has(`${word}s`) || (word.endsWith('s') && used.has(word.slice(0, -1)));
}
