/** Asks a server that speaks the OpenAI chat protocol: one request in, one answer out. */
import { Client } from 'undici';
import * as z from 'zod';
import { onAbort } from '../../../base/core/abort-listener.ts';
import { UsageError } from '../../../base/core/errors.ts';
import { isFinal } from '../../../base/core/failure-policy.ts';
import type { Bytes, EpochMs, FailureCode, Ms } from '../../../base/core/types.ts';
import { Exchange, type Exchanged, type ExchangeRules } from '../../../crawling/fetch/exchange.ts';
import { breakageOf } from '../../../crawling/fetch/failures.ts';
import { failureCodeOf } from '../../../crawling/fetch/outcome.ts';
import { RequestTimer } from '../../../crawling/fetch/request-timer.ts';
import { parseRetryAfter } from '../../../crawling/fetch/retry-after.ts';
import { CLIENT_OPTIONS } from '../../../crawling/fetch/routes.ts';
import type { Prompt } from './judge-prompt.ts';

export interface ChatServer {
  /** The base of its paths, such as `http://localhost:11434/v1`. */
  readonly url: string;
  readonly model: string;
  /** Sent with every request and stored nowhere; null for a server without keys. */
  readonly key: string | null;
}

/** The end of a call. `tokens` is its cost: null if the server may have worked and did not report the cost. */
export type ChatReply =
  | { readonly kind: 'answer'; readonly content: string; readonly tokens: number | null }
  | {
      readonly kind: 'failed';
      /** `no-answer`: a response without the form of the protocol. */
      readonly code: FailureCode | 'no-answer';
      readonly status: number | null;
      readonly detail: string;
      readonly retryAfter: Ms | null;
      readonly tokens: number | null;
    }
  /** The server does not know a field of the request. It gets no such field from now on. */
  | { readonly kind: 'adapted'; readonly tokens: 0 }
  | { readonly kind: 'aborted'; readonly tokens: null };

/** The model writes at most so many tokens: a sentence needs 50, and some models think aloud first. */
export const ANSWER_TOKENS = 500;
/** Tokens that a server adds around two messages: names of roles and separators, about ten in the templates of common models. */
const FRAME_TOKENS = 100;
/** An answer of 500 tokens is about 3 KB with its frame. */
const MAX_ANSWER_BYTES: Bytes = 256 * 1024;
/** A model on one core needs minutes for 2,000 tokens. */
const CALL_TIME: Ms = 5 * 60_000;
const CONNECT_TIME: Ms = 10_000;
const TIMER_PERIOD: Ms = 50;
const SAID_CHARS = 200;
const PATH = '/chat/completions';

const replySchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
});
const usageSchema = z.object({
  usage: z.object({
    total_tokens: z.number().nonnegative().optional(),
    prompt_tokens: z.number().nonnegative().optional(),
    completion_tokens: z.number().nonnegative().optional(),
  }),
});
const errorSchema = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

/** Fields of a request that some servers refuse. */
const OPTIONAL_FIELDS = ['response_format', 'temperature', 'max_tokens'] as const;
type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** The word in the error of a server that refuses a field. A prompt that is too long is often told with `max_tokens`, which must not change the request. */
const REFUSAL_OF: Readonly<Record<OptionalField, string>> = {
  response_format: 'response_format',
  temperature: 'temperature',
  max_tokens: 'max_completion_tokens',
};

/** Statuses for a field that is not known, here and at other vendors. */
const REFUSES_FIELD = new Set([400, 422]);
/** Failures before a request was sent: they cost no token. */
const NOT_SENT: ReadonlySet<FailureCode> = new Set(['dns', 'connect']);

/** @throws UsageError if it is no base URL of a server */
export function serverUrlOf(url: string, where: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`${where}: is not an http(s) URL; give the base URL of the server, such as http://localhost:11434/v1`);
  if (parsed.username !== '' || parsed.password !== '')
    throw new UsageError(`${where}: has a user name or password in it; keys are read from OPENAI_API_KEY alone`);
  return parsed;
}

/** @throws UsageError if it cannot be a field of a request */
export function checkedKey(key: string | undefined): string | null {
  const trimmed = key?.trim() ?? '';
  if (/^[\x21-\x7e]*$/.test(trimmed)) return trimmed === '' ? null : trimmed;
  throw new UsageError('OPENAI_API_KEY: has characters that no key has; set it again');
}

/** The most tokens that a call can cost: a token is at least one byte. */
export function mostTokens({ system, user }: Prompt): number {
  return Buffer.byteLength(system) + Buffer.byteLength(user) + FRAME_TOKENS + ANSWER_TOKENS;
}

export class ChatClient {
  readonly #server: ChatServer;
  readonly #path: string;
  readonly #client: Client;
  readonly #timer = new RequestTimer(TIMER_PERIOD);
  readonly #refused = new Set<OptionalField>();
  readonly #callTime: Ms;

  /** @param callTime longest time of a call. @throws UsageError for an invalid URL */
  constructor(server: ChatServer, callTime: Ms = CALL_TIME) {
    const url = serverUrlOf(server.url, '--judge-url');
    this.#server = server;
    this.#callTime = callTime;
    const path = url.pathname.replace(/\/+$/, '');
    this.#path = `${path.endsWith(PATH) ? path : `${path}${PATH}`}${url.search}`;
    this.#client = new Client(url.origin, { ...CLIENT_OPTIONS, connect: { timeout: CONNECT_TIME } });
  }

