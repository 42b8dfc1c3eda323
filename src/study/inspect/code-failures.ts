/** Failures of code of the user, as the fates of pages have them. */
import type { Fate } from '../../base/core/types.ts';
import { counted } from '../../base/text/number-text.ts';

/** Numbers of pages by the function and its failure, e.g. `onLinks threw`; the most frequent first. Failures of `onKept` are in no fate. */
export type CodeFailures = Readonly<Record<string, number>>;

/** Counts pages, one fate at a time. */
export class CodeFailureTally {
  readonly #counts = new Map<string, number>();

  add({ hooked }: Pick<Fate, 'hooked'>): void {
    for (const trouble of hooked?.troubles ?? []) {
      const [kind = trouble] = trouble.split(':', 1);
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    }
  }

  counts(): CodeFailures {
    return Object.fromEntries([...this.#counts].sort(([, a], [, b]) => b - a));
  }
}

/** One line of a report; [] without failures. */
export function codeFailureLines(failures: CodeFailures): string[] {
  const kinds = Object.entries(failures).map(([kind, count]) => `${kind} at ${counted(count, 'page')}`);
  return kinds.length === 0 ? [] : [`failures of your code: ${kinds.join(', ')}; why of a page has the cause`];
}
