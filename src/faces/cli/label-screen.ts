/** The texts of `forager label`: a page to label, and the effect of the labels. Pure. */

import { isOnTopic } from '../../base/core/on-topic.ts';
import type { CrawlEvent } from '../../base/core/parts/crawl-events.ts';
import type { Contribution } from '../../base/core/parts/reading.ts';
import { commandOn, foragerCommand } from '../../base/text/forager-command.ts';
import { counted, countText, percentText } from '../../base/text/number-text.ts';
import { printable } from '../../base/text/printable.ts';
import { Blank } from '../../base/text/shell-line.ts';
import { type DrawnAnswers, notMeasuredText, type PrecisionOf, precisionLine } from '../../corpus/describe/precision-text.ts';
import { type Labelled, labellingCommand } from '../../crawling/crawl-dir/topic-part.ts';
import { vectorsText } from '../../reading/topic/vectors-text.ts';
import { precisionOf } from '../../study/inspect/grounds.ts';
import type { RelabelChanges } from '../../study/label/activate-model.ts';
import { isWithinChance } from '../../study/label/label-effect.ts';
import { LEAST_COMPARED } from '../../study/label/label-enough.ts';
import { AUDIT_MARGIN, type CrawlEstimate, missingForMargin, neededFor, type ShareEstimate } from '../../study/label/label-estimate.ts';
import type { QueueName } from '../../study/label/label-queue.ts';
import type { Question } from '../../study/label/page-questions.ts';
import type { RelabelReport } from '../../study/label/retrain.ts';
import type { LabelCounts } from '../../study/label/stored-answers.ts';
import type { UndoReport } from '../../study/label/undo-retraining.ts';
import { clippedToWidth, type Span, styled, wrapped } from './terminal-text.ts';

export interface ScreenLayout {
  /** Columns. */
  readonly width: number;
  readonly colours: boolean;
  /** Reasons shown for and against. */
  readonly top: number;
}

type RetrainedEvent = Extract<CrawlEvent, { type: 'retrained' }>;

const WHY: Readonly<Record<QueueName, string>> = {
  uncertain: 'the model is unsure: the page is nearest to the threshold',
  'new-host': 'the best unanswered page of the least labelled host',
  random: 'drawn at random, to estimate shares',
  spread: 'the crawl asks about pages of all hosts, directories and relevances',
};
/** The smallest contribution of a passage's word that gets a colour, as a share of the largest contribution. */
const COLOURED = 0.25;
/** Examples of either kind after a training. */
const SHOWN_FLIPPED = 3;
const INDENT = '  ';
/** Reasons follow their heading on the same line. */
const NAME_COLUMNS = 'against: '.length;

type ShownPage = Pick<Question, 'title' | 'url' | 'passage'>;

/** Lines of a question; the last one is the prompt, to be written without a line feed. */
export function questionLines(question: Question, number: number, counts: LabelCounts, screen: ScreenLayout): string[] {
  const reasons = [
    verdictOf(question),
    ...ruleLines(question, screen.width),
    `asked because: ${WHY[question.queue]}`,
    ...reasonLines(question, screen),
  ];
  return pageLines(question, `page ${number} (so far ${countsText(counts)})`, reasons, screen);
}

/** Lines of a page with the prompt. @param below its passage */
export function pageLines(page: ShownPage, heading: string, below: readonly string[], screen: ScreenLayout): string[] {
  const { width, colours } = screen;
  return [
    styled(clippedToWidth(`── ${heading} `.padEnd(width, '─'), width), 'dim', colours),
    styled(clippedToWidth(page.title || '(without a title)', width), 'strong', colours),
    clippedToWidth(page.url, Math.max(width, page.url.length + 1)),
    '',
    ...passageLines(page, screen),
    '',
    ...below,
    ...(below.length > 0 ? [''] : []),
    'On topic? y yes, n no, s skip, u undo, q quit: ',
  ];
}

function passageLines({ passage }: Pick<Question, 'passage'>, { width, colours }: ScreenLayout): string[] {
  if (passage.text === '') return [`${INDENT}(no text)`];
  const spans = spansOf(passage.words);
  const before = passage.fromStart ? '' : '… ';
  const text = `${before}${printable(passage.text)}${passage.toEnd ? '' : ' …'}`;
  const moved = spans.map((span) => ({ ...span, start: span.start + before.length, end: span.end + before.length }));
  return wrapped(text, width - INDENT.length, moved, colours).map((line) => INDENT + line);
}

