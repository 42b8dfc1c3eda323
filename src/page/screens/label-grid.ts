/** Twelve questions at once: all are on topic except those that the person unchecks. */
import type { GridCard, LabelGrid } from '../label-desk.ts';
import { marked, modeOf, modes } from '../label-pieces.ts';
import { html, type Markup } from '../markup.ts';
import { actionForm, hidden, outLink, urlLink } from '../pieces.ts';
import { deskOf } from '../place.ts';
import { get, type Route } from '../route.ts';
import { STRINGS } from '../strings.ts';
import { estimateOf, step } from './label-form.ts';

const TEXT = STRINGS.label;

export const labelGrid: readonly Route[] = [
  get('/label/grid', async ({ place, query, formToken }) => {
    const grid = await (await deskOf(place)).ask('grid', { mode: modeOf(query.get('mode')) });
    const main = html`<h1>${TEXT.title}</h1><p class="warning" role="alert" data-unsent hidden>${TEXT.unsent}</p>${modes(grid, '/label/grid')}${gridOf(grid, formToken)}${undo(formToken)}${estimateOf(grid)}`;
    return { kind: 'screen', title: TEXT.title, main, script: 'label' };
  }),
  step('/label/answers', async ({ place, form }) => {
    const onTopic = new Set(form.getAll('yes'));
    const answers = form.getAll('url').map((url) => ({ url, answer: onTopic.has(url) ? ('y' as const) : ('n' as const) }));
    await (await deskOf(place)).ask('answerAll', answers);
  }),
];

function gridOf({ cards }: LabelGrid, formToken: string): Markup {
  if (cards.length === 0) return html`<p>${TEXT.none}</p>`;
  const content = html`${hidden('back', 'grid')}<p>${TEXT.gridAbout}</p><div class="cards">${cards.map(card)}</div>
<p><button data-key="enter" class="main">${TEXT.store(String(cards.length))}</button></p>`;
  return actionForm(formToken, '/label/answers', content);
}

function card({ url, title, passage }: GridCard): Markup {
  return html`<article><label class="card-name"><input type="checkbox" name="yes" value="${url}" checked> <bdi>${title === '' ? TEXT.untitled : title}</bdi></label>
${hidden('url', url)}<p>${urlLink(url)} ${outLink(url)}</p><p class="passage" dir="auto">${passage.text === '' ? TEXT.noText : marked(passage.text, passage.words)}</p></article>`;
}

function undo(formToken: string): Markup {
  return actionForm(formToken, '/label/undo', html`${hidden('back', 'grid')}<button data-key="u">${TEXT.undo}</button>`);
}
