import type { Clock } from '../../base/core/clock.ts';
import { messageOf } from '../../base/core/errors.ts';
import type { SinkMark } from '../../base/core/parts/queueing.ts';
import type { Bytes, EpochMs, Ms } from '../../base/core/types.ts';
import { counted } from '../../base/text/number-text.ts';
import { Notifier } from '../crawl/notifier.ts';
import type { HookLimits } from './hook-thread.ts';
import { nextBatch, placeBehind, type SinkBatch, type WaitingRecord, waitingRecords } from './sink-batch.ts';
import { openReceiver, type SinkReceiver } from './sink-receivers.ts';

export interface SinkRun {
  /** A command, or the path of a module. */
  readonly sink: string;
  /** Name of the sink in marks, without the words of a command, which may have secrets. */
  readonly name: string;
  /** Folder of the corpus. */
  readonly corpus: string;
  /** The mark of the last commit, perhaps that of another sink; null for none. */
  readonly mark: SinkMark | null;
  /** Bytes of `records.jsonl` in that commit. */
  readonly end: Bytes;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Receives each new mark, to be stored with the next commit. */
  readonly note: (mark: SinkMark) => void;
  /** Default: `SINK_LIMITS`. */
  readonly limits?: HookLimits;
}

/** Records of a delivery. After a failure it is one record, so that the message names it; then twice as many each time. */
const MOST_RECORDS = 100;
/** Time between the starts of two deliveries: a command is started for each. */
const BETWEEN: Ms = 2000;
/** Pause after the first failure; each further failure in a row doubles it. */
const FIRST_PAUSE: Ms = 1000;
const LONGEST_PAUSE: Ms = 5 * 60_000;
/** Failures in a row after which the end of a crawl waits no longer. */
const LAST_TRIES = 2;

/** Delivers committed records to a sink in their order, beside the crawl. A failure costs time, never a record. */
export class Sink {
  readonly #options: SinkRun;
  readonly #receiver: SinkReceiver;
  readonly #bell = new Notifier();
  /** Aborts pauses: at the end of the crawl. */
  readonly #hurry = new AbortController();
  readonly #reported = new Set<string>();
  #mark: SinkMark;
  #end: Bytes;
  #count = MOST_RECORDS;
  /** Failures in a row, and those since the end of the crawl. */
  #failed = 0;
  #lastTries = 0;
  #startedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();

  /** @throws UsageError for a module that cannot be loaded; DataError */
  static async open(options: SinkRun): Promise<Sink> {
    const { sink, name, mark, corpus, end, warn } = options;
    const own = mark?.sink === name ? mark : { sink: name, bytes: 0, id: null, records: 0, failures: 0, failure: null };
    const bytes = await placeBehind(corpus, own, end);
    if (bytes === null)
      warn(`--sink ${sink}: the corpus no longer has the last record that was delivered (${own.id}); all records are delivered again`);
    const start = bytes === null ? { ...own, bytes: 0, id: null, records: 0 } : { ...own, bytes };
    return new Sink(options, await openReceiver(sink, options.limits), start);
  }

  private constructor(options: SinkRun, receiver: SinkReceiver, mark: SinkMark) {
    [this.#options, this.#receiver, this.#mark, this.#end] = [options, receiver, mark, options.end];
    this.#running = this.#run();
  }

  get mark(): SinkMark {
    return this.#mark;
  }

  /** Everything up to this byte of `records.jsonl` is on disk. */
  committed(end: Bytes): void {
    this.#end = end;
    this.#bell.ring();
  }

  /** Number of records that wait. O(their bytes). */
  waiting(): Promise<number> {
    return waitingRecords(this.#options.corpus, this.#mark, this.#end);
  }

  /** Delivers the records that wait, without pauses. Ends when none is left, when the sink fails, after `time`, or when `signal` aborts. Nothing is delivered afterwards. */
  async drain(time: Ms, signal: AbortSignal): Promise<void> {
    this.#hurry.abort();
    this.#bell.ring();
    const nap = new AbortController();
    await Promise.race([this.#running, this.#options.clock.sleep(time, AbortSignal.any([signal, nap.signal]))]);
    nap.abort();
    await this.close();
  }

  /** Ends the delivery that is under way; its records stay waiting. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hurry.abort();
    this.#bell.ring();
    await this.#receiver.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isClosed && this.#lastTries < LAST_TRIES) {
      if (this.#mark.bytes >= this.#end && this.#isHurried) return;
      if (this.#mark.bytes >= this.#end) await this.#bell.wait();
      else {
        await this.#pause();
        if (!this.#isClosed && !(await this.#deliver())) return;
      }
    }
  }

  get #isHurried(): boolean {
    return this.#hurry.signal.aborted;
  }

  /** Waits for more records; or after failures, for the sink to be well again. */
  async #pause(): Promise<void> {
    const { clock } = this.#options;
    const more = this.#startedAt + BETWEEN - clock.now();
    const time = this.#failed === 0 ? more : Math.min(FIRST_PAUSE * 2 ** (this.#failed - 1), LONGEST_PAUSE);
    if (time > 0) await clock.sleep(time, this.#hurry.signal);
    this.#startedAt = clock.now();
  }

  /** @returns false if nothing can be read any more */
  async #deliver(): Promise<boolean> {
    const { corpus } = this.#options;
    const onDamaged = (message: string) => this.#tellOnce(`${message}; the record is not delivered`);
    const place = { end: this.#end, count: this.#count, onDamaged };
    let batch: SinkBatch;
    try {
      batch = await nextBatch(corpus, this.#mark, place);
    } catch (error) {
      this.#tellOnce(messageOf(error));
      return false;
    }
    if (batch.records.length > 0) await this.#give(batch.records);
    if (batch.records.at(-1)?.after === this.#mark.bytes || batch.records.length === 0) this.#move({ bytes: batch.behind });
    return true;
  }

  async #give(batch: readonly WaitingRecord[]): Promise<void> {
    const { acknowledged, fault } = await this.#receiver.deliver(batch.map(({ record }) => record));
    const last = batch[acknowledged - 1];
    if (last) this.#move({ bytes: last.after, id: last.record.id, records: this.#mark.records + acknowledged });
    if (this.#isClosed && fault !== null) return;
    if (fault === null) this.#succeeded();
    else this.#failedAt(batch[acknowledged], fault);
  }

  #succeeded(): void {
    if (this.#failed > 0) this.#tell(`delivers again, after ${counted(this.#failed, 'failure')}`);
    if (this.#mark.failure !== null) this.#move({ failure: null });
    this.#failed = 0;
    this.#count = Math.min(2 * this.#count, MOST_RECORDS);
  }

  #failedAt(at: WaitingRecord | undefined, fault: string): void {
    const isNew = this.#failed === 0 || this.#mark.failure !== fault;
    this.#failed += 1;
    if (this.#isHurried) this.#lastTries += 1;
    this.#count = 1;
    this.#move({ failures: this.#mark.failures + 1, failure: fault });
    if (isNew && at)
      this.#tell(`${fault}, at record ${at.record.id} of ${at.record.url}; it is delivered again, and the crawl does not wait for it`);
  }

  #move(change: Partial<SinkMark>): void {
    this.#mark = { ...this.#mark, ...change };
    this.#options.note(this.#mark);
  }

  #tell(message: string): void {
    this.#options.warn(`--sink ${this.#options.sink}: ${message}`);
  }

  #tellOnce(message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#tell(message);
  }
}
