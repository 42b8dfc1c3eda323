/** The crawl's use of the machine: descriptors, disk and memory. */
import { systemClock } from '../../base/core/clock.ts';
import type { CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { Bytes } from '../../base/core/types.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import type { DiskLimits } from '../settings/crawl-kinds.ts';
import { concurrencyWithin, descriptorLimit } from './descriptors.ts';
import { heapUse, MachineHeadroom, sizeOfFile, spaceAt } from './headroom.ts';

type Warn = (message: string) => void;

/** Watches the disk of the crawl, and the heap. */
export function headroomOf(
  { dir, database }: CrawlPaths,
  corpus: Pick<CorpusWriter, 'offsets'>,
  limits: DiskLimits | null,
  warn: Warn,
): Promise<MachineHeadroom> {
  const written = () => writtenIn(database, corpus);
  return MachineHeadroom.open({ clock: systemClock, limits, dir, space: () => spaceAt(dir), written, heap: heapUse, warn });
}

/** Bytes of corpus and frontier so far. */
export function writtenIn(database: string, corpus: Pick<CorpusWriter, 'offsets'>): Bytes {
  return Object.values(corpus.offsets()).reduce((sum, size) => sum + size, 0) + sizeOfFile(database);
}

/** Requests at once: as many as wanted, or as the file descriptors allow. */
export function concurrencyFor(wanted: number, workers: number, warn: Warn): number {
  const limit = descriptorLimit();
  const concurrency = concurrencyWithin(limit, wanted, workers);
  if (concurrency < wanted)
    warn(
      `--concurrency ${wanted}: the crawl makes at most ${concurrency} requests at once, since this process may have only ${limit} open files; raise the limit with ulimit -n`,
    );
  return concurrency;
}
