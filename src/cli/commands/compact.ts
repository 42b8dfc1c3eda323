import { type Args, type Command, flag, flagOf, print, printJson, requiredText, warn } from '../command.ts';
import { countText } from '../progress.ts';

export const compactCommand: Command = {
  name: 'compact <dir>',
  summary: 'give back disk space that the frontier of a crawl holds and does not need',
  options: (argv) =>
    argv
      .positional('dir', { type: 'string', describe: 'crawl directory' })
      .options({ json: flag('print the sizes as JSON') })
      .example('$0 compact crawls/moss', 'between two runs of the crawl; nothing else changes'),
  run: async (args: Args) => {
    const { compact } = await import('../../app/compact.ts');
    const report = await compact(requiredText(args, 'dir'), { told: warn });
    if (flagOf(args, 'json')) printJson(report);
    else print(`${report.dir}: frontier of ${countText(report.before)} bytes, now ${countText(report.after)}`);
    return 0;
  },
};
