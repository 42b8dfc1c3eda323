import { EXIT } from '../../../base/core/errors.ts';
import { countText } from '../../../base/text/number-text.ts';
import type { FreezeReport } from '../../app/freeze-crawl.ts';
import { print, printJson, warn } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { rateAndEta } from '../progress.ts';

export const freezeCommand = command({
  name: 'freeze',
  positionals: ['dir'],
  summary: 'write the web that a crawl saw to one file, for forager eval',
  examples: [
    ['$0 freeze crawls/moss --out webs/moss.jsonl.gz', 'all visits of a crawl, in one file'],
    ['$0 crawl crawls/moss --record --max-pages 2000', 'before that: resume the crawl and record its visits'],
  ],
  run,
});

async function run({ json, ...options }: CommandOptions<'freeze'>): Promise<number> {
  const { freeze } = await import('../../app/freeze-crawl.ts');
  const shown: Shown<{ readonly done: number; readonly total: number }> = {
    start: { done: 0, total: 0 },
    line: ({ done, total }, ms) => `frozen ${countText(done)} of ${countText(total)}; ${rateAndEta(done, total, ms)}`,
    stopping: 'Stopping: --out stays as it was.',
  };
  const report = await longWork(shown, (signal, tell) =>
    freeze({ ...options, signal, warn, onProgress: (done, total) => tell({ done, total }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else describe(report);
  return EXIT.done;
}

function describe({ out, complete, partial, redirects, refused, failed }: FreezeReport): void {
  const pages = complete + partial;
  print(
    `${out}: ${countText(pages)} pages, ${countText(redirects)} redirects, ${countText(refused)} refused and ${countText(failed)} failed URLs`,
  );
  print(`  ${countText(complete)} pages have all their links`);
  if (partial === 0) return;
  print(`  ${countText(partial)} pages have only those links that, when the crawl read them, were new or better than the known ones;`);
  print('  to have all links of all pages, crawl with --record');
}
