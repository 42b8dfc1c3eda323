import { failureText } from '../../../base/core/failure-words.ts';
import { isOnTopic } from '../../../base/core/on-topic.ts';
import type { Explanation, TopicExplanation } from '../../../base/core/parts/reading.ts';
import { isWall } from '../../../base/core/reason.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import { wishedPageText } from '../../../base/text/wishes-text.ts';
import type { SiblingChange } from '../../../corpus/select/sibling-votes.ts';
import { whyOriginText } from '../../../study/inspect/crawl-origin.ts';
import type { KindSum, PartSum } from '../../../study/inspect/kind-sums.ts';
import { renderedVisitText } from '../../../study/inspect/rendering-text.ts';
import { featureText, shownSum } from '../../../study/inspect/shown-sum.ts';
import type { Why } from '../../../study/inspect/why.ts';
import { print, printJson } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { clippedToWidth } from '../terminal-text.ts';

export async function runWhy(options: CommandOptions<'why'>): Promise<number> {
  const { dir, url, top = SHOWN, json, ...by } = options;
  const { why } = await import('../../../study/inspect/why.ts');
  const found = await why(dir, url, by);
  if (json) printJson(found);
  else describe(found, top);
  return 0;
}

/** Contributions shown of each sign. */
const SHOWN = 10;
/** Columns of the text of a block. */
const MAX_BLOCK = 60;

function describe({ line, explored, origin, render, page, link }: Why, top: number): void {
  const status = line.status === null ? '' : `, HTTP ${line.status}`;
  print(`${line.url}`);
  print(`state ${line.state}${line.reason ? ` (${line.reason})` : ''}${status}, depth ${line.depth}, ${visitText(line, explored)}`);
  if (origin) print(whyOriginText(origin));
  if (line.retry) print(retryText(line.retry));
  const rendered = renderedVisitText(line, render);
  if (rendered !== null) print(rendered);
  if (page) describePage(page, top);
  else print(`\nThe page was not judged${isWall(line.reason) ? `: ${failureText(line.reason)}` : ''}.`);
  if (link) describeLink(link, top);
  else print('\nIt is a seed: no link led here, and its priority is 1.');
}

/** A fetched URL without a number is a sitemap, a feed or a file of reservations. */
function visitText({ order, state }: Why['line'], explored: boolean): string {
  if (order === null) return state === 'fetched' ? 'fetched, not counted among the visited pages' : 'not visited';
  return `visited as number ${order}${explored ? ', drawn at random' : ''}`;
}

function retryText({ reason, attempts, notBefore, givenUp }: NonNullable<Why['line']['retry']>): string {
  const tries = `tried ${counted(attempts, 'time')}, the last time: ${failureText(reason)} (${reason})`;
  return `${tries}; next try at ${notBefore} or later, and given up at ${givenUp} or later`;
}

function describePage(
  { topic, relevance, threshold, title, explanation, kinds, siblings, topics = [], hook, alternate }: NonNullable<Why['page']>,
  top: number,
): void {
  const by = topics.length > 0 ? `topic ${topic}, ` : '';
  print(`\nPage "${title}": ${by}${verdictText({ relevance, threshold })}`);
  describeSum(explanation, kinds, top);
  if (explanation.rule) describeRule(explanation.rule, explanation.logit);
  if (hook) describeHook(hook, threshold);
  if (alternate)
    print(
      `  it is kept with ${alternate.of}, which declares it as its page in another language, and has its relevance ${alternate.relevance.toFixed(4)}`,
    );
  if (explanation.steering) print(`  ${wishedPageText(explanation.steering)}`);
  const others = topics.filter(({ name }) => name !== topic);
  if (others.length > 0) print('  by the other topics:');
  for (const other of others) print(`    ${other.name}: ${verdictText(other)}`);
  describeSiblings(siblings, top);
}

/** The word of the user's judge and hooks, in place of that of the model. */
function describeHook(
  { modelRelevance, relevance, judgedBy, because, troubles = [] }: NonNullable<NonNullable<Why['page']>['hook']>,
  threshold: number,
): void {
  const reason = because === undefined ? '' : `: ${because}`;
  const verdict = isOnTopic(relevance, threshold) ? 'on topic' : 'off topic';
  if (modelRelevance !== undefined)
    print(
      `  ${judgedBy === 'judge' ? 'the judge of --judge-by' : 'hook afterRead'} gives ${relevance.toFixed(4)} in place of ${modelRelevance.toFixed(4)}, ${verdict}${reason}`,
    );
  else if (because !== undefined) print(`  hook afterRead says${reason}`);
  for (const trouble of troubles) print(`  ${troubleText(trouble)}: ${trouble}`);
}

