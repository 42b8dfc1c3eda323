import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { WorkersReport } from '../../app/crawl-workers.ts';
import { print, printJson } from '../command.ts';
import { command } from '../define.ts';

export const workersCommand = command({
  name: 'workers',
  positionals: ['action'],
  summary: 'list the workers of a crawl on several machines; pause, resume or stop all, or drop the crawl',
  examples: [
    ['$0 workers --at "postgres://forager@db/crawls?crawl=moss"', 'who is in the crawl'],
    ['$0 workers pause --at "postgres://forager@db/crawls?crawl=moss"', 'no worker requests anything until resume'],
    ['$0 workers stop --at "postgres://forager@db/crawls?crawl=moss"', 'all workers end, as by Ctrl-C'],
  ],
  run: async ({ json, at, action }) => {
    if (at === undefined) throw new UsageError('--at: names the database of the crawl; give it');
    const { workers } = await import('../../app/crawl-workers.ts');
    const report = await workers({ at, ...(action !== undefined && { action }) });
    if (json) printJson(report);
    else describe(report);
    return EXIT.done;
  },
});

function describe({ crawl, state, visited, partitions, workers }: WorkersReport): void {
  print(`${crawl}: ${state}; visited ${countText(visited)}; ${counted(workers.length, 'worker')}, ${counted(partitions, 'partition')}`);
  for (const { name, version, seen, partitions: held, visits } of workers)
    print(
      `  ${name}: ${counted(held, 'partition')}, ${counted(visits, 'visit')} since it joined, seen ${countText(Math.round(seen / 1000))} s ago (Forager ${version})`,
    );
}
