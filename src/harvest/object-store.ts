/** A bucket of an object store that has the API of Amazon S3: the requests that a harvest needs. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { EnvironmentError, messageOf, UsageError } from '../core/errors.ts';
import type { Bytes, Ms, Unit } from '../core/types.ts';
import { encodedKey, queryText, type S3Credentials, signedHeaders, type UnsignedRequest } from './aws-signature.ts';

export interface BucketOptions {
  readonly bucket: string;
  /** Base URL of the server, whose paths then begin with the bucket. null for Amazon, where the bucket is part of the host. */
  readonly endpoint: URL | null;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly signal?: AbortSignal | undefined;
  /** Longest first pause before a second try; it doubles with each. Default 250 ms. */
  readonly firstPause?: Ms | undefined;
  /** Share of the longest pause to wait. Default: random. */
  readonly jitter?: (() => Unit) | undefined;
}

export interface ListedObject {
  readonly key: string;
  readonly bytes: Bytes;
}

/** Digests of an object by the store. Each is null if the store does not tell it. */
export interface ObjectDigests {
  /** Without quotes. MD5 in hex where the store does not encrypt by a key of its customer; of several parts, the MD5 of their MD5s, and their number. */
  readonly etag: string | null;
  /** Base64; of several parts, the digest of their digests, and their number. */
  readonly sha256: string | null;
}

export interface UploadedPart extends ObjectDigests {
  /** From 1. */
  readonly number: number;
}

interface Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  readonly query?: UnsignedRequest['query'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Is it sent after the signal too? Then once, and with little time. */
  readonly last?: true;
}

interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Buffer;
}

/** With pauses of 0.25, 0.5, 1 s and so on at most, the last try is some 16 s after the first. */
const ATTEMPTS = 7;
const FIRST_PAUSE: Ms = 250;
const LONGEST_PAUSE: Ms = 20_000;
/** A request has this time, and the time of its body at `LEAST_RATE`. */
const BASE_TIME: Ms = 30_000;
const LAST_TIME: Ms = 5000;
/** Bytes a second. */
const LEAST_RATE = 32 * 1024;
const CONNECT_TIME: Ms = 10_000;
/** A list of 1,000 keys of 1,024 bytes, each encoded. */
const MAX_ANSWER: Bytes = 8 * 1024 * 1024;
const CONNECTIONS = 4;
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Codes of errors that come with other statuses (Amazon S3 API Reference, "Error Responses"). */
const TRANSIENT_CODES = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'ServiceUnavailable', 'ConditionalRequestConflict']);

/** Requests are signed, and tried again with exponential backoff and full jitter if the network or the store fails for a moment. */
export class Bucket {
  readonly #options: BucketOptions;
  readonly #pool: Pool;
  readonly #host: string;
  readonly #base: string;
  /** Does the store know `If-None-Match` for writing? Some answer with an error. */
  #conditional = true;

  constructor(options: BucketOptions) {
    this.#options = options;
    const { origin, host, base } = placeOf(options);
    this.#host = host;
    this.#base = base;
    // The deadline of each request is its signal.
    this.#pool = new Pool(origin, { connections: CONNECTIONS, connect: { timeout: CONNECT_TIME }, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** null if there is none. */
  async digests(key: string): Promise<ObjectDigests | null> {
    const answer = await this.#ask({ method: 'HEAD', key, headers: { 'x-amz-checksum-mode': 'ENABLED' } }, [404]);
    return answer.status === 404 ? null : digestsIn(answer);
  }

  /** null if there is none. @throws EnvironmentError also for an object that is larger than an answer may be */
  async get(key: string): Promise<Buffer | null> {
    const answer = await this.#ask({ method: 'GET', key }, [404]);
    if (answer.status === 404 && errorCode(answer) === 'NoSuchBucket') throw this.#errorOf({ method: 'GET', key }, answer);
    return answer.status === 404 ? null : answer.body;
  }

  /** @param over may it replace an object? Otherwise the store refuses if it can, and `exists` is returned */
  async put(key: string, body: Uint8Array, over: 'new' | 'replace'): Promise<'written' | 'exists'> {
    const headers = { 'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64') };
    return this.#write({ method: 'PUT', key, body, headers }, over);
  }

  async delete(key: string): Promise<void> {
    await this.#ask({ method: 'DELETE', key }, [404]);
  }

