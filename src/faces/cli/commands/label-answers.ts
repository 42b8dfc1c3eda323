import { command } from '../define.ts';

export const labelImportCommand = command({
  name: 'label import',
  positionals: ['dir', 'file'],
  summary: 'take over labels made elsewhere, and train the topic again',
  examples: [
    ['$0 label import crawls/moss labels.csv', 'a file with the columns url and label, y or n'],
    ['$0 label import crawls/moss ben.csv --name ben --no-retrain', 'the answers of another person, only stored'],
  ],
  run: async (options) => (await import('../runs/label-answers.ts')).runImport(options),
});

export const labelExportCommand = command({
  name: 'label export',
  positionals: ['dir', 'file'],
  summary: 'write all labels of a crawl to a CSV file',
  examples: [['$0 label export crawls/moss labels.csv', 'each label with its name and time, for label import']],
  run: async (options) => (await import('../runs/label-answers.ts')).runExport(options),
});

export const labelNoneOfCommand = command({
  name: 'label none-of',
  positionals: ['dir', 'place'],
  summary: 'answer n for all pages of a host or directory, and train the topic again',
  examples: [
    ['$0 label none-of crawls/moss forum.example.org', 'no page of the host is on topic'],
    ['$0 label none-of crawls/moss https://example.org/shop/', 'no page of the directory is'],
  ],
  run: async (options) => (await import('../runs/label-answers.ts')).runNoneOf(options),
});
