import { EXIT } from '../../core/errors.ts';
import { type Args, type Command, flag, flagOf, print, printJson, requiredText, text } from '../command.ts';
import { countText } from '../progress.ts';

export const linkModelCommand: Command = {
  name: 'link-model <dir>',
  summary: 'write what a crawl has learned of links into a file, for another crawl to begin with',
  options: (argv) =>
    argv
      .positional('dir', { type: 'string', describe: 'crawl directory' })
      .options({
        out: text('the file, e.g. links.json.gz', { demandOption: true }),
        force: flag('replace a file that is there'),
        json: flag('print the counts as JSON'),
      })
      .example('$0 link-model crawls/moss --out moss-links.json.gz', 'what that crawl learned of links')
      .example('$0 crawl crawls/moss2 --topic models/moss --seeds s.txt --link-model moss-links.json.gz', 'begin another with it'),
  run,
};

async function run(args: Args): Promise<number> {
  const { exportLinkModel } = await import('../../app/link-model.ts');
  const report = await exportLinkModel({ dir: requiredText(args, 'dir'), out: requiredText(args, 'out'), force: flagOf(args, 'force') });
  if (flagOf(args, 'json')) printJson(report);
  else print(`${report.out}: ${countText(report.features)} features, learned from ${countText(report.lessons)} pages`);
  return EXIT.done;
}
