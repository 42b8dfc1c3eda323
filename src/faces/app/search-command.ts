/** A command of the user as a search engine: a query in, results out. */
import type { Bytes, Ms } from '../../base/core/types.ts';
import { runLineCommand } from '../../crawling/input/line-command.ts';
import type { EngineAnswer, SearchEngine } from './search-engine.ts';
import { MOST_RESULTS, resultIn, type SearchResult } from './search-results.ts';

/** A program that asks a slow service page by page. */
const LONGEST: Ms = 60_000;
/** A hundred results with snippets are some 100 KB. */
const MOST_OUTPUT: Bytes = 2 ** 20;

/**
 * Runs the command once a query: its standard input is the query, one line; its output is a result a line. The command and its children are killed after
 * a minute, after a megabyte of output, or when the signal aborts. Results read by then count.
 */
export function commandEngine(command: string, longest: Ms = LONGEST): SearchEngine {
  return { name: command, search: (query, signal) => searchBy(command, query, signal, longest), close: async () => undefined };
}

async function searchBy(command: string, query: string, signal: AbortSignal, longest: Ms): Promise<EngineAnswer> {
  const results: SearchResult[] = [];
  let ignored = 0;
  const fault = await runLineCommand(command, [query], { time: longest, output: MOST_OUTPUT }, signal, (line) => {
    const found = resultIn(line, results.length + 1);
    if (found !== null && results.length < MOST_RESULTS) results.push(found);
    else ignored += 1;
  });
  signal.throwIfAborted();
  return { results, ignored, failure: fault?.detail ?? null };
}
