/** Client of the Chrome DevTools Protocol over the two pipes of `--remote-debugging-pipe`: no TCP port is opened. */
import type { Readable, Writable } from 'node:stream';
import type { Bytes, Ms } from '../../base/core/types.ts';

/** An object of the protocol, as parsed. */
export type CdpObject = Readonly<Record<string, unknown>>;

/** A message that is no answer. `session` is '' for the browser itself. */
export interface CdpEvent {
  readonly method: string;
  readonly params: CdpObject;
  readonly session: string;
}

/** Error of a call: the browser refused it, gave no answer in time, or ended. */
export class CdpError extends Error {
  readonly reason: 'refused' | 'late' | 'ended';

  constructor(method: string, reason: CdpError['reason'], detail: string) {
    super(`${method}: ${detail}`);
    this.reason = reason;
  }
}

/** Longest message: a document of 16 MB, whose characters JSON may escape. More ends the connection. */
const MAX_MESSAGE: Bytes = 128 * 2 ** 20;
const NUL = 0;

interface Call {
  readonly method: string;
  readonly resolve: (result: CdpObject) => void;
  readonly reject: (error: CdpError) => void;
  readonly timer: NodeJS.Timeout;
}

/** Sends calls and receives answers and events; each message is JSON and ends with a NUL. */
export class CdpPipe {
  readonly #output: Writable;
  readonly #calls = new Map<number, Call>();
  readonly #listeners = new Map<string, (event: CdpEvent) => void>();
  #parts: Buffer[] = [];
  #size: Bytes = 0;
  #lastId = 0;
  #isOpen = true;
  readonly #onEnd: () => void;

  /** @param onEnd is called once when the connection ends */
  constructor(output: Writable, input: Readable, onEnd: () => void) {
    [this.#output, this.#onEnd] = [output, onEnd];
    input
      .on('data', (chunk: Buffer) => this.#receive(chunk))
      .on('error', () => this.end())
      .on('close', () => this.end());
    output.on('error', () => this.end());
  }

  /** Events of a session, or of the browser for ''. One listener each; null ends listening. */
  listen(session: string, listener: ((event: CdpEvent) => void) | null): void {
    if (listener === null) this.#listeners.delete(session);
    else this.#listeners.set(session, listener);
  }

  /** @param within time for the answer. @throws CdpError */
  send(method: string, params: CdpObject, session: string, within: Ms): Promise<CdpObject> {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(new CdpError(method, 'ended', 'the browser has ended'));
      this.#lastId += 1;
      const id = this.#lastId;
      const late = () => this.#take(id)?.reject(new CdpError(method, 'late', `no answer within ${within} ms`));
      this.#calls.set(id, { method, resolve, reject, timer: setTimeout(late, within) });
      this.#output.write(`${JSON.stringify({ id, method, params, ...(session !== '' && { sessionId: session }) })}\0`);
    });
  }

  /** Ends the connection: calls without an answer fail. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const id of [...this.#calls.keys()]) {
      const call = this.#take(id);
      call?.reject(new CdpError(call.method, 'ended', 'the browser has ended'));
    }
    this.#output.destroy();
    this.#onEnd();
  }

  #receive(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NUL); end >= 0; end = chunk.indexOf(NUL, from)) {
      this.#parts.push(chunk.subarray(from, end));
      this.#message(Buffer.concat(this.#parts).toString('utf8'));
      [this.#parts, this.#size, from] = [[], 0, end + 1];
    }
    this.#parts.push(chunk.subarray(from));
    this.#size += chunk.length - from;
    if (this.#size > MAX_MESSAGE) this.end();
  }

  #message(text: string): void {
    const message = parsed(text);
    if (message === null) this.end();
    const { id, result, error, method, params, sessionId } = message ?? {};
    if (typeof id === 'number') {
      const call = this.#take(id);
      if (isObject(error)) call?.reject(new CdpError(call.method, 'refused', String(error['message'])));
      else call?.resolve(isObject(result) ? result : {});
    } else if (typeof method === 'string') {
      const session = typeof sessionId === 'string' ? sessionId : '';
      this.#listeners.get(session)?.({ method, params: isObject(params) ? params : {}, session });
    }
  }

  #take(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    clearTimeout(call?.timer);
    return call;
  }
}

function parsed(text: string): CdpObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is CdpObject {
  return typeof value === 'object' && value !== null;
}

/** A string of an object of the protocol; '' if it has none of that name. */
export function cdpText(object: CdpObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}
