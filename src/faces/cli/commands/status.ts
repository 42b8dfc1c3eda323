import { command } from '../define.ts';

export const statusCommand = command({
  name: 'status',
  positionals: ['dir'],
  summary: 'show counts, harvest rate and forecast of a crawl',
  examples: [['$0 status crawls/moss', 'counts, harvest rate, reasons, hosts']],
  run: async (options) => (await import('../runs/status.ts')).runStatus(options),
});
