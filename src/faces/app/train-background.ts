/** Pages of earlier crawls that join the background of a training. */

import { isOnTopic } from '../../base/core/on-topic.ts';
import { seededRng, shuffled } from '../../base/core/rng.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { languageDetector } from '../../base/text/language.ts';
import { crawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { TrainingPage } from '../../reading/topic/train-topic.ts';
import { MAX_ROWS } from '../../reading/topic/training-set.ts';
import { type CrawlPage, judgedPages, pagesOf } from '../../study/label/judged-pages.ts';
import { LabelLog } from '../../study/label/label-log.ts';

export interface CrawledBackground {
  readonly pages: readonly TrainingPage[];
  /** One line per crawl: how many of its pages joined, and how many did not and why. */
  readonly notes: readonly string[];
}

/** The pages of one crawl, by whether they may join. */
interface Sorted {
  /** Answered `n`: surely off topic. */
  readonly refused: readonly CanonicalUrl[];
  readonly offTopic: readonly CanonicalUrl[];
  /** Excluded: pages answered `y`; of the others, pages in the corpus or on topic by the active model. */
  readonly answeredYes: number;
  readonly onTopic: number;
}

/**
 * Judged pages that are off topic in their crawls, as many as a training takes: first those answered `n`, then others at random. Kept pages are
 * excluded: in a crawl for the same topic they are examples of it, and the training would learn them as off topic. In a crawl for another topic
 * they are not missed.
 * @throws UsageError, DataError, StoreError that name the crawl
 */
export async function crawledBackground(
  dirs: readonly string[],
  seed: number,
  warn: (message: string) => void,
): Promise<CrawledBackground> {
  const pages: TrainingPage[] = [];
  const notes: string[] = [];
  const most = Math.ceil(MAX_ROWS.extra / Math.max(1, dirs.length));
  for (const dir of dirs) {
    const crawl = openCrawl(dir);
    try {
      const sorted = sortedPages(crawl, warn);
      const taken = [...sorted.refused, ...shuffled(sorted.offTopic, seededRng(seed))].slice(0, most);
      pages.push(...(await textsOf(dir, crawl, taken)));
      notes.push(noteOf(dir, sorted, taken.length));
    } finally {
      await crawl.close();
    }
  }
  return { pages, notes };
}

/**
 * Pages of a crawl that it read, drawn at random regardless of their relevance: a sample of the web that it visited.
 * @throws UsageError, DataError, StoreError that name the crawl
 */
export async function crawledPool(dir: string, seed: number): Promise<readonly TrainingPage[]> {
  const crawl = openCrawl(dir);
  try {
    const urls = judgedPages(crawl).map(({ url }) => url);
    return await textsOf(dir, crawl, shuffled(urls, seededRng(seed)).slice(0, MAX_ROWS.extra));
  } finally {
    await crawl.close();
  }
}

function sortedPages(crawl: OpenCrawl, warn: (message: string) => void): Sorted {
  const { answers } = LabelLog.ofTopic(crawl, undefined, warn).state;
  const { threshold } = crawl.manifest.topic;
  const judged = judgedPages(crawl);
  const unanswered = judged.filter(({ url }) => !['y', 'n'].includes(answers.get(url) ?? ''));
  const isWanted = ({ kept, relevance }: CrawlPage) => kept || isOnTopic(relevance, threshold);
  return {
    refused: judged.filter(({ url }) => answers.get(url) === 'n').map(({ url }) => url),
    offTopic: unanswered.filter((page) => !isWanted(page)).map(({ url }) => url),
    answeredYes: judged.filter(({ url }) => answers.get(url) === 'y').length,
    onTopic: unanswered.filter(isWanted).length,
  };
}

async function textsOf(dir: string, crawl: OpenCrawl, urls: readonly CanonicalUrl[]): Promise<TrainingPage[]> {
  const detect = await languageDetector();
  const pages: TrainingPage[] = [];
  for await (const page of pagesOf(crawlPaths(dir), crawl, urls))
    pages.push({ id: `${dir}: ${page.url}`, ...page, language: detect(page.text) });
  return pages;
}

function noteOf(dir: string, { refused, offTopic, answeredYes, onTopic }: Sorted, joined: number): string {
  const atRandom = refused.length + offTopic.length - joined;
  const left = `excluded: ${onTopic} kept or on topic there, ${answeredYes} answered y${atRandom > 0 ? `, ${atRandom} at random` : ''}`;
  if (joined > 0)
    return `${dir}: ${joined} judged pages join the background, ${Math.min(joined, refused.length)} of them answered n; ${left}`;
  return `${dir}: adds no page to the background (${left}); give a crawl with off-topic pages (see ${commandOn('status', dir)}), or answer some with n: ${commandOn('label', dir)}`;
}
