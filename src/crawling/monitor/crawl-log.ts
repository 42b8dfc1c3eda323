/** The log of a crawl: JSON lines by pino. It never delays the crawl and never ends it. */
import { openSync } from 'node:fs';
import type { Logger, pino as Pino } from 'pino';
import { CrawlerError, messageOf, UsageError } from '../../base/core/errors.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { refuseOwned } from '../../base/disk/whose.ts';
import { printableJson } from '../../base/text/printable.ts';
import type { LogLevel } from '../settings/settings.ts';

/** Lines are written once they reach this size, or after this time: a write costs more than a hundred lines. */
const WRITE_AT: Bytes = 8192;
const WRITE_AFTER: Ms = 1000;
/** Bytes to hold for a slow disk; further lines are counted and dropped. About a minute of a thousand lines a second. */
const HELD_AT_MOST: Bytes = 16 * 2 ** 20;
const STANDARD_ERROR = 2;

/** The level of each event: `info` has one line for each URL that ended; `debug` has all events that led there. */
const LEVEL_OF = {
  leased: 'debug',
  robots: 'debug',
  fetched: 'debug',
  judged: 'debug',
  settled: 'info',
  committed: 'debug',
  retrained: 'info',
  indexed: 'info',
  asked: 'info',
  action: 'info',
  'seed-failed': 'warn',
  warning: 'warn',
} as const satisfies Record<CrawlEvent['type'], LogLevel>;

/** The destination of pino. */
type Lines = ReturnType<typeof Pino.destination>;

export class CrawlLog {
  readonly #log: Logger;
  readonly #lines: Lines;
  readonly #warn: (message: string) => void;
  readonly #target: string;
  #broken = false;
  #dropped = 0;

  private constructor(target: string, log: Logger, lines: Lines, warn: (message: string) => void) {
    this.#target = target;
    this.#log = log;
    this.#lines = lines;
    this.#warn = warn;
    lines.on('error', (error: unknown) => this.#giveUp(error));
    lines.on('drop', () => {
      this.#dropped += 1;
    });
  }

  /**
   * @param target a file to append to; `-` for standard error
   * @param warn called once if the log can no longer be written
   * @throws UsageError if the file cannot be opened
   */
  static async open(target: string, level: LogLevel, warn: (message: string) => void): Promise<CrawlLog> {
    if (target !== '-') refuseOwned(target, '--log');
    const fd = target === '-' ? STANDARD_ERROR : descriptorOf(target);
    const { pino } = await import('pino');
    const lines = pino.destination({
      dest: fd,
      sync: false,
      minLength: WRITE_AT,
      maxLength: HELD_AT_MOST,
      periodicFlush: WRITE_AFTER,
    });
    const formatters = { level: (label: string) => ({ level: label }) };
    const hooks = { streamWrite: printableJson };
    const log = pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, formatters, hooks }, lines);
    return new CrawlLog(target, log, lines, warn);
  }

  /** Takes events, as an `Emit`. */
  take(event: CrawlEvent): void {
    if (this.#broken) return;
    const { type, at: _, ...fields } = event;
    this.#log[isPutBack(event) ? 'debug' : LEVEL_OF[type]]({ event: type, ...fields });
  }

  started(settings: object): void {
    if (!this.#broken) this.#log.info({ event: 'started', ...settings });
  }

  /** The crawl was asked to stop; running visits are finished. */
  stopping(): void {
    if (!this.#broken) this.#log.info({ event: 'stopping' });
  }

  stopped(outcome: object): void {
    if (!this.#broken) this.#log.info({ event: 'stopped', ...outcome });
  }

  failed(error: unknown): void {
    const code = error instanceof CrawlerError ? error.code : 'BUG';
    if (!this.#broken) this.#log.error({ event: 'failed', code, message: messageOf(error) });
  }

  /** Write the held lines, and close the file. Never rejects. */
  async close(): Promise<void> {
    if (this.#dropped > 0 && !this.#broken)
      this.#warn(`--log ${this.#target}: ${this.#dropped} lines were dropped, since the log was written too slowly`);
    if (this.#broken) return;
    await new Promise<void>((resolve) => {
      this.#lines.once('close', resolve);
      this.#lines.once('error', () => resolve());
      this.#lines.end();
    });
  }

  #giveUp(error: unknown): void {
    if (this.#broken) return;
    this.#broken = true;
    // Otherwise pino would try to write the held lines again and again, also at the end of the process.
    this.#lines.destroy();
    this.#warn(`--log ${this.#target}: can no longer be written (${messageOf(error)}); the crawl continues without it`);
  }
}

/** The URL still waits: its line follows when it ends. */
function isPutBack(event: CrawlEvent): boolean {
  return event.type === 'settled' && event.fate === null;
}

function descriptorOf(path: string): number {
  try {
    return openSync(path, 'a');
  } catch (error) {
    throw new UsageError(`--log ${path}: cannot be opened (${messageOf(error)}); give a writable file`, { cause: error });
  }
}
