import { command } from '../define.ts';
import { renamed } from '../old-names.ts';

export const harvestCommand = command({
  name: 'harvest',
  positionals: ['dir'],
  summary: 'make a corpus with its card from a crawl',
  examples: [
    ['$0 harvest crawls/moss --out corpora/moss --format jsonl,warc --lang en', 'English pages as JSONL and WARC'],
    [
      '$0 harvest crawls/moss --out corpora/clean --dedupe near --repeated drop --quality gopher',
      'without near-duplicates, repeated paragraphs and poor pages',
    ],
    ['$0 harvest crawls/moss --out corpora/masked --personal mask', 'mail addresses, telephone numbers and other personal data masked'],
    ['$0 harvest crawls/moss --out corpora/moss-may --versions at=2026-05-31', 'the corpus as it was at the end of May'],
    ['$0 harvest crawls/bog --topic-name peat --out corpora/peat', 'the pages on peat, from a crawl of several topics'],
  ],
  groups: [
    ['Corpus', ['out', 'formats', 'force', 'json']],
    [
      'Which pages',
      [
        'topicName',
        'minRelevance',
        'versions',
        'languages',
        'published',
        'reserved',
        'obey',
        'withoutUse',
        'dedupe',
        'near',
        'quality',
        'perHost',
        'sample',
        'sampleBy',
        'skipDamaged',
      ],
    ],
    ['Texts and columns', ['langParagraphs', 'repeated', 'personal', 'qualityColumns', 'columns', 'split', 'splitBy', 'rngSeed']],
    ['Single formats', ['compression', 'csvText', 'csvBom', 'waczText', 'chunk', 'chunkBy']],
    ['Publication', ['creators', 'corpusUrl', 's3Endpoint', 's3Region']],
  ],
  oldNames: [renamed('topic', 'topic-name')],
  run: async (options) => (await import('../runs/harvest.ts')).runHarvest(options),
});