/** Consequence of a failure, by the code that failed. */
function troubleText(trouble: string): string {
  if (trouble.startsWith('judge ')) return 'the page has the relevance of the model';
  return trouble.startsWith('strategy ') ? 'links of the page have its relevance as their priority' : 'the page was visited without a hook';
}

/** Blocks that differ between the page alone and its text in a harvest. */
function describeSiblings(changes: readonly SiblingChange[], top: number): void {
  if (changes.length === 0) return;
  print(`  rule siblings changes ${counted(changes.length, 'block')} of its text in a harvest:`);
  for (const { text, isKept, agree, pages } of changes.slice(0, 2 * top)) {
    const verb = isKept ? 'keep' : 'leave out';
    print(
      `    ${isKept ? '+' : '-'} ${clippedToWidth(text.replaceAll(/\s+/g, ' '), MAX_BLOCK)}  (${agree} of ${pages} pages ${verb} theirs)`,
    );
  }
  if (changes.length > 2 * top) print(`    and ${countText(changes.length - 2 * top)} more`);
}

function verdictText({ relevance, threshold }: { readonly relevance: number; readonly threshold: number }): string {
  const verdict = isOnTopic(relevance, threshold) ? 'on topic' : 'off topic';
  return `relevance ${relevance.toFixed(4)}, threshold ${threshold.toFixed(4)}: ${verdict} by the model`;
}

/** A rule turns the model's relevance into the relevance of the page. */
function describeRule({ text, relevance, conditions, withoutNot = relevance }: NonNullable<TopicExplanation['rule']>, logit: number): void {
  const alone = 1 / (1 + Math.exp(-logit));
  print(`  the model alone gives ${alone.toFixed(4)}; its rule overrides that: ${text}`);
  for (const { condition, value } of conditions) print(`     ${value.toFixed(4)}  ${condition}`);
  print(`     ${relevance.toFixed(4)}  = relevance by the rule`);
  if (withoutNot !== relevance) print(`     ${withoutNot.toFixed(4)}  = without NOT, which excludes this page`);
}

function describeLink({ edge, explanation, kinds }: NonNullable<Why['link']>, top: number): void {
  const { referrer, link, learnedFrom } = edge;
  print(`\nLink from ${referrer.url} (relevance ${referrer.relevance.toFixed(4)}, ${referrer.offTopicDepth} hops off topic)`);
  print(`  anchor "${link.anchorText}", in ${link.tagPath || 'no element'} (${link.zone}); context "${link.context}"`);
  print(`  priority ${explanation.priority.toFixed(4)}: ${explanation.rule}; scored after lessons from ${learnedFrom} pages`);
  describeSum(explanation, kinds, top);
}

/** First the sums by kind, which are the whole reason; then the largest parts. */
function describeSum(explanation: Explanation, kinds: readonly KindSum[], top: number): void {
  const { shown, smaller, bias, logit } = shownSum(explanation, top);
  for (const kind of kinds) print(`  ${kindText(kind)}`);
  for (const one of shown) print(`  ${signed(one.contribution)}  ${featureText(one)}`);
  if (smaller.count > 0) print(`  ${signed(smaller.contribution)}  ${countText(smaller.count)} smaller contributions`);
  print(`  ${signed(bias)}  bias`);
  print(`  ${signed(logit)}  = logit`);
}

/** `words of the main text: +4.12 (410 for, +6.20; 211 against, -2.08)`. */
function kindText({ kind, sum, for: above, against: below }: KindSum): string {
  const part = (one: PartSum, side: string) => (one.count === 0 ? [] : [`${countText(one.count)} ${side}, ${short(one.sum)}`]);
  return `${kind}: ${short(sum)} (${[...part(above, 'for'), ...part(below, 'against')].join('; ')})`;
}

function short(x: number): string {
  return `${x < 0 ? '-' : '+'}${Math.abs(x).toFixed(2)}`;
}

function signed(x: number): string {
  return `${x < 0 ? '-' : '+'}${Math.abs(x).toFixed(6)}`.padStart(11);
}
