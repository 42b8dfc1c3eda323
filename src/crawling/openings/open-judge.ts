/** Opens the user's judge. Only a crawl with one loads this file. */
import type { PageReader } from '../../base/core/parts/reading.ts';
import type { CrawlManifest, CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { commandGiven } from '../crawl-dir/own-code-files.ts';
import { COMMAND } from '../settings/own-code.ts';
import type { HookLimits } from './hook-thread.ts';
import { commandJudge, JUDGE_LIMITS, openModuleJudge } from './judge-calls.ts';
import { JudgedReader } from './judged-reader.ts';
import { JudgementCache } from './judgement-cache.ts';
import { PageJudge } from './page-judge.ts';

export interface JudgeOwner {
  readonly paths: CrawlPaths;
  /** The option of this run, which has the command. */
  readonly judgeBy: string | undefined;
  readonly warn: (message: string) => void;
}

/** @param limits of a call. @throws UsageError for a module that cannot be loaded; DamageError for stored judgements that are damaged */
export async function judgedReader(
  reader: PageReader,
  manifest: Pick<CrawlManifest, 'judgeBy' | 'judgeSha256' | 'judgeBand' | 'judgeLimit'>,
  { paths, judgeBy, warn }: JudgeOwner,
  limits: HookLimits = JUDGE_LIMITS,
): Promise<PageReader> {
  const stored = manifest.judgeBy;
  if (stored === null) return reader;
  const cache = new JudgementCache(paths, manifest.judgeSha256 ?? '');
  const name = stored === COMMAND ? commandGiven(paths.dir, '--judge-by', judgeBy) : stored;
  const judge = stored === COMMAND ? commandJudge(name, limits) : await openModuleJudge(name, limits);
  const limit = manifest.judgeLimit ?? Number.POSITIVE_INFINITY;
  return new JudgedReader(reader, new PageJudge({ judge, name, cache, limit, warn }), manifest.judgeBand);
}

/** Loads the module of a judge, and forgets it: a fault in it is found before a crawl writes anything. @throws UsageError */
export async function checkJudge(file: string): Promise<void> {
  await (await openModuleJudge(file, JUDGE_LIMITS)).close();
}
