/** Twelve questions at once: all are on topic except those that the person unchecks. */
import type { GridCard, LabelGrid } from '../label-desk.ts';
import { labelForm, labellerIn, marked, modes } from '../label-pieces.ts';
import { html, type Markup } from '../markup.ts';
import { deskOf } from '../opened-crawl.ts';
import { hidden, outLink, urlLink } from '../pieces.ts';
import { type Asked, get, type Route } from '../route.ts';
import { STRINGS } from '../strings.ts';
import { estimateOf, step } from './label-form.ts';

const TEXT = STRINGS.label;

export const labelGrid: readonly Route[] = [
  get('/label/grid', async (asked) => {
    const grid = await (await deskOf(asked.place)).ask('grid', { by: labellerIn(asked) });
    const main = html`<h1>${TEXT.title}</h1>${modes(asked, '/label/grid')}${gridOf(grid, asked)}${undo(asked)}${estimateOf(grid)}`;
    return { kind: 'screen', title: TEXT.title, main, script: 'label' };
  }),
  step('/label/answers', async ({ place, form }, by) => {
    const onTopic = new Set(form.getAll('yes'));
    const answers = form.getAll('url').map((url) => ({ url, answer: onTopic.has(url) ? ('y' as const) : ('n' as const) }));
    await (await deskOf(place)).ask('answerAll', { by, answers });
  }),
];

function gridOf({ cards }: LabelGrid, asked: Asked): Markup {
  if (cards.length === 0) return html`<p>${TEXT.none}</p>`;
  const content = html`${hidden('back', 'grid')}<p>${TEXT.gridAbout}</p><div class="cards">${cards.map(card)}</div>
<p><button data-key="enter" class="main">${TEXT.store(String(cards.length))}</button></p>`;
  return labelForm(asked, '/label/answers', content);
}

function card({ url, title, passage }: GridCard): Markup {
  return html`<article><label class="card-name"><input type="checkbox" name="yes" value="${url}" checked> <bdi>${title === '' ? TEXT.untitled : title}</bdi></label>
${hidden('url', url)}<p>${urlLink(url)} ${outLink(url)}</p><p class="passage" dir="auto">${passage.text === '' ? TEXT.noText : marked(passage.text, passage.words)}</p></article>`;
}

function undo(asked: Asked): Markup {
  return labelForm(asked, '/label/undo', html`${hidden('back', 'grid')}<button data-key="u">${TEXT.undo}</button>`);
}
