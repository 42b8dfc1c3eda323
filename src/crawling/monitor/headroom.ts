/** Is there room for more, on the disk and in memory? The loop asks before each lease. */

import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Clock } from '../../base/core/clock.ts';
import { messageOf } from '../../base/core/errors.ts';
import type { Headroom } from '../../base/core/parts.ts';
import type { Bytes, EpochMs, Ms } from '../../base/core/types.ts';
import { megabytesText } from '../../base/text/number-text.ts';
import type { DiskLimits } from '../settings/crawl-kinds.ts';
import { type DiskSpace, type DiskVerdict, defaultLimits, judgeDisk } from './disk-watch.ts';
import { type HeapUse, MemoryWatch } from './memory-watch.ts';

/** A look costs about 30 µs. At 100 MB/s, faster than any crawl writes, half a gigabyte is written between two looks. */
const LOOK_EVERY: Ms = 5000;

export interface HeadroomOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** null: depends on the size of the disk. */
  readonly limits: DiskLimits | null;
  /** Name of the crawl directory in warnings. */
  readonly dir: string;
  readonly space: () => Promise<DiskSpace>;
  /** All bytes that the crawl has written so far. */
  readonly written: () => Bytes;
  readonly heap: () => HeapUse;
  /** Source of the collections for `MemoryWatch`. Default: the collections of this thread. */
  readonly onCollections?: (listener: () => void) => () => void;
  readonly warn: (message: string) => void;
}

/** Looks every few seconds, when it is asked, without making the caller wait: a verdict is that of the last look. */
export class MachineHeadroom implements Headroom {
  readonly #options: HeadroomOptions;
  readonly #memory: MemoryWatch;
  #limits: DiskLimits | null;
  #disk: DiskVerdict = { kind: 'go' };
  #memoryFull = false;
  #due: EpochMs;
  #written: Bytes;
  /** `blind`: the free space of the disk cannot be read. */
  #sight: 'idle' | 'looking' | 'blind' = 'idle';

  private constructor(options: HeadroomOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.#memory = new MemoryWatch(options.heap, options.onCollections);
    this.#written = options.written();
    this.#due = options.clock.now() + LOOK_EVERY;
  }

  /** Looks at the disk first: a crawl that starts without room waits at once. */
  static async open(options: HeadroomOptions): Promise<MachineHeadroom> {
    const headroom = new MachineHeadroom(options);
    await headroom.#lookAtDisk();
    return headroom;
  }

  verdict(): 'go' | 'hold' | 'disk-full' | 'low-memory' {
    const now = this.#options.clock.now();
    if (now >= this.#due) {
      this.#due = now + LOOK_EVERY;
      this.#lookAtMemory();
      if (this.#sight === 'idle') void this.#lookAtDisk();
    }
    return this.#memoryFull ? 'low-memory' : this.#disk.kind;
  }

  /** End the watch. */
  close(): void {
    this.#memory.close();
  }

  #lookAtMemory(): void {
    if (this.#memoryFull || !this.#memory.isFull()) return;
    this.#memoryFull = true;
    const use = this.#options.heap();
    this.#options.warn(
      `memory is nearly full (${megabytesText(use.used)} of ${megabytesText(use.limit)}): the crawl stops; resume it with more memory (NODE_OPTIONS=--max-old-space-size=<megabytes>)`,
    );
  }

  async #lookAtDisk(): Promise<void> {
    this.#sight = 'looking';
    try {
      const space = await this.#options.space();
      this.#limits ??= defaultLimits(space);
      this.#judge(space, this.#limits);
      this.#sight = 'idle';
    } catch (error) {
      this.#sight = 'blind';
      this.#disk = { kind: 'go' };
      this.#options.warn(`${this.#options.dir}: the free space cannot be read (${messageOf(error)}); the crawl does not watch it`);
    }
  }

  #judge({ free }: DiskSpace, limits: DiskLimits): void {
    const { clock, dir, warn, written } = this.#options;
    const total = written();
    const before = this.#disk;
    this.#disk = judgeDisk(before, free, total - this.#written, limits, clock.now());
    this.#written = total;
    if (this.#disk.kind === before.kind) return;
    if (this.#disk.kind === 'go') warn(`${dir}: ${megabytesText(free)} free again: the crawl resumes`);
    else if (this.#disk.kind === 'hold')
      warn(
        `${dir}: ${megabytesText(free)} free, less than the ${megabytesText(this.#disk.wanted)} to keep free (--min-free); no new request until there is space; free some`,
      );
  }
}

/** Space of the disk with this folder. */
export async function spaceAt(dir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Bytes of a file; 0 if there is none. */
export function sizeOfFile(path: string): Bytes {
  return existsSync(path) ? statSync(path).size : 0;
}

/** V8's young generation: by default three semi-spaces of 16 MB on 64 bits. `heap_size_limit` includes it. */
const YOUNG_GENERATION: Bytes = 3 * 16 * 2 ** 20;

/** Excludes the young generation: it is emptied all the time, and only a full old generation ends a process. */
export function heapUse(): HeapUse {
  const old = getHeapSpaceStatistics().filter(({ space_name }) => space_name !== 'new_space');
  return {
    used: old.reduce((sum, space) => sum + space.space_used_size, 0),
    limit: getHeapStatistics().heap_size_limit - YOUNG_GENERATION,
  };
}
