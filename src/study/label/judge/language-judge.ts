/** Judges pages by a language model: from stored answers, or by calls within a budget. */
import { askAgain } from '../../../base/core/ask-again.ts';
import { type Clock, dateOf, isoTime } from '../../../base/core/clock.ts';
import { BLAME_AFTER, FAILURE_POLICY, pauseOf } from '../../../base/core/failure-policy.ts';
import type { Ms } from '../../../base/core/types.ts';
import type { PageOfCrawl } from '../judged-pages.ts';
import { type AnswerCache, answerKey, judgeId } from './answer-cache.ts';
import { type ChatClient, type ChatReply, mostTokens } from './chat-client.ts';
import { answerIn, type JudgeAnswer } from './judge-answer.ts';
import type { JudgeBudget, LackOf } from './judge-budget.ts';
import { type Prompt, promptOf, type Rubric, systemText } from './judge-prompt.ts';

/** Reason why a judge stops: the budget has not enough left, the signal, or a server that does not answer. */
export type JudgeStop = LackOf | 'interrupted' | 'server';

export type LanguageJudgement =
  | ({ readonly kind: 'answer'; readonly cached: boolean } & JudgeAnswer)
  /** The page has no answer. Other pages may get one. */
  | { readonly kind: 'failed'; readonly why: string }
  /** No page gets an answer. */
  | { readonly kind: 'stop'; readonly stop: JudgeStop; readonly why: string };

export interface LanguageJudgeParts {
  /** Name of the language model. */
  readonly model: string;
  readonly rubric: Rubric;
  readonly client: Pick<ChatClient, 'ask'>;
  readonly cache: Pick<AnswerCache, 'get' | 'add'>;
  readonly budget: JudgeBudget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type Failed = Extract<ChatReply, { kind: 'failed' }>;

/** Statuses that every page would get: a wrong key, no access, a wrong path or model. */
const HOPELESS = new Set([401, 402, 403, 404, 405]);
/** Pages in a row without a usable answer: fewer may be chance even for a model that errs on half of them (once in a thousand). */
const UNUSABLE_IN_A_ROW = 10;

export class LanguageJudge {
  /** Names rubric and model. */
  readonly id: string;
  readonly #parts: LanguageJudgeParts;
  /** Pages in a row that failed because of the server, and for other reasons. */
  readonly #inARow = { server: 0, unusable: 0 };

  constructor(parts: LanguageJudgeParts) {
    this.#parts = parts;
    this.id = judgeId(parts.model, systemText(parts.rubric));
  }

  /** An answer is on disk when this resolves. @throws StoreError, EnvironmentError */
  async judge(page: PageOfCrawl): Promise<LanguageJudgement> {
    const { model, rubric, cache } = this.#parts;
    const prompt = promptOf(rubric, page);
    const key = answerKey(model, prompt);
    const stored = cache.get(key);
    if (stored !== undefined) return { kind: 'answer', cached: true, onTopic: stored.onTopic, reason: stored.reason };
    return this.#asked(prompt, key);
  }

  /** Calls the server, and again by the failure table. */
  async #asked(prompt: Prompt, key: string): Promise<LanguageJudgement> {
    const { budget, clock, signal } = this.#parts;
    let failures = 0;
    // A pause that outlasts the budget would end without a call.
    const isTooLong = (pause: Ms | null) => pause !== null && pause >= budget.timeLeft;
    let pause: Ms | null = null;
    const end = await askAgain(
      () => this.#call(prompt),
      (reply) => {
        if (reply.kind === 'adapted') return 0;
        pause = reply.kind === 'failed' ? pauseAfter(reply, failures++) : null;
        return isTooLong(pause) ? null : pause;
      },
      clock,
      signal,
    );
    if (end.kind === 'stop') return end;
    if (end.kind === 'answer') return this.#answered(end.content, end.tokens, key);
    if (end.kind !== 'failed') return stopped('interrupted');
    return isTooLong(pause) ? { kind: 'stop', stop: 'time', why: end.detail } : this.#gaveUp(end);
  }

  /** One call, if budget and signal allow it. */
  async #call(prompt: Prompt): Promise<ChatReply | ReturnType<typeof stopped>> {
    const { budget, client, signal } = this.#parts;
    if (signal.aborted) return stopped('interrupted');
    const most = mostTokens(prompt);
    const lack = budget.lackFor(most);
    if (lack !== null) return stopped(lack);
    const done = budget.begin(most);
    const reply = await client.ask(prompt, budget.timeLeft, signal);
    done(reply.tokens);
    return reply;
  }

  async #answered(content: string, tokens: number | null, key: string): Promise<LanguageJudgement> {
    const { cache, clock, model } = this.#parts;
    this.#inARow.server = 0;
    const answer = answerIn(content);
    if (typeof answer === 'string') return this.#unusable(answer);
    this.#inARow.unusable = 0;
    await cache.add({ key, model, ...answer, tokens, at: isoTime(dateOf(clock)) });
    return { kind: 'answer', cached: false, ...answer };
  }

  #unusable(why: string): LanguageJudgement {
    this.#inARow.unusable += 1;
    if (this.#inARow.unusable < UNUSABLE_IN_A_ROW) return { kind: 'failed', why };
    return { kind: 'stop', stop: 'server', why: `${why}; ${UNUSABLE_IN_A_ROW} pages in a row` };
  }

  #gaveUp({ code, status, detail }: Failed): LanguageJudgement {
    if (code === 'no-answer') return this.#unusable(detail);
    if (status !== null && HOPELESS.has(status)) return { kind: 'stop', stop: 'server', why: detail };
    const why = `${code}: ${detail}`;
    if (FAILURE_POLICY[code].blame === 'url') return this.#unusable(why);
    this.#inARow.server += 1;
    if (this.#inARow.server < BLAME_AFTER) return { kind: 'failed', why };
    return { kind: 'stop', stop: 'server', why: `${why}; ${BLAME_AFTER} pages in a row` };
  }
}

/** The pause before the next try; null if there is none. */
function pauseAfter({ code, status, retryAfter }: Failed, attempts: number): number | null {
  if (code === 'no-answer' || (status !== null && HOPELESS.has(status))) return null;
  const { retries, backoff } = FAILURE_POLICY[code];
  return attempts < retries ? pauseOf(retryAfter, backoff, attempts) : null;
}

function stopped(stop: JudgeStop): Extract<LanguageJudgement, { kind: 'stop' }> {
  return { kind: 'stop', stop, why: '' };
}
