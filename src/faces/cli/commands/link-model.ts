import { EXIT } from '../../../base/core/errors.ts';
import { countText } from '../../../base/text/number-text.ts';
import { print, printJson } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';

export const linkModelCommand = command({
  name: 'link-model',
  positionals: ['dir'],
  summary: 'write the link model of a crawl to a file, for another crawl to start with',
  examples: [
    ['$0 link-model crawls/moss --out moss-links.json.gz', 'the link model of that crawl'],
    ['$0 crawl crawls/moss2 --topic models/moss --seeds s.txt --link-model moss-links.json.gz', 'start another crawl with it'],
  ],
  run,
});

async function run({ json, ...options }: CommandOptions<'link-model'>): Promise<number> {
  const { exportLinkModel } = await import('../../app/export-link-model.ts');
  const report = await exportLinkModel(options);
  if (json) printJson(report);
  else print(`${report.out}: ${countText(report.features)} features, learned from ${countText(report.lessons)} pages`);
  return EXIT.done;
}
