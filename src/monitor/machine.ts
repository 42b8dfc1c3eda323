/** What a crawl may take of the machine: descriptors, disk and memory. */
import { systemClock } from '../core/clock.ts';
import type { CorpusWriter } from '../core/parts/keeping.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import type { DiskLimits } from '../settings/crawl-kinds.ts';
import { concurrencyWithin, descriptorLimit } from './descriptors.ts';
import { heapUse, MachineHeadroom, sizeOfFile, spaceAt } from './headroom.ts';

type Warn = (message: string) => void;

/** Watches the disk that the crawl is on, and the heap. */
export function headroomOf(
  { dir, database }: CrawlPaths,
  corpus: Pick<CorpusWriter, 'offsets'>,
  limits: DiskLimits | null,
  warn: Warn,
): Promise<MachineHeadroom> {
  const corpusSize = () => Object.values(corpus.offsets()).reduce((sum, size) => sum + size, 0);
  const written = () => corpusSize() + sizeOfFile(database);
  return MachineHeadroom.open({ clock: systemClock, limits, dir, space: () => spaceAt(dir), written, heap: heapUse, warn });
}

/** Requests at once: as many as wanted, or as there are file descriptors for. */
export function concurrencyFor(wanted: number, workers: number, warn: Warn): number {
  const limit = descriptorLimit();
  const concurrency = concurrencyWithin(limit, wanted, workers);
  if (concurrency < wanted)
    warn(
      `--concurrency ${wanted}: there are descriptors for ${concurrency} requests at once (this process may have ${limit} files open), and there will be no more; raise the limit with ulimit -n`,
    );
  return concurrency;
}
