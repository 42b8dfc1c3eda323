import { command } from '../define.ts';

export const watchCommand = command({
  name: 'watch',
  positionals: ['dir'],
  summary: 'for cron: request the pages of a crawl again, and report new, changed and gone ones',
  examples: [
    ['$0 watch crawls/moss --every 7d', 'a look, if the last one is a week ago; otherwise the time of the next'],
    ['$0 watch crawls/moss --every 1d --max-pages 200 --format feed --out public/moss.xml', 'each day, with a feed for a web server'],
    ['$0 watch crawls/moss --report-only --format json', 'the findings of another run in this directory since the last report'],
  ],
  groups: [
    ['The look', ['every', 'maxPages', 'maxTime', 'revisit', 'revisitOnly', 'reportOnly']],
    ['The report', ['format', 'out', 'skipDamaged']],
  ],
  run: async (options) => (await import('../runs/watch.ts')).runWatch(options),
});
