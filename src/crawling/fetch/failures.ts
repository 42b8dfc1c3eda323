import { DataError, EnvironmentError, messageOf } from '../../base/core/errors.ts';
import type { FailureCode, RefusalReason } from '../../base/core/types.ts';
import { PrivateAddressError } from './ssrf.ts';

/** The proxy could not be reached, or refused to tunnel; `status` is its response to CONNECT. */
export class ProxyError extends Error {
  readonly status: number | null;
  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProxyError';
    this.status = status;
  }
}

/** Interim responses (1xx) without end. */
export class InterimFloodError extends Error {
  readonly code = 'INTERIM_FLOOD';
  constructor() {
    super('one interim response (1xx) after the other');
    this.name = 'InterimFloodError';
  }
}

/** The crawl reads an archive, which has no answer for the URL. */
export class NotInArchiveError extends Error {
  constructor(url: string) {
    super(`${url} is not in the archive`);
    this.name = 'NotInArchiveError';
  }
}

/** Bytes that are no HTTP response, however leniently they are read. */
export class MalformedResponseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedResponseError';
  }
}

/** The connection ended before a response was complete; the code is undici's. */
export class EarlyEndError extends Error {
  readonly code = 'UND_ERR_SOCKET';
  constructor() {
    super('the connection ended before the response did');
    this.name = 'EarlyEndError';
  }
}

/** Codes of Node (libuv, c-ares) and undici 7, by their meaning for a crawl. TLS codes are many; see `isTls`. */
const BY_CODE: Readonly<Record<string, FailureCode>> = {
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  EREFUSED: 'dns',
  ETIMEOUT: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EHOSTDOWN: 'connect',
  ENETDOWN: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  EPERM: 'connect',
  EINVAL: 'connect',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_CLOSED: 'reset',
  // undici's code for errors that only the message names; for a running response it means that an HTTP/2 stream ended too early.
  UND_ERR_INFO: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  INTERIM_FLOOD: 'protocol',
};

/** Messages of undici's SocketError for data that are not an HTTP response: a lone 100, or an unrequested upgrade. */
const NOT_HTTP = new Set(['bad response', 'bad upgrade']);
/** A proxy's responses to CONNECT that blame the far host (RFC 9110 §15.6.3 to §15.6.5). */
const FAR_HOST_DOWN = new Set([502, 503, 504]);
const MAX_DETAIL = 200;

/** The `code` of a Node or undici error; '' if there is none. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** undici's parser errors mostly have no code. */
function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}

/** The faults of certificates that people can name, by OpenSSL's and Node's codes (X509_verify_cert_error_string). */
const CERTIFICATES: Readonly<Record<string, FailureCode>> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate-self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-name',
  HOSTNAME_MISMATCH: 'certificate-name',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate-issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-issuer',
  CERT_UNTRUSTED: 'certificate-issuer',
  INVALID_CA: 'certificate-issuer',
};

function isTls(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/.test(code);
}

/** An HTTP/2 error (RFC 9113 §7) has its reason in the message: one side broke the rules, or a stream was cancelled. */
function http2CodeOf(error: unknown): FailureCode {
  const broken = /NGHTTP2_(PROTOCOL|FLOW_CONTROL|FRAME_SIZE|COMPRESSION|SETTINGS|ENHANCE_YOUR_CALM|INADEQUATE_SECURITY|HTTP_1_1_REQUIRED)/;
  return broken.test(messageOf(error)) ? 'protocol' : 'reset';
}

function failureCodeOf(error: unknown): FailureCode {
  if (error instanceof ProxyError) return error.status !== null && FAR_HOST_DOWN.has(error.status) ? 'connect' : 'proxy';
  if (NOT_HTTP.has(messageOf(error)) || isParserError(error) || error instanceof MalformedResponseError) return 'protocol';
  // A record of an archive that cannot be read.
  if (error instanceof DataError) return 'decode';
  const code = codeOf(error);
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (code.startsWith('EAI_')) return 'dns';
  if (code.startsWith('ERR_HTTP2_')) return http2CodeOf(error);
  return CERTIFICATES[code] ?? (isTls(code) ? 'tls' : 'internal');
}

/** An error as data: a refusal by Forager, or a failure with its code and one line of detail. */
export type Breakage =
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string };

/**
 * The meaning of an error of a request.
 * @throws EnvironmentError if this process has no file descriptors left: that is not the web's fault
 */
export function breakageOf(error: unknown): Breakage {
  if (error instanceof PrivateAddressError) return { kind: 'refused', reason: 'private-address' };
  if (error instanceof NotInArchiveError) return { kind: 'refused', reason: 'not-in-archive' };
  if (error instanceof EnvironmentError) throw error;
  const code = codeOf(error);
  if (code === 'EMFILE' || code === 'ENFILE') {
    throw new EnvironmentError(`no file descriptors left (${code}); raise 'ulimit -n' or lower the concurrency`, { cause: error });
  }
  return { kind: 'failed', code: failureCodeOf(error), detail: oneLine(messageOf(error)) };
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach a log line
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_DETAIL);
}

function endsEarly(parserError: unknown): boolean {
  return messageOf(parserError).includes('Invalid EOF state');
}

/**
 * True if undici refused a response that a lenient parser may read: a faulty line, an unrequested 100, or two lengths, which it joins. Not for one
 * that was cut.
 */
export function isStrictness(error: unknown): boolean {
  if (codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || messageOf(error) === 'bad response') return true;
  return isParserError(error) && !endsEarly(error);
}

/** True if the connection ended before a response was complete, in a way that keeps the part received: a clean close. */
export function isEarlyEnd(error: unknown): boolean {
  const code = codeOf(error);
  if (isParserError(error)) return endsEarly(error);
  if (error instanceof MalformedResponseError) return true;
  return code === 'UND_ERR_SOCKET';
}

/** True if the other side closed the connection, cleanly or not. */
export function isClosed(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}
