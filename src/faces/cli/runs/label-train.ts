import type { CommandOptions } from '../define.ts';
import { retrainAtEnd, retrainingOf, withProgress } from '../label-retraining.ts';
import { undoLines } from '../label-screen.ts';
import { inLabelSession, sayLabels } from '../label-session.ts';

export function runRetraining(given: CommandOptions<'label train'>): Promise<number> {
  return inLabelSession(given, {}, async (session) => {
    sayLabels(session);
    await retrainAtEnd(session, retrainingOf({ ...given, retrain: true }, false));
  });
}

export function runUndo(given: CommandOptions<'label undo'>): Promise<number> {
  return inLabelSession(given, {}, async ({ labelling, outcome, dir, crawl, json, say }) => {
    const report = await withProgress('judging kept pages', (options) => labelling.training.undo(options));
    outcome.undone = report;
    if (!json) for (const line of undoLines(dir, report, crawl)) say(line);
  });
}
