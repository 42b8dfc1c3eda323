import type { Dispatcher } from 'undici';
import type { Bytes, Ms, RefusalReason } from '../../base/core/types.ts';
import { parseContentType } from '../../base/web/content-type.ts';
import { fieldsByName } from '../../base/web/header-fields.ts';
import { joinBytes } from './decode.ts';
import { InterimFloodError, isClosed, isEarlyEnd } from './failures.ts';
import type { RequestTimer, TimedRequest } from './request-timer.ts';
import type { Connection } from './routes.ts';

/** Status line and header fields of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  /** Fields as received, in order, names in their own case; bytes read as Latin-1. */
  readonly rawHeaders: readonly (readonly [string, string])[];
  /** Lower-case names; repeated fields as `fieldsByName`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The decision about a body: read it, read and discard a short one so that the connection stays usable, or close the connection because of a rule. */
export type BodyDecision =
  | { readonly kind: 'keep' | 'discard' /** Most bytes from the wire, if not those of the rules. */; readonly maxWireBytes?: Bytes }
  | { readonly kind: 'refuse'; readonly reason: RefusalReason };

export interface ExchangeLimits {
  /** Limit from dispatch to the end of the header: DNS, connecting and TLS included. */
  readonly headersTimeoutMs: Ms;
  /** Limit from dispatch to the last byte. */
  readonly totalDeadlineMs: Ms;
  /** A body slower than this in a whole `rateWindowMs` is aborted. */
  readonly minBytesPerSecond: number;
  readonly rateWindowMs: Ms;
}

/** Rules for the response of an exchange. */
export interface ExchangeRules {
  readonly limits: ExchangeLimits;
  readonly maxWireBytes: Bytes;
  /** Called once for a body that reaches the cap: most bytes by its first ones, up to 4 KB. Absent: the cap. */
  mostBytes?(head: ResponseHead, start: Uint8Array): Bytes;
  /** Called once with the final (not 1xx) header. */
  decideBody(head: ResponseHead): BodyDecision;
  /** Called with the first bytes of a body under 'keep'; null to continue. */
  sniff(head: ResponseHead, start: Uint8Array): RefusalReason | null;
}

export type Exchanged =
  | {
      readonly kind: 'response';
      readonly head: ResponseHead;
      readonly parts: readonly Uint8Array[];
      readonly size: Bytes;
      /** The wire cap or an early end cut the body. */
      readonly cut: boolean;
      /** The connection of the response; null if unknown. */
      readonly connection: Connection | null;
    }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly status: number; readonly mime: string }
  /** `stale`: the connection had been used before and closed before the response, so that another request costs nothing. */
  | { readonly kind: 'broken'; readonly error: unknown; readonly status: number | null; readonly stale: boolean }
  | { readonly kind: 'late'; readonly detail: string; readonly status: number | null }
  | { readonly kind: 'aborted' };

/** An unwanted body is read up to here, because that is cheaper than a new connection. */
const DRAIN_LIMIT: Bytes = 64 * 1024;
/** Interim responses (1xx) before the real one: servers send one or two, and each costs a parse. */
const MAX_INTERIM = 32;
/** Bytes that tell the kind of a body. */
const START: Bytes = 4096;
const KEEP: BodyDecision = { kind: 'keep' };
const HUNG_UP = new Error('given up by us');

/** Header fields from undici's alternating list of names and values. */
export function readHead(status: number, statusText: string, raw: readonly (Buffer | string)[]): ResponseHead {
  const rawHeaders: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) rawHeaders.push([latin1(raw[i]), latin1(raw[i + 1])]);
  return { status, statusText, rawHeaders, headers: fieldsByName(rawHeaders) };
}

function latin1(field: Buffer | string | undefined): string {
  return typeof field === 'string' ? field : (field?.toString('latin1') ?? '');
}

/** One request and its response, with deadlines and caps. Settles exactly once and never holds more than the wire cap. */
export class Exchange implements Dispatcher.DispatchHandler, TimedRequest {
  readonly #rules: ExchangeRules;
  readonly #timer: RequestTimer;
  readonly #connection: () => Connection | null;
  readonly #settle: (result: Exchanged) => void;
  readonly #startedAt: Ms;
  readonly #parts: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #head: ResponseHead | null = null;
  #decision: BodyDecision = KEEP;
  /** Cap by the start of the body; null until it reaches the one by its header. */
  #longest: Bytes | null = null;
  #size: Bytes = 0;
  #windowStart: Ms = 0;
  #windowSize: Bytes = 0;
  #on: Connection | null = null;
  #reused = false;
  #interim = 0;
  #over = false;

  /** @param connection the connection of this exchange, requested after it has been assigned */
  constructor(rules: ExchangeRules, timer: RequestTimer, connection: () => Connection | null, settle: (result: Exchanged) => void) {
    this.#rules = rules;
    this.#timer = timer;
    this.#connection = connection;
    this.#settle = settle;
    timer.add(this);
    this.#startedAt = timer.now;
  }

