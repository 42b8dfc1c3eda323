import type { Ms } from '../core/types.ts';
import { onInterrupt } from './interrupt.ts';
import { Progress } from './progress.ts';

/** How work under way is shown, and stopped. */
export interface Shown<At> {
  /** Where it stands at the start. */
  readonly start: At;
  /** @param ms since the start */
  readonly line: (at: At, ms: Ms) => string;
  /** What the first Ctrl-C says. */
  readonly stopping: string;
}

/** Work that leaves nothing behind before its end: its progress on standard error, and its end by Ctrl-C. @returns what it came to; null when it was stopped */
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
