import { EXIT } from '../core/errors.ts';

/** Ctrl-C, what a system sends to end a process, and what a terminal sends that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first of those signals aborts, so that work under way is finished and stored; the second ends the process at once.
 * @param message for standard error, at the first; null says nothing
 */
export function onInterrupt(message: string | null): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const handle = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    if (message !== null) process.stderr.write(`\n${message}\n`);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return {
    signal: controller.signal,
    close() {
      for (const signal of SIGNALS) process.off(signal, handle);
    },
  };
}