  /** Aborts from outside. */
  abort(): void {
    this.#end({ kind: 'aborted' }, true);
  }

  check(now: Ms): void {
    const reason = this.#lateness(now);
    if (reason === null) return;
    if (this.#decision.kind === 'discard') this.#complete(true, true);
    else this.#end({ kind: 'late', detail: reason, status: this.#head?.status ?? null }, true);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const connection = this.#connection();
    if (this.#over) controller.abort(HUNG_UP);
    if (this.#over || connection === null) return;
    this.#on = connection;
    this.#reused = connection.requests > 0;
    connection.requests += 1;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _headers: unknown, statusText = ''): void {
    if (this.#over) return;
    if (status < 200) {
      this.#countInterim();
      return;
    }
    const raw = controller.rawHeaders;
    this.#head = readHead(status, statusText, Array.isArray(raw) ? raw : []);
    this.#windowStart = this.#timer.now;
    this.#decision = this.#rules.decideBody(this.#head);
    if (this.#decision.kind === 'refuse') this.#refuse(this.#decision.reason);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over || this.#head === null) return;
    const first = this.#size === 0;
    this.#size += chunk.byteLength;
    if (this.#decision.kind === 'discard') {
      if (this.#size > DRAIN_LIMIT) this.#complete(true, true);
      return;
    }
    this.#parts.push(chunk);
    const refusal = first ? this.#rules.sniff(this.#head, chunk) : null;
    if (refusal !== null) this.#refuse(refusal);
    else if (this.#size > this.#maxWireBytes && this.#size > this.#mostBytes(this.#head)) this.#complete(true, true);
  }

  onResponseEnd(): void {
    this.#complete(false, false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#decision.kind === 'discard' || (this.#size > 0 && isEarlyEnd(error))) this.#complete(true, false);
    const stale = this.#head === null && this.#reused && isClosed(error);
    this.#end({ kind: 'broken', error, status: this.#head?.status ?? null, stale }, false);
  }

  /** The deadline that this exchange has missed; null if none. Starts the next rate window when one is over. */
  #lateness(now: Ms): string | null {
    const { headersTimeoutMs, totalDeadlineMs, minBytesPerSecond, rateWindowMs } = this.#rules.limits;
    const elapsed = now - this.#startedAt;
    if (this.#head === null && elapsed >= headersTimeoutMs) return `no response header within ${headersTimeoutMs} ms`;
    if (elapsed >= totalDeadlineMs) return `response not complete within ${totalDeadlineMs} ms`;
    if (this.#head === null || now - this.#windowStart < rateWindowMs) return null;
    const received = this.#size - this.#windowSize;
    if (received * 1000 < minBytesPerSecond * rateWindowMs) return `only ${received} bytes in ${rateWindowMs} ms`;
    this.#windowStart = now;
    this.#windowSize = this.#size;
    return null;
  }

  /** Early hints and the like (RFC 9110 §15.2): the real header is still to come. */
  #countInterim(): void {
    this.#interim += 1;
    if (this.#interim > MAX_INTERIM) this.#end({ kind: 'broken', error: new InterimFloodError(), status: null, stale: false }, true);
  }

  /** Cap of a body that reached the one by its header. */
  #mostBytes(head: ResponseHead): Bytes {
    this.#longest ??= this.#rules.mostBytes?.(head, startOf(this.#parts)) ?? this.#maxWireBytes;
    return this.#maxWireBytes;
  }

  get #maxWireBytes(): Bytes {
    if (this.#longest !== null) return this.#longest;
    return ('maxWireBytes' in this.#decision ? this.#decision.maxWireBytes : undefined) ?? this.#rules.maxWireBytes;
  }

  #refuse(reason: RefusalReason): void {
    const { mime } = parseContentType(this.#head?.headers['content-type']);
    this.#end({ kind: 'refused', reason, status: this.#head?.status ?? 0, mime }, true);
  }

  #complete(cut: boolean, hangUp: boolean): void {
    if (this.#head === null) return;
    const size = Math.min(this.#size, this.#maxWireBytes);
    this.#end({ kind: 'response', head: this.#head, parts: this.#parts, size, cut, connection: this.#on }, hangUp);
  }

  #end(result: Exchanged, hangUp: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer.delete(this);
    // Before the request is written there is nothing to close; onRequestStart will close it.
    if (hangUp) this.#controller?.abort(HUNG_UP);
    this.#settle(result);
  }
}

/** The first bytes of a body, from its first parts. */
function startOf(parts: readonly Uint8Array[]): Uint8Array {
  const first: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    if (size >= START) break;
    first.push(part);
    size += part.byteLength;
  }
  return joinBytes(first, Math.min(size, START));
}
