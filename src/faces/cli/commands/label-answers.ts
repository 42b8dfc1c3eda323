/** Commands about stored answers, which ask nobody. */

import { type OutputKind, publishFile, withOutput } from '../../../base/disk/output.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { ImportReport } from '../../../study/label/stored-import.ts';
import { warn } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { retrainAtEnd, retrainingOf } from '../label-retraining.ts';
import { inLabelSession, type LabelSession, sayLabels } from '../label-session.ts';

/** Named URLs of a file of labels that the crawl does not have. */
const NAMED = 3;

export const labelImportCommand = command({
  name: 'label import',
  positionals: ['dir', 'file'],
  summary: 'take over labels made elsewhere, and train the topic again',
  examples: [
    ['$0 label import crawls/moss labels.csv', 'a file with the columns url and label, y or n'],
    ['$0 label import crawls/moss ben.csv --name ben --no-retrain', 'the answers of another person, only stored'],
  ],
  run: importLabels,
});

export const labelExportCommand = command({
  name: 'label export',
  positionals: ['dir', 'file'],
  summary: 'write all labels of a crawl to a CSV file',
  examples: [['$0 label export crawls/moss labels.csv', 'each label with its name and time, for label import']],
  run: exportLabels,
});

export const labelNoneOfCommand = command({
  name: 'label none-of',
  positionals: ['dir', 'place'],
  summary: 'answer n for all pages of a host or directory, and train the topic again',
  examples: [
    ['$0 label none-of crawls/moss forum.example.org', 'no page of the host is on topic'],
    ['$0 label none-of crawls/moss https://example.org/shop/', 'no page of the directory is'],
  ],
  run: noneOf,
});

async function importLabels(given: CommandOptions<'label import'>): Promise<number> {
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

function noneOf(given: CommandOptions<'label none-of'>): Promise<number> {
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
function exportLabels({ file, ...given }: CommandOptions<'label export'>): Promise<number> {
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
