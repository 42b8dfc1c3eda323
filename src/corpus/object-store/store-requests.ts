/** Requests to an object store: signed, and tried again with exponential backoff and full jitter if the network or the store fails for a moment. */
import { createHash } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import { askAgain } from '../../base/core/ask-again.ts';
import { systemClock } from '../../base/core/clock.ts';
import { EnvironmentError, messageOf, UsageError } from '../../base/core/errors.ts';
import { signalWithin } from '../../base/core/time-signal.ts';
import type { Bytes, Ms, Unit } from '../../base/core/types.ts';
import { encodedKey, queryText, type S3Credentials, signedHeaders, type UnsignedRequest } from './aws-signature.ts';
import { StoreAwayError } from './store-away.ts';

export interface BucketOptions {
  readonly bucket: string;
  /** Base URL of the server, whose paths then begin with the bucket. null for Amazon, where the bucket is part of the host. */
  readonly endpoint: URL | null;
  readonly region: string;
  readonly credentials: S3Credentials;
  readonly signal?: AbortSignal | undefined;
  /** Tries of one request. Default 7: with pauses of 0.25, 0.5, 1 s and so on at most, the last is some 16 s after the first. */
  readonly attempts?: number | undefined;
  /** Longest first pause before a second try; it doubles with each. Default 250 ms. */
  readonly firstPause?: Ms | undefined;
  /** Share of the longest pause to wait. Default: random. */
  readonly jitter?: (() => Unit) | undefined;
}

export interface StoreRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly key: string;
  readonly query?: UnsignedRequest['query'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Is it sent after the signal too? Then once, and with little time. */
  readonly last?: true;
}

export interface StoreAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Buffer;
}

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
export const MAX_ANSWER: Bytes = 8 * 1024 * 1024;
const CONNECTIONS = 4;
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Codes of errors that come with other statuses (Amazon S3 API Reference, "Error Responses"). */
const TRANSIENT_CODES = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'ServiceUnavailable', 'ConditionalRequestConflict']);

export class StoreRequests {
  readonly #options: BucketOptions;
  readonly #pool: Pool;
  readonly #host: string;
  readonly #base: string;

  constructor(options: BucketOptions) {
    this.#options = options;
    const { origin, host, base } = placeOf(options);
    this.#host = host;
    this.#base = base;
    // The deadline of each request is its signal.
    this.#pool = new Pool(origin, { connections: CONNECTIONS, connect: { timeout: CONNECT_TIME }, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** @param accepted statuses besides 2xx. @throws StoreAwayError, EnvironmentError, UsageError for any other */
  async ask(request: StoreRequest, accepted: readonly number[]): Promise<StoreAnswer> {
    const { attempts = ATTEMPTS, firstPause = FIRST_PAUSE, jitter = Math.random, signal } = this.#options;
    const isAccepted = (answer: StoreAnswer | Error): answer is StoreAnswer =>
      !(answer instanceof Error) && (accepted.includes(answer.status) || !isError(request, answer));
    const pauseAfter = (answer: StoreAnswer | Error, tries: number): Ms | null => {
      if (isAccepted(answer) || tries >= attempts || request.last || !isTransient(answer)) return null;
      return Math.min(LONGEST_PAUSE, firstPause * 2 ** (tries - 1)) * jitter();
    };
    const answer = await askAgain(() => this.#once(request), pauseAfter, systemClock, signal);
    if (!isAccepted(answer)) throw this.errorOf(request, answer);
    return answer;
  }

  /** @returns an error of the network as a value. @throws the reason of the signal */
  async #once({ method, key, query = [], headers = {}, body, last }: StoreRequest): Promise<StoreAnswer | Error> {
    const { credentials, region } = this.#options;
    const signal = last ? undefined : this.#options.signal;
    signal?.throwIfAborted();
    const path = `${this.#base}/${encodedKey(key)}`;
    const payloadSha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const unsigned = { method, host: this.#host, path, query, headers, payloadSha256 };
    const longest = last ? LAST_TIME : BASE_TIME + Math.ceil(((body?.length ?? 0) * 1000) / LEAST_RATE);
    try {
      const response = await this.#pool.request({
        method,
        path: query.length === 0 ? path : `${path}?${queryText(query)}`,
        headers: signedHeaders(unsigned, credentials, region, Date.now()),
        body: body ?? null,
        signal: signalWithin(longest, ...(signal ? [signal] : [])),
      });
      return { status: response.statusCode, headers: response.headers, body: await bodyOf(response.body) };
    } catch (error) {
      signal?.throwIfAborted();
      return error instanceof Error ? error : new Error(messageOf(error));
    }
  }

  /** Names no part of an answer but its code: answers to a wrong signature repeat the signed text. */
  errorOf({ method, key }: Pick<StoreRequest, 'method' | 'key'>, answer: StoreAnswer | Error): Error {
    const { bucket, endpoint } = this.#options;
    const what = `s3://${bucket}/${key}`;
    if (answer instanceof Error)
      return new StoreAwayError(
        `${what}: ${endpoint?.origin ?? 'Amazon S3'} does not answer (${messageOf(answer)})`,
        'check the network and --s3-endpoint, then run the same command again',
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
    const [why, remedy] = [`${what}: ${method} failed (${code})`, 'run the same command again, it continues where this one ended'];
    return isTransient(answer) ? new StoreAwayError(why, remedy) : new EnvironmentError(`${why}; ${remedy}`);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
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

/** The answer to a POST may have an error behind a status of success. */
function isError({ method }: StoreRequest, answer: StoreAnswer): boolean {
  return answer.status >= 300 || (method === 'POST' && errorCode(answer) !== null);
}

function isTransient(answer: StoreAnswer | Error): boolean {
  return answer instanceof Error || TRANSIENT.has(answer.status) || TRANSIENT_CODES.has(errorCode(answer) ?? '');
}

/** null without one. */
export function errorCode({ body }: StoreAnswer): string | null {
  const start = body.toString('utf8', 0, 2000);
  return /<Error>/.test(start) ? (/<Code>([A-Za-z]{1,60})<\/Code>/.exec(start)?.[1] ?? null) : null;
}
