import { type Args, type Command, flag, flagOf, NETWORK_OPTIONS, networkOf, printJson, requiredText, warn } from '../command.ts';
import { FetchProgress } from '../progress.ts';

export const judgeCommand: Command = {
  name: 'judge <model> <input>',
  summary: 'relevance of pages to a topic by its model, one JSON line a page',
  options: (argv) =>
    argv
      .positional('model', { type: 'string', describe: 'topic model, models/<name>' })
      .positional('input', { type: 'string', describe: 'file, folder, .jsonl, .warc(.gz), file of URLs, URL, or - for standard input' })
      .options({ explain: flag('with the contribution of every term'), ...NETWORK_OPTIONS })
      .example('$0 judge models/moss pages/', 'how relevant each page of a folder is'),
  run: async (args: Args) => {
    const progress = new FetchProgress();
    const fetch = { ...networkOf(args), onProgress: progress.onProgress };
    const options = { fetch, warn, explain: flagOf(args, 'explain') };
    const { judgePages } = await import('../../app/judge.ts');
    try {
      for await (const { explanation, ...judged } of judgePages(requiredText(args, 'model'), requiredText(args, 'input'), options)) {
        printJson(explanation ? { ...judged, explanation } : judged);
      }
    } finally {
      progress.close();
    }
    return 0;
  },
};
