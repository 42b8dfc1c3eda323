/** Receivers of kept records: a command of the user, or a module. */
import { UsageError } from '../../base/core/errors.ts';
import type { CrawlRecord, Ms } from '../../base/core/types.ts';
import { recordLine } from '../../corpus/records/records.ts';
import { startUserCommand, type UserCommand } from '../input/user-command.ts';
import { isModule } from '../settings/own-code.ts';
import { HOOK_LIMITS, type HookLimits, HookThread } from './hook-thread.ts';

/** A record as a sink gets it: that of `onKept`. */
export type SinkRecord = Omit<CrawlRecord, 'votes'>;

/** Result of a delivery: how many records were acknowledged, the first ones; and why not all, in words. */
export interface Receipt {
  readonly acknowledged: number;
  readonly fault: string | null;
}

export interface SinkReceiver {
  /** Delivers records. Never rejects. After `close` nothing more is acknowledged. */
  deliver(records: readonly SinkRecord[]): Promise<Receipt>;
  /** Ends a delivery that is under way. */
  close(): Promise<void>;
}

/** A delivery of a hundred records is a transaction of a database, or a request to a server: a minute is far more. */
export const SINK_LIMITS: HookLimits = { ...HOOK_LIMITS, time: 60_000 };
const OF_SINK = { noun: 'a sink', option: 'sink' } as const;

/** The receiver of `--sink`. @throws UsageError for a module that cannot be loaded */
export async function openReceiver(sink: string, limits: HookLimits = SINK_LIMITS): Promise<SinkReceiver> {
  return isModule(sink) ? ModuleReceiver.open(sink, limits) : new CommandReceiver(sink, limits.time);
}

/** Loads a module and forgets it: a fault in it is found before a crawl writes anything. @throws UsageError */
export async function checkSink(sink: string): Promise<void> {
  await (await openReceiver(sink)).close();
}

/** Runs a command for each delivery. Its exit code 0 acknowledges all records. */
class CommandReceiver implements SinkReceiver {
  readonly #command: string;
  readonly #time: Ms;
  #running: UserCommand | null = null;
  #isClosed = false;

  constructor(command: string, time: Ms) {
    [this.#command, this.#time] = [command, time];
  }

  async deliver(records: readonly SinkRecord[]): Promise<Receipt> {
    if (this.#isClosed) return { acknowledged: 0, fault: 'the crawl ended' };
    const running = startUserCommand(this.#command, 'ignored');
    this.#running = running;
    const fault = await this.#outcome(running, records.map(recordLine).join(''));
    this.#running = null;
    return { acknowledged: fault === null ? records.length : 0, fault };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.kill();
    await this.#running?.ended;
  }

  async #outcome({ child, ended, kill }: UserCommand, lines: string): Promise<string | null> {
    let [isLate, isRead] = [false, true];
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, this.#time);
    child.stdin?.once('error', () => {
      isRead = false;
    });
    child.stdin?.end(lines);
    const how = await ended;
    clearTimeout(timer);
    if (this.#isClosed) return 'the crawl ended';
    if (isLate) return `it took longer than ${this.#time / 1000} s`;
    return how ?? (isRead ? null : 'it ended without reading all records');
  }
}

/** Calls `onRecord` for each record, or `onRecords` for all of a delivery. Its end acknowledges them. */
class ModuleReceiver implements SinkReceiver {
  readonly #thread: HookThread;
  readonly #name: 'onRecord' | 'onRecords';
  #isClosed = false;

  /** @throws UsageError unless the module exports one of the two functions */
  static async open(file: string, limits: HookLimits): Promise<ModuleReceiver> {
    const thread = new HookThread(file, OF_SINK, limits);
    const names = await thread.open();
    const [one, all] = [names.includes('onRecord'), names.includes('onRecords')];
    if (one !== all) return new ModuleReceiver(thread, one ? 'onRecord' : 'onRecords');
    await thread.close();
    throw new UsageError(
      `${file}: exports ${one ? 'two functions' : 'no function'} for records; export onRecord(record) or onRecords(records)`,
    );
  }

  private constructor(thread: HookThread, name: 'onRecord' | 'onRecords') {
    [this.#thread, this.#name] = [thread, name];
  }

  async deliver(records: readonly SinkRecord[]): Promise<Receipt> {
    const calls = this.#name === 'onRecords' ? [records] : records;
    for (const [acknowledged, argument] of calls.entries()) {
      const fault = await this.#call(argument);
      if (fault !== null) return { acknowledged, fault };
    }
    return { acknowledged: records.length, fault: null };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }

  async #call(argument: unknown): Promise<string | null> {
    if (this.#isClosed) return 'the crawl ended';
    const answer = await this.#thread.call(this.#name, argument);
    // Any result is an acknowledgement, also one that cannot cross the thread: the function has ended.
    if ('value' in answer || answer.cause === 'rubbish') return null;
    return this.#isClosed ? 'the crawl ended' : `${this.#name} ${answer.cause}: ${answer.detail}`;
  }
}