function spansOf(words: Question['passage']['words']): Span[] {
  const largest = words.reduce((most, { contribution }) => Math.max(most, Math.abs(contribution)), 0);
  return words
    .filter(({ contribution }) => Math.abs(contribution) >= COLOURED * largest)
    .map(({ start, end, contribution }) => ({ start, end, style: contribution > 0 ? 'for' : 'against' }));
}

function verdictOf({ relevance, threshold, kept }: Question): string {
  const side = isOnTopic(relevance, threshold) ? 'on topic' : 'off topic';
  return `relevance ${relevance.toFixed(3)}, threshold ${threshold.toFixed(3)}: ${side} by the model; ${kept ? 'in' : 'not in'} the corpus`;
}

/** The rule, and the relevance by the model alone. */
function ruleLines({ explanation: { rule, logit } }: Question, width: number): string[] {
  if (rule === undefined) return [];
  const alone = 1 / (1 + Math.exp(-logit));
  return [clippedToWidth(`by the rule ${rule.text}; by the model alone ${alone.toFixed(3)}`, width)];
}

function reasonLines({ explanation }: Question, { width, top }: ScreenLayout): string[] {
  const signed = [
    ['for:', explanation.contributions.filter(({ contribution }) => contribution > 0)],
    ['against:', explanation.contributions.filter(({ contribution }) => contribution < 0)],
  ] as const;
  return signed.flatMap(([name, contributions]) => {
    const reasons = contributions.slice(0, top).map(reasonText).join(', ') || 'nothing';
    return wrapped(printable(reasons), width - NAME_COLUMNS, [], false).map((line, i) => (i === 0 ? name : '').padEnd(NAME_COLUMNS) + line);
  });
}

function reasonText({ feature, contribution }: Contribution): string {
  return `${feature} ${contribution < 0 ? '-' : '+'}${Math.abs(contribution).toFixed(2)}`;
}

export function countsText({ yes, no, skipped }: LabelCounts): string {
  return `${countText(yes)} yes, ${countText(no)} no${skipped > 0 ? `, ${countText(skipped)} skipped` : ''}`;
}

/** Estimates from the random third of the questions. A share without any answer has no line. @param harvest of the pages a harvest takes, after a training */
export function estimateLines({ kept, notKept, judged }: CrawlEstimate, harvest: ShareEstimate | null): string[] {
  const lines = [shareLine('kept', kept), ...(harvest === null ? [] : [shareLine('harvest', harvest)]), notKeptLine(notKept)];
  if (judged !== null && [kept, notKept].every((one) => one.pages + one.later === 0 || one.isMeasured))
    lines.push(`on topic among all ${countText(judged.pages)} judged pages: ${percentText(judged.share)}${intervalText(judged.interval)}`);
  return lines.flatMap((line) => line ?? []);
}

/** Line about a share, as in `status` and on the card; null without any answer. */
function shareLine(of: PrecisionOf, share: ShareEstimate): string | null {
  const precision = precisionOf(share);
  if (precision !== null) return `${precisionLine(of, precision)}${skippedText(share)}`;
  if (share.answered === 0) return null;
  return `precision: ${notMeasuredText(drawnOf(share), of === 'kept' ? 'kept pages' : 'such pages')}`;
}

function notKeptLine(share: ShareEstimate): string | null {
  const name = 'on topic among pages not kept';
  if (share.share === null) return null;
  if (!share.isMeasured) return `${name}: ${notMeasuredText(drawnOf(share), 'pages')}`;
  return `${name}: ${percentText(share.share)}${intervalText(share.interval)}, measured by ${counted(share.answered, 'answer')} to pages drawn at random${skippedText(share)}`;
}

function drawnOf(share: ShareEstimate): DrawnAnswers {
  return { answered: share.answered, needed: neededFor(share) };
}

function skippedText({ skipped }: ShareEstimate): string {
  return skipped > 0 ? `; ${countText(skipped)} more skipped` : '';
}

