import { EXIT } from '../../../base/core/errors.ts';
import { commandOn } from '../../../base/text/forager-command.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { isCorpus } from '../../../corpus/harvest/folder-source.ts';
import type { VerifyReport } from '../../../study/repair/verify-crawl.ts';
import { print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';

export async function runVerify(options: CommandOptions<'verify'>): Promise<number> {
  const { dir } = options;
  const { verify } = await import('../../../study/repair/verify-crawl.ts');
  const shown: Shown<At> = {
    start: { check: 'crawl.json', examined: 0 },
    line: ({ check, examined }, ms) => `${check}: ${countText(examined)} checked; ${Math.round(ms / 1000)} s`,
    stopping: 'Stopping. Nothing was changed.',
  };
  const report = await longWork(shown, (signal, tell) =>
    verify({ dir, signal, onProgress: (check, examined) => tell({ check, examined }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (options.json) printJson(report);
  else describe(report);
  return report.faults === 0 ? EXIT.done : EXIT.environment;
}

interface At {
  readonly check: string;
  readonly examined: number;
}

function describe({ dir, running, unclear, faults, checks, notes }: VerifyReport): void {
  for (const { check, examined, faults: named, moreFaults, skipped } of checks) {
    if (skipped !== null) print(`${check}: not checked (${skipped})`);
    else print(`${check}: ${named.length === 0 ? 'whole' : counted(named.length + moreFaults, 'fault')}${lookedAt(examined)}`);
    for (const fault of named) print(`  DAMAGED: ${fault}`);
    if (moreFaults > 0) print(`  and ${countText(moreFaults)} more`);
  }
  for (const note of notes) print(`note: ${note}`);
  if (unclear)
    print('note: a crawl is perhaps running, in another container or on another machine; verify checked its commits up to one moment');
  else if (running) print('note: a crawl is running; verify checked its commits up to one moment');
  print(
    faults === 0
      ? `${dir}: nothing is damaged${running ? ' in the checked commits' : ''}`
      : isCorpus(dir)
        ? `${dir}: ${counted(faults, 'fault')}; restore the files from a copy, or harvest again`
        : `${dir}: ${counted(faults, 'fault')}; ${commandOn('repair', dir)} mends frontier and corpus if possible; restore the rest from a copy`,
  );
}

function lookedAt(examined: number): string {
  return examined === 0 ? '' : `, ${countText(examined)} checked`;
}
