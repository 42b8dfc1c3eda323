import type { Ms } from '../../base/core/types.ts';
import { onInterrupt } from './interrupt.ts';
import { Progress } from './progress.ts';

/** Texts of a command about the progress and the end of its work. */
export interface Shown<At> {
  /** The progress at the start. */
  readonly start: At;
  /** @param ms since the start */
  readonly line: (at: At, ms: Ms) => string;
  /** The message at the first Ctrl-C. */
  readonly stopping: string;
}

/** Runs work that leaves nothing behind before its end. Shows progress on standard error; Ctrl-C ends it. @returns its result; null if it was stopped */
export async function longWork<At, T>(
  { start, line, stopping }: Shown<At>,
  work: (signal: AbortSignal, tell: (at: At) => void) => Promise<T>,
): Promise<T | null> {
  const startedAt = Date.now();
  let at = start;
  const progress = new Progress(() => line(at, Date.now() - startedAt));
  const interrupt = onInterrupt(stopping);
  try {
    return await work(interrupt.signal, (now) => {
      at = now;
    });
  } catch (error) {
    if (interrupt.signal.aborted) return null;
    throw error;
  } finally {
    progress.close();
    interrupt.close();
  }
}
