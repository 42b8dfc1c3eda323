/** Explanation of a URL's state: its page by the topic model, its link by the link scorer. */

import { isOnTopic } from '../../../base/core/on-topic.ts';
import type { TopicExplanation } from '../../../base/core/parts/reading.ts';
import type { TopicJudgement } from '../../../base/core/types.ts';
import { countText } from '../../../base/text/number-text.ts';
import { renderedVisitText } from '../../../study/inspect/rendering-text.ts';
import type { Why } from '../../../study/inspect/why.ts';
import { type Content, html, type Markup } from '../markup.ts';
import { addressOf, filterForm, outLink, table, textField, urlLink } from '../pieces.ts';
import { get, type Route } from '../route.ts';
import { STRINGS, unitText } from '../strings.ts';
import { kindBars, sumBars } from '../sum-bars.ts';
import { versionTable } from '../version-table.ts';

const TEXT = STRINGS.why;
/** Contributions shown of each sign, as in `forager why`. */
const SHOWN = 10;

export const whyScreen: readonly Route[] = [
  get('/why', async ({ place, query }) => {
    const url = query.get('url')?.trim() ?? '';
    const form = filterForm('/why', textField(TEXT.ask, 'url', url));
    if (url === '') return { kind: 'screen', title: TEXT.title, main: html`<h1>${TEXT.title}</h1>${form}`, still: true };
    const topicName = query.get('topic') ?? '';
    const why = await place.reader.ask('why', { url, ...(topicName !== '' && { topicName }) });
    // A page that was not requested again has one version.
    const history = why.line.revisit ? await place.reader.ask('history', { url }) : null;
    const main = html`${form}${explained(why, query.has('all'), topicName)}${versionTable(history)}`;
    return { kind: 'screen', title: TEXT.title, main, still: true };
  }),
];

function explained(why: Why, all: boolean, topicName: string): Markup {
  const top = all ? Number.POSITIVE_INFINITY : SHOWN;
  const { url } = why.line;
  const other = addressOf('/why', { url, topic: topicName, all: all ? '' : 'yes' });
  return html`<h1 class="url"><bdi>${url}</bdi></h1>${stateOf(why)}
<p>${outLink(url)} · <a href="${other}">${all ? TEXT.fewParts : TEXT.allParts}</a></p>
<div class="panels">${revisitOf(why)}${pageOf(why, top)}${linkOf(why, top)}</div>`;
}

function stateOf({ line, explored, render }: Why): Markup {
  const { state, reason, status, depth, order, fetchedAt, retry } = line;
  const visit = order === null ? (state === 'fetched' ? TEXT.notCounted : TEXT.notVisited) : TEXT.visitNumber(countText(order));
  return html`<p class="state">${state}${reason !== '' && html` (<bdi>${reason}</bdi>)`}</p>
${facts([
  [TEXT.visit, html`${visit}${explored && html`, ${TEXT.drawn}`}`],
  [TEXT.depth, countText(depth)],
  [TEXT.status, status],
  [TEXT.fetchedAt, fetchedAt],
  [TEXT.browser, renderedVisitText(line, render)],
])}
${retry && html`<p class="warning">${TEXT.retry(countText(retry.attempts), retry.reason)} ${TEXT.nextTry(retry.notBefore, retry.givenUp)}</p>`}`;
}

function revisitOf({ line: { revisit } }: Why): Markup | null {
  if (revisit === undefined) return null;
  const { at, status, result, version } = revisit;
  return html`<section><h2>${TEXT.revisit}</h2>${facts([
    [TEXT.lastRevisit, at],
    [TEXT.result, result],
    [TEXT.status, status],
    [TEXT.newest, version === null ? TEXT.firstVersion : version.recordId],
    [TEXT.newestRelevance, version && unitText(version.relevance)],
  ])}</section>`;
}

function pageOf({ line: { url }, page }: Why, top: number): Markup {
  if (page === null) return html`<section><h2>${TEXT.page}</h2><p>${TEXT.notJudged}</p></section>`;
  const { topic, relevance, threshold, title, explanation, kinds, topics = [], alternate } = page;
  return html`<section><h2>${TEXT.page}</h2>${facts([
    [TEXT.titleOf, html`<bdi>${title}</bdi>`],
    [TEXT.topic, topics.length > 0 ? html`<bdi>${topic}</bdi>` : null],
    [TEXT.relevance, unitText(relevance)],
    [TEXT.threshold, unitText(threshold)],
    [TEXT.verdict, isOnTopic(relevance, threshold) ? TEXT.onTopic : TEXT.offTopic],
    [TEXT.alternateOf, alternate ? urlLink(alternate.of) : null],
    [TEXT.keptRelevance, alternate ? unitText(alternate.relevance) : null],
  ])}${topics.length > 0 && topicTable(url, topics)}${kindBars(TEXT.kinds, explanation, kinds)}${sumBars(TEXT.pageSum, explanation, top)}${ruleOf(explanation)}</section>`;
}

/** Each name leads to the explanation by that topic. */
function topicTable(url: string, topics: readonly TopicJudgement[]): Markup {
  return table(
    TEXT.topics,
    [
      { head: TEXT.topic, cell: ({ name }) => html`<a href="${addressOf('/why', { url, topic: name })}"><bdi>${name}</bdi></a>` },
      { head: TEXT.relevance, cell: ({ relevance }) => unitText(relevance), isNumber: true },
      { head: TEXT.threshold, cell: ({ threshold }) => unitText(threshold), isNumber: true },
      { head: TEXT.verdict, cell: ({ onTopic }) => (onTopic ? TEXT.onTopic : TEXT.offTopic) },
    ],
    topics,
  );
}

/** A rule turns the model's relevance into the relevance of the page. */
function ruleOf({ rule, logit }: TopicExplanation): Markup | null {
  if (rule === undefined) return null;
  const conditions = rule.conditions.map(({ condition, value }) => [condition, unitText(value)] as const);
  return html`<h3>${TEXT.rule}</h3><p>${TEXT.ruleOverrides(unitText(1 / (1 + Math.exp(-logit))))} <bdi>${rule.text}</bdi></p>
${facts([...conditions, [TEXT.byRule, unitText(rule.relevance)]])}`;
}

function linkOf({ link }: Why, top: number): Markup {
  if (link === null) return html`<section><h2>${TEXT.link}</h2><p>${TEXT.seed}</p></section>`;
  const { referrer, link: text, learnedFrom } = link.edge;
  const { priority, rule } = link.explanation;
  return html`<section><h2>${TEXT.link}</h2>${facts([
    [TEXT.referrer, urlLink(referrer.url)],
    [TEXT.referrerRelevance, unitText(referrer.relevance)],
    [TEXT.hops, countText(referrer.offTopicDepth)],
    [TEXT.anchor, html`<bdi>${text.anchorText}</bdi>`],
    [TEXT.place, `${text.tagPath || TEXT.noPlace} (${text.zone})`],
    [TEXT.context, html`<bdi>${text.context}</bdi>`],
    [TEXT.priority, unitText(priority)],
    [TEXT.byFormula, html`<bdi>${rule}</bdi>`],
    [TEXT.lessons, TEXT.lessonPages(countText(learnedFrom))],
  ])}${kindBars(TEXT.kinds, link.explanation, link.kinds)}${sumBars(TEXT.linkSum, link.explanation, top)}</section>`;
}

/** Names with their values; null is left away. */
function facts(rows: readonly (readonly [string, Content])[]): Markup {
  return html`<dl class="facts">${rows.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
