import { type Clock, systemClock } from './clock.ts';
import type { Ms } from './types.ts';

const NEVER = new AbortController().signal;

/**
 * Asks until an answer is final, with a pause before each further try. The frontier tries URLs again in its own way: other visits continue meanwhile.
 * @param pauseAfter pause before the next try; null if the answer is final. `tries` counts from 1
 * @param signal ends a pause early, and nothing else: `ask` or `pauseAfter` ends the tries
 * @throws errors of `ask`
 */
export async function askAgain<T>(
  ask: () => Promise<T>,
  pauseAfter: (answer: T, tries: number) => Ms | null,
  clock: Pick<Clock, 'sleep'> = systemClock,
  signal: AbortSignal = NEVER,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    const pause = pauseAfter(answer, tries);
    if (pause === null) return answer;
    if (pause > 0) await clock.sleep(pause, signal);
  }
}
