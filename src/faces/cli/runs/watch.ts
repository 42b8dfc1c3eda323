import { EXIT, storeErrorFrom } from '../../../base/core/errors.ts';
import { replaceFile } from '../../../base/disk/replaced-file.ts';
import { counted } from '../../../base/text/number-text.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { crawlPaths } from '../../../crawling/crawl-dir/crawl-directory.ts';
import { FailureTally } from '../../../study/inspect/failure-counts.ts';
import { crawlStateText, endText } from '../../../study/inspect/stop-reason-text.ts';
import { reportText } from '../../../study/watch/watch-files.ts';
import { reportCountsText } from '../../../study/watch/watch-markdown.ts';
import type { WatchOutcome } from '../../app/watch-crawl.ts';
import { print, printContent, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { onInterrupt } from '../interrupt.ts';
import { keysFromEnvironment } from '../output-environment.ts';
import { Progress } from '../progress.ts';
import { onDamagedOf } from '../skip-damaged.ts';
import { progressLine } from './crawl.ts';

type Options = CommandOptions<'watch'>;

export async function runWatch({ format = 'markdown', out, skipDamaged, ...options }: Options): Promise<number> {
  const { watchCrawl } = await import('../../app/watch-crawl.ts');
  const startedAt = Date.now();
  const failures = new FailureTally();
  const interrupt = onInterrupt(`${sentence(crawlStateText('stopping'))} Press Ctrl-C again to stop at once.`);
  let progress: Progress | null = null;
  const close = () => (progress as Progress | null)?.close();
  try {
    const outcome = await watchCrawl({
      ...options,
      ...onDamagedOf(skipDamaged),
      environment: process.env,
      ...keysFromEnvironment(),
      signal: interrupt.signal,
      warn,
      onEvent: (event) => {
        if (event.type === 'settled') failures.add({ ...event, state: event.fate });
        if (event.type === 'warning') warn(event.message);
      },
      onStart: ({ counts }) => {
        const before = counts().visited;
        progress = new Progress(() => progressLine(counts(), before, null, Date.now() - startedAt, failures.counts()));
      },
    });
    close();
    return shown(outcome, { dir: options.dir, format, ...(out !== undefined && { out }) });
  } catch (error) {
    if (interrupt.signal.aborted && error === interrupt.signal.reason) return EXIT.interrupted;
    throw error;
  } finally {
    close();
    interrupt.close();
  }
}

/** @returns the exit code */
function shown(outcome: WatchOutcome, { dir, format = 'markdown', out }: Pick<Options, 'dir' | 'format' | 'out'>): number {
  switch (outcome.kind) {
    case 'interrupted':
      warn(`${dir}: the look was interrupted; the same command continues it, and reports`);
      return EXIT.interrupted;
    case 'not-due':
      warn(`${dir}: the last look began at ${outcome.last}; the next one is due at ${outcome.next}`);
      return EXIT.done;
    case 'begun':
      warn(`${dir}: the watch begins with ${counted(outcome.report.pages, 'page')}; the next call reports the changes since`);
      return EXIT.done;
    case 'reported': {
      const { report, crawl } = outcome;
      const content = reportText(crawlPaths(dir), report, format);
      if (out === undefined) printContent(content);
      else {
        written(out, content);
        print(`${out}: report ${report.number}: ${reportCountsText(report)}`);
      }
      const reason = crawl?.stopReason;
      if (reason !== 'disk-full' && reason !== 'low-memory') return EXIT.done;
      warn(`${dir}: ${endText(reason)}, so the look is not complete; the next one continues`);
      return EXIT.environment;
    }
  }
}

/** @throws StoreError */
function written(path: string, content: string): void {
  try {
    replaceFile(path, content);
  } catch (error) {
    throw storeErrorFrom(error, 'writing the report', path);
  }
}
