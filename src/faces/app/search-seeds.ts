/** Searches for seeds: queries to an engine, its results judged by a topic model, and a journal of both. */
import * as z from 'zod';
import { systemClock } from '../../base/core/clock.ts';
import { EnvironmentError, UsageError } from '../../base/core/errors.ts';
import { VERSION } from '../../base/core/version.ts';
import { canonicalize } from '../../base/web/url.ts';
import { INPUT, type InputOptions } from '../../crawling/input/inputs.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call } from '../../crawling/settings/kinds.ts';
import { GOOD_SCORE } from '../../reading/topic/candidate-words.ts';
import { suggestQueries } from '../../reading/topic/query-suggestions.ts';
import { type EngineAnswer, openEngine, type SearchEngine } from './search-engine.ts';
import { addToJournal, type JournalResult, prepareJournal } from './search-journal.ts';
import type { SearchResult } from './search-results.ts';
import { SeedRanking } from './seed-ranking.ts';
import { openSeedTopic, type SeedTopic } from './seed-topic.ts';
import { type OpenTopicWords, openTopicWords } from './topic-word-files.ts';

export interface SearchSeedsOptions extends InputOptions {
  /** A command that reads a query and prints results, or `searxng:` and the URL of an instance. */
  readonly search: string;
  /** File to which each query and result is added. */
  readonly journal: string;
  /** Default: ten that the model suggests. */
  readonly query?: readonly string[];
  /** Topic model. Default: the active one of the crawl. */
  readonly topic?: string;
  /** Directory of a crawl, whose visited URLs are no seeds. It may run. */
  readonly dir?: string;
  /** Least score of a seed, see `CandidateScorer`. Default 1: a word of the subject, or the weight of the strongest term. */
  readonly minScore?: number;
  /** Receives the queries that were answered, and their number. */
  readonly onProgress?: (done: number, total: number) => void;
}

const { topic, search, journal, query, minScore } = checksOf(COMMANDS.seeds);
const SEARCH_SEEDS: OptionTable<SearchSeedsOptions> = {
  ...INPUT,
  topic,
  search,
  journal,
  query,
  minScore,
  dir: z.string(),
  onProgress: call,
};

/** A result as the journal has it. */
export type FoundResult = Pick<JournalResult, 'query' | 'rank' | 'url' | 'title' | 'outcome' | 'reason' | 'score'>;

export interface SearchedSeeds {
  readonly engine: string;
  readonly topic: string;
  readonly minScore: number;
  readonly searches: readonly { readonly query: string; readonly results: number; readonly failure: string | null }[];
  /** Number of results by their outcome. */
  readonly outcomes: Readonly<Record<JournalResult['outcome'], number>>;
  /** The best first. */
  readonly seeds: readonly FoundResult[];
}

/** Queries that the model suggests without others. */
export const SUGGESTED_QUERIES = 10;

/** See `searchSeeds` of the library. */
export async function searchSeeds(options: SearchSeedsOptions): Promise<SearchedSeeds> {
  checkOptions('searchSeeds', SEARCH_SEEDS, options, 'search', 'journal');
  prepareJournal(options.journal);
  const seedTopic = await openSeedTopic(options);
  const words = await openTopicWords(seedTopic.folder);
  const queries = options.query ?? suggestQueries(words.topic, SUGGESTED_QUERIES, words.vectors).map(({ query: text }) => text);
  if (queries.length === 0) throw new UsageError(`${seedTopic.folder}: has no word for a query; give queries with --query`);
  const engine = await openEngine(options.search, options.fetch);
  try {
    return await new SeedSearch(seedTopic, words, engine, options).run([...new Set(queries)]);
  } finally {
    await engine.close();
  }
}

class SeedSearch {
  readonly #topic: SeedTopic;
  readonly #words: OpenTopicWords;
  readonly #engine: SearchEngine;
  readonly #options: SearchSeedsOptions;
  readonly #least: number;
  readonly #known: SeedRanking;
  readonly #found: FoundResult[] = [];

  constructor(seedTopic: SeedTopic, words: OpenTopicWords, engine: SearchEngine, options: SearchSeedsOptions) {
    [this.#topic, this.#words, this.#engine, this.#options] = [seedTopic, words, engine, options];
    this.#least = options.minScore ?? GOOD_SCORE;
    this.#known = new SeedRanking(1, this.#least);
  }

  /** @throws EnvironmentError if no query was answered; StoreError; the reason of the signal */
  async run(queries: readonly string[]): Promise<SearchedSeeds> {
    const { onProgress, warn, signal = new AbortController().signal } = this.#options;
    const { name, id } = this.#topic.model;
    this.#note([
      {
        type: 'run',
        at: now(),
        software: `forager/${VERSION}`,
        engine: this.#engine.name,
        topic: { name, id },
        minScore: this.#least,
      },
    ]);
    const searches: SearchedSeeds['searches'][number][] = [];
    for (const text of queries) {
      onProgress?.(searches.length, queries.length);
      const answer = await this.#engine.search(text, signal);
      this.#take(text, answer);
      if (answer.failure !== null) warn?.(`"${text}": ${answer.failure}`);
      searches.push({ query: text, results: answer.results.length, failure: answer.failure });
    }
    if (searches.every(({ results, failure }) => results === 0 && failure !== null))
      throw new EnvironmentError(`--search ${this.#engine.name}: no query was answered (${searches[0]?.failure}); check the engine`);
    return this.#searched(searches);
  }

  #take(text: string, { results, failure, ignored }: EngineAnswer): void {
    const common = { at: now(), engine: this.#engine.name, query: text };
    const judged = results.map((result) => ({ ...result, ...this.#outcomeOf(result) }));
    this.#note([
      { type: 'search', ...common, results: results.length, failure, ignored },
      ...judged.map((result) => ({ type: 'result' as const, ...common, ...result })),
    ]);
    this.#found.push(...judged.map(({ snippet, ...result }) => ({ query: text, ...result })));
  }

  #outcomeOf({ url: written, title, snippet }: SearchResult): Pick<JournalResult, 'outcome' | 'reason' | 'score'> {
    const url = canonicalize(written);
    if (url === null) return { outcome: 'refused', reason: 'not a usable http(s) URL', score: null };
    const { score } = this.#words.scorer.scoreOf({ url, title, context: snippet });
    if (!this.#known.isNew(url)) return { outcome: 'duplicate', reason: 'a result of an earlier query, or higher up', score };
    if (this.#topic.visited.has(url)) return { outcome: 'visited', reason: 'the crawl has visited it', score };
    if (score >= this.#least) return { outcome: 'seed', reason: '', score };
    return { outcome: 'refused', reason: `score below ${this.#least}`, score };
  }

  #note(lines: Parameters<typeof addToJournal>[1]): void {
    addToJournal(this.#options.journal, lines);
  }

  #searched(searches: SearchedSeeds['searches']): SearchedSeeds {
    const outcomes = { seed: 0, refused: 0, duplicate: 0, visited: 0 };
    for (const { outcome } of this.#found) outcomes[outcome] += 1;
    const seeds = this.#found.filter(({ outcome }) => outcome === 'seed').sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    return { engine: this.#engine.name, topic: this.#topic.model.name, minScore: this.#least, searches, outcomes, seeds };
  }
}

function now(): string {
  return new Date(systemClock.now()).toISOString();
}