  /** One call. Never rejects because of the server. @param longest the call ends then at the latest. @throws EnvironmentError as `breakageOf` */
  async ask(prompt: Prompt, longest: Ms, signal: AbortSignal): Promise<ChatReply> {
    const exchanged = await this.#exchange(JSON.stringify(this.#body(prompt)), Math.min(longest, this.#callTime), signal);
    switch (exchanged.kind) {
      case 'aborted':
        return { kind: 'aborted', tokens: null };
      case 'refused':
        return failed('protocol', exchanged.status, exchanged.reason, null);
      case 'late':
        return failed('timeout', exchanged.status, exchanged.detail, null);
      case 'broken':
        return brokenReply(exchanged.error, exchanged.status);
      case 'response':
        return this.#reply(exchanged);
    }
  }

  async close(): Promise<void> {
    this.#timer.close();
    await this.#client.destroy();
  }

  #body({ system, user }: Prompt): object {
    const without = this.#refused;
    return {
      model: this.#server.model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      ...(without.has('max_tokens') ? { max_completion_tokens: ANSWER_TOKENS } : { max_tokens: ANSWER_TOKENS }),
      ...(!without.has('temperature') && { temperature: 0 }),
      ...(!without.has('response_format') && { response_format: { type: 'json_object' } }),
    };
  }

  #exchange(body: string, longest: Ms, signal: AbortSignal): Promise<Exchanged> {
    const { key } = this.#server;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
    return new Promise((resolve) => {
      const settle = (result: Exchanged) => {
        stopListening();
        resolve(result);
      };
      const exchange = new Exchange(rulesFor(longest), this.#timer, () => null, settle);
      const stopListening = onAbort(signal, () => exchange.abort());
      if (signal.aborted) exchange.abort();
      else this.#client.dispatch({ path: this.#path, method: 'POST', headers, body }, exchange);
    });
  }

  #reply({ head, parts, size, cut }: Extract<Exchanged, { kind: 'response' }>): ChatReply {
    const { status } = head;
    const text = Buffer.concat(parts).subarray(0, size).toString('utf8');
    if (status !== 200) return this.#refusal(status, head.headers['retry-after'], text, Date.now());
    if (cut) return failed('no-answer', status, `the response is longer than ${MAX_ANSWER_BYTES} bytes, or broke off`, null);
    const value = jsonIn(text);
    const tokens = tokensIn(value);
    const reply = replySchema.safeParse(value).data;
    if (reply === undefined) return failed('no-answer', status, 'the response does not follow the OpenAI chat protocol', tokens);
    return { kind: 'answer', content: reply.choices[0]?.message.content ?? '', tokens };
  }

  #refusal(status: number, retryAfter: string | undefined, text: string, now: EpochMs): ChatReply {
    const field = REFUSES_FIELD.has(status)
      ? OPTIONAL_FIELDS.find((name) => text.includes(REFUSAL_OF[name]) && !this.#refused.has(name))
      : undefined;
    if (field !== undefined) {
      this.#refused.add(field);
      return { kind: 'adapted', tokens: 0 };
    }
    const code = failureCodeOf(status);
    const said = saidIn(this.#withoutKey(text));
    // A refusal of the request has done no work. An error of the server may have.
    const tokens = status >= 400 && status < 500 ? 0 : null;
    return failed(code, status, `${status}${said === '' ? '' : `: ${said}`}`, tokens, parseRetryAfter(retryAfter, now));
  }

  /** Some servers quote the key that they refuse. */
  #withoutKey(text: string): string {
    const { key } = this.#server;
    return key === null || key === '' ? text : text.replaceAll(key, '(key)');
  }
}

function rulesFor(longest: Ms): ExchangeRules {
  return {
    limits: { headersTimeoutMs: longest, totalDeadlineMs: longest, minBytesPerSecond: 0, rateWindowMs: longest },
    maxWireBytes: MAX_ANSWER_BYTES,
    decideBody: () => ({ kind: 'keep' }),
    sniff: () => null,
  };
}

function failed(
  code: FailureCode | 'no-answer',
  status: number | null,
  detail: string,
  tokens: number | null,
  retryAfter: Ms | null = null,
): ChatReply {
  return { kind: 'failed', code, status, detail, retryAfter, tokens };
}

function brokenReply(error: unknown, status: number | null): ChatReply {
  const breakage = breakageOf(error);
  if (breakage.kind === 'refused') return failed('connect', status, breakage.reason, 0);
  return failed(breakage.code, status, breakage.detail, NOT_SENT.has(breakage.code) || isFinal(breakage.code) ? 0 : null);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tokens of prompt and answer, as the server counts them; null if it does not say. */
function tokensIn(value: unknown): number | null {
  const usage = usageSchema.safeParse(value).data?.usage;
  if (usage?.total_tokens !== undefined) return usage.total_tokens;
  if (usage?.prompt_tokens === undefined || usage.completion_tokens === undefined) return null;
  return usage.prompt_tokens + usage.completion_tokens;
}

/** The message of an error response, in one short line. */
function saidIn(text: string): string {
  const error = errorSchema.safeParse(jsonIn(text)).data?.error;
  const said = error === undefined ? text : typeof error === 'string' ? error : error.message;
  return said
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, SAID_CHARS);
}
