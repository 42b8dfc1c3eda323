/** The screen for labels: one page at a time, by keys or buttons; the estimate; the training. */

import { isOnTopic } from '../../../base/core/on-topic.ts';
import { countText } from '../../../base/text/number-text.ts';
import { sentence } from '../../../base/text/sentence.ts';
import { notMeasuredText } from '../../../corpus/describe/precision-text.ts';
import type { FlippedPage } from '../../../study/label/activate-model.ts';
import { MOST_OF_PLACE } from '../../../study/label/page-places.ts';
import type { Question } from '../../../study/label/page-questions.ts';
import type { HostOrDirectory, Labeller, LabelScreen, Measured, Training } from '../label-desk.ts';
import { IDLE } from '../label-desk.ts';
import { backOf, labelForm, labellerIn, marked, modes } from '../label-pieces.ts';
import { html, type Markup } from '../markup.ts';
import { deskOf } from '../opened-crawl.ts';
import { actionForm, hidden, outLink, table, urlLink } from '../pieces.ts';
import { type Asked, get, post, type Reply, type Route } from '../route.ts';
import { STRINGS, unitText } from '../strings.ts';
import { judgeSection } from './label-judge.ts';
import { labelFiles, peopleOf } from './label-people.ts';

const TEXT = STRINGS.label;
/** Pages that one key may answer without a question: a wrong key is undone by u. */
const UNASKED = 20;
const ANSWERS = { y: 'y', n: 'n', s: 'skip' } as const;

export const labels: readonly Route[] = [
  get('/label', async (asked) => {
    const screen = await (await deskOf(asked.place)).ask('screen', { by: labellerIn(asked) });
    const { question } = screen;
    const page = question === null ? html`<section><p>${TEXT.none}</p></section>` : questionOf(question, screen, asked);
    const beside = html`<aside>${estimateOf(screen)}${trainingOf(screen, asked)}${judgeSection(screen)}${peopleOf(screen, asked)}${labelFiles(screen, asked)}${sessionOf(screen, asked)}</aside>`;
    const main = html`<h1>${TEXT.title}</h1>${modes(asked, '/label')}<div class="label">${page}${beside}</div>`;
    return { kind: 'screen', title: TEXT.title, main, script: 'label' };
  }),
  step('/label/answer', async ({ place, form }, by) => {
    const answer = ANSWERS[(form.get('answer') ?? '') as keyof typeof ANSWERS];
    if (answer !== undefined) await (await deskOf(place)).ask('answerAll', { by, answers: [{ url: form.get('url') ?? '', answer }] });
  }),
  post('/label/none-of', async (asked) => {
    const { place, form } = asked;
    if (Number(form.get('pages')) > UNASKED && form.get('sure') !== 'yes') return sureScreen(asked);
    await (await deskOf(place)).ask('noneOf', { by: labellerIn(asked), url: form.get('url') ?? '', place: form.get('place') ?? '' });
    return { kind: 'see', path: backOf(asked) };
  }),
  step('/label/undo', async ({ place }, by) => (await deskOf(place)).ask('undo', { by })),
  step('/label/train', async ({ place }, by) => {
    await (await deskOf(place)).ask('train', { by });
    await place.run.acted('train');
  }),
  step('/label/undo-training', async ({ place }, by) => (await deskOf(place)).ask('undoTraining', { by })),
  post('/label/leave', async ({ place }) => {
    await (await deskOf(place)).ask('leave', null);
    return { kind: 'see', path: '/' };
  }),
];

/** Something is done, then the screen shows the next page. */
export function step(path: string, run: (asked: Asked, by: Labeller) => Promise<void>): Route {
  return post(path, async (asked) => {
    await run(asked, labellerIn(asked));
    return { kind: 'see', path: backOf(asked) };
  });
}

function questionOf(question: Question, { places }: LabelScreen, asked: Asked): Markup {
  const { url, title, relevance, threshold, kept, queue, passage, explanation } = question;
  const verdict = isOnTopic(relevance, threshold) ? TEXT.onTopic : TEXT.offTopic;
  return html`<section class="question"><h2><bdi>${title === '' ? TEXT.untitled : title}</bdi></h2><p>${urlLink(url)}</p>
<p><small>${TEXT.queues[queue]}</small></p>
<div class="answers">${answer('y', url, asked)}${answer('n', url, asked)}${answer('s', url, asked)}
${labelForm(asked, '/label/undo', html`<button data-key="u">${TEXT.undo}</button>`)}<span data-key="o">${outLink(url)}</span></div>
<div class="answers">${places.map((place) => noneOf(place, url, asked))}</div>
<p>${TEXT.relevance(unitText(relevance), unitText(threshold))} ${verdict} ${kept ? TEXT.kept : TEXT.notKept}</p>
${explanation.rule && html`<p>${TEXT.rule(explanation.rule.text, unitText(explanation.rule.relevance))}</p>`}
<div class="text" tabindex="0" role="region" aria-label="${TEXT.text}" dir="auto">${passage.text === '' ? TEXT.noText : marked(passage.text, passage.words)}</div></section>`;
}

