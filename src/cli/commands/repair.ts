import { EXIT } from '../../core/errors.ts';
import type { RepairReport, RepairStep } from '../../repair/repair-crawl.ts';
import { print, printJson, warn } from '../command.ts';
import { type CommandOptions, command } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { counted, countText } from '../progress.ts';

/** Faults that are named; `forager verify` names all. */
const NAMED = 20;

export const repairCommand = command({
  name: 'repair',
  positionals: ['dir'],
  summary: 'bring the frontier and the corpus of a damaged crawl back to one moment',
  examples: [
    ['$0 repair crawls/moss', 'after a message that names it; nothing is deleted'],
    ['$0 repair crawls/moss --cut', 'go back to the moment of an older frontier'],
  ],
  run,
});

async function run({ json, ...options }: CommandOptions<'repair'>): Promise<number> {
  const { repair } = await import('../../repair/repair-crawl.ts');
  const shown: Shown<{ readonly step: RepairStep; readonly done: number }> = {
    start: { step: 'checking', done: 0 },
    line: ({ step, done }) => `${step}${done > 0 ? `, ${countText(done)}` : ''}`,
    stopping: 'Stopping: the same command begins again.',
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
        ? `  the frontier was made again: ${counted(kept, 'page')} of the corpus, ${counted(others, 'other visit')} of the recording; the rest is to be visited anew`
        : `  the frontier was given ${counted(kept, 'kept page')} and ${counted(others, 'other visit')} that it did not know`,
    ...(versions > 0 ? [`  ${counted(versions, 'kept page')} now in the newest version that the corpus has`] : []),
    ...(records > 0 ? [`  ${counted(records, 'record was', 'records were')} written anew from WARC records`] : []),
    ...(lost > 0 ? [`  LOST: ${counted(lost, 'kept page')}, of which nothing is left; they wait to be asked for again`] : []),
    ...stillLost,
    ...(aside === null ? [] : asideLines(aside, putAside)),
    `  to go on with the crawl: forager crawl ${dir}, with the options you want (--max-pages, --max-time)`,
  ];
}

/** Where things went that were in the corpus: nothing is deleted. */
function asideLines(aside: string, files: RepairReport['putAside']): string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `  ${counted(files.length, 'file')} with ${countText(bytes)} bytes ${files.length === 1 ? 'was' : 'were'} put aside in ${aside}:`,
    ...files.slice(0, NAMED).map((file) => `    ${file.name}  ${countText(file.bytes)} bytes`),
    ...(files.length > NAMED ? [`    and ${countText(files.length - NAMED)} more`] : []),
  ];
}

/** What repair alone cannot bring back: pages are fetched again only when the user gives up what is left of them. */
function stillLostLines(dir: string, pages: number): string[] {
  if (pages === 0) return [];
  return [
    `  LOST: the WARC ${pages === 1 ? 'record' : 'records'} of ${counted(pages, 'kept page')}; records.jsonl has their text, and forager verify goes on naming them`,
    `  to have them fetched again: forager repair ${dir} --refetch, then forager crawl ${dir}`,
  ];
}
