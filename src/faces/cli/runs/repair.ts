import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { commandOn, foragerCommand } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { Blank } from '../../../base/text/shell-line.ts';
import type { RepairReport, RepairStep } from '../../../study/repair/repair-crawl.ts';
import type { RefetchLostReport } from '../../app/refetch-lost.ts';
import { print, printJson, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { keysFromEnvironment } from '../output-environment.ts';
import { exitOf, GATHERING, missingLines } from './gather.ts';

/** Number of faults to name; `forager verify` names all. */
const NAMED = 20;

export async function runRepair(given: CommandOptions<'repair'>): Promise<number> {
  const { json, at, ...options } = given;
  if (at !== undefined) return runAt({ ...given, at });
  const { repair } = await import('../../../study/repair/repair-crawl.ts');
  const shown: Shown<{ readonly step: RepairStep; readonly done: number }> = {
    start: { step: 'checking', done: 0 },
    line: ({ step, done }) => `${step}${done > 0 ? `, ${countText(done)}` : ''}`,
    stopping: 'Stopping: run the same command to start again.',
  };
  const report = await longWork(shown, (signal, tell) =>
    repair({ ...options, signal, warn, onProgress: (step, done) => tell({ step, done }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else for (const line of linesOf(report, options.cut === true)) print(line);
  return EXIT.done;
}

/** Lost pages that are named; --json names all. */
const LOST_NAMED = 20;

async function runAt({ json, dir, at, refetch, cut }: CommandOptions<'repair'> & { readonly at: string }): Promise<number> {
  if (cut) throw new UsageError('--cut: is about one machine; omit it, or omit --at');
  const { refetchLost } = await import('../../app/refetch-lost.ts');
  const report = await longWork(GATHERING, (signal, tell) =>
    refetchLost({
      ...{ dir, at, signal, warn, ...keysFromEnvironment() },
      ...(refetch && { refetch }),
      onProgress: (done, total) => tell({ done, total }),
    }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else for (const line of lostLines(report, at)) print(line);
  return exitOf(report);
}

function lostLines({ dir, lost, refetched, corpora }: RefetchLostReport, at: string): string[] {
  const away = missingLines(corpora);
  if (lost.length === 0) return [...away, `${dir}: each kept page has its record`];
  return [
    ...away,
    `${dir}: ${counted(lost.length, 'kept page has', 'kept pages have')} no record:`,
    ...lost.slice(0, LOST_NAMED).map((url) => `  ${url}`),
    ...(lost.length > LOST_NAMED ? [`  and ${countText(lost.length - LOST_NAMED)} more`] : []),
    refetched
      ? `they wait for another visit; to resume: ${foragerCommand('crawl', new Blank('dir'), '--at', at)}`
      : `if their disk is lost, have them visited again: ${commandOn('repair', dir, '--at', at, '--refetch')}`,
  ];
}

function linesOf(report: RepairReport, cut: boolean): string[] {
  const { dir, faults, frontier, restored, withoutResponse, lost, aside, moved } = report;
  const { kept, versions, absences, others, records } = restored;
  const changed = faults.length > 0 || kept + versions + absences + others + records + lost > 0 || aside !== null;
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
    ...(absences > 0 ? [`  ${counted(absences, 'kept page')} known again as gone, moved, not to be kept or back`] : []),
    ...(versions > 0 ? [`  ${counted(versions, 'kept page')} now in the newest version of the corpus`] : []),
    ...(records > 0 ? [`  ${counted(records, 'record was', 'records were')} written again from WARC records`] : []),
    ...(lost > 0 ? [`  LOST: ${counted(lost, 'kept page')} without any stored data; they wait for another request`] : []),
    ...stillLost,
    ...(aside === null ? [] : asideLines(aside, moved)),
    `  to resume the crawl: ${commandOn('crawl', dir)}, with the options you want (--max-pages, --max-time)`,
  ];
}

/** Lines that name the files moved out of the corpus: repair deletes nothing. */
function asideLines(aside: string, files: RepairReport['moved']): string[] {
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
    `  LOST: the WARC ${pages === 1 ? 'record' : 'records'} of ${counted(pages, 'kept page')}; records.jsonl has their text, and ${foragerCommand('verify')} still names them`,
    `  to have them fetched again: ${commandOn('repair', dir, '--refetch')}, then ${commandOn('crawl', dir)}`,
  ];
}
