/** The last pages of the crawl: why each was visited, and the label of a person who disagrees with the model. */

import { UsageError } from '../../../base/core/errors.ts';
import { isOnTopic } from '../../../base/core/on-topic.ts';
import type { VisitedPageLine } from '../../../study/inspect/survey.ts';
import { labellerIn } from '../label-pieces.ts';
import { type Content, html, type Markup } from '../markup.ts';
import { deskOf } from '../opened-crawl.ts';
import { actionForm, type HtmlColumn, hidden, table, urlLink } from '../pieces.ts';
import type { DatedSurvey } from '../readings.ts';
import { type Asked, post } from '../route.ts';
import { STRINGS, unitText } from '../strings.ts';

const TEXT = STRINGS.overview;
/** States of pages that have a relevance and a text. */
const LABELLED: ReadonlySet<string> = new Set(['kept', 'off-topic']);

/** A crawl of several topics has no labels. */
export function lastPages({ last: visited, status, at }: DatedSurvey, { formToken, place }: Asked): Markup {
  // They come back with their labels.
  const last = visited.filter(({ url }) => !place.lateLabels.isLaterThan(url, at));
  if (last.length === 0) return html`<section><h2>${TEXT.last}</h2><p>${TEXT.noLast}</p></section>`;
  const { threshold } = status.topic;
  const labels: HtmlColumn<VisitedPageLine> = { head: TEXT.label, cell: (line) => labelOf(line, threshold, formToken) };
  const columns = [...COLUMNS, ...(status.topics.length > 0 ? [] : [labels])];
  return html`<section class="last"><h2>${TEXT.last}</h2>${table(TEXT.last, columns, last)}<p><small>${TEXT.lastKeys}</small></p></section>`;
}

export const labelLast = post('/label/page', async (asked) => {
  const { place, form } = asked;
  const answer = form.get('answer');
  if (answer !== 'y' && answer !== 'n') throw new UsageError(TEXT.noAnswer);
  const url = form.get('url') ?? '';
  await (await deskOf(place)).ask('label', { by: labellerIn(asked), url, answer });
  place.lateLabels.note(url, Date.now());
  await place.run.acted('label', [url]);
  return { kind: 'see', path: '/' };
});

const COLUMNS: readonly HtmlColumn<VisitedPageLine>[] = [
  { head: TEXT.relevance, cell: ({ relevance }) => (relevance === null ? STRINGS.none : unitText(relevance)), isNumber: true },
  { head: TEXT.state, cell: ({ state, reason }) => html`${state}${reason !== '' && html` <small>${reason}</small>`}` },
  { head: TEXT.url, cell: ({ url }) => urlLink(url) },
];

/** The person's answer, with the button for the opposite of it; without an answer, for the opposite of the model's verdict. */
function labelOf({ url, state, relevance, answer }: VisitedPageLine, threshold: number, formToken: string): Content {
  if (relevance === null || !LABELLED.has(state)) return null;
  const said = answer === 'y' || answer === 'n' ? answer : null;
  const opposite = (said ?? (isOnTopic(relevance, threshold) ? 'y' : 'n')) === 'y' ? 'n' : 'y';
  const content = html`${hidden('url', url)}${hidden('answer', opposite)}<button data-row-key="w" title="${TEXT.labelAs[opposite]}">${said === null ? TEXT.isWrong : TEXT.otherwise}</button>`;
  return html`${said !== null && html`<span>${TEXT.labelled[said]}</span> `}${actionForm(formToken, '/label/page', content)}`;
}
