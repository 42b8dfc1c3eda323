/** One line on a terminal before the first output: some work, such as reading a large crawl, lets no timer run. */
import { printable } from '../../base/text/printable.ts';

let isShown = false;

/** Shows `status crawls/moss: working …` until the first output; nothing if standard error is no terminal. */
export function showWorking(command: string, dir: unknown): void {
  if (process.stderr.isTTY !== true) return;
  const at = typeof dir === 'string' ? ` ${dir}` : '';
  process.stderr.write(printable(`${command}${at}: working …`).slice(0, (process.stderr.columns || 80) - 1));
  isShown = true;
}

/** Makes room for output. */
export function endWorking(): void {
  if (isShown) process.stderr.write('\r\x1b[K');
  isShown = false;
}
