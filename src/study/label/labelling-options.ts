/** The options of a labelling session, and their checks. */

import type { OnDamaged } from '../../base/core/errors.ts';
import type { Ms } from '../../base/core/types.ts';
import type { OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { anyText, call, signal, count as wholeNumber } from '../../crawling/settings/kinds.ts';
import type { RelabelOptions } from './activate-model.ts';
import type { BudgetLimits } from './judge/judge-budget.ts';
import type { JudgingProgress } from './judge/judge-crawl.ts';

/** The person whom a session asks, and which pages it asks about. */
export interface Asking {
  /**
   * Ask only about pages drawn at random from the kept pages, and draw so many more of them. A person with a name is asked about the pages that others
   * with names have answered as well, in the same order: agreement needs such pages. Default: all queues alternate, without an end.
   */
  readonly audit?: number;
  /** Ask only about hosts with the fewest labels, first those without training pages and labels. Default false. */
  readonly newHosts?: boolean;
  /** The person who answers. Default: none. */
  readonly name?: string;
}

export interface LabellingOptions extends Asking {
  /** Crawl directory. */
  readonly dir: string;
  /** Name of one topic of a crawl of several; labels are of that topic alone. Required there. */
  readonly topicName?: string;
  /** Seed of the random third of the pages. Given once, with the first labels; default 1. */
  readonly rngSeed?: number;
  /** Length of the passage of a question, in characters. Default 480: six lines of 80 columns. */
  readonly passageLength?: number;
  readonly warn?: (message: string) => void;
  /** Receives damaged or missing records: their pages are not asked about. Without it they end the labelling. */
  readonly onDamaged?: OnDamaged;
}

/** A language model that answers pages: a server of the OpenAI chat protocol. */
export interface JudgingOptions {
  /** Base URL of the server, such as `http://localhost:11434/v1`. */
  readonly judgeUrl: string;
  /** Name of the model. */
  readonly judgeModel: string;
  /** Sent with each request and stored nowhere. Default: none. */
  readonly judgeKey?: string;
  /** A sentence that says which pages are on topic. */
  readonly judgeQuestion?: string;
  /** Number of pages. Default 300. */
  readonly count?: number;
  /** Calls, retries included. Default 1000; Infinity for no limit, as for the next two. */
  readonly judgeCalls?: number;
  /** Tokens of prompts and answers. Default 2,000,000. */
  readonly judgeTokens?: number;
  /** Default one hour. */
  readonly judgeTime?: Ms;
  readonly onProgress?: (progress: JudgingProgress) => void;
  /** Ends the session; all answers so far are stored. */
  readonly signal?: AbortSignal;
}

const { dir, topicName, rngSeed, newHosts, name, evenIfWorse } = checksOf(COMMANDS.label);
const { count: audit } = checksOf(COMMANDS['label audit']);
const { judgeUrl, judgeModel, judgeQuestion, judgeCalls, judgeTokens, judgeTime, count } = checksOf(COMMANDS['label judge']);
const JUDGE = { judgeUrl, judgeModel, judgeQuestion, judgeCalls, judgeTokens, judgeTime, count };
export const JUDGING: OptionTable<JudgingOptions> = { ...JUDGE, judgeKey: anyText.check, onProgress: call, signal };
export const LABELLING: OptionTable<LabellingOptions> = {
  dir,
  topicName,
  rngSeed,
  audit,
  newHosts,
  name,
  passageLength: wholeNumber(1).check,
  warn: call,
  onDamaged: call,
};
const { wordVectors } = checksOf(COMMANDS['label train']);
export const RELABEL: OptionTable<RelabelOptions> = { warn: call, onProgress: call, signal, evenIfWorse, wordVectors };

/** Six lines of 80 columns. */
export const PASSAGE_CHARS = 480;

/** Pages that a language model answers without another number: the most labels that `npm run bench -- topic` trains with. */
export const JUDGED_PAGES = 300;
const HOUR: Ms = 3_600_000;

export function budgetOf({
  judgeCalls: calls = 1000,
  judgeTokens: tokens = 2_000_000,
  judgeTime: time = HOUR,
}: JudgingOptions): BudgetLimits {
  return { calls, tokens, time };
}
