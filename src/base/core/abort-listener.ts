import { setMaxListeners } from 'node:events';

/** Listens to a signal that any number of waits share: Node warns of a leak from the eleventh listener on. @returns the end of listening */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
