/** Writes the web that a crawl saw to one file, so that it can be crawled again without requests. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../base/core/errors.ts';
import { PRODUCT_TOKEN, VERSION } from '../../base/core/version.ts';
import { type LockOptions, takeLock } from '../../base/disk/lock.ts';
import { FILE_OUTPUT, withOutput } from '../../base/disk/output.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { VISITS_FILE } from '../../corpus/records/corpus-writer.ts';
import { FrozenFile } from '../../corpus/records/frozen-file.ts';
import {
  type CrawlManifest,
  type CrawlPaths,
  crawlPaths,
  readManifest,
  refuseLostFrontier,
  refuseUnstarted,
} from '../../crawling/crawl-dir/crawl-directory.ts';
import { ownMethod } from '../../crawling/crawl-dir/load-topic.ts';
import { refuseBrokenTrees } from '../../crawling/frontier/lmdb-check.ts';
import { storedHeadOf } from '../../crawling/frontier/lmdb-opening.ts';
import { StoredVisits } from '../../crawling/frontier/stored-visits.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import type { MainTextMethod } from '../../reading/extract/text-method-names.ts';
import { pageExtractor } from '../../reading/wasm-reader/page-extractor.ts';
import { Freezing, type FrozenCounts } from './freeze-visits.ts';

export interface FreezeOptions extends Pick<LockOptions, 'warn'> {
  /** Crawl directory; no crawl may run on it meanwhile. */
  readonly dir: string;
  /** File to write. */
  readonly out: string;
  /** Replace an existing file. Default false. */
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export const FREEZE: OptionTable<FreezeOptions> = { ...without(checksOf(COMMANDS.freeze), 'json'), warn: call, onProgress: call, signal };

export interface FreezeReport extends FrozenCounts {
  readonly out: string;
}

/** See `freeze` of the library. */
export async function freeze(options: FreezeOptions): Promise<FreezeReport> {
  checkOptions('freeze', FREEZE, options, 'dir', 'out');
  const manifest = readManifest(options.dir);
  const paths = crawlPaths(options.dir);
  refuseLostFrontier(manifest, paths);
  refuseUnstarted(paths);
  const { out, force, warn, signal: stop } = options;
  return withOutput(out, FILE_OUTPUT, { force, ...(warn && { warn }), ...(stop && { signal: stop }) }, async (output) => {
    const extractor = await ownMethod(paths, manifest);
    const lock = await takeLock(paths.lock, options.dir, options);
    try {
      const counts = await frozenTo(output.path, extractor, { paths, manifest, options });
      lock.check();
      await output.publish();
      return { out, ...counts };
    } finally {
      await lock.release();
    }
  });
}

/** A recording that was emptied is damage, and no crawl without visits. @throws StoreError */
async function refuseLostRecording({ dir, frontier, corpus }: CrawlPaths, crawl: string | null): Promise<void> {
  const { commit } = await storedHeadOf(frontier, crawl);
  const path = join(corpus, VISITS_FILE);
  const [there, committed] = [statSync(path, { throwIfNoEntry: false })?.size ?? 0, commit?.offsets[VISITS_FILE] ?? 0];
  if (there < committed)
    throw new StoreError(
      'STORE_CORRUPT',
      `${path}: has ${there} bytes, but ${committed} were committed; restore it from a copy, or run ${commandOn('repair', dir)}`,
    );
}

interface Frozen {
  readonly paths: CrawlPaths;
  readonly manifest: CrawlManifest;
  readonly options: FreezeOptions;
}

/** @returns the counts of the finished file */
async function frozenTo(path: string, extractor: MainTextMethod, { paths, manifest, options }: Frozen): Promise<FrozenCounts> {
  refuseBrokenTrees(paths.database);
  await refuseLostRecording(paths, manifest.id);
  const visits = StoredVisits.open(paths.frontier, manifest.id);
  const out = FrozenFile.create(path, { software: `forager/${VERSION}`, extractor });
  try {
    const counts = await new Freezing(paths, visits, pageExtractor({ productToken: PRODUCT_TOKEN, extractor }), out, options).run();
    out.finish();
    return counts;
  } finally {
    out.abandon();
    await visits.close();
  }
}