/** Result of an audit: the precision, and how many more answers a useful margin needs. @param dir the crawl directory, as the user named it */
export function auditLines(crawl: Labelled, { kept }: CrawlEstimate): string[] {
  const more = missingForMargin(kept, AUDIT_MARGIN);
  const margin = `±${AUDIT_MARGIN * 100} points`;
  const share = kept.share === null ? 'half of them are y' : `${percentText(kept.share)} of them are y, as so far`;
  return [
    shareLine('kept', kept) ?? 'precision: not measured; no page drawn at random is answered y or n',
    more === 0
      ? `the margin is at most ${margin}`
      : `for a margin of ${margin}: ${counted(more, 'more answer')} y or n, assuming that ${share}: ${labellingCommand('label audit', crawl, '--count', String(more))}`,
  ];
}

function intervalText({ low, high }: { readonly low: number; readonly high: number }): string {
  return ` (95 % interval ${percentText(low)} to ${percentText(high)})`;
}

/** Effect of a retraining. @param dir the crawl directory, as the user named it @param crawl as commands name it */
export function relabelLines(dir: string, report: RelabelReport, crawl: Labelled = { dir }): string[] {
  const { from, to, active, threshold, changes, card } = report;
  const trained = trainedText(report);
  if (from === to) return [`${trained}: the model stays as it was (${to})`];
  if (!active)
    return [
      `${trained}: the new model is not activated, since it is worse on held-out labels; ${from} stays active`,
      ...effectLines(report),
      keptBesideText(dir, to, crawl),
    ];
  return [
    `${trained}: model ${to} replaces ${from}, threshold ${threshold.toFixed(3)}`,
    ...effectLines(report),
    ...[vectorsText(card)].flatMap((line) => line ?? []),
    ...changeLines(dir, changes),
  ];
}

function trainedText({ yes, no, modelAnswers, pool }: Pick<RetrainedEvent, 'yes' | 'no' | 'modelAnswers' | 'pool'>): string {
  const taught = modelAnswers === 0 ? '' : `, and ${counted(modelAnswers, 'answer')} of a language model`;
  const unlabelled = `${counted(pool, 'unlabelled page')} of the warm-up`;
  if (yes + no === 0) return `trained again with ${unlabelled}`;
  return `trained again with ${counted(yes, 'page')} on topic and ${countText(no)} off topic${taught}${pool === 0 ? '' : `, and ${unlabelled}`}`;
}

/** A retraining of a running crawl, in one line. @param dir the crawl directory, as the user named it */
export function retrainedText(dir: string, { topic, from, to, active, yes, no, modelAnswers, pool, held, ms }: RetrainedEvent): string {
  const trained = `${topic === undefined ? '' : `topic ${topic} `}${trainedText({ yes, no, modelAnswers, pool })}`;
  if (from === to) return `${trained}: the model stays as it was (${to})`;
  const precision = held === null ? '' : `; held-out average precision ${held.before.toFixed(3)} before, ${held.after.toFixed(3)} after`;
  const hint = held?.compared === false ? ' (a hint, not a measurement)' : '';
  return active
    ? `${trained}: model ${to} replaces ${from}${precision}${hint}; judging everything again took ${(ms / 1000).toFixed(1)} s`
    : `${trained}: the new model is not activated, since ${held === null ? 'it finds most pages of the warm-up on topic' : 'it is worse on held-out labels'}${precision}${hint}; ${keptBesideText(dir, to, { dir, topicName: topic })}`;
}

/** Place of a model that was not activated, and the command that activates it. */
export function keptBesideText(dir: string, id: string, crawl: Labelled = { dir }): string {
  return `the new model is kept in ${dir}/models/${id}; to activate it anyway: ${labellingCommand('label train', crawl, '--even-if-worse')}`;
}

/** Effect of undoing a retraining. */
export function undoLines(dir: string, { from, to, threshold, changes }: UndoReport, crawl: Labelled = { dir }): string[] {
  return [
    `model ${to} is active again and replaces ${from}, threshold ${threshold.toFixed(3)}`,
    ...changeLines(dir, changes),
    `the answers stay stored, and the next training uses them; to change some: ${labellingCommand('label import', crawl, new Blank('file'))} with lines such as <url>,n or <url>,skip`,
  ];
}

