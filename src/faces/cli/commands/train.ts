import { command } from '../define.ts';
import { renamed } from '../old-names.ts';

export const trainCommand = command({
  name: 'train',
  oldNames: [renamed('rung', 'method')],
  positionals: ['examples'],
  summary: 'train a topic model from example pages, or from keywords',
  examples: [
    ['$0 train examples/moss --out models/moss', 'from good pages alone'],
    ['$0 train good/ --irrelevant bad/ --out models/moss', 'from good and bad pages'],
    ['$0 train good/ --pool some-pages/ --out models/moss', 'with unlabelled pages of the sites to crawl'],
    ['$0 train good.txt --check-site --out models/moss', 'then answer y or n for 40 random pages of the sites in good.txt'],
    ['$0 train --keywords "peat bog, sphagnum" --out models/moss', 'from words, before there is any page'],
    [
      '$0 train good/ --background crawls/first --rule lang:de --out models/moss',
      'with off-topic pages of a first crawl; German pages only',
    ],
  ],
  run: async (options) => (await import('../runs/train.ts')).runTrain(options),
});
