/** Repeats the searches of a journal, and compares the results. */
import { UsageError } from '../../base/core/errors.ts';
import { INPUT, type InputOptions } from '../../crawling/input/inputs.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call } from '../../crawling/settings/kinds.ts';
import { openEngine, SEARXNG, type SearchEngine } from './search-engine.ts';
import { type JournalSearch, searchesIn } from './search-journal.ts';

export interface RepeatSearchesOptions extends InputOptions {
  /** Journal of `searchSeeds`. */
  readonly journal: string;
  /** The engine to ask. Default: that of the journal, if it is an instance of SearXNG: a command of somebody else is run only if it is given here. */
  readonly search?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

const { search, journal } = checksOf(COMMANDS.seeds);
const REPEAT: OptionTable<RepeatSearchesOptions> = { ...INPUT, search, journal, onProgress: call };

/** The results of a query now against those of the journal. */
export interface RepeatedSearch {
  readonly engine: string;
  readonly query: string;
  /** Time of the search in the journal. */
  readonly at: string;
  readonly before: number;
  readonly now: number;
  /** URLs of both at the same rank, and at another one. */
  readonly same: number;
  readonly moved: number;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** Reason why results may be missing now; null if the engine answered well. */
  readonly failure: string | null;
}

export interface RepeatedSearches {
  /** Do all queries have the same results in the same order? */
  readonly equal: boolean;
  readonly searches: readonly RepeatedSearch[];
}

/** See `repeatSearches` of the library. */
export async function repeatSearches(options: RepeatSearchesOptions): Promise<RepeatedSearches> {
  checkOptions('repeatSearches', REPEAT, options, 'journal');
  const asked = searchesIn(options.journal);
  const engines = new Map<string, SearchEngine>();
  try {
    for (const name of namesOf(asked, options)) engines.set(name, await openEngine(name, options.fetch));
    const searches: RepeatedSearch[] = [];
    for (const one of asked) {
      options.onProgress?.(searches.length, asked.length);
      searches.push(await repeated(one, engines.get(options.search ?? one.engine), options));
    }
    return { equal: searches.every(isEqual), searches };
  } finally {
    for (const engine of engines.values()) await engine.close();
  }
}

/** @throws UsageError for a command of a journal: a file that somebody sent must not run a program */
function namesOf(asked: readonly JournalSearch[], { search: given, journal: path }: RepeatSearchesOptions): readonly string[] {
  if (given !== undefined) return [given];
  const names = [...new Set(asked.map(({ engine }) => engine))];
  const command = names.find((name) => !name.startsWith(SEARXNG));
  if (command !== undefined)
    throw new UsageError(`${path}: its engine is the command ${JSON.stringify(command)}; read it, and give it with --search to run it`);
  return names;
}

async function repeated(
  { engine: name, query, at, urls }: JournalSearch,
  engine: SearchEngine | undefined,
  { signal = new AbortController().signal }: RepeatSearchesOptions,
): Promise<RepeatedSearch> {
  const { results = [], failure = null } = (await engine?.search(query, signal)) ?? {};
  const found = results.map(({ url }) => url);
  const same = found.filter((url, rank) => urls[rank] === url).length;
  const gained = found.filter((url) => !urls.includes(url));
  const lost = urls.filter((url) => !found.includes(url));
  const counts = { before: urls.length, now: found.length, same, moved: found.length - gained.length - same };
  return { engine: engine?.name ?? name, query, at, ...counts, gained, lost, failure };
}

function isEqual({ before, now, same }: RepeatedSearch): boolean {
  return before === now && same === now;
}
