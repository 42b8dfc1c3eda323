import * as z from 'zod';
import { UsageError } from '../../base/core/errors.ts';
import { BLAME_AFTER } from '../../base/core/failure-policy.ts';
import type { LinkJudgement, ReadLink } from '../../base/core/parts/reading.ts';
import type { OwnScore, Referrer } from '../../base/core/types.ts';
import { fallbackScore } from '../../reading/links/own-scorer.ts';
import { FaultTally } from './fault-tally.ts';
import { HOOK_LIMITS, type HookFault, type HookLimits, HookThread, type ModuleUse } from './hook-thread.ts';
import type { LinksToScore, OwnStrategySettings } from './strategy-functions.ts';

const STRATEGY: ModuleUse = { noun: 'a strategy', option: 'strategy', otherwise: 'apprentice' };
const descriptionSchema = z.object({ judgement: z.enum(['none', 'context', 'anchor-and-context']) });
/** Links of one call: as many as a page of a list of links has. Five seconds for them are 5 ms a link. */
const LINKS_A_CALL = 1000;

/** A strategy of the user: scores the links of pages in a thread of its own. */
export class OwnStrategy {
  readonly #thread: HookThread;
  readonly #faults: FaultTally;
  readonly #file: string;
  readonly #warn: (message: string) => void;
  #hung = 0;
  /** Cause for which the strategy is not asked any more; null while it is. */
  #stopped: string | null = null;

  /** @throws UsageError for a module that cannot be loaded, or that has no strategy that explains itself */
  static async open(
    file: string,
    settings: OwnStrategySettings,
    warn: (message: string) => void,
    limits: HookLimits = HOOK_LIMITS,
  ): Promise<OwnStrategy> {
    const thread = new HookThread(file, STRATEGY, limits, settings);
    await thread.open();
    return new OwnStrategy(file, thread, warn);
  }

  private constructor(file: string, thread: HookThread, warn: (message: string) => void) {
    [this.#file, this.#thread, this.#warn] = [file, thread, warn];
    const end = 'its links have the relevance of their page as their priority; mend the strategy for a new crawl, and see why of a link';
    this.#faults = new FaultTally({ file, kind: '', end }, warn);
  }

  /** Scores of the words of a link that the strategy reads. @throws UsageError */
  async judgement(): Promise<LinkJudgement> {
    const answer = await this.#thread.call('describe', null);
    if ('value' in answer) return descriptionSchema.parse(answer.value).judgement;
    throw new UsageError(`${this.#file}: does not answer (${answer.detail}); mend it, or give --strategy apprentice`);
  }

  /** The links with their scores, and the failures of the strategy in words, each once. Never rejects. */
  async scored(
    referrer: Referrer,
    links: readonly ReadLink[],
  ): Promise<{ readonly links: readonly ReadLink[]; readonly troubles: readonly string[] }> {
    const scored: ReadLink[] = [];
    const troubles = new Set<string>();
    for (let at = 0; at < links.length; at += LINKS_A_CALL) {
      const some = links.slice(at, at + LINKS_A_CALL);
      const scores = await this.#scores(referrer, some);
      for (const [i, link] of some.entries()) {
        const score = scores[i] ?? { cause: 'rubbish', detail: 'no score' };
        const trouble = typeof score === 'string' ? score : 'cause' in score ? this.#faults.failed('strategy', link.url, score) : null;
        if (trouble !== null) troubles.add(trouble);
        const own = trouble === null ? (score as OwnScore) : fallbackScore({ referrer }, trouble);
        scored.push({ ...link, text: { ...link.text, own } });
      }
    }
    return { links: scored, troubles: [...troubles] };
  }

  /** Ends the thread, and tells how often the strategy failed. */
  async close(): Promise<void> {
    await this.#thread.close();
    this.#faults.tell();
  }

  /** A text: the strategy is not asked any more. */
  async #scores(referrer: Referrer, links: readonly ReadLink[]): Promise<readonly (OwnScore | HookFault | string)[]> {
    if (this.#stopped !== null) return links.map(() => this.#stopped ?? '');
    const asked: LinksToScore = { referrer, links: links.map(({ url, text: { hashes: _, ...text } }) => ({ url, text })) };
    const answer = await this.#thread.call('score', asked);
    this.#hung = 'cause' in answer && answer.cause === 'hung' ? this.#hung + 1 : 0;
    if (this.#hung >= BLAME_AFTER) this.#stop();
    return 'value' in answer ? (answer.value as readonly (OwnScore | HookFault)[]) : links.map(() => answer);
  }

  /** Each call that hangs costs the crawl five seconds. */
  #stop(): void {
    const why = `it hung ${BLAME_AFTER} times in a row`;
    this.#stopped = `strategy not asked: ${why}`;
    this.#warn(
      `${this.#file}: strategy: ${why}, so it is not asked again in this run; links have the relevance of their page as their priority`,
    );
  }
}

/** Loads the module of a strategy, and forgets it. @returns the scores that it reads. @throws UsageError */
export async function checkStrategy(file: string, settings: OwnStrategySettings): Promise<LinkJudgement> {
  const strategy = await OwnStrategy.open(file, settings, () => undefined);
  try {
    return await strategy.judgement();
  } finally {
    await strategy.close();
  }
}