function answer(key: keyof typeof ANSWERS, url: string, asked: Asked): Markup {
  const content = html`${hidden('url', url)}${hidden('answer', key)}<button data-key="${key}" class="${key === 'y' && 'main'}">${TEXT.answers[key]}</button>`;
  return labelForm(asked, '/label/answer', content);
}

/** Off topic for this page and for all others of the place that have no answer. */
function noneOf({ kind, place, pages }: HostOrDirectory, url: string, asked: Asked): Markup {
  const { key, label } = TEXT.noneOf[kind];
  const content = html`${hidden('url', url)}${hidden('place', place)}${hidden('pages', String(pages))}<button data-key="${key}"${pages > MOST_OF_PLACE && html` disabled`}>${label(pages)}</button>`;
  return labelForm(asked, '/label/none-of', content);
}

/** Asks for confirmation before hundreds of pages are answered by one key. */
function sureScreen(asked: Asked): Extract<Reply, { kind: 'screen' }> {
  const { form } = asked;
  const [pages, place] = [Number(form.get('pages')), form.get('place') ?? ''];
  const fields = html`${hidden('url', form.get('url') ?? '')}${hidden('place', place)}${hidden('pages', String(pages))}${hidden('sure', 'yes')}`;
  const main = html`<h1>${TEXT.title}</h1><p>${TEXT.sure(pages, place)}</p><div class="answers">
${labelForm(asked, '/label/none-of', html`${fields}<button data-key="enter">${TEXT.sureYes(pages)}</button>`)} <a href="${backOf(asked)}">${TEXT.sureNo}</a></div>`;
  return { kind: 'screen', title: TEXT.title, main, script: 'label' };
}

export function estimateOf({ counts, precision, harvest, drawn, answersToMargin }: Measured): Markup {
  return html`<section><h2>${TEXT.estimate}</h2>
<p>${TEXT.counts(countText(counts.yes), countText(counts.no), countText(counts.skipped))}</p>
<p>${precision === null ? sentence(`precision: ${notMeasuredText({ answered: drawn.kept, needed: drawn.needed })}`) : STRINGS.overview.precision('kept', precision)}</p>
${harvest !== null && html`<p>${STRINGS.overview.precision('harvest', harvest)}</p>`}
${(precision !== null || answersToMargin > 0) && html`<p>${answersToMargin === 0 ? TEXT.enough : TEXT.more(countText(answersToMargin))}</p>`}</section>`;
}

function trainingOf({ canTrain, training, isRunning }: LabelScreen, asked: Asked): Markup {
  const train = labelForm(asked, '/label/train', html`<button${!canTrain && html` disabled`}>${TEXT.train}</button>`);
  return html`<section><h2>${TEXT.training}</h2><p><small>${isRunning ? TEXT.trainsCrawl : TEXT.trainsHere}</small></p>${train}
${training !== null && resultOf(training, asked)}</section>`;
}

function resultOf(training: Training, asked: Asked): Markup {
  if (training.kind === 'requested') return html`<p>${TEXT.requested}</p>`;
  const { changes, threshold, to } = training.report;
  const counts = table(
    TEXT.changes,
    [
      { head: TEXT.pages, cell: ([name]) => name },
      { head: TEXT.number, cell: ([, count]) => countText(count), isNumber: true },
    ],
    [
      [TEXT.onTopicBefore, changes.onTopicBefore],
      [TEXT.onTopicNow, changes.onTopic],
      [TEXT.nowOnTopic, changes.nowOnTopic],
      [TEXT.noLongerOnTopic, changes.noLongerOnTopic],
      [TEXT.keptOffTopic, changes.keptOffTopic],
      [TEXT.reopened, changes.reopened],
    ] as const,
  );
  if (training.kind === 'undone') return html`<p>${TEXT.undone(to, unitText(threshold))}</p>${counts}`;
  const { effect, active } = training.report;
  return html`<p>${active ? TEXT.active(to, unitText(threshold)) : TEXT.notActive}</p>
${effect !== null && html`<p>${TEXT.effect(unitText(effect.before), unitText(effect.after), countText(effect.pages))}</p>`}
${counts}${flippedOf(TEXT.nowOnTopic, changes.flipped.nowOnTopic)}${flippedOf(TEXT.noLongerOnTopic, changes.flipped.noLongerOnTopic)}
${active && labelForm(asked, '/label/undo-training', html`<button>${TEXT.takeBack}</button>`)}`;
}

/** Samples: the person decides by them whether to take the training back. */
function flippedOf(name: string, pages: readonly FlippedPage[]): Markup | null {
  if (pages.length === 0) return null;
  return table(
    TEXT.samples(name),
    [
      { head: TEXT.before, cell: ({ before }) => (before === null ? STRINGS.none : unitText(before)), isNumber: true },
      { head: TEXT.after, cell: ({ now }) => unitText(now), isNumber: true },
      { head: STRINGS.overview.url, cell: ({ url }) => urlLink(url) },
    ],
    pages,
  );
}

/** An open session of a crawl at rest holds its lock. */
function sessionOf({ isRunning }: LabelScreen, { formToken }: Asked): Markup | null {
  if (isRunning) return null;
  return html`<section><p><small>${TEXT.holds(countText(IDLE / 60_000))}</small></p>${actionForm(formToken, '/label/leave', html`<button>${TEXT.leave}</button>`)}</section>`;
}