  /** All objects whose keys begin so. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    for (let token: string | null = null, more = true; more; ) {
      const next = token === null ? [] : [['continuation-token', token] as const];
      const xml = await this.#xml({ method: 'GET', key: '', query: [['list-type', '2'], ['prefix', prefix], ...next] });
      for (const one of elements(xml, 'Contents')) yield { key: text(one, 'Key') ?? '', bytes: Number(text(one, 'Size')) };
      token = text(xml, 'NextContinuationToken');
      more = text(xml, 'IsTruncated') === 'true' && token !== null;
    }
  }

  /** The uploads that are not complete, of keys that begin so. */
  async *uploads(prefix: string): AsyncGenerator<{ readonly key: string; readonly id: string }> {
    for (let from: [string, string] | null = null, more = true; more; ) {
      const next = from === null ? [] : [['key-marker', from[0]] as const, ['upload-id-marker', from[1]] as const];
      const xml = await this.#xml({ method: 'GET', key: '', query: [['uploads', ''], ['prefix', prefix], ...next] });
      for (const one of elements(xml, 'Upload')) yield { key: text(one, 'Key') ?? '', id: text(one, 'UploadId') ?? '' };
      from = [text(xml, 'NextKeyMarker') ?? '', text(xml, 'NextUploadIdMarker') ?? ''];
      more = text(xml, 'IsTruncated') === 'true' && from[0] !== '';
    }
  }

  /** @returns the id of the upload */
  async beginUpload(key: string): Promise<string> {
    const xml = await this.#xml({ method: 'POST', key, query: [['uploads', '']], headers: { 'x-amz-checksum-algorithm': 'SHA256' } });
    return text(xml, 'UploadId') ?? '';
  }

  /** [] if the upload is unknown. */
  async parts(key: string, id: string): Promise<UploadedPart[]> {
    const parts: UploadedPart[] = [];
    for (let marker = '', more = true; more; ) {
      const next = marker === '' ? [] : [['part-number-marker', marker] as const];
      const answer = await this.#ask({ method: 'GET', key, query: [['uploadId', id], ...next] }, [404]);
      if (answer.status === 404) return [];
      const xml = answer.body.toString('utf8');
      for (const one of elements(xml, 'Part'))
        parts.push({ number: Number(text(one, 'PartNumber')), etag: unquoted(text(one, 'ETag')), sha256: text(one, 'ChecksumSHA256') });
      marker = text(xml, 'NextPartNumberMarker') ?? '';
      more = text(xml, 'IsTruncated') === 'true' && marker !== '';
    }
    return parts;
  }

  async putPart(key: string, id: string, number: number, body: Uint8Array): Promise<UploadedPart> {
    const sha256 = createHash('sha256').update(body).digest('base64');
    const query = [['partNumber', String(number)] as const, ['uploadId', id] as const];
    const answer = await this.#ask({ method: 'PUT', key, query, body, headers: { 'x-amz-checksum-sha256': sha256 } }, []);
    return { number, etag: digestsIn(answer).etag, sha256 };
  }

