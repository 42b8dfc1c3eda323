/** The process of one piece of work; `background-jobs.ts` is the other end. Without that end, the work is stopped, as by Ctrl-C. */

import { CrawlerError, messageOf } from '../../base/core/errors.ts';
import { takeOverLocks } from '../../base/disk/take-over.ts';
import { showAs } from '../../base/text/forager-command.ts';
import type { JobMessage, Order } from './background-jobs.ts';
import { BACKGROUND_WORK, type JobProgress } from './background-work.ts';

/** A person reads at most so fast. */
const LEAST_MS = 250;
const stop = new AbortController();
let reportedAt = 0;

process.once('message', (order) => void work(order as Order));
process.on('disconnect', () => stop.abort());

async function work({ dir, name, given, environment, program, takesOver }: Order): Promise<void> {
  showAs(program);
  if (takesOver) takeOverLocks();
  try {
    tell({ kind: 'done', value: await BACKGROUND_WORK[name](dir, given as never, { progress, signal: stop.signal, environment }) });
  } catch (error) {
    // An error of another kind is a bug: its name tells more than its message.
    tell({ kind: 'failed', message: error instanceof CrawlerError ? error.message : messageOf(error) });
  }
  if (process.connected) process.disconnect();
}

function progress(progress: JobProgress): void {
  if (Date.now() - reportedAt < LEAST_MS) return;
  reportedAt = Date.now();
  tell({ kind: 'progress', progress });
}

/** The other end may be gone. */
function tell(message: JobMessage): void {
  if (process.connected) process.send?.(message, () => undefined);
}
