/** A search engine in memory: BM25 (Robertson and Zaragoza 2009, k1 = 1.2, b = .75) over titles, paths and texts. */
import { wordsOf } from '../../../src/base/text/tokens.ts';

export interface SearchedPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

const K1 = 1.2;
const B = 0.75;
/** Words of a text that count. */
const MOST_WORDS = 3000;
/** Characters of a snippet, around the first word of the query. */
const SNIPPET = 200;

export class Bm25 {
  readonly #pages: readonly SearchedPage[];
  /** Page and count, alternately. */
  readonly #postings = new Map<string, number[]>();
  readonly #lengths: number[] = [];
  readonly #mean: number;

  constructor(pages: readonly SearchedPage[]) {
    this.#pages = pages;
    pages.forEach((page, number) => {
      this.#add(page, number);
    });
    this.#mean = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, pages.length);
  }

  /** The best pages for any words of a query, with a snippet. */
  search(query: string, count: number): (SearchedPage & { readonly snippet: string })[] {
    const scores = new Map<number, number>();
    const words = [...new Set(wordsOf(query))];
    for (const word of words) this.#score(word, scores);
    return [...scores]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, count)
      .flatMap(([number]) => this.#pages[number] ?? [])
      .map((page) => ({ ...page, snippet: snippetOf(page.text, words) }));
  }

  #add({ title, text }: SearchedPage, number: number): void {
    const words = [...wordsOf(title), ...wordsOf(text.slice(0, 10 * MOST_WORDS)).slice(0, MOST_WORDS)];
    this.#lengths.push(words.length);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      const postings = this.#postings.get(word) ?? [];
      postings.push(number, count);
      if (postings.length === 2) this.#postings.set(word, postings);
    }
  }

  #score(word: string, scores: Map<number, number>): void {
    const postings = this.#postings.get(word) ?? [];
    const found = postings.length / 2;
    const idf = Math.log(1 + (this.#pages.length - found + 0.5) / (found + 0.5));
    for (let i = 0; i < postings.length; i += 2) {
      const [page = 0, count = 0] = postings.slice(i, i + 2);
      const norm = K1 * (1 - B + (B * (this.#lengths[page] ?? 0)) / this.#mean);
      scores.set(page, (scores.get(page) ?? 0) + (idf * count * (K1 + 1)) / (count + norm));
    }
  }
}

function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, lower.length) - SNIPPET / 2);
  return text.slice(places.length === 0 ? 0 : from, (places.length === 0 ? 0 : from) + SNIPPET);
}
