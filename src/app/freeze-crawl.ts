/** Writes the web that a crawl saw to one file, so that it can be crawled again without requests. */

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError, UsageError } from '../core/errors.ts';
import { isThere } from '../core/on-disk.ts';
import { PRODUCT_TOKEN, VERSION } from '../core/version.ts';
import { VISITS_FILE } from '../corpus/corpus-writer.ts';
import { FrozenFile } from '../corpus/frozen-file.ts';
import { type CrawlPaths, crawlPaths, readManifest, refuseLostFrontier, refuseNotBegun } from '../crawl-dir/crawl-directory.ts';
import { makeDirectory, refuseFileInPath } from '../crawl-dir/directories.ts';
import { ownMethod } from '../crawl-dir/load-topic.ts';
import { type LockOptions, takeLock } from '../crawl-dir/lock.ts';
import { refuseBrokenTrees } from '../frontier/lmdb-check.ts';
import { storedHeadOf } from '../frontier/lmdb-store.ts';
import { StoredVisits } from '../frontier/stored-visits.ts';
import { fastExtractor } from '../page-core/fast-extractor.ts';
import { checkOptions, type OptionTable, without } from '../settings/check-options.ts';
import { COMMANDS } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { call, signal } from '../settings/kinds.ts';
import { Freezing, type FrozenCounts } from './freeze-visits.ts';
import { refuseInside } from './harvest-crawl.ts';

export interface FreezeOptions extends Pick<LockOptions, 'told'> {
  /** Crawl directory; no crawl may run on it meanwhile. */
  readonly dir: string;
  /** File to write. */
  readonly out: string;
  /** Replace an existing file. Default false. */
  readonly force?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export const FREEZE: OptionTable<FreezeOptions> = { ...without(checksOf(COMMANDS.freeze), 'json'), told: call, onProgress: call, signal };

export interface FreezeReport extends FrozenCounts {
  readonly out: string;
}

/** See `freeze` of the library. */
export async function freeze(options: FreezeOptions): Promise<FreezeReport> {
  checkOptions('freeze', FREEZE, options, 'dir', 'out');
  const manifest = readManifest(options.dir);
  const paths = crawlPaths(options.dir);
  refuseLostFrontier(manifest, paths);
  refuseNotBegun(paths);
  refuseTarget(paths, options);
  const extractor = await ownMethod(paths, manifest);
  const lock = await takeLock(paths.lock, options.dir, options);
  try {
    refuseBrokenTrees(paths.database);
    await refuseLostRecording(paths, manifest.id);
    const visits = StoredVisits.open(paths.frontier, manifest.id);
    const out = FrozenFile.create(options.out, { software: `forager/${VERSION}`, extractor });
    try {
      const counts = await new Freezing(paths, visits, fastExtractor({ productToken: PRODUCT_TOKEN, extractor }), out, options).run();
      lock.check();
      out.finish();
      return { out: options.out, ...counts };
    } finally {
      out.abandon();
      await visits.close();
    }
  } finally {
    await lock.release();
  }
}

/** A recording that was emptied is damage, and no crawl without visits. @throws StoreError */
async function refuseLostRecording({ dir, frontier, corpus }: CrawlPaths, crawl: string | null): Promise<void> {
  const { commit } = await storedHeadOf(frontier, crawl);
  const path = join(corpus, VISITS_FILE);
  const [there, committed] = [statSync(path, { throwIfNoEntry: false })?.size ?? 0, commit?.offsets[VISITS_FILE] ?? 0];
  if (there < committed)
    throw new StoreError(
      'STORE_CORRUPT',
      `${path}: has ${there} bytes, but ${committed} were committed; restore it from a copy, or run forager repair ${dir}`,
    );
}

function refuseTarget(paths: CrawlPaths, { out, force }: FreezeOptions): void {
  refuseInside(paths, out);
  if (isThere(out) && statSync(out).isDirectory()) throw new UsageError(`${out}: is a folder; give a file as --out, e.g. web.jsonl.gz`);
  if (isThere(out) && !force)
    throw new UsageError(`${out}: already exists; give another --out, or see in forager freeze --help how to replace it`);
  refuseFileInPath(dirname(out));
  makeDirectory(dirname(out));
}
