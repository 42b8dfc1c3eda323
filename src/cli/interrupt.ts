import { EXIT } from '../core/errors.ts';

/** The first Ctrl-C (or SIGTERM) aborts the signal, so that work under way is finished and stored; the second ends the process at once. */
export function onInterrupt(message: string): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const handle = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    process.stderr.write(`\n${message}\n`);
    controller.abort();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return {
    signal: controller.signal,
    close() {
      process.off('SIGINT', handle);
      process.off('SIGTERM', handle);
    },
  };
}
