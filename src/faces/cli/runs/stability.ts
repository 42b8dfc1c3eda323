import { EXIT } from '../../../base/core/errors.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { StabilityReport } from '../../app/crawl-stability.ts';
import { print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { rateAndEta } from '../progress.ts';

export async function runStability({ json, ...options }: CommandOptions<'stability'>): Promise<number> {
  const { stability } = await import('../../app/crawl-stability.ts');
  const shown: Shown<{ readonly done: number; readonly of: number }> = {
    start: { done: 0, of: 0 },
    line: ({ done, of }, ms) =>
      of === 0 ? 'reading the recording' : `run ${countText(done + 1)} of ${countText(of)}; ${rateAndEta(done, of, ms)}`,
    stopping: 'Stopping.',
  };
  const report = await longWork(shown, (signal, tell) => stability({ ...options, signal, onProgress: (done, of) => tell({ done, of }) }));
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else for (const line of linesOf(report)) print(line);
  return EXIT.done;
}

function linesOf({ dir, runs, vary, budget, recorded, kept, overlap, terms, hosts }: StabilityReport): string[] {
  const { inAll, inMost, inSome } = kept;
  return [
    `${dir}: ${counted(runs, 'run')} of ${counted(budget, 'visit')} on a recording of ${counted(recorded, 'URL')}, other ${vary.join(', ')}`,
    `  kept in all runs     ${countText(inAll).padStart(7)}`,
    `  kept in most runs    ${countText(inMost).padStart(7)}`,
    `  kept in some runs    ${countText(inSome).padStart(7)}`,
    `  pages that two runs share, of those of either: ${overlap.toFixed(3)}`,
    `  rank correlation of the most frequent words: ${terms.toFixed(3)}; of the hosts: ${hosts.toFixed(3)}`,
    'The next harvest has this on its card; --columns keptInRuns writes the runs that keep each page.',
  ];
}
