/** The web of an evaluation: a frozen one, or one recorded for it through a proxy. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataError, storeErrorFrom, UsageError } from '../../base/core/errors.ts';
import type { CanonicalUrl, Ms } from '../../base/core/types.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { VISITS_FILE } from '../../corpus/records/corpus-writer.ts';
import { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { crawl } from './run-crawl.ts';

export interface WebOptions {
  /** A frozen web, or `http://host:port` of a proxy. */
  readonly web: string;
  readonly topic: string;
  readonly starts: readonly CanonicalUrl[];
  /** URLs to visit in a web behind a proxy. Default 2,000. */
  readonly maxPages?: number;
  /** Least gap between two requests to a host in a web behind a proxy. Default 1,000 ms. */
  readonly delay?: Ms;
  readonly contact?: string;
  readonly signal?: AbortSignal;
}

export interface OpenWeb {
  readonly web: FrozenWeb;
  /** Keep a web that was recorded for this evaluation; does nothing for an existing one. @returns whether it kept one. @throws StoreError */
  keep(path: string): boolean;
  close(): void;
}

/** The largest budget that an evaluation chooses by default. */
const PAGES = 2000;

export function isProxy(web: string): boolean {
  return /^https?:\/\//i.test(web);
}

/** @throws UsageError, DataError; for a proxy, the errors of a crawl; the abort reason of `signal` */
export async function openWeb(options: WebOptions, onVisited: (done: number, of: number) => void): Promise<OpenWeb> {
  if (isProxy(options.web)) return frozenThrough(options, onVisited);
  const web = await FrozenWeb.open(options.web);
  return { web, keep: () => false, close: () => web.close() };
}

/** A recorded breadth-first crawl from the starts. */
async function frozenThrough(options: WebOptions, onVisited: (done: number, of: number) => void): Promise<OpenWeb> {
  if (options.starts.length === 0)
    throw new UsageError(`--web ${options.web}: is a proxy, so --seeds are needed: URLs to start from, or files of them`);
  const folder = mkdtempSync(join(tmpdir(), 'forager-eval-'));
  try {
    const web = await FrozenWeb.open(await recorded(join(folder, 'crawl'), options, onVisited));
    const close = () => {
      web.close();
      rmSync(folder, { recursive: true, force: true });
    };
    return { web, keep: (path) => keep(web.path, path), close };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** @returns the path of the recording */
async function recorded(dir: string, options: WebOptions, onVisited: (done: number, of: number) => void): Promise<string> {
  const { web: proxy, topic, starts: seeds, maxPages = PAGES, delay, contact, signal } = options;
  const said = {
    ...(delay === undefined ? {} : { delay }),
    ...(contact === undefined ? {} : { contact }),
    ...(signal === undefined ? {} : { signal }),
  };
  let visited = 0;
  const { counts } = await crawl({
    ...{ dir, topic, seeds, proxy, maxPages, strategy: 'bfs', record: true },
    ...said,
    onEvent: (event) => {
      if (event.type !== 'settled' || event.fate === null) return;
      visited += 1;
      onVisited(visited, maxPages);
    },
  });
  signal?.throwIfAborted();
  if (counts.visited === 0)
    throw new DataError(`${proxy}: gave none of the starts; check them with ${foragerCommand('crawl', '--proxy', proxy)}`);
  return join(dir, 'corpus', VISITS_FILE);
}

function keep(from: string, to: string): boolean {
  try {
    copyFileSync(from, to);
    return true;
  } catch (error) {
    throw storeErrorFrom(error, 'writing the frozen web', to);
  }
}
