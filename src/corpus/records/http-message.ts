import { messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { codingsIn, strangeCodingOf, undoAtOnce } from '../../base/web/content-coding.ts';
import { fieldsByName } from '../../base/web/header-fields.ts';
import { headEnd, parseHead } from '../../base/web/http-head.ts';

/** A stored HTTP response. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated fields as `fieldsByName`. Values are Latin-1 (RFC 9110 §5.5). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type DecodedBody = { readonly kind: 'decoded'; readonly body: Uint8Array } | { readonly kind: 'undecodable'; readonly why: string };

const MAX_CODINGS = 5;

/** Status line, header fields and body (RFC 9112 §2.1), after interim responses; null if it is not an HTTP response. */
export function parseResponse(block: Uint8Array): HttpResponse | null {
  let rest: Buffer = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  let found: HttpResponse | null = null;
  // A block may have any number of interim ones, and need not have another.
  do {
    const read = responseIn(rest);
    if (read === null) return found;
    found = read;
    rest = read.body;
  } while (found.status < 200);
  return found;
}

function responseIn(bytes: Buffer): (HttpResponse & { readonly body: Buffer }) | null {
  const { end, bodyAt } = headEnd(bytes) ?? { end: bytes.length, bodyAt: bytes.length };
  const head = parseHead(bytes.toString('latin1', 0, end));
  return head && { status: head.status, headers: fieldsByName(head.fields), body: bytes.subarray(bodyAt) };
}

/** The payload: de-chunked and content-decoded, never longer than `maxBytes`. */
export function decodeBody(response: HttpResponse, maxBytes: Bytes): DecodedBody {
  const chunked = /\bchunked\b/i.test(response.headers['transfer-encoding'] ?? '');
  let body = chunked ? dechunked(response.body) : response.body;
  const codings = codingsIn(response.headers, body, MAX_CODINGS);
  if (codings === null) return { kind: 'undecodable', why: `more than ${MAX_CODINGS} content codings` };
  for (const coding of codings.toReversed()) {
    try {
      body = undoAtOnce(body, coding, maxBytes).body;
    } catch (error) {
      return { kind: 'undecodable', why: `${coding}: ${messageOf(error)}` };
    }
  }
  const strange = strangeCodingOf(response.headers['content-encoding'], body);
  return strange === null ? { kind: 'decoded', body } : { kind: 'undecodable', why: `content coding ${strange} is not known` };
}

/**
 * The data of a chunked body (RFC 9112 §7.1), up to the first invalid frame. Some archives keep the header but store the body already de-chunked: a
 * body that does not start like a chunk is returned unchanged.
 */
export function dechunked(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const out = Buffer.allocUnsafe(body.length);
  let written = 0;
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(10, at);
    const length = newline < 0 ? null : chunkSize(bytes, at, newline);
    if (length === null && at === 0) return body;
    if (length === null || length === 0) break;
    written += bytes.copy(out, written, newline + 1, newline + 1 + length);
    at = newline + 1 + length;
    if (bytes[at] === 13) at++;
    if (bytes[at] === 10) at++;
  }
  return out.subarray(0, written);
}

/** A chunk-size line with extensions is short: servers commonly set a limit of 1 KB. */
const MAX_CHUNK_LINE: Bytes = 1024;

function chunkSize(bytes: Buffer, at: number, newline: number): Bytes | null {
  if (newline - at > MAX_CHUNK_LINE) return null;
  const digits = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(bytes.toString('latin1', at, newline))?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}
