/** Ranks the URLs of lists and archives as seeds by a topic model. Nothing is requested. */
import * as z from 'zod';
import { systemClock } from '../../base/core/clock.ts';
import { CrawlerError, DataError, UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, Ms } from '../../base/core/types.ts';
import { urlsIn } from '../../crawling/input/url-list-file.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import { GOOD_SCORE } from '../../reading/topic/candidate-words.ts';
import { judgePages } from './judge-pages.ts';
import { type RankedHost, type ScoredCandidate, SeedRanking } from './seed-ranking.ts';
import { openSeedTopic, type SeedTopic } from './seed-topic.ts';
import { TimeLimit } from './time-limit.ts';
import { type OpenTopicWords, openTopicWords } from './topic-word-files.ts';

/** Give `from` or `archives`, and `topic` or `dir`. */
export interface RankSeedsOptions {
  /** Files of URLs: bookmarks, JSON, CSV, a sitemap, a feed, BibTeX, RIS, a dump of MediaWiki's links, a CDX, or any text. They are ranked by words. */
  readonly from?: readonly string[];
  /** Archives: WARC, WACZ or CDXJ files, or folders of them. They are ranked by the text of their pages. */
  readonly archives?: readonly string[];
  /** Topic model. Default: the active one of the crawl. */
  readonly topic?: string;
  /** Directory of a crawl, whose visited URLs are omitted. It may run. */
  readonly dir?: string;
  /** Number of hosts, and of pages. Default 20. */
  readonly top?: number;
  /** Longest time to read; then the URLs read so far are ranked. Default one hour. */
  readonly maxTime?: Ms;
  readonly warn?: (message: string) => void;
  /** Receives the number of URLs or pages read so far. */
  readonly onProgress?: (read: number) => void;
  readonly signal?: AbortSignal;
}

const { top, maxTime, topic, from } = checksOf(COMMANDS.seeds);
const dir = z.string();
const RANK_SEEDS: OptionTable<RankSeedsOptions> = { from, archives: from, topic, dir, top, maxTime, warn: call, onProgress: call, signal };

export interface RankedPage {
  readonly url: CanonicalUrl;
  readonly title: string;
  /** Score by words for a page of a list, see `CandidateScorer`; relevance of the text for a page of an archive. */
  readonly score: number;
  /** The words that count for it, the strongest first, at most five. Of an archive: none, since its whole text counts. */
  readonly words: readonly string[];
}

/** A list or archive, and how its reading ended: at its end, at `maxTime`, or at a damaged place, whose message is the reason. */
export interface ReadSource {
  readonly path: string;
  /** URLs of a list, or pages of an archive, repetitions included. */
  readonly read: number;
  readonly ended: 'end' | 'time' | 'damage';
  readonly reason: string | null;
}

export interface RankedSeeds {
  /** Name of the topic model. */
  readonly topic: string;
  readonly sources: readonly ReadSource[];
  /** Distinct URLs that were ranked. */
  readonly ranked: number;
  /** Distinct URLs that the crawl has visited already, which are omitted. */
  readonly visited: number;
  readonly hosts: readonly RankedHost[];
  readonly pages: readonly RankedPage[];
}

const TOP = 20;
const LONGEST: Ms = 3_600_000;
const WORDS = 5;

/** See `rankSeeds` of the library. */
export async function rankSeeds(options: RankSeedsOptions): Promise<RankedSeeds> {
  checkOptions('rankSeeds', RANK_SEEDS, options);
  const { from: lists = [], archives = [] } = options;
  // Scores by words and relevances of texts have no common order.
  if ((lists.length === 0) === (archives.length === 0)) throw new UsageError('rankSeeds: needs one of the options from and archives');
  const topic = await openSeedTopic(options);
  const ranker = new Ranker(topic, lists.length === 0 ? null : await openTopicWords(topic.folder), options);
  for (const path of lists) await ranker.read(path, ranker.list(path));
  for (const path of archives) await ranker.read(path, ranker.archive(path));
  return ranker.ranked();
}

class Ranker {
  readonly #topic: SeedTopic;
  /** null for archives. */
  readonly #words: OpenTopicWords | null;
  readonly #options: RankSeedsOptions;
  readonly #ranking: SeedRanking;
  readonly #time: TimeLimit;
  readonly #sources: ReadSource[] = [];
  #visited = 0;
  #read = 0;

  constructor(topic: SeedTopic, words: OpenTopicWords | null, options: RankSeedsOptions) {
    [this.#topic, this.#words, this.#options] = [topic, words, options];
    this.#ranking = new SeedRanking(options.top ?? TOP, words === null ? topic.model.threshold : GOOD_SCORE);
    this.#time = new TimeLimit(systemClock, options.maxTime ?? LONGEST);
  }

  async *list(path: string): AsyncGenerator<ScoredCandidate> {
    for await (const { urls } of urlsIn(path))
      for (const one of urls) yield { ...one, score: this.#isWanted(one.url) ? (this.#words?.scorer.scoreOf(one).score ?? 0) : NONE };
  }

  async *archive(path: string): AsyncGenerator<ScoredCandidate> {
    const { warn } = this.#options;
    for await (const { url, title, relevance } of judgePages(this.#topic.folder, path, warn === undefined ? {} : { warn }))
      if (url !== null) yield { url, title, score: this.#isWanted(url) ? relevance : NONE };
  }

  /** Damage behind the first URL ends a source, not the ranking. @throws UsageError; DataError for a source without any URL; the reason of the signal */
  async read(path: string, candidates: AsyncGenerator<ScoredCandidate>): Promise<void> {
    const before = this.#read;
    const end = (ended: ReadSource['ended'], reason: string | null = null) =>
      this.#sources.push({ path, read: this.#read - before, ended, reason });
    try {
      for await (const candidate of candidates) {
        this.#options.signal?.throwIfAborted();
        if (this.#time.left === 0) return void end('time');
        this.#read += 1;
        this.#options.onProgress?.(this.#read);
        if (candidate.score !== NONE) this.#ranking.add(candidate);
      }
      if (this.#read === before) throw new DataError(`${path}: has no page that can be read; give an archive of web pages`);
      end('end');
    } catch (error) {
      if (!(error instanceof CrawlerError) || this.#read === before) throw error;
      this.#options.warn?.(error.message);
      end('damage', error.message);
    }
  }

  ranked(): RankedSeeds {
    const { model } = this.#topic;
    const pages = this.#ranking.pages().map((one): RankedPage => {
      const { url, title, score } = one;
      return { url, title, score, words: this.#words?.scorer.scoreOf(one).words.slice(0, WORDS) ?? [] };
    });
    const counts = { ranked: this.#ranking.size - this.#visited, visited: this.#visited };
    return { topic: model.name, sources: this.#sources, ...counts, hosts: this.#ranking.hosts(), pages };
  }

  /** Each URL counts once, and one that the crawl has visited does not. */
  #isWanted(url: CanonicalUrl): boolean {
    if (!this.#ranking.isNew(url)) return false;
    if (!this.#topic.visited.has(url)) return true;
    this.#visited += 1;
    return false;
  }
}

/** Score of a candidate that is not ranked. */
const NONE = -1;
