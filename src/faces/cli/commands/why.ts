import { command } from '../define.ts';
import { renamed } from '../old-names.ts';

export const whyCommand = command({
  name: 'why',
  positionals: ['dir', 'url'],
  summary: 'explain why a page was kept or not, and why a link had its priority',
  examples: [['$0 why crawls/moss https://example.org/peat', 'terms for and against, and the edge that led there']],
  oldNames: [renamed('topic', 'topic-name')],
  run: async (options) => (await import('../runs/why.ts')).runWhy(options),
});
