import { EXIT } from '../../../base/core/errors.ts';
import { counted } from '../../../base/text/number-text.ts';
import { type HuntReport, huntKeyword } from '../../app/hunt-keyword.ts';
import { networkOf, print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';

/** The exit code is 0 also if the keyword is on no page: that is no error. */
export async function runHunt({ start, keyword, outputDir, json = false, ...options }: CommandOptions<'hunt'>): Promise<number> {
  const shown: Shown<readonly [level: number, pages: number]> = {
    start: [1, 1],
    line: ([level, pages]) => `level ${level}: ${counted(pages, 'page')}`,
    stopping: 'Stopping.',
  };
  const report = await longWork(shown, (signal, tell) =>
    huntKeyword({
      ...{ start, keyword, signal, fetch: networkOf(options), onLevel: (level, pages) => tell([level, pages]) },
      ...(outputDir !== undefined && { outputDir }),
    }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson(report);
  else describe(report, keyword);
  return EXIT.done;
}

function describe({ found, pages, level }: HuntReport, keyword: string): void {
  if (found === null) print(`cannot find "${keyword}" in ${counted(pages, 'page')} down to level ${level}`);
  else print(`${found.url}\nline ${found.line}: ${found.text}`);
}
