import { type Args, type Command, NETWORK_OPTIONS, networkOf, printJson, requiredText, warn } from '../command.ts';

export const extractCommand: Command = {
  name: 'extract <input>',
  summary: 'title, main text and links of pages, one JSON line a page',
  options: (argv) =>
    argv
      .positional('input', { type: 'string', describe: 'file, folder, .jsonl, .warc(.gz), file of URLs, URL, or - for standard input' })
      .options(NETWORK_OPTIONS)
      .example('$0 extract page.html', 'what the topic model would see')
      .example('curl -s https://example.org/ | $0 extract -', 'a page on standard input'),
  run: async (args: Args) => {
    const options = { fetch: networkOf(args), warn };
    const { extractPages } = await import('../../app/read.ts');
    for await (const { id, url, extraction } of extractPages(requiredText(args, 'input'), options)) {
      printJson({ id, url, ...extraction });
    }
    return 0;
  },
};