function changeLines(dir: string, changes: RelabelChanges): string[] {
  const { nowOnTopic, noLongerOnTopic, flipped, reopened, visited, kept, keptOffTopic, waiting, first, stillFirst } = changes;
  return [
    `judged again: ${counted(nowOnTopic, 'page is', 'pages are')} on topic now, ${countText(noLongerOnTopic)} no longer`,
    ...flippedLines('now', flipped.nowOnTopic),
    ...flippedLines('no longer', flipped.noLongerOnTopic),
    ...(reopened > 0
      ? [
          `${INDENT}${counted(reopened, 'page')} on topic ${reopened === 1 ? 'is' : 'are'} not in the corpus; a crawl requests ${reopened === 1 ? 'it' : 'them'} again first: ${commandOn('crawl', dir, '--max-pages', String(visited + reopened))}`,
        ]
      : []),
    ...(keptOffTopic > 0
      ? [
          `${INDENT}${countText(kept - keptOffTopic)} of the ${countText(kept)} in the corpus ${kept - keptOffTopic === 1 ? 'is' : 'are'} on topic by the active model; a harvest omits the others`,
        ]
      : []),
    `frontier: ${counted(waiting, 'URL waits', 'URLs wait')}; of the ${countText(first)} that were next, ${countText(stillFirst)} still ${stillFirst === 1 ? 'is' : 'are'}`,
  ];
}

/** Random examples. */
function flippedLines(name: string, pages: RelabelChanges['flipped']['nowOnTopic']): string[] {
  return pages
    .slice(0, SHOWN_FLIPPED)
    .map(({ url, before, now }) => `${INDENT}${name}: ${before?.toFixed(3) ?? '-'} → ${now.toFixed(3)} ${printable(url)}`);
}

/** Next steps if a retraining changed the number of on-topic pages by more than half, which a few answers should not do; null otherwise. */
export function upheavalText(dir: string, { onTopicBefore, onTopic, reopened }: RelabelChanges): string | null {
  if (Math.abs(onTopic - onTopicBefore) <= onTopicBefore / 2) return null;
  const ledgers = [
    commandOn('ledger', dir, '--state', 'kept,off-topic'),
    ...(reopened > 0 ? [commandOn('ledger', dir, '--reason', 'reopened')] : []),
  ];
  return `pages on topic: ${countText(onTopicBefore)} before, ${countText(onTopic)} now; look at some: ${ledgers.join('; ')}; then ${foragerCommand('why')}. To change a wrong answer: ${commandOn('label import', dir, new Blank('file'))}, with a line <url>,n or <url>,skip. To activate the previous model again: ${commandOn('label undo', dir)}`;
}

function effectLines({ effect, harvest, active, yes, no }: RelabelReport): string[] {
  if (effect === null)
    return ['not compared with the previous model: that needs labels of both kinds, and on-topic pages from at least two hosts'];
  const { before, after, change, pages, hosts, heldOut, compared } = effect;
  if (!compared)
    return [
      `not compared with the previous model: ${countText(yes)} on topic and ${countText(no)} off topic are too few labels; ${LEAST_COMPARED} of each are needed`,
      ...(active
        ? []
        : [
            `${INDENT}these few give held-out average precision ${before.toFixed(3)} before, ${after.toFixed(3)} after: a hint, not a measurement`,
          ]),
    ];
  const unseen = heldOut === 'hosts' ? 'had seen no page of its host' : 'had not seen it';
  const precision = harvest && shareLine('harvest', harvest);
  const lines = precision === null ? [] : [precision];
  const within = isWithinChance(effect) ? ['activated: the difference is inside its own 95 % interval, so it shows nothing'] : [];
  return [
    ...within,
    `held-out average precision: ${before.toFixed(3)} before, ${after.toFixed(3)} after (${signedText(after - before)}; 95 % interval ${signedText(change.low)} to ${signedText(change.high)})`,
    `${INDENT}measured on ${counted(pages, 'labelled page')} of ${counted(hosts, 'host')}; each was judged by models that ${unseen}`,
    ...lines,
  ];
}

function signedText(x: number): string {
  return `${x < 0 ? '-' : '+'}${Math.abs(x).toFixed(3)}`;
}
