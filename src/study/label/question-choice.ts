/** Chooses the questions of a running crawl. Pure. */
import { directoryOf } from '../../base/web/url.ts';
import type { LabelCandidate, LabelPlan, LabelState, QueueName } from './label-queue.ts';

/** A page that a person should answer. */
export interface CrawlQuestion {
  readonly url: string;
  readonly queue: Extract<QueueName, 'random' | 'spread'>;
}

/**
 * Chooses at most `count` pages without an answer. A third, rounded up, is drawn at random as by `LabelPlan`. The others are spread: the pages are sorted
 * by relevance and divided into as many equal parts as questions are left. Each part gives one page, of the host and the directory with the fewest
 * questions so far. The same pages and state give the same questions. O(pages × log pages).
 * @param asked earlier questions. A draw may repeat one that was not drawn: a draw that avoids pages is not random.
 */
export function chooseQuestions<P extends LabelCandidate>(
  pages: readonly P[],
  plan: Pick<LabelPlan<P>, 'draw'>,
  state: LabelState,
  asked: readonly CrawlQuestion[],
  count: number,
): CrawlQuestion[] {
  const random = drawn(plan, state, asked, Math.ceil(count / 3));
  const known = new Set([...asked, ...random].map(({ url }) => url));
  const left = pages.filter(({ url }) => !known.has(url) && !state.answers.has(url));
  return [...random, ...spread(left, count - random.length, random)];
}

function drawn<P extends LabelCandidate>(
  plan: Pick<LabelPlan<P>, 'draw'>,
  state: LabelState,
  asked: readonly CrawlQuestion[],
  count: number,
): CrawlQuestion[] {
  const urls = new Set([...state.drawn, ...asked.filter(({ queue }) => queue === 'random').map(({ url }) => url)]);
  const questions: CrawlQuestion[] = [];
  while (questions.length < count) {
    const page = plan.draw({ ...state, drawn: urls });
    if (page === null) break;
    urls.add(page.url);
    questions.push({ url: page.url, queue: 'random' });
  }
  return questions;
}

function spread(pages: readonly LabelCandidate[], count: number, before: readonly CrawlQuestion[]): CrawlQuestion[] {
  const uses = new Uses();
  for (const { url } of before) uses.add(url);
  const sorted = [...pages].sort((a, b) => b.relevance - a.relevance || (a.url < b.url ? -1 : 1));
  const parts = Math.min(count, sorted.length);
  const questions: CrawlQuestion[] = [];
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * sorted.length) / parts);
    const url = uses.least(sorted.slice(from, Math.floor(((part + 1) * sorted.length) / parts)).map((page) => page.url));
    if (url === null) continue;
    uses.add(url);
    questions.push({ url, queue: 'spread' });
  }
  return questions;
}

/** Number of questions about each host and directory. */
class Uses {
  readonly #counts = new Map<string, number>();

  add(url: string): void {
    for (const place of placesOf(url)) this.#counts.set(place, this.#of(place) + 1);
  }

  /** The first URL of the least used host, and of the least used directory there. */
  least(urls: readonly string[]): string | null {
    let best: { readonly url: string; readonly host: number; readonly directory: number } | null = null;
    for (const url of urls) {
      const [host = 0, directory = 0] = placesOf(url).map((place) => this.#of(place));
      if (best === null || host < best.host || (host === best.host && directory < best.directory)) best = { url, host, directory };
    }
    return best?.url ?? null;
  }

  #of(place: string): number {
    return this.#counts.get(place) ?? 0;
  }
}

function placesOf(url: string): readonly [host: string, directory: string] {
  return [url.split('/', 3).join('/'), directoryOf(url)];
}
