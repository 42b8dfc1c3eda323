import type { FreezeReport } from '../../app/freeze.ts';
import { EXIT } from '../../core/errors.ts';
import { type Args, type Command, flag, flagOf, print, printJson, requiredText, text, warn } from '../command.ts';
import { longWork, type Shown } from '../long-work.ts';
import { countText, rateAndEta } from '../progress.ts';

export const freezeCommand: Command = {
  name: 'freeze <dir>',
  summary: 'write the web that a crawl has seen into one file, for forager eval',
  options: (argv) =>
    argv
      .positional('dir', { type: 'string', describe: 'crawl directory' })
      .options({
        out: text('the file, e.g. web.jsonl.gz', { demandOption: true }),
        force: flag('replace a file that is there'),
        json: flag('print the counts as JSON'),
      })
      .example('$0 freeze crawls/moss --out webs/moss.jsonl.gz', 'what a crawl saw, in one file')
      .example('$0 crawl crawls/moss --record --max-pages 2000', 'before it: go on with the crawl, writing down all it sees'),
  run,
};

async function run(args: Args): Promise<number> {
  const options = { dir: requiredText(args, 'dir'), out: requiredText(args, 'out'), force: flagOf(args, 'force') };
  const { freeze } = await import('../../app/freeze.ts');
  const shown: Shown<{ readonly done: number; readonly total: number }> = {
    start: { done: 0, total: 0 },
    line: ({ done, total }, ms) => `frozen ${countText(done)} of ${countText(total)}; ${rateAndEta(done, total, ms)}`,
    stopping: 'Stopping: --out stays as it was.',
  };
  const report = await longWork(shown, (signal, tell) =>
    freeze({ ...options, signal, told: warn, onProgress: (done, total) => tell({ done, total }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (flagOf(args, 'json')) printJson(report);
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
  print(
    `  ${countText(partial)} pages have those links only that were new to the crawl, or better than what it knew, when they were read;`,
  );
  print('  to have all links of all pages, crawl with --record');
}
