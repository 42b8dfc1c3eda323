/** The former crawl of a directory. `crawl --force` keeps it beside the new one until that has a page; otherwise it comes back. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { storeErrorFrom } from '../../base/core/errors.ts';
import { flushAtOnce } from '../../base/core/on-disk.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import { type LockOptions, lockState, takeLock } from '../../base/disk/lock.ts';
import { DISCARDED, FORMER, MANIFEST, RETURNING } from '../../base/disk/own-names.ts';
import { hasFormerCrawl } from '../../base/disk/whose.ts';
import { type CrawlPaths, crawlPaths, ownPaths } from './crawl-directory.ts';

/**
 * The states of a directory, by which the next command knows how far a killed one came:
 * `.former` without a manifest: on its way out, the manifest goes last. With one: complete. `.former-returning`: on its way back.
 * `.former-discarded`: being deleted.
 */
export class FormerCrawl {
  readonly #paths: CrawlPaths;
  #state: 'beside' | 'gone' = 'beside';
  #hasPage = false;
  #deleting: Promise<void> = Promise.resolve();

  private constructor(paths: CrawlPaths) {
    this.#paths = paths;
  }

  /** Moves the crawl of the directory, whose lock is held, aside. @throws StoreError; then it is where it was */
  static moveAside(paths: CrawlPaths): FormerCrawl {
    const { dir } = paths;
    inOrder(dir, () => {
      mkdirSync(join(dir, FORMER));
      for (const path of ownPaths(paths)) moved(path, join(dir, FORMER, basename(path)));
    });
    return new FormerCrawl(paths);
  }

  /** The current place of a file that the new crawl is made of: the file may be of the former crawl. */
  placeOf(path: string): string {
    const { dir } = this.#paths;
    const inside = relative(resolve(dir), resolve(path));
    const kept = join(dir, FORMER, inside);
    return inside !== '' && !inside.startsWith(`..${sep}`) && !existsSync(path) && existsSync(kept) ? kept : path;
  }

  /** Takes the events of the crawl. At the first committed page, the new crawl replaces the former one. */
  take({ type }: Pick<CrawlEvent, 'type'>): void {
    if (type === 'judged') this.#hasPage = true;
    if (type === 'committed' && this.#hasPage && this.#state === 'beside') this.#discard();
  }

  #discard(): void {
    this.#state = 'gone';
    const { dir } = this.#paths;
    inOrder(dir, () => renameSync(join(dir, FORMER), join(dir, DISCARDED)));
    // The next run deletes the rest.
    this.#deleting = rm(join(dir, DISCARDED), { recursive: true, force: true }).catch(() => undefined);
  }

  /** Brings it back if the new crawl has no page, in its place. @returns whether it did. @throws StoreError */
  async end(): Promise<boolean> {
    await this.#deleting;
    if (this.#state === 'gone') return false;
    this.#state = 'gone';
    restore(this.#paths);
    return true;
  }
}

/**
 * Ends the work of a killed `crawl --force` in a directory: a former crawl comes back unless the new one had a page.
 * @throws StoreError also if another process holds the crawl
 */
export async function settleFormerCrawl(dir: string, options: LockOptions = {}): Promise<void> {
  const paths = crawlPaths(dir);
  if (!hasFormerCrawl(dir) || lockState(paths.lock) === 'held') return;
  const lock = await takeLock(paths.lock, dir, options);
  try {
    if (hasFormerCrawl(dir)) restore(paths);
  } finally {
    await lock.release();
  }
}

function restore(paths: CrawlPaths): void {
  const { dir } = paths;
  const [former, returning] = [join(dir, FORMER), join(dir, RETURNING)];
  inOrder(dir, () => {
    rmSync(join(dir, DISCARDED), { recursive: true, force: true });
    if (existsSync(join(former, MANIFEST))) for (const path of ownPaths(paths).toReversed()) rmSync(path, { recursive: true, force: true });
    if (existsSync(former)) renameSync(former, returning);
    if (!existsSync(returning)) return;
    const names = readdirSync(returning).filter((name) => name !== MANIFEST);
    for (const name of [...names, MANIFEST]) moved(join(returning, name), join(dir, name));
    rmSync(returning, { recursive: true, force: true });
  });
}

function moved(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

/** The moves are on the disk before anything that follows. @throws StoreError */
function inOrder(dir: string, moves: () => void): void {
  try {
    moves();
    flushAtOnce(dir);
  } catch (error) {
    throw storeErrorFrom(error, 'moving the former crawl', dir);
  }
}
