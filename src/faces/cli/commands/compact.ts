import { countText } from '../../../base/text/number-text.ts';
import { print, printJson, warn } from '../command.ts';
import { command } from '../define.ts';

export const compactCommand = command({
  name: 'compact',
  positionals: ['dir'],
  summary: 'free disk space that the frontier of a crawl does not need',
  examples: [['$0 compact crawls/moss', 'between two runs of the crawl; changes nothing else']],
  run: async (options) => {
    const { compact } = await import('../../app/compact-crawl.ts');
    const report = await compact(options.dir, { warn });
    if (options.json) printJson(report);
    else print(`${report.dir}: frontier of ${countText(report.before)} bytes, now ${countText(report.after)}`);
    return 0;
  },
});
