/** Search engines that a user names: a command, or an instance of SearXNG. */
import type { FetchListOptions } from '../../crawling/input/fetch-list.ts';
import type { SearchResult } from './search-results.ts';

/** The answer to one query. */
export interface EngineAnswer {
  /** Results in the order of the engine. */
  readonly results: readonly SearchResult[];
  /** Reason why results may be missing; null if the engine answered well. */
  readonly failure: string | null;
  /** Lines or entries without a URL. */
  readonly ignored: number;
}

export interface SearchEngine {
  /** Name that the user gave: it is in the journal, and repeats the search. */
  readonly name: string;
  /** Never rejects because of the engine. @throws the reason of `signal` */
  search(query: string, signal: AbortSignal): Promise<EngineAnswer>;
  close(): Promise<void>;
}

/** Start of the name of an instance of SearXNG; its URL follows. */
export const SEARXNG = 'searxng:';

/** @throws UsageError, EnvironmentError as `openSearxng` */
export async function openEngine(name: string, fetch: Partial<FetchListOptions> = {}): Promise<SearchEngine> {
  if (name.startsWith(SEARXNG)) return (await import('./searxng.ts')).openSearxng(name, fetch);
  return (await import('./search-command.ts')).commandEngine(name);
}
