import { type CommandOptions, command } from '../define.ts';
import { retrainAtEnd, retrainingOf, withProgress } from '../label-retraining.ts';
import { undoLines } from '../label-screen.ts';
import { inLabelSession, sayLabels } from '../label-session.ts';

export const labelTrainCommand = command({
  name: 'label train',
  positionals: ['dir'],
  summary: 'train the topic of a crawl again with the stored labels',
  examples: [
    ['$0 label train crawls/moss', 'the new model becomes active unless it is worse on held-out labels'],
    ['$0 label train crawls/moss --even-if-worse', 'it becomes active in any case'],
  ],
  run: train,
});

export const labelUndoCommand = command({
  name: 'label undo',
  positionals: ['dir'],
  summary: 'activate the model before the last training again; all labels stay',
  examples: [['$0 label undo crawls/moss', 'the pages are judged by the former model again']],
  run: undo,
});

function train(given: CommandOptions<'label train'>): Promise<number> {
  return inLabelSession(given, {}, async (session) => {
    sayLabels(session);
    await retrainAtEnd(session, retrainingOf({ ...given, retrain: true }, false));
  });
}

function undo(given: CommandOptions<'label undo'>): Promise<number> {
  return inLabelSession(given, {}, async ({ labelling, outcome, dir, crawl, json, say }) => {
    const report = await withProgress('judging kept pages', (options) => labelling.training.undo(options));
    outcome.undone = report;
    if (!json) for (const line of undoLines(dir, report, crawl)) say(line);
  });
}
