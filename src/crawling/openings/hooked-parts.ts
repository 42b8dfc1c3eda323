/** The parts of a crawl that ask the user's hooks. Only a crawl with hooks loads this file. */
import type { AskBeforeKeep, CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { PageReader } from '../../base/core/parts/reading.ts';
import type { CrawlManifest } from '../crawl-dir/crawl-directory.ts';
import type { Requests } from '../fetch/requests.ts';
import type { HookLimits } from './hook-thread.ts';
import { askingBeforeKeep, HookedCorpus } from './hooked-corpus.ts';
import { type FetchTroubles, hookedFetcher } from './hooked-fetcher.ts';
import { HookedReader } from './hooked-reader.ts';
import { Hooks } from './hooks.ts';

/** Wraps parts of a crawl. A part without a hook of its own stays as it is, except the corpus, whose end is that of the hooks. */
export interface HookedParts {
  readonly fetcher: (fetcher: Requests, frontier: Pick<Ledger, 'find'>) => Requests;
  readonly reader: (reader: PageReader) => PageReader;
  readonly corpus: (corpus: CorpusWriter) => CorpusWriter;
  readonly beforeKeep: AskBeforeKeep | null;
}

/** @param limits of a call. Default: `HOOK_LIMITS`. @throws UsageError for a module that cannot be loaded */
export async function hookedParts(
  { hooks: file, strictHooks: strict }: Pick<CrawlManifest, 'hooks' | 'strictHooks'>,
  warn: (message: string) => void,
  limits?: HookLimits,
): Promise<HookedParts> {
  const hooks = await Hooks.open({ file: file ?? '', strict, warn, ...(limits && { limits }) });
  const troubles: FetchTroubles = new WeakMap();
  return {
    fetcher: (fetcher, frontier) => (hooks.has('beforeFetch') ? hookedFetcher(fetcher, hooks, frontier, troubles) : fetcher),
    reader: (reader) => new HookedReader(reader, hooks, troubles),
    corpus: (corpus) => new HookedCorpus(corpus, hooks),
    beforeKeep: askingBeforeKeep(hooks),
  };
}
