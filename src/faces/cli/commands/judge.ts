import { printJson, warn } from '../command.ts';
import { command } from '../define.ts';
import { FetchProgress } from '../progress.ts';

export const judgeCommand = command({
  name: 'judge',
  positionals: ['model', 'input'],
  summary: 'print the relevance of pages to a topic by its model, one JSON line per page',
  examples: [['$0 judge models/moss pages/', 'how relevant each page of a folder is']],
  run: async (options) => {
    const progress = new FetchProgress();
    const { model, input, explain = false, ...network } = options;
    const how = { fetch: { ...network, onProgress: progress.onProgress }, warn, explain };
    const { judgePages } = await import('../../app/judge-pages.ts');
    try {
      for await (const { explanation, ...judged } of judgePages(model, input, how)) {
        printJson(explanation ? { ...judged, explanation } : judged);
      }
    } finally {
      progress.close();
    }
    return 0;
  },
});