  /** @param parts in ascending order */
  async completeUpload(key: string, id: string, parts: readonly UploadedPart[]): Promise<'written' | 'exists'> {
    const rows = parts.map(({ number, etag, sha256 }) => {
      const checksum = sha256 === null ? '' : `<ChecksumSHA256>${sha256}</ChecksumSHA256>`;
      return `<Part><PartNumber>${number}</PartNumber><ETag>"${etag ?? ''}"</ETag>${checksum}</Part>`;
    });
    const xml = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${rows.join('')}</CompleteMultipartUpload>`;
    const headers = { 'content-type': 'application/xml' };
    return this.#write({ method: 'POST', key, query: [['uploadId', id]], body: Buffer.from(xml), headers }, 'new');
  }

  async abortUpload(key: string, id: string): Promise<void> {
    const last = this.#options.signal?.aborted ? { last: true as const } : {};
    await this.#ask({ method: 'DELETE', key, query: [['uploadId', id]], ...last }, [404]);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  /** A request that makes an object: with `If-None-Match: *` where the store has it (RFC 9110 §13.1.2). */
  async #write(request: Request, over: 'new' | 'replace'): Promise<'written' | 'exists'> {
    const isNew = over === 'new' && this.#conditional;
    const headers = { ...request.headers, ...(isNew && { 'if-none-match': '*' }) };
    const answer = await this.#ask({ ...request, headers }, isNew ? [412, 501] : []);
    if (answer.status === 412) return 'exists';
    if (answer.status !== 501) return 'written';
    this.#conditional = false;
    return this.#write(request, over);
  }

  async #xml(request: Request): Promise<string> {
    return (await this.#ask(request, [])).body.toString('utf8');
  }

  /** @param accepted statuses besides 2xx. @throws EnvironmentError, UsageError for any other */
  async #ask(request: Request, accepted: readonly number[]): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(request);
      if (!(answer instanceof Error)) {
        const isError = answer.status >= 300 || (request.method === 'POST' && errorCode(answer) !== null);
        if (!isError || accepted.includes(answer.status)) return answer;
      }
      if (attempt === ATTEMPTS || request.last || !isTransient(answer)) throw this.#errorOf(request, answer);
      const { firstPause = FIRST_PAUSE, jitter = Math.random, signal } = this.#options;
      const longest = Math.min(LONGEST_PAUSE, firstPause * 2 ** (attempt - 1));
      await sleep(longest * jitter(), undefined, signal && { signal }).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }

  /** @returns an error of the network as a value. @throws the reason of the signal */
  async #once({ method, key, query = [], headers = {}, body, last }: Request): Promise<Answer | Error> {
    const { credentials, region } = this.#options;
    const signal = last ? undefined : this.#options.signal;
    signal?.throwIfAborted();
    const path = `${this.#base}/${encodedKey(key)}`;
    const payloadSha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const unsigned = { method, host: this.#host, path, query, headers, payloadSha256 };
    const deadline = AbortSignal.timeout(last ? LAST_TIME : BASE_TIME + Math.ceil(((body?.length ?? 0) * 1000) / LEAST_RATE));
    try {
      const response = await this.#pool.request({
        method,
        path: query.length === 0 ? path : `${path}?${queryText(query)}`,
        headers: signedHeaders(unsigned, credentials, region, Date.now()),
        body: body ?? null,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      return { status: response.statusCode, headers: response.headers, body: await bodyOf(response.body) };
    } catch (error) {
      signal?.throwIfAborted();
      return error instanceof Error ? error : new Error(messageOf(error));
    }
  }

  /** Names no part of an answer but its code: answers to a wrong signature repeat the signed text. */
  #errorOf({ method, key }: Pick<Request, 'method' | 'key'>, answer: Answer | Error): Error {
    const { bucket, endpoint } = this.#options;
    const what = `s3://${bucket}/${key}`;
    if (answer instanceof Error)
      return new EnvironmentError(
        `${what}: ${endpoint?.origin ?? 'Amazon S3'} does not answer (${messageOf(answer)}); check the network and --s3-endpoint, then run the same command again`,
      );
    const code = errorCode(answer) ?? `status ${answer.status}`;
    const region = String(answer.headers['x-amz-bucket-region'] ?? '');
    if ((answer.status === 301 || answer.status === 307 || answer.status === 400) && /^[a-z0-9-]+$/.test(region))
      return new UsageError(`${what}: the bucket is in the region ${region}; give --s3-region ${region}`);
    if (answer.status === 401 || answer.status === 403)
      return new EnvironmentError(
        `${what}: the store refuses ${method} (${code}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the rights of that key`,
      );
    if (answer.status === 404) return new EnvironmentError(`${what}: not found (${code}); make the bucket first, or check its name`);
    return new EnvironmentError(`${what}: ${method} failed (${code}); run the same command again, it continues where this one ended`);
  }
}

function placeOf({ bucket, endpoint, region }: BucketOptions): { origin: string; host: string; base: string } {
  if (endpoint !== null)
    return { origin: endpoint.origin, host: endpoint.host, base: `${endpoint.pathname.replace(/\/+$/, '')}/${encodedKey(bucket)}` };
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  // A certificate for *.s3 does not hold for a name with further dots.
  const [host, base] = bucket.includes('.') ? [`s3.${region}.${suffix}`, `/${bucket}`] : [`${bucket}.s3.${region}.${suffix}`, ''];
  return { origin: `https://${host}`, host, base };
}

async function bodyOf(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes: Bytes = 0;
  for await (const chunk of body) {
    const part: Buffer = chunk;
    bytes += part.length;
    if (bytes > MAX_ANSWER) throw new Error(`its answer is longer than ${MAX_ANSWER} bytes`);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

function isTransient(answer: Answer | Error): boolean {
  return answer instanceof Error || TRANSIENT.has(answer.status) || TRANSIENT_CODES.has(errorCode(answer) ?? '');
}

/** null without one. */
function errorCode({ body }: Answer): string | null {
  const start = body.toString('utf8', 0, 2000);
  return /<Error>/.test(start) ? (/<Code>([A-Za-z]{1,60})<\/Code>/.exec(start)?.[1] ?? null) : null;
}

function digestsIn({ headers }: Answer): ObjectDigests {
  return { etag: unquoted(one(headers['etag'])), sha256: one(headers['x-amz-checksum-sha256']) };
}

function one(value: string | string[] | undefined): string | null {
  return [value].flat()[0] ?? null;
}

function unquoted(etag: string | null): string | null {
  return etag?.replaceAll('"', '') ?? null;
}

/** The contents of all elements of a name that does not nest. */
function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element of a name; null if there is none. */
function text(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  if (found === undefined) return null;
  return found.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
