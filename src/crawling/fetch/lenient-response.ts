/** One HTTP/1 response, read from its bytes as leniently as browsers read it. */
import type { Bytes } from '../../base/core/types.ts';
import { fieldsByName } from '../../base/web/header-fields.ts';
import { type HttpHead, headEnd, parseHead } from '../../base/web/http-head.ts';
import { EarlyEndError, MalformedResponseError } from './failures.ts';

/** Receives the parts of a response. */
export interface ResponseSink {
  /** A head: interim ones (1xx), then the final one. */
  head(head: HttpHead): void;
  data(chunk: Buffer): void;
}

/** Reads a body. */
interface Body {
  /** @returns whether the body is complete. @throws MalformedResponseError */
  push(chunk: Buffer): boolean;
  /** May the connection end here? */
  readonly mayEnd: boolean;
}

/** Limit of other responses as well: see `CLIENT_OPTIONS`. */
const MAX_HEAD: Bytes = 64 * 1024;
/** A chunk-size line with extensions is short: servers commonly set a limit of 1 KB. */
const MAX_LINE: Bytes = 1024;
const LF = 10;

/** Statuses after which no body follows (RFC 9112 §6.3). */
function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** The parser of one response. Bytes after its end are ignored: the connection serves no other response. */
export class LenientResponse {
  readonly #sink: ResponseSink;
  #held: Buffer = Buffer.alloc(0);
  #body: Body | null = null;
  #done = false;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Is the response complete? */
  get done(): boolean {
    return this.#done;
  }

  /** @throws MalformedResponseError for bytes that are no HTTP response */
  push(chunk: Buffer): void {
    if (this.#done) return;
    if (this.#body !== null) this.#done = this.#body.push(chunk);
    else this.#readHeads(Buffer.concat([this.#held, chunk]));
  }

  /** The connection has ended. @throws EarlyEndError if the response is not complete */
  end(): void {
    if (!this.#done && !this.#body?.mayEnd) throw new EarlyEndError();
    this.#done = true;
  }

  /** Reads heads: any number of interim ones, and the last. */
  #readHeads(bytes: Buffer): void {
    for (let rest: Buffer | null = bytes; rest !== null; ) {
      const start: Buffer = rest.subarray(blanksBefore(rest));
      const found = headEnd(start);
      if ((found?.end ?? start.byteLength) > MAX_HEAD) throw new MalformedResponseError(`a header of over ${MAX_HEAD} bytes`);
      rest = found === null ? this.#hold(start) : this.#take(start.toString('latin1', 0, found.end), start.subarray(found.bodyAt));
    }
  }

  /** Bytes that cannot become a status line are refused at once. */
  #hold(start: Buffer): null {
    if (!'http'.startsWith(start.toString('latin1', 0, 4).toLowerCase())) throw new MalformedResponseError('the response is not HTTP');
    this.#held = Buffer.from(start);
    return null;
  }

  /** @returns the bytes after an interim head; null after the final one */
  #take(text: string, rest: Buffer): Buffer | null {
    const head = parseHead(text);
    if (head === null) throw new MalformedResponseError('the response does not begin with an HTTP status line');
    if (head.status === 101) throw new MalformedResponseError('the server switched to another protocol');
    const body = head.status < 200 ? null : bodyOf(head, this.#sink);
    this.#sink.head(head);
    this.#held = Buffer.alloc(0);
    if (body === null) return rest;
    this.#body = body;
    this.#done = body.push(rest);
    return null;
  }
}

/** Number of bytes of empty lines before a status line, which servers send after a body that they did not count. */
function blanksBefore(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.byteLength && (bytes[at] ?? 0) <= 32) at += 1;
  return at;
}

/** Framing of the body (RFC 9112 §6.3): chunks override a length. @throws MalformedResponseError for lengths that differ */
function bodyOf({ status, fields }: HttpHead, sink: ResponseSink): Body {
  if (isBodiless(status)) return new LengthBody(0, sink);
  const headers = fieldsByName(fields);
  if (/\bchunked\b/i.test(headers['transfer-encoding'] ?? '')) return new ChunkedBody(sink);
  const lengths = new Set((headers['content-length'] ?? '').split(',').map((length) => length.trim()));
  if (lengths.size > 1) throw new MalformedResponseError('lengths that differ (Content-Length)');
  const [length = ''] = lengths;
  // An invalid length says nothing: such a body ends with the connection, as without a length.
  return /^\+?\d{1,15}$/.test(length) ? new LengthBody(Number(length), sink) : new UnboundedBody(sink);
}

class LengthBody implements Body {
  readonly mayEnd = false;
  readonly #sink: ResponseSink;
  #left: Bytes;

  constructor(length: Bytes, sink: ResponseSink) {
    this.#left = length;
    this.#sink = sink;
  }

  push(chunk: Buffer): boolean {
    const part = chunk.subarray(0, this.#left);
    this.#left -= part.byteLength;
    if (part.byteLength > 0) this.#sink.data(part);
    return this.#left === 0;
  }
}

/** Ends with the connection. */
class UnboundedBody implements Body {
  readonly mayEnd = true;
  readonly #sink: ResponseSink;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): boolean {
    if (chunk.byteLength > 0) this.#sink.data(chunk);
    return false;
  }
}

/** A size with spaces around it, and perhaps extensions. */
const CHUNK_SIZE = /^\s*([0-9a-f]{1,12})\s*(?:;.*)?$/i;

/** Chunks (RFC 9112 §7.1). Trailers are ignored. */
class ChunkedBody implements Body {
  readonly #sink: ResponseSink;
  #expected: 'size' | 'data' | 'end-of-data' | 'trailer' = 'size';
  #left: Bytes = 0;
  #line = '';

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** True after the last chunk: nothing is missing then. */
  get mayEnd(): boolean {
    return this.#expected === 'trailer';
  }

  push(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.byteLength; ) {
      if (this.#expected === 'data') at += this.#data(chunk.subarray(at));
      else {
        const newline = chunk.indexOf(LF, at);
        const end = newline < 0 ? chunk.byteLength : newline + 1;
        this.#line += chunk.toString('latin1', at, end);
        if (this.#line.length > MAX_LINE) throw new MalformedResponseError('a chunk without a size');
        if (newline >= 0 && this.#takeLine()) return true;
        at = end;
      }
    }
    return false;
  }

  #data(bytes: Buffer): number {
    const part = bytes.subarray(0, this.#left);
    this.#sink.data(part);
    this.#left -= part.byteLength;
    if (this.#left === 0) this.#expected = 'end-of-data';
    return part.byteLength;
  }

  /** @returns whether it was the last line */
  #takeLine(): boolean {
    const line = this.#line.trim();
    this.#line = '';
    if (this.#expected === 'trailer') return line === '';
    // Some servers omit the line break after the data.
    if (line === '') this.#expected = 'size';
    else this.#takeSize(line);
    return false;
  }

  #takeSize(line: string): void {
    const size = CHUNK_SIZE.exec(line)?.[1];
    if (size === undefined) throw new MalformedResponseError(`a chunk of the size '${line.slice(0, 20)}'`);
    this.#left = Number.parseInt(size, 16);
    this.#expected = this.#left === 0 ? 'trailer' : 'data';
  }
}
