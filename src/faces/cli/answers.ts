/** Answers from a person's keys or from lines of a pipe. */
import { createInterface } from 'node:readline';

/** The possible replies to a page; `interrupt` is Ctrl-C. */
export type LabelReply = 'y' | 'n' | 'skip' | 'undo' | 'quit' | 'interrupt';

export interface Answers {
  /** The next reply; `quit` at the end of the input. */
  next(): Promise<LabelReply>;
  /** Restore the terminal until the next reply is needed. */
  suspend(): void;
  /** Restore the terminal for good. A second call does nothing. */
  close(): void;
}

/** A map, since an object would also have `constructor`. */
const REPLIES = new Map(
  Object.entries<LabelReply>({
    ...{ y: 'y', yes: 'y', n: 'n', no: 'n', s: 'skip', skip: 'skip', u: 'undo', undo: 'undo', q: 'quit', quit: 'quit' },
    ...{ '\x03': 'interrupt', '\x04': 'quit' },
  }),
);
/** Signals that end the process at once, without its `exit` event. `onInterrupt` handles interrupts. */
const ENDINGS = ['SIGHUP', 'SIGQUIT'] as const;

function replyOf(word: string): LabelReply | undefined {
  return REPLIES.get(word.trim().toLowerCase() || word);
}

/** @param report receives input that is not an answer */
export function answersFrom(input: NodeJS.ReadStream, signal: AbortSignal, report: (what: string) => void): Answers {
  return input.isTTY ? new Keys(input, signal, report) : new Lines(input, signal, report);
}

/** Each key is an answer, without Enter. Keys pressed while no page waits for an answer are dropped, except Ctrl-C: they were meant for another page. */
class Keys implements Answers {
  readonly #input: NodeJS.ReadStream;
  readonly #signal: AbortSignal;
  readonly #report: (what: string) => void;
  #waiting: ((reply: LabelReply) => void) | null = null;
  /** The reply to every later question, once the session has to end. */
  #over: LabelReply | null = null;
  #raw = false;

  constructor(input: NodeJS.ReadStream, signal: AbortSignal, report: (what: string) => void) {
    this.#input = input;
    this.#signal = signal;
    this.#report = report;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('error', this.#onEnd);
    signal.addEventListener('abort', this.#onAbort);
    // However the process ends: a terminal left in raw mode does not show the user's typing.
    process.on('exit', this.#restore);
    this.#setRaw(true);
  }

  async next(): Promise<LabelReply> {
    this.#setRaw(true);
    await pendingEvents();
    if (this.#signal.aborted) return 'interrupt';
    if (this.#over !== null) return this.#over;
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  suspend(): void {
    this.#setRaw(false);
  }

  close(): void {
    this.#setRaw(false);
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.off('error', this.#onEnd);
    this.#signal.removeEventListener('abort', this.#onAbort);
    process.off('exit', this.#restore);
  }

  /** A flowing stream would keep the process alive, and swallow input meant for the shell. */
  #setRaw(raw: boolean): void {
    if (this.#raw === raw) return;
    this.#raw = raw;
    this.#input.setRawMode(raw);
    if (raw) this.#input.resume();
    else this.#input.pause();
    for (const signal of ENDINGS) process[raw ? 'on' : 'off'](signal, this.#onEnding);
  }

  #restore = (): void => this.#setRaw(false);

  /** Restores the terminal, and gives the signal its default effect: our listener is removed first. */
  #onEnding = (signal: NodeJS.Signals): void => {
    this.#restore();
    process.kill(process.pid, signal);
  };

  #onData = (bytes: Buffer): void => {
    const key = bytes.toString('utf8');
    const reply = replyOf(key);
    if (reply === 'interrupt') this.#over = reply;
    if (reply !== undefined) this.#give(reply);
    else if (this.#waiting !== null) this.#report(key);
  };

  /** A closed terminal also sends SIGHUP, and cannot be written to afterwards: the signal must be handled first. */
  #onEnd = (): void => {
    this.#over = 'quit';
    void pendingEvents().then(() => this.#give('quit'));
  };
  #onAbort = (): void => this.#give('interrupt');

  #give(reply: LabelReply): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(reply);
  }
}

/** Resolves once earlier input has been read and signals handled. It takes two turns: the first turn of the event loop may be past its reading. */
async function pendingEvents(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Each line is an answer; empty lines are skipped. */
class Lines implements Answers {
  readonly #lines: NodeJS.AsyncIterator<string>;
  readonly #aborted: Promise<'interrupt'>;
  readonly #report: (what: string) => void;
  readonly #close: () => void;

  constructor(input: NodeJS.ReadStream, signal: AbortSignal, report: (what: string) => void) {
    const reader = createInterface({ input, terminal: false });
    this.#lines = reader[Symbol.asyncIterator]();
    this.#report = report;
    this.#close = () => reader.close();
    this.#aborted = new Promise((resolve) => {
      if (signal.aborted) resolve('interrupt');
      signal.addEventListener('abort', () => resolve('interrupt'), { once: true });
    });
  }

  async next(): Promise<LabelReply> {
    for (;;) {
      const line = await Promise.race([this.#lines.next(), this.#aborted]);
      if (line === 'interrupt') return line;
      if (line.done) return 'quit';
      const reply = replyOf(line.value);
      if (reply !== undefined) return reply;
      if (line.value.trim() !== '') this.#report(line.value);
    }
  }

  suspend(): void {}

  close(): void {
    this.#close();
  }
}
