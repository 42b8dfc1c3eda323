import { EXIT } from '../../core/errors.ts';
import type { RepairReport, RepairStep } from '../../repair/repair-crawl.ts';
import { print, printJson, warn } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { counted, countText } from '../progress.ts';

/** Number of faults to name; `forager verify` names all. */
const NAMED = 20;

export const repairCommand = command({
  name: 'repair',
  positionals: ['dir'],
  summary: 'bring the frontier and the corpus of a damaged crawl back to one state',
  examples: [
    ['$0 repair crawls/moss', 'after a message that names this command; deletes nothing'],
    ['$0 repair crawls/moss --cut', 'return to the state of an older frontier'],
  ],
  run,
});

async function run({ json, ...options }: CommandOptions<'repair'>): Promise<number> {
  const { repair } = await import('../../repair/repair-crawl.ts');
  const shown: Shown<{ readonly step: RepairStep; readonly done: number }> = {
    start: { step: 'checking', done: 0 },
    line: ({ step, done }) => `${step}${done > 0 ? `, ${countText(done)}` : ''}`,
    stopping: 'Stopping: run the same command to start again.',
  };
  const report = await longWork(shown, (signal, tell) =>
    repair({ ...options, signal, told: warn, onProgress: (step, done) => tell({ step, done }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else for (const line of linesOf(report, options.cut === true)) print(line);
  return EXIT.done;
}

function linesOf(report: RepairReport, cut: boolean): string[] {
  const { dir, faults, frontier, restored, withoutResponse, lost, aside, putAside } = report;
  const { kept, versions, others, records } = restored;
  const changed = faults.length > 0 || kept + versions + others + records + lost > 0 || aside !== null;
  const stillLost = stillLostLines(dir, withoutResponse);
  if (!changed)
    return [`${dir}: ${stillLost.length > 0 ? 'nothing was changed' : 'nothing is damaged, and nothing was changed'}`, ...stillLost];
  return [
    `${dir}: repaired`,
    ...faults.slice(0, NAMED).map((fault) => `  damaged: ${fault}`),
    ...(faults.length > NAMED ? [`  and ${countText(faults.length - NAMED)} more`] : []),
    cut
      ? '  the corpus was cut to the last commit of the frontier'
      : frontier === 'made again'
        ? `  the frontier was rebuilt: ${counted(kept, 'page')} of the corpus, ${counted(others, 'other visit')} of the recording; the crawl visits the rest again`
        : `  added to the frontier: ${counted(kept, 'kept page')} and ${counted(others, 'other visit')} that it lacked`,
    ...(versions > 0 ? [`  ${counted(versions, 'kept page')} now in the newest version of the corpus`] : []),
    ...(records > 0 ? [`  ${counted(records, 'record was', 'records were')} written again from WARC records`] : []),
    ...(lost > 0 ? [`  LOST: ${counted(lost, 'kept page')} without any stored data; they wait for another request`] : []),
    ...stillLost,
    ...(aside === null ? [] : asideLines(aside, putAside)),
    `  to resume the crawl: forager crawl ${dir}, with the options you want (--max-pages, --max-time)`,
  ];
}

/** Where files of the corpus went: repair deletes nothing. */
function asideLines(aside: string, files: RepairReport['putAside']): string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `  ${counted(files.length, 'file')} with ${countText(bytes)} bytes ${files.length === 1 ? 'was' : 'were'} saved in ${aside}:`,
    ...files.slice(0, NAMED).map((file) => `    ${file.name}  ${countText(file.bytes)} bytes`),
    ...(files.length > NAMED ? [`    and ${countText(files.length - NAMED)} more`] : []),
  ];
}

/** Losses that repair alone cannot mend: it has pages fetched again only if the user gives up the rest of their data. */
function stillLostLines(dir: string, pages: number): string[] {
  if (pages === 0) return [];
  return [
    `  LOST: the WARC ${pages === 1 ? 'record' : 'records'} of ${counted(pages, 'kept page')}; records.jsonl has their text, and forager verify still names them`,
    `  to have them fetched again: forager repair ${dir} --refetch, then forager crawl ${dir}`,
  ];
}
