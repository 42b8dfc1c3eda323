/** Commands about stored answers, which ask nobody. */

import { type OutputKind, publishFile, withOutput } from '../../../base/disk/output.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { ImportReport } from '../../../study/label/stored-import.ts';
import { warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { retrainAtEnd, retrainingOf } from '../label-retraining.ts';
import { inLabelSession, type LabelSession, sayLabels } from '../label-session.ts';

/** Named URLs of a file of labels that the crawl does not have. */
const NAMED = 3;

export async function runImport(given: CommandOptions<'label import'>): Promise<number> {
  const retraining = retrainingOf(given, false);
  if (given.at !== undefined) await refuseWrong(given.file);
  return inLabelSession(given, {}, async (session) => {
    const report = await session.labelling.answers.import(given.file);
    session.outcome.imported = report;
    sayImport(session, given.file, report);
    sayLabels(session);
    await retrainAtEnd(session, retraining);
  });
}

/** Refuses a wrong file of labels before a gather changes the directory. @throws UsageError, DataError */
async function refuseWrong(file: string): Promise<void> {
  const { readLabels } = await import('../../../study/label/label-import.ts');
  readLabels(file);
}

export function runNoneOf(given: CommandOptions<'label none-of'>): Promise<number> {
  const retraining = retrainingOf(given, false);
  return inLabelSession(given, {}, async (session) => {
    const answered = await session.labelling.questions.noneOf(given.place);
    session.outcome.noneOf = answered;
    if (!session.json) session.say(`${counted(answered, 'page')} of ${given.place} answered n`);
    sayLabels(session);
    await retrainAtEnd(session, retraining);
  });
}

const LABELS_OUTPUT = { form: 'file', mayReplace: false } as const satisfies OutputKind;

/** @throws UsageError if the file exists, before a gather changes the directory; StoreError if it cannot be written */
export function runExport({ file, ...given }: CommandOptions<'label export'>): Promise<number> {
  return withOutput(file, LABELS_OUTPUT, { as: 'name' }, (output) =>
    inLabelSession(given, {}, async (session) => {
      const { csv, counts } = session.labelling.answers;
      await publishFile(output, csv);
      if (!session.json) session.say(`${file}: has the labels of ${counted(counts.yes + counts.no + counts.skipped, 'page')}`);
      sayLabels(session);
    }),
  );
}

function sayImport({ say, json }: LabelSession, file: string, { stored, already, unknown }: ImportReport): void {
  const there = already === 0 ? '' : `; ${countText(already)} ${already === 1 ? 'was' : 'were'} stored already`;
  if (!json) say(`${counted(stored, 'label')} of ${file} stored${there}`);
  if (unknown.length === 0) return;
  const more = unknown.length > NAMED ? ', …' : '';
  warn(
    `${counted(unknown.length, 'URL of the file is', 'URLs of the file are')} not among the pages that this crawl has read; ${unknown.length === 1 ? 'its label is' : 'their labels are'} not stored: ${unknown.slice(0, NAMED).join(', ')}${more}`,
  );
}
