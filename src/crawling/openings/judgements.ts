/** The pages that a judge of the user gets, and its judgements, checked. */
import * as z from 'zod';
import type { CanonicalUrl, Unit } from '../../base/core/types.ts';
import { weight, word } from './hook-names.ts';
import type { HookFault } from './hook-thread.ts';

/** A page as a judge gets it, in a module and as a JSON line of a command. */
export interface PageToJudge {
  readonly id: number;
  readonly url: CanonicalUrl;
  readonly title: string;
  /** Main text, its first `MOST_CHARS` characters. */
  readonly text: string;
}

/** Main text that a judge gets: a book of 15,000 words. */
export const MOST_CHARS = 100_000;

/** A judgement of a page. `because` is one line. */
export interface PageJudgement {
  readonly relevance: Unit;
  readonly because?: string;
}

/** Judges some pages. Never rejects. `fault` is null if the call ended well: a page may be without a judgement all the same. */
export type JudgeCall = (pages: readonly PageToJudge[]) => Promise<{ readonly judgements: Judgements; readonly fault: HookFault | null }>;

const judgementSchema = z.object({ id: z.number(), relevance: weight, because: word.nullish() });

/** The judgements of one call, by the ids of its pages. */
export class Judgements {
  readonly #ids: ReadonlySet<number>;
  readonly #byId = new Map<number, PageJudgement>();
  /** Cause of the first one that is none. */
  #invalid: string | null = null;

  constructor(pages: readonly PageToJudge[]) {
    this.#ids = new Set(pages.map(({ id }) => id));
  }

  /** Takes a value that should be a judgement of one of the pages. */
  take(value: unknown): void {
    const { data, error } = judgementSchema.safeParse(value);
    if (data === undefined) this.refuse(issueText(error));
    else if (!this.#ids.has(data.id)) this.refuse(`id: ${data.id} is not the id of a page of this call`);
    else this.#byId.set(data.id, { relevance: data.relevance, ...(data.because != null && { because: data.because }) });
  }

  refuse(why: string): void {
    this.#invalid ??= why;
  }

  get(id: number): PageJudgement | undefined {
    return this.#byId.get(id);
  }

  /** The fault of a call that left a page out. */
  get fault(): HookFault {
    return { cause: 'rubbish', detail: this.#invalid ?? 'no judgement of this page' };
  }
}

function issueText({ issues: [issue] }: z.ZodError): string {
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return `${place}${issue?.message ?? 'not a judgement'}`;
}
