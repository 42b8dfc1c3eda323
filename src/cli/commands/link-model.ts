import { EXIT } from '../../core/errors.ts';
import { print, printJson } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { countText } from '../progress.ts';

export const linkModelCommand = command({
  name: 'link-model',
  positionals: ['dir'],
  summary: 'write what a crawl has learned of links into a file, for another crawl to begin with',
  examples: [
    ['$0 link-model crawls/moss --out moss-links.json.gz', 'what that crawl learned of links'],
    ['$0 crawl crawls/moss2 --topic models/moss --seeds s.txt --link-model moss-links.json.gz', 'begin another with it'],
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
