import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { messageOf } from '../core/errors.ts';
import type { Bytes } from '../core/types.ts';
import { joinedField } from '../web/header-fields.ts';

/** A stored HTTP response. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated fields are joined by `joinedField`. Values are Latin-1 (RFC 9110 §5.5). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type Decoded = { readonly kind: 'decoded'; readonly body: Uint8Array } | { readonly kind: 'undecodable'; readonly why: string };

const MAX_CODINGS = 5;

/** Status line, header fields and body (RFC 9112 §2.1); null if it is not an HTTP response. */
export function parseResponse(block: Uint8Array): HttpResponse | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const { end, bodyAt } = headEnd(bytes);
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split(/\r?\n/);
  const status = /^HTTP\/\d(?:\.\d)? +(\d{3})(?: |$)/i.exec(statusLine)?.[1];
  return status === undefined ? null : { status: Number(status), headers: headersOf(lines), body: bytes.subarray(bodyAt) };
}

/** The head ends at the first empty line, or with the block. */
function headEnd(bytes: Buffer): { readonly end: number; readonly bodyAt: number } {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return { end: at, bodyAt: at + 2 };
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return { end: at, bodyAt: at + 3 };
  }
  return { end: bytes.length, bodyAt: bytes.length };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : joinedField(name, before, value));
  }
  return Object.fromEntries(headers);
}

/** The payload: de-chunked and content-decoded, never longer than `maxBytes`. */
export function decodeBody(response: HttpResponse, maxBytes: Bytes): Decoded {
  const chunked = /\bchunked\b/i.test(response.headers['transfer-encoding'] ?? '');
  let body = chunked ? dechunked(response.body) : response.body;
  const codings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) return { kind: 'undecodable', why: `${codings.length} content codings` };
  for (const coding of codings.reverse()) {
    const decode = DECODERS.get(coding);
    if (decode === undefined) return { kind: 'undecodable', why: `content coding ${coding} is not known` };
    try {
      body = decode(body, maxBytes);
    } catch (error) {
      return { kind: 'undecodable', why: `${coding}: ${messageOf(error)}` };
    }
  }
  return { kind: 'decoded', body };
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

type Decode = (body: Uint8Array, maxOutputLength: Bytes) => Uint8Array;

/** A stream that ends too early returns its content so far: captures are often cut. */
const CUT = { finishFlush: constants.Z_SYNC_FLUSH };

/** Some servers and some archives name a coding that the body does not have: without the magic number it counts as plain. */
const gunzip: Decode = (body, maxOutputLength) =>
  body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { ...CUT, maxOutputLength }) : body;

/** `deflate` is zlib (RFC 9110 §8.4.1.2), but some servers send raw DEFLATE under that name. */
const inflate: Decode = (body, maxOutputLength) => {
  const [first = 0, second = 0] = body;
  const zlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  return (zlib ? inflateSync : inflateRawSync)(body, { ...CUT, maxOutputLength });
};

const unbrotli: Decode = (body, maxOutputLength) =>
  brotliDecompressSync(body, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength });

const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', unbrotli],
]);
