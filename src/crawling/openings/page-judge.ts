import { BLAME_AFTER } from '../../base/core/failure-policy.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { FaultTally } from './fault-tally.ts';
import type { HookFault } from './hook-thread.ts';
import type { OwnJudge } from './judge-calls.ts';
import { type JudgementCache, judgedTextDigest } from './judgement-cache.ts';
import { MOST_CHARS, type PageJudgement, type PageToJudge } from './judgements.ts';

/** `trouble`: the judge failed, or is not asked any more after failures. `unasked`: the limit of pages is reached. */
export type JudgeReply =
  | { readonly kind: 'judged'; readonly judgement: PageJudgement }
  | { readonly kind: 'trouble'; readonly trouble: string }
  | { readonly kind: 'unasked' };

/** A page that waits for its judgement. */
interface WaitingPage {
  readonly page: PageToJudge;
  readonly text: string;
  readonly settle: (reply: JudgeReply) => void;
  readonly reject: (error: unknown) => void;
}

export interface PageJudgeOptions {
  readonly judge: OwnJudge;
  /** The module or command, for messages. */
  readonly name: string;
  readonly cache: JudgementCache;
  /** Number of texts that the judge may judge, those of earlier runs included. */
  readonly limit: number;
  readonly warn: (message: string) => void;
}

/** Pages of one call: a call of a slow judge has many, one of a quick judge a single page. */
const PAGES_A_CALL = 8;
/** Pages in a row, as for the language model of `label judge`: fewer may be chance even for a judge that errs on half of the pages (once in a thousand). */
const UNUSABLE_IN_A_ROW = 10;

/** Asks the user's judge about pages. The pages that come during a call are the next call. A text is asked about once in the life of a crawl. */
export class PageJudge {
  readonly #options: PageJudgeOptions;
  readonly #faults: FaultTally;
  readonly #waiting: WaitingPage[] = [];
  /** Replies to come, by text. */
  readonly #coming = new Map<string, Promise<JudgeReply>>();
  readonly #inARow = { hung: 0, unusable: 0 };
  #ids = 0;
  #isAsking = false;
  /** Cause for which the judge is not asked any more; null while it is. */
  #stopped: string | null = null;
  #isSpent = false;

  constructor(options: PageJudgeOptions) {
    this.#options = options;
    const end = 'the page has the relevance of the topic model; mend the judge, and see why of the page';
    this.#faults = new FaultTally({ file: options.name, kind: '', end }, options.warn);
  }

  /** A judgement is on disk when this resolves. @throws StoreError */
  async judge(url: CanonicalUrl, page: { readonly title: string; readonly text: string }): Promise<JudgeReply> {
    const text = judgedTextDigest(page);
    const known = this.#options.cache.get(text);
    if (known !== undefined) return { kind: 'judged', judgement: known };
    const coming = this.#coming.get(text);
    if (coming !== undefined) return coming;
    if (this.#stopped !== null) return { kind: 'trouble', trouble: this.#stopped };
    if (this.#options.cache.size + this.#coming.size >= this.#options.limit) return this.#spent();
    const reply = this.#queued(text, { id: ++this.#ids, url, title: page.title, text: page.text.slice(0, MOST_CHARS) });
    this.#coming.set(text, reply);
    return reply.finally(() => this.#coming.delete(text));
  }

  /** Ends the judge, and tells how often it failed. */
  async close(): Promise<void> {
    await this.#options.judge.close();
    await this.#options.cache.close();
    this.#faults.tell();
  }

  #queued(text: string, page: PageToJudge): Promise<JudgeReply> {
    return new Promise((settle, reject) => {
      this.#waiting.push({ page, text, settle, reject });
      if (!this.#isAsking) void this.#askAll();
    });
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) await this.#ask(this.#waiting.splice(0, PAGES_A_CALL));
    this.#isAsking = false;
  }

  async #ask(asked: readonly WaitingPage[]): Promise<void> {
    if (this.#stopped !== null) {
      for (const { settle } of asked) settle({ kind: 'trouble', trouble: this.#stopped });
      return;
    }
    const { judgements, fault } = await this.#options.judge.call(asked.map(({ page }) => page));
    const replies = asked.map((one) => ({ ...one, judgement: judgements.get(one.page.id) }));
    try {
      await this.#options.cache.add(replies.flatMap(({ text, judgement }) => (judgement ? [[text, judgement] as const] : [])));
    } catch (error) {
      for (const { reject } of asked) reject(error);
      return;
    }
    for (const { judgement, settle } of replies) if (judgement) settle({ kind: 'judged', judgement });
    const missing = replies.filter(({ judgement }) => judgement === undefined);
    // One page should not cost the others of its call their judgement.
    if (missing.length > 0 && asked.length > 1 && fault?.cause !== 'hung') {
      for (const one of missing) await this.#ask([one]);
      return;
    }
    for (const { page, settle } of missing) settle(this.#failed(page, fault ?? judgements.fault));
    this.#count(missing.length, asked.length, fault);
  }

  #failed({ url }: PageToJudge, fault: HookFault): JudgeReply {
    return { kind: 'trouble', trouble: this.#faults.failed('judge', url, fault) };
  }

  /** Counts the failures in a row. A judge that hangs costs the crawl a minute each time. */
  #count(failed: number, asked: number, fault: HookFault | null): void {
    const { hung, unusable } = this.#inARow;
    this.#inARow.hung = fault?.cause === 'hung' ? hung + 1 : 0;
    this.#inARow.unusable = failed === asked ? unusable + failed : 0;
    if (this.#stopped !== null) return;
    const why =
      this.#inARow.hung >= BLAME_AFTER
        ? `hung ${BLAME_AFTER} times in a row`
        : this.#inARow.unusable >= UNUSABLE_IN_A_ROW
          ? `judged none of ${this.#inARow.unusable} pages in a row`
          : null;
    if (why === null) return;
    this.#stopped = `judge not asked: it ${why}`;
    this.#options.warn(
      `${this.#options.name}: judge ${why}, so it is not asked again in this run; the pages have the relevance of the topic model; mend the judge, and run the crawl again`,
    );
  }

  #spent(): JudgeReply {
    const { name, limit, warn } = this.#options;
    if (!this.#isSpent)
      warn(
        `${name}: judged ${limit} texts, which is --judge-limit; the other pages have the relevance of the topic model; give a higher limit to judge more`,
      );
    this.#isSpent = true;
    return { kind: 'unasked' };
  }
}
