/** The explanation of one URL: its page by the topic model, its link by the link scorer, as bars that add up to the logit. */
import { isOnTopic } from '../../core/on-topic.ts';
import type { Contribution } from '../../core/parts/reading.ts';
import type { Why } from '../../inspect/why.ts';
import { html, type Markup } from '../markup.ts';
import { figure, outLink, urlLink } from '../pieces.ts';
import { get, type Route } from '../route.ts';
import { countText, STRINGS, signedText, unitText } from '../strings.ts';

const TEXT = STRINGS.why;
/** Contributions shown of each sign, as `forager why` does. */
const SHOWN = 10;
/** Of the picture of a bar, in its own units: none in the middle. */
const [HALF, HEIGHT] = [50, 10];

export const explanation: readonly Route[] = [
  get('/why', async ({ place, query }) => {
    const [url, topicName] = [query.get('url') ?? '', query.get('topic')];
    const found = await place.reader.ask('why', { url, ...(topicName === null ? {} : { topicName }) });
    return { kind: 'screen', title: TEXT.title, main: html`${head(found)}<div class="panels">${page(found, url)}${link(found)}</div>` };
  }),
];

function head({ line, explored }: Why): Markup {
  const { url, state, reason, status, depth, order, fetchedAt, revisit } = line;
  return html`<h1 class="url"><bdi>${url}</bdi></h1><p>${outLink(url)}</p><dl class="figures">
${figure(TEXT.state, state, reason === '' ? null : reason)}
${status !== null && figure(TEXT.status, status)}
${figure(TEXT.depth, countText(depth))}
${order !== null && figure(TEXT.order, countText(order), explored ? TEXT.explored : null)}
${fetchedAt !== null && figure(TEXT.fetchedAt, html`<small>${fetchedAt}</small>`)}
${revisit !== undefined && figure(TEXT.revisited, html`<small>${revisit.at}</small>`)}
</dl>`;
}

function page({ page: judged }: Why, url: string): Markup {
  if (judged === null) return html`<section><h2>${TEXT.page}</h2><p>${TEXT.notJudged}</p></section>`;
  const { topic, relevance, threshold, title, explanation: sum, topics = [] } = judged;
  const others = topics.filter(({ name }) => name !== topic);
  const verdict = isOnTopic(relevance, threshold) ? TEXT.onTopic : TEXT.offTopic;
  return html`<section><h2>${TEXT.page}</h2><p><bdi>${title}</bdi></p>
<p>${TEXT.relevance(unitText(relevance), unitText(threshold))} ${verdict}</p>
${bars(sum.bias, sum.contributions, sum.logit)}
${sum.rule && html`<p>${TEXT.rule(sum.rule.text, unitText(sum.rule.relevance))}</p>`}
${others.length > 0 && html`<h3>${TEXT.otherTopics}</h3><ul>${others.map((other) => html`<li><a href="/why?url=${encodeURIComponent(url)}&amp;topic=${encodeURIComponent(other.name)}">${other.name}</a> ${unitText(other.relevance)}</li>`)}</ul>`}</section>`;
}

function link({ link: followed }: Why): Markup {
  if (followed === null) return html`<section><h2>${TEXT.link}</h2><p>${TEXT.seed}</p></section>`;
  const { edge, explanation: sum } = followed;
  const { anchorText, context, tagPath } = edge.link;
  return html`<section><h2>${TEXT.link}</h2><p>${TEXT.from} ${urlLink(edge.referrer.url)} ${TEXT.referrer(unitText(edge.referrer.relevance))}</p>
<p>${TEXT.anchor} <q><bdi>${anchorText}</bdi></q>, <code>${tagPath}</code></p><p><small><bdi>${context}</bdi></small></p>
<p>${TEXT.priority(unitText(sum.priority), countText(edge.learnedFrom))} <small>${sum.rule}</small></p>
${bars(sum.bias, sum.contributions, sum.logit)}</section>`;
}

/** The largest contributions of each sign, the rest of them in one, the bias, and their sum. */
function bars(bias: number, contributions: readonly Contribution[], logit: number): Markup {
  const shown = [1, -1].flatMap((sign) => contributions.filter(({ contribution }) => contribution * sign > 0).slice(0, SHOWN));
  const total = (some: readonly Contribution[]) => some.reduce((sum, { contribution }) => sum + contribution, 0);
  const left = contributions.length - shown.length;
  const rows: Contribution[] = [
    ...shown,
    ...(left > 0 ? [{ feature: TEXT.smaller(countText(left)), contribution: total(contributions) - total(shown) }] : []),
    { feature: TEXT.bias, contribution: bias },
  ];
  const longest = Math.max(...[...rows, { contribution: logit }].map(({ contribution }) => Math.abs(contribution)), Number.MIN_VALUE);
  const row = ({ feature, contribution }: Contribution) =>
    html`<tr><td><bdi>${feature}</bdi></td><td class="number">${signedText(contribution)}</td><td>${bar(contribution / longest)}</td></tr>`;
  return html`<div class="table" tabindex="0" role="region" aria-label="${TEXT.sum}"><table class="bars"><caption>${TEXT.sum}</caption><tbody>${rows.map(row)}</tbody><tfoot>${row({ feature: TEXT.logit, contribution: logit })}</tfoot></table></div>`;
}

/** @param share of the longest bar, in [-1, 1] */
function bar(share: number): Markup {
  const width = Math.abs(share) * HALF;
  const x = share < 0 ? HALF - width : HALF;
  const kind = share < 0 ? 'against' : 'for';
  return html`<svg class="bar" viewBox="0 0 ${2 * HALF} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><rect class="${kind}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="${HEIGHT}"/></svg>`;
}
