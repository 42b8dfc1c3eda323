import { dirname } from 'node:path';
import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { GatherOptions, GatherReport } from '../../app/gather-crawl.ts';
import { print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { keysFromEnvironment } from '../output-environment.ts';
import { rateAndEta } from '../progress.ts';

export async function runGather({ json, dir, at, ...store }: CommandOptions<'gather'>): Promise<number> {
  if (at === undefined) throw new UsageError('--at: names the database of the crawl; give it');
  const report = await gatherShown(dir, at, store);
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else {
    const { commit, counts, corpora } = report;
    const [reached, inBucket] = [corpora.filter((corpus) => corpus.reached), corpora.filter((corpus) => corpus.reached === 'bucket')];
    const ways = inBucket.length > 0 ? ` (${inBucket.length} by the bucket)` : '';
    print(
      `${dir}: the crawl up to commit ${countText(commit)}; visited ${countText(counts.visited)}, kept ${countText(counts.kept)}, from ${reached.length} of ${counted(corpora.length, 'corpus', 'corpora')}${ways}`,
    );
  }
  return exitOf(report);
}

/** The exit code shows a damaged corpus too, but no corpus that cannot be reached from here. */
export function exitOf({ corpora }: Pick<GatherReport, 'corpora'>): number {
  return corpora.some(({ fault }) => fault !== null) ? EXIT.environment : EXIT.done;
}

/** Gathers, with progress and each corpus whose pages are missing on standard error. @returns null if it was stopped */
export async function gatherShown(
  dir: string,
  at: string,
  store: Pick<GatherOptions, 's3Endpoint' | 's3Region'> = {},
): Promise<GatherReport | null> {
  const { gather } = await import('../../app/gather-crawl.ts');
  const report = await longWork(GATHERING, (signal, tell) =>
    gather({ dir, at, ...store, ...keysFromEnvironment(), signal, warn, onProgress: (done, total) => tell({ done, total }) }),
  );
  for (const line of missingLines(report?.corpora ?? [])) warn(line);
  return report;
}

export const GATHERING: Shown<{ readonly done: number; readonly total: number }> = {
  start: { done: 0, total: 0 },
  line: ({ done, total }, ms) => `read ${countText(done)} of ${countText(total)} commits; ${rateAndEta(done, total, ms)}`,
  stopping: 'Stopping: the next gather continues.',
};

/** A line for each corpus that cannot be reached from here, or is damaged. */
export function missingLines(corpora: GatherReport['corpora']): string[] {
  return corpora.flatMap(({ host, path, reached, fault }) => {
    if (fault !== null)
      return [
        `damaged: ${path} on ${host} (${fault}); everything whole was gathered. Restore it from a copy, or run ${commandOn('repair', dirname(path))} there, and resume its crawl`,
      ];
    return reached
      ? []
      : [`not reached: ${path} on ${host}; its pages are missing. Share or copy the folder to this path, and gather again`];
  });
}
