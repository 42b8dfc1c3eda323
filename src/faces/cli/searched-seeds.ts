/** Searches for seeds on the screen: results, suggested queries, and the differences of a repeated search. */
import { EXIT, UsageError } from '../../base/core/errors.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import { type RepeatedSearch, repeatSearches } from '../app/repeat-searches.ts';
import { type SearchedSeeds, SUGGESTED_QUERIES, searchSeeds } from '../app/search-seeds.ts';
import { openSeedTopic } from '../app/seed-topic.ts';
import { suggestedQueries } from '../app/topic-word-files.ts';
import { networkOf, print, printJson, warn } from './command.ts';
import type { CommandOptions } from './define.ts';
import { longWork, type Shown } from './long-work.ts';

type Options = CommandOptions<'seeds'>;

const ASKED: Shown<readonly [done: number, total: number]> = {
  start: [0, 0],
  line: ([done, total]) => `asked ${countText(done)} of ${counted(total, 'query', 'queries')}`,
  stopping: 'Stopping.',
};
/** Differences that are named for each query. */
const NAMED = 5;
const SHOWN_SEEDS = 20;

export async function showQueries({ topic, dir, top = SUGGESTED_QUERIES, json }: Options): Promise<number> {
  const { folder } = await openSeedTopic({ ...(topic !== undefined && { topic }), ...(dir !== undefined && { dir }) });
  const queries = await suggestedQueries(folder, top);
  if (json) printJson({ queries });
  else for (const { query } of queries) print(query);
  if (queries.length === 0) warn(`${folder}: the model has no word for a query; train it with --subject or more examples`);
  return EXIT.done;
}

export async function showSearched(options: Options & { readonly search: string }): Promise<number> {
  const { search, journal, query, topic, dir, minScore, top = SHOWN_SEEDS, format, json } = options;
  if (journal === undefined)
    throw new UsageError('--search: needs --journal FILE, a record of queries and results with which others can repeat the search');
  const given = { ...(query && { query }), ...(topic !== undefined && { topic }), ...(dir !== undefined && { dir }) };
  const least = minScore === undefined ? {} : { minScore };
  const found = await longWork(ASKED, (signal, tell) =>
    searchSeeds({
      search,
      journal,
      ...given,
      ...least,
      fetch: networkOf(options),
      warn,
      signal,
      onProgress: (done, total) => tell([done, total]),
    }),
  );
  if (found === null) return EXIT.interrupted;
  if (json) printJson(found);
  else if (format === 'urls') printUrls(found);
  else describe(found, top, journal);
  return EXIT.done;
}

function describe({ engine, topic, minScore, searches, outcomes, seeds }: SearchedSeeds, top: number, journal: string): void {
  print(
    `${engine}: ${counted(searches.length, 'query', 'queries')}; ranked by the words of title, snippet and path with the model ${topic}`,
  );
  for (const { query, results, failure } of searches)
    print(`  ${counted(results, 'result').padStart(12)}  ${query}${failure === null ? '' : `  (${failure})`}`);
  const { seed, refused, duplicate, visited } = outcomes;
  print(
    `${counted(seed, 'seed')} of score ${minScore} or more; ${countText(refused)} refused, ${countText(duplicate)} repeated, ${countText(visited)} visited by the crawl`,
  );
  for (const { score, url, title } of seeds.slice(0, top)) print(`  ${(score ?? 0).toFixed(2)}  ${url}\n         "${title}"`);
  print(`all results with their outcomes: ${journal}`);
}

/** Lines for `--seeds` of a crawl. */
function printUrls({ engine, topic, seeds }: SearchedSeeds): void {
  print(`# found by ${engine}, ranked with the model ${topic}`);
  for (const { url, query, score } of seeds) print(`# score ${(score ?? 0).toFixed(2)}, by the query: ${query}\n${url}`);
}

export async function showRepeated(options: Options & { readonly repeat: string }): Promise<number> {
  const { repeat: journal, search, json } = options;
  const repeated = await longWork(ASKED, (signal, tell) =>
    repeatSearches({
      journal,
      ...(search !== undefined && { search }),
      ...{ fetch: networkOf(options), warn, signal, onProgress: (done, total) => tell([done, total]) },
    }),
  );
  if (repeated === null) return EXIT.interrupted;
  if (json) printJson(repeated);
  else {
    for (const search of repeated.searches) describeRepeated(search);
    print(repeated.equal ? 'the results are those of the journal, in the same order' : 'the results differ from those of the journal');
  }
  return EXIT.done;
}

function describeRepeated({ query, at, before, now, same, moved, gained, lost, failure }: RepeatedSearch): void {
  const counts = `${countText(same)} of ${countText(before)} at the same rank, ${countText(moved)} at another, ${countText(gained.length)} new, ${countText(lost.length)} gone`;
  print(`${query}  (${at}): ${counted(now, 'result')}, ${counts}${failure === null ? '' : `; ${failure}`}`);
  for (const url of gained.slice(0, NAMED)) print(`  new   ${url}`);
  for (const url of lost.slice(0, NAMED)) print(`  gone  ${url}`);
}
