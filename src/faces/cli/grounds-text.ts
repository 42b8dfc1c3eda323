/** The grounds of figures, in words: a line with the model's own figure says that it is the model's. */

import type { Topic } from '../../base/core/types.ts';
import { commandOn, foragerCommand } from '../../base/text/forager-command.ts';
import { counted, percentText } from '../../base/text/number-text.ts';
import { Blank, type ShellWord } from '../../base/text/shell-line.ts';
import { notMeasuredText, type PrecisionOf, precisionLine } from '../../corpus/describe/precision-text.ts';
import { type Labelled, labellingCommand } from '../../crawling/crawl-dir/topic-part.ts';
import type { Doubt } from '../../reading/topic/doubts.ts';
import type { Grounds, TopicLabels } from '../../study/inspect/grounds.ts';
import { BY_MODEL, doubtRemedy, hiddenText, nearlyAllText, questionsWaitText, saturationText } from '../../study/inspect/grounds-words.ts';
import type { Saturation } from '../../study/inspect/saturation.ts';
import type { CrawlNeeds } from '../app/crawl-handle.ts';

/** Reason why no rates are shown, and the remedy, in one line; null if rates are shown. @param several topics: labels name one */
export function doubtLine(dir: string, doubts: readonly Doubt[], several: boolean): string | null {
  if (doubts.length === 0) return null;
  return `${hiddenText(doubts)}. ${doubtRemedy(doubts, commandOn('label', dir, ...ofTopic(several)))}`;
}

/** `harvest rate 37.3 % (by the model; not measured)`, or that it is not known: `doubtLine` says why. */
export function harvestRateText(rate: number, doubts: readonly Doubt[]): string {
  return doubts.length === 0 ? `harvest rate ${percentText(rate)} (${BY_MODEL})` : 'harvest rate not known';
}

/** `15 questions wait for answers: npx forager label crawls/moss`; null without questions. @param several topics: labels name one */
export function questionsText(dir: string, questions: number, several = false): string | null {
  return questions === 0 ? null : `${questionsWaitText(questions)}: ${commandOn('label', dir, ...ofTopic(several))}`;
}

/** Reason to label meanwhile, for the progress line; empty without one. Questions come first, since their answers measure too. */
export function needsText(dir: string, { questions, saturated: last, several }: CrawlNeeds): string {
  const asks = questionsText(dir, questions, several);
  if (asks !== null) return `; ${asks}`;
  return last === null ? '' : `; ${nearlyAllText(last)}, measure it: ${commandOn('label audit', dir)}`;
}

/**
 * Signs of saturation and the commands that help, in one line; null without signs, and if the only sign is a doubt that `doubtLine` shows.
 * @param several topics: labels are of one topic
 */
export function saturationLine(dir: string, saturation: Saturation | null, several: boolean): string | null {
  const seen = saturation && saturationText(saturation);
  if (seen === null) return null;
  const helps = several
    ? `look at some pages: ${commandOn('ledger', dir, '--state', 'kept')}`
    : `measure it: ${commandOn('label audit', dir)}; train it with answers: ${commandOn('label', dir)}; or train another with unlabelled pages of these sites: ${foragerCommand('train', '--pool')}`;
  return `${seen}. Remedy: ${helps}`;
}

/** The precisions of a crawl: one, or that of each of several topics. @param dir the crawl directory, as the user named it */
export function precisionLines(
  dir: string,
  { topics, ...grounds }: Measured & { readonly topics: readonly (Topic & TopicLabels)[] },
): string[] {
  if (topics.length === 0) return measuredLines({ dir }, grounds);
  return topics.flatMap((topic) => measuredLines({ dir, topicName: topic.name }, topic).map((line) => `${topic.name}: ${line}`));
}

type Measured = Pick<Grounds, 'precision' | 'harvest' | 'drawn'>;

/** The precision of the pages that the crawl kept, and of those that a harvest takes after a training. @param crawl as commands name it */
function measuredLines(crawl: Labelled, { harvest, ...grounds }: Measured): string[] {
  return [precisionText(crawl, 'kept', grounds), ...(harvest === null ? [] : [precisionLine('harvest', harvest)])];
}

/** The precision if it is known, and how to measure it otherwise. @param crawl as commands name it */
export function precisionText(crawl: Labelled, of: PrecisionOf, { precision, drawn }: Pick<Measured, 'precision' | 'drawn'>): string {
  if (precision === null)
    return `precision: ${notMeasuredText(drawn && { answered: drawn.kept, needed: drawn.needed })}; to measure it: ${labellingCommand('label', crawl)}`;
  const more = precision.older === undefined ? '' : `; to measure all: ${labellingCommand('label audit', crawl)}`;
  return `${precisionLine(of, precision)}${more}`;
}

/** Example hosts that are named in one line. */
const NAMED_HOSTS = 10;

/** `2 of 4 example hosts were not visited: a.test, b.test`; null if all were, or if none is known. */
export function exampleHostsLine({ hosts, unvisited }: Grounds['exampleHosts']): string | null {
  if (unvisited.length === 0) return null;
  const more = unvisited.length - NAMED_HOSTS;
  const named = `${unvisited.slice(0, NAMED_HOSTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${unvisited.length} of ${counted(hosts, 'example host')} ${unvisited.length === 1 ? 'was' : 'were'} not visited: ${named}`;
}

/** Labels are of one topic. */
function ofTopic(several: boolean): ShellWord[] {
  return several ? ['--topic-name', new Blank('name')] : [];
}
