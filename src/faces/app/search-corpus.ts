import { endLeftovers } from '../../base/disk/output.ts';
import { type SearchAnswer, searchDatabase } from '../../corpus/search/corpus-search.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { wantedLanguage } from './harvest-crawl.ts';

export type SearchOptions = Omit<OptionsOf<typeof COMMANDS.search>, 'json'>;

const SEARCH: OptionTable<SearchOptions> = without(checksOf(COMMANDS.search), 'json');
const DEFAULT_TOP = 10;

/** See `search` of the library. */
export async function search(options: SearchOptions): Promise<SearchAnswer> {
  checkOptions('search', SEARCH, options, 'corpus', 'query');
  const languages = (options.languages ?? []).map((tag) => wantedLanguage(tag));
  const { host, top = DEFAULT_TOP, query } = options;
  await endLeftovers(options.corpus);
  return searchDatabase(options.corpus, { query, languages, top, ...(host !== undefined && { host }) });
}
