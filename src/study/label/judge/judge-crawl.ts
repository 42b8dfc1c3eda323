/** A session of a language model: it answers pages of a crawl, chosen like those for a person. */
import type { Clock } from '../../../base/core/clock.ts';
import { dateOf, isoTime } from '../../../base/core/clock.ts';
import type { CanonicalUrl, Ms } from '../../../base/core/types.ts';
import type { CrawlPaths } from '../../../crawling/crawl-dir/crawl-directory.ts';
import { type CrawlPage, type PageOfCrawl, textDigest } from '../judged-pages.ts';
import type { LabelLog, ModelAnswer } from '../label-log.ts';
import { drawOrder, type LabelPlan } from '../label-queue.ts';
import { AnswerCache } from './answer-cache.ts';
import { ChatClient, type ChatServer } from './chat-client.ts';
import { type BudgetLimits, JudgeBudget } from './judge-budget.ts';
import { rubricOf } from './judge-prompt.ts';
import { type JudgeStop, LanguageJudge, type LanguageJudgement } from './language-judge.ts';

export interface JudgingProgress {
  readonly answered: number;
  readonly failed: number;
  /** Spent so far. */
  readonly calls: number;
  readonly tokens: number;
}

export interface JudgingReport extends JudgingProgress {
  readonly yes: number;
  readonly no: number;
  /** Number of answers that were stored before and cost no call. */
  readonly cached: number;
  /** `count`: all requested pages were asked about; `all`: no page is left. */
  readonly stop: JudgeStop | 'count' | 'all';
  /** Reason why the last page failed; null if none did. */
  readonly failure: string | null;
}

export interface JudgeCrawlOptions {
  readonly server: ChatServer;
  readonly question: string | null;
  /** Number of pages. */
  readonly count: number;
  readonly limits: BudgetLimits;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Longest time of a call; undefined for the default. */
  readonly callTime: Ms | undefined;
  readonly onProgress: (progress: JudgingProgress) => void;
}

/** A crawl whose pages are judged. */
export interface JudgedCrawl {
  readonly paths: CrawlPaths;
  readonly log: LabelLog;
  readonly pages: readonly CrawlPage[];
  readonly plan: Pick<LabelPlan<CrawlPage>, 'next'>;
  /** Id of the active model. */
  readonly modelId: string;
  readonly textOf: (url: CanonicalUrl) => Promise<PageOfCrawl>;
  /** @throws StoreError if the labels no longer belong to this process */
  readonly mayWrite: () => void;
}

/**
 * Judges pages until their number is reached, no page is left, the budget is spent, the signal aborts, or the server does not answer. Each answer is on
 * disk before the next call, in the cache and in the label file.
 * @throws StoreError, DataError, ModelError, EnvironmentError
 */
export async function judgeCrawl(crawl: JudgedCrawl, options: JudgeCrawlOptions): Promise<JudgingReport> {
  const { server, question, limits, clock, signal, callTime } = options;
  const rubric = await rubricOf(crawl.paths, question);
  const client = new ChatClient(server, callTime);
  const cache = AnswerCache.open(crawl.paths);
  try {
    const budget = new JudgeBudget(limits, clock);
    const judge = new LanguageJudge({ model: server.model, rubric, client, cache, budget, clock, signal });
    return await new JudgeSession(crawl, options, judge, budget).run();
  } finally {
    await client.close();
    await cache.close();
  }
}

type Turn = Pick<ModelAnswer, 'queue'> & { readonly page: CrawlPage };

class JudgeSession {
  readonly #crawl: JudgedCrawl;
  readonly #options: JudgeCrawlOptions;
  readonly #judge: LanguageJudge;
  readonly #budget: JudgeBudget;
  /** URLs that this judge has answered, in this session or before. */
  readonly #answered: Set<string>;
  /** URLs without an answer in this session. */
  readonly #failed = new Set<string>();
  /** Pages with an answer of a person, for the agreement. */
  readonly #shared: CrawlPage[];
  readonly #counts = { yes: 0, no: 0, cached: 0 };
  #failure: string | null = null;

  constructor(crawl: JudgedCrawl, options: JudgeCrawlOptions, judge: LanguageJudge, budget: JudgeBudget) {
    this.#crawl = crawl;
    this.#options = options;
    this.#judge = judge;
    this.#budget = budget;
    const before = crawl.log.modelAnswers().filter((answer) => answer.judge === judge.id);
    this.#answered = new Set(before.map(({ url }) => url));
    this.#shared = sharedPages(crawl, this.#answered).slice(0, Math.ceil(options.count / 3));
  }

  async run(): Promise<JudgingReport> {
    for (let asked = 0; asked < this.#options.count; asked++) {
      const turn = this.#turn();
      if (turn === null) return this.#report('all');
      const text = await this.#crawl.textOf(turn.page.url);
      const judgement = await this.#judge.judge(text);
      if (judgement.kind === 'stop') {
        if (judgement.why !== '') this.#failure = judgement.why;
        return this.#report(judgement.stop);
      }
      await this.#take(turn, text, judgement);
      this.#options.onProgress(this.#progress());
    }
    return this.#report('count');
  }

  /** The pages that a person has answered come first; then those that a person would be asked about. */
  #turn(): Turn | null {
    const shared = this.#shared.shift();
    if (shared !== undefined) return { page: shared, queue: 'labelled' };
    const { log, plan } = this.#crawl;
    const own = [...this.#answered, ...this.#failed];
    const answers = new Map([...log.state.answers, ...own.map((url) => [url, 'skip'] as const)]);
    const turn = plan.next({ answers, drawn: new Set(own), turns: own.length });
    return turn === null ? null : { page: turn.page, queue: turn.queue === 'spread' ? 'random' : turn.queue };
  }

  async #take({ page, queue }: Turn, text: PageOfCrawl, judgement: Exclude<LanguageJudgement, { kind: 'stop' }>): Promise<void> {
    const { url, relevance } = page;
    if (judgement.kind === 'failed') {
      this.#failed.add(url);
      this.#failure = `${url}: ${judgement.why}`;
      return;
    }
    const { log, modelId, mayWrite } = this.#crawl;
    const { clock, server } = this.#options;
    const { onTopic, reason, cached } = judgement;
    const about = { url, relevance, modelId, sha256: textDigest(text), at: isoTime(dateOf(clock)) };
    const by = { by: 'model', judge: this.#judge.id, languageModel: server.model } as const;
    mayWrite();
    await log.appendModelAnswer({ ...by, ...about, answer: onTopic ? 'y' : 'n', reason, queue });
    this.#answered.add(url);
    this.#counts[onTopic ? 'yes' : 'no'] += 1;
    if (cached) this.#counts.cached += 1;
  }

  #progress(): JudgingProgress {
    const { yes, no } = this.#counts;
    return { answered: yes + no, failed: this.#failed.size, calls: this.#budget.calls, tokens: this.#budget.tokens };
  }

  #report(stop: JudgingReport['stop']): JudgingReport {
    return { ...this.#progress(), ...this.#counts, stop, failure: this.#failure };
  }
}

/** The pages that a person has answered y or n and the judge has not: those drawn at random first, in the order of the draw. */
function sharedPages({ log, pages }: JudgedCrawl, answered: ReadonlySet<string>): CrawlPage[] {
  const labelled = new Set(log.labels.map(({ url }) => url));
  const { drawn } = log.state;
  const shared = drawOrder(
    pages.filter(({ url }) => labelled.has(url) && !answered.has(url)),
    log.seed,
  );
  return [...shared.filter(({ url }) => drawn.has(url)), ...shared.filter(({ url }) => !drawn.has(url))];
}
