import type { Ms } from '../../base/core/types.ts';
import { counted, countText } from '../../base/text/number-text.ts';
import { printable } from '../../base/text/printable.ts';
import { endWorking } from './working.ts';

/** Time between two drawings of a terminal line, and between two plain lines of a log. */
const REDRAW: Ms = 500;
const LOG_EVERY: Ms = 10_000;
/** Time that a person waits before wondering whether the program still works. */
export const MOMENT: Ms = 2000;
/** Width of a terminal that does not report its size. */
const COLUMNS = 80;

/** Progress on standard error: one line redrawn on a terminal, a plain line every ten seconds otherwise. */
export class Progress {
  readonly #line: () => string;
  readonly #terminal = process.stderr.isTTY === true;
  #timer: NodeJS.Timeout;

  /**
   * @param line returns the state as a short text; called at each drawing.
   * @param first time before the first drawing
   */
  constructor(line: () => string, first?: Ms) {
    const every = this.#terminal ? REDRAW : LOG_EVERY;
    this.#line = line;
    this.#timer = setTimeout(() => {
      this.#draw();
      this.#timer = setInterval(() => this.#draw(), every).unref();
    }, first ?? every).unref();
  }

  /** Stop drawing. On a terminal, clear the line for later output. */
  close(): void {
    clearInterval(this.#timer);
    this.clearLine();
  }

  /** Clears the line of progress on a terminal, for a line of another kind. */
  clearLine(): void {
    if (this.#terminal) process.stderr.write('\r\x1b[K');
  }

  #draw(): void {
    const line = printable(this.#line());
    endWorking();
    if (this.#terminal) process.stderr.write(`\r\x1b[K${lineOf(line, process.stderr.columns)}`);
    else process.stderr.write(`${line}\n`);
  }
}

/** Progress through a list of URLs, once it takes longer than a moment. */
export class FetchProgress {
  #progress: Progress | null = null;
  #startedAt = 0;
  #at = '';

  /** The `onProgress` of `FetchListOptions`. */
  readonly onProgress = (done: number, total: number): void => {
    if (done >= total) {
      this.close();
      return;
    }
    this.#at = fetchingText(done, total);
    if (this.#progress !== null) return;
    this.#startedAt = Date.now();
    this.#progress = new Progress(() => `${this.#at}; ${clockText(Date.now() - this.#startedAt)}`, MOMENT);
  };

  close(): void {
    this.#progress?.close();
    this.#progress = null;
  }
}

/** `fetching, 1 of 3 URLs`. */
export function fetchingText(done: number, total: number): string {
  return `fetching, ${countText(done)} of ${counted(total, 'URL')}`;
}

/** The part that fits into a row, with one column left for the cursor. @param columns 0 or undefined for a terminal that does not know its size */
export function lineOf(text: string, columns: number | undefined): string {
  return text.slice(0, (columns || COLUMNS) - 1);
}

/** `0:42, 29.4/s, about 1:10 left`. @param total null if not known. */
export function rateAndEta(done: number, total: number | null, ms: Ms): string {
  return `${rateText(done, ms)}${etaText(done, total, ms)}`;
}

/** `0:42, 29.4/s`. */
export function rateText(done: number, ms: Ms): string {
  const rate = ms > 0 ? (done * 1000) / ms : 0;
  return `${clockText(ms)}, ${rate >= 100 ? Math.round(rate) : rate.toFixed(1)}/s`;
}

/** `, about 1:10 left`; '' if that is not known. */
export function etaText(done: number, total: number | null, ms: Ms): string {
  return total !== null && ms > 0 && done > 0 ? `, about ${clockText(((total - done) / done) * ms)} left` : '';
}

/** `m:ss`; `h:mm:ss` from one hour on. */
export function clockText(ms: Ms): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Three significant digits: `0.897`, `0.0413`. */
export function thresholdText(threshold: number): string {
  return String(Number(threshold.toPrecision(3)));
}
