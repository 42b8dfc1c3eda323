/** The log of a crawl: JSON lines by pino. It never holds the crawl up, and never ends it. */
import { openSync } from 'node:fs';
import type { Logger, pino as Pino } from 'pino';
import { CrawlerError, messageOf, UsageError } from '../core/errors.ts';
import type { CrawlEvent } from '../core/parts/crawl-events.ts';
import type { Bytes, Ms } from '../core/types.ts';
import type { LogLevel } from '../settings/settings.ts';
import { harmlessJson } from '../text/harmless.ts';

/** Lines are written when they come to this much, or after this long: a write costs more than a hundred lines. */
const WRITE_AT: Bytes = 8192;
const WRITE_AFTER: Ms = 1000;
/** What waits for a disk that does not keep up; lines beyond it are counted and dropped. About a minute of a thousand lines a second. */
const HELD_AT_MOST: Bytes = 16 * 2 ** 20;
const STANDARD_ERROR = 2;

/** Each event at its level: a line for each URL that ended at `info`, all that led there at `debug`. */
const LEVEL_OF = {
  leased: 'debug',
  robots: 'debug',
  fetched: 'debug',
  judged: 'debug',
  settled: 'info',
  committed: 'debug',
  'seed-failed': 'warn',
  warning: 'warn',
} as const satisfies Record<CrawlEvent['type'], LogLevel>;

/** Where pino writes to. */
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
   * @param target a file, which is appended to; `-` for standard error
   * @param warn told once when the log cannot be written any more
   * @throws UsageError when the file cannot be opened
   */
  static async open(target: string, level: LogLevel, warn: (message: string) => void): Promise<CrawlLog> {
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
    const hooks = { streamWrite: harmlessJson };
    const log = pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, formatters, hooks }, lines);
    return new CrawlLog(target, log, lines, warn);
  }

  /** As an `Emit`. */
  take(event: CrawlEvent): void {
    if (this.#broken) return;
    const { type, at: _, ...fields } = event;
    this.#log[isPutBack(event) ? 'debug' : LEVEL_OF[type]]({ event: type, ...fields });
  }

  started(settings: object): void {
    if (!this.#broken) this.#log.info({ event: 'started', ...settings });
  }

  /** It was told to stop; visits under way are finished. */
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

  /** Write what is held, and close the file. Never rejects. */
  async close(): Promise<void> {
    if (this.#dropped > 0 && !this.#broken)
      this.#warn(`--log ${this.#target}: ${this.#dropped} lines were dropped, since it was written too slowly`);
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
    // Or pino would try to write what is held again and again, at the end of the process too.
    this.#lines.destroy();
    this.#warn(`--log ${this.#target}: cannot be written any more (${messageOf(error)}); the crawl goes on without it`);
  }
}

/** The URL waits on: its line comes when it ends. */
function isPutBack(event: CrawlEvent): boolean {
  return event.type === 'settled' && event.fate === null;
}

function descriptorOf(path: string): number {
  try {
    return openSync(path, 'a');
  } catch (error) {
    throw new UsageError(`--log ${path}: cannot be opened (${messageOf(error)}); give a file that can be written to`, { cause: error });
  }
}
