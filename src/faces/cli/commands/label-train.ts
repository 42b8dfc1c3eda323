import { command } from '../define.ts';

export const labelTrainCommand = command({
  name: 'label train',
  positionals: ['dir'],
  summary: 'train the topic of a crawl again with the stored labels',
  examples: [
    ['$0 label train crawls/moss', 'the new model becomes active unless it is worse on held-out labels'],
    ['$0 label train crawls/moss --even-if-worse', 'it becomes active in any case'],
  ],
  run: async (options) => (await import('../runs/label-train.ts')).runRetraining(options),
});

export const labelUndoCommand = command({
  name: 'label undo',
  positionals: ['dir'],
  summary: 'activate the model before the last training again; all labels stay',
  examples: [['$0 label undo crawls/moss', 'the pages are judged by the former model again']],
  run: async (options) => (await import('../runs/label-train.ts')).runUndo(options),
});
